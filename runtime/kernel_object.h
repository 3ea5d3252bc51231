// A compiled kernel: what halyard-codegen makes and every backend loads. The same bytes whether the
// kernel runs now, comes from the cache, lies in a saved Program or is embedded in an application.
//
// Byte form (little-endian; u32/u64 unaligned): see WriteKernelObject in kernel_object_writer.cc,
// ParseKernelObject in kernel_object.cc. Parsing checks every offset, count and string; a view
// points into the bytes, which must outlive it.
#ifndef HALYARD_RUNTIME_KERNEL_OBJECT_H_
#define HALYARD_RUNTIME_KERNEL_OBJECT_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/device_info.h"
#include "runtime/status.h"

namespace halyard::runtime {

inline constexpr uint32_t kKernelObjectVersion = 2;
inline constexpr int kMaxKernelRank = 16;

struct ByteSpan {
  const uint8_t* data = nullptr;
  size_t size = 0;
};
struct StringSpan {
  const char* data = nullptr;  // zero-terminated in the bytes
  uint32_t size = 0;
};

// One buffer argument as the kernel sees it: Halide type, extents and element strides, dimension 0
// first (Halide's order, usually the fastest). Bytes of a slice bound to it: at least `bytes`.
struct KernelArgument {
  uint8_t type_code = 0;  // halide_type_code_t: 0 int, 1 uint, 2 float
  uint8_t type_bits = 0;
  uint8_t rank = 0;
  uint64_t bytes = 0;
  int32_t extent[kMaxKernelRank] = {};
  int32_t stride[kMaxKernelRank] = {};
};

// One argument of a GPU launch, in the order of the device function's parameters.
struct LaunchArgument {
  enum class Kind : uint8_t { kBuffer = 0, kScratch = 1, kScalar = 2 } kind = Kind::kBuffer;
  uint32_t index = 0;        // kBuffer: kernel argument
  uint64_t offset = 0;       // byte offset into the argument's slice, or into the kernel's scratch
  uint64_t bytes = 0;        // kBuffer, kScratch: size of the binding; kScalar: 1, 2, 4 or 8
  uint64_t scalar_bits = 0;  // kScalar
};

inline constexpr int kMaxLaunchArguments = 64;

struct Launch {
  uint32_t module = 0;  // which of the object's modules
  StringSpan entry;     // function name (PTX) or entry point (SPIR-V)
  // A GpuLibrary bit: the launch is a call of a routine of that library. `entry` says which and of
  // what (runtime/cuda/library.h), `arguments` are what it reads and writes; there is no module,
  // and grid and block are 1. 0: device code.
  uint32_t library = 0;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t shared_bytes = 0;  // dynamic shared memory (CUDA)
  uint32_t num_arguments = 0;
  LaunchArgument arguments[kMaxLaunchArguments];
};

struct KernelObjectView {
  DeviceKind kind = DeviceKind::kX86;
  StringSpan
      name;  // "hyk_<fingerprint>": also the x86 entry, `int name(void** buffer_pointers)` where
             // each is a halide_buffer_t* (x86/halide_abi.h), inputs then outputs; 0 is success
  uint32_t num_inputs = 0;
  uint32_t num_outputs = 0;  // arguments [num_inputs, num_inputs + num_outputs)
  // x86: bytes of the thread that calls, and of each worker task, that hyrt_malloc may hand out
  // during one call. GPU: `scratch_bytes` of device memory per launch list in flight.
  uint64_t scratch_bytes = 0;
  uint64_t scratch_bytes_per_task = 0;
  ByteSpan x86_object;       // ELF64 relocatable; empty for GPUs
  uint32_t num_modules = 0;  // GPU: PTX text or cubin (ELF magic), or SPIR-V words
  uint32_t num_launches = 0;

  // i < counts above.
  KernelArgument argument(uint32_t i) const;
  ByteSpan module(uint32_t i) const;
  Launch launch(uint32_t i) const;

  ByteSpan bytes;  // the whole object
  // Positions of the tables inside `bytes`, set by ParseKernelObject.
  const uint8_t* argument_table = nullptr;
  const uint8_t* module_table = nullptr;
  const uint8_t* launch_table = nullptr;
};

// kDataLoss with what is wrong and where (byte offset) when the bytes are not a whole, consistent
// object.
Status ParseKernelObject(ByteSpan bytes, KernelObjectView* view);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_KERNEL_OBJECT_H_
