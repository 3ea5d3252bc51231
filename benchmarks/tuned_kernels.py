#!/usr/bin/env python3
"""Compares schedules of the 12 kernels of kernels.py on x86, in one process and alternating rounds.

    .venv-jax/bin/python benchmarks/tuned_kernels.py [--rounds=15] [--json=FILE] [NAME ...]

Contestants, each on the same two threads:
  default        Halyard without any record or schedule file
  tuned          with --database=FILE, the best schedule that `halyard tune` has stored there; with
                 --tuned=FILE, the schedules of lines `KERNEL: SCHEDULE`
  XLA            jax.jit on XLA:CPU
  autoscheduler  the schedule of Halide's autoschedulers that is fastest in this run, among those of
                 --autoschedulers=FILE, which has such lines, several for each kernel
                 (--search-autoschedulers=FILE tries them all and writes the best few)

A round runs every contestant for some hundredths of a second, in a rotating order, and takes the
median of its runs. The table shows the medians over the rounds and the medians of the rounds'
ratios, so that other load on the machine affects all contestants alike. On a busy machine, this is
still not a fair comparison: contestants that need both cores at once lose most. --fastest instead
takes the fastest of all runs of each contestant, for which it had the cores to itself. Arguments
are in place, and Halyard writes its results into existing arrays. XLA allocates memory for its
results, so malloc is told to keep freed memory; otherwise the times of XLA would include clearing
pages.

XLA is called through JAX and Halyard through ctypes, and a call through JAX costs more. So each
side also runs a program that adds one to eight numbers, in the same rounds. The ratio to XLA is
that of the times minus the time of this program (but at least a fifth of the measured time). The
table also has the ratio of the measured times.
"""

