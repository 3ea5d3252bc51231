#!/usr/bin/env python3
"""Prints test programs: what NaN, infinities and -0 make of sums and products.

    tests/data/check/specials_of_sums.py > specials_of_sums.mlir
    halyard check specials_of_sums.mlir --target=x86

A compiler that takes floats for finite ("fast math") answers isnan(sum) with false, and x * 0 with
0. Each function asks such questions after a sum, product, convolution, window or scan, in each
float type, of lines long enough to be vectorized and split. Expected values are worked out here by
IEEE 754's rules, not by Halyard: terms are small integers, whose sums are exact in every type, and
special values.
"""
import math

INF, NAN = math.inf, math.nan
TYPES = ("f16", "bf16", "f32", "f64", "complex<f32>")
N = 67  # neither a multiple of a vector's lanes nor less than some

# What a line of ones has in some places, its sum, and its product by a line of `weight`.
LINES = [
    ({}, ),
    ({5: NAN}, ),
    ({66: INF}, ),
    ({0: INF, 40: -INF}, ),
    ({31: -INF, 32: -INF}, ),
    ({i: -0.0 for i in range(N)}, ),
]


def element(value):
    if math.isnan(value):
        return "0x{nan}"
    return {INF: "0x{inf}", -INF: "0x{ninf}"}.get(value, repr(float(value)))


BITS = {"f16": ("7E00", "7C00", "FC00"), "bf16": ("7FC0", "7F80", "FF80"),
        "f32": ("7FC00000", "7F800000", "FF800000"),
        "f64": ("7FF8000000000000", "7FF0000000000000", "FFF0000000000000")}


def literal(value, type_):
    part = "f32" if type_.startswith("complex") else type_
    nan, inf, ninf = BITS[part]
    text = element(value).format(nan=nan, inf=inf, ninf=ninf)
    return f"({text}, 0.0)" if type_.startswith("complex") else text


def dense(values, type_):
    if isinstance(values, list):
        return "[" + ", ".join(dense(v, type_) for v in values) + "]"
    return literal(values, type_)


def line(places):
    return [places.get(i, 1.0) for i in range(N)]


def total(values, start=0.0):
    result = start
    for v in values:
        result = result + v
    return result


def product(a, b):
    return a * b


def bools(values):
    return "[" + ", ".join("true" if v else "false" for v in values) + "]"


