"""Four devices: pmap, shard_map with collectives, jit over a mesh, and a data-parallel training step."""
import functools
import json
import os

os.environ["HALYARD_NUM_DEVICES"] = "4"
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

# JAX_PLATFORMS=halyard adds the CPU, whose devices are not meant.
devices = jax.devices()
assert len(devices) == 4, devices
line = jax.sharding.Mesh(np.array(devices), ("x",))
square = jax.sharding.Mesh(np.array(devices).reshape(2, 2), ("a", "b"))
out = {}


def numbers(array):
    return np.asarray(array, np.float64).ravel().tolist()


def over(mesh, ins, outs):
    return functools.partial(jax.shard_map, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False)


x = jnp.arange(16, dtype=jnp.float32).reshape(8, 2) / 8

# One collective each.
sharded = jax.device_put(x, NamedSharding(line, P("x")))
collectives = {
    "psum": (lambda v: jax.lax.psum(v, "x"), P("x")),
    "pmax": (lambda v: jax.lax.pmax(v, "x"), P("x")),
    "all_gather": (lambda v: jax.lax.all_gather(v, "x", tiled=True), P()),
    "ppermute": (lambda v: jax.lax.ppermute(v, "x", [(i, (i + 1) % 4) for i in range(4)]), P("x")),
    "psum_scatter": (lambda v: jax.lax.psum_scatter(
        jnp.tile(v, (2, 1)), "x", tiled=True), P("x")),
    "all_to_all": (lambda v: jax.lax.all_to_all(jnp.tile(v, (2, 1)), "x", 0, 1, tiled=True), P("x")),
    "axis_index": (lambda v: v * 0 + jax.lax.axis_index("x"), P("x")),
}
for name, (body, outs) in collectives.items():
    result = jax.jit(over(line, P("x"), outs)(body))(sharded)
    out[f"{name}~1e-6"] = numbers(result)
    out[f"{name} shape"] = list(result.shape)

# Two axes of a mesh, and collectives in a loop.
def body(v, w):
    def step(_, s):
        return jax.lax.psum(s, "a") * 0.25 + jax.lax.ppermute(s, "b", [(0, 1), (1, 0)])
    return jax.lax.fori_loop(0, 5, step, v) @ w


w = jnp.linspace(-1, 1, 6, dtype=jnp.float32).reshape(2, 3)
out["loop~1e-5"] = numbers(jax.jit(over(square, (P(("a", "b")), P()), P(("a", "b")))(body))(x, w))

# pmap.
normal = jax.pmap(lambda v: v / jax.lax.psum(v, "i"), axis_name="i")
result = normal(jnp.arange(1.0, 13.0).reshape(4, 3))
out["pmap~1e-6"] = numbers(result)
out["pmap devices"] = sorted(d.id for d in result.devices())

# jit over arrays that are spread over the mesh.
y = jax.jit(lambda a: jnp.tanh(a @ a.T).sum(0), out_shardings=NamedSharding(line, P("x")))(sharded)
out["jit~1e-5"] = numbers(y)
out["jit shards"] = [list(s.data.shape) for s in y.addressable_shards]

# jit with shardings of its own around a shard_map, with work before and after it.
spread = NamedSharding(line, P("x"))
centred = over(line, P("x"), P("x"))(lambda v: v - jax.lax.pmean(v, "x"))
mixed = jax.jit(lambda a: centred(jnp.sin(a)) * 2 + a.sum(), in_shardings=spread, out_shardings=spread)
y = mixed(x)
out["mixed~1e-5"] = numbers(y)
out["mixed shards"] = [[s.device.id] + list(s.data.shape) for s in y.addressable_shards]

# Results that nobody says how to spread are spread as the program says of their values.
def constrained(a):
    return jax.lax.with_sharding_constraint(jnp.cos(a), spread)


followed = jax.jit(lambda a: (constrained(a), jax.jit(constrained)(a + 1), centred(a), a.sum()))(x)
out["followed~1e-6"] = [numbers(y) for y in followed]
out["followed shards"] = [[[s.device.id] + list(s.data.shape) for s in y.addressable_shards]
                          for y in followed]
kept = jax.jit(lambda a: constrained(a) * 0.5, donate_argnums=0)(jnp.array(x))
out["kept~1e-6"] = numbers(kept)

# A training step: each device has a part of the batch, and all have the parameters.
def loss(params, data, labels):
    hidden = jnp.tanh(data @ params["w1"] + params["b1"])
    return jnp.mean((hidden @ params["w2"] - labels) ** 2)


def step(params, data, labels):
    value, grads = jax.value_and_grad(loss)(params, data, labels)
    grads = jax.tree.map(lambda g: jax.lax.pmean(g, "x"), grads)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return params, jax.lax.pmean(value, "x")


key = np.random.default_rng(1)
params = {"w1": key.normal(size=(3, 16)), "b1": np.zeros(16), "w2": key.normal(size=(16, 1))}
params = jax.tree.map(lambda p: jax.device_put(jnp.asarray(p, jnp.float32),
                                               NamedSharding(line, P())), params)
data = jax.device_put(jnp.asarray(key.normal(size=(32, 3)), jnp.float32), NamedSharding(line, P("x")))
labels = jnp.sum(data, 1, keepdims=True)
train = jax.jit(over(line, (P(), P("x"), P("x")), (P(), P()))(step), donate_argnums=0)
losses = []
for _ in range(30):
    params, value = train(params, data, labels)
    losses.append(value)
out["losses~1e-4"] = [float(v) for v in losses]

# Arrays move between devices, and programs of one process run where their arguments are.
moved = jax.device_put(x, devices[2])
doubled = jax.jit(lambda v: v * 2)(moved)
out["moved"] = [d.id for d in doubled.devices()] + numbers(jax.device_put(doubled, devices[1]))
print(json.dumps(out))
