#!/usr/bin/env python3
"""Writes coefficients.h: the polynomials of the transcendentals, fitted with mpmath.

Each polynomial interpolates a smooth quotient, such as (exp(r) - 1 - r) / r^2, at Chebyshev nodes, which is within a small
factor of the minimax polynomial. The printed error is the fit's largest absolute error times its weight in the result.
Usage: python3 coefficients.py > coefficients.h   (needs mpmath)
"""
import pathlib
import sys

from mpmath import (mp, mpf, atan, cos, erf, erfc, exp, floor, linspace, log, pi, sqrt, tanh)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from polynomials import chebyshev, evaluate, to_single

mp.dps = 60


def emit(name, f, lo, hi, count, weight, single):
    lo, hi = mpf(lo), mpf(hi)
    poly = chebyshev(f, lo, hi, count)
    rounded = [mpf(to_single(c)) if single else mpf(float(c)) for c in poly]
    worst = max(abs((evaluate(rounded, x) - f(x)) * weight(x)) for x in linspace(lo, hi, 997) if weight(x) is not None)
    print(f"// Error 2^{float(log(worst, 2)):.1f} of the result, on [{float(lo):.4g}, {float(hi):.4g}].")
    text = ", ".join(float(c).hex() for c in rounded)
    print(f"inline constexpr double {name}[] = {{{text}}};")


def exp_tail(r):  # (exp(r) - 1 - r) / r^2
    return sum(r ** k / mp.factorial(k + 2) for k in range(40))


def log_tail(f):  # (log(1+f) - f + f^2/2) / f^3
    if abs(f) < mpf(10) ** -8:
        return sum((-f) ** k / (k + 3) for k in range(20))
    return (log(1 + f) - f + f * f / 2) / f ** 3


def atanh_tail(z):  # (2 atanh(s) - 2 s) / s^3, z = s^2
    return 2 * sum(z ** k / (2 * k + 3) for k in range(60))


def atanh_tail5(z):  # (2 atanh(s) - 2 s - 2 s^3/3) / s^5, z = s^2
    return 2 * sum(z ** k / (2 * k + 5) for k in range(60))


def sin_tail(z):
    return sum((-1) ** (k + 1) * z ** k / mp.factorial(2 * k + 3) for k in range(40))


def cos_tail(z):  # (cos(r) - 1 + r^2/2) / r^4
    return sum((-1) ** k * z ** k / mp.factorial(2 * k + 4) for k in range(40))


def atan_tail(z):  # (atan(x) - x) / x^3
    return sum((-1) ** (k + 1) * z ** k / (2 * k + 3) for k in range(120))


def tanh_tail(z):
    if z < mpf(10) ** -10:
        return -mpf(1) / 3 + 2 * z / 15
    x = sqrt(z)
    return (tanh(x) - x) / x ** 3


def erf_small(z):  # erf(x) / x - 1
    if z < mpf(10) ** -20:
        return 2 / sqrt(pi) - 1
    return erf(sqrt(z)) / sqrt(z) - 1


def erfc_scaled(t):  # erfc(x) exp(x^2), t = (x - 2) / (x + 2)
    x = 2 * (1 + t) / (1 - t)
    return erfc(x) * exp(x * x)


def mapped(x):
    return (mpf(x) - 2) / (mpf(x) + 2)


def erfc_weight(t):
    x = 2 * (1 + t) / (1 - t)
    return exp(-x * x)


def words(count):
    """2/pi as 32-bit words, the first one holding the first 32 bits after the binary point."""
    mp.dps = 600
    scaled = floor(2 / pi * mpf(2) ** (32 * count))
    mp.dps = 60
    return [(int(scaled) >> (32 * (count - 1 - i))) & 0xFFFFFFFF for i in range(count)]


def main():
    print("// Made by coefficients.py; do not edit. Polynomials, lowest power first.")
    print("#ifndef HALYARD_LOWERING_NUMERICS_COEFFICIENTS_H_")
    print("#define HALYARD_LOWERING_NUMERICS_COEFFICIENTS_H_")
    print("\n#include <cstdint>\n\n#include \"lowering/numerics/float_ops.h\"\n\nnamespace halyard::lowering::numerics {\n")
    half_ln2 = mpf("0.3475")
    z8 = mpf("0.41422") ** 2
    quarter = mpf("0.7855") ** 2
    s2 = mpf("0.17158") ** 2
    for single, suffix in ((True, "32"), (False, "64")):
        n = lambda a, b: a if single else b
        emit("kExpTail" + suffix, exp_tail, -half_ln2, half_ln2, n(5, 11), lambda r: r * r, single)
        if single:
            emit("kLogTail32", log_tail, sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1, 9, lambda f: f * f, single)
            emit("kTanhTail32", tanh_tail, 0, mpf("0.626") ** 2, 6, lambda z: z, single)
            emit("kErfTail32", lambda t: log(erfc(t + 1)), mpf("-0.01"), mpf("2.95"), 10, lambda t: erfc(t + 1), single)
        else:
            emit("kAtanhTail64", atanh_tail, 0, s2, 8, lambda z: z / 2, single)
            emit("kErfcScaled64", erfc_scaled, mapped("0.89"), mapped("6.1"), 19, erfc_weight, single)
        emit("kAtanhTail5_" + suffix, atanh_tail5, 0, s2, n(3, 8), lambda z: z * z / 2, single)
        emit("kSinTail" + suffix, sin_tail, 0, quarter, n(4, 7), lambda z: z, single)
        emit("kCosTail" + suffix, cos_tail, 0, quarter, n(4, 7), lambda z: z * z / cos(sqrt(z)), single)
        emit("kAtanTail" + suffix, atan_tail, 0, z8, n(5, 13), lambda z: z, single)
        emit("kErfSmall" + suffix, erf_small, 0, n(mpf("1.0"), mpf("0.9") ** 2), n(7, 13), lambda z: mpf(1) / 1, single)
    print("// Each as the sum of two doubles.")
    for name, value in (("kLn2", log(2)), ("kInvLn2", 1 / log(2)), ("kPi", pi), ("kHalfPi", pi / 2), ("kQuarterPi", pi / 4),
                        ("kTwoThirds", mpf(2) / 3)):
        hi = float(value)
        print(f"inline constexpr LongConstant {name} = {{{hi.hex()}, {float(value - mpf(hi)).hex()}}};")
    print("// 2/pi: 32 bits a word, after the binary point.")
    text = ", ".join(f"0x{w:08x}u" for w in words(44))
    print(f"inline constexpr uint32_t kTwoOverPi[] = {{{text}}};")
    print("\n}  // namespace halyard::lowering::numerics\n\n#endif  // HALYARD_LOWERING_NUMERICS_COEFFICIENTS_H_")


if __name__ == "__main__":
    sys.exit(main())
