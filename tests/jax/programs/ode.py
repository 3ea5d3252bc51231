"""Differential equations: the Lorenz system, and the gradient of where a pendulum ends."""
import json

import jax
import jax.numpy as jnp
from jax.experimental.ode import odeint


def lorenz(x, t):
    return jnp.array([10 * (x[1] - x[0]), x[0] * (28 - x[2]) - x[1], x[0] * x[1] - 8 / 3 * x[2]])


def pendulum(state, t, length):
    return jnp.array([state[1], -9.81 / length * jnp.sin(state[0])])


times = jnp.linspace(0.0, 1.0, 11)
path = jax.jit(lambda x: odeint(lorenz, x, times, rtol=1e-6, atol=1e-6))(jnp.ones(3))
end = lambda length: odeint(pendulum, jnp.array([1.0, 0.0]), times, length)[-1, 0]
print(json.dumps({"path~0.001": path.tolist(), "slope~0.005": float(jax.jit(jax.grad(end))(2.0))}))
