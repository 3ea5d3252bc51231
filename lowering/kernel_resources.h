// What a compiled kernel takes of the device: found out by compiling it, and not before.
#ifndef HALYARD_LOWERING_KERNEL_RESOURCES_H_
#define HALYARD_LOWERING_KERNEL_RESOURCES_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

// Of a kernel with several launches, those of the one with the most code (a sum's parts are added
// up by little code after what makes them); `spilled_bytes` and `code_bytes` are of all.
struct KernelResources {
  static constexpr int64_t kUnknown = -1;

  // CUDA, as ptxas says (codegen/gpu/ptxas.h): 32-bit registers of a thread; bytes that spills
  // store and load, by instructions, not by how often they run; a thread's stack, in which arrays
  // lie that it indexes by what it computes.
  int64_t registers = kUnknown, spilled_bytes = kUnknown, stack_bytes = kUnknown;
  // GPUs: of a workgroup.
  int64_t shared_bytes = kUnknown, group_threads = kUnknown;
  // Machine code; of Vulkan, SPIR-V. Unknown for PTX, which the driver compiles.
  int64_t code_bytes = kUnknown;

  bool known() const { return *this != KernelResources(); }
  bool spills() const { return spilled_bytes > 0; }
  bool operator==(const KernelResources&) const = default;

  // "registers=64 spills=0 stack=0 shared=2048 threads=256 code=5120", without what is not known;
  // "": nothing is.
  std::string ToText() const;
  // kInvalidArgument: not such a text.
  static absl::StatusOr<KernelResources> Parse(absl::string_view text);
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNEL_RESOURCES_H_
