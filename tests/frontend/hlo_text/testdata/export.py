#!/usr/bin/env python3
"""Writes the dumps of this folder: what XLA prints before and after its CPU passes. Needs JAX only:

    .venv-jax/bin/python tests/frontend/hlo_text/testdata/export.py

NAME.lowered.hlo is `as_hlo_text()` before any pass, NAME.compiled.hlo `Compiled.as_text()`.
"""

import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

HERE = pathlib.Path(__file__).parent
NARROW_FLOATS = (jnp.float8_e4m3fnuz, jnp.float8_e5m2fnuz, jnp.float8_e4m3b11fnuz, jnp.float8_e3m4,
                 jnp.float8_e4m3, jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float4_e2m1fn,
                 jnp.bfloat16, jnp.float16)
PROGRAMS = []


def f32(*shape):
    return jnp.ones(shape, jnp.float32)


def program(*inputs, compiled=True, lowered=True, **options):
    def add(function):
        PROGRAMS.append((function, inputs, compiled, lowered, options))
        return function
    return add


@program(f32(4, 8), f32(8, 16), f32(16))
def mlp(x, w, b):
    return jax.nn.softmax(jax.nn.gelu(x @ w + b))


@program(f32(2, 8, 8, 3), f32(3, 3, 3, 4))
def conv(x, w):
    return lax.conv_general_dilated(x, w, (2, 2), "SAME", rhs_dilation=(1, 2),
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


@program(f32(2, 8, 8, 4), f32(3, 3, 2, 4))
def conv_grouped(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), [(1, 1), (0, -1)], lhs_dilation=(2, 1),
                                    feature_group_count=2,
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


@program(jnp.float32(3))
def while_loop(x):
    return lax.while_loop(lambda s: (s[0] < 10) & (s[1] < 1e6), lambda s: (s[0] + 1, s[1] * 2),
                          (jnp.int32(0), x))


@program(f32(4))
def fori_loop(x):
    return lax.fori_loop(0, 7, lambda i, s: s * jnp.sin(s) + i, x)


@program(f32(5, 3), lowered=False)
def scan(x):
    return lax.scan(lambda c, v: (c + v, c * v), jnp.zeros(3, jnp.float32), x)


@program(f32(4, 9), jnp.zeros((4, 9), jnp.int32))
def sort(x, y):
    return lax.sort((x, y), dimension=1, num_keys=1)


@program(f32(6, 7), lowered=False)
def argmax(x):
    return jnp.argmax(x, axis=1), jnp.max(x), jnp.sum(x, axis=0)


@program(f32(1, 8, 8, 2))
def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


@program(f32(4, 9), compiled=False)
def cumsum(x):
    return jnp.cumsum(x, axis=1)


@program(f32(4), jnp.int32(1))
def switch(x, i):
    return lax.switch(i, [jnp.sin, jnp.cos, lambda x: x * 2], x)


@program(f32(4), jnp.bool_(True), lowered=False)
def cond(x, p):
    return lax.cond(p, jnp.sin, jnp.cos, x)


@program(f32(5, 6), jnp.array([1, 3]), compiled=False)
def gather(x, i):
    return x[i]


@program(f32(9, 9), jnp.int32(2))
def dynamic(x, i):
    zero = jnp.int32(0)
    return lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, zero), (2, 3)) * 2, (zero, i))


@program(jnp.ones(4, jnp.complex64))
def complexes(x):
    numbers = [1 + 2j, float("nan"), 3 - 1j * float("inf"), 1j]
    return jnp.exp(x) * jnp.array(numbers, jnp.complex64), jnp.real(x)


@program(compiled=False)
def constants():
    nan = np.array([0x7FC00001], np.uint32).view(np.float32)
    return ([jnp.array([1.5, -2, 0.5], t) for t in NARROW_FLOATS],
            jnp.array([1.0, 2], jnp.float8_e8m0fnu), jnp.array([[1, -2]], jnp.int4),
            jnp.array([1, -2], jnp.int2), jnp.array([True, False]), jnp.array(nan),
            jnp.array([[1, 2, 3], [4, 5, 6]], jnp.int8), jnp.array([2**63], jnp.uint64),
            jnp.array([float("nan"), float("inf"), -float("inf"), -0.0, 1e-42], jnp.float32),
            jnp.array([1e300 + 2j, 3]), jnp.zeros((0, 3)), np.pi)


@program(f32(4, 8), lowered=False)
def conversions(x):
    return [x.astype(t) for t in NARROW_FLOATS + (jnp.int2, jnp.uint4)]


@program(f32(4, 5))
def shapes(x):
    return (lax.pad(lax.rev(x, (0,)), jnp.float32(0), ((0, 1, 2), (-1, 0, 0))), x[::2, 1:4],
            jnp.transpose(x), jnp.concatenate([x, x], 0))


@program(jnp.arange(8, dtype=jnp.int32), compiled=False)
def integers(x):
    return (x // 3, x % 5, x << 2, lax.shift_right_logical(x, jnp.int32(1)),
            lax.population_count(x), lax.clz(x), ~x, lax.bitcast_convert_type(x, jnp.float32))


@program(f32(3, 3), lowered=False)
def cholesky(x):
    return jnp.linalg.cholesky(x)


@program(f32(4))
def barrier(x):
    return lax.optimization_barrier((x, x + 1))


@program({"a": f32(4, 8), "b": f32(4, 8)}, f32(4, 8), donate_argnums=0)
def donated(state, y):
    return {"a": state["a"] + y, "b": state["b"] * 2}, y


@program(f32(4, 8), lowered=False)
def callback(x):
    return jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((4, 8), jnp.float32), x)


@program(f32(4, 8), compiled=False)
def composite(x):
    return lax.composite(lambda x: x * 2 + 1, "my.op")(x)


@program(*[f32(2)] * 12, lowered=False)
def many_results(*xs):
    return tuple(x + 1 for x in xs)


MESH = NamedSharding(Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b")),
                     PartitionSpec("a", "b"))


@program(f32(4, 8), compiled=False, in_shardings=MESH, out_shardings=MESH)
def sharded(x):
    return lax.with_sharding_constraint(jnp.sin(x), MESH) @ x.T


def main():
    for function, inputs, compiled, lowered, options in PROGRAMS:
        lowering = jax.jit(function, **options).lower(*inputs)
        texts = {}
        if lowered:
            texts["lowered"] = lowering.compiler_ir("hlo").as_hlo_text(print_large_constants=True)
        if compiled:
            texts["compiled"] = lowering.compile().as_text()
        for kind, text in texts.items():
            text = text.replace(str(HERE) + "/", "")
            (HERE / f"{function.__name__}.{kind}.hlo").write_text(text)


if __name__ == "__main__":
    main()
