"""Makes the bytecode fixtures beside this file with jaxlib, in the environment of tests/data/fixtures.

From ops.mlir, newer.mlir and quantized.mlir (modules split at '// -----', the version that a module
needs in its first line): NAME[.N].VERSION.mlirbc, portable artifacts; NAME[.N].plain.mlirbc, the
modules as they are; NAME[.N].mlir.out, the text that jaxlib reads back from the first, and
NAME[.N].plain.mlir.out, that of the second where it differs.
"""

import io
import pathlib
import re

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

HERE = pathlib.Path(__file__).parent
VERSIONS = ["0.9.0", "0.10.0", "0.12.0", "0.14.0", "0.15.0", "1.17.0"]


def save(name, data):
    (HERE / name).write_bytes(data)


def make(name, text, versions, context):
    if "!quant" in text:  # the context does not know the dialect; the whole of the library does
        artifacts = {v: stablehlo.serialize_portable_artifact_str(text, v) for v in versions}
        back = stablehlo.deserialize_portable_artifact_str(artifacts[versions[0]])
        back_bytes = back if isinstance(back, bytes) else back.encode()
        if back_bytes[:4] == b"ML\xefR":
            back_bytes = text.encode()
        save(f"{name}.mlir.out", back_bytes)
    else:
        # Writing changes the module: each version gets its own.
        artifacts = {
            v: stablehlo.serialize_portable_artifact(ir.Module.parse(text), v, True)
            for v in versions
        }
        back = stablehlo.deserialize_portable_artifact(context, artifacts[versions[0]])
        save(f"{name}.mlir.out", str(back).encode())
        plain = io.BytesIO()
        module = ir.Module.parse(text)
        module.operation.write_bytecode(plain)
        save(f"{name}.plain.mlirbc", plain.getvalue())
        if str(module) != str(back):  # defaults are written out
            save(f"{name}.plain.mlir.out", str(module).encode())
    for version, data in artifacts.items():
        save(f"{name}.{version}.mlirbc", data)


def main():
    for old in list(HERE.glob("*.mlirbc")) + list(HERE.glob("*.mlir.out")):
        old.unlink()
    context = mlir.make_ir_context()
    with context:
        make("ops", (HERE / "ops.mlir").read_text(), VERSIONS, context)
        for name in ["newer", "quantized"]:
            parts = (HERE / f"{name}.mlir").read_text().split("// -----\n")[1:]
            for i, part in enumerate(parts):
                first = re.match(r"// (\S+)\n", part).group(1)
                versions = [first] if first == VERSIONS[-1] else [first, VERSIONS[-1]]
                make(f"{name}.{i}", part, versions, context)


if __name__ == "__main__":
    main()
