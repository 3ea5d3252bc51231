"""What fails in Halyard itself is a JaxRuntimeError with a code and a place, and the process lives."""
import json
import os
import pathlib
import signal
import tempfile
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import serialize_executable

# Kernels are compiled anew, by a code generator that waits in those that hold a cosine.
folder = tempfile.TemporaryDirectory()
os.environ["HALYARD_CACHE_DIR"] = folder.name
os.environ["HALYARD_CODEGEN_FAULT"] = "hang:cosine"
x = jnp.ones(8)


def fails(call, code, *texts):
    try:
        call()
    except jax.errors.JaxRuntimeError as error:
        assert str(error).startswith(code), error
        for text in texts:
            assert text in str(error), error
    else:
        raise AssertionError(f"no {code}")


def children():
    for task in pathlib.Path("/proc/self/task").iterdir():
        yield from map(int, (task / "children").read_text().split())


def kill_code_generator():
    while not done.is_set():
        for child in children():
            os.kill(child, signal.SIGKILL)
        time.sleep(0.05)


if jax.default_backend() == "halyard":
    fails(lambda: jax.jit(lambda v: jax.ffi.ffi_call(
        "no_such_function", jax.ShapeDtypeStruct((8,), jnp.float32))(v))(x),
        "NOT_FOUND", "no_such_function", "jax:")
    fails(lambda: jax.jit(lambda v: jnp.broadcast_to(v, (1 << 44,)))(1.0).block_until_ready(),
          "RESOURCE_EXHAUSTED", "jax:", "largest allocation")

    assert float(jnp.sum(jnp.tanh(x))) > 0  # the code generator is at work
    done = threading.Event()
    killer = threading.Thread(target=kill_code_generator)
    killer.start()
    try:
        fails(lambda: jax.jit(jnp.cos)(x), "UNAVAILABLE", "halyard-codegen ended")
    finally:
        done.set()
        killer.join()
    del os.environ["HALYARD_CODEGEN_FAULT"]
    for child in children():  # of the old environment
        os.kill(child, signal.SIGKILL)

    compiled = jax.jit(lambda v: v * 2 + 1).lower(x).compile()
    stored, *trees = serialize_executable.serialize(compiled)
    middle = len(stored) // 2
    damaged = stored[:middle] + bytes([stored[middle] ^ 0x55]) + stored[middle + 1:]
    fails(lambda: serialize_executable.deserialize_and_load(damaged, *trees), "DATA_LOSS")
    again = serialize_executable.deserialize_and_load(stored, *trees)
    assert np.asarray(again(x)).tolist() == [3] * 8

# All is well after all that; the cosine is compiled now.
print(json.dumps({"cosines~1e-6": jax.jit(jnp.cos)(x).tolist()}))