import argparse
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
BUILD = HERE.parent / "build/release"
TUNABLES = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=4294967296"
# Kernels for which XLA:CPU has no good code. Geometric means are shown with and without them.
XLA_HAS_NO_GOOD_CODE = {"depthwise"}
EMPTY = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<8xf32>
  %r = stablehlo.add %x, %one : tensor<8xf32>
  return %r : tensor<8xf32>
}
"""
AUTOSCHEDULERS = (
    ["adams2019"] + [f"adams2019 seed={seed}" for seed in range(1, 8)] +
    ["li2018"] + [f"mullapudi2016 cache_kib={kib} balance={balance}"
                  for kib in (256, 1024, 16384) for balance in (5, 40)])


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.05, help="of each contestant in a round")
    parser.add_argument("--fastest", action="store_true",
                        help="compare the fastest runs of all rounds, not medians: busy machines")
    parser.add_argument("--cores", default="0,1")
    parser.add_argument("--database", type=pathlib.Path, help="a tuning database")
    parser.add_argument("--tuned", type=pathlib.Path, help="lines `KERNEL: SCHEDULE`")
    parser.add_argument("--autoschedulers", type=pathlib.Path, help="lines `KERNEL: SCHEDULE`")
    parser.add_argument("--search-autoschedulers", type=pathlib.Path, metavar="FILE",
                        help="time all of Halide's, and write the fastest of each kernel")
    parser.add_argument("--json", type=pathlib.Path, help="file for the table")
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


class Halyard:
    """Compiles and runs programs."""

    def __init__(self, folder, threads):
        import numpy as np
        self.np = np
        self.folder = folder
        self.library = ctypes.CDLL(str(BUILD / "lib/libhalyard_kernel_timer.so"))
        for function in (self.library.timer_open, self.library.timer_load):
            function.restype = ctypes.c_void_p
        self.library.timer_load.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.library.timer_free.argtypes = [ctypes.c_void_p]
        self.library.timer_run.argtypes = [ctypes.c_void_p] * 3
        self.device = self.library.timer_open(threads)
        self.names = {}
        self.count = 0

    def kernel_name(self, name):
        if name not in self.names:
            text = subprocess.run(
                [BUILD / "bin/halyard", "show", "--stage=schedule", "--target=x86",
                 HERE / "kernels" / f"{name}.mlir"], check=True, capture_output=True,
                text=True).stdout.splitlines()
            if len(text) != 1:
                sys.exit(f"tuned_kernels: {name} is not one kernel: {text}")
            self.names[name] = text[0].rpartition(": ")[0]
        return self.names[name]

    def compile_empty(self):
        source = self.folder / "empty.mlir"
        source.write_text(EMPTY)
        return self.compile("empty", source=source)

    def compile(self, name, line=None, database=None, source=None):
        """Returns the program's file, or None if the schedule `line` is not possible."""
        self.count += 1
        source = source or HERE / "kernels" / f"{name}.mlir"
        program = f"k{self.count}"
        command = [BUILD / "bin/halyard", "compile", "--target=x86", "--emit=programs",
                   f"--name={program}", "-o", self.folder, source]
        if line:
            schedule = self.folder / f"{program}.schedule"
            schedule.write_text(f"{self.kernel_name(name)}: {line}\n")
            command.append(f"--schedules={schedule}")
        environment = {**os.environ, "HALYARD_TUNING_DB":
                       str(database.resolve() if database else self.folder / "none.sqlite")}
        process = subprocess.run(command, capture_output=True, text=True, env=environment)
        if process.returncode != 0:
            print(f"{name}: {process.stderr.strip()[:300]}", file=sys.stderr)
            return None
        return self.folder / f"{program}.x86.hyprog"

    def aligned(self, value):
        """Returns a copy with the alignment that lets Halyard use it in place."""
        memory = self.np.empty(value.nbytes + 64, self.np.uint8)
        start = -memory.ctypes.data % 64
        copy = memory[start:start + value.nbytes].view(value.dtype).reshape(value.shape)
        copy[...] = value
        return copy

    def runner(self, file, arguments, result):
        """Returns a function that runs the program once and writes to `result`."""
        program = self.library.timer_load(self.device, str(file).encode())
        if not program:
            sys.exit(f"tuned_kernels: cannot load {file}")
        inputs = (ctypes.c_void_p * len(arguments))(*(a.ctypes.data for a in arguments))
        outputs = (ctypes.c_void_p * 1)(result.ctypes.data)
        run = self.library.timer_run

        def once():
            if run(program, inputs, outputs) != 0:
                sys.exit("tuned_kernels: a run failed")
        return once


def xla_runner(function, arguments):
    import jax
    on_device = [jax.device_put(value) for value in arguments]
    compiled = jax.jit(function).lower(*on_device).compile()

    def once():
        return compiled(*on_device).block_until_ready()
    return once


def time_runs(once, seconds, statistic=statistics.median):
    """Returns the median (or another statistic) of the times of a run, in ms."""
    once()
    times = []
    end = time.perf_counter() + seconds
    while (start := time.perf_counter()) < end or len(times) < 3:
        once()
        times.append(time.perf_counter() - start)
    return statistic(times) * 1e3


def rounds_of(contestants, rounds, seconds, statistic=statistics.median):
    """Returns name → times of the rounds, in ms."""
    times = {name: [] for name in contestants}
    order = list(contestants)
    for _ in range(rounds):
        for name in order:
            times[name].append(time_runs(contestants[name], seconds, statistic))
        order = order[1:] + order[:1]
    if statistic is min:
        times = {name: [min(values)] * rounds for name, values in times.items()}
    return times


def ratio(times, name, base):
    """Returns by what factor `base` is faster than `name`, in the median of the rounds."""
    return statistics.median(a / b for a, b in zip(times[name], times[base]))


EMPTY_OURS, EMPTY_XLA = "empty call", "empty call of XLA"


def empty_calls(halyard):
    """Returns a program for each side that adds one to eight numbers, to time calls alone."""
    import numpy as np
    argument = halyard.aligned(np.zeros(8, np.float32))
    result = halyard.aligned(np.zeros(8, np.float32))
    return {EMPTY_OURS: halyard.runner(halyard.compile_empty(), [argument], result),
            EMPTY_XLA: xla_runner(lambda x: x + 1, [argument])}


