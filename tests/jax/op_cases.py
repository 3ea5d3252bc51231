"""The cases of compare_ops.py: one op each, on one type, as JAX functions of arrays.

A case is added to a program; the cases of a program are compiled together. `tolerance` is EXACT,
Ulps(n): each element within n units in the last place of its type, or Scaled(n): within n units of
rounding of the largest element (sums, products of matrices, transforms).

Every case with inputs of floats or complex numbers has a twin, `special`, with NaN, infinities, -0
and extremes among their elements. LEFT_OUT says which values are left out of which twins, and why.
"""

import collections
import fnmatch

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

Case = collections.namedtuple("Case", "program name function inputs tolerance special")
Ulps = collections.namedtuple("Ulps", "count")
Scaled = collections.namedtuple("Scaled", "count")
EXACT = None
CASES = []

F8 = [getattr(ml_dtypes, f"float8_{kind}")
      for kind in ("e3m4", "e4m3", "e4m3fn", "e4m3fnuz", "e4m3b11fnuz", "e5m2", "e5m2fnuz")]
TINY = F8 + [ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e8m0fnu]
FLOATS = [ml_dtypes.bfloat16, np.float16, np.float32, np.float64]
COMPLEX = [np.complex64, np.complex128]
SIGNED = [ml_dtypes.int2, ml_dtypes.int4, np.int8, np.int16, np.int32, np.int64]
UNSIGNED = [ml_dtypes.uint2, ml_dtypes.uint4, np.uint8, np.uint16, np.uint32, np.uint64]
INTEGERS = SIGNED + UNSIGNED
# (kinds of values, programs, cases, why)
LEFT_OUT = [
    (("denormal",), "*", "*", "XLA's CPU compiler flushes denormals (results below the smallest normal number count as zeros); Halyard keeps them"),
    (("infinity", "extreme"), "elementwise_complex*", "pow",
     "exp(b log a) is 0 where the exponent's real part is -infinity, whatever the other; XLA's is NaN"),
    (("nan", "infinity"), "contract_*", "conv_depthwise",
     "NaN or infinity in the kernel times padding is not defined (docs/numerics.md)"),
    (("nan", "infinity"), "contract_*", "conv_batch_groups",
     "XLA's CPU compiler multiplies other groups' elements by zeros, which makes NaN; Halyard leaves "
     "them out"),
    (("nan", "infinity"), "contract_float64", "conv_*",
     "XLA's CPU compiler leaves the padding of f64 convolutions out; NaN or infinity in the kernel "
     "times padding is not defined (docs/numerics.md)"),
    (("nan", "infinity"), "contract_complex*", "*",
     "XLA's CPU compiler multiplies sums of complex products by a complex 1, which makes both parts "
     "of infinite ones NaN (docs/numerics.md)"),
    (("infinity", "extreme"), "convert_float4_e2m1fn", "to_*int*",
     "XLA's CPU compiler takes 6, the type's largest value, for infinity: it becomes the largest "
     "integer; Halyard's is 6"),
    (("extreme",), "tiny_float8_e8m0fnu", "mul",
     "XLA's CPU compiler flushes the product, 2^-127 or less, to zero, which is NaN in this type"),
    (("nan", "infinity"), "fft_*", "*",
     "which elements of a line that holds one are NaN depends on the algorithm (docs/numerics.md)"),
    (("nan", "infinity"), "linalg_*", "*",
     "which elements behind one are NaN and which infinite depends on the order of sums "
     "(docs/numerics.md)"),
    (("-0",), "linalg_*", "cholesky_33",
     "a matrix that -0 makes not positive definite is NaN in all elements in JAX; Halyard's is NaN "
     "from the column where that shows"),
]

# XLA's CPU backend cannot run some ops on integers below a byte; those types are covered by `convert`
# and arithmetic.
WHOLE = [t for t in INTEGERS if np.dtype(t).itemsize > 1 or t in (np.int8, np.uint8)]


def kind(dtype):
    return np.dtype(dtype).name


def add(program, name, function, *inputs, tolerance=EXACT):
    CASES.append(Case(program, name, function, inputs, tolerance, False))
    values = special_values(program, name, tolerance)
    if not values or not any(can_be_special(x) for x in inputs):
        return
    with_specials = [put_specials(x, values, i) if can_be_special(x) else x
                     for i, x in enumerate(inputs)]
    CASES.append(Case(program, name, function, with_specials, tolerance, True))


