#!/usr/bin/env python3
"""docs/against_jax.md, from what scripts/compare_ops has measured (against_jax.json beside this).

    tests/jax/against_jax.py            writes the page
    tests/jax/against_jax.py --check    exit status 1 if it says something else

Needs no JAX: `compare_ops.py --write` runs the cases and calls this; `compare_ops.py --check-list`
says whether the cases are still those that were measured.
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASURED = ROOT / "tests/jax/against_jax.json"
PAGE = ROOT / "docs/against_jax.md"
NAMES = {"x86": "x86", "vulkan": "Vulkan"}
HEAD = """# Single ops beside JAX

`scripts/compare_ops --write` writes this page on x86 and Vulkan (Mesa's software device), with JAX {jax} on the CPU.
If this page is stale, a test of `scripts/test` fails.

- **Exact** counts the cases in which the bits must be JAX's (any NaN is as good as another).
- **Largest error** is in units in the last place of the result's type: of each element or, for sums, products of
  matrices and transforms, of the largest element. It contains JAX's own error, too.
- **Differ** counts the cases whose results are further off than they may be; `?` means not measured.
- **Special** counts the cases that run again with NaN, infinities, -0 and extremes (the largest, the least and the
  smallest normal number) among the elements of every input of floats or complex numbers that has at least four. Sums
  and other cases that are measured by their largest element get no extremes.

These special cases are left out:

"""


def text_of(value, depth=3):
    """JSON with a line for each program."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value) + ("\n" if depth == 3 else "")
    items = [f"{json.dumps(key)}: {text_of(one, depth - 1)}" for key, one in value.items()]
    return "{" + ",\n".join(items) + "}" + ("\n" if depth == 3 else "")


def left_out_lines(measured):
    lines = ["| values | programs | cases | why |", "|---|---|---|---|"]
    for kinds, programs, cases, why in measured["left_out"]:
        lines.append(f"| {', '.join(kinds)} | {programs} | {cases} | {why} |".replace("*", "\\*"))
    return lines


def largest(entry):
    if entry is None:
        return "not measured"
    return f"{entry['error']:.1f} ({entry['worst']})" if entry["worst"] else "–"


def total_line(measured, targets):
    parts = []
    for target in targets:
        entries = measured["targets"][target]
        cases = sum(len(measured["cases"][program]) for program in entries)
        differ = sum(e["differ"] for e in entries.values())
        parts.append(f"{differ} of {cases} on {NAMES[target]}")
    total = sum(map(len, measured["cases"].values()))
    return f"There are {total} cases. Of those measured, results differ in {', '.join(parts)}."


def table_lines(measured):
    targets = [t for t in NAMES if t in measured["targets"]]
    names = ", ".join(NAMES[t] for t in targets)
    lines = [f"| program | cases | exact | special | differ {names} | " +
             " | ".join(f"largest error, {NAMES[t]}" for t in targets) + " |",
             "|---" * (5 + len(targets)) + "|"]
    for program, cases in measured["cases"].items():
        entries = [measured["targets"][t].get(program) for t in targets]
        differ = ", ".join(str(e["differ"]) if e else "?" for e in entries)
        exact = sum(exact for _, exact, _ in cases)
        special = sum(special for _, _, special in cases)
        lines.append(f"| {program} | {len(cases)} | {exact} | {special} | {differ} | " +
                     " | ".join(map(largest, entries)) + " |")
    return lines + ["", total_line(measured, targets)]


def page(measured):
    lines = left_out_lines(measured) + [""] + table_lines(measured)
    return HEAD.format(jax=measured["jax"]) + "\n".join(lines) + "\n"


def main():
    text = page(json.loads(MEASURED.read_text()))
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
        return 0
    if PAGE.read_text() == text:
        return 0
    print(f"{PAGE} is not what {MEASURED.name} says: run tests/jax/against_jax.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