def without_call(times, calls):
    return [max(time - call, time / 5) for time, call in zip(times, calls)]


def check(name, expected, result):
    import numpy as np
    scale = max(1e-30, float(np.max(np.abs(expected))))
    worst = float(np.max(np.abs(expected.astype(np.float64) - result))) / scale
    if not worst <= (0 if expected.dtype == np.int32 else 1e-4):
        sys.exit(f"tuned_kernels: {name}: results differ from XLA's by {worst} of the largest")


def read_lines(path):
    """Returns kernel → schedules."""
    lines = {}
    for line in path.read_text().splitlines() if path else []:
        if line.strip() and not line.startswith("#"):
            name, _, schedule = line.partition(": ")
            lines.setdefault(name, []).append(schedule.strip())
    return lines


def race(halyard, name, kernel, lines, rounds=3, seconds=0.03):
    """Times the schedules `lines`, and returns (ms, line) for each, the fastest first."""
    import numpy as np
    from kernels import values
    arguments = [halyard.aligned(value) for value in values(kernel)]
    expected = np.asarray(xla_runner(kernel.function, arguments)())
    result = halyard.aligned(expected)
    contestants = {}
    for line in lines:
        if (file := halyard.compile(name, line)) is None:
            continue
        contestants[line] = once = halyard.runner(file, arguments, result)
        result[...] = 0
        once()
        check(f"{name} ({line})", expected, result)
    times = rounds_of(contestants, rounds, seconds)
    return sorted((statistics.median(times[line]), line) for line in contestants)


def compare(halyard, options, name, kernel, tuned, autoscheduled):
    import numpy as np
    from kernels import values
    arguments = [halyard.aligned(value) for value in values(kernel)]
    contestants = {"XLA": xla_runner(kernel.function, arguments)}
    expected = np.asarray(contestants["XLA"]())
    result = halyard.aligned(expected)
    lines = {"default": None}
    if name in tuned:
        lines["tuned"] = tuned[name][-1]
    elif options.database:
        lines["tuned"] = None
    lines.update((line, line) for line in autoscheduled.get(name, []))
    for contestant, line in list(lines.items()):
        file = halyard.compile(name, line, options.database if contestant == "tuned" else None)
        if file is None and contestant in ("default", "tuned"):
            sys.exit(f"tuned_kernels: {name}: cannot compile {contestant}")
        if file is None:
            del lines[contestant]
            continue
        once = halyard.runner(file, arguments, result)
        result[...] = 0
        once()
        check(f"{name} ({contestant})", expected, result)
        contestants[contestant] = once
    contestants.update(empty_calls(halyard))
    times = rounds_of(contestants, options.rounds, options.seconds,
                      min if options.fastest else statistics.median)
    calls = {key: times.pop(key) for key in (EMPTY_OURS, EMPTY_XLA)}
    scheduled = {line: times.pop(line) for line in autoscheduled.get(name, []) if line in lines}
    if scheduled:
        best = min(scheduled, key=lambda line: statistics.median(scheduled[line]))
        times["autoscheduler"] = scheduled[best]
        lines = {key: lines[key] for key in lines if key not in scheduled}
        lines["autoscheduler"] = best
    ours = "tuned" if "tuned" in times else "default"
    row = {"name": name, "unit": kernel.unit, "rounds": options.rounds, "lines": lines,
           "ms": {key: statistics.median(value) for key, value in times.items()},
           "range_ms": {key: [min(value), max(value)] for key, value in times.items()},
           "rate": kernel.work / statistics.median(times[ours]) / 1e6,
           "empty_call_ms": {key: statistics.median(value) for key, value in calls.items()},
           "with_calls": {"default_over_xla": ratio(times, "XLA", "default"),
                          "over_xla": ratio(times, "XLA", ours)}}
    # The times to compare with XLA, without the calls.
    net = {key: without_call(values, calls[EMPTY_XLA if key == "XLA" else EMPTY_OURS])
           for key, values in times.items()}
    row["default_over_xla"] = ratio(net, "XLA", "default")
    row["over"] = {key: ratio(net if key == "XLA" else times, key, ours)
                   for key in times if key != ours}
    return row


