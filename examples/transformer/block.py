#!/usr/bin/env python3
"""Exports one transformer block from JAX: layer norm, causal attention, layer norm, GELU MLP.

The width is 256, with 4 heads, a sequence of 128 and a batch of 1. The weights are arguments of the
program, so that one compiled block serves every layer of a model. Needs JAX (scripts/setup_jax).
The outputs are committed beside this script:

    block.mlir      the block as StableHLO
    block.hlo       the same as HLO text
    block_io.npz    arg0: the activations; arg1, ...: the weights; out0: what JAX computes
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np

HERE = pathlib.Path(__file__).parent
WIDTH, HEADS, SEQUENCE, HIDDEN = 256, 4, 128, 1024


def layer_norm(x, scale, shift):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(jnp.square(x - mean), axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift


def attention(x, qkv, output):
    batch, sequence, width = x.shape
    q, k, v = jnp.split((x @ qkv).reshape(batch, sequence, 3 * HEADS, width // HEADS), 3, axis=2)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(width // HEADS)
    causal = jnp.tril(jnp.ones((sequence, sequence), bool))
    scores = jnp.where(causal, scores, -jnp.inf)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
    return mixed.reshape(batch, sequence, width) @ output


def transformer_block(x, scale1, shift1, qkv, output, scale2, shift2, up, up_bias, down, down_bias):
    x = x + attention(layer_norm(x, scale1, shift1), qkv, output)
    hidden = jax.nn.gelu(layer_norm(x, scale2, shift2) @ up + up_bias, approximate=True)
    return x + hidden @ down + down_bias


def arguments(seed=0):
    """Returns random weights of 4 bits of mantissa, so that the committed file compresses well."""
    random = np.random.default_rng(seed)

    def normal(*shape, scale=1.0, offset=0.0):
        values = (random.standard_normal(shape) * scale + offset).astype(np.float32)
        return (values.view(np.uint32) & np.uint32(0xFFF80000)).view(np.float32)

    return [
        normal(1, SEQUENCE, WIDTH),
        normal(WIDTH, scale=0.1, offset=1), normal(WIDTH, scale=0.1),
        normal(WIDTH, 3 * WIDTH, scale=WIDTH**-0.5), normal(WIDTH, WIDTH, scale=WIDTH**-0.5),
        normal(WIDTH, scale=0.1, offset=1), normal(WIDTH, scale=0.1),
        normal(WIDTH, HIDDEN, scale=WIDTH**-0.5), normal(HIDDEN, scale=0.1),
        normal(HIDDEN, WIDTH, scale=HIDDEN**-0.5), normal(WIDTH, scale=0.1),
    ]


def main():
    values = arguments()
    function = jax.jit(transformer_block)
    lowered = function.lower(*values)
    (HERE / "block.mlir").write_text(lowered.as_text())
    hlo = lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True)
    (HERE / "block.hlo").write_text(hlo)
    arrays = {f"arg{i}": value for i, value in enumerate(values)}
    np.savez_compressed(HERE / "block_io.npz", **arrays, out0=np.asarray(function(*values)))


if __name__ == "__main__":
    main()
