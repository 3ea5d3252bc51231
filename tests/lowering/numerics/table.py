#!/usr/bin/env python3
"""Writes the tables of errors into docs/numerics.md, from what the tests measure.

    tests/lowering/numerics/table.py [--build=build/release] [--sweep]

--sweep: f32's unary functions over all 2^32 arguments (tens of minutes) instead of a sample.
"""

import argparse
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
BEGIN, END = "<!-- errors: begin -->\n", "<!-- errors: end -->\n"


def run(build, test, **environment):
    output = subprocess.run([ROOT / build / "test_bin" / test], text=True, check=True,
                            capture_output=True, env=os.environ | environment).stdout
    # Halide's Vulkan runtime writes this into the middle of a line.
    output = re.sub(r"Vulkan: Configuring [^\n]*\n", "", output)
    return [[cell.strip() for cell in line.strip("|").split("|")]
            for line in output.splitlines() if line.startswith("| ")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--sweep", action="store_true")
    options = parser.parse_args()
    errors = {}  # (op, type) -> {device: ulp}
    for op, kind, device, ulp, *_ in run(options.build, "lowering_numerics_float_test"):
        errors.setdefault((op, kind), {})[device] = ulp
    source = "a sample of the arguments"
    if options.sweep:
        source = "all 2^32 arguments (two-operand functions: a sample)"
        for op, kind, device, ulp, *_ in run(options.build, "lowering_numerics_sweep_test",
                                             HALYARD_NUMERICS_SWEEP="1"):
            errors.setdefault((op, kind), {})[device] = ulp
    narrow = {}  # op -> {(type, device): count}
    for op, kind, device, text, *_ in run(options.build, "lowering_numerics_types_test"):
        count = re.match(r"(\d+) of 65536", text)
        if count:
            narrow.setdefault(op, {})[kind, "Vulkan" if device == "vulkan" else "x86"] = count[1]
    lines = [f"f32: {source}; f64: a sample.\n", "| op | type | x86 | Vulkan |", "|---|---|---|---|"]
    for (op, kind), devices in errors.items():
        x86 = max((float(ulp) for device, ulp in devices.items() if device != "vulkan"))
        vulkan = devices.get("vulkan", "–")
        lines.append(f"| {op} | {kind} | {x86:.3f} | {vulkan} |")
    columns = [("bf16", "x86"), ("bf16", "Vulkan"), ("f16", "x86"), ("f16", "Vulkan")]
    lines += ["", "Results of the 65,536 arguments of bf16 and f16 that are not the nearest value but its "
              "neighbour (none is further off):", "",
              "| op | " + " | ".join(" ".join(column) for column in columns) + " |",
              "|---|---|---|---|---|"]
    for op, counts in narrow.items():
        lines.append(f"| {op} | " + " | ".join(counts.get(c, "–") for c in columns) + " |")
    page = ROOT / "docs/numerics.md"
    text = page.read_text()
    before, rest = text.split(BEGIN)
    page.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1])
    print(f"{page}: {len(errors)} rows")


if __name__ == "__main__":
    main()
