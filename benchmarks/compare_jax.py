#!/usr/bin/env python3
"""Compares the speed of `halyard bench` with JAX's on the same CPU cores.

    scripts/bench [--rounds=9] [--cores=0,1] [--json=FILE] [NAME ...]

Rounds alternate: Halyard runs for some tenths of a second, then JAX, so that the noise of the
machine affects both alike. A round's figure is the median of its runs. A row shows the median of
the rounds, their spread, and the median of the rounds' ratios JAX / Halyard (above 1: Halyard is
faster). Each round of Halyard runs in a separate process, which compiles first; JAX runs in this
process. Times are from submission until the result is ready, with inputs in place.

JAX allocates new memory from the system for every large result, which for the elementwise chain
costs more than the arithmetic. In "donated", JAX avoids this by writing its result over its first
argument, so the ratio to it is the stricter one.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

from halyard_bench import bench

HERE = pathlib.Path(__file__).parent


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", default=HERE.parent / "build/release/bin/halyard")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.4, help="of each side in a round")
    parser.add_argument("--cores", help="default: those this process may use")
    parser.add_argument("--json", type=pathlib.Path, help="append a JSON line per program")
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def time_jax(run, first_argument, seconds):
    """Returns the median time of run(first_argument()), in ms."""
    import jax
    jax.block_until_ready(run(first_argument()))
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        argument = first_argument()
        start = time.perf_counter()
        jax.block_until_ready(run(argument))
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def time_halyard(options, name, folder, seconds):
    return bench(options.halyard, HERE / "programs" / f"{name}.mlir", folder / "bench.json",
                 "--target=x86", f"--inputs={folder / name}.npz", f"--min-time={seconds}")


def compare(options, name, program, folder):
    import jax
    import numpy as np
    from programs import arguments
    function, shapes, work, unit = program
    values = arguments(*shapes)
    np.savez(folder / f"{name}.npz", **{f"arg{i}": value for i, value in enumerate(values)})
    on_device = [jax.device_put(value) for value in values]
    first_value, *rest = on_device
    kept = jax.jit(function).lower(*on_device).compile()
    donating = jax.jit(function, donate_argnums=0).lower(*on_device).compile()

    def time_both(seconds):
        return (time_jax(lambda x: kept(x, *rest), lambda: first_value, seconds / 2),
                time_jax(lambda x: donating(x, *rest),
                         lambda: first_value.copy().block_until_ready(), seconds / 2))

    first = time_halyard(options, name, folder, 0.1)
    rounds = []
    for number in range(options.rounds):
        ours = time_halyard(options, name, folder, options.seconds)["median_ms"]
        rounds.append((ours, *time_both(options.seconds)))
        if sys.stderr.isatty():
            print(f"\r{name}: round {number + 1} of {options.rounds}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    ours, theirs, donated = zip(*rounds)
    return {
        "name": name, "rounds": len(rounds), "unit": unit,
        "halyard_ms": statistics.median(ours), "halyard_range_ms": [min(ours), max(ours)],
        "jax_ms": statistics.median(theirs), "jax_range_ms": [min(theirs), max(theirs)],
        "halyard_rate": work / statistics.median(ours) / 1e6,
        "jax_rate": work / statistics.median(theirs) / 1e6,
        "jax_donated_ms": statistics.median(donated),
        "ratio": statistics.median(t / o for o, t, _ in rounds),
        "ratio_donated": statistics.median(d / o for o, _, d in rounds),
        "compile_cold_ms": first.get("compile_cold_ms"),
    }


def main():
    options = parse()
    if options.cores:
        os.sched_setaffinity(0, {int(core) for core in options.cores.split(",")})
    cores = sorted(os.sched_getaffinity(0))
    from programs import PROGRAMS  # JAX counts its threads when it is imported
    names = options.names or list(PROGRAMS)
    if unknown := set(names) - set(PROGRAMS):
        sys.exit(f"compare_jax: no program {', '.join(sorted(unknown))}; "
                 f"there are {', '.join(PROGRAMS)}")
    print(f"cores {','.join(map(str, cores))}, {options.rounds} rounds of {options.seconds} s each")
    print(f"{'program':12} {'Halyard ms':>10} {'(range)':>17} {'JAX ms':>8} {'(range)':>17} "
          f"{'donated':>8} {'Halyard':>16} {'JAX':>6} {'JAX/Halyard':>12} {'donated':>8}")
    with tempfile.TemporaryDirectory(prefix="halyard-bench-") as name:
        folder = pathlib.Path(name)
        for name in names:
            row = compare(options, name, PROGRAMS[name], folder)
            ours, theirs = row["halyard_range_ms"], row["jax_range_ms"]
            print(f"{name:12} {row['halyard_ms']:10.3f} {f'{ours[0]:.3f}-{ours[1]:.3f}':>17} "
                  f"{row['jax_ms']:8.3f} {f'{theirs[0]:.3f}-{theirs[1]:.3f}':>17} "
                  f"{row['jax_donated_ms']:8.3f} {row['halyard_rate']:8.1f} {row['unit']:7} "
                  f"{row['jax_rate']:6.1f} {row['ratio']:11.2f}x {row['ratio_donated']:7.2f}x",
                  flush=True)
            if options.json:
                with options.json.open("a") as file:
                    file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
