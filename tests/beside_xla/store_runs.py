#!/usr/bin/env python3
"""Adds what runs of beside_xla.py have found to tests/beside_xla/runs.json, and shows all of it in
docs/numerics.md:

    tests/beside_xla/store_runs.py [--commit=COMMIT] [RESULTS.jsonl ...]

A run of the same targets, commit and first seed takes the place of the one before. Without files,
only the page is written.
"""

import argparse
import collections
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
RUNS, PAGE = HERE / "runs.json", HERE.parent.parent / "docs/numerics.md"
BEGIN, END = "<!-- beside XLA: begin -->\n", "<!-- beside XLA: end -->\n"
KEY = ("commit", "targets", "first")


def run_of(path, commit):
    """Counts of one file of results."""
    outcomes = {}
    for line in path.read_text().splitlines():
        outcome = json.loads(line)
        outcomes[outcome["seed"]] = outcome  # the last one counts
    if not outcomes:
        return None
    statuses = collections.Counter(o["status"] for o in outcomes.values())
    rules = collections.Counter(rule for o in outcomes.values() for rule in o.get("rules", ()))
    targets = [t for t in path.stem.removeprefix("results-").split("-") if t != "reference"]
    return {"commit": commit, "targets": targets, "first": min(outcomes), "last": max(outcomes),
            "statuses": dict(sorted(statuses.items())), "rules": dict(sorted(rules.items())),
            "differs": sorted(s for s, o in outcomes.items() if o["status"] == "differs")}


def table(runs):
    lines = ["| commit | targets | seeds | same | explained | not compiled by XLA | differs |",
             "|---|---|---|---|---|---|---|"]
    for run in runs:
        count = collections.Counter(run["statuses"])
        refused = sum(count.values()) - count["same"] - count["explained"] - count["differs"]
        lines.append(f"| {run['commit']} | {', '.join(run['targets'])} | {run['first']} to "
                     f"{run['last']} | {count['same']} | {count['explained']} | {refused} | "
                     f"{count['differs']} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commit", help="that the programs were run at")
    parser.add_argument("results", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.results and not options.commit:
        parser.error("--commit is missing")
    runs = json.loads(RUNS.read_text()) if RUNS.exists() else []
    for path in options.results:
        run = run_of(path, options.commit)
        if run:
            runs = [r for r in runs if any(r[k] != run[k] for k in KEY)] + [run]
    RUNS.write_text("[\n" + ",\n".join(json.dumps(run) for run in runs) + "\n]\n")
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + table(runs) + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
