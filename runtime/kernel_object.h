// A compiled kernel, which halyard-codegen makes and every backend loads. The bytes are the same
// whether the kernel runs now, comes from the cache, lies in a saved Program or is embedded in an
// application.
//
// Byte form (little-endian; u32/u64 unaligned): see WriteKernelObject in kernel_object_writer.cc
// and ParseKernelObject in kernel_object.cc. Parsing checks every offset, count and string. A view
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
inline constexpr uint64_t kCounterUnit = 256;

struct ByteSpan {
  const uint8_t* data = nullptr;
  size_t size = 0;
};
struct StringSpan {
  const char* data = nullptr;  // zero-terminated in the bytes
  uint32_t size = 0;
};

// One buffer argument as the kernel sees it: Halide type, extents and element strides. Dimension 0
// comes first (Halide's order, usually the fastest). A slice bound to it has at least `bytes`
// bytes.
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
  uint32_t index = 0;        // kBuffer: the kernel argument
  uint64_t offset = 0;       // byte offset into the argument's slice, or into the kernel's scratch
  uint64_t bytes = 0;        // kBuffer, kScratch: size of the binding; kScalar: 1, 2, 4 or 8
  uint64_t scalar_bits = 0;  // kScalar
};

inline constexpr int kMaxLaunchArguments = 64;

struct Launch {
  uint32_t module = 0;  // which of the object's modules
  StringSpan entry;     // function name (PTX) or entry point (SPIR-V)
  // A GpuLibrary bit if the launch calls a routine of that library, or 0 for device code. For a
  // library, `entry` gives the routine and its numbers (runtime/cuda/libraries/library.h), and
  // `arguments` is what it reads and writes. There is then no module, and grid and block are 1.
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
  // x86: the bytes that hyrt_malloc may hand out during one call, to the calling thread and to each
  // worker task. GPU: `scratch_bytes` of device memory for each launch list in flight.
  uint64_t scratch_bytes = 0;
  uint64_t scratch_bytes_per_task = 0;
  // CUDA: the first bytes of the scratch, of a launch list for which they are 0 when it starts. It
  // leaves them 0. A multiple of kCounterUnit.
  uint32_t counter_bytes = 0;
  ByteSpan x86_object;       // ELF64 relocatable; empty for GPUs
  uint32_t num_modules = 0;  // GPU: PTX text or cubin (ELF magic), or SPIR-V words
  uint32_t num_launches = 0;

  // `i` must be less than the respective count above.
  KernelArgument argument(uint32_t i) const;
  ByteSpan module(uint32_t i) const;
  Launch launch(uint32_t i) const;

  ByteSpan bytes;  // the whole object
  // Positions of the tables inside `bytes`, which ParseKernelObject sets.
  const uint8_t* argument_table = nullptr;
  const uint8_t* module_table = nullptr;
  const uint8_t* launch_table = nullptr;
};

// Returns kDataLoss with what is wrong and where (byte offset), unless the bytes are a whole,
// consistent object.
Status ParseKernelObject(ByteSpan bytes, KernelObjectView* view);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_KERNEL_OBJECT_H_
