"""A small transformer in bf16 learns to copy: 200 steps of Adam, layers in a scan, donated state."""
import functools
import json

import jax
import jax.numpy as jnp

LAYERS, WIDTH, HEADS, LENGTH, WORDS, BATCH = 2, 64, 4, 16, 16, 32


def init(key):
    keys = jax.random.split(key, 6)
    normal = lambda k, *shape: jax.random.normal(k, shape) * 0.05
    layers = {"qkv": normal(keys[0], LAYERS, WIDTH, 3 * WIDTH),
              "out": normal(keys[1], LAYERS, WIDTH, WIDTH),
              "up": normal(keys[2], LAYERS, WIDTH, 4 * WIDTH),
              "down": normal(keys[3], LAYERS, 4 * WIDTH, WIDTH)}
    return {"layers": layers, "words": normal(keys[4], WORDS, WIDTH),
            "places": normal(keys[5], LENGTH, WIDTH)}


def norm(x):
    x = x.astype(jnp.float32)
    x = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    return x.astype(jnp.bfloat16)


def layer(x, p):
    p = jax.tree.map(lambda w: w.astype(jnp.bfloat16), p)
    q, k, v = jnp.split(norm(x) @ p["qkv"], 3, -1)
    split = lambda t: t.reshape(BATCH, LENGTH, HEADS, -1).swapaxes(1, 2)
    scores = jnp.einsum("bhqd,bhkd->bhqk", split(q), split(k),
                        preferred_element_type=jnp.float32) / (WIDTH // HEADS) ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool)), scores, -1e9)
    mixed = jax.nn.softmax(scores).astype(jnp.bfloat16) @ split(v)
    x = x + mixed.swapaxes(1, 2).reshape(BATCH, LENGTH, WIDTH) @ p["out"]
    return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"], None


def loss(p, words):
    x = (p["words"][words] + p["places"]).astype(jnp.bfloat16)
    x, _ = jax.lax.scan(layer, x, p["layers"])
    logits = norm(x).astype(jnp.float32) @ p["words"].T
    # The second half repeats the first.
    guesses = jax.nn.log_softmax(logits[:, LENGTH // 2 - 1:-1])
    return -jnp.mean(jnp.take_along_axis(guesses, words[:, LENGTH // 2:, None], -1))


@functools.partial(jax.jit, donate_argnums=0)
def step(state, key):
    p, m, v, t = state
    half = jax.random.randint(key, (BATCH, LENGTH // 2), 0, WORDS)
    value, g = jax.value_and_grad(loss)(p, jnp.concatenate([half, half], 1))
    t = t + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
    p = jax.tree.map(lambda p, m, v: p - 3e-3 * (m / (1 - 0.9 ** t)) /
                     (jnp.sqrt(v / (1 - 0.99 ** t)) + 1e-8), p, m, v)
    return (p, m, v, t), value


p = init(jax.random.key(1))
zeros = lambda: jax.tree.map(jnp.zeros_like, p)
state = (p, zeros(), zeros(), jnp.float32(0))
losses = []
for key in jax.random.split(jax.random.key(2), 200):
    state, value = step(state, key)
    losses.append(value)
losses = [float(value) for value in losses]
assert losses[-1] < losses[0] * 0.9, (losses[0], losses[-1])
print(json.dumps({"first losses~0.03": losses[:10], "last loss~0.3": losses[-1]}))