class Function:
    """One test function; `out` collects lines of its body."""

    def __init__(self, name, comment, type_):
        self.type, self.name, self.comment, self.body, self.count = type_, name, comment, [], 0
        self.real = "f32" if type_.startswith("complex") else type_

    def add(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.body.append(f"{name} = {text}")
        return name

    def tensor(self, dims, type_=None):
        return "tensor<" + "x".join([*map(str, dims), type_ or self.type]) + ">"

    def constant(self, values, dims, type_=None):
        type_ = type_ or self.type
        text = dense(values, type_)
        # Not known to the compiler: what it can work out it need not sum.
        c = self.add(f"stablehlo.constant dense<{text}> : {self.tensor(dims, type_)}")
        return self.add(f"stablehlo.optimization_barrier {c} : {self.tensor(dims, type_)}")

    def not_equal(self, a, b, dims):
        t = self.tensor(dims)
        return self.add(f"stablehlo.compare NE, {a}, {b}, FLOAT : ({t}, {t}) -> "
                        f"{self.tensor(dims, 'i1')}")

    def expect_which_are_nan(self, value, dims, expected):
        ne = self.not_equal(value, value, dims)
        self.body.append(f"check.expect_eq_const {ne}, dense<{bools(map(math.isnan, expected))}> : "
                         f"{self.tensor(dims, 'i1')}")

    def expect_nan(self, value, dims, expected):
        """Asks which elements are NaN, and which are finite."""
        self.expect_which_are_nan(value, dims, expected)
        flat, pred = self.tensor(dims), self.tensor(dims, "i1")
        if self.type.startswith("complex"):
            real = self.add(f"stablehlo.real {value} : ({flat}) -> {self.tensor(dims, 'f32')}")
            value, flat = real, self.tensor(dims, "f32")
        finite = self.add(f"stablehlo.is_finite {value} : ({flat}) -> {pred}")
        self.body.append(
            f"check.expect_eq_const {finite}, "
            f"dense<{bools(map(math.isfinite, expected))}> : {pred}")

    def expect(self, value, dims, expected):
        """Asks for values, too, and for the sign of zeros. NaN is unequal to itself: 7 stands for it."""
        self.expect_nan(value, dims, expected)
        if self.type.startswith("complex"):
            return
        t, pred = self.tensor(dims), self.tensor(dims, "i1")

        def splat(number):
            return self.add(f"stablehlo.constant dense<{literal(number, self.type)}> : {t}")
        ne = self.not_equal(value, value, dims)
        seven = self.add(f"stablehlo.select {ne}, {splat(7.0)}, {value} : {pred}, {t}")
        expected = [7.0 if math.isnan(e) else e for e in expected]
        self.body.append(f"check.expect_eq_const {seven}, dense<{dense(expected, self.type)}> : {t}")
        inverse = self.add(f"stablehlo.divide {splat(1.0)}, {seven} : {t}")
        below = self.add(f"stablehlo.compare LT, {inverse}, {splat(0.0)}, FLOAT : ({t}, {t}) -> {pred}")
        negative = bools([math.copysign(1, e) < 0 and e != -INF for e in expected])
        self.body.append(f"check.expect_eq_const {below}, dense<{negative}> : {pred}")

    def text(self):
        lines = "\n".join("  " + b for b in self.body)
        return f"// {self.comment}\nfunc.func @{self.name}() {{\n{lines}\n  return\n}}\n"


def kind(type_):
    return "C" if type_.startswith("complex") else "F"


def name_of(type_):
    return "c64" if type_.startswith("complex") else type_


def reduce_text(f, x, init, dims, out):
    return (f"stablehlo.reduce({x} init: {init}) applies stablehlo.add across dimensions = [1] : "
            f"({f.tensor(dims)}, {f.tensor([])}) -> {f.tensor(out)}")


def rows():
    return [line(places) for (places,) in LINES]


def sum_(type_):
    f = Function(f"sum_{name_of(type_)}", f"reduce {kind(type_)}: sums of special values", type_)
    x = f.constant(rows(), [len(LINES), N])
    for start in (0.0, -0.0):
        init = f.add(f"stablehlo.constant dense<{literal(start, type_)}> : {f.tensor([])}")
        got = f.add(reduce_text(f, x, init, [len(LINES), N], [len(LINES)]))
        f.expect(got, [len(LINES)], [total(r, start) for r in rows()])
    return f


def mean(type_):
    f = Function(f"mean_{name_of(type_)}", f"reduce {kind(type_)}: means of special values", type_)
    x = f.constant(rows(), [len(LINES), N])
    init = f.add(f"stablehlo.constant dense<{literal(0.0, type_)}> : {f.tensor([])}")
    got = f.add(reduce_text(f, x, init, [len(LINES), N], [len(LINES)]))
    n = f.add(f"stablehlo.constant dense<{literal(N, type_)}> : {f.tensor([len(LINES)])}")
    got = f.add(f"stablehlo.divide {got}, {n} : {f.tensor([len(LINES)])}")
    f.expect_nan(got, [len(LINES)], [total(r) for r in rows()])
    return f


def difference(type_):
    """(x - x).sum: infinities and NaN become NaN on the way."""
    f = Function(f"difference_{name_of(type_)}",
                 f"reduce {kind(type_)}, subtract {kind(type_)}: sums of x - x", type_)
    x = f.constant(rows(), [len(LINES), N])
    d = f.add(f"stablehlo.subtract {x}, {x} : {f.tensor([len(LINES), N])}")
    init = f.add(f"stablehlo.constant dense<{literal(0.0, type_)}> : {f.tensor([])}")
    got = f.add(reduce_text(f, d, init, [len(LINES), N], [len(LINES)]))
    f.expect(got, [len(LINES)], [total([v - v for v in r]) for r in rows()])
    return f


def logsumexp(type_):
    f = Function(f"logsumexp_{name_of(type_)}",
                 f"reduce {kind(type_)}, log {kind(type_)}: logarithms of sums of exponentials", type_)
    x = f.constant(rows(), [len(LINES), N])
    t = f.tensor([len(LINES), N])
    e = f.add(f"stablehlo.exponential {x} : {t}")
    init = f.add(f"stablehlo.constant dense<{literal(0.0, type_)}> : {f.tensor([])}")
    got = f.add(reduce_text(f, e, init, [len(LINES), N], [len(LINES)]))
    got = f.add(f"stablehlo.log {got} : {f.tensor([len(LINES)])}")
    f.expect_nan(got, [len(LINES)], [total([math.exp(v) if v == v else v for v in r]) for r in rows()])
    return f


# Columns of a product's right factor: ones, zeros, minus zeros, one that is not 0.
COLUMNS = [[1.0] * N, [0.0] * N, [-0.0] * N, [1.0 if i == 3 else 0.0 for i in range(N)]]


def dot(type_, known):
    """By columns that the compiler knows (constants, which it may fold) and that it does not."""
    f = Function(f"dot_{'known' if known else 'unknown'}_{name_of(type_)}",
                 f"dot_general {kind(type_)}: products of special values and zeros", type_)
    x = f.constant(rows(), [len(LINES), N])
    m, n = len(LINES), len(COLUMNS)
    columns = [[c[i] for c in COLUMNS] for i in range(N)]
    if known:
        w = f.add(f"stablehlo.constant dense<{dense(columns, type_)}> : {f.tensor([N, n])}")
    else:
        w = f.constant(columns, [N, n])
    got = f.add(f"stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [0] : "
                f"({f.tensor([m, N])}, {f.tensor([N, n])}) -> {f.tensor([m, n])}")
    expected = [total(map(product, r, c)) for r in rows() for c in COLUMNS]
    flat = f.add(f"stablehlo.reshape {got} : ({f.tensor([m, n])}) -> {f.tensor([m * n])}")
    if type_.startswith("complex"):
        # (a + 0i)(b + 0i) = (ab - 0·0) + (a·0 + 0·b)i: an infinite a makes the imaginary part NaN.
        expected = [e if all(math.isfinite(v) for v in r) else math.nan
                    for r, e in zip([r for r in rows() for _ in COLUMNS], expected)]
        f.expect_which_are_nan(flat, [m * n], expected)
    else:
        f.expect(flat, [m * n], expected)
    return f


def dot_splat(type_, weight):
    """By one number everywhere: a broadcast, which may be fused into the product."""
    label = {0.0: "zero", INF: "infinity"}[weight]
    f = Function(f"dot_{label}_{name_of(type_)}",
                 f"dot_general {kind(type_)}: products by a broadcast {label}", type_)
    signs = [[(2.0 if i % 2 else -1.0) for i in range(N)], *rows()[:4]]
    x = f.constant(signs, [5, N])
    s = f.add(f"stablehlo.constant dense<{literal(weight, type_)}> : {f.tensor([])}")
    w = f.add(f"stablehlo.broadcast_in_dim {s}, dims = [] : ({f.tensor([])}) -> {f.tensor([N, 8])}")
    got = f.add(f"stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [0] : "
                f"({f.tensor([5, N])}, {f.tensor([N, 8])}) -> {f.tensor([5, 8])}")
    flat = f.add(f"stablehlo.reshape {got} : ({f.tensor([5, 8])}) -> {f.tensor([40])}")
    expected = [total([v * weight for v in r]) for r in signs for _ in range(8)]
    f.expect(flat, [40], expected)
    return f


def masked(type_):
    """By a mask that was a comparison: x * select(c, 1, 0) is not select(c, x, 0)."""
    f = Function(f"dot_mask_{name_of(type_)}",
                 f"dot_general {kind(type_)}, convert {kind(type_)}: products by masks", type_)
    x = f.constant(rows(), [len(LINES), N])
    i = f.constant([float(k) for k in range(N)], [N], "f32")
    limits = f.add("stablehlo.constant dense<[0.0, 20.0, 66.0, 67.0]> : tensor<4xf32>")
    t = f"tensor<{N}x4xf32>"
    a = f.add(f"stablehlo.broadcast_in_dim {i}, dims = [0] : (tensor<{N}xf32>) -> {t}")
    b = f.add(f"stablehlo.broadcast_in_dim {limits}, dims = [1] : (tensor<4xf32>) -> {t}")
    c = f.add(f"stablehlo.compare LT, {a}, {b}, FLOAT : ({t}, {t}) -> tensor<{N}x4xi1>")
    w = f.add(f"stablehlo.convert {c} : (tensor<{N}x4xi1>) -> {f.tensor([N, 4])}")
    m = len(LINES)
    got = f.add(f"stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [0] : "
                f"({f.tensor([m, N])}, {f.tensor([N, 4])}) -> {f.tensor([m, 4])}")
    flat = f.add(f"stablehlo.reshape {got} : ({f.tensor([m, 4])}) -> {f.tensor([4 * m])}")
    expected = [total([v * (1.0 if k < limit else 0.0) for k, v in enumerate(r)])
                for r in rows() for limit in (0, 20, 66, 67)]
    f.expect(flat, [4 * m], expected)
    return f


def convolution(type_, window):
    """One row's windows of three elements, by kernels that the compiler knows."""
    f = Function(f"conv_{len(window)}_{name_of(type_)}",
                 f"convolution {kind(type_)}: special values by zeros and ones", type_)
    m = len(LINES)
    x = f.constant([[[v] for v in r] for r in rows()], [m, N, 1])
    k = f.add(f"stablehlo.constant dense<{dense([[[v]] for v in window], type_)}> : "
              f"{f.tensor([len(window), 1, 1])}")
    n = N - len(window) + 1
    got = f.add(
        f"stablehlo.convolution({x}, {k}) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], "
        f"window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : "
        f"({f.tensor([m, N, 1])}, {f.tensor([len(window), 1, 1])}) -> {f.tensor([m, n, 1])}")
    flat = f.add(f"stablehlo.reshape {got} : ({f.tensor([m, n, 1])}) -> {f.tensor([m * n])}")
    expected = [total([r[i + j] * w for j, w in enumerate(window)]) for r in rows() for i in range(n)]
    if type_.startswith("complex"):
        expected = [math.nan if any(not math.isfinite(v) for v in r[i:i + len(window)]) else e
                    for e, (r, i) in zip(expected, [(r, i) for r in rows() for i in range(n)])]
        f.expect_which_are_nan(flat, [m * n], expected)
    else:
        f.expect(flat, [m * n], expected)
    return f


def window_fold(type_, op, before, size):
    """reduce_window over `size` elements, `before` of padding: cumulative folds and window sums."""
    start, fold = {"add": (0.0, lambda a, b: a + b), "multiply": (1.0, lambda a, b: a * b)}[op]
    label = f"{'cum' if before else 'window_'}{op}"
    f = Function(f"{label}_{name_of(type_)}", f"reduce_window {kind(type_)}: {op}", type_)
    m = len(LINES)
    x = f.constant(rows(), [m, N])
    init = f.add(f"stablehlo.constant dense<{literal(start, type_)}> : {f.tensor([])}")
    n = N + before - size + 1
    a = f"%a: {f.tensor([])}, %b: {f.tensor([])}"
    got = f.add(
        f'"stablehlo.reduce_window"({x}, {init}) ({{\n  ^bb0({a}):\n'
        f"    %s = stablehlo.{op} %a, %b : {f.tensor([])}\n"
        f"    stablehlo.return %s : {f.tensor([])}\n  }}) "
        f"{{window_dimensions = array<i64: 1, {size}>, "
        f"padding = dense<[[0, 0], [{before}, 0]]> : tensor<2x2xi64>}} : "
        f"({f.tensor([m, N])}, {f.tensor([])}) -> {f.tensor([m, n])}")
    flat = f.add(f"stablehlo.reshape {got} : ({f.tensor([m, n])}) -> {f.tensor([m * n])}")
    expected = []
    for r in rows():
        for i in range(n):
            value = start
            for v in r[max(0, i - before):i - before + size]:
                value = fold(value, v)
            expected.append(value)
    if type_.startswith("complex") and op == "multiply":
        # (∞ + 0i)·(1 + 0i) has an imaginary part ∞·0.
        expected = [math.nan if not math.isfinite(e) or any(
            not math.isfinite(v) for v in r[max(0, i - before):i - before + size]) else e
            for e, (r, i) in zip(expected, [(r, i) for r in rows() for i in range(n)])]
        f.expect_which_are_nan(flat, [m * n], expected)
    else:
        f.expect(flat, [m * n], expected)
    return f


def main():
    for t in TYPES:
        functions = [sum_(t), dot(t, False), convolution(t, [1.0, 0.0, 1.0]),
                     window_fold(t, "add", N - 1, N), window_fold(t, "multiply", N - 1, N),
                     window_fold(t, "add", 0, 5)]
        if kind(t) == "F":
            functions += [mean(t), logsumexp(t)]
        if t in ("f32", "complex<f32>"):
            functions += [difference(t), dot(t, True), convolution(t, [0.0])]
        if t == "f32":
            functions += [masked(t), dot_splat(t, 0.0), dot_splat(t, INF)]
        for f in functions:
            print(f.text())


if __name__ == "__main__":
    main()
