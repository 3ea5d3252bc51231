"""Measures the machine's copy speed: the best of ordinary stores and of stores past the caches."""

import ctypes
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

SOURCE = pathlib.Path(__file__).with_name("copy_speed.c")


def library(folder):
    path = folder / "copy_speed.so"
    if not path.exists():
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-pthread",
                        "-o", path, SOURCE], check=True)
    function = ctypes.CDLL(str(path)).SecondsOfCopy
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3
    return function


def aligned(size):
    array = np.ones(size + 64, np.uint8)
    return array[-array.ctypes.data % 64:][:size]


class CopySpeed:
    """Times copies that read and write `moved` bytes in total, like a kernel that moves as much."""

    def __init__(self, moved, folder):
        self.copy = library(folder)
        self.source, self.result = aligned(moved // 2), aligned(moved // 2)
        self.threads = len(os.sched_getaffinity(0))

    def milliseconds(self, seconds):
        """Returns the best mean time of a copy in a row of copies.

        A row is so long that the time to start the threads does not matter.
        """
        copies = max(4, (1 << 26) // self.source.size)
        end, best = time.perf_counter() + seconds, float("inf")
        while time.perf_counter() < end:
            for streaming in (0, 1):
                took = self.copy(self.result.ctypes.data, self.source.ctypes.data,
                                 self.source.size, self.threads, copies, streaming)
                if took < 0:
                    sys.exit("peers: no thread could be started to measure the copy speed")
                best = min(best, took)
        return best * 1e3
