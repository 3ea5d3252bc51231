"""jax.random: the same bits as anywhere, and distributions."""
import json

import jax
import jax.numpy as jnp

key = jax.random.key(42)
k = jax.random.split(key, 12)
rbg = jax.random.key(7, impl="rbg")
print(json.dumps({
    "bits": jax.random.bits(k[0], (8,)).tolist(),
    "integers": jax.random.randint(k[1], (8,), -50, 50).tolist(),
    "permutation": jax.random.permutation(k[2], 20).tolist(),
    "uniform~1e-6": jax.random.uniform(k[3], (8,)).tolist(),
    "normal~1e-4": jax.random.normal(k[4], (8,)).tolist(),
    "gamma~1e-3": jax.random.gamma(k[5], 2.5, (8,)).tolist(),
    "beta~1e-3": jax.random.beta(k[6], 2.0, 3.0, (4,)).tolist(),
    "categorical": jax.random.categorical(k[7], jnp.log(jnp.array([0.1, 0.6, 0.3])),
                                          shape=(16,)).tolist(),
    "poisson": jax.random.poisson(k[8], 4.0, (8,)).tolist(),
    "bernoulli": jax.random.bernoulli(k[9], 0.3, (16,)).astype(int).tolist(),
    "truncated~1e-4": jax.random.truncated_normal(k[10], -1, 1, (8,)).tolist(),
    "choice": jax.random.choice(k[11], 100, (5,), replace=False).tolist(),
    "rbg has numbers": bool(jnp.isfinite(jax.random.normal(rbg, (100,))).all()),
}))
