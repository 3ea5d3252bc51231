"""Sorts, top-k, FFTs and random numbers."""

from values import Input, Row


def sort(*shape):
    return Row((Input(shape),), lambda net, weights, x: net.sort(x), tolerance=0)


def top_k(count, *shape):
    return Row((Input(shape),), lambda net, weights, x: net.top_k(x, count), tolerance=0)


def fft(rows, size):
    return Row((Input((rows, size), "c64"),), lambda net, weights, x: net.fft(x),
               flops=5 * rows * size * (size.bit_length() - 1))


def real_fft(rows, size):
    return Row((Input((rows, size)),), lambda net, weights, x: net.real_fft(x),
               flops=2.5 * rows * size * (size.bit_length() - 1))


def uniform(size):
    """Each engine has its own generator; JAX's is the one that compilers know as Philox."""
    return Row((Input((4,), "u32", 1 << 31),), lambda net, weights, key: net.uniform(key, size),
               distribution=True)


def normal(size):
    """Each engine has its own generator; JAX's default is Threefry."""
    return Row((Input((2,), "u32", 1 << 31),), lambda net, weights, key: net.normal(key, size),
               distribution=True)


ROWS = {
    "sort-1m": sort(1 << 20),
    "sort-1024x1024": sort(1024, 1024),
    "top-k-1m": top_k(100, 1 << 20),
    "top-k-512x4096": top_k(16, 512, 4096),
    "fft-1m": fft(1, 1 << 20),
    "fft-256x1024": fft(256, 1024),
    "real-fft-256x1024": real_fft(256, 1024),
    "random-uniform-16m": uniform(1 << 24),
    "random-normal-4m": normal(1 << 22),
}
SMALL = {
    "sort": sort(3, 40),
    "top-k": top_k(3, 4, 30),
    "fft": fft(2, 16),
    "real-fft": real_fft(2, 16),
    "random-uniform": uniform(4096),
    "random-normal": normal(4096),
}
