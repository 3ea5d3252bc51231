#!/usr/bin/env python3
"""Classifies the held-out handwritten digits through the `halyard` command, target by target.

    .venv/bin/python examples/digits/demo.py --halyard=build/release/bin/halyard

For each target, prints the accuracy, the largest difference of its logits from JAX's, the time to
compile (cold and from the cache) and the time per batch. The exit status is 1 if any prediction
differs from JAX's, or if any logit differs by more than 1e-5 of the largest.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).parent
BATCH = 32
SHADES = " .:-=+*#%@"


def halyard(command, *arguments, cache):
    environment = dict(os.environ, HALYARD_CACHE_DIR=str(cache))
    process = subprocess.run([command, *map(str, arguments)], env=environment,
                             stdout=subprocess.PIPE, text=True)
    if process.returncode != 0:
        sys.exit(f"demo: `halyard {' '.join(map(str, arguments))}` failed")
    return process.stdout


def show(images, answers, labels):
    """Prints a row of images as text, each with the answer below it."""
    for row in range(8):
        print("    " + "  ".join(
            "".join(SHADES[round(float(v) * (len(SHADES) - 1))] * 2 for v in image[row, :, 0])
            for image in images))
    captions = [f"this is a {answer}" if answer == label else f"{answer}? it is a {label}"
                for answer, label in zip(answers, labels)]
    print("    " + "  ".join(caption.center(16) for caption in captions) + "\n")


def classify(command, target, batches, folder, cache):
    """Returns the logits of all batches, and the wall time of the last process.

    That process finds its kernels in the cache.
    """
    logits = []
    for i, batch in enumerate(batches):
        np.savez(folder / "in.npz", arg0=batch)
        start = time.perf_counter()
        halyard(command, "run", HERE / "digits.mlir", f"--target={target}",
                f"--inputs={folder / 'in.npz'}", f"--outputs={folder / 'out.npz'}", cache=cache)
        wall = time.perf_counter() - start
        logits.append(np.load(folder / "out.npz")["out0"])
        if sys.stderr.isatty():
            print(f"\r  {target}: batch {i + 1} of {len(batches)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return np.concatenate(logits), wall


def measure(command, target, folder, cache):
    """Returns the row of `halyard bench`. Its cache is empty, so the compile is cold."""
    result = folder / "bench.json"
    halyard(command, "bench", HERE / "digits.mlir", f"--target={target}",
            f"--inputs={folder / 'batch.npz'}", f"--json={result}", cache=cache)
    return json.loads(result.read_text().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", required=True)
    parser.add_argument("--targets", default="x86,vulkan")
    parser.add_argument("--show", type=int, default=5, help="how many images to show")
    options = parser.parse_args()

    held_out = np.load(HERE / "heldout.npz")
    images, labels, expected = held_out["arg0"], held_out["labels"], held_out["logits"]
    batches = np.split(images, len(images) // BATCH)
    wanted = expected.argmax(axis=1)
    print(f"{len(images)} handwritten digits that the network never saw, in batches of {BATCH}; "
          f"JAX itself gets {np.mean(wanted == labels):.2%} right.\n")

    good = True
    rows = []
    for number, target in enumerate(options.targets.split(",")):
        with tempfile.TemporaryDirectory(prefix="halyard-demo-") as name:
            folder = pathlib.Path(name)
            cache = folder / "cache"
            cache.mkdir(mode=0o700)
            np.savez(folder / "batch.npz", arg0=batches[0])
            times = measure(options.halyard, target, folder, cache)
            logits, wall = classify(options.halyard, target, batches, folder, cache)
        answers = logits.argmax(axis=1)
        if number == 0 and options.show > 0:
            chosen = np.flatnonzero(answers == labels)[:max(options.show - 1, 0)]
            chosen = np.append(chosen, np.flatnonzero(answers != labels)[:1])[:options.show]
            show(images[chosen], answers[chosen], labels[chosen])
        same = int(np.sum(answers == wanted))
        error = np.max(np.abs(logits - expected)) / np.max(np.abs(expected))
        good = good and same == len(images) and error <= 1e-5
        rows.append((target, f"{np.mean(answers == labels):.2%}", f"{same} of {len(images)}",
                     f"{error:.1e}", f"{times['compile_cold_ms']:.0f} ms",
                     f"{times['load_warm_ms']:.1f} ms", f"{wall * 1e3:.0f} ms",
                     f"{times['median_ms']:.3f} ms", times["device"]))
    heads = ("target", "accuracy", "same as JAX", "max|diff|/max|logit|", "compile cold",
             "from cache", "process from cache", "per batch", "device")
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    for row in [heads, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    if not good:
        print("FAILED: some predictions or logits differ from JAX's")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
