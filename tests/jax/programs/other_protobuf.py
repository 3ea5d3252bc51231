"""A process in which others see another protobuf, as in one that has imported TensorFlow."""
import ctypes
import json
import os
import pathlib
import subprocess
import tempfile

# google::protobuf::MessageLite::ParseFromArray and ParseFromString: what reading a message calls.
SOURCE = """
#include <stdlib.h>
void _ZN6google8protobuf11MessageLite14ParseFromArrayEPKvi(void) { abort(); }
void _ZN6google8protobuf11MessageLite15ParseFromStringERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(void) { abort(); }
"""
with tempfile.TemporaryDirectory() as folder:
    source, library = pathlib.Path(folder, "other.c"), pathlib.Path(folder, "libother.so")
    source.write_text(SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    ctypes.CDLL(str(library), mode=os.RTLD_NOW | os.RTLD_GLOBAL)

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

print(json.dumps({"sum": float(jax.jit(lambda x: (x * 3).sum())(jnp.arange(5.0)))}))
