#!/usr/bin/env python3
"""README's table of speed, from the committed results.

    benchmarks/readme_speed.py            prints it
    benchmarks/readme_speed.py --write    puts it into README.md, between two comments there
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


# What writes each file of benchmarks/results.
COMMANDS = {
    "tuned_kernels.json": "benchmarks/tuned_kernels.py --database=FILE --json=benchmarks/results/"
                          "tuned_kernels.json (docs/tuned_kernels.md)",
    "compare_jax.json": "scripts/bench --json=benchmarks/results/compare_jax.json",
    "compare_iree.json": "benchmarks/compare_iree.py --json=benchmarks/results/compare_iree.json",
}


def result(name):
    path = HERE / "results" / name
    if not path.exists():
        sys.exit(f"readme_speed: there is no {path}; make it on a quiet machine: {COMMANDS[name]}")
    return path.read_text()


def result_lines(name):
    """{program: row} of a file with a JSON line for each program; the last of a program counts."""
    return {row["name"]: row for row in map(json.loads, result(name).splitlines())}


def geometric_mean(values):
    return f"{statistics.geometric_mean(values):.2f}×"


def table():
    kernels = json.loads(result("tuned_kernels.json"))
    means = kernels["geometric_means"]
    if f"default beside XLA{GOOD}" not in means:
        sys.exit("readme_speed: tuned_kernels.json is of an older script; make it anew: " +
                 COMMANDS["tuned_kernels.json"])
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
    if "--write" not in sys.argv and "--check" not in sys.argv:
        print(table())
        return
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


if __name__ == "__main__":
    main()
