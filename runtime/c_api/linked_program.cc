// Programs that the linker has placed in the application.
#include <limits.h>

#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/weights_place.h"

namespace halyard::runtime {
namespace {

static_assert(sizeof(hy_linked_kernel) == sizeof(LinkedKernel));

Status OpenLinked(const hy_linked_program& linked, const char* weights, Program** program) {
  const ByteSpan bytes{static_cast<const uint8_t*>(linked.bytes), static_cast<size_t>(linked.size)};
  if (linked.weights == nullptr) {
    if (weights != nullptr)
      return MakeStatus(Code::kInvalidArgument, "%s: the program holds its weights", weights);
    return Program::FromMemory(bytes, program, Check::kAllButConstants);
  }
  char path[PATH_MAX];
  if (weights == nullptr) {
    HY_RETURN_IF_ERROR(WeightsPath(&linked, linked.weights, path, sizeof(path)));
    weights = path;
  }
  return Program::WithWeights(bytes, weights, program);
}

hy_status LoadLinked(hy_device* device, const hy_linked_program* linked, const char* weights,
                     hy_program** program) {
  Program* opened = nullptr;
  Status status = OpenLinked(*linked, weights, &opened);
  ExecutableOptions options;
  options.linked_kernels = reinterpret_cast<const LinkedKernel*>(linked->kernels);
  options.num_linked_kernels = static_cast<uint32_t>(linked->num_kernels);
  return Return(Load(device, static_cast<Status&&>(status), opened, options, program));
}

}  // namespace
}  // namespace halyard::runtime

extern "C" {

hy_status hy_program_load_linked(hy_device* device, const hy_linked_program* linked,
                                 hy_program** program) {
  HY_NEEDS(device);
  HY_NEEDS(linked);
  HY_NEEDS(program);
  if (linked->size != 0) HY_NEEDS(linked->bytes);
  if (linked->num_kernels != 0) HY_NEEDS(linked->kernels);
  return halyard::runtime::LoadLinked(device, linked, nullptr, program);
}

hy_status hy_program_load_linked_weights(hy_device* device, const hy_linked_program* linked,
                                         const char* weights, hy_program** program) {
  HY_NEEDS(device);
  HY_NEEDS(linked);
  HY_NEEDS(weights);
  HY_NEEDS(program);
  if (linked->size != 0) HY_NEEDS(linked->bytes);
  if (linked->num_kernels != 0) HY_NEEDS(linked->kernels);
  return halyard::runtime::LoadLinked(device, linked, weights, program);
}

}  // extern "C"