def print_row(row):
    def cell(values, key, width):
        return f"{values[key]:{width}.3f}" if key in values else " " * (width - 1) + "-"
    ms, over = row["ms"], row["over"]
    over = {"default": 1.0, **over}
    print(f"{row['name']:13}" + "".join(cell(ms, key, 10) for key in
                                        ("default", "tuned", "XLA", "autoscheduler")) +
          f"{row['rate']:9.1f} {row['unit']:8}{row['default_over_xla']:9.2f}x" +
          "".join(cell(over, key, 9) + "x" for key in ("default", "XLA", "autoscheduler")),
          flush=True)


def geometric_means(rows):
    good = [row for row in rows if row["name"] not in XLA_HAS_NO_GOOD_CODE]
    means = {}
    for which, some in (("", rows), (", where XLA has good code", good)):
        means[f"default beside XLA{which}"] = [row["default_over_xla"] for row in some]
        means[f"ours beside XLA{which}"] = [row["over"]["XLA"] for row in some]
        means[f"default beside XLA, calls included{which}"] = [
            row["with_calls"]["default_over_xla"] for row in some]
        means[f"ours beside XLA, calls included{which}"] = [
            row["with_calls"]["over_xla"] for row in some]
    for key in ("default", "autoscheduler"):
        means[f"ours beside {key}"] = [row["over"][key] for row in rows if key in row["over"]]
    return {key: statistics.geometric_mean(values) for key, values in means.items() if values}


def main():
    options = parse()
    if os.environ.get("GLIBC_TUNABLES") != TUNABLES:
        os.environ["GLIBC_TUNABLES"] = TUNABLES
        os.execv(sys.executable, [sys.executable, *sys.argv])
    cores = {int(core) for core in options.cores.split(",")}
    os.sched_setaffinity(0, cores)
    from kernels import KERNELS  # JAX counts its threads when it is imported
    names = options.names or list(KERNELS)
    if unknown := set(names) - set(KERNELS):
        sys.exit(f"tuned_kernels: no kernel {', '.join(sorted(unknown))}; "
                 f"there are {', '.join(KERNELS)}")
    with tempfile.TemporaryDirectory(prefix="halyard-kernels-") as folder:
        halyard = Halyard(pathlib.Path(folder), len(cores))
        if options.search_autoschedulers:
            with options.search_autoschedulers.open("w") as file:
                for name in names:
                    for ms, line in race(halyard, name, KERNELS[name], AUTOSCHEDULERS)[:4]:
                        print(f"{name}: {line}   {ms:.3f} ms", flush=True)
                        print(f"{name}: {line}", file=file, flush=True)
            return
        tuned, autoscheduled = read_lines(options.tuned), read_lines(options.autoschedulers)
        print(f"cores {options.cores}, {options.rounds} rounds of {options.seconds} s each; times in "
              "ms; ours is tuned where there is one; above 1x: ours is faster")
        print(f"{'kernel':13}{'default':>10}{'tuned':>10}{'XLA':>10}{'autosch.':>10}{'ours':>9} "
              f"{'':8}{'dflt/XLA':>10}{'/default':>10}{'/XLA':>10}{'/autosch.':>10}")
        rows = []
        for name in names:
            rows.append(compare(halyard, options, name, KERNELS[name], tuned, autoscheduled))
            print_row(rows[-1])
        means = geometric_means(rows)
        for key, value in means.items():
            print(f"geometric mean, {key}: {value:.2f}x")
        if options.json:
            options.json.parent.mkdir(exist_ok=True)
            options.json.write_text(json.dumps({"statistic": "fastest" if options.fastest else "median",
                                                "load_average": os.getloadavg()[0],
                                                "geometric_means": means, "kernels": rows},
                                               indent=1) + "\n")


if __name__ == "__main__":
    main()
