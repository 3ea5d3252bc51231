#!/usr/bin/env python3
"""Compares Halyard with JAX's CPU where both are JAX's platforms, in the same processes.

    scripts/bench jax_plugin [--tune=MINUTES] [--json=FILE] [dispatch|first|training ...]

dispatch   the time until a call of jit(x + 1) on 8 floats returns: the median of 10,000 calls
first      the total time of the first calls of 200 different functions with one op each; then the
           same in another process, which finds the kernels in Halyard's cache
training   the time of a step of the programs digits and transformer of tests/jax/programs; with
           --tune, also after `halyard tune` has run for that many minutes on each of them

The two sides take turns, so that the noise of the machine affects both alike. Ratios are Halyard's
time divided by JAX's; below 1, Halyard is faster. "cpu" figures are the processor time of all
threads.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "tests/jax/programs"
PARTS = ("dispatch", "first", "training")


def devices():
    import jax
    return {"halyard": jax.devices("halyard")[0], "jax": jax.devices("cpu")[0]}


def ratio_row(name, halyard, jax, unit, **more):
    return {"name": name, f"halyard_{unit}": halyard, f"jax_{unit}": jax, "ratio": halyard / jax,
            **more}


def dispatch(calls=10_000, block=100):
    import jax
    import jax.numpy as jnp
    add = jax.jit(lambda x: x + 1)
    arrays = {side: jax.device_put(jnp.arange(8.0), device) for side, device in devices().items()}
    times = {side: [] for side in arrays}
    cpu = dict.fromkeys(arrays, 0.0)
    for number in range(calls // block + 1):  # the first block compiles
        for side, x in arrays.items():
            before = time.process_time()
            for _ in range(block):
                start = time.perf_counter_ns()
                add(x)
                if number > 0:
                    times[side].append((time.perf_counter_ns() - start) / 1e3)
            if number > 0:
                cpu[side] += time.process_time() - before
    halyard, own = (statistics.median(times[side]) for side in ("halyard", "jax"))
    return [ratio_row("dispatch of jit(x + 1)", halyard, own, "us", calls=calls,
                      ratio_cpu=cpu["halyard"] / cpu["jax"])]


def one_op_functions():
    """Yields 200 functions and their arguments; each differs in its op or its shape."""
    import jax
    import jax.numpy as jnp
    from jax import lax
    unary = (lax.abs, lax.ceil, lax.cos, lax.exp, lax.expm1, lax.floor, lax.is_finite, lax.log1p,
             lax.logistic, lax.neg, lax.rsqrt, lax.sign, lax.sin, lax.sqrt, lax.tan, lax.tanh,
             lax.erf, lax.cbrt, jnp.sum, jnp.max, jnp.transpose, jnp.ravel, jnp.cumsum,
             lambda x: lax.convert_element_type(x, jnp.int32), lambda x: lax.rev(x, (0,)))
    binary = (lax.add, lax.sub, lax.mul, lax.div, lax.max, lax.min, lax.pow, lax.atan2, lax.rem,
              lax.lt, lax.eq, lax.nextafter, lambda x, y: x.T @ y,
              lambda x, y: jnp.concatenate([x, y]), lambda x, y: jnp.stack([x, y]))
    for rows in (3, 8, 16, 40, 65):
        for op in unary:
            yield op, [jnp.full((rows, 8), 0.5)]
        for op in binary:
            yield op, [jnp.full((rows, 8), 0.5), jnp.full((rows, 8), 0.25)]


def first():
    import jax
    sides = devices()
    seconds, cpu = dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 0.0)
    count = 0
    for op, arguments in one_op_functions():
        count += 1
        for side, device in sides.items():
            inputs = jax.block_until_ready([jax.device_put(a, device) for a in arguments])
            function = jax.jit(lambda *values, op=op: op(*values))
            before, start = time.process_time(), time.perf_counter()
            jax.block_until_ready(function(*inputs))
            seconds[side] += time.perf_counter() - start
            cpu[side] += time.process_time() - before
    assert count == 200, count
    # Halyard's code generator is a separate process, which `cpu` does not include.
    return [ratio_row("", seconds["halyard"], seconds["jax"], "s", functions=count,
                      ratio_cpu=cpu["halyard"] / cpu["jax"])]


def digits_step(state):
    """Returns a function that runs `count` steps from the final state of digits.py."""
    def run(count):
        p, momentum = state["p"], state["momentum"]
        for i in range(count):
            at = (i * 128) % 1664
            p, momentum, value = state["step"](p, momentum, state["images"][at:at + 128],
                                               state["labels"][at:at + 128])
        state["p"], state["momentum"] = p, momentum
        value.block_until_ready()
    return run


def transformer_step(state):
    def run(count):
        for _ in range(count):
            state["state"], value = state["step"](state["state"], state["key"])
        value.block_until_ready()
    return run


STEPS = {"digits": digits_step, "transformer": transformer_step}
STEPS_OF_A_ROUND = {"digits": 400, "transformer": 40}  # so that a round takes tens of milliseconds


def trained(name, device):
    """Runs the program on the device, and returns its variables."""
    import contextlib
    import io
    import runpy

    import jax
    with jax.default_device(device), contextlib.redirect_stdout(io.StringIO()):
        return runpy.run_path(str(PROGRAMS / f"{name}.py"))


def step_text(name):
    """Returns the program of one step, as JAX lowers it."""
    state = trained(name, devices()["jax"])
    if name == "digits":
        arguments = (state["p"], state["momentum"], state["images"][:128], state["labels"][:128])
    else:
        arguments = (state["state"], state["key"])
    return state["step"].lower(*arguments).as_text()


def training(rounds=25):
    import jax
    rows = []
    for name, make in STEPS.items():
        steps = STEPS_OF_A_ROUND[name]
        sides = {side: (make(trained(name, device)), device)
                 for side, device in devices().items()}
        times = {side: [] for side in sides}
        cpu = dict.fromkeys(sides, 0.0)
        for number in range(rounds + 1):  # the first is not counted
            for side, (run, device) in sides.items():
                before, start = time.process_time(), time.perf_counter()
                with jax.default_device(device):
                    run(steps)
                if number > 0:
                    times[side].append((time.perf_counter() - start) * 1e3 / steps)
                    cpu[side] += time.process_time() - before
        halyard, own = (statistics.median(times[side]) for side in ("halyard", "jax"))
        rows.append(ratio_row(f"step of {name}", halyard, own, "ms", rounds=rounds,
                              ratio_cpu=cpu["halyard"] / cpu["jax"]))
    return rows


def child(part, folder, **more):
    """Measures the part in another process, and returns its rows."""
    environment = {
        **os.environ, "JAX_PLATFORMS": "cpu,halyard", "HALYARD_CACHE_DIR": str(folder / "cache"),
        "HALYARD_TUNING_DB": str(folder / "tuning.sqlite"), "HALYARD_TARGET": "x86",
        "PYTHONPATH": str(HERE.parent / "python"), **more}
    done = subprocess.run([sys.executable, __file__, f"--part={part}"], stdout=subprocess.PIPE,
                          text=True, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"compare_pjrt: {part} failed")
    return json.loads(done.stdout.splitlines()[-1])


def tune(options, folder):
    for name in STEPS:
        program = folder / f"{name}.mlir"
        program.write_text(child(f"text:{name}", folder))
        command = [pathlib.Path(options.halyard).resolve(), "tune", program, "--target=x86", f"--minutes={options.tune}"]
        environment = {**os.environ, "HALYARD_CACHE_DIR": str(folder / "cache"),
                       "HALYARD_TUNING_DB": str(folder / "tuning.sqlite")}
        tuned = subprocess.run(command, stdout=sys.stderr, env=environment, cwd=folder, check=False)
        if tuned.returncode != 0:
            sys.exit(f"compare_pjrt: `halyard tune` of {name} failed")


def measure(options, folder):
    if "dispatch" in options.parts:
        yield from child("dispatch", folder)
    if "first" in options.parts:
        for name in ("first calls of 200 functions", "from the kernel cache"):
            for row in child("first", folder):
                yield {**row, "name": name}
    if "training" in options.parts:
        yield from child("training", folder)
        if options.tune:
            tune(options, folder)
            for row in child("training", folder):
                yield {**row, "name": row["name"] + ", tuned", "minutes": options.tune}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--halyard", default=HERE.parent / "build/release/bin/halyard")
    parser.add_argument("--tune", type=float, default=0, help="minutes for each training step")
    parser.add_argument("--json", type=pathlib.Path, help="append a JSON line per row")
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    if options.part:
        text = options.part.removeprefix("text:")
        print(json.dumps(step_text(text) if text != options.part else globals()[text]()))
        return
    if unknown := set(options.parts) - set(PARTS):
        sys.exit(f"compare_pjrt: no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    options.parts = options.parts or PARTS
    print(f"{'':34} {'Halyard':>12} {'JAX':>12} {'ratio':>7} {'of cpu':>7}")
    with tempfile.TemporaryDirectory(prefix="halyard-bench-") as name:
        folder = pathlib.Path(name)
        (folder / "cache").mkdir(mode=0o700)
        for row in measure(options, folder):
            unit = next(key.split("_")[1] for key in row if key.startswith("halyard_"))
            print(f"{row['name']:34} {row[f'halyard_{unit}']:9.2f} {unit:2} "
                  f"{row[f'jax_{unit}']:9.2f} {unit:2} {row['ratio']:7.2f} "
                  f"{row['ratio_cpu']:7.2f}", flush=True)
            if options.json:
                with options.json.open("a") as file:
                    print(json.dumps({**row, "cores": len(os.sched_getaffinity(0)),
                                      "load": os.getloadavg()[0]}), file=file)


main()
