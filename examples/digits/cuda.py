#!/usr/bin/env python3
"""Compiles the digits network for NVIDIA GPUs and lets ptxas assemble every kernel.

    .venv/bin/python examples/digits/cuda.py --halyard=build/release/bin/halyard

Needs no GPU and no CUDA toolkit, because ptxas comes with NVIDIA's wheel. If there is a GPU, the
network also runs on it.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile

HERE = pathlib.Path(__file__).parent
PTXAS = pathlib.Path(sysconfig.get_paths()["purelib"]) / "nvidia/cuda_nvcc/bin/ptxas"


def modules(ptx):
    """Returns the PTX modules in the output of `halyard show --stage=ptx`."""
    starts = [match.start() for match in re.finditer(r"^\s*\.version\b", ptx, re.MULTILINE)]
    return [ptx[start:end] for start, end in zip(starts, [*starts[1:], len(ptx)])]


def assemble(module, architecture, folder):
    """Returns the number of entry points, the most registers of any of them, and bytes spilled."""
    source = folder / "kernel.ptx"
    source.write_text(module)
    process = subprocess.run([PTXAS, "-v", f"-arch={architecture}", source, "-o", folder / "cubin"],
                             capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"ptxas refuses a kernel:\n{process.stderr}")
    report = process.stderr + process.stdout
    registers = [int(n) for n in re.findall(r"Used (\d+) registers", report)]
    spilled = [int(n) for n in re.findall(r"(\d+) bytes spill stores", report)]
    return len(re.findall(r"\.entry\b", module)), max(registers, default=0), sum(spilled)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--halyard", required=True)
    options = parser.parse_args()
    for architecture in ("sm_80", "sm_90", "sm_100"):
        ptx = subprocess.run([options.halyard, "show", HERE / "digits.mlir", "--stage=ptx",
                              f"--target=cuda:{architecture}"],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
        with tempfile.TemporaryDirectory(prefix="halyard-cuda-") as folder:
            rows = [assemble(m, architecture, pathlib.Path(folder)) for m in modules(ptx)]
        kernels = sum(row[0] for row in rows)
        if kernels == 0:
            sys.exit(f"no kernel was compiled for {architecture}")
        print(f"{architecture:8} ptxas accepts all {kernels} kernels: "
              f"at most {max(row[1] for row in rows)} registers, "
              f"{sum(row[2] for row in rows)} bytes spilled")

    devices = subprocess.run([options.halyard, "devices"], check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    if not re.search(r"^cuda\b", devices, re.MULTILINE):
        print("No NVIDIA GPU was found here, so nothing ran on one.")
        return 0
    print("An NVIDIA GPU was found; the network on it:\n", flush=True)
    return subprocess.run([sys.executable, HERE / "demo.py", f"--halyard={options.halyard}",
                           "--targets=cuda", "--show=0"]).returncode


if __name__ == "__main__":
    sys.exit(main())
