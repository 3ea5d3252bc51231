#!/usr/bin/env python3
"""Trains a small convolutional network on scikit-learn's handwritten digits and exports it.

Needs JAX and scikit-learn (scripts/setup_jax). Its outputs are committed, so you only need to run
it to change the network:

    scripts/setup_jax && .venv-jax/bin/python examples/digits/train.py

The data are the 1,797 real 8x8 images of the UCI "Optical Recognition of Handwritten Digits" set.
320 of them, chosen at random, are held out of the training. The script writes to its own folder:

    digits.mlir    the trained network as StableHLO, weights as constants, for batches of 32 images
    digits.hlo     the same as HLO text
    heldout.npz    arg0: images (320, 8, 8, 1) in 0..1; labels; logits: what JAX computes for them
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from sklearn import datasets

HERE = pathlib.Path(__file__).parent
BATCH = 32
HELD_OUT = 320


def network(parameters, images):
    """Returns the logits (N, 10) of images (N, 8, 8, 1)."""
    x = images
    for kernel, bias in parameters["convolutions"]:
        x = lax.conv_general_dilated(
            x, kernel, window_strides=(1, 1), padding="SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jnp.maximum(x + bias, 0.0)
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = x.reshape(x.shape[0], -1)
    kernel, bias = parameters["dense"]
    return x @ kernel + bias


def initial_parameters(key):
    def normal(key, shape, fan_in):
        return jax.random.normal(key, shape, jnp.float32) * np.sqrt(2.0 / fan_in)

    keys = jax.random.split(key, 3)
    return {
        "convolutions": [
            (normal(keys[0], (3, 3, 1, 16), 9), jnp.zeros(16)),
            (normal(keys[1], (3, 3, 16, 32), 144), jnp.zeros(32)),
        ],
        "dense": (normal(keys[2], (512, 10), 512), jnp.zeros(10)),
    }


def loss(parameters, images, labels):
    logits = network(parameters, images)
    log_probabilities = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(log_probabilities, labels[:, None], axis=1))


@jax.jit
def adam_step(parameters, first, second, step, images, labels):
    value, gradient = jax.value_and_grad(loss)(parameters, images, labels)
    tree_map = jax.tree_util.tree_map
    first = tree_map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
    second = tree_map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)
    rate = 2e-3 * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    parameters = tree_map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8),
                          parameters, first, second)
    return parameters, first, second, value


def train(images, labels, epochs=30, batch=64):
    parameters = initial_parameters(jax.random.key(0))
    first = jax.tree_util.tree_map(jnp.zeros_like, parameters)
    second = first
    random = np.random.default_rng(0)
    step = 0
    for epoch in range(epochs):
        order = random.permutation(len(images))
        for start in range(0, len(order) - batch + 1, batch):
            chosen = order[start:start + batch]
            step += 1
            parameters, first, second, value = adam_step(
                parameters, first, second, step, images[chosen], labels[chosen])
        print(f"epoch {epoch + 1:2}/{epochs}: loss {value:.4f}", flush=True)
    return parameters


def main():
    digits = datasets.load_digits()
    images = (digits.images / 16.0).astype(np.float32)[..., None]
    labels = digits.target.astype(np.int32)
    order = np.random.default_rng(1).permutation(len(images))
    held_out, rest = order[:HELD_OUT], order[HELD_OUT:]

    parameters = train(images[rest], labels[rest])
    parameters = jax.tree_util.tree_map(np.asarray, parameters)

    def digits_network(batch):
        return network(parameters, batch)

    compiled = jax.jit(digits_network)
    logits = np.concatenate([np.asarray(compiled(images[held_out[i:i + BATCH]]))
                             for i in range(0, HELD_OUT, BATCH)])
    accuracy = np.mean(logits.argmax(axis=1) == labels[held_out])
    top = np.sort(logits, axis=1)
    print(f"held out: {HELD_OUT} images, accuracy {accuracy:.2%}, "
          f"closest call {np.min(top[:, -1] - top[:, -2]):.4f} of {np.max(np.abs(logits)):.1f}")

    lowered = compiled.lower(jax.ShapeDtypeStruct((BATCH, 8, 8, 1), np.float32))
    (HERE / "digits.mlir").write_text(lowered.as_text())
    hlo = lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True)
    (HERE / "digits.hlo").write_text(hlo)
    np.savez_compressed(HERE / "heldout.npz", arg0=images[held_out], labels=labels[held_out],
                        logits=logits)


if __name__ == "__main__":
    main()