def is_floating(dtype):
    return np.dtype(dtype) in map(np.dtype, TINY + FLOATS + COMPLEX)


def can_be_special(x):
    return is_floating(np.asarray(x).dtype) and np.size(x) >= 4


KINDS = ("nan", "infinity", "-0", "extreme", "denormal")


def left_out(program, name):
    """[(kind of value, why)] of a case's twin."""
    return [(kind, why) for kinds, programs, names, why in LEFT_OUT for kind in kinds
            if fnmatch.fnmatchcase(program, programs) and fnmatch.fnmatchcase(name, names)]


def special_values(program, name, tolerance):
    """The kinds of values that the case's twin holds."""
    out = {kind for kind, _ in left_out(program, name)}
    if isinstance(tolerance, Scaled):
        out.add("extreme")  # the error of all elements would be in units of it
    return [kind for kind in KINDS if kind not in out]


def values_of(kind, dtype):
    info = ml_dtypes.finfo(dtype)
    return {"nan": [np.nan], "infinity": [np.inf, -np.inf], "-0": [-0.0],
            "extreme": [info.max, info.min, info.smallest_normal],
            "denormal": [info.smallest_subnormal, -3 * float(info.smallest_subnormal)]}[kind]


def put_specials(x, kinds, salt):
    """Each value in one place at least, of up to a quarter of the array."""
    x = np.array(x)
    part = x.real.dtype if x.dtype.kind == "c" else x.dtype
    values = [value for kind in kinds for value in values_of(kind, part)]
    generator = np.random.default_rng((99, salt, *x.shape))
    generator.shuffle(values)
    count = min(max(x.size // 4, 1), max(len(values), x.size // 40))
    flat = x.reshape(-1)
    for i, place in enumerate(generator.permutation(x.size)[:count]):
        value = np.array(float(values[i % len(values)]))
        if x.dtype.kind != "c":
            flat[place] = value.astype(x.dtype)
        elif i % 2:
            flat[place] = complex(value, flat[place].imag)
        else:
            flat[place] = complex(flat[place].real, value)
    return flat.reshape(x.shape)


def normal(dtype, *shape, seed=0, scale=1.0):
    generator = np.random.default_rng((seed, *shape))
    values = generator.standard_normal(shape) * scale
    if np.dtype(dtype).kind == "c":
        return (values + 1j * generator.standard_normal(shape) * scale).astype(dtype)
    return values.astype(np.float32).astype(dtype) if np.dtype(dtype).itemsize < 4 else (
        values.astype(dtype))


def positive(dtype, *shape, seed=0, scale=1.0):
    return (np.abs(normal(np.float64, *shape, seed=seed, scale=scale)) + 0.0625).astype(dtype)


def special(dtype):
    """Zeros, infinities, NaN and some ordinary values, as far as the type has them."""
    return np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 3.0, -2.5]).astype(dtype)


def integers(dtype, *shape, seed=0, low=None, high=None):
    info = ml_dtypes.iinfo(dtype)
    low, high = info.min if low is None else low, info.max if high is None else high
    generator = np.random.default_rng((seed, *shape))
    low, high = max(low, info.min), min(high, info.max)
    wide = generator.integers(low, high, shape, np.uint64 if low >= 0 else np.int64, endpoint=True)
    return wide.astype(dtype)


def numbers(dtype, *shape, seed=0):
    """Values of any type, small enough to be exact in most."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return np.random.default_rng((seed, *shape)).integers(0, 2, shape).astype(bool)
    if dtype in map(np.dtype, INTEGERS):
        return integers(dtype, *shape, seed=seed, low=-50, high=100)
    if dtype in map(np.dtype, TINY):
        return positive(np.float32, *shape, seed=seed).astype(dtype)
    return normal(dtype, *shape, seed=seed)


def ulps_for(dtype, wide):
    """Narrow types are computed wide and rounded, by us; XLA's f16 functions may be two units off."""
    return Ulps(wide) if np.dtype(dtype).itemsize >= 4 else Ulps(2)


