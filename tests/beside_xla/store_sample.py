#!/usr/bin/env python3
"""Writes tests/beside_xla/sample: 100 small random programs with what XLA computes (scripts/setup_jax).

    .venv-jax/bin/python tests/beside_xla/store_sample.py RESULTS

RESULTS is a file that beside_xla.py wrote: programs are taken that are the same on its targets, are
small, and between them hold every op.
"""

import argparse
import collections
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import maker
import numpy as np
import programs
import types_of as ty

COUNT, MOST_OPS, MOST_BYTES = 100, 9, 6000


def compressed(path, prefix, arrays):
    entries = {}
    for i, array in enumerate(arrays):
        entries |= ty.storable(f"{prefix}{i}", array)
    np.savez_compressed(path, **entries)


def candidates(results):
    """Small programs by seed."""
    for line in results.read_text().splitlines():
        outcome = json.loads(line)
        if outcome["status"] != "same":
            continue
        program = maker.make(outcome["seed"])
        size = sum(x.nbytes for x in program.inputs)
        if len(program.nodes) <= MOST_OPS and size <= MOST_BYTES:
            yield outcome["seed"], program


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path)
    options = parser.parse_args()
    pool = dict(candidates(options.results))
    covered, chosen = collections.Counter(), []
    while pool and len(chosen) < COUNT:
        # The one with the rarest ops.
        seed = max(pool, key=lambda s: sum(1 / (1 + covered[n.name]) ** 2 for n in pool[s].nodes) /
                   (3 + len(pool[s].nodes)))
        program = pool.pop(seed)
        covered.update(node.name for node in program.nodes)
        chosen.append((seed, program))
    folder = HERE / "sample"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for seed, program in chosen:
        lowered = programs.lower(program)
        stem = folder / f"seed_{seed}"
        stem.with_suffix(".mlir").write_text(lowered.as_text())
        compressed(f"{stem}.in.npz", "arg", program.arguments())
        compressed(f"{stem}.out.npz", "out", programs.run(program, lowered))
    print(f"{len(chosen)} programs, {len(covered)} ops: "
          f"{', '.join(sorted(covered))}")
    return 0 if len(chosen) == COUNT else 1


if __name__ == "__main__":
    sys.exit(main())
