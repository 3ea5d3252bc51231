"""Single kernels that are bound by memory, as a JAX function and as nodes of an ONNX graph.

Each kernel takes one array of f32. The nodes form a chain from `x` to the result. The other
operands of a node are constants, which the JAX function takes from the same arrays. The functions
import JAX, so that only the processes that call them load it.
"""

import typing

import numpy as np


class Kernel(typing.NamedTuple):
    shape: tuple
    function: typing.Callable
    nodes: list  # (operator, constant operands, attributes)
    read: int = 0  # bytes that must be read; 0 stands for the whole input


def softmax(*shape):
    def function(x):
        import jax
        return jax.nn.softmax(x, axis=-1)

    return Kernel(shape, function, [("Softmax", [], {"axis": -1})])


def layer_norm(*shape):
    random = np.random.default_rng(2)
    scale, shift = random.standard_normal((2, shape[-1]), np.float32)

    def function(x):
        from jax_builder import JaxBuilder
        return JaxBuilder().layer_norm(x, scale, shift)

    return Kernel(shape, function,
                  [("LayerNormalization", [scale, shift], {"axis": -1, "epsilon": 1e-5})])


def cumulative_sum(axis, *shape):
    def function(x):
        import jax.numpy as jnp
        return jnp.cumsum(x, axis)

    return Kernel(shape, function, [("CumSum", [np.array(axis, np.int64)], {})])


def transpose(order, *shape):
    return Kernel(shape, lambda x: x.transpose(order), [("Transpose", [], {"perm": order})])


def chain(size):
    """tanh(exp(0.1 x) - 1) + 0.1"""
    scale, one = np.float32(0.1), np.float32(1)

    def function(x):
        import jax.numpy as jnp
        return jnp.tanh(jnp.exp(x * scale) - one) + scale

    return Kernel((size,), function, [("Mul", [scale], {}), ("Exp", [], {}), ("Sub", [one], {}),
                                      ("Tanh", [], {}), ("Add", [scale], {})])


def total(axis, *shape):
    return Kernel(shape, lambda x: x.sum(axis),
                  [("ReduceSum", [np.array([axis], np.int64)], {"keepdims": 0})])


def gather_rows(count, *shape):
    rows = np.random.default_rng(3).integers(0, shape[0], count, np.int32)
    return Kernel(shape, lambda x: x[rows], [("Gather", [rows], {"axis": 0})],
                  read=len(np.unique(rows)) * shape[1] * 4)


KERNELS = {
    "softmax-1024x1024": softmax(1024, 1024),
    "softmax-64x32768": softmax(64, 32768),
    "softmax-12x128x128": softmax(12, 128, 128),
    "layer-norm-4096x768": layer_norm(4096, 768),
    "cumsum-last": cumulative_sum(1, 1024, 4096),
    "cumsum-first": cumulative_sum(0, 1024, 4096),
    "cumsum-one-row": cumulative_sum(0, 1 << 22),
    "transpose-4096": transpose((1, 0), 4096, 4096),
    "transpose-0213": transpose((0, 2, 1, 3), 8, 512, 12, 64),
    "transpose-0231": transpose((0, 2, 3, 1), 8, 64, 112, 112),
    "transpose-201": transpose((2, 0, 1), 256, 256, 128),
    "chain-16m": chain(1 << 24),
    "sum-rows": total(1, 4096, 4096),
    "sum-columns": total(0, 4096, 4096),
    "gather-rows": gather_rows(8192, 32768, 512),
}
