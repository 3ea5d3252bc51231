"""Functions of one's own in C++, called through jax.ffi: attributes, several results, errors."""
import ctypes
import json
import pathlib
import subprocess
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

SOURCE = r"""
#include <cmath>
#include "xla/ffi/api/ffi.h"
namespace ffi = xla::ffi;

ffi::Error Normalize(float epsilon, ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y,
                     ffi::ResultBuffer<ffi::F32> norms) {
  const auto dims = x.dimensions();
  const int64_t width = dims.back();
  for (int64_t row = 0; row < static_cast<int64_t>(x.element_count()) / width; ++row) {
    const float* from = x.typed_data() + row * width;
    float sum = 0;
    for (int64_t i = 0; i < width; ++i) sum += from[i] * from[i];
    if (sum == 0) return ffi::Error::InvalidArgument("a row of zeros");
    norms->typed_data()[row] = std::sqrt(sum + epsilon);
    for (int64_t i = 0; i < width; ++i)
      y->typed_data()[row * width + i] = from[i] / norms->typed_data()[row];
  }
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(normalize, Normalize,
                              ffi::Ffi::Bind()
                                  .Attr<float>("epsilon")
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>());
"""

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder)
    (path / "normalize.cc").write_text(SOURCE)
    subprocess.run(["g++", "-std=c++17", "-O1", "-shared", "-fPIC", f"-I{jax.ffi.include_dir()}",
                    str(path / "normalize.cc"), "-o", str(path / "normalize.so")], check=True)
    library = ctypes.CDLL(str(path / "normalize.so"))
for platform in ("cpu", "halyard"):
    jax.ffi.register_ffi_target("tests.normalize", jax.ffi.pycapsule(library.normalize),
                                platform=platform)


def normalize(x):
    results = (jax.ShapeDtypeStruct(x.shape, x.dtype),
               jax.ShapeDtypeStruct(x.shape[:-1], x.dtype))
    return jax.ffi.ffi_call("tests.normalize", results, vmap_method="broadcast_all")(
        x, epsilon=np.float32(0.5))


x = np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4)
y, norms = jax.jit(normalize)(x)
stacked, _ = jax.vmap(normalize)(x)
in_loop = jax.lax.fori_loop(0, 3, lambda _, v: normalize(v)[0] + 1, jnp.asarray(x[0]))
try:
    jax.block_until_ready(jax.jit(normalize)(jnp.zeros((2, 3))))
    message = "no error"
except Exception as error:
    message = "a row of zeros" if "a row of zeros" in str(error) else str(error)
print(json.dumps({
    "results~1e-6": np.asarray(y).tolist(), "norms~1e-6": np.asarray(norms).tolist(),
    "stacked~1e-6": np.asarray(stacked).tolist(), "in a loop~1e-5": np.asarray(in_loop).tolist(),
    "error": message,
}))
