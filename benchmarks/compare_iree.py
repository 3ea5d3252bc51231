#!/usr/bin/env python3
"""Compares the speed of `halyard bench` with IREE's on the same Vulkan device.

    benchmarks/compare_iree.py [--rounds=5] [--json=FILE] [NAME ...]

Runs in .venv-iree, which it makes first (scripts/setup_iree). Rounds alternate: Halyard runs for
some tenths of a second, then IREE, each in a separate process, with the program compiled before and
its arguments on the device. A round's figure is the median of its runs (Halyard) or of short
batches of runs (IREE). A row shows the medians of the rounds, their spread, and the median of the
rounds' ratios IREE / Halyard (above 1: Halyard is faster). Before the first round, both run the
program on the same arguments, and their results must agree. A program that IREE cannot compile or
run is reported with IREE's own message and does not count.

IREE's documentation names targets (--iree-vulkan-target) for hardware, but none for Mesa's software
device. So IREE's default and each of --iree-targets are compiled and timed first. IREE competes
with the fastest target that runs on the device and gives the right results; the table names it.

The exit status is 1 if results differ, if a program is slower than IREE's, or if the geometric mean
of the ratios is less than --factor.
"""

import argparse
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from halyard_bench import bench

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TOOLS = ROOT / ".venv-iree/bin"
PROGRAMS = {
    "sgemm": HERE / "programs/sgemm.mlir",
    "conv": HERE / "programs/conv.mlir",
    "softmax": HERE / "programs/softmax.mlir",
    "digits": ROOT / "examples/digits/digits.mlir",
    "transformer": ROOT / "examples/transformer/block.mlir",
    "launch": HERE / "launch/kernel.mlir",
}


class IreeFailed(Exception):
    pass


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", default=ROOT / "build/release/bin/halyard")
    parser.add_argument("--target", default="vulkan", help="of Halyard")
    parser.add_argument("--iree-flag", action="append", default=[],
                        help="a further flag for iree-compile")
    parser.add_argument("--iree-targets", default="vp_android_baseline_2022,valhall,adreno,rdna2,turing",
                        help="values of --iree-vulkan-target to try besides the default")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each side in a round")
    parser.add_argument("--factor", type=float, default=3)
    parser.add_argument("--json", type=pathlib.Path, help="append a JSON line per program")
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def iree(tool, *arguments):
    process = subprocess.run([TOOLS / tool, *map(str, arguments)], capture_output=True, text=True)
    if process.returncode != 0:
        lines = (process.stderr or process.stdout).strip().splitlines() or ["no message"]
        raise IreeFailed(f"{tool}, exit status {process.returncode}: {' / '.join(lines[:3])}")
    return process.stdout


def run_halyard(options, program, *arguments):
    process = subprocess.run([options.halyard, "run", program, f"--target={options.target}",
                              *map(str, arguments)], stdout=subprocess.DEVNULL)
    if process.returncode != 0:
        sys.exit(f"compare_iree: `halyard run` of {program} failed")


def parameter_shapes(program):
    """Returns the shapes of main's parameters, which must all be f32."""
    signature = re.search(r"@main\((.*?)\)\s*->", program.read_text(), re.DOTALL).group(1)
    types = re.findall(r"tensor<([^>]*)>", signature)
    if not all(t.endswith("f32") for t in types):
        sys.exit(f"compare_iree: {program} has parameters that are not of f32")
    return [tuple(int(d) for d in t.split("x")[:-1]) for t in types]


