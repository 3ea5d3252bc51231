// What a compiled kernel takes of the device. Only compiling it can find this out.
#ifndef HALYARD_LOWERING_KERNELS_KERNEL_RESOURCES_H_
#define HALYARD_LOWERING_KERNELS_KERNEL_RESOURCES_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

// For a kernel with several launches, the figures of the launch with the most code, because the
// parts of a sum are added up by little code after the launch that makes them. `spilled_bytes` and
// `code_bytes` are of all launches.
struct KernelResources {
  static constexpr int64_t kUnknown = -1;

  // CUDA, as ptxas reports (codegen/gpu/ptx/ptxas.h): the 32-bit registers of a thread; the bytes
  // that spills store and load, counted by instruction and not by how often it runs; and a thread's
  // stack, which holds the arrays that it indexes by computed values.
  int64_t registers = kUnknown, spilled_bytes = kUnknown, stack_bytes = kUnknown;
  // GPUs: figures of a workgroup.
  int64_t shared_bytes = kUnknown, group_threads = kUnknown;
  // Bytes of machine code; for Vulkan, of SPIR-V. Unknown for PTX, which the driver compiles.
  int64_t code_bytes = kUnknown;

  bool known() const { return *this != KernelResources(); }
  bool spills() const { return spilled_bytes > 0; }
  bool operator==(const KernelResources&) const = default;

  // Returns "registers=64 spills=0 stack=0 shared=2048 threads=256 code=5120", without the figures
  // that are not known, or "" if none is.
  std::string ToText() const;
  // Returns kInvalidArgument if it is not such a text.
  static absl::StatusOr<KernelResources> Parse(absl::string_view text);
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_KERNEL_RESOURCES_H_
