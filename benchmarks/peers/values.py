"""Rows of the comparison, their inputs and their weights.

NumPy has no bf16. An array of bf16 is held as f32 here, rounded to values that bf16 has.
"""

import typing

import numpy as np

NUMPY_TYPES = {"f32": np.float32, "bf16": np.float32, "f16": np.float16, "s8": np.int8,
               "s32": np.int32, "u32": np.uint32, "c64": np.complex64}
BLOCK = 32  # terms of a product that share a scale of weights of int4


class Gap(Exception):
    """Says why an engine cannot do a row."""


class Input(typing.NamedTuple):
    """An argument. Integers are drawn from [0, limit), each once
    if there are as many; `image` marks NHWC, which some engines get
    as NCHW."""
    shape: tuple
    type: str = "f32"
    limit: int = 0
    image: bool = False
    scale: float = 1

    def value(self, random):
        if self.type in ("s32", "u32"):
            if int(np.prod(self.shape)) == self.limit:  # each once
                return random.permutation(self.limit).astype(NUMPY_TYPES[self.type])
            return random.integers(0, self.limit, self.shape).astype(NUMPY_TYPES[self.type])
        value = normal(random, self.shape, self.type)
        return value if self.scale == 1 else value * np.float32(self.scale)

    @property
    def nbytes(self):
        size = {"bf16": 2}.get(self.type, np.dtype(NUMPY_TYPES[self.type]).itemsize)
        return int(np.prod(self.shape)) * size


class Row(typing.NamedTuple):
    """A program that all engines run. `build(net, weights, *inputs)` describes it in terms of a
    builder's layers, and returns a value or a tuple of values."""
    inputs: tuple
    build: typing.Callable
    flops: float = 0
    memory_bound: bool = False  # it is compared with a copy of as many bytes
    read: int = 0               # bytes that must be read; 0 stands for all inputs
    tolerance: float = 2e-3     # relative to the largest value: engines order the sums differently
    distribution: bool = False  # results are random: their distributions are compared
    gaps: dict = {}             # name of an engine -> why it has no such program

    def bytes_read(self):
        return self.read or sum(given.nbytes for given in self.inputs)


def bf16_bits(array):
    """Returns the bits of bf16 nearest to f32, ties to even. There must be no NaN."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16_bits(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def rounded(array, kind):
    if kind == "bf16":
        return from_bf16_bits(bf16_bits(array))
    return array.astype(NUMPY_TYPES[kind])


def normal(random, shape, kind):
    if kind == "s8":
        return random.integers(-127, 128, shape).astype(np.int8)
    if kind == "c64":
        return random.standard_normal((*shape, 2), np.float32).view(np.complex64)[..., 0]
    return rounded(random.standard_normal(shape, np.float32), kind)


def save(path, row, values):
    """Writes the inputs as Halyard reads them."""
    arrays = {}
    for index, (given, value) in enumerate(zip(row.inputs, values)):
        if given.type == "bf16":
            arrays[f"arg{index}.dtype"] = np.array("bfloat16")
            value = bf16_bits(value)
        arrays[f"arg{index}"] = value
    np.savez(path, **arrays)


def load(path, prefix="arg"):
    """Returns the arrays arg0, arg1, ... of a file of Halyard's."""
    arrays, values = np.load(path), []
    while (name := f"{prefix}{len(values)}") in arrays:
        value = arrays[name]
        if str(arrays.get(f"{name}.dtype", "")) == "bfloat16":
            value = from_bf16_bits(value)
        values.append(value)
    return values


class Weights:
    """The arrays of a network, in the order in which its layers ask for them. They are made once;
    after `rewind`, the layers get the same arrays again."""

    def __init__(self, seed=0):
        self.random = np.random.default_rng(seed)
        self.made, self.next = [], 0

    def rewind(self):
        self.next = 0
        return self

    def draw(self, make):
        if self.next == len(self.made):
            self.made.append(make())
        self.next += 1
        return self.made[self.next - 1]

    def normal(self, *shape, terms=None, kind="f32"):
        """Returns weights scaled so that a layer's output is about as large as its input."""
        scale = np.float32((2 / (terms or int(np.prod(shape[:-1]))))**0.5)
        return self.draw(lambda: rounded(
            self.random.standard_normal(shape, np.float32) * scale, kind))

    def vector(self, size, around=0):
        return self.draw(lambda: self.random.standard_normal(size, np.float32) *
                         np.float32(0.1) + np.float32(around))

    def integers(self, limit, *shape):
        return self.draw(lambda: self.random.integers(0, limit, shape).astype(np.int32))

    def small_integers(self, *shape):
        return self.draw(lambda: normal(self.random, shape, "s8"))

    def quantized(self, *shape, terms=None):
        """Returns weights of s8, and for each feature (the last axis) its scale.

        They have 7 bits, as is usual for CPUs that add pairs of products in s16.
        """
        def make():
            terms_of_sum = terms or int(np.prod(shape[:-1]))
            full = self.random.standard_normal(shape, np.float32) * np.float32(
                (2 / terms_of_sum)**0.5)
            scale = np.abs(full).max(tuple(range(full.ndim - 1))) / np.float32(63)
            return np.rint(full / scale).astype(np.int8), scale
        return self.draw(make)

    def in_blocks(self, terms, features):
        """Returns weights between -7 and 7, and a scale for each BLOCK terms of each feature."""
        def make():
            full = self.random.standard_normal((terms, features), np.float32) * np.float32(
                (2 / terms)**0.5)
            blocks = full.reshape(-1, BLOCK, features)
            scales = np.abs(blocks).max(1) / np.float32(7)
            return np.rint(blocks / scales[:, None]).astype(np.int8).reshape(full.shape), scales
        return self.draw(make)
