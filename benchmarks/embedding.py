#!/usr/bin/env python3
"""Times a program that is linked into a C application, beside `halyard bench`.

    benchmarks/embedding.py [PROGRAM...] [--threads=N] [--rounds=N] [--seconds=S]
                            [--json=benchmarks/results/embedding.json]

The application gives the runtime its allocator and its threads. It counts calls of the allocator
and its process's threads while it runs. Each round times the application and the command one after
the other, on the same cores; the ratio is that of the fastest runs of all rounds.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from halyard_bench import bench  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
HALYARD = ROOT / "build/release/bin/halyard"
LIMIT = 1.03


def build(program, folder):
    """Compiles the program and links the application. Returns the application's path."""
    subprocess.run([HALYARD, "compile", program, "--target=x86", "-o", folder, "--name=model"],
                   check=True, stdout=subprocess.DEVNULL)
    app = folder / "app"
    subprocess.run(["gcc", "-O2", "-std=c11", "-D_GNU_SOURCE", f"-I{folder}",
                    ROOT / "benchmarks/embedding_app.c", folder / "libmodel.a", "-o", app, "-lm",
                    "-lpthread"], check=True)
    return app


def measure(program, options, folder):
    app = build(program, folder)
    command = [app, str(options.threads), str(options.seconds)]
    ours, theirs, row = [], [], {}
    for _ in range(options.rounds):
        row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        ours.append(row["min_ms"])
        line = bench(HALYARD, program, folder / "bench.json", "--target=x86",
                     f"--threads={options.threads}", f"--min-time={options.seconds}")
        theirs.append(line["min_ms"])
    return {"program": str(pathlib.Path(program).resolve().relative_to(ROOT)),
            "threads": options.threads, "rounds": options.rounds,
            "application_ms": min(ours), "halyard_bench_ms": min(theirs),
            "ratio": min(ours) / min(theirs), "allocations_of_runs": row["allocations"],
            "bytes_at_create": row["bytes_at_create"], "threads_started": row["threads_started"],
            "runs": row["runs"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", nargs="*", default=[ROOT / "examples/digits/digits.mlir"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    rows, good = [], True
    for program in options.programs:
        with tempfile.TemporaryDirectory() as folder:
            row = measure(program, options, pathlib.Path(folder))
        rows.append(row)
        good &= (row["ratio"] <= LIMIT and row["allocations_of_runs"] == 0
                 and row["threads_started"] == 0)
        print(f"{row['program']}: application {row['application_ms']:.4f} ms, `halyard bench` "
              f"{row['halyard_bench_ms']:.4f} ms, ratio {row['ratio']:.3f}; "
              f"{row['allocations_of_runs']} allocations in {row['runs']} runs, "
              f"{row['threads_started']} threads started")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
