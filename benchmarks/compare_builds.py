#!/usr/bin/env python3
"""Times programs by two builds of Halyard in turn, and compares their arenas.

    benchmarks/compare_builds.py OTHER [--build=build/release] [--rounds=7] [--seconds=0.5]
                                 [--target=x86] [--json=FILE] [PROGRAM...]

OTHER and --build are build folders, with bin/halyard and bin/halyard-codegen in them. Programs are
those of benchmarks/kernels by default. Each build has a kernel cache of its own and no tuning
database. A round times a program by both builds, one after the other; the order changes from round
to round. A build's time is its fastest of all rounds, as the machine's other work only ever adds
to it; the ratio is OTHER's time over ours, so that above 1 ours is faster.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from halyard_bench import bench  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Build:
    def __init__(self, folder, scratch, target):
        self.halyard = folder / "bin/halyard"
        self.report = scratch / "report.json"
        self.target = f"--target={target}"
        cache = scratch / "cache"
        cache.mkdir(mode=0o700, parents=True)
        self.environment = {**os.environ, "HALYARD_CACHE_DIR": str(cache),
                            "HALYARD_TUNING_DB": str(scratch / "none.sqlite"),
                            "HALYARD_CODEGEN": str(folder / "bin/halyard-codegen")}

    def bench(self, program, seconds):
        return bench(self.halyard, program, self.report, self.target, f"--min-time={seconds}",
                     environment=self.environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--target", default="x86")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    programs = options.programs or sorted((ROOT / "benchmarks/kernels").glob("*.mlir"))
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        ours = Build(options.build.resolve(), scratch / "ours", options.target)
        other = Build(options.other.resolve(), scratch / "other", options.target)
        for program in programs:
            times, arenas = {ours: [], other: []}, {}
            for number in range(options.rounds):
                for build in (ours, other) if number % 2 == 0 else (other, ours):
                    result = build.bench(program, options.seconds)
                    times[build].append(result["min_ms"])
                    arenas[build] = result["arena_bytes"]
            row = {"program": program.stem, "ms": min(times[ours]), "other_ms": min(times[other]),
                   "arena": arenas[ours], "other_arena": arenas[other],
                   "rounds": options.rounds}
            row["ratio"] = row["other_ms"] / row["ms"]
            rows.append(row)
            print(f"{row['program']:14} {row['ms']:9.3f} ms, other {row['other_ms']:9.3f} ms, ratio "
                  f"{row['ratio']:.3f}; arena {row['arena']}, other {row['other_arena']}",
                  flush=True)
    if options.json:
        options.json.write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
