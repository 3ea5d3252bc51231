#!/usr/bin/env python3
"""Writes coefficients.h: the polynomials of CHLO's functions, fitted with mpmath.

Each interpolates a smooth quotient at Chebyshev nodes, with as few terms as give the error asked for.
Usage: python3 coefficients.py > coefficients.h   (needs mpmath)
"""
import math
import pathlib
import sys

from mpmath import (bernoulli, besseli, digamma, erfc, erfinv, exp, factorial, findroot, linspace, log, loggamma,
                    mp, mpf, pi, sqrt)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
from polynomials import chebyshev, evaluate, to_single

mp.dps = 50


def emit(name, f, lo, hi):
    """f32 to 2^-26.5 and f64 to 2^-55 of the value."""
    lo, hi = mpf(lo), mpf(hi)
    samples = linspace(lo, hi, 301)
    values = [f(x) for x in samples]
    for suffix, bits, convert in (("F32", 26.5, to_single), ("F64", 55, float)):
        for count in range(3, 45):
            poly = chebyshev(f, lo, hi, count)
            worst = max(abs(evaluate(poly, x) / y - 1) for x, y in zip(samples, values))
            if worst < mpf(2) ** -bits:
                break
        print(f"// Relative error 2^{float(log(worst, 2)):.1f} on [{float(lo):.4g}, {float(hi):.4g}].")
        text = ", ".join(convert(c).hex() for c in poly)
        print(f"inline constexpr double {name}{suffix}[] = {{{text}}};")


def erf_inverse(complement):
    """erf^-1(1 - c), also for tiny c."""
    start = math.sqrt(max(1e-9, -math.log(float(complement)) - 0.5 * math.log(math.pi * max(1.0, -math.log(float(complement))))))
    if complement > 0.01:
        return erfinv(1 - complement)
    y = mpf(start)
    for _ in range(60):
        step = (erfc(y) - complement) / (2 / sqrt(pi) * exp(-y * y))
        y += step
        if abs(step) < mpf(10) ** -45 * y:
            break
    return y


def erf_inv_quotient(w):
    """erf^-1(x) / x where w = -log(1 - x^2)."""
    if w < mpf(10) ** -30:
        return sqrt(pi) / 2
    x2 = -mp.expm1(-w)
    x = sqrt(x2)
    return erf_inverse(exp(-w) / (1 + x)) / x


def erfc_scaled(center):
    def f(u):  # (1 + 2 x) exp(x^2) erfc(x), u = (x - c) / (x + c)
        x = center * (1 + u) / (1 - u)
        return (1 + 2 * x) * exp(x * x) * erfc(x)
    return f


def mapped(x, center):
    return (mpf(x) - center) / (mpf(x) + center)


def lgamma_at_two(t):  # log Γ(2 + t) / t
    return digamma(2) if abs(t) < mpf(10) ** -20 else loggamma(2 + t).real / t


def bessel_small(z):  # I1(x) / x, z = x^2
    return mpf(1) / 2 if z < mpf(10) ** -30 else besseli(1, sqrt(z)) / sqrt(z)


def bessel_large(z):  # exp(-x) I1(x) sqrt(x), z = 1/x
    return 1 / sqrt(2 * pi) if z < mpf(10) ** -30 else exp(-1 / z) * besseli(1, 1 / z) / sqrt(z)


def halves(name, value):
    hi = to_single(value)
    mid = float(value)
    print(f"inline constexpr double {name}F32[] = {{{hi.hex()}, {to_single(value - mpf(hi)).hex()}}};")
    print(f"inline constexpr double {name}F64[] = {{{mid.hex()}, {float(value - mpf(mid)).hex()}}};")


def main():
    print("// Made by coefficients.py; do not edit. Polynomials, lowest power first.")
    print("#ifndef HALYARD_FRONTEND_STABLEHLO_CHLO_COEFFICIENTS_H_")
    print("#define HALYARD_FRONTEND_STABLEHLO_CHLO_COEFFICIENTS_H_\n")
    print("namespace halyard::stablehlo {\n")
    emit("kErfcScaled", erfc_scaled(mpf(4)), mapped("0.45", 4), mapped("28", 4))
    emit("kErfInvCentral", lambda u: erf_inv_quotient(u + mpf("2.5")), "-2.5", "2.5")
    emit("kErfInvMiddle", lambda u: erf_inv_quotient((u + mpf("3.2")) ** 2), "-0.97", "0.97")
    emit("kErfInvTail", lambda u: erf_inv_quotient((u + mpf(5)) ** 2), "-1.0", "1.05")
    emit("kLgamma", lgamma_at_two, "-0.5", "0.5")
    root = findroot(digamma, mpf("1.4616321449683623"))
    emit("kDigammaQuotient", lambda x: digamma(x + mpf("1.5")) / (x + mpf("1.5") - root), "-0.5", "0.5")
    emit("kBesselI1Small", bessel_small, 0, 64)
    emit("kBesselI1Large", bessel_large, 0, "0.125")
    print("// The positive root of digamma, as a sum of two numbers.")
    halves("kDigammaRoot", root)
    print("// Of log Γ and digamma: B_2k / (2k (2k - 1)), B_2k / 2k; of Euler and Maclaurin: B_2k / (2k)!.")
    for name, f, count in (("kStirling", lambda k: bernoulli(2 * k) / (2 * k * (2 * k - 1)), 10),
                           ("kDigammaSeries", lambda k: bernoulli(2 * k) / (2 * k), 10),
                           ("kEulerMaclaurin", lambda k: bernoulli(2 * k) / factorial(2 * k), 12)):
        print(f"inline constexpr double {name}[] = {{{', '.join(float(f(k)).hex() for k in range(1, count + 1))}}};")
    print("\n}  // namespace halyard::stablehlo\n\n#endif  // HALYARD_FRONTEND_STABLEHLO_CHLO_COEFFICIENTS_H_")


if __name__ == "__main__":
    sys.exit(main())
