"""Single kernels whose time is that of memory. The table compares them with a copy."""

import numpy as np

from values import Input, Row


def memory_bound(inputs, build, **options):
    inputs = tuple(Input(given) if isinstance(given[0], int) else Input(*given) for given in inputs)
    return Row(inputs, build, memory_bound=True, **options)


def softmax(*shape):
    return memory_bound([shape], lambda net, weights, x: net.softmax(x))


def layer_norm(*shape):
    return memory_bound([shape], lambda net, weights, x: net.layer_norm(
        x, weights.vector(shape[-1], 1), weights.vector(shape[-1])))


def rms_norm(*shape):
    return memory_bound([shape],
                        lambda net, weights, x: net.rms_norm(x, weights.vector(shape[-1], 1)))


def group_norm(groups, *shape):
    image = Input(shape, image=True)
    return Row((image,), lambda net, weights, x: net.group_norm(
        x, groups, weights.vector(shape[-1], 1), weights.vector(shape[-1])), memory_bound=True)


def add(size):
    return memory_bound([(size,), (size,)], lambda net, weights, x, y: net.add(x, y))


def chain(size):
    """tanh(exp(0.1 x) - 1) + 0.1"""
    scale, one = np.float32(0.1), np.float32(1)
    return memory_bound([(size,)], lambda net, weights, x: net.add(net.tanh(net.subtract(
        net.exp(net.multiply(x, scale)), one)), scale))


def gelu(*shape):
    return memory_bound([shape], lambda net, weights, x: net.gelu(x))


def total(axis, *shape):
    return memory_bound([shape], lambda net, weights, x: net.sum(x, axis))


def largest(axis, *shape):
    return memory_bound([shape], lambda net, weights, x: net.largest(x, axis))


def arg_max(axis, *shape):
    return memory_bound([shape], lambda net, weights, x: net.arg_max(x, axis))


def cumulative_sum(axis, *shape):
    return memory_bound([shape], lambda net, weights, x: net.cumsum(x, axis))


def transpose(order, *shape):
    return memory_bound([shape], lambda net, weights, x: net.transpose(x, order))


def gather_rows(count, rows, width):
    """Reads about the rows that are drawn, of which some are drawn twice."""
    distinct = round(rows * (1 - (1 - 1 / rows)**count))
    return memory_bound([(rows, width), ((count,), "s32", rows)],
                        lambda net, weights, x, indices: net.gather_rows(x, indices),
                        read=4 * (distinct * width + count))


def scatter_add_rows(count, rows, width):
    return memory_bound([(rows, width), ((count,), "s32", rows), (count, width)],
                        lambda net, weights, x, indices, y: net.scatter_add_rows(x, indices, y))


def scatter_rows(rows, width):
    return memory_bound([(rows, width), ((rows,), "s32", rows), (rows, width)],
                        lambda net, weights, x, indices, y: net.scatter_rows(x, indices, y),
                        read=4 * (rows * width + rows))


ROWS = {
    "softmax-1024x1024": softmax(1024, 1024),
    "softmax-64x32768": softmax(64, 32768),
    "softmax-12x128x128": softmax(12, 128, 128),
    "layer-norm-4096x768": layer_norm(4096, 768),
    "rms-norm-4096x1024": rms_norm(4096, 1024),
    "group-norm-64x64x320": group_norm(32, 1, 64, 64, 320),
    "add-16m": add(1 << 24),
    "chain-16m": chain(1 << 24),
    "chain-64k": chain(1 << 16),
    "gelu-1024x3072": gelu(1024, 3072),
    "sum-rows": total(1, 4096, 4096),
    "sum-columns": total(0, 4096, 4096),
    "sum-all": total(0, 1 << 24),
    "largest-of-rows": largest(1, 4096, 4096),
    "arg-max-of-rows": arg_max(1, 1024, 32768),
    "cumsum-last": cumulative_sum(1, 1024, 4096),
    "cumsum-first": cumulative_sum(0, 1024, 4096),
    "cumsum-one-row": cumulative_sum(0, 1 << 22),
    "transpose-4096": transpose((1, 0), 4096, 4096),
    "transpose-0213": transpose((0, 2, 1, 3), 8, 512, 12, 64),
    "transpose-0231": transpose((0, 2, 3, 1), 8, 64, 112, 112),
    "transpose-201": transpose((2, 0, 1), 256, 256, 128),
    "gather-rows": gather_rows(8192, 32768, 512),
    "gather-numbers": gather_rows(1 << 20, 1 << 22, 1),
    "scatter-add-rows": scatter_add_rows(8192, 32768, 256),
    "scatter-add-numbers": scatter_add_rows(1 << 20, 1 << 20, 1),
    "scatter-rows": scatter_rows(16384, 512),
}
SMALL = {
    "softmax": softmax(4, 33),
    "layer-norm": layer_norm(5, 24),
    "rms-norm": rms_norm(5, 24),
    "group-norm": group_norm(2, 1, 4, 4, 8),
    "add": add(37),
    "chain": chain(37),
    "gelu": gelu(3, 20),
    "sum-rows": total(1, 6, 20),
    "sum-columns": total(0, 6, 20),
    "largest-of-rows": largest(1, 6, 20),
    "arg-max-of-rows": arg_max(1, 6, 20),
    "cumsum-last": cumulative_sum(1, 3, 40),
    "cumsum-first": cumulative_sum(0, 3, 40),
    "transpose": transpose((2, 0, 1), 4, 5, 6),
    "gather-rows": gather_rows(9, 7, 5),
    "scatter-add-rows": scatter_add_rows(9, 7, 5),
    "scatter-rows": scatter_rows(7, 5),
}
