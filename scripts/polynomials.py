"""Polynomials that are fitted with mpmath, lowest power first; for the scripts that write coefficients.h."""

import struct

from mpmath import cos, mpf, pi


def chebyshev(f, lo, hi, count):
    """The polynomial of `count` terms that meets f at the Chebyshev nodes of [lo, hi]."""
    nodes = [(lo + hi) / 2 + (hi - lo) / 2 * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    table = [f(x) for x in nodes]  # Newton's divided differences, expanded to monomials
    for k in range(1, count):
        for i in range(count - 1, k - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - k])
    poly = [mpf(0)] * count
    for k in range(count - 1, -1, -1):
        shifted = [mpf(0)] + poly[:-1]
        poly = [s - nodes[k] * p for s, p in zip(shifted, poly)]
        poly[0] += table[k]
    return poly


def evaluate(poly, x):
    total = mpf(0)
    for c in reversed(poly):
        total = total * x + c
    return total


def to_single(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]
