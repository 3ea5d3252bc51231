"""Programs as lists of ops, and what XLA makes of them."""

import dataclasses
import os

# Fewer choices of XLA's own: no fused multiply-adds, and 16-bit types are rounded after each op.
# Without LLVM's optimiser XLA compiles sooner; its own passes over the program run as ever.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_max_isa=AVX --xla_allow_excess_precision=false "
                                   "--xla_backend_optimization_level=0")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_traceback_in_locations_limit", 0)

import numpy as np

import ops

# Without the pass that rewrites a program by rules of algebra, and without loops of several ops, in
# which LLVM regroups products.
PLAIN = {"xla_disable_hlo_passes": "algsimp,fusion"}


@dataclasses.dataclass
class Node:
    name: str      # of ops.OPS
    operands: tuple  # values
    params: dict
    results: int   # how many values it makes


@dataclasses.dataclass
class Program:
    """Values are numbered: the inputs first, then the results of the nodes, in order."""
    inputs: list      # arrays
    constants: list   # per input: whether it is written into the program
    nodes: list
    results: list     # values

    def values(self):
        return len(self.inputs) + sum(node.results for node in self.nodes)

    def first_value(self, index):
        """The first value of a node."""
        return len(self.inputs) + sum(node.results for node in self.nodes[:index])

    def constant(self, value):
        return value < len(self.inputs) and self.constants[value]

    def arguments(self):
        return [x for x, constant in zip(self.inputs, self.constants) if not constant]

    def function(self, *arguments):
        given = iter(arguments)
        values = [x if constant else next(given)
                  for x, constant in zip(self.inputs, self.constants)]
        values = [jax.numpy.asarray(x) for x in values]
        for node in self.nodes:
            values += ops.OPS[node.name](*[values[i] for i in node.operands], **node.params)
        return [values[i] for i in self.results]

    def with_results(self, results):
        return dataclasses.replace(self, results=list(results))

    def cut(self, index, arrays):
        """Inputs in the place of a node: `arrays`, which it has computed."""
        first, count = self.first_value(index), self.nodes[index].results
        old_inputs = len(self.inputs)

        def moved(value):
            if value < old_inputs:
                return value
            if first <= value < first + count:
                return old_inputs + value - first
            return value + count if value < first else value
        nodes = [dataclasses.replace(node, operands=tuple(map(moved, node.operands)))
                 for i, node in enumerate(self.nodes) if i != index]
        return Program(self.inputs + list(arrays), self.constants + [False] * count, nodes,
                       [moved(value) for value in self.results]).without_unused()

    def without_unused(self):
        used = set(self.results)
        starts = [self.first_value(i) for i in range(len(self.nodes))]
        keep = []
        for i in reversed(range(len(self.nodes))):
            node = self.nodes[i]
            if any(starts[i] + k in used for k in range(node.results)):
                keep.append(i)
                used |= set(node.operands)
        keep = sorted(keep)
        inputs = [i for i in range(len(self.inputs)) if i in used]
        numbers = {value: new for new, value in enumerate(inputs)}
        for i in keep:
            for k in range(self.nodes[i].results):
                numbers[starts[i] + k] = len(numbers)
        nodes = [dataclasses.replace(self.nodes[i], operands=tuple(
            numbers[value] for value in self.nodes[i].operands)) for i in keep]
        return Program([self.inputs[i] for i in inputs], [self.constants[i] for i in inputs], nodes,
                       [numbers[value] for value in self.results])

    def __str__(self):
        lines = []
        for i, (x, constant) in enumerate(zip(self.inputs, self.constants)):
            text = np.array2string(np.asarray(x).astype(x.dtype), threshold=40, separator=",")
            lines.append(f"v{i} = {'constant' if constant else 'argument'} {x.dtype.name}"
                         f"{list(x.shape)} {' '.join(text.split())}")
        value = len(self.inputs)
        for node in self.nodes:
            names = ", ".join(f"v{value + k}" for k in range(node.results))
            params = "".join(f", {key}={param!r}" for key, param in node.params.items())
            lines.append(f"{names} = {node.name}({', '.join(f'v{i}' for i in node.operands)}"
                         f"{params})")
            value += node.results
        return "\n".join(lines + [f"return {', '.join(f'v{i}' for i in self.results)}"])


def lower(program):
    return jax.jit(program.function, keep_unused=True).lower(*program.arguments())


def run(program, lowered=None, plain=False):
    """What XLA computes."""
    lowered = lowered or lower(program)
    compiled = lowered.compile(compiler_options=PLAIN if plain else None)
    return [np.asarray(x) for x in compiled(*program.arguments())]
