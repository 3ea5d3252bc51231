"""Builds a network's layers as nodes of an ONNX graph. Images are NCHW, as operators need them."""

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 20  # has Gelu and LayerNormalization


class OnnxBuilder:
    """Represents values by names. `shapes` holds their shapes; those of images are NHWC."""

    def __init__(self):
        self.nodes, self.arrays, self.shapes, self.images = [], [], {}, set()

    def array(self, value):
        name = f"w{len(self.arrays)}"
        self.arrays.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind, inputs, shape, image=False, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        self.shapes[name] = shape
        if image:
            self.images.add(name)
        return name

    def channels(self, x):
        return self.shapes[x][-1]

    @staticmethod
    def same_pads(sizes, windows, stride):
        totals = [max((-(-size // stride) - 1) * stride + window - size, 0)
                  for size, window in zip(sizes, windows)]
        return [t // 2 for t in totals] + [t - t // 2 for t in totals]

    def conv(self, x, kernel, bias, stride, same=True, groups=1):
        batch, *sizes, _ = self.shapes[x]
        windows, features = kernel.shape[:2], kernel.shape[3]
        pads = self.same_pads(sizes, windows, stride) if same else [0] * 4
        result = [-(-size // stride) for size in sizes]
        weights = self.array(kernel.transpose(3, 2, 0, 1))
        return self.node("Conv", [x, weights, self.array(bias)], (batch, *result, features), True,
                         strides=[stride] * 2, pads=pads, group=groups)

    def depthwise(self, x, kernel, bias, stride):
        return self.conv(x, kernel, bias, stride, groups=self.channels(x))

    def max_pool(self, x, size, stride):
        batch, *sizes, features = self.shapes[x]
        return self.node("MaxPool", [x], (batch, *(-(-s // stride) for s in sizes), features), True,
                         kernel_shape=[size] * 2, strides=[stride] * 2,
                         pads=self.same_pads(sizes, (size, size), stride))

    def dense(self, x, weights, bias):
        shape = (*self.shapes[x][:-1], weights.shape[1])
        if len(shape) == 2:
            return self.node("Gemm", [x, self.array(weights), self.array(bias)], shape)
        product = self.node("MatMul", [x, self.array(weights)], shape)
        return self.node("Add", [product, self.array(bias)], shape)

    def reshape(self, x, shape):
        return self.node("Reshape", [x, self.array(np.array(shape, np.int64))], tuple(shape))

    def attention(self, q, k, v, heads, causal):
        batch, rows, width = self.shapes[q]
        size = width // heads

        def split(x, order):
            x = self.reshape(x, (batch, rows, heads, size))
            shape = tuple((batch, rows, heads, size)[d] for d in order)
            return self.node("Transpose", [x], shape, perm=order)

        scores = self.node("MatMul", [split(q, (0, 2, 1, 3)), split(k, (0, 2, 3, 1))],
                           (batch, heads, rows, rows))
        scale = self.array(np.array(1 / math.sqrt(size), np.float32))
        scores = self.node("Mul", [scores, scale], self.shapes[scores])
        if causal:
            mask = np.triu(np.full((rows, rows), np.finfo(np.float32).min / 2, np.float32), 1)
            scores = self.node("Add", [scores, self.array(mask)], self.shapes[scores])
        weights = self.node("Softmax", [scores], self.shapes[scores], axis=-1)
        result = self.node("MatMul", [weights, split(v, (0, 2, 1, 3))], (batch, heads, rows, size))
        result = self.node("Transpose", [result], (batch, rows, heads, size), perm=(0, 2, 1, 3))
        return self.reshape(result, (batch, rows, width))

    def layer_norm(self, x, scale, shift):
        return self.node("LayerNormalization", [x, self.array(scale), self.array(shift)],
                         self.shapes[x], axis=-1, epsilon=1e-5)

    def gelu(self, x):
        return self.node("Gelu", [x], self.shapes[x])

    def add(self, x, y):
        y = y if isinstance(y, str) else self.array(y)
        return self.node("Add", [x, y], self.shapes[x], x in self.images)

    def relu(self, x):
        return self.node("Relu", [x], self.shapes[x], x in self.images)

    def relu6(self, x):
        limits = [self.array(np.array(limit, np.float32)) for limit in (0, 6)]
        return self.node("Clip", [x, *limits], self.shapes[x], x in self.images)

    def mean_of_image(self, x):
        batch, _, _, features = self.shapes[x]
        return self.node("ReduceMean", [x, self.array(np.array([2, 3], np.int64))],
                         (batch, features), keepdims=0)

    def mean_of_rows(self, x):
        batch, _, features = self.shapes[x]
        return self.node("ReduceMean", [x, self.array(np.array([1], np.int64))], (batch, features),
                         keepdims=0)

    def rows_of_image(self, x):
        batch, height, width, features = self.shapes[x]
        x = self.node("Transpose", [x], (batch, height, width, features), perm=(0, 2, 3, 1))
        return self.reshape(x, (batch, height * width, features))


def onnx_order(value):
    """Returns an input in the order of the ONNX graph."""
    return np.ascontiguousarray(value.transpose(0, 3, 1, 2)) if value.ndim == 4 else value


def write_onnx(network, shape, weights, path):
    builder = OnnxBuilder()
    builder.shapes["x"] = shape
    if len(shape) == 4:
        builder.images.add("x")
    result = network(builder, "x", weights)
    given = onnx_order(np.empty(shape, np.int8)).shape
    write_graph(builder, path, given, result, builder.shapes[result])


def write_kernel(kernel, result_shape, path):
    """Writes the graph of a kernel's nodes, whose last value is the result."""
    builder = OnnxBuilder()
    builder.shapes["x"] = kernel.shape
    result = "x"
    for node, operands, attributes in kernel.nodes:
        result = builder.node(node, [result, *map(builder.array, operands)], None, **attributes)
    write_graph(builder, path, kernel.shape, result, result_shape)


def write_graph(builder, path, given, result, result_shape):
    graph = helper.make_graph(
        builder.nodes, path.stem, [helper.make_tensor_value_info("x", TensorProto.FLOAT, given)],
        [helper.make_tensor_value_info(result, TensorProto.FLOAT, result_shape)], builder.arrays)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    onnx.checker.check_model(model)
    onnx.save(model, path)
