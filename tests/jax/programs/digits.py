"""A two-layer network learns scikit-learn's digits: 200 steps, with donated state."""
import functools
import json

import jax
import jax.numpy as jnp
from sklearn import datasets

images, labels = datasets.load_digits(return_X_y=True)
images = jnp.asarray(images, jnp.float32) / 16
labels = jnp.asarray(labels, jnp.int32)


def init(key):
    a, b = jax.random.split(key)
    return {"w": jax.random.normal(a, (64, 128)) * 0.1, "b": jnp.zeros(128),
            "v": jax.random.normal(b, (128, 10)) * 0.1, "c": jnp.zeros(10)}


def logits(p, x):
    return jax.nn.relu(x @ p["w"] + p["b"]) @ p["v"] + p["c"]


def loss(p, x, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits(p, x)), y[:, None], 1))


@functools.partial(jax.jit, donate_argnums=(0, 1))
def step(p, momentum, x, y):
    value, gradient = jax.value_and_grad(loss)(p, x, y)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradient)
    return jax.tree.map(lambda w, m: w - 0.1 * m, p, momentum), momentum, value


p = init(jax.random.key(0))
momentum = jax.tree.map(jnp.zeros_like, p)
losses = []
for i in range(200):
    at = (i * 128) % 1664
    old = p
    p, momentum, value = step(p, momentum, images[at:at + 128], labels[at:at + 128])
    losses.append(value)
assert all(leaf.is_deleted() for leaf in jax.tree.leaves(old))
accuracy = float(jnp.mean(jnp.argmax(logits(p, images), 1) == labels))
assert accuracy > 0.95, accuracy
print(json.dumps({"losses~0.05": [float(v) for v in losses[:50]], "accuracy~0.02": accuracy}))
