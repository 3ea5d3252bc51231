"""Halyard as a platform of JAX: `JAX_PLATFORMS=halyard python train.py`.

JAX finds this package (it scans the namespace package `jax_plugins`), and calls initialize() when a
backend is first needed. What of JAX is private is used with care: where another version lacks it, a
warning says what is lost, and the rest works.
"""

import ctypes
import importlib.util
import os
import pathlib
import warnings

PLATFORM = "halyard"


def library_path():
    """libhalyard.so: $HALYARD_LIBRARY, the wheel's, or the build folder's of this checkout."""
    asked = os.environ.get("HALYARD_LIBRARY")
    if asked:
        return asked
    wheel = importlib.util.find_spec("halyard_compiler")
    folders = [pathlib.Path(p) / "lib" for p in (wheel.submodule_search_locations or [])] \
        if wheel else []
    folders.append(pathlib.Path(__file__).resolve().parents[3] / "build/release/lib")
    for folder in folders:
        if (folder / "libhalyard.so").exists():
            return str(folder / "libhalyard.so")
    raise FileNotFoundError(
        "libhalyard.so is in none of " + ", ".join(map(str, folders)) +
        ": install halyard-compiler, build the target halyard_plugin, or set HALYARD_LIBRARY")


def load(path):
    """Loads libhalyard.so so that it finds its own libraries first. JAX, which loads it again, gets
    the same. Otherwise it would call the protobuf of whoever loaded one for all to see: TensorFlow's
    is another version."""
    ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL | os.RTLD_DEEPBIND)


def _options():
    from jax_plugins.halyard import callbacks
    return {"python_callback": callbacks.door_address()}


def _guarded(what, change):
    try:
        change()
    except Exception as error:
        warnings.warn(f"halyard: this version of JAX is another than expected ({error!r}): {what}")


def initialize():
    import jax
    from jax._src import xla_bridge

    path = library_path()
    load(path)
    _guarded("JAX calls the platform experimental",
             lambda: xla_bridge._nonexperimental_plugins.add(PLATFORM))
    xla_bridge.register_plugin(PLATFORM, priority=400, library_path=path, options=_options)

    from jax_plugins.halyard import cache, callbacks, ffi, lowering

    _guarded("no memory of donated arguments is used again", lowering.allow_donation)
    _guarded("jnp.linalg functions that have no portable form are missing", lowering.add_linalg)
    _guarded("functions of jax.ffi cannot be called", lambda: ffi.connect(path))
    _guarded("eig, schur, hessenberg, tridiagonal and pivoted qr are missing", ffi.add_lapack)
    _guarded("callbacks and debug.print are not available", callbacks.add_lowering)
    _guarded("JAX's persistent cache is not used; Halyard's own is", cache.allow)
    # Callbacks are given arrays of the CPU, which JAX_PLATFORMS=halyard alone would hide.
    if jax.config.jax_platforms == PLATFORM:
        _guarded("callbacks need JAX_PLATFORMS=halyard,cpu",
                 lambda: jax.config.update("jax_platforms", f"{PLATFORM},cpu"))
