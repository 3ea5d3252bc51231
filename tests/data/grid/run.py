#!/usr/bin/env python3
"""Runs the programs of this folder as four processes and compares each one's results with XLA's.

    tests/data/grid/run.py --halyard=build/release/bin/halyard --target=x86 [NAME ...]
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names or sorted(path.stem for path in HERE.glob("*.hlo"))
    failed = 0
    for name in names:
        arrays = HERE / f"{name}.npz"
        done = subprocess.run([options.halyard, "run", HERE / f"{name}.hlo", "--partitions=4",
                               f"--target={options.target}", f"--inputs={arrays}",
                               f"--expect={arrays}"], capture_output=True, text=True)
        failed += done.returncode != 0
        print(f"PASS {name}" if done.returncode == 0 else
              f"FAIL {name}\n{done.stdout}{done.stderr}")
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