def elementwise_floats():
    unary = {"exp": jnp.exp, "expm1": lax.expm1, "tanh": jnp.tanh, "sin": jnp.sin, "cos": jnp.cos,
             "tan": lax.tan, "logistic": lax.logistic, "cbrt": lax.cbrt, "erf": lax.erf}
    of_positive = {"log": jnp.log, "log1p": lax.log1p, "sqrt": lax.sqrt, "rsqrt": lax.rsqrt}
    exact = {"neg": lax.neg, "abs": lax.abs, "sign": lax.sign, "floor": lax.floor, "ceil": lax.ceil,
             "round_afz": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
             "round_even": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
             "is_finite": lax.is_finite}
    binary_exact = {"add": lax.add, "sub": lax.sub, "mul": lax.mul, "div": lax.div, "max": lax.max,
                    "min": lax.min, "rem": lax.rem, "eq": lax.eq, "ne": lax.ne, "lt": lax.lt,
                    "ge": lax.ge}
    for dtype in FLOATS:
        x, y, p = normal(dtype, 7, 31, scale=2), normal(dtype, 7, 31, seed=1), positive(dtype, 7, 31)
        program = f"elementwise_{kind(dtype)}"
        for name, function in unary.items():
            add(program, name, function, x, tolerance=ulps_for(dtype, 8))
        for name, function in of_positive.items():
            add(program, name, function, p, tolerance=ulps_for(dtype, 8))
        for name, function in exact.items():
            add(program, name, function, np.concatenate([x.ravel(), special(dtype)]))
        both = np.concatenate([x.ravel(), special(dtype)]), np.concatenate([y.ravel(),
                                                                           special(dtype)[::-1]])
        for name, function in binary_exact.items():
            add(program, name, function, *both)
        add(program, "pow", lax.pow, p, x, tolerance=ulps_for(dtype, 8))
        add(program, "atan2", lax.atan2, x, y, tolerance=ulps_for(dtype, 8))
        add(program, "clamp", lax.clamp, np.array(-1, dtype), x, np.array(1, dtype))
        add(program, "select", lambda a, b: lax.select(a > b, a, b), x, y)
        add(program, "reduce_precision", lambda a: lax.reduce_precision(a, 4, 2), x)



def elementwise_complex():
    unary = {"exp": jnp.exp, "log": jnp.log, "tanh": jnp.tanh, "sin": jnp.sin, "cos": jnp.cos,
             "sqrt": jnp.sqrt, "rsqrt": lax.rsqrt, "expm1": lax.expm1, "log1p": lax.log1p,
             "abs": lax.abs, "sign": lax.sign, "logistic": lax.logistic}
    binary = {"add": lax.add, "sub": lax.sub, "mul": lax.mul, "div": lax.div}
    exact = {"neg": lax.neg, "real": lax.real, "imag": lax.imag, "conj": lax.conj}
    for dtype in COMPLEX:
        x, y = normal(dtype, 97), normal(dtype, 97, seed=1)
        program = f"elementwise_{kind(dtype)}"
        for name, function in unary.items():
            add(program, name, function, x, tolerance=Ulps(64))
        for name, function in binary.items():
            add(program, name, function, x, y, tolerance=Ulps(16))
        for name, function in exact.items():
            add(program, name, function, x)
        add(program, "pow", lax.pow, x, y, tolerance=Ulps(512))
        add(program, "eq", lax.eq, x, x)
        add(program, "complex", lax.complex, x.real, y.real)


