#!/usr/bin/env python3
"""Runs the rows in small sizes with every engine, and compares the results with NumPy's.

    .venv-peers/bin/python benchmarks/peers/check_small.py [--engines=iree,torch] [PATTERN ...]
    .venv-peers/bin/python benchmarks/peers/check_small.py --write-fixtures

It is for changes of rows, builders and versions; it times nothing. With --write-fixtures, it writes
the programs that tests/scripts/peers_rows_test.py runs (tests/data/peers), as JAX exports them. The
exit status is 1 if results differ. A gap is no failure.
"""

import argparse
import fnmatch
import multiprocessing
import os
import pathlib
import sys
import tempfile

import numpy as np

from compare import difference, sentence, write
from engines import Files
from numpy_builder import reference
from peers import ENGINES, ROOT
from registry import SMALL
from values import Gap, Weights

FIXTURES = ROOT / "tests/data/peers"
TOLERANCE = 1e-5  # of rows in f32, which are so small that hardly anything adds up
ROUNDING = {"bf16": 1e-2, "f16": 2e-3}  # of products, each result rounded once


def tolerance(row, engine=""):
    """Returns what results of a small row may differ. Rows that round activations to whole steps keep
    their own, and so does ONNX Runtime where weights are small."""
    for given in row.inputs:
        if given.type in ROUNDING:
            return ROUNDING[given.type]
    own = row.tolerance in (0, 0.1) or (row.tolerance == 0.05 and engine == "ONNX Runtime")
    return row.tolerance if own else TOLERANCE


def expected(row):
    random = np.random.default_rng(1)
    return reference(row, Weights(), [given.value(random) for given in row.inputs])


def check(engine, folder, names):
    """Runs in a process of its own. Returns how many results differ."""
    wrong = 0
    for name in names:
        row = SMALL[name]
        try:
            if engine.name in row.gaps:
                raise Gap(row.gaps[engine.name])
            made = engine(Files(name, folder), len(os.sched_getaffinity(0)))
            made.run()
            results = made.results()
        except Exception as error:  # pylint: disable=broad-except
            print(f"{engine.name}: {name}: gap: {sentence(error)}", flush=True)
            continue
        try:
            differs = difference(row, expected(row), results)
        except Gap as gap:
            differs, name = float("inf"), f"{name}: {gap}"
        if row.distribution and differs < 0.1:
            differs = 0
        if not differs <= tolerance(row, engine.name):
            print(f"{engine.name}: {name}: WRONG by {differs:.2g}", flush=True)
            wrong += 1
    print(f"{engine.name}: {len(names)} rows, {wrong} wrong", flush=True)
    sys.exit(1 if wrong else 0)


def write_fixtures(names):
    import jax
    import jax_builder
    for name in names:
        row = SMALL[name]
        described = [jax.ShapeDtypeStruct(given.shape, jax_builder.TYPES[given.type])
                     for given in row.inputs]
        function = jax_builder.row_function(row, Weights())
        text = jax.jit(function).trace(*described).lower(lowering_platforms=("cpu",)).as_text()
        (FIXTURES / f"{name}.mlir").write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--write-fixtures", action="store_true")
    parser.add_argument("patterns", nargs="*", default=["*"])
    options = parser.parse_args()
    names = [name for name in SMALL if any(fnmatch.fnmatch(name, p) for p in options.patterns)]
    if options.write_fixtures:
        FIXTURES.mkdir(exist_ok=True)
        return write_fixtures(names)
    status, context = 0, multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="halyard-peers-") as folder:
        for name in names:
            write(Files(name, pathlib.Path(folder)))
        for name in options.engines.split(","):
            process = context.Process(target=check,
                                      args=(ENGINES[name], pathlib.Path(folder), names))
            process.start()
            process.join()
            status |= process.exitcode != 0
            if process.exitcode not in (0, 1):
                print(f"{name}: its process ended with exit status {process.exitcode}")
    return status


if __name__ == "__main__":
    sys.exit(main())
