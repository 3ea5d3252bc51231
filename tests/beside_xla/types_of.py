"""Element types by NumPy's and ml_dtypes' names, and values of them."""

import pathlib
import sys

import ml_dtypes
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "jax"))
from stored_arrays import numbered_arrays, numbered_entries

F8 = ("float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz",
      "float8_e5m2", "float8_e5m2fnuz")
TINY = F8 + ("float4_e2m1fn", "float8_e8m0fnu")
FLOATS = ("float32", "float64", "float16", "bfloat16")
COMPLEX = ("complex64", "complex128")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
# XLA's CPU compiler aborts on many ops of these.
NARROW = ("int2", "int4", "uint2", "uint4")


def named(name):
    return np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)


def is_float(dtype):
    return np.dtype(dtype).kind == "f" or np.dtype(dtype).name in TINY + ("bfloat16",)


def is_integer(dtype):
    return np.dtype(dtype).name in INTEGERS + NARROW


def is_complex(dtype):
    return np.dtype(dtype).kind == "c"


def highest(dtype):
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return np.True_
    if is_integer(dtype):
        return np.array(ml_dtypes.iinfo(dtype).max).astype(dtype)
    infinity = np.array(np.inf).astype(dtype)
    return infinity if np.isinf(infinity.astype(np.float32)) else ml_dtypes.finfo(dtype).max


def lowest(dtype):
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return np.False_
    if is_integer(dtype):
        return np.array(ml_dtypes.iinfo(dtype).min).astype(dtype)
    infinity = np.array(-np.inf).astype(dtype)
    return infinity if np.isinf(infinity.astype(np.float32)) else ml_dtypes.finfo(dtype).min


def _specials(dtype):
    if is_integer(dtype):
        info = ml_dtypes.iinfo(dtype)
        return [info.min, info.max, 0, 1, max(info.min, -1), info.max - 1]
    info = ml_dtypes.finfo(dtype)
    numbers = [np.nan, np.inf, -np.inf, 0.0, -0.0, float(info.max), float(info.min),
               float(info.smallest_subnormal), -float(info.smallest_subnormal), float(info.tiny)]
    return numbers


def with_specials(values, generator, density):
    """Some elements replaced by NaN, infinities, zeros, denormals, extremes."""
    if values.dtype == np.bool_ or values.size == 0 or density == 0:
        return values
    if is_complex(values.dtype):
        parts = values.reshape(-1).view(values.real.dtype)
        return with_specials(parts, generator, density / 2).view(values.dtype).reshape(values.shape)
    flat = values.reshape(-1).copy()
    specials = np.array(_specials(values.dtype)).astype(values.dtype)
    chosen = generator.random(flat.size) < density
    if density < 0.05:  # one at least
        chosen[generator.integers(flat.size)] = True
    flat[chosen] = specials[generator.integers(len(specials), size=int(chosen.sum()))]
    return flat.reshape(values.shape)


def ordinary(dtype, shape, generator):
    """Small values, most of them exact in few bits."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return generator.integers(0, 2, shape).astype(bool)
    if is_integer(dtype):
        info = ml_dtypes.iinfo(dtype)
        if generator.random() < 0.15:  # any bits
            wide = generator.integers(info.min, info.max, shape, np.int64 if info.min < 0 else
                                      np.uint64, endpoint=True)
            return wide.astype(dtype)
        low, high = max(info.min, -9), min(info.max, 12)
        return generator.integers(low, high, shape, endpoint=True).astype(dtype)
    if is_complex(dtype):
        part = np.dtype("float32" if dtype == np.complex64 else "float64")
        pair = [ordinary(part, shape, generator) for _ in range(2)]
        return (pair[0] + 1j * pair[1]).astype(dtype)
    way = generator.random()
    if way < 0.5:  # quarters
        values = generator.integers(-12, 13, shape) / 4
    elif way < 0.9:
        values = np.round(generator.standard_normal(shape) * 64) / 64
    else:
        values = generator.standard_normal(shape) * 10.0 ** generator.integers(-3, 4)
    return values.astype(np.float32).astype(dtype) if dtype.itemsize < 4 else values.astype(dtype)


def save(path, prefix, arrays):
    np.savez(path, **numbered_entries(prefix, arrays))


def load(path, prefix):
    """The arrays PREFIX0, PREFIX1, … of a file."""
    return numbered_arrays(np.load(path), prefix)
