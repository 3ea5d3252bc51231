// How a test controls the fake CUDA driver (fake_libcuda*.cc), a shared library with the names of
// the real one.
//
// The fake keeps device memory on the heap, really copies, and runs a stream's work only when
// somebody waits for it, so that a missing wait shows. It records kernels. It runs them if the test
// gives a stand-in or, with `interpret`, as the text of their module says. It records wrong use as
// a violation: no context, another device's context, freed or foreign handles, memory out of
// bounds, leaks.
#ifndef HALYARD_TESTS_FAKES_FAKE_LIBCUDA_H_
#define HALYARD_TESTS_FAKES_FAKE_LIBCUDA_H_

#include <cuda.h>

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::testing {

struct FakeLaunch {
  std::string entry;
  unsigned grid[3], block[3], shared_bytes;
  // The first eight bytes of each parameter that the module's text declares.
  std::vector<void*> arguments;
  // The same parameters whole, by their declared sizes.
  std::vector<std::vector<uint8_t>> parameters;
  CUfunction function = nullptr;
  CUmodule module = nullptr;
};

struct FakeCuda {
  // Set before a device is opened.
  int driver_version = 12040;
  int devices = 1;
  int capability = 90;
  bool memory_pools = true;
  size_t memory_bytes = size_t{1} << 30;  // of each device
  int max_threads_per_function = 1024;
  // The device's clock minus CLOCK_MONOTONIC, in nanoseconds.
  int64_t clock_offset_ns = 1'000'000'000'000;

  // The `skip`-th next call of `function` ("cuMemcpyHtoDAsync_v2") fails with `code`. Codes that
  // break a context stay.
  void Fail(const std::string& function, CUresult code, int skip = 0) {
    fail_function = function;
    fail_code = code;
    fail_skip = skip;
  }
  // Of all calls, as in `calls`, the one with the number `index` fails.
  void FailAt(int index, CUresult code) {
    fail_index = index;
    fail_code = code;
  }
  std::string fail_function;
  CUresult fail_code = CUDA_SUCCESS;
  int fail_skip = 0;
  int fail_index = -1;

  // An interpreter (tests/fakes/ptx/run.h) runs kernels of PTX text. Text that it does not know is
  // CUDA_ERROR_INVALID_PTX, and cubins are refused. If a kernel does what it may not, this breaks
  // the context and is a violation, which is also printed on stderr. $HALYARD_FAKE_CUDA=interpret
  // sets this from the start.
  bool interpret = InterpretsByDefault();
  static bool InterpretsByDefault();
  // The interpreter also looks for races and uninitialised shared memory.
  bool check_races = true;

  // Runs in place of kernels; may be null.
  void (*kernel)(const FakeLaunch& launch) = nullptr;

  // What happened.
  std::vector<std::string> calls;
  std::vector<FakeLaunch> launches;
  std::vector<int> node_dependencies;  // of each node added to a graph
  std::vector<std::string> violations;
  std::vector<CUjit_option> jit_options;  // of the module loaded last
};

}  // namespace halyard::testing

// The one state; the library exports this.
extern "C" halyard::testing::FakeCuda* HalyardFakeCuda();
// Forgets everything.
extern "C" void HalyardResetFakeCuda();

#endif  // HALYARD_TESTS_FAKES_FAKE_LIBCUDA_H_
