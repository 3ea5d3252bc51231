#!/usr/bin/env python3
"""Compares what one run of a 64x64 elementwise kernel costs on Vulkan in Halyard and in Halide.

Halyard submits a recorded command buffer; Halide uses its own Vulkan runtime. Rounds alternate on
the same device.

    .venv/bin/python benchmarks/launch/compare.py [--build=build/release] [--rounds=5]

Halide's runtime keeps its pipeline from launch to launch only if workgroups have a fixed size.
Otherwise, it makes a new pipeline every time. This takes as long as the driver's compiler, or as a
look-up if the driver keeps compiled shaders on disk, as Mesa does. The output shows all three. The
exit status is 1 unless Halyard's median is at least --factor (50) times lower than that of new
pipelines.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from halyard_bench import bench


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build/release")
    parser.add_argument("--target", default="vulkan", help="of Halyard")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--factor", type=float, default=50)
    options = parser.parse_args()
    stock = options.build / "benchmark_bin/halyard_launch_stock_vulkan"
    no_disk_cache = dict(os.environ, MESA_SHADER_CACHE_DISABLE="true")
    contenders = {
        "Halide, fixed workgroups": ([stock, "fixed"], None),
        "Halide, pipeline made anew, driver's disk cache": ([stock, "dynamic"], None),
        "Halide, pipeline made anew": ([stock, "dynamic", "50"], no_disk_cache),
    }
    times = {name: [] for name in [*contenders, "Halyard, recorded"]}
    with tempfile.TemporaryDirectory(prefix="halyard-launch-") as folder:
        for _ in range(options.rounds):
            for name, (command, environment) in contenders.items():
                output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                                        env=environment).stdout
                times[name].append(json.loads(output)["median_us"])
            row = bench(options.build / "bin/halyard", HERE / "kernel.mlir",
                        pathlib.Path(folder) / "bench.json", f"--target={options.target}",
                        "--random-inputs=1", "--min-time=0.5")
            times["Halyard, recorded"].append(row["median_ms"] * 1e3)
    ours = statistics.median(times["Halyard, recorded"])
    print(f"device: {row['device']}; us per run, median of {options.rounds} rounds (range)")
    for name, rounds in times.items():
        median = statistics.median(rounds)
        print(f"  {name:48} {median:9.1f}  ({min(rounds):.1f}-{max(rounds):.1f})  "
              f"{median / ours:6.1f}x Halyard's")
    anew = statistics.median(times["Halide, pipeline made anew"])
    return 0 if anew >= options.factor * ours else 1


if __name__ == "__main__":
    sys.exit(main())
