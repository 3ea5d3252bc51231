"""Computes a row's layers with NumPy in f64, slowly: what tests compare engines with."""

import math

import numpy as np

from array_builder import ArrayBuilder
from values import BLOCK


def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def windows(x, size, stride, pad, fill):
    """Returns the windows of NHWC images as (batch, height, width, channels, size, size)."""
    padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (1, 2))
    return view[:, ::stride, ::stride]


class NumpyBuilder(ArrayBuilder):

    def constant(self, array, kind="f32"):
        return array

    def conv(self, x, kernel, bias, stride, same=True, groups=1):
        size = kernel.shape[0]
        view = windows(x, size, stride, (size - 1) // 2 if same else 0, 0)
        view = view.reshape(*view.shape[:3], groups, -1, size, size)
        kernel = kernel.reshape(size, size, -1, groups, kernel.shape[3] // groups)
        y = np.einsum("bhwgcij,ijcgf->bhwgf", view, kernel)
        return y.reshape(*y.shape[:3], -1) + bias

    def depthwise(self, x, kernel, bias, stride):
        return self.conv(x, kernel, bias, stride, groups=x.shape[-1])

    def max_pool(self, x, size, stride):
        return windows(x, size, stride, (size - 1) // 2, -np.inf).max((-2, -1))

    def dense(self, x, weights, bias):
        return x @ weights + bias

    def dot(self, x, y):
        if x.dtype == np.int8:
            x, y = x.astype(np.int32), y.astype(np.int32)
        return x @ y

    def attention(self, q, k, v, heads, causal):
        q, k, v = (x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2) for x in (q, k, v))
        scores = q @ k.swapaxes(2, 3) / math.sqrt(q.shape[-1])
        if causal:
            scores = np.where(np.tri(scores.shape[2], dtype=bool), scores, -np.inf)
        result = (self.softmax(scores) @ v).swapaxes(1, 2)
        return result.reshape(*result.shape[:2], -1)

    def cached_attention(self, q, keys, values, key, value, heads):
        def joined(cache, new):
            new = new.reshape(*new.shape[:2], heads, -1).swapaxes(1, 2)
            return np.concatenate([cache, new], 2).swapaxes(1, 2).reshape(
                q.shape[0], -1, q.shape[-1])
        return self.attention(q, joined(keys, key), joined(values, value), heads, False)

    def layer_norm(self, x, scale, shift):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt(np.square(centred).mean(-1, keepdims=True) + 1e-5) * scale + shift

    def rms_norm(self, x, scale):
        return x / np.sqrt(np.square(x).mean(-1, keepdims=True) + 1e-5) * scale

    def group_norm(self, x, groups, scale, shift):
        y = x.reshape(*x.shape[:3], groups, -1)
        y = y - y.mean((1, 2, 4), keepdims=True)
        y = y / np.sqrt(np.square(y).mean((1, 2, 4), keepdims=True) + 1e-5)
        return y.reshape(x.shape) * scale + shift

    def softmax(self, x):
        y = np.exp(x - x.max(-1, keepdims=True))
        return y / y.sum(-1, keepdims=True)

    def gelu(self, x):
        return x * (erf(x / math.sqrt(2)) + 1) / 2

    def exp(self, x):
        return np.exp(x)

    def tanh(self, x):
        return np.tanh(x)

    def sigmoid(self, x):
        return 1 / (1 + np.exp(-x))

    def silu(self, x):
        return x * self.sigmoid(x)

    def relu(self, x):
        return np.maximum(x, 0)

    def relu6(self, x):
        return np.clip(x, 0, 6)

    def largest(self, x, axis):
        return x.max(axis)

    def transpose(self, x, order):
        return x.transpose(order)

    def concat(self, parts, axis):
        return np.concatenate(parts, axis)

    def gather_rows(self, x, indices):
        return x[indices]

    def scatter_add_rows(self, x, indices, updates):
        result = x.copy()
        np.add.at(result, indices, updates)
        return result

    def scatter_rows(self, x, indices, updates):
        result = x.copy()
        result[indices] = updates
        return result

    def sort(self, x):
        return np.sort(x)

    def top_k(self, x, count):
        order = np.argsort(-x, -1, kind="stable")[..., :count]
        return np.take_along_axis(x, order, -1), order

    def fft(self, x):
        return np.fft.fft(x)

    def real_fft(self, x):
        return np.fft.rfft(x)

    def uniform(self, key, size):
        return np.random.default_rng(0).random(size)

    def normal(self, key, size):
        return np.random.default_rng(0).standard_normal(size)

    def lstm(self, x, inputs, hidden, bias):
        size = hidden.shape[0]
        h = c = np.zeros((x.shape[1], size))
        result = []
        for part in x @ inputs + bias:
            i, f, g, o = np.split(part + h @ hidden, 4, -1)
            c = self.sigmoid(f) * c + self.sigmoid(i) * np.tanh(g)
            h = self.sigmoid(o) * np.tanh(c)
            result.append(h)
        return np.stack(result)

    def quantize(self, x, scale, unsigned=False):
        """Returns whole numbers of steps, between the least and the largest of s8 or u8."""
        low = 0 if unsigned else -128
        return np.clip(np.rint(x / scale), low, low + 255), scale

    def dequantize(self, quantized):
        return quantized[0] * quantized[1]

    def quantized_conv(self, x, kernel, bias, stride, groups=1):
        small, scales = kernel
        factors = (scales * np.float32(x[1])).astype(np.float64)
        sums = self.conv(x[0], small.astype(np.float64), 0, stride, groups=groups)
        return (sums + np.rint(bias / factors)) * factors

    def quantized_max_pool(self, x, size, stride):
        return self.max_pool(x[0], size, stride), x[1]

    def quantized_dense(self, x, weights, bias):
        small, scales = weights
        return x[0] @ small.astype(np.float64) * (scales * x[1]) + bias

    def dense_of_small_weights(self, x, weights, bias):
        return x @ (weights[0] * weights[1]) + bias

    def dense_of_int4_weights(self, x, weights, bias):
        small, scales = weights
        return x @ (small * np.repeat(scales, BLOCK, 0)) + bias

    def cross_entropy(self, logits, labels):
        y = logits - logits.max(-1, keepdims=True)
        y = y - np.log(np.exp(y).sum(-1, keepdims=True))
        return -(labels * y).sum(-1).mean()

    def mean_square(self, x):
        return np.square(x).mean()

    def gradients(self, loss, parameters):
        """Approximates the gradients by differences, one element after the other."""
        step, result = 1e-5, []
        parameters = [p.copy() for p in parameters]
        for parameter in parameters:
            gradient = np.empty_like(parameter)
            for at in np.ndindex(parameter.shape):
                kept = parameter[at]
                parameter[at] = kept + step
                above = loss(*parameters)
                parameter[at] = kept - step
                gradient[at] = (above - loss(*parameters)) / (2 * step)
                parameter[at] = kept
            result.append(gradient)
        return result


def reference(row, weights, inputs):
    """Returns the results of a row, as a list, in f64 where its types are floats."""
    wide = [value if value.dtype.kind in "iuc" else value.astype(np.float64) for value in inputs]
    results = row.build(NumpyBuilder(), weights.rewind(), *wide)
    results = results if isinstance(results, (tuple, list)) else [results]
    return [np.asarray(result) for result in results]
