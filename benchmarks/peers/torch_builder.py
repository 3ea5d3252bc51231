"""Builds a row's layers with PyTorch. Weights are constants, made in the first call.

Images stay NHWC in memory: a convolution sees them as NCHW in the format channels_last.
"""

import math

import numpy as np
import torch
from torch.nn import functional

from array_builder import ArrayBuilder
from values import BLOCK, Gap

TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "s8": torch.int8,
         "s32": torch.int32, "u32": torch.uint32, "c64": torch.complex64}


def to_images(x):
    return x.permute(0, 3, 1, 2)


def from_images(x):
    return x.permute(0, 2, 3, 1)


class PendingConv:
    """A convolution of int8 whose activation and quantization are not known yet."""

    def __init__(self, operands, activation="none"):
        self.operands, self.activation = operands, activation

    def relu(self):
        return PendingConv(self.operands, "relu")

    def run(self, scale, zero, kind):
        return from_images(torch.ops.onednn.qconv_pointwise(
            *self.operands, scale, zero, kind, self.activation, [], ""))


class TorchBuilder(ArrayBuilder):

    def __init__(self):
        self.constants = {}

    def kept(self, array, kind, make):
        """Returns make(array), made once. An array is known by its identity, so it is kept, too."""
        key = (id(array), kind)
        if key not in self.constants:
            self.constants[key] = (array, make(array))
        return self.constants[key][1]

    def constant(self, array, kind="f32"):
        return self.kept(array, kind,
                         lambda a: torch.from_numpy(np.ascontiguousarray(a)).to(TYPES[kind]))

    def tensor(self, value):
        return self.constant(value) if isinstance(value, np.ndarray) else value

    def kernel(self, value):
        """Returns a kernel of HWIO as OIHW."""
        if not isinstance(value, np.ndarray):
            return value.permute(3, 2, 0, 1)
        return self.kept(value, "kernel", lambda a: torch.from_numpy(a.transpose(3, 2, 0, 1).copy())
                         .contiguous(memory_format=torch.channels_last))

    def conv(self, x, kernel, bias, stride, same=True, groups=1):
        pad = (kernel.shape[0] - 1) // 2 if same else 0
        return from_images(functional.conv2d(to_images(x), self.kernel(kernel), self.tensor(bias),
                                             stride, pad, 1, groups))

    def depthwise(self, x, kernel, bias, stride):
        return self.conv(x, kernel, bias, stride, groups=x.shape[-1])

    def max_pool(self, x, size, stride):
        return from_images(functional.max_pool2d(to_images(x), size, stride, (size - 1) // 2))

    def transposed(self, weights):
        """Returns weights of (inputs, features) as torch's layers take them."""
        if not isinstance(weights, np.ndarray):
            return weights.t()
        return self.kept(weights, "transposed", lambda a: torch.from_numpy(a.T.copy()))

    def dense(self, x, weights, bias):
        return functional.linear(x, self.transposed(weights), self.tensor(bias))

    def dot(self, x, y):
        if x.dtype != torch.int8:
            return x @ y
        if x.ndim > 2:
            raise Gap("PyTorch has no batched product of int8")
        return torch._int_mm(x, y)

    def split_heads(self, x, heads):
        return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)

    def joined_heads(self, x):
        return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)

    def attention(self, q, k, v, heads, causal):
        split = [self.split_heads(x, heads) for x in (q, k, v)]
        return self.joined_heads(functional.scaled_dot_product_attention(*split, is_causal=causal))

    def cached_attention(self, q, keys, values, key, value, heads):
        q, key, value = (self.split_heads(x, heads) for x in (q, key, value))
        scores = torch.cat([q @ keys.transpose(2, 3), q @ key.transpose(2, 3)], -1)
        weights = torch.softmax(scores * (1 / math.sqrt(q.shape[-1])), -1)
        cached = keys.shape[2]
        return self.joined_heads(weights[..., :cached] @ values + weights[..., cached:] @ value)

    def layer_norm(self, x, scale, shift):
        return functional.layer_norm(x, x.shape[-1:], self.tensor(scale), self.tensor(shift))

    def rms_norm(self, x, scale):
        return functional.rms_norm(x, x.shape[-1:], self.tensor(scale), 1e-5)

    def group_norm(self, x, groups, scale, shift):
        return from_images(functional.group_norm(to_images(x), groups, self.tensor(scale),
                                                 self.tensor(shift)))

    def softmax(self, x):
        return torch.softmax(x, -1)

    def gelu(self, x):
        return functional.gelu(x)

    def add(self, x, y):
        return x + self.tensor(y)

    def subtract(self, x, y):
        return x - self.tensor(y)

    def multiply(self, x, y):
        return x * self.tensor(y)

    def exp(self, x):
        return torch.exp(x)

    def tanh(self, x):
        return torch.tanh(x)

    def silu(self, x):
        return functional.silu(x)

    def relu(self, x):
        return x.relu()

    def relu6(self, x):
        return functional.hardtanh(x, 0, 6)

    def largest(self, x, axis):
        return x.amax(axis)

    def transpose(self, x, order):
        return x.permute(order).contiguous()

    def concat(self, parts, axis):
        return torch.cat(list(parts), axis)

    def gather_rows(self, x, indices):
        return x.index_select(0, indices)

    def scatter_add_rows(self, x, indices, updates):
        return x.index_add(0, indices, updates)

    def scatter_rows(self, x, indices, updates):
        return x.index_copy(0, indices.long(), updates)

    def sort(self, x):
        return torch.sort(x, -1).values

    def top_k(self, x, count):
        return tuple(torch.topk(x, count))

    def fft(self, x):
        return torch.fft.fft(x)

    def real_fft(self, x):
        return torch.fft.rfft(x)

    def uniform(self, key, size):
        return torch.rand(size)

    def normal(self, key, size):
        return torch.randn(size)

    def lstm(self, x, inputs, hidden, bias):
        none = self.kept(bias, "no bias", lambda a: torch.zeros(len(a)))
        zero = self.kept(hidden, f"state of {x.shape[1]}",
                         lambda a: torch.zeros(1, x.shape[1], len(a)))
        weights = [self.transposed(inputs), self.transposed(hidden), self.tensor(bias), none]
        return torch.lstm(x, (zero, zero), weights, True, 1, 0.0, False, False, False)[0]

    def quantize(self, x, scale, unsigned=False):
        zero = 0 if unsigned else 128
        if isinstance(x, PendingConv):
            return x.run(scale, zero, torch.uint8), scale, zero
        steps = torch.round(x * (1 / scale)) + zero
        return torch.clamp(steps, 0, 255).to(torch.uint8), scale, zero

    def dequantize(self, quantized):
        q, scale, zero = quantized
        return (q.to(torch.float32) - zero) * scale

    def zeros(self, scales):
        return self.kept(scales, "zeros", lambda a: torch.zeros(len(a), dtype=torch.int64))

    def quantized_conv(self, x, kernel, bias, stride, groups=1):
        q, scale, zero = x
        small, scales = kernel
        pad, q = (small.shape[0] - 1) // 2, to_images(q)
        sizes = [[stride] * 2, [pad] * 2, [1, 1], groups]
        factors = self.constant(scales)
        packed = self.kept(small, "packed", lambda a: torch.ops.onednn.qconv_prepack(
            torch.from_numpy(a.transpose(3, 2, 0, 1).copy()), factors, scale, zero, *sizes,
            list(q.shape)))
        return PendingConv([q, scale, zero, packed, factors, self.zeros(scales), self.tensor(bias),
                            *sizes])

    def quantized_max_pool(self, x, size, stride):
        q, scale, zero = x
        pad = (size - 1) // 2  # functional.max_pool2d takes small images of u8 only
        pooled = torch.ops.quantized.max_pool2d(to_images(q), [size] * 2, [stride] * 2, [pad] * 2,
                                                [1, 1], False)
        return from_images(pooled), scale, zero

    def quantized_dense(self, x, weights, bias):
        q, scale, zero = x
        small, scales = weights
        rows = q.reshape(-1, q.shape[-1])
        packed = self.kept(small, "packed", lambda a: torch.ops.onednn.qlinear_prepack(
            torch.from_numpy(a.T.copy()), list(rows.shape)))
        y = torch.ops.onednn.qlinear_pointwise(
            rows, scale, zero, packed, self.constant(scales), self.zeros(scales), self.tensor(bias),
            1.0, 0, torch.float32, "none", [], "")
        return y.reshape(*q.shape[:-1], -1)

    def dense_of_small_weights(self, x, weights, bias):
        small, scales = weights
        product = x @ self.constant(small, "s8").to(x.dtype)
        return product * self.tensor(scales) + self.tensor(bias)

    def dense_of_int4_weights(self, x, weights, bias):
        small, scales = weights
        packed = self.kept(small, "packed", lambda a:
                           torch.ops.aten._convert_weight_to_int4pack_for_cpu(
                               torch.from_numpy(a.T.astype(np.int32) + 8), 1))
        scales_and_zeros = self.kept(scales, "and zeros", lambda a: torch.from_numpy(
            np.stack([a, np.zeros_like(a)], -1)))
        y = torch.ops.aten._weight_int4pack_mm_for_cpu(x.reshape(-1, x.shape[-1]), packed, BLOCK,
                                                       scales_and_zeros)
        return y.reshape(*x.shape[:-1], -1) + self.tensor(bias)

    def cross_entropy(self, logits, labels):
        return functional.cross_entropy(logits, labels)

    def mean_square(self, x):
        return x.square().mean()

    def gradients(self, loss, parameters):
        with torch.enable_grad():
            given = [p.detach().requires_grad_() for p in parameters]
            return torch.autograd.grad(loss(*given), given)


def row_function(row, weights):
    """Returns the row as a function of its inputs."""
    builder = TorchBuilder()
    return lambda *inputs: row.build(builder, weights.rewind(), *inputs)
