#!/usr/bin/env python3
"""The table of test programs: op by kind of element type, with how many functions there are.

    tests/data/check/table.py            prints it; exit status 1 if a cell is empty without a reason

Kinds: B boolean, SI and UI signed and unsigned integers, F floats, C complex numbers, Q quantized.
A comment before a function says what it is for: `// add F, multiply F: what it shows`. Which kinds
an op allows is in tests/data/vectors/op_classes.txt and quantized.txt; reasons.txt says why a cell may
be empty.
"""
import collections
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("B", "SI", "UI", "F", "C", "Q")
ELEMENTS = {
    "B": r"[x<]i1>", "SI": r"[x<]i\d+>", "UI": r"[x<]ui\d+>", "C": r"complex<f\d+>",
    "F": r"[x<]b?f\d+\w*>", "Q": r"[x<]!\w+",
}


def lines(path):
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            yield line


def read_functions(errors):
    """{(op, kind): number of functions}; an op of no kind is (op, "")."""
    count = collections.Counter()
    for path in sorted(HERE.glob("*.mlir")):
        text = path.read_text()
        heads = list(re.finditer(r"^// (.+)\n(?=func\.func)", text, re.M))
        for head, after in zip(heads, [*heads[1:], None]):
            body = text[head.end():after.start() if after else len(text)]
            place = f"{path.name}:{text.count(chr(10), 0, head.start()) + 1}"
            if "check.expect" not in body:
                errors.append(f"{place}: the function checks nothing")
            for cell in re.split(r":", head[1])[0].split(", "):
                match = re.fullmatch(r"([\w.-]+)(?: (B|SI|UI|F|C|Q))?", cell)
                if not match:
                    errors.append(f"{place}: '{cell}' is no op with a kind")
                    continue
                op, kind = match[1], match[2] or ""
                name = re.escape(op.replace("chlo_", "chlo.", 1))
                if not re.search(rf"[. \"]{name}\b", body):
                    errors.append(f"{place}: there is no {op} in it")
                if kind and not re.search(ELEMENTS[kind], body):
                    errors.append(f"{place}: nothing of kind {kind} is in it")
                count[op, kind] += 1
                count[op, ""] += kind != ""
    return count


def main():
    errors = []
    wanted = {line.split()[0]: line.split()[1:] for line in
              lines(HERE.parent / "vectors/op_classes.txt")}
    for op in lines(HERE / "quantized.txt"):
        wanted[op].append("Q")
    reasons = {}
    for line in lines(HERE / "reasons.txt"):
        op, kinds, reason = line.split(" ", 2)
        for kind in kinds.split(","):
            reasons[op, "" if kind == "*" else kind] = reason
    count = read_functions(errors)
    print(f"{'op':<28}" + "".join(f"{kind:>5}" for kind in KINDS))
    cells = 0
    for op, kinds in wanted.items():
        row = []
        for kind in KINDS:
            cell = count[op, kind] if kind in kinds else None
            row.append("" if cell is None else str(cell) if cell else "-")
        if not kinds:
            row[0] = str(count[op, ""] or "-")
        print(f"{op:<28}" + "".join(f"{cell:>5}" for cell in row))
        for kind in kinds or [""]:
            cells += 1
            why = reasons.pop((op, kind), None) or (reasons.get((op, "")) if kind else None)
            if count[op, kind] and why and (op, "") not in reasons:
                errors.append(f"reasons.txt: {op} {kind} has a test program")
            if not count[op, kind] and not why:
                errors.append(f"{op}: no test program of kind {kind or 'any'}")
    extra = sorted({op for op, kind in count if op not in wanted})
    print(f"\n{len(wanted)} ops, {cells} cells; other ops: {', '.join(extra)}")
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
