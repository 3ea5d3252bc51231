#!/usr/bin/env python3
"""Writes the programs of this folder: one of each family of ops, in sizes that a GPU is used for.

    .venv-jax/bin/python tests/data/families/make.py

What they are for: families_test.cc compiles them for every described device.
"""
import functools
import pathlib

import jax
import jax.numpy as jnp
from jax import lax

HERE = pathlib.Path(__file__).resolve().parent
f16, bf16, f32, f64, s8, s32 = (jnp.float16, jnp.bfloat16, jnp.float32, jnp.float64, jnp.int8,
                                jnp.int32)


def of(shape, dtype=f32):
    return jax.ShapeDtypeStruct(shape, dtype)


def dot(a, b, out=f32, precision=None):
    return lax.dot_general(a, b, (((a.ndim - 1,), (b.ndim - 2,)),
                                  (tuple(range(a.ndim - 2)),) * 2),
                           precision=precision, preferred_element_type=out)


def conv(x, w, groups=1, out=None, precision=None):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", feature_group_count=groups,
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                    preferred_element_type=out, precision=precision)


def attention(q, k, v):
    s = jnp.einsum("bhqd,bhkd->bhqk", q, k, preferred_element_type=f32) * q.shape[-1] ** -0.5
    p = jax.nn.softmax(s, axis=-1).astype(q.dtype)
    return jnp.einsum("bhqk,bhkd->bhqd", p, v, preferred_element_type=f32).astype(q.dtype)


def layer_norm(x, scale, bias):
    mean = x.mean(-1, keepdims=True)
    variance = jnp.square(x - mean).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


def batch_norm(x, scale, bias):
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias, mean, variance


