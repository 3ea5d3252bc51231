#!/usr/bin/env python3
"""Runs the programs of this folder as four processes and compares each one's results with XLA's.

    tests/data/grid/run.py --halyard=build/release/bin/halyard --target=x86 [NAME ...]

With --mpirun=PROGRAM and --ranks=N, the processes are spread over N ranks, and must also have the
bits of those that are threads of one, from run to run.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).parent


def run(launcher, options, name, more):
    return subprocess.run([*launcher, options.halyard, "run", HERE / f"{name}.hlo",
                           "--partitions=4", f"--target={options.target}",
                           f"--inputs={HERE / name}.npz", *more],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


def arrays_of(path):
    with zipfile.ZipFile(path) as file:
        return {member: file.read(member) for member in file.namelist()}


def other_bits(launcher, options, name):
    """Why the results of ranks, twice, are not those of threads, twice, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for ranks in ([], [], launcher, launcher):
            path = pathlib.Path(folder) / f"{len(found)}.npz"
            done = run(ranks, options, name, [f"--outputs={path}"])
            if done.returncode != 0:
                return done.stdout + done.stderr
            found.append(arrays_of(path))
        first = found[0]
        for other in found[1:]:
            if first.keys() != other.keys() or not first:
                return f"threads have {sorted(first)}, ranks {sorted(other)}"
        return "\n".join(f"{array}: other bits than with threads before" for array in first
                         if any(other[array] != first[array] for other in found[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--mpirun")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names or sorted(path.stem for path in HERE.glob("*.hlo"))
    launcher = [options.mpirun, "--allow-run-as-root", "--oversubscribe", "-n",
                str(options.ranks)] if options.ranks > 1 else []
    failed = 0
    for name in names:
        done = run(launcher, options, name, [f"--expect={HERE / name}.npz"])
        why = "" if done.returncode == 0 else done.stdout + done.stderr
        if launcher and not why:
            why = other_bits(launcher, options, name)
        failed += bool(why)
        print(f"FAIL {name}\n{why}" if why else f"PASS {name}")
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
