// Runs a GPU kernel's host stub once against functions that only write down what it asks of the
// GPU.
//
// Halide compiles a GPU pipeline to a host function that allocates intermediate buffers and
// launches device functions. With constant extents it does the same on every call, so one run tells
// all: which code, which launches, which arguments.
#ifndef HALYARD_CODEGEN_GPU_LAUNCH_RECORDER_H_
#define HALYARD_CODEGEN_GPU_LAUNCH_RECORDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/kernel_object.h"

namespace halyard::lowering::gpu {

struct RecordedArgument {
  enum class Kind { kArgument, kScratch, kScalar } kind = Kind::kArgument;
  uint32_t index = 0;  // kernel argument or scratch buffer
  uint32_t bytes = 0;  // kScalar
  uint64_t scalar = 0;
};

struct RecordedLaunch {
  std::string entry;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t shared_bytes = 0;
  std::vector<RecordedArgument> arguments;
};

// A buffer that the stub allocates on the device; alive from its first to its last launch.
struct RecordedScratch {
  uint64_t bytes = 0;
  int first_launch = -1, last_launch = -1;  // -1: no launch uses it
};

struct RecordedStub {
  std::string blob;  // what Halide's runtime would get: PTX text, or modules (spirv_blob.h)
  std::vector<RecordedLaunch> launches;
  std::vector<RecordedScratch> scratch;
};

// `object` is the stub's ELF object, compiled with no_runtime-no_asserts-no_bounds_query; `entry`
// the symbol of its `int entry(void** buffers)`; imports may be named halide_* or hyrt_*. The
// object's code runs in this process: call this in the codegen worker. kUnimplemented when a part
// of the kernel is scheduled on the host.
absl::StatusOr<RecordedStub> RecordStub(absl::string_view object, const std::string& entry,
                                        absl::Span<const runtime::KernelArgument> arguments);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_LAUNCH_RECORDER_H_