class Program:
    def __init__(self, options, name, folder):
        import numpy as np
        self.options, self.name, self.folder, self.file = options, name, folder, PROGRAMS[name]
        random = np.random.default_rng(0)
        values = [random.standard_normal(shape, np.float32)
                  for shape in parameter_shapes(self.file)]
        np.savez(folder / "in.npz", **{f"arg{i}": v for i, v in enumerate(values)})
        for i, value in enumerate(values):
            np.save(folder / f"in{i}.npy", value)
        self.iree_inputs = [f"--input=@{folder / f'in{i}.npy'}" for i in range(len(values))]
        self.module = folder / "program.vmfb"

    def compile_iree(self, target):
        flags = [f"--iree-vulkan-target={target}"] if target else []
        iree("iree-compile", "--iree-hal-target-device=vulkan", *flags, *self.options.iree_flag,
             self.file, "-o", self.module)

    def choose_target(self):
        """Compiles for the fastest of IREE's targets on this device, and returns its name."""
        best, failure = None, None
        for target in ["", *filter(None, self.options.iree_targets.split(","))]:
            try:
                self.compile_iree(target)
                if self.difference() > 1e-4:
                    continue
                time = self.time_iree()
            except IreeFailed as failed:
                failure = failure or failed
                continue
            if best is None or time < best[0]:
                best = (time, target)
        if best is None:
            raise failure or IreeFailed("no target gives the right result")
        self.compile_iree(best[1])
        return best[1] or "default"

    def difference(self):
        """Returns the largest difference of the results, relative to IREE's largest element."""
        import numpy as np
        run_halyard(self.options, self.file, f"--inputs={self.folder / 'in.npz'}",
                    f"--outputs={self.folder / 'out.npz'}")
        iree("iree-run-module", "--device=vulkan", f"--module={self.module}", "--function=main",
             *self.iree_inputs, f"--output=@{self.folder / 'out.npy'}")
        ours, theirs = np.load(self.folder / "out.npz")["out0"], np.load(self.folder / "out.npy")
        return float(np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))

    def time_halyard(self):
        return bench(self.options.halyard, self.file, self.folder / "bench.json",
                     f"--target={self.options.target}", f"--inputs={self.folder / 'in.npz'}",
                     f"--min-time={self.options.seconds}")

    def time_iree(self):
        batches = 5
        output = iree("iree-benchmark-module", "--device=vulkan", f"--module={self.module}",
                      "--function=main", *self.iree_inputs, f"--benchmark_repetitions={batches}",
                      f"--benchmark_min_time={self.options.seconds / batches}s",
                      "--benchmark_format=json")
        scale = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
        return statistics.median(b["real_time"] * scale[b["time_unit"]]
                                 for b in json.loads(output)["benchmarks"]
                                 if b["run_type"] == "iteration")


def compare(program):
    target = program.choose_target()
    difference = program.difference()
    rounds = []
    for number in range(program.options.rounds):
        row = program.time_halyard()
        rounds.append((row["median_ms"], program.time_iree()))
        if sys.stderr.isatty():
            print(f"\r\033[K{program.name}: round {number + 1} of {program.options.rounds}",
                  end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    ours, theirs = zip(*rounds)
    return {
        "name": program.name, "device": row["device"], "rounds": len(rounds),
        "halyard_ms": statistics.median(ours), "halyard_range_ms": [min(ours), max(ours)],
        "iree_ms": statistics.median(theirs), "iree_range_ms": [min(theirs), max(theirs)],
        "ratio": statistics.median(t / o for o, t in rounds), "difference": difference,
        "iree_target": target,
    }


def main():
    options = parse()
    if unknown := set(options.names) - set(PROGRAMS):
        sys.exit(f"compare_iree: no program {', '.join(sorted(unknown))}; "
                 f"there are {', '.join(PROGRAMS)}")
    print(f"{options.rounds} rounds of {options.seconds} s each; times in ms")
    print(f"{'program':12} {'Halyard':>9} {'(range)':>19} {'IREE':>9} {'(range)':>19} "
          f"{'IREE/Halyard':>12} {'difference':>10}  IREE's target")
    ratios, good, device = [], True, None
    for name in options.names or PROGRAMS:
        with tempfile.TemporaryDirectory(prefix="halyard-iree-") as folder:
            try:
                row = compare(Program(options, name, pathlib.Path(folder)))
            except IreeFailed as failure:
                row = {"name": name, "iree_failure": str(failure)}
        if "ratio" in row:
            ours, theirs = row["halyard_range_ms"], row["iree_range_ms"]
            print(f"{name:12} {row['halyard_ms']:9.3f} {f'{ours[0]:.3f}-{ours[1]:.3f}':>19} "
                  f"{row['iree_ms']:9.3f} {f'{theirs[0]:.3f}-{theirs[1]:.3f}':>19} "
                  f"{row['ratio']:11.2f}x {row['difference']:10.1e}  {row['iree_target']}", flush=True)
            ratios.append(row["ratio"])
            device = row["device"]
            good &= row["difference"] < 1e-4 and row["ratio"] >= 1
        else:
            print(f"{name:12} IREE failed: {row['iree_failure']}", flush=True)
        if options.json:
            with options.json.open("a") as file:
                file.write(json.dumps(row) + "\n")
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"geometric mean {mean:.2f}x, on {device}")
        good &= mean >= options.factor
    return 0 if good and ratios else 1


if __name__ == "__main__":
    if pathlib.Path(sys.prefix) != ROOT / ".venv-iree":
        subprocess.run([ROOT / "scripts/setup_iree"], check=True)
        python = TOOLS / "python"
        os.execv(python, [str(python), *sys.argv])
    sys.exit(main())
