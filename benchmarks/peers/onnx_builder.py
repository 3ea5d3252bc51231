"""Builds a row's layers as nodes of an ONNX graph. Images are NCHW, as operators need them."""

import math

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper, numpy_helper

import quantization
from values import BLOCK, Gap, bf16_bits

OPSET = 21  # has Gelu, LayerNormalization, and scales of blocks
TYPES = {"f32": TensorProto.FLOAT, "bf16": TensorProto.BFLOAT16, "f16": TensorProto.FLOAT16,
         "s8": TensorProto.INT8, "s32": TensorProto.INT32, "s64": TensorProto.INT64,
         "u8": TensorProto.UINT8, "u32": TensorProto.UINT32, "c64": TensorProto.FLOAT}


class OnnxBuilder:
    """Represents values by names. `shapes` holds their shapes; those of images are NHWC. `kinds`
    holds their types; a value of c64 has a last dimension of 2 in the graph, for its parts."""

    def __init__(self):
        self.nodes, self.arrays, self.shapes, self.images, self.kinds = [], [], {}, set(), {}

    def array(self, value, kind="f32"):
        name = f"w{len(self.arrays)}"
        value = np.array(value, order="C")
        if kind == "bf16":
            self.arrays.append(helper.make_tensor(name, TYPES[kind], value.shape,
                                                  bf16_bits(value).tobytes(), raw=True))
        else:
            self.arrays.append(numpy_helper.from_array(value, name))
        return name

    def whole(self, *numbers):
        return self.array(np.array(numbers, np.int64))

    def node(self, op, inputs, shape, image=False, kind=None, outputs=1, **attributes):
        names = [f"v{len(self.nodes)}" + (f"_{i}" if i else "") for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        self.shapes[names[0]] = shape
        self.kinds[names[0]] = kind or self.kinds.get(inputs[0] if inputs else "", "f32")
        if image:
            self.images.add(names[0])
        return names[0] if outputs == 1 else names

    def like(self, op, x, *others, **attributes):
        """Adds a node whose result has the shape of x."""
        return self.node(op, [x, *others], self.shapes[x], x in self.images, **attributes)

    def operand(self, value, kind="f32"):
        return value if isinstance(value, str) else self.array(np.asarray(value, np.float32), kind)

    def constant(self, array, kind="f32"):
        name = self.array(array, kind)
        self.shapes[name], self.kinds[name] = array.shape, kind
        return name

    def shape(self, x):
        return self.shapes[x]

    def channels(self, x):
        return self.shapes[x][-1]

    def conv(self, x, kernel, bias, stride, same=True, groups=1):
        if isinstance(kernel, str):
            raise Gap("the builder of ONNX graphs takes kernels as constants only")
        weights = self.array(kernel.transpose(3, 2, 0, 1))
        return self.conv_node(x, weights, self.array(bias), kernel.shape, stride, same, groups)

    def conv_node(self, x, weights, bias, kernel_shape, stride, same, groups):
        batch, *sizes, _ = self.shapes[x]
        pad = (kernel_shape[0] - 1) // 2 if same else 0
        result = [(size + 2 * pad - kernel_shape[0]) // stride + 1 for size in sizes]
        return self.node("Conv", [x, weights, bias], (batch, *result, kernel_shape[3]), True,
                         strides=[stride] * 2, pads=[pad] * 4, group=groups)

    def depthwise(self, x, kernel, bias, stride):
        return self.conv(x, kernel, bias, stride, groups=self.channels(x))

    def max_pool(self, x, size, stride):
        batch, *sizes, features = self.shapes[x]
        pad = (size - 1) // 2
        result = [(s + 2 * pad - size) // stride + 1 for s in sizes]
        return self.node("MaxPool", [x], (batch, *result, features), True,
                         kernel_shape=[size] * 2, strides=[stride] * 2, pads=[pad] * 4)

    def dense(self, x, weights, bias):
        shape = (*self.shapes[x][:-1], weights.shape[1])
        if len(shape) == 2:
            return self.node("Gemm", [x, self.array(weights), self.array(bias)], shape)
        product = self.node("MatMul", [x, self.array(weights)], shape)
        return self.node("Add", [product, self.array(bias)], shape)

    def dot(self, x, y):
        shape = (*self.shapes[x][:-1], self.shapes[y][-1])
        if self.kinds[x] == "s8":
            return self.node("MatMulInteger", [x, y], shape, kind="s32")
        return self.node("MatMul", [x, y], shape)

    def reshape(self, x, shape):
        return self.node("Reshape", [x, self.whole(*shape)], tuple(shape))

    def permuted(self, x, order):
        return self.node("Transpose", [x], tuple(self.shapes[x][d] for d in order), perm=order)

    def split_heads(self, x, heads, order):
        batch, rows, width = self.shapes[x]
        return self.permuted(self.reshape(x, (batch, rows, heads, width // heads)), order)

    def scaled_softmax(self, scores, size, mask=None):
        scores = self.like("Mul", scores, self.array(np.array(1 / math.sqrt(size), np.float32)))
        if mask is not None:
            scores = self.like("Add", scores, self.array(mask))
        return self.softmax(scores)

    def product(self, x, y):
        return self.node("MatMul", [x, y], (*self.shapes[x][:-1], self.shapes[y][-1]))

    def attention(self, q, k, v, heads, causal):
        batch, rows, width = self.shapes[q]
        scores = self.product(self.split_heads(q, heads, (0, 2, 1, 3)),
                              self.split_heads(k, heads, (0, 2, 3, 1)))
        mask = None
        if causal:
            mask = np.triu(np.full((rows, rows), np.finfo(np.float32).min / 2, np.float32), 1)
        weights = self.scaled_softmax(scores, width // heads, mask)
        result = self.product(weights, self.split_heads(v, heads, (0, 2, 1, 3)))
        return self.reshape(self.permuted(result, (0, 2, 1, 3)), (batch, rows, width))

    def cached_attention(self, q, keys, values, key, value, heads):
        batch, _, width = self.shapes[q]
        q = self.split_heads(q, heads, (0, 2, 1, 3))
        scores = [self.product(q, self.permuted(keys, (0, 1, 3, 2))),
                  self.product(q, self.split_heads(key, heads, (0, 2, 3, 1)))]
        weights = self.scaled_softmax(self.concat(scores, -1), width // heads)
        cached = self.shapes[keys][2]
        head, shape = self.whole(0), (batch, heads, 1)
        past = self.node("Slice", [weights, head, self.whole(cached), self.whole(3)],
                         (*shape, cached))
        new = self.node("Slice", [weights, self.whole(cached), self.whole(cached + 1),
                                  self.whole(3)], (*shape, 1))
        result = self.like("Add", self.product(past, values), self.product(
            new, self.split_heads(value, heads, (0, 2, 1, 3))))
        return self.reshape(self.permuted(result, (0, 2, 1, 3)), (batch, 1, width))

    def layer_norm(self, x, scale, shift):
        return self.like("LayerNormalization", x, self.array(scale), self.array(shift), axis=-1,
                         epsilon=1e-5)

    def rms_norm(self, x, scale):
        reduced = (*self.shapes[x][:-1], 1)
        square = self.like("Pow", x, self.array(np.array(2, np.float32)))
        mean = self.node("ReduceMean", [square, self.whole(-1)], reduced)
        mean = self.like("Add", mean, self.array(np.array(1e-5, np.float32)))
        normal = self.like("Div", x, self.like("Sqrt", mean))
        return self.like("Mul", normal, self.array(scale))

    def group_norm(self, x, groups, scale, shift):
        batch, height, width, features = self.shapes[x]
        parts = self.reshape(x, (batch, groups, height * width * (features // groups)))
        ones, zeros = np.ones(groups, np.float32), np.zeros(groups, np.float32)
        parts = self.like("InstanceNormalization", parts, self.array(ones), self.array(zeros),
                          epsilon=1e-5)
        image = self.node("Reshape", [parts, self.whole(batch, features, height, width)],
                          self.shapes[x], True)
        image = self.like("Mul", image, self.array(scale.reshape(-1, 1, 1)))
        return self.like("Add", image, self.array(shift.reshape(-1, 1, 1)))

    def softmax(self, x):
        return self.like("Softmax", x, axis=-1)

    def gelu(self, x):
        return self.like("Gelu", x)

    def add(self, x, y):
        return self.like("Add", x, self.operand(y))

    def subtract(self, x, y):
        return self.like("Sub", x, self.operand(y))

    def multiply(self, x, y):
        return self.like("Mul", x, self.operand(y))

    def exp(self, x):
        return self.like("Exp", x)

    def tanh(self, x):
        return self.like("Tanh", x)

    def silu(self, x):
        return self.like("Mul", x, self.like("Sigmoid", x))

    def relu(self, x):
        return self.like("Relu", x)

    def relu6(self, x):
        return self.like("Clip", x, *(self.array(np.array(v, np.float32)) for v in (0, 6)))

    def without(self, x, axis):
        return tuple(s for d, s in enumerate(self.shapes[x]) if d != axis % len(self.shapes[x]))

    def sum(self, x, axis):
        return self.node("ReduceSum", [x, self.whole(axis)], self.without(x, axis), keepdims=0)

    def largest(self, x, axis):
        return self.node("ReduceMax", [x, self.whole(axis)], self.without(x, axis), keepdims=0)

    def arg_max(self, x, axis):
        return self.node("ArgMax", [x], self.without(x, axis), kind="s64", axis=axis, keepdims=0)

    def mean_of_image(self, x):
        batch, _, _, features = self.shapes[x]
        return self.node("ReduceMean", [x, self.whole(2, 3)], (batch, features), keepdims=0)

    def mean_of_rows(self, x):
        batch, _, features = self.shapes[x]
        return self.node("ReduceMean", [x, self.whole(1)], (batch, features), keepdims=0)

    def rows_of_image(self, x):
        batch, height, width, features = self.shapes[x]
        x = self.node("Transpose", [x], (batch, height, width, features), perm=(0, 2, 3, 1))
        return self.reshape(x, (batch, height * width, features))

    def cumsum(self, x, axis):
        return self.like("CumSum", x, self.array(np.array(axis, np.int64)))

    def transpose(self, x, order):
        return self.permuted(x, order)

    def concat(self, parts, axis):
        shape = list(self.shapes[parts[0]])
        shape[axis] = sum(self.shapes[part][axis] for part in parts)
        return self.node("Concat", list(parts), tuple(shape), axis=axis)

    def gather_rows(self, x, indices):
        return self.node("Gather", [x, indices], (*self.shapes[indices], *self.shapes[x][1:]),
                         axis=0)

    def scatter(self, x, indices, updates, **attributes):
        indices = self.node("Cast", [indices], self.shapes[indices], kind="s64", to=TYPES["s64"])
        indices = self.node("Unsqueeze", [indices, self.whole(-1)], None)
        return self.like("ScatterND", x, indices, updates, **attributes)

    def scatter_add_rows(self, x, indices, updates):
        return self.scatter(x, indices, updates, reduction="add")

    def scatter_rows(self, x, indices, updates):
        return self.scatter(x, indices, updates)

    def sort(self, x):
        count = self.shapes[x][-1]
        return self.node("TopK", [x, self.whole(count)], self.shapes[x], outputs=2, largest=0)[0]

    def top_k(self, x, count):
        shape = (*self.shapes[x][:-1], count)
        values, indices = self.node("TopK", [x, self.whole(count)], shape, outputs=2)
        self.shapes[indices], self.kinds[indices] = shape, "s64"
        return values, indices

    def fft(self, x):
        return self.like("DFT", x, "", self.array(np.array(-2, np.int64)), kind="c64")

    def real_fft(self, x):
        *rows, size = self.shapes[x]
        parts = self.node("Unsqueeze", [x, self.whole(-1)], None)
        return self.node("DFT", [parts, "", self.array(np.array(-2, np.int64))],
                         (*rows, size // 2 + 1), kind="c64", onesided=1)

    def random(self, op, size):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, [], [name], shape=[size], seed=1.0))
        self.shapes[name], self.kinds[name] = (size,), "f32"
        return name

    def uniform(self, key, size):
        return self.random("RandomUniform", size)

    def normal(self, key, size):
        return self.random("RandomNormal", size)

    def lstm(self, x, inputs, hidden, bias):
        def gates(weights):
            """Returns the gates in ONNX's order: input, output, forget, cell."""
            i, f, g, o = np.split(weights, 4, -1)
            return np.concatenate([i, o, f, g], -1).T[None]

        size, (rows, batch, _) = hidden.shape[0], self.shapes[x]
        both = np.concatenate([gates(bias), np.zeros((1, 4 * size), np.float32)], -1)
        y = self.node("LSTM", [x, self.array(gates(inputs)), self.array(gates(hidden)),
                               self.array(both)], None, hidden_size=size)
        return self.node("Squeeze", [y, self.whole(1)], (rows, batch, size))

    def quantize(self, x, scale, unsigned=False):
        zero = 0 if unsigned else 128
        scale_and_zero = [self.array(np.array(scale, np.float32)),
                          self.array(np.array(zero, np.uint8))]
        return self.like("QuantizeLinear", x, *scale_and_zero, kind="u8"), scale, scale_and_zero

    def dequantize(self, quantized):
        q, _, scale_and_zero = quantized
        return self.like("DequantizeLinear", q, *scale_and_zero, kind="f32")

    def dequantized(self, array, scales, axis):
        return self.node("DequantizeLinear", [self.array(array), self.array(scales)], array.shape,
                         kind="f32", axis=axis)

    def quantized_conv(self, x, kernel, bias, stride, groups=1):
        small, scales = kernel
        weights = self.dequantized(small.transpose(3, 2, 0, 1), scales, 0)
        whole = self.dequantized(quantization.whole_bias(bias, scales, x[1]),
                                 (scales * np.float32(x[1])).astype(np.float32), 0)
        return self.conv_node(self.dequantize(x), weights, whole, small.shape, stride, True, groups)

    def quantized_max_pool(self, x, size, stride):
        q, scale, scale_and_zero = x
        pooled = self.max_pool(self.dequantize(x), size, stride)
        q = self.like("QuantizeLinear", pooled, *scale_and_zero, kind="u8")
        return q, scale, scale_and_zero

    def quantized_dense(self, x, weights, bias):
        small, scales = weights
        product = self.product(self.dequantize(x), self.dequantized(small, scales, 1))
        return self.like("Add", product, self.array(bias))

    def dense_of_small_weights(self, x, weights, bias):
        product = self.product(x, self.dequantized(*weights, 1))
        return self.like("Add", product, self.array(bias))

    def dense_of_int4_weights(self, x, weights, bias):
        small, scales = weights
        name = self.array(small.astype(ml_dtypes.int4))
        full = self.node("DequantizeLinear", [name, self.array(scales)], small.shape, kind="f32",
                         axis=0, block_size=BLOCK)
        return self.like("Add", self.product(x, full), self.array(bias))

    def gradients(self, loss, parameters):
        raise Gap("ONNX has no operators of training")
