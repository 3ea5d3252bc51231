#!/usr/bin/env python3
"""Compares a library whose batch is chosen by each run with one that is compiled for one batch.

    benchmarks/variable_sizes.py [--rounds=21] [--target=x86:v3] [--json=FILE]

The program is a network of three layers, 256 → 512 → 512 → 128, with a softmax. It is compiled twice: with
--dim=batch:1..256, and for the batch 64 alone. One application links both libraries and runs them in turn, so that
the noise of the machine affects both alike. A round's figure is the median of its runs. The table shows the median of
the rounds, and the median of the rounds' ratios static / variable (above 1: the variable one is faster). Further rows
have sizes between the compiled ones, 48 and 65, beside a library for that size alone. All have one thread.

The exit status is 1 if the ratio at 64 is below --factor.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HALYARD = ROOT / "build/release/bin/halyard"
LAYERS = (256, 512, 512, 128)

APP = r"""
#define _POSIX_C_SOURCE 200112L
#include "variable.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern const hy_linked_program single_linked;
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}
static int order(const void* a, const void* b) {
  return *(const double*)a < *(const double*)b ? -1 : 1;
}
static float* block(size_t count) {
  void* memory = NULL;
  if (posix_memalign(&memory, VARIABLE_ALIGNMENT, count * 4) != 0) exit(2);
  return memory;
}
static void check(hy_status status) {
  if (status == NULL) return;
  fprintf(stderr, "%s\n", hy_status_message(status));
  exit(2);
}
int main(int argc, char** argv) {
  const int n = atoi(argv[1]), rounds = atoi(argv[2]), runs = 15;
  const hy_choose_options options = {sizeof(options), 1, 0, NULL, NULL};
  variable_model* variable = NULL;
  hy_program* single = NULL;
  float *x = block(VARIABLE_X_COUNT(n)), *y = block(VARIABLE_OUT0_COUNT(n));
  float* z = block(VARIABLE_OUT0_COUNT(n));
  int round, i;
  (void)argc;
  for (i = 0; i < VARIABLE_X_COUNT(n); i++) x[i] = (float)(i % 97) / 97 - 0.5f;
  check(variable_create(1, &variable));
  check(hy_program_choose_linked(&single_linked, &options, &single));
  for (round = 0; round <= rounds; round++) { /* the first one is not counted */
    double times[2][15];
    for (i = 0; i < 2 * runs; i++) {
      const int which = (i + round) % 2;
      const void* arguments[1];
      void* results[1];
      double begin = now();
      if (which == 0) {
        arguments[0] = x;
        results[0] = y;
        check(hy_run(single, arguments, results));
      } else {
        check(variable_run(variable, n, x, z));
      }
      times[which][i / 2] = now() - begin;
    }
    for (i = 0; i < 2; i++) qsort(times[i], runs, sizeof(double), order);
    if (round > 0) printf("%.9f %.9f\n", times[0][runs / 2], times[1][runs / 2]);
  }
  for (i = 0; i < VARIABLE_OUT0_COUNT(n); i++) {
    const float difference = y[i] - z[i];
    if (!(difference < 1e-5f && difference > -1e-5f)) return 3;
  }
  return 0;
}
"""


def program():
    """The network in StableHLO, with a batch of unknown size."""
    numbers = random.Random(1)
    lines, value = [], "%x"
    lines.append("    %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x256xf32>) -> tensor<i32>")
    lines.append("    %rows = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>")
    lines.append("    %zero = stablehlo.constant dense<0.0> : tensor<f32>")
    lines.append("    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>")
    for i, (k, n) in enumerate(zip(LAYERS, LAYERS[1:])):
        weights = struct.pack(f"<{k * n}f", *(numbers.gauss(0, k ** -0.5) for _ in range(k * n)))
        lines += [
            f'    %w{i} = stablehlo.constant dense<"0x{weights.hex().upper()}"> : tensor<{k}x{n}xf32>',
            f"    %d{i} = stablehlo.dot_general {value}, %w{i}, contracting_dims = [1] x [0] : "
            f"(tensor<?x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<?x{n}xf32>",
            f"    %c{i} = stablehlo.constant dense<{n}> : tensor<1xi32>",
            f"    %s{i} = stablehlo.concatenate %rows, %c{i}, dim = 0 : "
            "(tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>",
            f"    %z{i} = stablehlo.dynamic_broadcast_in_dim %zero, %s{i}, dims = [] : "
            f"(tensor<f32>, tensor<2xi32>) -> tensor<?x{n}xf32>",
            f"    %r{i} = stablehlo.maximum %d{i}, %z{i} : tensor<?x{n}xf32>",
        ]
        value = f"%r{i}"
    n = LAYERS[-1]
    lines += [
        f"    %m = stablehlo.reduce({value} init: %low) applies stablehlo.maximum across dimensions = [1] : "
        f"(tensor<?x{n}xf32>, tensor<f32>) -> tensor<?xf32>",
        f"    %mb = stablehlo.dynamic_broadcast_in_dim %m, %s2, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> "
        f"tensor<?x{n}xf32>",
        f"    %e0 = stablehlo.subtract {value}, %mb : tensor<?x{n}xf32>",
        f"    %e = stablehlo.exponential %e0 : tensor<?x{n}xf32>",
        f"    %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : "
        f"(tensor<?x{n}xf32>, tensor<f32>) -> tensor<?xf32>",
        f"    %tb = stablehlo.dynamic_broadcast_in_dim %t, %s2, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> "
        f"tensor<?x{n}xf32>",
        f"    %p = stablehlo.divide %e, %tb : tensor<?x{n}xf32>",
        f"    return %p : tensor<?x{n}xf32>",
    ]
    return (f"module @network {{\n  func.func public @main(%x: tensor<?x256xf32> loc(\"x\")) -> tensor<?x{n}xf32> {{\n"
            + "\n".join(lines) + "\n  }\n}\n")


def compile_program(folder, name, target, *options):
    subprocess.run([HALYARD, "compile", folder / "network.mlir", f"--target={target}", "--emit=static", "-o", folder,
                    f"--name={name}", *options], check=True, stdout=subprocess.DEVNULL)


def measure(folder, batch, target, rounds):
    compile_program(folder, "single", target, f"--arg-shapes=f32[{batch},256]")
    app = folder / "app"
    subprocess.run(["gcc", "-O2", "-std=c99", f"-I{folder}", folder / "app.c", folder / "libvariable.a",
                    folder / "libsingle.a", "-lm", "-lpthread", "-o", app], check=True)
    run = subprocess.run([app, str(batch), str(rounds)], check=True, capture_output=True, text=True,
                         env={**os.environ, "HALYARD_TARGET": target})
    times = [[float(t) for t in line.split()] for line in run.stdout.splitlines()]
    return {
        "batch": batch,
        "static_us": round(1e6 * statistics.median(t[0] for t in times), 1),
        "variable_us": round(1e6 * statistics.median(t[1] for t in times), 1),
        "ratio": round(statistics.median(t[0] / t[1] for t in times), 3),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--target", default="x86:v3")
    parser.add_argument("--factor", type=float, default=0.9)
    parser.add_argument("--json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "network.mlir").write_text(program())
        (folder / "app.c").write_text(APP)
        compile_program(folder, "variable", options.target, "--dim=batch=x.0:1..256")
        rows = [measure(folder, batch, options.target, options.rounds) for batch in (64, 48, 65)]
    print(f"{'batch':>6} {'static us':>10} {'variable us':>12} {'ratio':>6}")
    for row in rows:
        print(f"{row['batch']:>6} {row['static_us']:>10} {row['variable_us']:>12} {row['ratio']:>6}")
    if options.json:
        result = {"target": options.target, "rounds": options.rounds, "threads": 1, "rows": rows}
        pathlib.Path(options.json).write_text(json.dumps(result, indent=1) + "\n")
    return 0 if rows[0]["ratio"] >= options.factor else 1


if __name__ == "__main__":
    sys.exit(main())
