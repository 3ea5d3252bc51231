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


def attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


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


def fft(x):
    return lax.fft(x, "FFT", x.shape)


def cholesky(a):
    return lax.linalg.cholesky(a, symmetrize_input=False)


def triangular_solve(a, b):
    return lax.linalg.triangular_solve(a, b, left_side=True, lower=True)


def resnet18(image, *weights):
    """ResNet-18 (He et al., arXiv:1512.03385) for inference: batch norms scale and shift."""
    rest = iter(weights)

    def unit(x, stride):
        y = lax.conv_general_dilated(x, next(rest), (stride, stride), "SAME",
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return y * next(rest) + next(rest)

    x = jax.nn.relu(unit(image, 2))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    for stride in RESNET18_STRIDES:
        y = unit(jax.nn.relu(unit(x, stride)), 1)
        x = jax.nn.relu(y + (unit(x, stride) if stride > 1 else x))
    return jnp.mean(x, axis=(1, 2)) @ next(rest) + next(rest)


RESNET18_STRIDES = (1, 1, 2, 1, 2, 1, 2, 1)


def resnet18_shapes():
    def unit(window, inputs, features):
        return [Weights((window, window, inputs, features)), (features,), (features,)]

    shapes, width = [(1, 224, 224, 3), *unit(7, 3, 64)], 64
    for stride in RESNET18_STRIDES:
        features = width * stride
        shapes += [*unit(3, width, features), *unit(3, features, features)]
        if stride > 1:
            shapes += unit(1, width, features)
        width = features
    return [*shapes, Weights((width, 1000)), (1000,)]


class Weights(typing.NamedTuple):
    """A layer's f32 weights, scaled so that its output is about as large as its input."""
    shape: tuple


class Integers(typing.NamedTuple):
    """An argument of s32 in [0, limit). Arguments of f32 are given as shapes alone."""
    shape: tuple
    limit: int


class Complexes(typing.NamedTuple):
    """An argument of c64."""
    shape: tuple


class PositiveDefinite(typing.NamedTuple):
    """A symmetric matrix, far from singular. Its lower triangle serves as a triangular matrix."""
    size: int

    @property
    def shape(self):
        return (self.size, self.size)


def argument(random, shape):
    if isinstance(shape, Integers):
        return random.integers(0, shape.limit, shape.shape, np.int32)
    if isinstance(shape, Complexes):
        return random.standard_normal((*shape.shape, 2), np.float32).view(np.complex64)[..., 0]
    if isinstance(shape, Weights):
        terms = np.prod(shape.shape[:-1])
        return random.standard_normal(shape.shape, np.float32) * np.float32((2 / terms)**0.5)
    if isinstance(shape, PositiveDefinite):
        half = random.standard_normal(shape.shape, np.float32)
        return half @ half.T / shape.size + np.eye(shape.size, dtype=np.float32)
    return random.standard_normal(shape, np.float32)


def arguments(*shapes):
    random = np.random.default_rng(0)
    return [argument(random, shape) for shape in shapes]


def described(shape):
    if isinstance(shape, Integers):
        return jax.ShapeDtypeStruct(shape.shape, np.int32)
    if isinstance(shape, Complexes):
        return jax.ShapeDtypeStruct(shape.shape, np.complex64)
    if isinstance(shape, (PositiveDefinite, Weights)):
        return jax.ShapeDtypeStruct(shape.shape, np.float32)
    return jax.ShapeDtypeStruct(shape, np.float32)


# name → (function, shapes of the arguments, floating-point operations or bytes moved, unit)
PROGRAMS = {
    "sgemm": (sgemm, [(1024, 1024), (1024, 1024)], 2 * 1024**3, "GFLOP/s"),
    "conv": (conv, [(1, 56, 56, 64), (3, 3, 64, 64)], 2 * 56 * 56 * 64 * 64 * 9, "GFLOP/s"),
    "softmax": (softmax, [(1024, 1024)], 2 * 4 * 1024**2, "GB/s"),
    "attention": (attention, [(1, 1024, 8, 64)] * 3, 4 * 8 * 1024**2 * 64, "GFLOP/s"),
    "attention-long": (attention, [(1, 4096, 8, 128)] * 3, 4 * 8 * 4096**2 * 128, "GFLOP/s"),
    "elementwise": (elementwise, [(1 << 24,), (1 << 24,)], 3 * 4 * (1 << 24), "GB/s"),
    "sort": (sort, [(10**6,)], 10**6, "Gkey/s"),
    "top-k": (top_k, [(10**6,)], 10**6, "Gkey/s"),
    "top-k-lines": (top_k_lines, [(512, 4096)], 512 * 4096, "Gkey/s"),
    "scatter-add": (scatter_add, [(10**6,), Integers((10**6,), 10**6), (10**6,)], 10**6, "GFLOP/s"),
    "fft": (fft, [Complexes((1 << 20,))], 5 * 20 * 2**20, "GFLOP/s"),
    "cholesky": (cholesky, [PositiveDefinite(512)], 512**3 / 3, "GFLOP/s"),
    "triangular-solve": (triangular_solve, [PositiveDefinite(512), (512, 512)], 512**3, "GFLOP/s"),
    "resnet18": (resnet18, resnet18_shapes(), 2 * 1.82e9, "GFLOP/s"),
}


def main():
    (HERE / "programs").mkdir(exist_ok=True)
    for name, (function, shapes, _, _) in PROGRAMS.items():
        # Lowers for a TPU, because for a CPU, JAX would call LAPACK for some of these.
        lowered = jax.jit(function).trace(*map(described, shapes)).lower(
            lowering_platforms=("tpu",))
        (HERE / "programs" / f"{name}.mlir").write_text(lowered.as_text())


if __name__ == "__main__":
    main()
