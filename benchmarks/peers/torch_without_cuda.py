"""Imports PyTorch from the registry's wheel for CUDA without any of NVIDIA's libraries.

The wheel is linked with some gigabytes of libraries that a CPU never calls. Here, libraries that
are empty take their names, and one more library has their functions, which all return 100: that
there is no device (cudaErrorNoDevice, CUDA_ERROR_NO_DEVICE).
"""

import ctypes
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

NVIDIA = re.compile(r"lib(cu|nv|nccl)")
FUNCTION = re.compile(r"(cu[A-Z]|cu[a-z]+[A-Z]|nccl|nvshmem|nvtx|nvrtc|__cuda|__nv)\w*")


def listed(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True,
                          check=True).stdout.splitlines()


def missing_parts(libraries):
    """Returns the names of the libraries that are needed, and of the functions of theirs."""
    names, functions = set(), set()
    for library in libraries:
        for line in listed("readelf", "-d", "-W", library):
            needed = re.search(r"NEEDED.*\[(.*)\]", line)
            if needed and NVIDIA.match(needed[1]):
                names.add(needed[1])
        for line in listed("nm", "-D", "--undefined-only", library):
            symbol, _, version = line.split()[-1].partition("@")
            theirs = NVIDIA.match(version) or version == "NVSHMEM"
            if theirs or (not version and FUNCTION.fullmatch(symbol)):
                functions.add(symbol)
    return names, functions


def compile_library(source, path, *options):
    subprocess.run([os.environ.get("CC", "cc"), "-w", "-fno-builtin", "-shared", "-fPIC", "-x", "c",
                    "-", "-o", path, *options], input=source, text=True, check=True)


def stand_ins(folder, torch):
    """Makes the libraries in `folder`, if they are not there for this wheel, and returns them."""
    done = folder / "list"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        names, functions = missing_parts(sorted((torch / "lib").glob("*.so")))
        compile_library("".join(f"int {name}(void) {{ return 100; }}\n"
                                for name in sorted(functions)), folder / "functions.so")
        for name in names:
            compile_library("", folder / name, f"-Wl,-soname,{name}")
        partial = folder / f"list.{os.getpid()}"
        partial.write_text("\n".join(["functions.so", *sorted(names)]))
        partial.rename(done)
    return [folder / name for name in done.read_text().split()]


def import_torch():
    """Imports torch. Raises ImportError if it is not installed."""
    if "torch" not in sys.modules:
        spec = importlib.util.find_spec("torch")
        if spec is None:
            raise ImportError("PyTorch is not installed")
        torch = pathlib.Path(spec.origin).parent
        version = re.search(r"__version__ = '(.*?)'", (torch / "version.py").read_text())[1]
        if "+cu" in version:
            for library in stand_ins(pathlib.Path(sys.prefix) / f"without-cuda-{version}", torch):
                ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
    import torch
    return torch