def elementwise_integers():
    binary = {"add": lax.add, "sub": lax.sub, "mul": lax.mul, "max": lax.max, "min": lax.min,
              "and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor, "lt": lax.lt,
              "ge": lax.ge, "eq": lax.eq}
    unary = {"not": lax.bitwise_not, "popcnt": lax.population_count, "clz": lax.clz}
    for dtype in INTEGERS:
        program = f"elementwise_{kind(dtype)}"
        x, y = integers(dtype, 5, 41), integers(dtype, 5, 41, seed=1)
        for name, function in binary.items():
            add(program, name, function, x, y)
        if dtype not in WHOLE:
            continue
        divisor = np.where(y == 0, np.array(3, dtype), y)
        bits = np.dtype(dtype).itemsize * 8
        amount = integers(dtype, 5, 41, seed=2, low=0, high=bits - 1)
        for name, function in unary.items():
            add(program, name, function, x)
        for name, function in {"div": lax.div, "rem": lax.rem}.items():
            add(program, name, function, x, divisor)
        for name, function in {"shl": lax.shift_left, "shr": lax.shift_right_logical,
                               "sar": lax.shift_right_arithmetic}.items():
            add(program, name, function, x, amount)
        add(program, "neg", lax.neg, x)
        add(program, "integer_pow", lambda a: lax.integer_pow(a, 5), x)
        add(program, "clamp", lax.clamp, np.array(3, dtype), x, np.array(90, dtype))
        if dtype in SIGNED:
            add(program, "abs", lax.abs, x)
            add(program, "sign", lax.sign, x)
    flags, others = numbers(np.bool_, 64), numbers(np.bool_, 64, seed=1)
    for name, function in {"and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor,
                           "eq": lax.eq}.items():
        add("elementwise_bool", name, function, flags, others)
    add("elementwise_bool", "not", lax.bitwise_not, flags)


def tiny_floats():
    for dtype in TINY:
        program = f"tiny_{kind(dtype)}"
        # Every value of the type.
        bits = 4 if dtype == ml_dtypes.float4_e2m1fn else 8
        x = np.arange(2**bits).astype(np.uint8).view(dtype)
        if dtype == ml_dtypes.float8_e8m0fnu:  # XLA flushes the product's denormals
            x = x[100:150]
        y = np.roll(x, 37 % len(x))
        for name, function in {"add": lax.add, "mul": lax.mul, "max": lax.max, "lt": lax.lt,
                               "eq": lax.eq}.items():
            add(program, name, function, x, y)
        add(program, "to_f32", lambda a: a.astype(np.float32), x)
        if dtype != ml_dtypes.float8_e8m0fnu:
            add(program, "neg", lax.neg, x)
            add(program, "abs", lax.abs, x)
        add(program, "reshape", lambda a: a.reshape(2, -1).T, x)


def conversions():
    types = [np.bool_] + INTEGERS + TINY[:-1] + FLOATS
    for source in types:
        x = numbers(source, 67)
        for target in types + COMPLEX:
            if source == target:
                continue
            values = x
            # What the target cannot hold is decided differently from one compiler to the next.
            if np.dtype(target) in map(np.dtype, INTEGERS) and source != np.bool_:
                info = ml_dtypes.iinfo(target)
                low = 0 if source in UNSIGNED else info.min
                values = np.clip(np.nan_to_num(x.astype(np.float64)), max(low, info.min),
                                 min(info.max, 100)).astype(source)
            add(f"convert_{kind(source)}", f"to_{kind(target)}",
                lambda a, t=target: lax.convert_element_type(a, t), values)
    for source in COMPLEX:
        for target in COMPLEX:
            add(f"convert_{kind(source)}", f"to_{kind(target)}",
                lambda a, t=target: lax.convert_element_type(a, t), normal(source, 31))


def bits():
    for source, target in [(np.float32, np.int32), (np.float64, np.uint64), (np.float16, np.int16),
                           (np.float32, np.uint8), (np.float64, np.float32),
                           (np.uint32, np.uint16)]:
        add("bitcast_convert", f"{kind(source)}_to_{kind(target)}",
            lambda a, t=target: lax.bitcast_convert_type(a, t), numbers(source, 5, 6))
    for source, target in [(np.uint8, np.uint32), (np.float32, np.float64),
                           (np.int16, np.float32)]:
        ratio = np.dtype(target).itemsize // np.dtype(source).itemsize
        add("bitcast_convert", f"{kind(source)}_to_{kind(target)}",
            lambda a, t=target: lax.bitcast_convert_type(a, t), integers(np.uint8, 5, ratio *
            np.dtype(source).itemsize, high=100).view(source))


