#!/usr/bin/env python3
"""The programs whose speed is compared with JAX's; run in .venv-jax to write them to programs/."""

import pathlib
import typing

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = pathlib.Path(__file__).parent


def sgemm(a, b):
    return a @ b


def conv(image, kernel):
    return lax.conv_general_dilated(image, kernel, (1, 1), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def softmax(x):
    return jax.nn.softmax(x, axis=-1)


def elementwise(x, y):
    z = x * y + 0.5
    z = jnp.maximum(z, 0.1 * z) - y * y
    return jnp.sqrt(jnp.abs(z)) * jnp.where(x > y, x, y) / (1.0 + x * x)


def scatter_add(x, indices, updates):
    return x.at[indices].add(updates)


def sort(x):
    return lax.sort(x)


def top_k(x):
    return lax.top_k(x, 100)


def top_k_lines(x):
    return lax.top_k(x, 16)


class Integers(typing.NamedTuple):
    """An argument of s32 in [0, limit), beside the f32 ones that are shapes alone."""
    shape: tuple
    limit: int


def arguments(*shapes):
    random = np.random.default_rng(0)
    return [random.integers(0, shape.limit, shape.shape, np.int32) if isinstance(shape, Integers)
            else random.standard_normal(shape, np.float32) for shape in shapes]


def described(shape):
    if isinstance(shape, Integers):
        return jax.ShapeDtypeStruct(shape.shape, np.int32)
    return jax.ShapeDtypeStruct(shape, np.float32)


# name → (function, shapes of the arguments, floating-point operations or bytes moved, unit)
PROGRAMS = {
    "sgemm": (sgemm, [(1024, 1024), (1024, 1024)], 2 * 1024**3, "GFLOP/s"),
    "conv": (conv, [(1, 56, 56, 64), (3, 3, 64, 64)], 2 * 56 * 56 * 64 * 64 * 9, "GFLOP/s"),
    "softmax": (softmax, [(1024, 1024)], 2 * 4 * 1024**2, "GB/s"),
    "elementwise": (elementwise, [(1 << 24,), (1 << 24,)], 3 * 4 * (1 << 24), "GB/s"),
    "sort": (sort, [(10**6,)], 10**6, "Gkey/s"),
    "top-k": (top_k, [(10**6,)], 10**6, "Gkey/s"),
    "top-k-lines": (top_k_lines, [(512, 4096)], 512 * 4096, "Gkey/s"),
    "scatter-add": (scatter_add, [(10**6,), Integers((10**6,), 10**6), (10**6,)], 10**6, "GFLOP/s"),
}


def main():
    (HERE / "programs").mkdir(exist_ok=True)
    for name, (function, shapes, _, _) in PROGRAMS.items():
        lowered = jax.jit(function).lower(*map(described, shapes))
        (HERE / "programs" / f"{name}.mlir").write_text(lowered.as_text())


if __name__ == "__main__":
    main()
