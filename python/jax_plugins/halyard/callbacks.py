"""Python functions that programs call: pure_callback, io_callback, debug.print, debug.callback.

A call is a custom call `halyard_python_callback`, whose configuration is the number of a function in
the table here. The library calls it through the door, whose address it is told when the client is
made (client/pjrt/python_callback.h describes the struct).
"""

import atexit
import ctypes
import itertools
import threading
import time
import traceback
import weakref

import numpy as np

PLATFORM = "halyard"
TARGET = "halyard_python_callback"

_CALL = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_char), ctypes.c_uint64)


_HOLD = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_int)


class _Door(ctypes.Structure):
    _fields_ = [("call", _CALL), ("hold", _HOLD), ("active", ctypes.c_int32),
                ("closed", ctypes.c_int32)]


class _Callback:
    """A function, with the shapes and types that its program calls it with."""

    def __init__(self, function, operands, results):
        self.function = function
        self.operands = operands  # (shape, dtype) of each
        self.results = results


class _Keep:
    """What JAX's executable keeps while it lives."""


_numbers = itertools.count()
_lock = threading.Lock()
_table = {}  # number -> [callback, how many hold it: JAX's executable, and programs of the library]


def _hold(number, change):
    with _lock:
        entry = _table.get(number)
        if entry is None:
            return
        entry[1] += change
        if entry[1] == 0:
            del _table[number]


def _array(address, shape, dtype):
    count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if count == 0:
        return np.zeros(shape, dtype)
    memory = (ctypes.c_char * count).from_address(address)
    return np.frombuffer(memory, dtype=dtype).reshape(shape)


def _stored(value):
    """The array with bytes as kernels expect them: NumPy's int4 leaves the sign out of its high bits."""
    if not value.dtype.name.startswith(("int", "uint")) or value.dtype.kind in "iu":
        return value
    return value.astype(np.uint8 if value.dtype.name.startswith("uint") else np.int8)


def _run(number, operands, results):
    callback = _table[number][0]
    # The memory is the program's own: what the function may keep is a copy.
    arguments = [_array(operands[i], shape, dtype).copy()
                 for i, (shape, dtype) in enumerate(callback.operands)]
    values = callback.function(*arguments)
    for i, (value, (shape, dtype)) in enumerate(zip(values, callback.results, strict=True)):
        value = np.asarray(value, dtype=dtype, order="C")
        if value.shape != shape:
            raise ValueError(f"result {i} of a callback has shape {value.shape}, not {shape}")
        value = _stored(value)
        if value.nbytes:
            ctypes.memmove(results[i], value.ctypes.data, value.nbytes)


def _call(number, operands, results, error, error_bytes):
    try:
        _run(number, operands, results)
        return 0
    except BaseException as exception:  # all of them become the run's error
        text = "".join(traceback.format_exception(exception)).strip()
        # The message has little room, and its end says most.
        encoded = text.encode()[-(error_bytes - 1):] + b"\0"
        ctypes.memmove(error, encoded, len(encoded))
        return 1


_door = _Door(_CALL(_call), _HOLD(_hold), 0, 0)


@atexit.register
def _close():
    """Runs that are in flight when the interpreter ends must not come back into it, but for those
    with effects, which are waited for."""
    import jax
    try:
        jax.effects_barrier()
    except Exception:  # of a callback; JAX's own waiting at exit reports it
        pass
    _door.closed = 1
    while _door.active:
        time.sleep(0.001)


def door_address():
    return ctypes.addressof(_door)


def _emit(ctx, callback, token, operands, operand_avals, result_avals, has_side_effect):
    from jax._src import core, dtypes
    from jax._src.interpreters import mlir

    def described(avals):
        return [(tuple(a.shape), np.dtype(a.dtype)) for a in avals]

    def function(*arguments):
        values = callback(*arguments)
        if len(values) != len(result_avals):
            raise RuntimeError("Mismatched number of outputs from callback. Expected: "
                               f"{len(result_avals)}, Actual: {len(values)}")
        values = tuple(dtypes.canonicalize_value(np.asarray(v)) for v in values)
        for i, (value, aval) in enumerate(zip(values, result_avals)):
            if value.shape != aval.shape:
                raise RuntimeError(f"Incorrect output shape for return value #{i}: "
                                   f"Expected: {aval.shape}, Actual: {value.shape}")
            if value.dtype != aval.dtype:
                raise RuntimeError(f"Incorrect output dtype for return value #{i}: "
                                   f"Expected: {aval.dtype}, Actual: {value.dtype}")
        return values

    number = next(_numbers)
    _table[number] = [_Callback(function, described(operand_avals), described(result_avals)), 1]
    keep = _Keep()
    weakref.finalize(keep, _hold, number, -1).atexit = False
    ctx.module_context.add_keepalive(keep)
    result_types = [mlir.aval_to_ir_type(ctx.module_context, aval) for aval in result_avals]
    operands = list(operands)
    if token is not None:
        operands.insert(0, token)
        result_types.insert(0, mlir.aval_to_ir_type(ctx.module_context, core.abstract_token))
    call = mlir.custom_call(TARGET, result_types=result_types, operands=operands,
                            backend_config=str(number), has_side_effect=has_side_effect)
    results = list(call.results)
    if token is not None:
        token = results.pop(0)
    return results, token, keep


def add_lowering():
    from jax._src import callback as jax_callback
    from jax._src import checkify, debugging  # their rules are there then
    from jax_plugins.halyard import lowering

    emit_elsewhere = jax_callback.emit_python_callback

    def emit(ctx, callback, token, operands, operand_avals, result_avals, *, has_side_effect,
             **options):
        if tuple(ctx.module_context.platforms) != (PLATFORM,):
            return emit_elsewhere(ctx, callback, token, operands, operand_avals, result_avals,
                                  has_side_effect=has_side_effect, **options)
        return _emit(ctx, callback, token, operands, operand_avals, result_avals, has_side_effect)

    jax_callback.emit_python_callback = emit
    lowering.copy_cpu_rules(("check", "debug_callback", "debug_print"))
