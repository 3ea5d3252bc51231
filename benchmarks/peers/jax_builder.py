"""Builds a row's layers with JAX, for Halyard, XLA:CPU and IREE. Weights are constants."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import quantization
from array_builder import ArrayBuilder
from values import BLOCK

NHWC = ("NHWC", "HWIO", "NHWC")
TYPES = {"f32": jnp.float32, "bf16": jnp.bfloat16, "f16": jnp.float16, "s8": jnp.int8,
         "s32": jnp.int32, "u32": jnp.uint32, "c64": jnp.complex64}


def pads(kernel):
    return [((size - 1) // 2,) * 2 for size in kernel.shape[:2]]


class JaxBuilder(ArrayBuilder):

    def constant(self, array, kind="f32"):
        return array.astype(TYPES[kind])

    def conv(self, x, kernel, bias, stride, same=True, groups=1):
        y = lax.conv_general_dilated(x, kernel, (stride, stride), pads(kernel) if same else "VALID",
                                     dimension_numbers=NHWC, feature_group_count=groups)
        return y + bias

    def depthwise(self, x, kernel, bias, stride):
        return self.conv(x, kernel, bias, stride, groups=x.shape[-1])

    def max_pool(self, x, size, stride):
        pad = (size - 1) // 2
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, size, size, 1), (1, stride, stride, 1),
                                 ((0, 0), (pad, pad), (pad, pad), (0, 0)))

    def dense(self, x, weights, bias):
        return x @ weights + bias

    def dot(self, x, y):
        return jnp.matmul(x, y, preferred_element_type=jnp.int32 if x.dtype == jnp.int8 else None)

    def split_heads(self, x, heads):
        return x.reshape(*x.shape[:2], heads, -1)

    def attention(self, q, k, v, heads, causal):
        split = [self.split_heads(x, heads) for x in (q, k, v)]
        return jax.nn.dot_product_attention(*split, is_causal=causal).reshape(q.shape)

    def cached_attention(self, q, keys, values, key, value, heads):
        q, key, value = (self.split_heads(x, heads).transpose(0, 2, 1, 3) for x in (q, key, value))
        scores = jnp.concatenate([q @ keys.swapaxes(2, 3), q @ key.swapaxes(2, 3)], -1)
        weights = jax.nn.softmax(scores * (1 / math.sqrt(q.shape[-1])), axis=-1)
        cached = keys.shape[2]
        result = weights[..., :cached] @ values + weights[..., cached:] @ value
        return result.transpose(0, 2, 1, 3).reshape(q.shape[0], 1, -1)

    def layer_norm(self, x, scale, shift):
        mean = x.mean(-1, keepdims=True)
        centred = x - mean
        variance = (centred * centred).mean(-1, keepdims=True)
        return centred * lax.rsqrt(variance + 1e-5) * scale + shift

    def rms_norm(self, x, scale):
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale

    def group_norm(self, x, groups, scale, shift):
        y = x.reshape(*x.shape[:3], groups, -1)
        mean = y.mean((1, 2, 4), keepdims=True)
        variance = jnp.square(y - mean).mean((1, 2, 4), keepdims=True)
        return ((y - mean) * lax.rsqrt(variance + 1e-5)).reshape(x.shape) * scale + shift

    def softmax(self, x):
        return jax.nn.softmax(x, axis=-1)

    def gelu(self, x):
        return x * (lax.erf(x * (1 / math.sqrt(2))) + 1) * 0.5

    def exp(self, x):
        return jnp.exp(x)

    def tanh(self, x):
        return jnp.tanh(x)

    def silu(self, x):
        return jax.nn.silu(x)

    def relu(self, x):
        return jax.nn.relu(x)

    def relu6(self, x):
        return jnp.clip(x, 0, 6)

    def largest(self, x, axis):
        return x.max(axis)

    def transpose(self, x, order):
        return x.transpose(order)

    def concat(self, parts, axis):
        return jnp.concatenate(parts, axis)

    def gather_rows(self, x, indices):
        return x.at[indices].get(mode="clip")

    def scatter_add_rows(self, x, indices, updates):
        return x.at[indices].add(updates, mode="drop")

    def scatter_rows(self, x, indices, updates):
        return x.at[indices].set(updates, mode="drop", unique_indices=True)

    def sort(self, x):
        return lax.sort(x)

    def top_k(self, x, count):
        return lax.top_k(x, count)

    def fft(self, x):
        return jnp.fft.fft(x)

    def real_fft(self, x):
        return jnp.fft.rfft(x)

    def uniform(self, key, size):
        return jax.random.uniform(jax.random.wrap_key_data(key, impl="rbg"), (size,))

    def normal(self, key, size):
        return jax.random.normal(jax.random.wrap_key_data(key, impl="threefry2x32"), (size,))

    def lstm(self, x, inputs, hidden, bias):
        """Gates are in the order input, forget, cell, output; `inputs` is (features, 4 size)."""
        size = hidden.shape[0]

        def step(state, part):
            h, c = state
            i, f, g, o = jnp.split(part + h @ hidden, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((x.shape[1], size), x.dtype)
        return lax.scan(step, (zero, zero), x @ inputs + bias)[1]

    def quantize(self, x, scale, unsigned=False):
        zero = quantization.zero_of(unsigned)
        q = jnp.clip(jnp.round(x * (1 / scale)) + zero, -128, 127).astype(jnp.int8)
        return q, scale, zero

    def dequantize(self, quantized):
        q, scale, zero = quantized
        return (q.astype(jnp.float32) - zero) * scale

    def quantized_conv(self, x, kernel, bias, stride, groups=1):
        q, scale, zero = x
        small, scales = kernel
        if zero:
            edges = [(0, 0, 0), *((*pad, 0) for pad in pads(small)), (0, 0, 0)]
            q = lax.pad(q, jnp.int8(zero), edges)
        y = lax.conv_general_dilated(q, small, (stride, stride), "VALID" if zero else pads(small),
                                     dimension_numbers=NHWC, feature_group_count=groups,
                                     preferred_element_type=jnp.int32)
        y += quantization.whole_bias(bias, scales, scale) + quantization.correction(small, zero)
        return y.astype(jnp.float32) * (scales * np.float32(scale))

    def quantized_max_pool(self, x, size, stride):
        q, scale, zero = x
        pad = (size - 1) // 2
        return lax.reduce_window(q, np.int8(-128), lax.max, (1, size, size, 1),
                                 (1, stride, stride, 1),
                                 ((0, 0), (pad, pad), (pad, pad), (0, 0))), scale, zero

    def quantized_dense(self, x, weights, bias):
        q, scale, zero = x
        small, scales = weights
        y = jnp.matmul(q, small, preferred_element_type=jnp.int32)
        if zero:
            y += quantization.correction(small, zero)
        return y.astype(jnp.float32) * (scales * np.float32(scale)) + bias

    def dense_of_small_weights(self, x, weights, bias):
        small, scales = weights
        return (x @ jnp.asarray(small).astype(jnp.float32)) * scales + bias

    def dense_of_int4_weights(self, x, weights, bias):
        small, scales = weights
        blocks = jnp.asarray(small.astype(jnp.int4)).astype(jnp.float32).reshape(
            -1, BLOCK, small.shape[1])
        return x @ (blocks * scales[:, None]).reshape(small.shape) + bias

    def cross_entropy(self, logits, labels):
        """`labels` has a row of probabilities for each row of logits."""
        return -(labels * jax.nn.log_softmax(logits)).sum(-1).mean()

    def mean_square(self, x):
        return jnp.square(x).mean()

    def gradients(self, loss, parameters):
        return jax.grad(lambda given: loss(*given))(list(parameters))


def row_function(row, weights):
    """Returns the row as a function of its inputs."""
    return lambda *inputs: row.build(JaxBuilder(), weights.rewind(), *inputs)
