"""What a result's reader must know of the machine and of the engines."""

import importlib.metadata
import os
import pathlib
import platform
import re
import subprocess

FEATURES = ("avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512_vnni", "avx_vnni", "avx512_bf16",
            "avx512_fp16", "amx_tile", "amx_int8", "amx_bf16")
PACKAGES = {"ONNX Runtime": "onnxruntime", "OpenVINO": "openvino", "XLA:CPU": "jaxlib",
            "IREE": "iree-base-compiler", "PyTorch": "torch", "PyTorch compiled": "torch"}


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def cpu():
    text = pathlib.Path("/proc/cpuinfo").read_text()

    def field(name):
        found = re.search(rf"^{name}\s*:\s*(.*)$", text, re.M)
        return found[1] if found else "unknown"

    flags = set(field("flags").split())
    return {"cpu": field("model name"), "family": field("cpu family"), "model": field("model"),
            "features": [feature for feature in FEATURES if feature in flags]}


def caches():
    result = {}
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind = (index / "type").read_text().strip()
        if kind != "Instruction":
            level = (index / "level").read_text().strip()
            result[f"L{level}"] = (index / "size").read_text().strip()
    return result


def facts(halyard, engines):
    """Returns the machine's CPU and cores, and the versions of everything that runs there."""
    version = subprocess.run([halyard, "--version"], capture_output=True, text=True)
    commit = subprocess.run(["git", "-C", pathlib.Path(__file__).parent, "rev-parse", "--short",
                             "HEAD"], capture_output=True, text=True)
    return {**cpu(), "caches": caches(), "cores": sorted(os.sched_getaffinity(0)),
            "load_average": os.getloadavg()[0], "kernel": platform.release(),
            "halyard": version.stdout.strip(), "commit": commit.stdout.strip(),
            "versions": {engine.name: version_of(PACKAGES[engine.name]) for engine in engines}}
