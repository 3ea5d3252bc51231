#!/usr/bin/env python3
"""Runs test programs with `halyard check --target=cuda`: all of them with $HALYARD_NIGHTLY or
$HALYARD_ALL_CASES, else a sample, because kernels for CUDA take several times as long to compile as
others.

    tests/data/check/on_cuda.py HALYARD PROGRAM...

The sample has every op with every kind of type that has a function (the cells of table.py), and
every fourth function of a cell, beginning in turn with its first to its fourth.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Polygamma is made of the zeta function, digamma and the logarithm of gamma, each of which has a
# program of its own. Its kernels are the longest: two functions take as long as fifty others.
LONG = {"chlo_polygamma", "chlo_broadcast_polygamma"}


# The beginning of a function: a comment "// add F, multiply F: what it shows" with its cells.
BEGIN = re.compile(r"(?m)^(?=// (?!-----).*\nfunc\.func )")


def cell_of(part):
    return part.splitlines()[0].partition(":")[0]


def sample(text, chosen):
    """The program with those of its functions that chosen(cell) is true of."""
    first, *parts = BEGIN.split(text)
    kept = [first]
    for part in parts:
        name = re.search(r"func\.func (?:private )?@(\w+)", part)[1]
        called = len(re.findall(rf"@{name}\b", text)) > 1
        if chosen(cell_of(part)) or called:
            kept.append(part)
        else:  # what comes behind it is for those that follow
            kept.append(part.partition("\n}\n")[2])
    return "".join(kept)


def sample_of(programs, folder):
    texts = {pathlib.Path(program): pathlib.Path(program).read_text() for program in programs}
    sizes = collections.Counter(cell_of(part) for text in texts.values()
                                for part in BEGIN.split(text)[1:])
    begins = {cell: number % min(size, 4) for number, (cell, size) in enumerate(sizes.items())}
    numbers = collections.Counter()

    def chosen(cell):
        numbers[cell] += 1
        return (numbers[cell] - 1) % 4 == begins[cell]

    files = []
    for program, text in texts.items():
        part = sample(text, chosen)
        if program.stem not in LONG and "func.func" in part:
            files.append(pathlib.Path(folder, program.name))
            files[-1].write_text(part)
    return files


def main():
    halyard, *programs = sys.argv[1:]
    missing = LONG - {pathlib.Path(program).stem for program in programs}
    if missing:
        sys.exit(f"on_cuda.py: there is no {', '.join(sorted(missing))}")
    with tempfile.TemporaryDirectory() as folder:
        if not (os.environ.get("HALYARD_NIGHTLY") or os.environ.get("HALYARD_ALL_CASES")):
            programs = sample_of(programs, folder)
        return subprocess.run([halyard, "check", *programs, "--target=cuda"]).returncode


if __name__ == "__main__":
    sys.exit(main())
