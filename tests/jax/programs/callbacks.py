"""Python functions that programs call: pure, with effects, in order, printing, failing."""
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

x = jnp.arange(3.0)
like = jax.ShapeDtypeStruct((3,), jnp.float32)
doubled = jax.jit(lambda v: jax.pure_callback(lambda a: 2 * np.asarray(a), like, v) + 1)(x)

number = jax.ShapeDtypeStruct((), jnp.int32)
assert int(jax.jit(lambda v: jax.pure_callback(lambda a: np.int32(a + 1), number, v))(3)) == 4

seen = []


@jax.jit
def count(n):
    def body(i, c):
        io_callback(lambda k: seen.append(int(k)), None, i, ordered=True)
        return c + i
    return jax.lax.fori_loop(0, n, body, 0)


total = int(count(5)) + int(count(3))
jax.effects_barrier()
assert seen == [0, 1, 2, 3, 4, 0, 1, 2], seen

printed = []
jax.jit(lambda v: jax.debug.callback(lambda a: printed.append(np.asarray(a).tolist()), v))(x)
jax.jit(lambda v: jax.debug.print("x is {}", v))(x)
jax.effects_barrier()
assert printed == [[0, 1, 2]], printed

mapped = jax.vmap(lambda v: jax.pure_callback(
    lambda a: np.sum(a, -1, dtype=np.float32), jax.ShapeDtypeStruct((), jnp.float32), v,
    vmap_method="expand_dims"))(jnp.ones((4, 3)))

# NumPy's int4 has zeros where the sign's copies would be, in arguments and in results.
small = np.array([0, 1, -2, -8, 7, -1], np.int32)
narrow = small.astype(jnp.int4)
assert jax.jit(lambda a: a.astype(jnp.int32))(narrow).tolist() == small.tolist()
assert jax.jit(lambda a: a.astype(jnp.int32))(narrow.reshape(2, 3).T).tolist() == small.reshape(2, 3).T.tolist()
back = jax.jit(lambda v: jax.pure_callback(
    lambda a: np.asarray(a), jax.ShapeDtypeStruct((6,), jnp.int4), v).astype(jnp.int32))(narrow)
assert back.tolist() == small.tolist(), back


def fails(a):
    raise ValueError("no such luck")


try:
    np.asarray(jax.jit(lambda v: jax.pure_callback(fails, like, v))(x))
except Exception as error:
    assert "no such luck" in str(error), error
else:
    raise AssertionError("an exception in a callback was lost")
print(json.dumps({"doubled": doubled.tolist(), "total": total, "mapped": mapped.tolist()}))
