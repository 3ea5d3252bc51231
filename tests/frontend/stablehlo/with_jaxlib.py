"""Checks what the writer of bytecode gives against jaxlib, in the environment of tests/data/fixtures.

    python tests/frontend/stablehlo/with_jaxlib.py BUILD

runs the writer's test of the build folder, which writes every text of testdata/bytecode and every
program of tests/data/fixtures in every version, and has jaxlib read them. jaxlib must accept each of a
version it knows, and print what it prints of the program when it writes and reads that itself.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]


def text_of(name):
    own = HERE / "testdata" / "bytecode" / name
    return (own if own.exists() else ROOT / "tests/data/fixtures" / f"{name}.mlir").read_text()


def main():
    test = pathlib.Path(sys.argv[1]) / "test_bin" / "frontend_stablehlo_vhlo_write_test"
    newest = tuple(int(n) for n in stablehlo.get_current_version().split("."))
    counts = collections.Counter()
    context = mlir.make_ir_context()
    wanted = {}
    with tempfile.TemporaryDirectory() as folder, context:
        subprocess.run([test], env={**os.environ, "HALYARD_BYTECODE_OUT": folder}, check=True,
                       stdout=subprocess.DEVNULL)
        for path in sorted(pathlib.Path(folder).iterdir()):
            name, version = re.fullmatch(r"(.*)\.(\d+\.\d+\.\d+)\.mlirbc", path.name).groups()
            if tuple(int(n) for n in version.split(".")) > newest:
                counts["newer than jaxlib"] += 1
                continue
            if "!quant" in text_of(name):  # unknown to this context; accepted or not is all
                try:
                    stablehlo.deserialize_portable_artifact_str(path.read_bytes())
                    counts["accepted"] += 1
                except Exception as error:  # pylint: disable=broad-except
                    print(path.name, "REFUSED", error)
                    counts["refused"] += 1
                continue
            key = name, version
            if key not in wanted:
                module = ir.Module.parse(text_of(name))
                try:
                    artifact = stablehlo.serialize_portable_artifact(module, version, True)
                    wanted[key] = str(stablehlo.deserialize_portable_artifact(context, artifact))
                except Exception as error:  # pylint: disable=broad-except
                    wanted[key] = f"jaxlib cannot write it: {error}"
            try:
                got = str(stablehlo.deserialize_portable_artifact(context, path.read_bytes()))
            except Exception as error:  # pylint: disable=broad-except
                print(path.name, "REFUSED", error)
                counts["refused"] += 1
                continue
            if got == wanted[key]:
                counts["the same"] += 1
            else:
                counts["different"] += 1
                for a, b in zip(got.splitlines(), wanted[key].splitlines()):
                    if a != b:
                        print(path.name, "DIFFERENT\n  ours:  ", a, "\n  jaxlib:", b)
                        break
    print(dict(counts))
    sys.exit(1 if counts["refused"] or counts["different"] or not counts["the same"] else 0)


if __name__ == "__main__":
    main()
