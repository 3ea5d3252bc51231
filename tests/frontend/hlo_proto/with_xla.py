#!/usr/bin/env python3
"""Checks that XLA reads what `halyard convert` writes, as text and as proto. Needs JAX
(scripts/setup_jax):

    .venv-jax/bin/python tests/frontend/hlo_proto/with_xla.py --halyard=build/release/bin/halyard

For each HLO text of tests/data/fixtures and of testdata here: Halyard's proto, read and printed by XLA,
and Halyard's text, read by XLA and written as a proto, must both be the program that they came
from. --update writes testdata/*.hlo.pb anew, as XLA writes it.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from jaxlib import _hlo

HERE = pathlib.Path(__file__).parent
FOLDERS = [HERE / "testdata", HERE.parent.parent / "data/fixtures"]


def lines(halyard, program):
    """The program's lines as Halyard prints them, in any order: XLA has its own."""
    done = subprocess.run([halyard, "convert", program, "--to=hlo"], capture_output=True, text=True)
    if done.returncode != 0:
        return [done.stderr.strip()]
    return sorted(done.stdout.splitlines())


def check(halyard, program, folder):
    """What is wrong, or None."""
    proto, text = folder / "halyard.pb", folder / "halyard.hlo"
    xla_text, xla_proto = folder / "xla.hlo", folder / "xla.pb"
    for output in (proto, text):
        subprocess.run([halyard, "convert", program, "-o", output], check=True)
    everything = _hlo.HloPrintOptions()
    everything.print_large_constants = True
    try:
        module = _hlo.HloModule.from_serialized_hlo_module_proto(proto.read_bytes())
        xla_text.write_text(module.to_string(everything))
        module = _hlo.hlo_module_from_text(text.read_text())
        xla_proto.write_bytes(module.as_serialized_hlo_module_proto())
    except Exception as error:
        return f"XLA says: {error}"
    wanted = lines(halyard, program)
    for result in (xla_text, xla_proto):
        got = lines(halyard, result)
        if got != wanted:
            other = [line for line in got if line not in wanted]
            return f"{result.name}: {other[0] if other else 'lines are missing'}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if options.update:
        for text in (HERE / "testdata").glob("*.hlo"):
            module = _hlo.hlo_module_from_text(text.read_text())
            text.with_name(f"{text.name}.pb").write_bytes(module.as_serialized_hlo_module_proto())
    programs = sorted(program for folder in FOLDERS for program in folder.glob("*.hlo"))
    failed = 0
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            problem = check(options.halyard, program, pathlib.Path(folder))
        failed += problem is not None
        print(f"FAIL {program.name}: {problem}" if problem else f"PASS {program.name}")
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
