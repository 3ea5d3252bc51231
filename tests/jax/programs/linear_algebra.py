"""jnp.linalg and jax.scipy.linalg: factors make their matrices, and solutions solve."""
import json

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsp

a = jax.random.normal(jax.random.key(0), (12, 12))
s = a @ a.T + 12 * jnp.eye(12)
b = jax.random.normal(jax.random.key(1), (12, 3))
tall = jax.random.normal(jax.random.key(2), (20, 6))
batch = jax.random.normal(jax.random.key(3), (4, 5, 5))


def close(x, y, tolerance=2e-3):
    assert jnp.allclose(x, y, rtol=tolerance, atol=tolerance), float(jnp.abs(x - y).max())


close(a @ jnp.linalg.solve(a, b), b)
close(jnp.linalg.inv(s) @ s, jnp.eye(12))
c = jnp.linalg.cholesky(s)
close(c @ c.T, s, 1e-2)
close(jsp.cho_solve(jsp.cho_factor(s), s @ b), b)
q, r = jnp.linalg.qr(tall)
close(q @ r, tall)
close(q.T @ q, jnp.eye(6))
values, vectors = jnp.linalg.eigh(s)
close(vectors * values @ vectors.T, s, 1e-2)
u, singular, vt = jnp.linalg.svd(tall, full_matrices=False)
close(u * singular @ vt, tall)
p, l, upper = jsp.lu(a)
close(p @ l @ upper, a)
close(jnp.linalg.pinv(tall) @ tall, jnp.eye(6))
close(tall @ jnp.linalg.lstsq(tall, tall @ jnp.ones(6))[0], tall @ jnp.ones(6))
assert int(jnp.linalg.matrix_rank(tall @ tall.T)) == 6
close(jsp.expm(jnp.zeros((3, 3))), jnp.eye(3))
close(jnp.einsum("bij,bjk->bik", batch, jax.vmap(jnp.linalg.inv)(batch)),
      jnp.broadcast_to(jnp.eye(5), (4, 5, 5)), 2e-2)
none = jnp.zeros((3, 0, 0))
assert jnp.linalg.det(none).tolist() == [1, 1, 1]
assert jnp.linalg.solve(none, jnp.zeros((3, 0, 2))).shape == (3, 0, 2)
assert [part.shape for part in jsp.lu(jnp.zeros((0, 3)))] == [(0, 0), (0, 0), (0, 3)]
# Loops of rotations were 4e-4 off, and took 2 s.
large = jax.random.normal(jax.random.key(4), (200, 200))
symmetric = large + large.T
values200, vectors200 = jax.jit(jnp.linalg.eigh)(symmetric)
close(vectors200 * values200 @ vectors200.T, symmetric, 1e-4)
u200, singular200, vt200 = jax.jit(jnp.linalg.svd)(large)
close(u200 * singular200 @ vt200, large, 1e-4)
several = jnp.stack([s, 2 * s, s @ s / 30])
for one, of_one in zip(several, jax.vmap(jnp.linalg.eigvalsh)(several)):
    close(jnp.linalg.eigvalsh(one), of_one)
hermitian = a + 1j * a[::-1] + (a + 1j * a[::-1]).conj().T
w, v = jnp.linalg.eigh(hermitian)
close(v * w @ v.conj().T, hermitian)
close(jnp.linalg.svd(hermitian, compute_uv=False), jnp.sort(jnp.abs(w))[::-1])
assert jnp.isnan(jnp.linalg.eigh(s.at[3, 3].set(jnp.nan))[0]).all()
print(json.dumps({
    "determinant~0.01": float(jnp.linalg.slogdet(s)[1]),
    "eigenvalues~0.001": values.tolist(),
    "singular values~0.001": singular.tolist(),
    "norms~0.001": [float(jnp.linalg.norm(a, o)) for o in (None, 1, 2, jnp.inf)],
    "gradient of eigh~0.01": jax.grad(lambda m: jnp.linalg.eigh(m)[0][3:].sum())(s).ravel().tolist(),
    "gradient~0.01": jax.grad(lambda m: jnp.linalg.slogdet(m)[1])(s).ravel().tolist(),
}))
