#!/usr/bin/env python3
"""Compares Halyard's collectives of four processes on x86 with Open MPI's and with copies.

    scripts/bench collectives [--rounds=5] [--repeat=5] [--json=FILE]

A round runs MPI's collectives over four processes, Halyard's over four processes (ranks of an
mpirun), and Halyard's over four threads together with threads that copy an array of the same size
twice, one after the other on the same cores. A round's figure is the median of its repetitions. A
row shows the medians of the rounds, and the median of the rounds' ratios, so that other work on the
machine, which slows all of them, matters less.

Sizes are those of the larger of a process's operand and result. Every MPI process calls the function
that its row names; small collectives are repeated a thousand times between barriers, and by Halyard
in a loop of one program. Halyard's results are checked.

The exit status is 1 if a ratio is worse than issue 21 asks: processes take at most MPI's time for
64 MiB and 1.5 times that for 4 KiB, and threads 1.5 times the time of two copies for 64 MiB.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KIB, MIB = 1 << 10, 1 << 20
# (Halyard's engine, the other, bytes): the largest ratio of their times.
LIMITS = {
    ("halyard ranks", "mpi", 64 * MIB): 1.0,
    ("halyard ranks", "mpi", 4 * KIB): 1.5,
    ("halyard threads", "two copies", 64 * MIB): 1.5,
}
COLLECTIVES = ("all_reduce", "all_gather", "all_to_all")


def run(command):
    """Returns {(engine, collective, bytes): the median of its microseconds}."""
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=600)
    if process.returncode != 0:
        sys.exit(f"collectives: {' '.join(map(str, command))} failed")
    figures = {}
    for line in process.stdout.splitlines():
        row = json.loads(line)
        figure = statistics.median(row["us"])
        names = COLLECTIVES if row["collective"] == "all" else (row["collective"],)
        for name in names:
            figures[row["engine"], name, row["bytes"]] = figure
    return figures


def mpi_version():
    text = subprocess.run(["mpirun", "--version"], stdout=subprocess.PIPE, text=True).stdout
    return text.splitlines()[0].replace("mpirun (", "").replace(")", "")


def cpu():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def rows_of(rounds, loads):
    """Returns a row for each collective and size of LIMITS.

    `loads` are the system's load averages of one minute, from before the first round and after the
    last one, which includes the comparison's own processes.
    """
    common = {"cpu": cpu(), "cores": len(os.sched_getaffinity(0)), "mpi": mpi_version(),
              "processes": 4, "rounds": len(rounds), "load": loads}
    rows = []
    for (own, other, size), limit in LIMITS.items():
        for name in COLLECTIVES:
            times = [r[own, name, size] for r in rounds]
            others = [r[other, name, size] for r in rounds]
            ratio = statistics.median(a / b for a, b in zip(times, others))
            rows.append({"collective": name, "bytes": size, "engine": own,
                         "us": statistics.median(times), "range_us": [min(times), max(times)],
                         "other": other, "other_us": statistics.median(others),
                         "other_range_us": [min(others), max(others)], "ratio": ratio,
                         "limit": limit, "meets": ratio <= limit, **common})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path, help="write the rows to this file")
    options = parser.parse_args()
    if min(options.rounds, options.repeat) < 1:
        parser.error("--rounds and --repeat are at least 1")
    mpirun = ["mpirun", "--oversubscribe", "-n", "4"]
    if os.geteuid() == 0:
        mpirun.insert(1, "--allow-run-as-root")
    repeat = f"--repeat={options.repeat}"
    halyard = options.build / "bin/halyard_collectives"
    mpi = options.build / "bin/halyard_mpi_collectives"
    if not mpi.exists():
        sys.exit("collectives: there is no MPI; scripts/setup installs it")
    rounds, load = [], os.getloadavg()[0]
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
        rounds.append({**run([*mpirun, mpi, repeat]), **run([*mpirun, halyard, repeat]),
                       **run([halyard, repeat])})
    rows = rows_of(rounds, [load, os.getloadavg()[0]])
    for row in rows:
        size = f"{row['bytes'] // MIB} MiB" if row["bytes"] >= MIB else f"{row['bytes'] // KIB} KiB"
        print(f"{row['collective']:10} {size:>6}  {row['engine']:15} {row['us']:10.1f} us   "
              f"{row['other']:10} {row['other_us']:10.1f} us   ratio {row['ratio']:.2f} "
              f"(at most {row['limit']}){'' if row['meets'] else '  MISSED'}")
    if options.json:
        options.json.write_text("".join(json.dumps(row) + "\n" for row in rows))
    sys.exit(0 if all(row["meets"] for row in rows) else 1)


if __name__ == "__main__":
    main()
