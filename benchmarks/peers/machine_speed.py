"""Measures what the machine can do at most: its copies, and its multiply-adds in registers."""

import ctypes
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).parent


def function(name, source, folder, *arguments):
    """Returns a function of C that returns a double. Its library is compiled in `folder` once."""
    path = folder / f"{source}.so"
    if not path.exists():
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-pthread",
                        "-o", path, HERE / f"{source}.c"], check=True)
    found = ctypes.CDLL(str(path))[name]
    found.restype, found.argtypes = ctypes.c_double, arguments
    return found


def aligned(size):
    array = np.ones(size + 64, np.uint8)
    return array[-array.ctypes.data % 64:][:size]


class CopySpeed:
    """Times copies that read and write `moved` bytes in total, like a kernel that moves as much.
    The better of ordinary stores and of stores past the caches counts."""

    def __init__(self, moved, folder):
        self.copy = function("SecondsOfCopy", "copy_speed", folder, ctypes.c_void_p,
                             ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3)
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


class FmaSpeed:
    """Times as many operations of f32 as a kernel does, in registers."""
    ROUNDS = 1 << 20

    def __init__(self, flops, folder):
        self.rate = function("FlopsOfFma", "fma_speed", folder, ctypes.c_int, ctypes.c_long)
        self.flops, self.threads = flops, len(os.sched_getaffinity(0))
        self.known = self.rate(self.threads, 1) != 0

    def milliseconds(self, seconds):
        """Returns the time at the best rate of some runs of milliseconds."""
        end, best = time.perf_counter() + seconds, 0.0
        while time.perf_counter() < end or best == 0:
            rate = self.rate(self.threads, self.ROUNDS)
            if rate < 0:
                sys.exit("peers: no thread could be started to measure the rate of multiply-adds")
            best = max(best, rate)
        return self.flops / best * 1e3
