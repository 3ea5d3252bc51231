#!/usr/bin/env python3
"""Writes the programs of this folder: what XLA's partitioner makes of JAX programs over four devices.

    .venv-jax/bin/python tests/data/grid/export.py [NAME ...]

NAME.hlo is the program of one process after partitioning, as XLA's CPU compiles it; NAME.npz holds
what each process is given (processP.argN) and, as outN process after process, what XLA's CPU
computes with four devices.
"""
import os
import pathlib
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

HERE = pathlib.Path(__file__).parent
RNG = np.random.default_rng(0)
LINE = Mesh(np.array(jax.devices()), ("i",), axis_types=(AxisType.Auto,))
SQUARE = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def mapped(f, mesh, in_specs, out_specs):
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs,
                                 check_vma=False))


def collectives():
    def f(a):
        return (jax.lax.psum(a, "x"), jax.lax.all_gather(a, "y", axis=1, tiled=True),
                jax.lax.pmax(a, ("x", "y")), jax.lax.psum_scatter(a, "x", tiled=True),
                jax.lax.all_to_all(a, "y", split_axis=1, concat_axis=0, tiled=True),
                jax.lax.axis_index("x") * 10 + jax.lax.axis_index("y"))
    return mapped(f, SQUARE, P("x", "y"), (P(None, "y"), P("x"), P(), P("x", "y"), P("x", "y"),
                                           P())), [normal(8, 16)]


def ring():
    def f(a):
        def step(carry, _):
            total, moving = carry
            moving = jax.lax.ppermute(moving, "i", [(j, (j + 1) % 4) for j in range(4)])
            return (total + moving * jnp.sum(total), moving), jnp.max(moving)
        (total, _), largest = jax.lax.scan(step, (a, a), None, length=4)
        return total, largest[None]
    return mapped(f, LINE, P("i"), (P("i"), P("i"))), [normal(8, 3) / 4]


def until_converged():
    def f(a):
        def go_on(state):
            return jax.lax.pmean(jnp.max(jnp.abs(state[0])), "i") > 0.05
        def step(state):
            x, rounds = state
            left = jax.lax.ppermute(x, "i", [(j, (j + 1) % 4) for j in range(4)])
            return (x + left) * 0.3, rounds + 1
        x, rounds = jax.lax.while_loop(go_on, step, (a, jnp.int32(0)))
        return x, rounds[None]
    return mapped(f, LINE, P("i"), (P("i"), P("i"))), [normal(4, 5)]


def training_step():
    """Data-parallel: gradients are averaged by explicit all-reduces."""
    def loss(weights, x, y):
        h = jnp.tanh(x @ weights[0])
        return jnp.mean((h @ weights[1] - y) ** 2)
    def step(w0, w1, x, y):
        value, gradients = jax.value_and_grad(loss)((w0, w1), x, y)
        gradients = jax.lax.pmean(gradients, "i")
        return (jax.lax.pmean(value, "i"), *[w - 0.1 * g for w, g in zip((w0, w1), gradients)])
    return mapped(step, LINE, (P(), P(), P("i"), P("i")), (P(), P(), P())), [
        normal(32, 64) / 6, normal(64, 8) / 8, normal(64, 32), normal(64, 8)]


def tensor_parallel():
    """Partitioned by XLA: only the shardings of arguments and results are said."""
    def block(x, q, k, v, o):
        heads = [jnp.einsum("sd,dhk->hsk", x, w) for w in (q, k, v)]
        scores = jax.nn.softmax(jnp.einsum("hsk,htk->hst", heads[0], heads[1]) / 4.0, axis=-1)
        mixed = jnp.einsum("hst,htk->shk", scores, heads[2])
        return x + jnp.einsum("shk,hkd->sd", mixed, o)
    place = lambda *spec: NamedSharding(SQUARE, P(*spec))
    weights = place(None, "y", None)
    return jax.jit(block, in_shardings=(place("x"), weights, weights, weights, place("y")),
                   out_shardings=place("x", "y")), [
        normal(16, 32), normal(32, 4, 16) / 6, normal(32, 4, 16) / 6, normal(32, 4, 16) / 6,
        normal(4, 16, 32) / 8]


def sums_and_sorts():
    def f(a, b):
        return (jnp.sort(a, axis=0), jnp.cumsum(a, axis=0), jnp.argmax(a, axis=0), a @ b,
                jnp.linalg.norm(a, axis=1), jnp.roll(a, 3, axis=0), jnp.flip(a, 0))
    place = lambda *spec: NamedSharding(LINE, P(*spec))
    return jax.jit(f, in_shardings=(place("i"), place("i")), out_shardings=place()), [
        normal(16, 12), normal(12, 8)]


def integers():
    def f(a):
        return (jax.lax.psum(a, "i"), jax.lax.pmin(a, "i"),
                jax.lax.all_to_all(a.reshape(4, -1), "i", 0, 0, tiled=True),
                jax.lax.ppermute(a, "i", [(0, 3), (2, 1)]))
    return mapped(f, LINE, P("i"), (P(), P(), P("i"), P("i"))), [
        RNG.integers(-100, 100, (16, 8)).astype(np.int32)]


PROGRAMS = {f.__name__: f for f in (collectives, ring, until_converged, training_step,
                                    tensor_parallel, sums_and_sorts, integers)}


def shards(array):
    return [np.asarray(shard.data)
            for shard in sorted(array.addressable_shards, key=lambda shard: shard.device.id)]


def export(name):
    function, arguments = PROGRAMS[name]()
    compiled = function.lower(*arguments).compile()
    placed = [jax.device_put(a, s) for a, s in zip(arguments, compiled.input_shardings[0])]
    results = jax.tree.leaves(compiled(*placed))
    arrays = {}
    for n, argument in enumerate(placed):
        for process, shard in enumerate(shards(argument)):
            arrays[f"process{process}.arg{n}"] = shard
    given = [shards(result) for result in results]
    for process in range(4):
        for n, result in enumerate(given):
            arrays[f"out{process * len(given) + n}"] = result[process]
    text = compiled.as_text()
    (HERE / f"{name}.hlo").write_text(text)
    np.savez(HERE / f"{name}.npz", **arrays)
    print(f"{name}: {len(text)} bytes, {len(results)} results")


for name in sys.argv[1:] or PROGRAMS:
    export(name)
