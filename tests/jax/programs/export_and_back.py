"""jax.export: a function written down, read, and called; with its gradient; with a free size."""
import json

import jax
import jax.numpy as jnp
from jax import export

f = jax.jit(lambda x: jnp.sin(x) * jnp.sum(x ** 2))
x = jnp.arange(4.0)
exported = export.export(f)(jax.ShapeDtypeStruct((4,), jnp.float32))
again = export.deserialize(exported.serialize(vjp_order=1))
(n,) = export.symbolic_shape("n")
free = export.export(f)(jax.ShapeDtypeStruct((n,), jnp.float32))
free = export.deserialize(free.serialize())
print(json.dumps({
    "value~1e-5": again.call(x).tolist(),
    "gradient~1e-4": jax.grad(lambda v: again.call(v).sum())(x).tolist(),
    "free size~1e-5": [free.call(jnp.arange(float(k))).tolist() for k in (2, 5)],
}))
