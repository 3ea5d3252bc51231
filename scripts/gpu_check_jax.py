"""Runs JAX on Halyard's plugin, beside NumPy, for scripts/gpu_check: a line PASS or FAIL for each.
The plugin's environment variables are set by the caller. Exit status 77: there is no JAX."""
import sys

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError as error:
    print(error)
    sys.exit(77)

FAILED = []


def beside(name, got, want, tolerance):
    """Compares relative to the largest element."""
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    error = abs(got - want).max() / abs(want).max()
    if got.shape == want.shape and error <= tolerance:
        print(f"PASS {name}: {error:.1e}")
    else:
        FAILED.append(name)
        print(f"FAIL {name}: an error of {error:.1e} of the largest; {tolerance:.0e} is allowed")


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def main():
    print(jax.__version__, jax.devices())
    key = jax.random.key(0)
    a = jax.random.normal(key, (256, 256))
    n = np.asarray(a, np.float64)
    # Threefry gives every platform the same bits; the normal numbers are computed from them.
    print(("PASS" if abs(n.mean()) < 0.02 and abs(n.std() - 1) < 0.02 else "FAIL")
          + f" random: mean {n.mean():.4f}, deviation {n.std():.4f}")
    if abs(n.mean()) >= 0.02 or abs(n.std() - 1) >= 0.02:
        FAILED.append("random")
    beside("matmul", jax.jit(lambda x: x @ x)(a), n @ n, 1e-5)
    beside("softmax", jax.jit(lambda x: jax.nn.softmax(x @ x.T / 20))(a), softmax(n @ n.T / 20),
           1e-5)
    gradient = jax.jit(jax.grad(lambda w: jnp.tanh(a @ w / 16).sum()))(a)
    beside("gradient", gradient, n.T @ (1 - np.tanh(n @ n / 16) ** 2) / 16, 1e-4)
    q, r = jnp.linalg.qr(a[:32, :32])
    beside("qr", np.asarray(q, np.float64) @ np.asarray(r, np.float64), n[:32, :32], 1e-5)
    step = jax.jit(lambda x: x * 0.5 + a)
    x, y = a, n
    for _ in range(20):
        x, y = step(x), y * 0.5 + n
    beside("20 steps", x, y, 1e-5)
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
