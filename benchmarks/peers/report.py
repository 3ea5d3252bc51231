"""The table and the JSON lines of a comparison.

A file has a line {"run": ...} for each run, with the facts of the machine, and after it a line for
each row. The last line of a row counts.
"""

import json
import statistics


def append(path, line):
    """Adds a line. One that is cut off, as a run that was ended leaves it, gives way to it."""
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_bytes() if path.exists() else b""
        with path.open("ab") as file:
            file.truncate(old.rfind(b"\n") + 1)
            file.write(json.dumps(line).encode() + b"\n")


def read(path):
    """Returns the runs of a file and its rows, in the order in which rows came first. The last line
    may be cut off."""
    runs, rows = [], {}
    text = path.read_text() if path and path.exists() else ""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        try:
            value = json.loads(line) if line.strip() else None
        except ValueError:
            if number + 1 < len(lines):
                raise ValueError(f"{path}:{number + 1}: no JSON") from None
            continue
        if value and "run" in value:
            runs.append(value["run"])
        elif value:
            rows[value["name"]] = value
    return runs, list(rows.values())


def head(engines):
    return (f"{'row':26} {'Halyard':>9} {'tuned':>9}" +
            "".join(f" {name:>19}" for name in engines) + f" {'the best':>9} {'of limit':>9}")


def line(row, engines):
    if "gap" in row:
        return f"{row['name']:26} Halyard: {row['gap']}"
    text = f"{row['name']:26} {row['halyard_ms']:9.3f} "
    text += f"{row['halyard_tuned_ms']:9.3f}" if "halyard_tuned_ms" in row else f"{'':9}"
    for name in engines:
        peer = row["peers"].get(name, {})
        text += f" {peer['ms']:10.3f} {peer['ratio']:7.2f}x" if "ratio" in peer else f" {'-':>19}"
    text += f" {row['ratio_to_best']:8.2f}x" if "ratio_to_best" in row else f" {'':9}"
    for limit in ("copy", "peak"):
        if f"of_{limit}" in row:
            text += f" {row[f'of_{limit}']:8.0%} of {limit}"
    return text


def gaps(rows):
    return [f"{row['name']}: {name}: {peer['gap']}"
            for row in rows for name, peer in row["peers"].items() if "gap" in peer]


def ratios_of(rows, engine, key="ratio"):
    return [row["peers"][engine][key] for row in rows if key in row["peers"].get(engine, {})]


def mean_of(rows, engine, key="ratio"):
    """Returns the geometric mean of the rows that the engine does, or None."""
    values = ratios_of(rows, engine, key)
    return statistics.geometric_mean(values) if values else None


def best_of(rows, key="ratio_to_best"):
    values = [row[key] for row in rows if key in row]
    return statistics.geometric_mean(values) if values else None


def compile_times(rows, engines):
    """Returns lines on cold compiles, for engines that compile StableHLO."""
    lines = []
    for name in engines:
        both = [(row["halyard"]["compile_s"], row["peers"][name]["compile_s"]) for row in rows
                if "halyard" in row and "compile_s" in row["peers"].get(name, {})]
        if both:
            ours, theirs = map(sum, zip(*both))
            lines.append(f"cold compiles of {len(both)} rows: Halyard {ours:.1f} s, {name} "
                         f"{theirs:.1f} s")
    return lines


def means(rows, engines):
    result = []
    for suffix, what in (("", ""), ("_tuned", ", tuned")):
        for name in engines:
            if (mean := mean_of(rows, name, f"ratio{suffix}")) is not None:
                count = len(ratios_of(rows, name, f"ratio{suffix}"))
                result.append(f"geometric mean beside {name}{what}: {mean:.2f}x ({count} rows)")
        if (mean := best_of(rows, f"ratio_to_best{suffix}")) is not None:
            result.append(f"geometric mean beside the best of each row{what}: {mean:.2f}x")
    return result
