#!/usr/bin/env python3
"""README's table of speed, from the committed results.

    benchmarks/readme_speed.py            prints it
    benchmarks/readme_speed.py --write    puts it into README.md
    benchmarks/readme_speed.py --check    exit status 1 if README.md has another one
"""

import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
README = HERE.parent / "README.md"
BEGIN, END = "<!-- speed: written by benchmarks/readme_speed.py -->", "<!-- end of speed -->"
GOOD = ", where XLA has good code"


def result_lines(name):
    """{program: row} of a file with a JSON line for each program; the last of a program counts."""
    rows = map(json.loads, (HERE / "results" / name).read_text().splitlines())
    return {row["name"]: row for row in rows}


def geometric_mean(values):
    return f"{statistics.geometric_mean(values):.2f}×"


def table():
    kernels = json.loads((HERE / "results/tuned_kernels.json").read_text())
    means = kernels["geometric_means"]
    jax = result_lines("compare_jax.json")
    iree = {name: row for name, row in result_lines("compare_iree.json").items() if "ratio" in row}
    count, good = len(kernels["kernels"]), len(kernels["kernels"]) - 1
    lines = ["| what | beside | untuned | tuned |", "|---|---|---|---|"]

    def kernel_row(what, key):
        lines.append(f"| {what} | XLA:CPU | {means['default beside XLA' + key]:.2f}× | "
                     f"{means['ours beside XLA' + key]:.2f}× |")
    kernel_row(f"{good} kernels on x86 that XLA has good code for, geometric mean", GOOD)
    kernel_row("the same with what a call costs on each side", ", calls included" + GOOD)
    kernel_row(f"all {count}: with a depthwise convolution, which XLA has no good code for", "")
    others = [row["ratio_donated"] for name, row in jax.items() if name != "resnet18"]
    lines.append(f"| {len(others)} programs on x86 (`scripts/bench`), geometric mean, XLA writing over "
                 f"its argument | XLA:CPU | {geometric_mean(others)} | |")
    lines.append(f"| ResNet-18 at 224², one image, x86 | XLA:CPU | {jax['resnet18']['ratio']:.2f}× | |")
    ratios = {name: row["ratio"] for name, row in iree.items()}
    lines.append(f"| {len(ratios)} programs on Mesa's software Vulkan device, geometric mean | IREE, "
                 f"the fastest of its targets | {geometric_mean(ratios.values())} | |")
    without = [ratio for name, ratio in ratios.items() if ratio < 10]
    if len(without) < len(ratios):
        names = ", ".join(sorted(name for name, ratio in ratios.items() if ratio >= 10))
        lines.append(f"| the same without those that IREE has no good code for there ({names}) | IREE | "
                     f"{geometric_mean(without)} | |")
    return "\n".join(lines)


def main():
    text = README.read_text()
    before, _, rest = text.partition(BEGIN)
    old, found, after = rest.partition(END)
    if not found:
        sys.exit(f"readme_speed: README.md has no {BEGIN} … {END}")
    new = f"\n\n{table()}\n\n"
    if "--write" in sys.argv:
        README.write_text(before + BEGIN + new + END + after)
    elif "--check" in sys.argv:
        if old != new:
            sys.exit("readme_speed: README.md's table is not that of benchmarks/results; run "
                     "benchmarks/readme_speed.py --write")
    else:
        print(table())


if __name__ == "__main__":
    main()
