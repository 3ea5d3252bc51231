#!/usr/bin/env python3
"""Times how long a run takes to return after another thread has cancelled it.

    benchmarks/cancel.py [--targets=x86,vulkan] [--count=100] [--real-time]
                         [--json=benchmarks/results/cancel.json]

The programs never end by themselves in time: an endless `while` whose body is a scalar, one whose
body is many large kernels, and a loop whose number of rounds the compiler knows, with a small and
with a large body. The limit of the slowest cancel is 10 ms. On a machine with other work, --real-time
lets the application go before it, so that it is not the scheduler that is timed.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HALYARD = ROOT / "build/release/bin/halyard"
LIMIT_MS = 10


def endless(carried, body):
    """A program whose `while` goes on as long as its argument, which is 0, is not negative."""
    return f"""func.func @main(%go: tensor<i32>) -> {carried} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %start = stablehlo.constant dense<1.0> : {carried}
  %0:2 = stablehlo.while(%n = %go, %x = %start) : tensor<i32>, {carried}
    cond {{
      %more = stablehlo.compare GE, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
{body}
      stablehlo.return %n, %y : tensor<i32>, {carried}
    }}
  return %0#1 : {carried}
}}
"""


def counted(carried, body, rounds):
    """A program whose number of rounds is known."""
    return f"""func.func @main(%x0: {carried}) -> {carried} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %all = stablehlo.constant dense<{rounds}> : tensor<i32>
  %0:2 = stablehlo.while(%n = %zero, %x = %x0) : tensor<i32>, {carried}
    cond {{
      %more = stablehlo.compare LT, %n, %all : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
{body}
      %next = stablehlo.add %n, %one : tensor<i32>
      stablehlo.return %next, %y : tensor<i32>, {carried}
    }}
  return %0#1 : {carried}
}}
"""


def products(size, count):
    """A body of products, each a kernel of its own."""
    matrix = f"tensor<{size}x{size}xf32>"
    lines, value = [], "%x"
    for i in range(count):
        name = "%y" if i == count - 1 else f"%p{i}"
        lines.append(f"      %d{i} = stablehlo.dot_general {value}, {value}, contracting_dims = [1] "
                     f"x [0] : ({matrix}, {matrix}) -> {matrix}\n"
                     f"      {name} = stablehlo.tanh %d{i} : {matrix}")
        value = name
    return matrix, "\n".join(lines)


def programs():
    scalar = "      %y = stablehlo.sine %x : tensor<f32>"
    large, many = products(96, 40)
    small, one = products(64, 1)
    return {"endless while, scalar body": endless("tensor<f32>", scalar),
            "endless while, 40 products of 96x96": endless(large, many),
            "2,000,000,000 rounds, scalar body": counted("tensor<f32>", scalar, 2_000_000_000),
            "2,000,000,000 rounds, a product of 64x64": counted(small, one, 2_000_000_000)}


def quantile(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


def measure(target, count, real_time, folder):
    bundles = []
    for i, text in enumerate(programs().values()):
        file = folder / f"{target.replace(':', '_')}_{i}.mlir"
        file.write_text(text)
        subprocess.run([HALYARD, "compile", file, f"--target={target}", "--emit=bundle", "-o",
                        folder, f"--name={file.stem}"], check=True, stdout=subprocess.DEVNULL)
        bundles.append(folder / f"{file.stem}.hybundle")
    before = ["chrt", "-f", "1"] if real_time else []
    printed = subprocess.run([*before, folder / "app", target.split(":")[0], str(count), *bundles],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = []
    for name, times in zip(programs(), json.loads(printed), strict=True):
        times.sort()
        rows.append({"program": name, "target": target, "cancels": count, "real_time": real_time,
                     "median_ms": quantile(times, 0.5), "p90_ms": quantile(times, 0.9),
                     "p99_ms": quantile(times, 0.99), "most_ms": times[-1]})
        print(f"{target}: {name}: median {rows[-1]['median_ms']:.3f} ms, 90 % within "
              f"{rows[-1]['p90_ms']:.3f} ms, all within {times[-1]:.3f} ms", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--targets", default="x86,vulkan")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--real-time", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        subprocess.run(["gcc", "-O2", "-std=c11", "-Wall", "-Wextra",
                        f"-I{ROOT / 'runtime/c_api'}", ROOT / "benchmarks/cancel_app.c", "-o",
                        folder / "app", "-Wl,-rpath," + str(ROOT / "build/release/lib"),
                        ROOT / "build/release/lib/libhalyard_rt.so", "-lpthread"], check=True)
        rows = [row for target in options.targets.split(",")
                for row in measure(target, options.count, options.real_time, folder)]
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(0 if all(row["most_ms"] <= LIMIT_MS for row in rows) else 1)


if __name__ == "__main__":
    main()
