"""grad, jvp, hessian, vmap, scan, cond, while_loop, checkpoint, custom rules."""
import json

import jax
import jax.numpy as jnp


def f(x):
    return jnp.sum(jnp.sin(x) * jnp.exp(-x ** 2))


@jax.custom_vjp
def clip_gradient(x):
    return x


clip_gradient.defvjp(lambda x: (x, None), lambda _, g: (jnp.clip(g, -0.1, 0.1),))

x = jnp.linspace(-1, 2, 7)
collatz = lambda n: jax.lax.while_loop(
    lambda c: c[0] != 1,
    lambda c: (jnp.where(c[0] % 2 == 0, c[0] // 2, 3 * c[0] + 1), c[1] + 1), (n, 0))[1]
sums, _ = jax.lax.scan(lambda c, v: (c * 0.9 + v, c), 0.0, x)
print(json.dumps({
    "gradient~1e-4": jax.jit(jax.grad(f))(x).tolist(),
    "hessian~1e-3": jax.jit(jax.hessian(f))(x).ravel().tolist(),
    "jvp~1e-4": [float(v) for v in jax.jvp(f, (x,), (jnp.ones_like(x),))],
    "jacfwd~1e-4": jax.jacfwd(jnp.cumsum)(x).ravel().tolist(),
    "vmap~1e-4": jax.vmap(jax.grad(lambda a, b: jnp.tanh(a * b)), (0, None))(x, 2.0).tolist(),
    "collatz": jax.vmap(collatz)(jnp.arange(1, 30)).tolist(),
    "scan~1e-5": float(sums),
    "cond~1e-6": [float(jax.lax.cond(v > 0, jnp.sin, jnp.cos, v)) for v in (-1.0, 1.0)],
    "checkpoint~1e-4": jax.grad(jax.checkpoint(f))(x).tolist(),
    "clipped~1e-6": jax.grad(lambda v: 5 * clip_gradient(v))(1.0).item(),
    "associative~1e-5": jax.lax.associative_scan(jnp.multiply, x + 2).tolist(),
    "sorted~1e-6": jnp.sort(jnp.sin(9 * x)).tolist(),
    "top": jax.lax.top_k(jnp.cos(7 * x), 3)[1].tolist(),
    "complex~1e-4": jnp.abs(jnp.fft.fft(x)).tolist(),
    "half~2e-2": (x.astype(jnp.bfloat16) @ x.astype(jnp.bfloat16)).astype(float).item(),
    "int4": (jnp.array([1, -8, 7], jnp.int4) + jnp.array([1, 1, 1], jnp.int4)).astype(
        jnp.int32).tolist(),
}))