def data_movement():
    for dtype in [np.bool_, ml_dtypes.int4, np.int8, np.uint16, np.int64, ml_dtypes.float8_e5m2,
                  ml_dtypes.bfloat16, np.float32, np.float64, np.complex64, np.complex128]:
        program = f"shape_{kind(dtype)}"
        x = numbers(dtype, 4, 3, 5)
        zero = np.zeros((), dtype)
        add(program, "broadcast_in_dim", lambda a: lax.broadcast_in_dim(a, (2, 4, 3, 5), (1, 2, 3)),
            x)
        add(program, "transpose", lambda a: lax.transpose(a, (2, 0, 1)), x)
        add(program, "reshape", lambda a: lax.reshape(a, (6, 10)), x)
        add(program, "slice", lambda a: lax.slice(a, (1, 0, 1), (4, 2, 5), (2, 1, 3)), x)
        if dtype != ml_dtypes.int4:
            add(program, "reverse", lambda a: lax.rev(a, (0, 2)), x)
            add(program, "pad", lambda a, z: lax.pad(a, z, ((1, -1, 0), (0, 2, 1), (-2, 1, 2))), x,
                zero)
            add(program, "concatenate", lambda a, b: lax.concatenate([a, b, a], 1), x,
                numbers(dtype, 4, 2, 5, seed=1))
            add(program, "dynamic_slice", lambda a, i, j: lax.dynamic_slice(a, (i, j, i), (2, 2, 5)),
                x, np.int32(-3), np.int32(9))
            add(program, "dynamic_update_slice",
                lambda a, u, i: lax.dynamic_update_slice(a, u, (i, i, i)), x,
                numbers(dtype, 2, 2, 2, seed=2), np.int32(2))
            add(program, "gather", lambda a, i: jnp.take(a, i, axis=1, mode="clip"), x,
                np.int32([[2, 0], [7, -9]]))
        if dtype not in (np.bool_, ml_dtypes.int4, ml_dtypes.float8_e5m2):
            add(program, "iota", lambda a: a + lax.broadcasted_iota(np.dtype(dtype), (4, 3, 5), 1), x)


def indexing():
    for dtype in [np.int32, np.uint8, ml_dtypes.bfloat16, np.float32, np.float64, np.complex64]:
        program = f"indexing_{kind(dtype)}"
        x, i = numbers(dtype, 9, 6), np.int32([3, 0, 8, 3, 11, -20])
        rows = numbers(dtype, 6, 6, seed=1)
        tolerance = EXACT if np.dtype(dtype).kind in "iu" else Scaled(4)
        add(program, "scatter_add", lambda a, k, u: a.at[k].add(u, mode="drop"), x, i, rows,
            tolerance=tolerance)
        add(program, "scatter_set", lambda a, k, u: a.at[k].set(u, mode="drop",
                                                                unique_indices=True), x,
            np.int32([5, 1, 0, 8, 2, 30]), rows)
        add(program, "scatter_mul", lambda a, k, u: a.at[k, 2].multiply(u, mode="drop"), x, i,
            rows[0], tolerance=tolerance)
        if np.dtype(dtype).kind != "c":
            add(program, "scatter_max", lambda a, k, u: a.at[:, k].max(u, mode="drop"), x,
                np.int32([1, 1, 4, 9]), numbers(dtype, 9, 4, seed=2))
        add(program, "gather_nd", lambda a, k: a[k[:, 0], k[:, 1]], x,
            np.int32([[1, 2], [8, 5], [0, 0], [3, 4]]))
        add(program, "gather_batch",
            lambda a, k: jnp.take_along_axis(a, k, axis=1, mode="clip"), x,
            integers(np.int32, 9, 4, low=0, high=5))
        add(program, "gather_fill", lambda a, k: a.at[k].get(mode="fill", fill_value=7), x, i)


