#!/usr/bin/env python3
"""Writes the .npz files of this folder, with NumPy and ml_dtypes.

good.npz, deflated.npz: the same arrays, which tests/client/arrays/npz_test.cc knows. The others are of
kinds that are refused.
"""

import pathlib

import ml_dtypes
import numpy as np

HERE = pathlib.Path(__file__).parent

ramp = np.arange(24)
bf16 = np.array([1.5, -2, np.inf], ml_dtypes.bfloat16)
GOOD = {
    "arg0": ramp.reshape(2, 3, 4).astype(np.float32),
    "arg1": np.asfortranarray(ramp.reshape(2, 3, 4).astype(np.int16)),
    "arg2": bf16.view(np.uint16), "arg2.dtype": "bfloat16",
    "arg3": np.array([-1, 7, -8], ml_dtypes.int4).view(np.uint8), "arg3.dtype": b"int4",
    "arg4": bf16, "arg4.dtype": "bfloat16",
    "arg5": np.array([1, 2], np.float32).astype(ml_dtypes.float8_e5m2), "arg5.dtype": "float8_e5m2",
    "arg6": np.array(True), "arg7": np.zeros((0, 3)),
    "arg8": np.array([1 + 2j], np.complex64), "arg9": np.array([2**64 - 1], np.uint64),
    "arg10": np.array([[-1, -2]], np.int8), "arg10.dtype": "int4",
}
BAD = {
    "big_endian": {"a": np.array([1, 2], ">f4")},
    "objects": {"a": np.array([{}, 1], object)},
    "structured": {"a": np.zeros(2, [("x", "f4"), ("y", "i4")])},
    "long_double": {"a": np.zeros(2, np.longdouble)},
    "no_dtype": {"a": bf16},
    "unknown_dtype": {"a": np.zeros(2, np.uint8), "a.dtype": "float7"},
    "wrong_width": {"a": np.zeros(2, np.uint8), "a.dtype": "bfloat16"},
    "wrong_kind": {"a": np.zeros(2, np.float16), "a.dtype": "bfloat16"},
    "no_such_value": {"a": np.array([16], np.uint8), "a.dtype": "uint4"},
    "dtype_alone": {"a.dtype": "bfloat16"},
    "dtype_no_string": {"a": np.zeros(2, np.uint8), "a.dtype": np.zeros(2)},
}

np.savez(HERE / "good.npz", **GOOD)
np.savez_compressed(HERE / "deflated.npz", **GOOD)
for name, arrays in BAD.items():
    np.savez_compressed(HERE / f"{name}.npz", **arrays)
