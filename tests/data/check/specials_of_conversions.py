#!/usr/bin/env python3
"""Prints test programs: what conversions between float types make of NaN, infinities, -0, ties and overflow.

    tests/data/check/specials_of_conversions.py > specials_of_conversions.mlir
    halyard check specials_of_conversions.mlir --target=x86

Each function converts a line of values from one type to another and asks which results are NaN or
infinite, and which value and sign they have; then it converts them back and asks again. (A
compiler that takes conversions for finite answers isnan with false.) Expected values are worked out
here from IEEE 754's rule of the nearest value, ties to even.
"""
import itertools
import math
from fractions import Fraction

from specials_of_sums import INF, NAN, Function, bools, dense, literal

# Bits of the significand with the leading one, least exponent of a normal number, greatest exponent.
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}


def nearest(value, type_):
    """The value of the type nearest to `value`, ties to even."""
    if value == 0 or math.isnan(value) or math.isinf(value):
        return value
    bits, least, greatest = FORMATS[type_]
    exact = Fraction(abs(value))
    exponent = max(math.frexp(abs(value))[1] - 1, least)
    unit = Fraction(2) ** (exponent - bits + 1)
    whole, rest = divmod(exact, unit)
    if rest * 2 > unit or (rest * 2 == unit and whole % 2 == 1):
        whole += 1
    result = INF if whole * unit >= Fraction(2) ** (greatest + 1) else float(whole * unit)
    return math.copysign(result, value)


def interesting(source, target):
    """Values of the source's type around what is special in either type."""
    values = [NAN, INF, 0.0, 1.0, 3.5, 2.0 / 3.0]
    for type_ in (source, target):
        bits, least, greatest = FORMATS[type_]
        largest = 2.0 ** greatest * (2.0 - 2.0 ** (1 - bits))
        half = 2.0 ** (greatest - bits)  # of the distance to what would come next
        values += [largest, 2.0 ** least, 1.0 + 2.0 ** -bits, 1.0 + 3 * 2.0 ** -bits,
                   1.0 + 2.0 ** -bits + 2.0 ** -bits / 64]
        if greatest < 1023:
            values += [largest + half, largest + half / 2, largest + half * 2, largest * 4]
        if type_ == "f16":  # its denormals are normal numbers elsewhere
            values += [2.0 ** -24, 2.0 ** -25, 3 * 2.0 ** -25, 2.0 ** -26, 1023 * 2.0 ** -24,
                       2.0 ** -25 * (1 + 2.0 ** -7)]
    if source == "f64":
        values.append(1e300)
    held = []
    for value in values:
        value = nearest(value, source)
        results = [value, nearest(value, target)]
        # Devices may flush the denormals of f32.
        small = any(0 < abs(r) < 2.0 ** -126 for r in results)
        if not small:
            held += [value, -value]
    return held


def expect(f, x, dims, values):
    """Asks which elements are NaN and which finite, and for values and signs. 7 stands for NaN."""
    f.expect_nan(x, dims, values)
    t, pred, whole = f.tensor(dims), f.tensor(dims, "i1"), f.tensor(dims, "i" + f.type.lstrip("bf"))
    seven = f.add(f"stablehlo.constant dense<{literal(7.0, f.type)}> : {t}")
    ne = f.not_equal(x, x, dims)
    y = f.add(f"stablehlo.select {ne}, {seven}, {x} : {pred}, {t}")
    values = [7.0 if math.isnan(v) else v for v in values]
    f.body.append(f"check.expect_eq_const {y}, dense<{dense(values, f.type)}> : {t}")
    bits = f.add(f"stablehlo.bitcast_convert {y} : ({t}) -> {whole}")
    zero = f.add(f"stablehlo.constant dense<0> : {whole}")
    below = f.add(f"stablehlo.compare LT, {bits}, {zero}, SIGNED : ({whole}, {whole}) -> {pred}")
    signs = bools([math.copysign(1, v) < 0 for v in values])
    f.body.append(f"check.expect_eq_const {below}, dense<{signs}> : {pred}")


def conversion(source, target):
    f = Function(f"conversions_{source}_{target}", f"{source} to {target} and back.", source)
    values = interesting(source, target)
    dims = [len(values)]
    x = f.constant(values, dims)
    for to in (target, source):
        before = f.tensor(dims)
        values = [nearest(v, to) for v in values]
        f.type = f.real = to
        x = f.add(f"stablehlo.convert {x} : ({before}) -> {f.tensor(dims)}")
        expect(f, x, dims, values)
    return f.text()


if __name__ == "__main__":
    for source, target in itertools.permutations(FORMATS, 2):
        print(conversion(source, target))
