#!/usr/bin/env python3
"""Runs the programs of a folder with XLA's CPU compiler, for special_values_test.

    .venv-jax/bin/python tests/programs/run_with_xla.py FOLDER

NAME.mlir is a program, NAME.K.in.npz are arguments of it (arg0, arg1, ...); NAME.K.out.npz is written
with the results (out0, out1, ...), in the form of client/arrays/npz.h. What XLA does not take is said on the
standard error and left out. Programs are run by several processes, which XLA's aborts may end.
"""

import concurrent.futures
import concurrent.futures.process
import multiprocessing
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "jax"))
from stored_arrays import numbered_arrays, numbered_entries

def run(program):
    """What XLA says to it, or None."""
    # Fused multiply-adds and sums of 16-bit types in f32 are choices of XLA's own.
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_max_isa=AVX --xla_allow_excess_precision=false")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    jax.config.update("jax_enable_x64", True)
    from jax._src import compiler
    from jax._src.interpreters import mlir
    from jax._src.lib import _jax
    from jax._src.lib.mlir import ir
    program = pathlib.Path(program)
    device = jax.devices("cpu")[0]
    try:
        with mlir.make_ir_context():
            module = ir.Module.parse(program.read_text())
            executable = device.client.compile_and_load(
                module, _jax.DeviceList((device,)), compiler.get_compile_options(1, 1))
        for inputs in sorted(program.parent.glob(f"{program.stem}.*.in.npz")):
            arguments = [jax.device_put(a, device) for a in numbered_arrays(np.load(inputs), "arg")]
            results = executable.execute(arguments)
            np.savez(str(inputs).replace(".in.npz", ".out.npz"), **numbered_entries("out", results))
    except Exception as error:  # whatever XLA does not take
        return str(error).splitlines()[0][:200]
    return None


def main():
    programs = sorted(map(str, pathlib.Path(sys.argv[1]).glob("*.mlir")))
    left_out, done, start = {}, 0, 0
    context = multiprocessing.get_context("spawn")
    while start < len(programs):
        with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
            try:
                for problem in pool.map(run, programs[start:]):
                    if problem:
                        left_out[programs[start]] = problem
                    else:
                        done += 1
                    start += 1
            except concurrent.futures.process.BrokenProcessPool:
                left_out[programs[start]] = "XLA aborts"
                start += 1
    for program, problem in left_out.items():
        print(f"{pathlib.Path(program).name}: {problem}", file=sys.stderr)
    print(f"XLA: {done} programs run, {len(left_out)} left out")
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