def pool(x, init, op):
    return lax.reduce_window(x, init, op, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def chain(x, y):
    for _ in range(4):
        x = jnp.tanh(x * y) + jnp.exp(-jnp.abs(x)) * 0.5
    return x


def lstm_step(state, x, w):
    h, c = state
    i, f, g, o = jnp.split(dot(jnp.concatenate([x, h], -1), w), 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return (jax.nn.sigmoid(o) * jnp.tanh(c), c), h


def lstm(h, c, xs, w):
    return lax.scan(lambda s, x: lstm_step(s, x, w), (h, c), xs)


TF32 = lax.DotAlgorithmPreset.TF32_TF32_F32
SQUARE = (1024, 1024)
IMAGE = (8, 56, 56, 64)
HEADS = (2, 8, 1024, 64)

PROGRAMS = {
    "gemm_f32": (dot, of(SQUARE), of(SQUARE)),
    "gemm_tf32": (functools.partial(dot, precision=TF32), of(SQUARE), of(SQUARE)),
    "gemm_f16": (dot, of(SQUARE, f16), of(SQUARE, f16)),
    "gemm_bf16": (dot, of(SQUARE, bf16), of(SQUARE, bf16)),
    "gemm_s8": (functools.partial(dot, out=s32), of(SQUARE, s8), of(SQUARE, s8)),
    "gemm_f64": (functools.partial(dot, out=f64), of((256, 256), f64), of((256, 256), f64)),
    "gemm_ragged_bf16": (dot, of((1000, 777), bf16), of((777, 1234), bf16)),
    "gemm_vector": (dot, of((1, 4096)), of((4096, 4096))),
    "gemm_tall": (dot, of((65536, 32)), of((32, 64))),
    "gemm_long_k": (dot, of((64, 65536)), of((65536, 64))),
    "gemm_batched_bf16": (dot, of((16, 512, 64), bf16), of((16, 64, 512), bf16)),
    "gemm_bias_gelu_f16": (lambda a, b, c: jax.nn.gelu(dot(a, b) + c).astype(f16),
                           of(SQUARE, f16), of(SQUARE, f16), of((1024,))),
    "gemm_transposed_f16": (lambda a, b: dot(a.T, b.T), of(SQUARE, f16), of(SQUARE, f16)),
    "conv_f32": (conv, of(IMAGE), of((3, 3, 64, 64))),
    "conv_f16": (functools.partial(conv, out=f32), of(IMAGE, f16), of((3, 3, 64, 64), f16)),
    "conv_bf16": (functools.partial(conv, out=f32), of(IMAGE, bf16), of((3, 3, 64, 64), bf16)),
    "conv_s8": (functools.partial(conv, out=s32), of(IMAGE, s8), of((3, 3, 64, 64), s8)),
    "conv_1x1_bf16": (functools.partial(conv, out=f32), of(IMAGE, bf16),
                      of((1, 1, 64, 256), bf16)),
    "conv_depthwise": (functools.partial(conv, groups=64), of(IMAGE), of((3, 3, 1, 64))),
    "attention_f32": (attention, of(HEADS), of(HEADS), of(HEADS)),
    "attention_f16": (attention, of(HEADS, f16), of(HEADS, f16), of(HEADS, f16)),
    "attention_bf16": (attention, of(HEADS, bf16), of(HEADS, bf16), of(HEADS, bf16)),
    "softmax": (lambda x: jax.nn.softmax(x, axis=-1), of((4096, 1024))),
    "softmax_bf16": (lambda x: jax.nn.softmax(x, axis=-1), of((4096, 1024), bf16)),
    "log_sum_exp": (lambda x: jax.nn.logsumexp(x, axis=-1), of((4096, 1024))),
    "layer_norm": (layer_norm, of((4096, 1024)), of((1024,)), of((1024,))),
    "batch_norm": (batch_norm, of(IMAGE), of((64,)), of((64,))),
    "reduce_row": (lambda x: x.sum(-1), of((4096, 1024))),
    "reduce_column": (lambda x: x.sum(0), of((4096, 1024))),
    "reduce_all": (lambda x: x.sum(), of((16777216,))),
    "arg_max": (lambda x: jnp.argmax(x, axis=-1), of((4096, 1024))),
    "elementwise": (chain, of((1 << 22,)), of((1 << 22,))),
    "elementwise_bf16": (chain, of((1 << 22,), bf16), of((1 << 22,), bf16)),
    "elementwise_f64": (chain, of((1 << 16,), f64), of((1 << 16,), f64)),
    "integers": (lambda x, y: (x * y + (x // (y | 1)) ^ (x >> 3)).astype(jnp.int16),
                 of((1 << 20,), s32), of((1 << 20,), s32)),
    "complex": (lambda x, y: jnp.exp(x * y) + jnp.conj(x), of((1 << 18,), jnp.complex64),
                of((1 << 18,), jnp.complex64)),
    "transpose": (lambda x: x.T, of((4096, 2048))),
    "transpose_4d": (lambda x: x.transpose(0, 3, 1, 2), of(IMAGE)),
    "data_movement": (lambda x, y: jnp.pad(jnp.concatenate([x[::-1], y[3:700]]), ((1, 2), (0, 5))),
                      of(SQUARE), of(SQUARE)),
    "cumulative_sum": (lambda x: jnp.cumsum(x, axis=-1), of((64, 65536))),
    "sort": (lambda x: jnp.sort(x), of((1 << 17,))),
    "sort_pairs": (lambda x, y: lax.sort_key_val(x, y), of((256, 1000)), of((256, 1000), s32)),
    "top_k": (lambda x: lax.top_k(x, 32), of((64, 10000))),
    "gather": (lambda x, i: jnp.take(x, i, axis=0, mode="clip"), of((50000, 256)),
               of((4096,), s32)),
    "scatter_add": (lambda x, i, u: x.at[i].add(u), of((50000, 64)), of((4096,), s32),
                    of((4096, 64))),
    "update_slice": (lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i * 0)), of((8192, 256)),
                     of((16, 256)), of((), s32)),
    "max_pool": (functools.partial(pool, init=-jnp.inf, op=lax.max), of(IMAGE)),
    "max_pool_gradient": (jax.grad(lambda x: pool(x, -jnp.inf, lax.max).sum()), of(IMAGE)),
    "random": (lambda k: jax.random.normal(jax.random.wrap_key_data(k), (1 << 18,), f32),
               of((2,), jnp.uint32)),
    "fft": (jnp.fft.fft, of((64, 4096), jnp.complex64)),
    "cholesky": (lambda x: lax.linalg.cholesky(x, symmetrize_input=False), of((256, 256))),
    "triangular_solve": (lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True),
                         of((256, 256)), of((256, 64))),
    "lstm": (lstm, of((16, 256)), of((16, 256)), of((20, 16, 128)), of((384, 1024))),
}


def main():
    jax.config.update("jax_enable_x64", True)
    for old in HERE.glob("*.mlir"):
        old.unlink()
    for name, (function, *arguments) in PROGRAMS.items():
        # As for TPUs: no calls of vendors' libraries in it.
        exported = jax.export.export(jax.jit(function), platforms=["tpu"])(*arguments)
        (HERE / f"{name}.mlir").write_text(
            exported.mlir_module().replace(str(HERE) + "/", ""))
    print(f"{len(PROGRAMS)} programs")


main()
