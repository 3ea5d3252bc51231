"""Programs that were exported with symbolic sizes, and what they give for several."""
import json

import jax
import jax.numpy as jnp
from jax import export

printed = {}


def run(name, function, shapes, constraints, sizes):
    """`function` of arrays of symbolic `shapes`, exported once, for each of the sizes."""
    scope = export.SymbolicScope(constraints)
    specs = [jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), jnp.float32)
             for shape in shapes]
    stored = export.export(jax.jit(function), platforms=["cpu", "halyard"],
                           disabled_checks=[export.DisabledSafetyCheck.custom_call(call) for call in
                                            ("stablehlo.dynamic_rng_bit_generator",)])(*specs)
    program = export.deserialize(stored.serialize())
    for dims in sizes:
        arguments = [jnp.sin(jnp.arange(jnp.prod(jnp.array(d)), dtype=jnp.float32) * 7).reshape(d)
                     for d in dims]
        printed[f"{name} {dims}~1e-5"] = [
            jnp.ravel(r).tolist() for r in jax.tree.leaves(jax.jit(program.call)(*arguments))]


run("top_k", lambda x: jax.lax.top_k(x, x.shape[1] - 1), ["a, b"], ["b >= 2"],
    [[(2, 5)], [(3, 2)]])
run("approximate top_k", lambda x: jax.lax.approx_max_k(x, x.shape[1] - 1), ["a, b"], ["b >= 2"],
    [[(2, 5)], [(3, 9)]])
run("approximate top_k of rows", lambda x: jax.lax.approx_min_k(x, 3), ["a, 8"], [],
    [[(2, 8)], [(5, 8)]])
run("windows", lambda x: jax.lax.reduce_window(
    x, -jnp.inf, jax.lax.max, (1, x.shape[1] // 2), (1, 1), "VALID"), ["a, b"], ["b >= 2"],
    [[(2, 6)], [(3, 7)]])
run("bits", lambda x: jax.lax.rng_bit_generator(
    jnp.arange(4, dtype=jnp.uint32), (x.shape[0], 2, x.shape[1]))[1] % 1024, ["a, b"], [],
    [[(2, 3)], [(1, 8)]])
run("sums", lambda x: jnp.cumsum(x, axis=1), ["a, b"], [], [[(2, 6)], [(1, 1)]])
run("cholesky", lambda x: jnp.linalg.cholesky(
    x @ x.transpose(0, 2, 1) + jnp.eye(3) * 4), ["a, 3, 3"], [], [[(2, 3, 3)], [(5, 3, 3)]])
print(json.dumps(printed))
