"""Functions of jnp.linalg that jaxlib's own LAPACK computes: they have no form as loops."""
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import linalg

random = np.random.RandomState(0)
a = random.randn(5, 5).astype(np.float32)
batch = random.randn(3, 4, 4).astype(np.float32)
tall = random.randn(6, 4).astype(np.float32)
c = (random.randn(4, 4) + 1j * random.randn(4, 4)).astype(np.complex64)
right = random.randn(3, 3).astype(np.float32)
given = random.randn(5, 3).astype(np.float32)


def real(array):
    array = np.asarray(array)
    return np.stack([array.real, array.imag]).tolist()


values, vectors = jax.jit(jnp.linalg.eig)(batch)
triangular, basis = linalg.schur(a)
hessenberg, turns = linalg.hessenberg(a, calc_q=True)
q, r, pivots = linalg.qr(tall, pivoting=True, mode="economic")
solution = linalg.solve_sylvester(a, right, given)
derivative = jax.grad(lambda x: jnp.linalg.eigvals(x).real.max())(batch[0])
print(json.dumps({
    "eigenvalues~1e-5": real(values), "eigenvectors~1e-5": real(vectors),
    "eigenvalues of complex numbers~1e-5": real(jnp.linalg.eigvals(c)),
    "schur~1e-5": np.asarray(triangular).tolist(), "basis~1e-5": np.asarray(basis).tolist(),
    "hessenberg~1e-5": np.asarray(hessenberg).tolist(), "turns~1e-5": np.asarray(turns).tolist(),
    "pivots": np.asarray(pivots).tolist(), "r~1e-5": np.asarray(r).tolist(),
    "sylvester~1e-4": np.asarray(solution).tolist(),
    "derivative~1e-4": np.asarray(derivative).tolist(),
    "square root~1e-4": real(linalg.sqrtm(batch[0])),
}))
