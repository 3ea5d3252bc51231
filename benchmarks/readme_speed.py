#!/usr/bin/env python3
"""Makes README's table of speed from the committed results.

    benchmarks/readme_speed.py            prints the table
    benchmarks/readme_speed.py --write    writes it into README.md, between two comments there
    benchmarks/readme_speed.py --check    exits with status 1 if README.md has a different table
"""

import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
README = HERE.parent / "README.md"
BEGIN, END = "<!-- speed: written by benchmarks/readme_speed.py -->", "<!-- end of speed -->"
GOOD = ", where XLA has good code"


# The command that writes each file of benchmarks/results.
COMMANDS = {
    "tuned_kernels.json": "benchmarks/tuned_kernels.py --database=FILE --json=benchmarks/results/"
                          "tuned_kernels.json (docs/tuned_kernels.md)",
    "compare_jax.json": "scripts/bench --json=benchmarks/results/compare_jax.json",
    "compare_iree.json": "benchmarks/compare_iree.py --json=benchmarks/results/compare_iree.json",
    "peers.json": "scripts/bench peers --without-tuning --json=benchmarks/results/peers.json",
}


class NoResult(Exception):
    """There is no committed result for a row of the table."""


def result(name):
    path = HERE / "results" / name
    if not path.exists():
        raise NoResult(f"there is no {path.name}; make it on a quiet machine: {COMMANDS[name]}")
    return path.read_text()


def result_lines(name):
    """Returns {program: row} for a file of JSON lines. The last line of a program counts. Lines
    without a name are about the machine."""
    return {row["name"]: row for row in map(json.loads, result(name).splitlines()) if "name" in row}


def geometric_mean(values):
    return f"{statistics.geometric_mean(values):.2f}×"


# Groups of the rows of peers.json, and what the table calls them. Rows without a group are
# networks.
PEER_GROUPS = {"networks": "networks", "training": "training steps",
               "quantized": "networks and decoders of int8", "products": "matrix products",
               "convolutions": "convolutions", "memory": "kernels that memory bounds",
               "other": "sorts, top-k, FFTs and random numbers"}


def peer_rows():
    rows, lines = list(result_lines("peers.json").values()), []
    for group, what in PEER_GROUPS.items():
        some = [row for row in rows if row.get("group", "networks") == group]
        lines += group_rows(
            f"{{}} {what} on x86 (`scripts/bench peers`), weights as constants", some)
    every = [row for row in rows if "gap" not in row]
    if any(row.get("group", "networks") != "networks" for row in every):
        lines += group_rows("all {} rows of `scripts/bench peers`", every)
    return lines


def group_rows(what, rows):
    """Returns a line for each engine. One with gaps says how many of the rows count."""
    engines = dict.fromkeys(name for row in rows for name in row["peers"])
    lines = []
    for name in engines:
        some = [row["peers"][name] for row in rows if "ratio" in row["peers"].get(name, {})]
        if not some:
            continue
        tuned = [peer["ratio_tuned"] for peer in some if "ratio_tuned" in peer]
        which = "the same" if lines else what.format(len(rows))
        which += f", {len(some)} of them" if len(some) < len(rows) else ""
        lines.append(f"| {which} | {name} | {geometric_mean([peer['ratio'] for peer in some])} | "
                     f"{geometric_mean(tuned) + ' ' if tuned else ''}|")
    return lines


def kernel_rows():
    kernels = json.loads(result("tuned_kernels.json"))
    means, count = kernels["geometric_means"], len(kernels["kernels"])
    rows = [(f"{count - 1} kernels on x86 that XLA has good code for", GOOD),
            ("the same with what a call costs on each side", ", calls included" + GOOD),
            (f"{count} kernels on x86, a depthwise convolution among them, which XLA has no good "
             "code for", "")]
    return [f"| {what} | XLA:CPU | {means['default beside XLA' + key]:.2f}× | "
            f"{means['ours beside XLA' + key]:.2f}× |"
            for what, key in rows if "default beside XLA" + key in means]


def program_rows():
    jax = result_lines("compare_jax.json")
    ratios = [row["ratio_donated"] for name, row in jax.items() if name != "resnet18"]
    return [f"| {len(ratios)} programs on x86 (`scripts/bench`), XLA writing over its argument | "
            f"XLA:CPU | {geometric_mean(ratios)} | |",
            f"| ResNet-18, one image, x86, weights as arguments | XLA:CPU | "
            f"{jax['resnet18']['ratio']:.2f}× | |"]


def vulkan_rows():
    iree = {name: row for name, row in result_lines("compare_iree.json").items() if "ratio" in row}
    ratios = {name: row["ratio"] for name, row in iree.items()}
    chosen = all("iree_target" in row for row in iree.values())
    peer = "IREE, the fastest of its targets" if chosen else "IREE with its default target"
    rows = [f"| {len(ratios)} programs on Mesa's software Vulkan device | {peer} | "
            f"{geometric_mean(ratios.values())} | |"]
    without = [ratio for name, ratio in ratios.items() if ratio < 10]
    if len(without) < len(ratios):
        names = ", ".join(sorted(name for name, ratio in ratios.items() if ratio >= 10))
        rows.append(f"| the same without those that IREE has no good code for there ({names}) | the "
                    f"same | {geometric_mean(without)} | |")
    return rows


def table():
    lines = ["| what (geometric means) | beside | untuned | tuned |", "|---|---|---|---|"]
    for rows in (peer_rows, kernel_rows, program_rows, vulkan_rows):
        try:
            lines += rows()
        except NoResult as missing:
            print(f"readme_speed: left out: {missing}", file=sys.stderr)
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
