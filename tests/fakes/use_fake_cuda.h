// For tests that run on target "cuda": provides the fake driver, which interprets PTX.
#ifndef HALYARD_TESTS_FAKES_USE_FAKE_CUDA_H_
#define HALYARD_TESTS_FAKES_USE_FAKE_CUDA_H_

#include <cstdlib>

namespace halyard::testing {

// Call this before anything opens a device. The fake runs PTX, not the code that ptxas makes from
// it. If $HALYARD_TEST_GPU is set, the GPU's own driver is used.
inline bool UseFakeCuda() {
  if (getenv("HALYARD_TEST_GPU") != nullptr) return false;
  setenv("HALYARD_LIBCUDA", HALYARD_FAKE_LIBCUDA, 1);
  setenv("HALYARD_FAKE_CUDA", "interpret", 1);
  setenv("HALYARD_PTXAS", "", 1);
  return true;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_FAKES_USE_FAKE_CUDA_H_
