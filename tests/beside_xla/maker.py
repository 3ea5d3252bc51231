"""Random programs. The same seed gives the same program."""

import random

import jax
import numpy as np

import makers
import ops
import types_of as ty
from programs import Node, Program

DIMS = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17)


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.generator = np.random.default_rng(seed)
        self.inputs, self.constants = [], []
        self.nodes, self.shapes = [], {}  # shapes by value, inputs are ("i", n), others ("n", n, k)
        self.values = []
        # What programs are about: a few types each.
        self.types = self._types()
        self.density = self.pick((0, 0, 0.02, 0.02, 0.06, 0.2))
        self.most_elements = self.pick((60, 200, 200, 1500))

    def pick(self, choices):
        return self.random.choice(list(choices))

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def _types(self):
        way = self.random.random()
        floats = [self.random.choices(ty.FLOATS, (6, 2, 2, 2))[0]]
        integers = [self.random.choices(ty.INTEGERS, (2, 1, 6, 2, 2, 1, 2, 1))[0]]
        if way < 0.12:
            return [self.pick(ty.TINY[:-1])] + floats
        if way < 0.22:
            return [self.pick(ty.COMPLEX)] + floats
        if way < 0.3:
            return integers + [self.pick(ty.INTEGERS), "bool"]
        return floats * 2 + integers + [self.pick(ty.FLOATS)]

    # Shapes and values.

    def dims(self, rank=None, most=None):
        most = most or self.most_elements
        if rank is None:
            rank = self.random.choices((0, 1, 2, 3, 4), (1, 3, 5, 4, 2))[0]
        for _ in range(30):
            dims = [self.pick(DIMS) for _ in range(rank)]
            if rank and self.chance(8):
                dims[self.random.randrange(rank)] = self.pick((33, 65, 130, 200))
            if np.prod(dims) <= most:
                if rank and self.chance(0.7):
                    dims[self.random.randrange(rank)] = 0
                return tuple(dims)
        return (3,) * min(rank, 3) + (1,) * max(0, rank - 3)

    def shape(self, value):
        return self.shapes[value].shape

    def dtype(self, value):
        return self.shapes[value].dtype

    def fresh(self, shape, dtype, array=None, special=True):
        """A new input."""
        if array is None:
            array = ty.ordinary(ty.named(dtype), shape, self.generator)
            if special:
                array = ty.with_specials(array, self.generator, self.density)
        array = np.asarray(array).astype(ty.named(dtype)).reshape(shape)
        value = ("i", len(self.inputs))
        self.inputs.append(array)
        # A constant for each is what a compiler folds.
        self.constants.append(array.size <= 64 and self.chance(20))
        self.shapes[value] = jax.ShapeDtypeStruct(array.shape, array.dtype)
        return value

    def some(self, accept=lambda s: True, dtypes=None, rank=None):
        """A value, most often the latest, with a shape and type that are accepted."""
        fits = [v for v in self.values if accept(self.shapes[v]) and
                (dtypes is None or self.dtype(v).name in dtypes) and
                (rank is None or len(self.shape(v)) in rank)]
        if fits and self.chance(85):
            return fits[-1] if self.chance(55) else self.pick(fits)
        dtypes = [t for t in self.types if dtypes is None or t in dtypes] or list(dtypes)
        for _ in range(20):
            struct = jax.ShapeDtypeStruct(
                self.dims(None if rank is None else self.pick(rank)), ty.named(self.pick(dtypes)))
            if accept(struct):
                value = self.fresh(struct.shape, struct.dtype.name)
                self.values.append(value)
                return value
        raise Refused("no such shape")

    def like(self, value, dtype=None):
        """A value of the same shape."""
        dtype = dtype or self.dtype(value).name
        fits = [v for v in self.values if self.shape(v) == self.shape(value) and
                self.dtype(v).name == dtype and v != value]
        if fits and self.chance(70):
            return self.pick(fits)
        if self.chance(3):
            return value if dtype == self.dtype(value).name else self.fresh(
                self.shape(value), dtype)
        value = self.fresh(self.shape(value), dtype)
        self.values.append(value)
        return value

    def scalar(self, dtype, array=None):
        return self.fresh((), dtype, array)

    # Ops.

    def add(self, name, *operands, **params):
        structs = [self.shapes[v] for v in operands]
        try:
            results = jax.eval_shape(lambda *xs: ops.OPS[name](*xs, **params), *structs)
        except (TypeError, ValueError, NotImplementedError, AssertionError, IndexError) as error:
            raise Refused(f"{name}: {error}") from None
        if any(r.size > 6000 for r in results):
            raise Refused("too large")
        number = len(self.nodes)
        self.nodes.append((name, operands, params, len(results)))
        values = [("n", number, k) for k in range(len(results))]
        for value, struct in zip(values, results):
            self.shapes[value] = jax.ShapeDtypeStruct(struct.shape, struct.dtype)
            self.values.append(value)
        return values[0]

    def program(self):
        wanted = self.random.randint(4, 25)
        tries = 0
        names, weights = zip(*makers.MAKERS)
        while len(self.nodes) < wanted and tries < 6 * wanted:
            tries += 1
            try:
                self.random.choices(names, weights)[0](self)
            except Refused:
                continue
        used = {v for _, operands, _, _ in self.nodes for v in operands}
        leaves = [v for v in self.values if v not in used and v[0] == "n"]
        inner = [v for v in self.values if v in used and v[0] == "n"]
        results = leaves[-5:] if len(leaves) > 5 else leaves
        if inner and self.chance(40):
            results = results + [self.pick(inner)]
        return self._numbered(results)

    def _numbered(self, results):
        numbers = {("i", i): i for i in range(len(self.inputs))}
        for node, (_, _, _, count) in enumerate(self.nodes):
            for k in range(count):
                numbers[("n", node, k)] = len(numbers)
        nodes = [Node(name, tuple(numbers[v] for v in operands), params, count)
                 for name, operands, params, count in self.nodes]
        return Program(self.inputs, self.constants, nodes,
                       [numbers[v] for v in results]).without_unused()


class Refused(Exception):
    """What was drawn is not an op that JAX has."""


def make(seed):
    for attempt in range(20):
        program = Maker(seed * 20 + attempt).program()
        if len(program.nodes) >= 3:
            return program
    raise AssertionError(f"seed {seed} gives no program")
