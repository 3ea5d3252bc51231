#!/usr/bin/env python3
"""The 12 kernels whose schedules are compared (tuned_kernels.py); run in .venv-jax to write them to
kernels/."""

import pathlib
import typing

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = pathlib.Path(__file__).parent


class Kernel(typing.NamedTuple):
    function: typing.Callable
    arguments: list  # (shape, dtype)
    work: float  # operations, or bytes that must be moved
    unit: str


def product(a, b):
    return a @ b


def int8_product(a, b):
    return lax.dot(a, b, preferred_element_type=jnp.int32)


def conv(image, kernel):
    return lax.conv_general_dilated(image, kernel, (1, 1), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def depthwise(image, kernel):
    return lax.conv_general_dilated(image, kernel, (1, 1), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                    feature_group_count=image.shape[-1])


def softmax(x):
    return jax.nn.softmax(x, axis=-1)


def layer_norm(x, scale, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(jnp.square(x - mean), axis=-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


def transpose(x):
    return x.T


def reduce_all(x):
    return jnp.sum(x)


def elementwise(x, y):
    z = x * y + 0.5
    z = jnp.maximum(z, 0.1 * z) - y * y
    return jnp.sqrt(jnp.abs(z)) * jnp.where(x > y, x, y) / (1.0 + x * x)


def f32(*shape):
    return (shape, np.float32)


KERNELS = {
    "sgemm-128": Kernel(product, [f32(128, 128)] * 2, 2 * 128**3, "GFLOP/s"),
    "sgemm-1024": Kernel(product, [f32(1024, 1024)] * 2, 2 * 1024**3, "GFLOP/s"),
    "batched-gemm": Kernel(product, [f32(16, 128, 64), f32(16, 64, 128)], 2 * 16 * 128 * 64 * 128,
                           "GFLOP/s"),
    "int8-gemm": Kernel(int8_product, [((512, 512), np.int8)] * 2, 2 * 512**3, "GFLOP/s"),
    "conv-3x3": Kernel(conv, [f32(1, 56, 56, 64), f32(3, 3, 64, 64)], 2 * 56**2 * 64**2 * 9,
                       "GFLOP/s"),
    "conv-1x1": Kernel(conv, [f32(1, 56, 56, 64), f32(1, 1, 64, 256)], 2 * 56**2 * 64 * 256,
                       "GFLOP/s"),
    "depthwise": Kernel(depthwise, [f32(1, 56, 56, 128), f32(3, 3, 1, 128)], 2 * 56**2 * 128 * 9,
                        "GFLOP/s"),
    "softmax": Kernel(softmax, [f32(1024, 1024)], 2 * 4 * 1024**2, "GB/s"),
    "layer-norm": Kernel(layer_norm, [f32(1024, 1024), f32(1024), f32(1024)], 2 * 4 * 1024**2,
                         "GB/s"),
    "transpose": Kernel(transpose, [f32(2048, 2048)], 2 * 4 * 2048**2, "GB/s"),
    "reduce-all": Kernel(reduce_all, [f32(4096, 1024)], 4 * 4096 * 1024, "GB/s"),
    "elementwise": Kernel(elementwise, [f32(1 << 22)] * 2, 3 * 4 * (1 << 22), "GB/s"),
}


def values(kernel):
    """Returns the kernel's arguments, with the same numbers every time."""
    random = np.random.default_rng(0)
    return [random.integers(-128, 128, shape, dtype) if dtype == np.int8
            else random.standard_normal(shape, dtype) for shape, dtype in kernel.arguments]


def main():
    (HERE / "kernels").mkdir(exist_ok=True)
    for name, kernel in KERNELS.items():
        lowered = jax.jit(kernel.function).lower(
            *(jax.ShapeDtypeStruct(*argument) for argument in kernel.arguments))
        (HERE / "kernels" / f"{name}.mlir").write_text(lowered.as_text())


if __name__ == "__main__":
    main()
