// Lets a test control the fake CUDA driver (fake_libcuda*.cc), a shared library that exports the
// names of the real one.
//
// The fake keeps device memory on the heap and really copies. It runs a stream's work only when
// somebody waits for it, so that a missing wait shows. It records kernels. It runs them if the test
// provides a stand-in or, with `interpret`, as their module's text says. It records wrong use as a
// violation: no context, another device's context, freed or foreign handles, memory out of bounds,
// leaks.
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
  // The same parameters in full, by their declared sizes.
  std::vector<std::vector<uint8_t>> parameters;
  CUfunction function = nullptr;
  CUmodule module = nullptr;
};

struct FakeCuda {
  // Set these before a device is opened.
  int driver_version = 12040;
  int devices = DevicesByDefault();  // $HALYARD_FAKE_CUDA_DEVICES, or 1
  static int DevicesByDefault();
  int capability = CapabilityByDefault();  // $HALYARD_FAKE_CUDA_CAPABILITY, or 90
  static int CapabilityByDefault();
  bool memory_pools = true;
  size_t memory_bytes = size_t{1} << 30;  // per device
  int max_threads_per_function = 1024;
  // The device's clock minus CLOCK_MONOTONIC, in nanoseconds.
  int64_t clock_offset_ns = 1'000'000'000'000;

  // Makes the `skip`-th next call of `function` ("cuMemcpyHtoDAsync_v2") fail with `code`. Codes
  // that break a context persist.
  void Fail(const std::string& function, CUresult code, int skip = 0) {
    fail_function = function;
    fail_code = code;
    fail_skip = skip;
  }
  // Makes the call with the number `index`, counted as in `calls`, fail.
  void FailAt(int index, CUresult code) {
    fail_index = index;
    fail_code = code;
  }
  std::string fail_function;
  CUresult fail_code = CUDA_SUCCESS;
  int fail_skip = 0;
  int fail_index = -1;

  // If set, an interpreter (tests/fakes/ptx/run.h) runs kernels of PTX text. Text that it does not
  // know gives CUDA_ERROR_INVALID_PTX, as does text that reads a register which nothing writes, and
  // cubins are refused. A kernel that does something illegal
  // breaks the context. This is a violation, which is also printed to stderr.
  // $HALYARD_FAKE_CUDA=interpret sets this from the start.
  bool interpret = InterpretsByDefault();
  static bool InterpretsByDefault();
  // The interpreter also looks for data races and for reads of uninitialized shared memory.
  bool check_races = true;
  // In which order the interpreter starts a grid's blocks: RunOptions::block_order of ptx/run.h.
  uint32_t block_order = 0;

  // Runs instead of each kernel; may be null.
  void (*kernel)(const FakeLaunch& launch) = nullptr;

  // These record what happened.
  std::vector<std::string> calls;
  std::vector<FakeLaunch> launches;
  std::vector<int> node_dependencies;  // one for each node added to a graph
  std::vector<std::string> violations;
  std::vector<CUjit_option> jit_options;  // those of the module loaded last
};

}  // namespace halyard::testing

// Returns the only instance. The library exports this function.
extern "C" halyard::testing::FakeCuda* HalyardFakeCuda();
// Resets all state.
extern "C" void HalyardResetFakeCuda();
// For fakes of libraries. Takes or releases the lock that every call of the driver takes.
extern "C" void HalyardFakeLock(int locked);
// Runs the work of a stream until `reached(user)` returns something other
// than 0, and returns what it returned last.
extern "C" int HalyardFakeRunUntil(CUstream stream, int (*reached)(void*), void* user);
// From now on, the work of the stream does not go on, or does again.
extern "C" void HalyardFakeBlockStream(CUstream stream, int blocked);
// From now on, only the first bytes of this memory, which cuMemHostAlloc gave, are pinned.
extern "C" void HalyardFakePinOnly(const void* host, uint64_t bytes);
// Returns whether the device of this context has these bytes of memory.
extern "C" int HalyardFakeOwnsMemory(CUcontext context, uint64_t address, uint64_t bytes);

#endif  // HALYARD_TESTS_FAKES_FAKE_LIBCUDA_H_
