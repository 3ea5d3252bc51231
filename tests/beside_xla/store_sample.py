#!/usr/bin/env python3
"""Writes tests/beside_xla/sample: 100 small random programs with what XLA computes. Needs JAX
(scripts/setup_jax):

    .venv-jax/bin/python tests/beside_xla/store_sample.py [--seeds=0:600] [--targets=x86,reference]

Programs are taken that are small, agree with XLA on the targets, and between them hold as many ops
as there are.
"""

import argparse
import collections
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import maker
import numpy as np
import programs
import types_of as ty
from runner import ROOT, Runner
from shrink import kinds

SAMPLE = HERE / "sample"
COUNT, MOST_OPS, MOST_BYTES = 100, 9, 7000


def candidates(first, last):
    """Small programs by seed."""
    small = {}
    for seed in range(first, last):
        program = maker.make(seed)
        size = sum(x.nbytes for x in program.inputs)
        if len(program.nodes) <= MOST_OPS and size <= MOST_BYTES:
            small[seed] = program
    return small


def store(seed, program, runner, targets):
    """Writes the program if it agrees; false if it does not."""
    try:
        lowered = programs.lower(program)
        wanted = programs.run(program, lowered)
    except Exception:  # XLA does not compile it
        return False
    text = lowered.as_text()
    if kinds(runner.compare(text, program.arguments(), wanted, targets)):
        return False
    stem = SAMPLE / f"seed_{seed}"
    save(f"{stem}.in.npz", "arg", program.arguments())
    save(f"{stem}.out.npz", "out", wanted)
    stem.with_suffix(".mlir").write_text(text)
    return True


def choose(pool, runner, targets):
    """Stores those with the rarest ops and types, one after the other."""
    covered, stored = collections.Counter(), 0

    def features(program):
        types = {x.dtype.name for x in program.inputs}
        return [node.name for node in program.nodes] + sorted(types)

    while pool and stored < COUNT:
        seed = max(pool, key=lambda s: sum((1 + covered[f]) ** -2.0 for f in features(pool[s])) /
                   (3 + len(pool[s].nodes)))
        program = pool.pop(seed)
        if store(seed, program, runner, targets):
            covered.update(features(program))
            stored += 1
    return stored, covered


def save(path, prefix, arrays):
    np.savez_compressed(path, **ty.numbered_entries(prefix, arrays))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="0:600")
    parser.add_argument("--targets", default="x86,reference")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    options = parser.parse_args()
    SAMPLE.mkdir(exist_ok=True)
    for old in SAMPLE.iterdir():
        old.unlink()
    runner = Runner(options.build)
    pool = candidates(*map(int, options.seeds.split(":")))
    stored, covered = choose(pool, runner, options.targets.split(","))
    runner.close()
    print(f"{stored} programs, {len(covered)} ops and types: {', '.join(sorted(covered))}")
    return 0 if stored == COUNT else 1


if __name__ == "__main__":
    sys.exit(main())
