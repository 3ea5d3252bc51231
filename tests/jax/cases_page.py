#!/usr/bin/env python3
"""Writes docs/jax_cases.md: what JAX's own test cases gave on each target.

    tests/jax/cases_page.py --add=CASES.json --target=x86   what harness.py --json wrote becomes
                                                            tests/jax/cases_x86.json; writes the page
    tests/jax/cases_page.py --check                         fails if the page is another one
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/jax"
PAGE = ROOT / "docs/jax_cases.md"
TOTAL = 5594  # cases of jax 0.10.2 without 64-bit types
HEAD = """# JAX's test cases

`tests/jax/cases_page.py` writes this page from the outcomes that `tests/jax/harness.py` gives
(`scripts/jax_tests --all` runs all cases). The cases are those of
`jax._src.internal_test_util.test_harnesses` of jax 0.10.2, without 64-bit types. [jax.md](jax.md) says how results are
compared; a case that JAX's CPU does not run does not count.
"""


def summarize(cases, target):
    groups = collections.defaultdict(lambda: {"types": set(), "agree": 0, "skip": 0, "others": []})
    for case in cases:
        group = groups[case["group"]]
        if case["outcome"] == "skip":
            group["skip"] += 1
            continue
        group["types"].add(case["type"])
        if case["outcome"] == "agree":
            group["agree"] += 1
        else:
            group["others"].append({key: case[key] for key in ("name", "outcome", "detail")})
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], text=True,
                            capture_output=True).stdout.strip()
    return {"target": target, "commit": commit, "cases": len(cases),
            "groups": {name: {**group, "types": sorted(group["types"])}
                       for name, group in sorted(groups.items())}}


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def section(summary):
    groups = summary["groups"]
    agree = sum(group["agree"] for group in groups.values())
    others = [(name, other) for name, group in groups.items() for other in group["others"]]
    counted = agree + len(others)
    share = 100 * agree / counted if counted else 0
    lines = [f"## {summary['target']}", "",
             f"Of {TOTAL} cases, {summary['cases']} have been run (at {summary['commit']}). JAX's CPU "
             f"answers {counted} of them; {agree} agree with it ({share:.2f} %).", ""]
    if others:
        lines += ["| case | what happens |", "|---|---|"]
        lines += [f"| `{other['name']}` | {other['outcome']}: {cell(other['detail'][:300])} |"
                  for _, other in others]
        lines.append("")
    lines += ["| group | types | agree | others | no answer of JAX's CPU |", "|---|---|---|---|---|"]
    for name, group in groups.items():
        lines.append(f"| {name} | {', '.join(t for t in group['types'] if t)} | {group['agree']} | "
                     f"{len(group['others']) or ''} | {group['skip'] or ''} |")
    return "\n".join(lines) + "\n"


def page():
    parts = [section(json.loads(path.read_text())) for path in sorted(FOLDER.glob("cases_*.json"))]
    return "\n".join([HEAD, *parts])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--add", type=pathlib.Path)
    parser.add_argument("--target", default="x86")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.add:
        summary = summarize(json.loads(options.add.read_text()), options.target)
        path = FOLDER / f"cases_{options.target.split(':')[0]}.json"
        path.write_text(json.dumps(summary, indent=1) + "\n")
    if options.check:
        if PAGE.read_text() != page():
            sys.exit(f"{PAGE.relative_to(ROOT)} is not what tests/jax/cases_page.py writes")
        return
    PAGE.write_text(page())


main()
