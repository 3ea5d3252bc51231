#!/usr/bin/env python3
"""Compares Halyard's speed with deployed engines on kernels and networks, on the same CPU cores.

    scripts/bench peers [--rounds=5] [--seconds=0.5] [--cores=0,1] [--engines=iree,torch,...]
                        [--json=FILE [--continue]] [--page=FILE] [--without-tuning | --tuned=DB]
                        [NAME ...]
    scripts/bench peers --list

NAME is a row, a group of rows, or a pattern such as 'dot-f32-*'. For every engine, weights are
constants of the program, from the same arrays. Each engine runs in a separate process; in a
round, each runs in turn for some tenths of a second, and another begins in the next round. A
round's figure is the median of its runs. A row shows the median of the rounds, and the median of
the rounds' ratios peer / Halyard (above 1: Halyard is faster). Results are compared before
anything is timed. An engine that cannot do a row has a gap there, with its reason.

The table also shows what share of the machine's limit Halyard reaches, measured in the same
rounds. For kernels that memory bounds, that is the best copying loop for as many bytes as the
kernel must read and write. A kernel that reads more than it writes may exceed 100 %, because
loads are faster than stores. For products and convolutions of f32, it is the peak of multiply-
adds in registers; Winograd's convolutions may exceed it.

The exit status is 1 if Halyard cannot do a row or if an engine's result differs from Halyard's.
"""

import argparse
import fnmatch
import importlib.util
import os
import pathlib
import sys
import tempfile

import report
from engine_iree import Iree
from engines import OnnxRuntime, OpenVino, Xla
from engines_torch import Compiled, Eager
from registry import GROUPS, ROWS, group_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = {"onnxruntime": OnnxRuntime, "openvino": OpenVino, "xla": Xla, "iree": Iree,
           "torch": Eager, "torch-compiled": Compiled}
# Large results come from memory that a process has used before, as in a steady state.
TUNABLES = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=4294967296"


def list_rows():
    for name, row in ROWS.items():
        inputs = ", ".join(f"{given.type}[{','.join(map(str, given.shape))}]"
                           for given in row.inputs[:3])
        more = f", and {len(row.inputs) - 3} more" if len(row.inputs) > 3 else ""
        print(f"{group_of(name):13} {name:30} {inputs}{more}")


def chosen(parser, given, known, what):
    """Returns those of `known` that the patterns `given` choose, each once."""
    names = []
    for pattern in given:
        found = GROUPS.get(pattern) if what == "row" else None
        found = found or fnmatch.filter(known, pattern)
        if not found:
            parser.error(f"no {what} {pattern}; " + ("--list shows all rows; groups are " +
                         ", ".join(GROUPS) if what == "row" else f"there are {', '.join(known)}"))
        names += [name for name in found if name not in names]
    return names


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", default=ROOT / "build/release/bin/halyard")
    parser.add_argument("--list", action="store_true", help="list the rows and do nothing else")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each engine in a round")
    parser.add_argument("--cores", help="default: those that this process may use")
    parser.add_argument("--engines", default=",".join(ENGINES), help="default: %(default)s")
    parser.add_argument("--limit", type=float, default=900,
                        help="seconds that an engine may take to be ready (default: %(default)s)")
    tuning = parser.add_mutually_exclusive_group()
    tuning.add_argument("--without-tuning", dest="halyard_options", action="store_const",
                        const=["--no-tuning"], default=[])
    tuning.add_argument("--tuned", type=pathlib.Path, metavar="DB",
                        help="time Halyard both without tuning and with this tuning database")
    parser.add_argument("--json", type=pathlib.Path,
                        help="append a line for the run, and one after each row")
    parser.add_argument("--continue", dest="go_on", action="store_true",
                        help="leave out rows that the file of --json has")
    parser.add_argument("--page", type=pathlib.Path,
                        help="write a page with plots of all rows of the file of --json")
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help=f"a row, a pattern or a group: {', '.join(GROUPS)}")
    options = parser.parse_args(arguments)
    if (options.go_on or options.page) and not options.json:
        parser.error("--continue and --page need --json=FILE")
    if options.rounds < 1 or options.seconds <= 0:
        parser.error("--rounds and --seconds must be above 0")
    if options.tuned:
        if not options.tuned.exists():
            parser.error(f"there is no {options.tuned}")
        options.tuned, options.halyard_options = options.tuned.resolve(), ["--no-tuning"]
    options.names = chosen(parser, options.names, ROWS, "row") if options.names else list(ROWS)
    options.engines = [ENGINES[name] for name in chosen(
        parser, options.engines.split(","), ENGINES, "engine")]
    return options


def installed(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def missing_engines(options):
    """Returns engine -> why it is left out, and says so."""
    missing = {engine.name: "its wheel is not installed; scripts/setup_peers says why"
               for engine in options.engines if not installed(engine.module)}
    for name, reason in missing.items():
        print(f"peers: {name} is left out: {reason}", file=sys.stderr)
    return missing


def run_rows(options):
    """Compares the rows that are not there yet. Returns whether Halyard did all, and all agreed."""
    import machine
    from compare import compare
    threads = len(os.sched_getaffinity(0))
    done = {row["name"] for row in report.read(options.json)[1]} if options.go_on else set()
    names = [name for name in options.names if name not in done]
    engines = [engine.name for engine in options.engines]
    print(f"{len(names)} rows on {threads} cores, {options.rounds} rounds of {options.seconds} s "
          "for each engine; times in ms, ratios peer / Halyard")
    if len(names) < len(options.names):
        print(f"{len(options.names) - len(names)} rows are in {options.json} already")
    print(report.head(engines))
    run = machine.facts(options.halyard, options.engines)
    run.update(rounds=options.rounds, seconds=options.seconds, left_out=options.missing)
    if names:
        report.append(options.json, {"run": run})
    good, rows = True, []
    with tempfile.TemporaryDirectory(prefix="halyard-peers-") as folder:
        for name in names:
            row = compare(options, name, pathlib.Path(folder), threads)
            good &= "gap" not in row and not any("wrong" in p for p in row["peers"].values())
            rows.append(row)
            report.append(options.json, row)
            print(report.line(row, engines), flush=True)
    for line in (report.gaps(rows) + report.compile_times(rows, engines) +
                 report.means(rows, engines)):
        print(line)
    return good


def main():
    options = parse()
    if options.list:
        list_rows()
        return 0
    if options.cores:
        os.sched_setaffinity(0, {int(core) for core in options.cores.split(",")})
    os.environ["GLIBC_TUNABLES"] = TUNABLES
    os.environ["OMP_NUM_THREADS"] = str(len(os.sched_getaffinity(0)))
    options.missing = missing_engines(options)
    good = run_rows(options)
    if options.page:
        import page
        options.page.write_text(page.html(*report.read(options.json)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
