#!/usr/bin/env python3
"""Runs the programs of tests/jax/programs on Halyard and on JAX's CPU, and compares what they print.

A program is an ordinary JAX script that prints one JSON object last. Numbers of the key "name~0.01"
agree within 1 % of the larger one of 1 and the largest number there; of keys without a `~`, exactly.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent / "programs"


def run(path, platform):
    """(printed object, message, seconds)"""
    start = time.time()
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=900,
                          env={**os.environ, "JAX_PLATFORMS": platform})
    seconds = time.time() - start
    if done.returncode != 0:
        return None, f"exit status {done.returncode}\n{done.stderr[-3000:]}", seconds
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return (json.loads(lines[-1]), "", seconds) if lines else (None, "printed nothing", seconds)


def flat(value):
    if isinstance(value, list):
        return [number for part in value for number in flat(part)]
    return [value]


def difference(key, got, want):
    got, want = flat(got), flat(want)
    if len(got) != len(want):
        return f"{len(got)} numbers, not {len(want)}"
    if "~" not in key:
        return "" if got == want else f"{got[:8]}, not {want[:8]}"
    tolerance = float(key.rsplit("~", 1)[1])
    allowed = tolerance * max([1.0] + [abs(w) for w in want])
    worst = max((abs(g - w) for g, w in zip(got, want)), default=0.0)
    return "" if worst <= allowed else f"differs by {worst:.3g}; {allowed:.3g} is allowed"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="programs, without .py; default: all")
    options = parser.parse_args()
    paths = sorted(FOLDER.glob("*.py"))
    if options.names:
        paths = [FOLDER / f"{name}.py" for name in options.names]
    failed = 0
    for path in paths:
        want, message, cpu_seconds = run(path, "cpu")
        if want is None:
            sys.exit(f"{path.stem}: JAX's CPU does not run it: {message}")
        got, message, seconds = run(path, "halyard")
        problems = [message] if got is None else [
            f"{key}: {found}" for key in want
            if (found := difference(key, got.get(key, []), want[key]))]
        failed += bool(problems)
        print(f"{path.stem}: {'FAILED' if problems else 'agrees'} ({seconds:.1f} s; JAX's CPU "
              f"{cpu_seconds:.1f} s)", *problems, sep="\n  ", flush=True)
    print(f"{len(paths) - failed} of {len(paths)} programs agree with JAX's CPU")
    sys.exit(1 if failed else 0)


main()
