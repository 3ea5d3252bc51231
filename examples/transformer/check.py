#!/usr/bin/env python3
"""Runs the transformer block on one target and compares it with JAX's output.

    .venv/bin/python examples/transformer/check.py --halyard=build/release/bin/halyard --target=x86
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", required=True)
    parser.add_argument("--target", required=True)
    options = parser.parse_args()
    stored = np.load(HERE / "block_io.npz")
    with tempfile.TemporaryDirectory(prefix="halyard-block-") as name:
        folder = pathlib.Path(name)
        np.savez(folder / "in.npz", **{k: stored[k] for k in stored.files if k.startswith("arg")})
        common = [HERE / "block.mlir", f"--target={options.target}",
                  f"--inputs={folder / 'in.npz'}"]
        subprocess.run([options.halyard, "run", *common, f"--outputs={folder / 'out.npz'}"],
                       check=True)
        subprocess.run([options.halyard, "bench", *common, f"--json={folder / 'bench.json'}"],
                       check=True, stdout=subprocess.DEVNULL)
        result = np.load(folder / "out.npz")["out0"]
        times = json.loads((folder / "bench.json").read_text().splitlines()[-1])
    error = np.max(np.abs(result - stored["out0"])) / np.max(np.abs(stored["out0"]))
    print(f"{options.target:8} max|diff|/max|result| {error:.1e}, "
          f"{times['median_ms']:.3f} ms per run, "
          f"peak arena {times['arena_bytes'] / 2**20:.2f} MiB, {times['device']}")
    if not error <= 1e-5:
        print("FAILED: differs from JAX's output by more than 1e-5 of its largest element")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
