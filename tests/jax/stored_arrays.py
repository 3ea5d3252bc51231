"""Arrays of types that NumPy lacks in .npz files: unsigned integers of their width beside an entry
NAME.dtype, the form of client/arrays/npz.h. Types of fewer than 8 bits are in the low bits of a byte."""

import ml_dtypes
import numpy as np


def storable(name, array):
    """An array's entries."""
    array = np.asarray(array)
    if array.dtype.type.__module__ == "numpy":
        return {name: array}
    bits = np.ascontiguousarray(array).view(np.uint16 if array.dtype.itemsize == 2 else np.uint8)
    width = {"2": 2, "4": 4}.get(array.dtype.name[-1] if "int" in array.dtype.name else "", 8)
    if array.dtype.itemsize == 1 and width < 8:
        bits = bits & np.uint8(2**width - 1)
    return {name: bits.reshape(array.shape), f"{name}.dtype": np.str_(array.dtype.name)}


def stored_array(stored, name):
    """The array whose entries storable() has made; `stored`: a file that np.load has opened."""
    array = stored[name]
    if f"{name}.dtype" not in stored.files:
        return array
    kind = str(stored[f"{name}.dtype"])
    dtype = np.dtype(getattr(ml_dtypes, kind, kind))
    if kind.startswith("int") and dtype.itemsize == 1:  # the sign is in the low bits
        shift = np.int8(8 - int(kind[3:]))
        return ((array.view(np.int8) << shift) >> shift).astype(dtype)
    return array.astype(dtype) if kind.startswith("uint") else array.view(dtype)


def numbered_arrays(stored, prefix):
    """The arrays PREFIX0, PREFIX1, … of such a file."""
    arrays = []
    while f"{prefix}{len(arrays)}" in stored.files:
        arrays.append(stored_array(stored, f"{prefix}{len(arrays)}"))
    return arrays


def numbered_entries(prefix, arrays):
    """What a file of PREFIX0, PREFIX1, … holds."""
    entries = {}
    for i, array in enumerate(arrays):
        entries |= storable(f"{prefix}{i}", array)
    return entries
