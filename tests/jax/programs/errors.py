"""What goes wrong is a Python exception, and the process lives."""
import json
import time

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.ones(4)
caught = {}


def fails(name, text, call):
    try:
        call()
    except Exception as error:
        assert text in str(error), (name, str(error))
        caught[name] = True
    else:
        raise AssertionError(f"{name} was not refused")


donated = jax.jit(lambda v: v + 1, donate_argnums=0)
gone = jnp.ones(4)
donated(gone)
fails("deleted", "deleted", lambda: np.asarray(gone))
fails("compiler options", "no_such_option",
      lambda: jax.jit(lambda v: v, compiler_options={"no_such_option": True})(x))
fails("callback", "oh no", lambda: np.asarray(jax.jit(lambda v: jax.pure_callback(
    lambda a: (_ for _ in ()).throw(ValueError("oh no")), jax.ShapeDtypeStruct((4,), jnp.float32),
    v) * 2)(x)))
assert float(jnp.sum(x)) == 4  # all is well after all that

# The interpreter ends with work in flight.
jax.jit(lambda v: jax.pure_callback(lambda a: (time.sleep(0.2), np.asarray(a))[1],
                                    jax.ShapeDtypeStruct((4,), jnp.float32), v))(x)
big = jax.jit(lambda m: jax.lax.fori_loop(0, 20, lambda _, a: jnp.tanh(a @ m), m))(
    jnp.ones((300, 300)) * 0.01)
print(json.dumps(caught), flush=True)
