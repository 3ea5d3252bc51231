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
from runner import ROOT, Runner, judge
from shrink import kinds

COUNT, MOST_OPS, MOST_BYTES = 100, 8, 6000


def candidates(first, last):
    """Small programs by seed."""
    small = {}
    for seed in range(first, last):
        program = maker.make(seed)
        size = sum(x.nbytes for x in program.inputs)
        if len(program.nodes) <= MOST_OPS and size <= MOST_BYTES:
            small[seed] = program
    return small


def agrees(runner, program, targets):
    try:
        return not kinds(judge(runner, program, targets)[0])
    except Exception:  # XLA does not compile it
        return False


def choose(pool, runner, targets):
    """Those with the rarest ops and types, one after the other."""
    covered, chosen = collections.Counter(), []

    def features(program):
        types = {x.dtype.name for x in program.inputs}
        return [node.name for node in program.nodes] + sorted(types)

    while pool and len(chosen) < COUNT:
        seed = max(pool, key=lambda s: sum((1 + covered[f]) ** -2.0 for f in features(pool[s])) /
                   (3 + len(pool[s].nodes)))
        program = pool.pop(seed)
        if agrees(runner, program, targets):
            covered.update(features(program))
            chosen.append((seed, program))
    return chosen, covered


def save(path, prefix, arrays):
    entries = {}
    for i, array in enumerate(arrays):
        entries |= ty.storable(f"{prefix}{i}", array)
    np.savez_compressed(path, **entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="0:600")
    parser.add_argument("--targets", default="x86,reference")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    options = parser.parse_args()
    runner = Runner(options.build)
    pool = candidates(*map(int, options.seeds.split(":")))
    chosen, covered = choose(pool, runner, options.targets.split(","))
    runner.close()
    print(f"{len(chosen)} programs, {len(covered)} ops and types: {', '.join(sorted(covered))}")
    if len(chosen) < COUNT:
        return 1
    folder = HERE / "sample"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for seed, program in chosen:
        lowered = programs.lower(program)
        stem = folder / f"seed_{seed}"
        stem.with_suffix(".mlir").write_text(lowered.as_text())
        save(f"{stem}.in.npz", "arg", program.arguments())
        save(f"{stem}.out.npz", "out", programs.run(program, lowered))
    return 0


if __name__ == "__main__":
    sys.exit(main())