def reductions():
    for dtype in [np.int8, np.int32, np.uint64, np.float16, ml_dtypes.bfloat16, np.float32,
                  np.float64, np.complex64]:
        program = f"reduce_{kind(dtype)}"
        x = numbers(dtype, 6, 7, 11)
        exact = np.dtype(dtype).kind in "iu"
        loose = EXACT if exact else Scaled(16 if np.dtype(dtype).itemsize >= 4 else 8)
        add(program, "sum_row", lambda a: lax.reduce(a, np.zeros((), a.dtype), lax.add, (2,)), x,
            tolerance=loose)
        add(program, "sum_column", lambda a: lax.reduce(a, np.zeros((), a.dtype), lax.add, (0,)), x,
            tolerance=loose)
        add(program, "sum_all", lambda a: lax.reduce(a, np.zeros((), a.dtype), lax.add, (0, 1, 2)),
            x, tolerance=loose)
        add(program, "prod", lambda a: jnp.prod(a, axis=1, dtype=a.dtype), x,
            tolerance=loose)
        if np.dtype(dtype).kind == "c":
            continue
        add(program, "max", lambda a: jnp.max(a, axis=(0, 2)), x)
        add(program, "min", lambda a: jnp.min(a, axis=1), x)
        add(program, "argmax", lambda a: jnp.argmax(a, axis=1), x)
        add(program, "argmin", lambda a: jnp.argmin(a.reshape(-1)), x)
        add(program, "cumsum", lambda a: lax.cumsum(a, 1), x, tolerance=loose)
        add(program, "cummax", lambda a: lax.cummax(a, 2, reverse=True), x)
        add(program, "window_max", lambda a: lax.reduce_window(
            a, np.array(-np.inf if not exact else np.iinfo(dtype).min, dtype), lax.max, (1, 2, 3),
            (1, 2, 2), "SAME"), x)
        add(program, "window_sum", lambda a: lax.reduce_window(
            a, np.zeros((), dtype), lax.add, (2, 1, 3), (1, 1, 2), ((1, 0), (0, 0), (2, 1)),
            (1, 2, 1), (2, 1, 1)), x, tolerance=loose)
    flags = numbers(np.bool_, 5, 9)
    add("reduce_bool", "any", lambda a: jnp.any(a, axis=1), flags)
    add("reduce_bool", "all", lambda a: jnp.all(a, axis=0), flags)
    for dtype in [np.float32, np.float64, ml_dtypes.bfloat16]:
        add(f"reduce_{kind(dtype)}", "select_and_scatter", jax.grad(lambda a: jnp.sum(
            lax.reduce_window(a, np.array(-np.inf, a.dtype), lax.max, (1, 3, 3), (1, 2, 2), "SAME")
            * 3).astype(np.float32)), numbers(dtype, 2, 9, 8))


def contractions():
    for dtype in [np.int8, np.int32, np.uint8, np.int64, np.float16, ml_dtypes.bfloat16, np.float32,
                  np.float64, np.complex64, np.complex128]:
        program = f"contract_{kind(dtype)}"
        exact = np.dtype(dtype).kind in "iu"
        narrow = np.dtype(dtype).itemsize < 4 and not exact
        loose = EXACT if exact else Scaled(4 if narrow else 32)
        a, b = numbers(dtype, 17, 23), numbers(dtype, 23, 9, seed=1)
        add(program, "matmul", lambda x, y: lax.dot(x, y), a, b, tolerance=loose)
        add(program, "vector", lambda x, y: lax.dot(x[0], y), a, b, tolerance=loose)
        add(program, "transposed", lambda x, y: lax.dot_general(x, y, (((0,), (1,)), ((), ()))),
            a.T.copy(), b.T.copy(), tolerance=loose)
        add(program, "batched", lambda x, y: lax.dot_general(x, y, (((3, 1), (1, 2)), ((0,), (3,)))),
            numbers(dtype, 3, 4, 5, 6), numbers(dtype, 2, 6, 4, 3, seed=1), tolerance=loose)
        add(program, "outer", lambda x, y: lax.dot_general(x, y, (((), ()), ((), ()))),
            numbers(dtype, 4), numbers(dtype, 5, seed=1), tolerance=loose)
        if np.dtype(dtype).kind == "c" or dtype in (np.uint8, np.int64):
            continue
        image, kernel = numbers(dtype, 2, 8, 7, 4), numbers(dtype, 3, 2, 4, 6, seed=1)
        layout = ("NHWC", "HWIO", "NHWC")
        for name, options in {
                "plain": dict(window_strides=(1, 1), padding="SAME"),
                "strided": dict(window_strides=(2, 3), padding=((1, 2), (0, 1))),
                "dilated": dict(window_strides=(1, 2), padding=((2, 1), (3, -1)),
                                lhs_dilation=(2, 1), rhs_dilation=(1, 3)),
        }.items():
            add(program, f"conv_{name}", lambda x, k, o=options: lax.conv_general_dilated(
                x, k, dimension_numbers=layout, **o), image, kernel, tolerance=loose)
        add(program, "conv_groups", lambda x, k: lax.conv_general_dilated(
            x, k, (1, 1), "VALID", dimension_numbers=layout, feature_group_count=2), image,
            numbers(dtype, 3, 2, 2, 6, seed=2), tolerance=loose)
        add(program, "conv_depthwise", lambda x, k: lax.conv_general_dilated(
            x, k, (1, 1), "SAME", dimension_numbers=layout, feature_group_count=4), image,
            numbers(dtype, 3, 3, 1, 8, seed=3), tolerance=loose)
        add(program, "conv_batch_groups", lambda x, k: lax.conv_general_dilated(
            x, k, (1, 1), "VALID", dimension_numbers=layout, batch_group_count=2), image, kernel,
            tolerance=loose)
        add(program, "conv_1d", lambda x, k: lax.conv_general_dilated(x, k, (1,), "VALID"),
            numbers(dtype, 2, 3, 12), numbers(dtype, 5, 3, 4, seed=1), tolerance=loose)
        if not exact:
            add(program, "conv_3d", lambda x, k: lax.conv_general_dilated(x, k, (1, 2, 1), "SAME"),
                numbers(dtype, 1, 2, 5, 6, 4), numbers(dtype, 3, 2, 2, 3, 2, seed=1),
                tolerance=loose)
    for source, accumulator in [(np.int8, np.int32), (ml_dtypes.bfloat16, np.float32),
                                (np.float16, np.float32), (ml_dtypes.float8_e4m3fn, np.float32)]:
        add("contract_mixed", f"{kind(source)}_{kind(accumulator)}",
            lambda x, y, t=accumulator: lax.dot_general(x, y, (((1,), (0,)), ((), ())),
                                                        preferred_element_type=t),
            numbers(source, 9, 33), numbers(source, 33, 12, seed=1), tolerance=Scaled(32))


