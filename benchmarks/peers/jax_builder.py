"""Builds a network's layers with JAX. Images are NHWC, and weights are constants of the program."""

import math

import jax
import jax.numpy as jnp
from jax import lax


class JaxBuilder:

    def channels(self, x):
        return x.shape[-1]

    def conv(self, x, kernel, bias, stride, same=True, groups=1):
        y = lax.conv_general_dilated(x, kernel, (stride, stride), "SAME" if same else "VALID",
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                     feature_group_count=groups)
        return y + bias

    def depthwise(self, x, kernel, bias, stride):
        return self.conv(x, kernel, bias, stride, groups=x.shape[-1])

    def max_pool(self, x, size, stride):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, size, size, 1), (1, stride, stride, 1),
                                 "SAME")

    def dense(self, x, weights, bias):
        return x @ weights + bias

    def attention(self, q, k, v, heads, causal):
        def split(x):
            return x.reshape(*x.shape[:2], heads, -1)

        return jax.nn.dot_product_attention(split(q), split(k), split(v),
                                            is_causal=causal).reshape(q.shape)

    def layer_norm(self, x, scale, shift):
        mean = x.mean(-1, keepdims=True)
        centred = x - mean
        return centred * lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * scale + shift

    def gelu(self, x):
        return x * (lax.erf(x * (1 / math.sqrt(2))) + 1) * 0.5

    def add(self, x, y):
        return x + y

    def relu(self, x):
        return jax.nn.relu(x)

    def relu6(self, x):
        return jnp.clip(x, 0, 6)

    def mean_of_image(self, x):
        return x.mean((1, 2))

    def mean_of_rows(self, x):
        return x.mean(1)

    def rows_of_image(self, x):
        return x.reshape(x.shape[0], -1, x.shape[-1])


def network_function(network, weights):
    """Returns the network as a function of its input. JAX makes constants of the arrays."""
    return lambda x: network(JaxBuilder(), x, weights())
