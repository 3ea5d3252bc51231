"""Prints the table of constraints: each op, how many are tested, implied, or for later. Exit status
1 if one is missing.

    table.py [--all]     --all: also ops without constraints
"""
import collections
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
TESTED = re.compile(r"// (C\d+): .* => ")
REASON = re.compile(r"// (C\d+) (implied|quantized|dynamic): \S")


def read_lines(name):
    for line in (FOLDER / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split()


def labels():
    """{op: {label: set of "tested", "implied", "quantized", "dynamic"}}"""
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for path in sorted(FOLDER.iterdir()):
        if path.suffix not in (".mlir", ".hlo"):
            continue
        lines = path.read_text().splitlines()
        op = re.match(r"// (\w+):", lines[0])[1]
        for line in lines:
            if match := TESTED.match(line):
                found[op][match[1]].add("tested")
            elif match := REASON.match(line):
                found[op][match[1]].add(match[2])
    return found


def table():
    """[(op, count, tested, implied, later, missing labels)]"""
    found = labels()
    later = {op: why for op, why in read_lines("later.txt")}
    rows = []
    for op, count in read_lines("counts.txt"):
        wanted = [f"C{i}" for i in range(1, int(count) + 1)]
        if op in later:
            rows.append((op, len(wanted), 0, 0, len(wanted), []))
            continue
        kinds = [found[op][label] for label in wanted]
        tested = sum("tested" in kind for kind in kinds)
        implied = sum("implied" in kind and "tested" not in kind for kind in kinds)
        missing = [label for label, kind in zip(wanted, kinds) if not kind]
        unknown = sorted(set(found[op]) - set(wanted) - {label for label in found[op] if not found[op][label]})
        rest = len(wanted) - tested - implied - len(missing)
        rows.append((op, len(wanted), tested, implied, rest, missing + unknown))
    return rows


def main():
    rows = table()
    print(f"{'op':26} {'constraints':>11} {'tested':>7} {'implied':>8} {'later':>6}")
    for op, count, tested, implied, later, missing in rows:
        if count or "--all" in sys.argv:
            tail = "  missing: " + " ".join(missing) if missing else ""
            print(f"{op:26} {tested + implied:>7}/{count - later:<3} {tested:>7} {implied:>8} "
                  f"{later:>6}{tail}")
    total = [sum(row[i] for row in rows) for i in range(1, 5)]
    print(f"{'all ' + str(len(rows)) + ' ops':26} {total[1] + total[2]:>7}/{total[0] - total[3]:<3} "
          f"{total[1]:>7} {total[2]:>8} {total[3]:>6}   of {total[0]}")
    return 1 if any(row[5] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