def order():
    for dtype in [np.bool_, np.int8, np.uint32, np.int64, np.float16, ml_dtypes.bfloat16, np.float32,
                  np.float64, np.complex64]:
        program = f"sort_{kind(dtype)}"
        x = numbers(dtype, 5, 37)
        if np.dtype(dtype).kind == "f":
            x[0, :10] = special(dtype)
        add(program, "last", lambda a: lax.sort(a, dimension=1), x)
        add(program, "first", lambda a: lax.sort(a, dimension=0), x)
        add(program, "argsort", lambda a: jnp.argsort(a, axis=1, stable=True), x)
        if dtype == np.bool_ or np.dtype(dtype).kind == "c":
            continue
        add(program, "two_keys", lambda a, b: lax.sort((a, b, a), dimension=1, num_keys=2),
            integers(np.int32, 5, 37, low=0, high=3), x)
        add(program, "top_k", lambda a: lax.top_k(a, 5), numbers(dtype, 5, 37, seed=3))


def transforms():
    for real, dtype in [(np.float32, np.complex64), (np.float64, np.complex128)]:
        program = f"fft_{kind(dtype)}"
        for n in (1, 2, 7, 16, 60, 97, 128):
            add(program, f"fft_{n}", lambda a: jnp.fft.fft(a), normal(dtype, 3, n),
                tolerance=Scaled(32))
            add(program, f"ifft_{n}", lambda a: jnp.fft.ifft(a), normal(dtype, 3, n),
                tolerance=Scaled(32))
            add(program, f"rfft_{n}", lambda a: jnp.fft.rfft(a), normal(real, 3, n),
                tolerance=Scaled(32))
        add(program, "irfft", lambda a: jnp.fft.irfft(a), normal(dtype, 3, 9), tolerance=Scaled(32))
        add(program, "fft2", lambda a: jnp.fft.fft2(a), normal(dtype, 2, 6, 10),
            tolerance=Scaled(32))
        add(program, "rfftn", lambda a: jnp.fft.rfftn(a), normal(real, 4, 5, 6),
            tolerance=Scaled(32))
        add(program, "irfftn", lambda a: jnp.fft.irfftn(a), normal(dtype, 4, 5, 6),
            tolerance=Scaled(32))


def linear_algebra():
    for dtype in [np.float32, np.float64, np.complex64, np.complex128]:
        program = f"linalg_{kind(dtype)}"
        for n in (1, 5, 33):
            a = normal(dtype, 2, n, n)
            spd = (a @ a.conj().swapaxes(-1, -2) + n * np.eye(n)).astype(dtype)
            add(program, f"cholesky_{n}", lambda m: jnp.tril(lax.linalg.cholesky(
                m, symmetrize_input=False)), spd, tolerance=Scaled(64))
        a = (normal(dtype, 2, 7, 7) + 7 * np.eye(7)).astype(dtype)
        for left in (True, False):
            for lower in (True, False):
                for transpose in (False, True):
                    for unit in (False, True):
                        b = normal(dtype, *((2, 7, 4) if left else (2, 4, 7)), seed=1)
                        name = f"solve_{'l' if left else 'r'}{'l' if lower else 'u'}" + (
                            "t" if transpose else "n") + ("1" if unit else "")
                        add(program, name, lambda m, v, l=left, w=lower, t=transpose, u=unit:
                            lax.linalg.triangular_solve(m, v, left_side=l, lower=w, transpose_a=t,
                                                        unit_diagonal=u),
                            a if not unit else a / 8, b, tolerance=Scaled(256))
        if np.dtype(dtype).kind == "c":
            add(program, "solve_adjoint", lambda m, v: lax.linalg.triangular_solve(
                m, v, left_side=True, lower=True, transpose_a=True, conjugate_a=True), a,
                normal(dtype, 2, 7, 3), tolerance=Scaled(256))


def random_numbers():
    key = np.uint32([17, 42])
    for dtype in (np.float32, np.float64, np.float16, ml_dtypes.bfloat16):
        add("random", f"uniform_{kind(dtype)}", lambda k, t=dtype: jax.random.uniform(
            k, (33,), t), key)
        add("random", f"normal_{kind(dtype)}", lambda k, t=dtype: jax.random.normal(k, (33,), t),
            key, tolerance=Ulps(64) if np.dtype(dtype).itemsize >= 4 else Ulps(2))
    add("random", "bits", lambda k: jax.random.bits(k, (5, 7), np.uint32), key)
    add("random", "randint", lambda k: jax.random.randint(k, (50,), -7, 1000), key)
    add("random", "permutation", lambda k: jax.random.permutation(k, 40), key)
    add("random", "bernoulli", lambda k: jax.random.bernoulli(k, 0.3, (64,)), key)
    for name, algorithm in [("threefry", lax.RandomAlgorithm.RNG_THREE_FRY),
                            ("philox", lax.RandomAlgorithm.RNG_PHILOX),
                            ("default", lax.RandomAlgorithm.RNG_DEFAULT)]:
        for dtype in (np.uint8, np.uint16, np.uint32, np.uint64):
            add("random_bits", f"{name}_{kind(dtype)}",
                lambda k, a=algorithm, t=dtype: lax.rng_bit_generator(k, (3, 5), t, algorithm=a),
                np.uint32([3, 0, 9, 256]))


def control():
    add("control", "while", lambda n: lax.while_loop(
        lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] * 1.25 + s[0]), (0, jnp.float32(1)))[1],
        np.int32(20), tolerance=Ulps(4))
    add("control", "scan", lambda a: lax.scan(lambda c, v: (c * 0.5 + v, c), a[0], a),
        normal(np.float32, 9, 4), tolerance=Scaled(4))
    add("control", "cond", lambda p, a: lax.cond(p, lambda v: v + 1, lambda v: v * 2, a),
        np.bool_(True), normal(np.float32, 8))
    for index in (-1, 0, 1, 2, 9):
        add("control", f"switch_{index}", lambda i, a: lax.switch(
            i, [lambda v: v + 1, lambda v: v * 2, lambda v: -v], a), np.int32(index),
            normal(np.float32, 8))
    add("control", "map", lambda a: lax.map(lambda v: jnp.sum(v * v), a), normal(np.float32, 6, 5),
        tolerance=Scaled(4))
    add("control", "custom_jvp", jax.grad(lambda a: jnp.sum(jax.nn.softplus(a) * jax.nn.gelu(a))),
        normal(np.float32, 21), tolerance=Scaled(32))
    add("control", "associative_scan", lambda a: lax.associative_scan(jnp.multiply, a),
        normal(np.float32, 13), tolerance=Scaled(8))


for family in (elementwise_floats, elementwise_complex, elementwise_integers, tiny_floats,
               conversions, bits, data_movement, indexing, reductions, contractions, order,
               transforms, linear_algebra, random_numbers, control):
    family()
