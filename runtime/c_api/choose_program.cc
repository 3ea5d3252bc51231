// The functions of the C API that choose among the targets of a program.
#include <limits.h>

#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/choose_target.h"
#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/program_group.h"
#include "runtime/c_api/weights_place.h"

namespace halyard::runtime {
namespace {

Status ReadChooseOptions(const hy_choose_options* given, hy_choose_options* read,
                         ChooseOptions* options) {
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_choose_options", read, sizeof(*read)));
  if (read->threads < 0 || read->device < 0)
    return MakeStatus(Code::kInvalidArgument, "negative device index or thread count");
  options->threads = static_cast<uint32_t>(read->threads);
  options->device = static_cast<uint32_t>(read->device);
  options->targets = read->targets;
  return Status();
}

Status OpenLinkedBundle(const hy_linked_program& linked, const char* weights, Bundle* bundle) {
  const ByteSpan bytes{static_cast<const uint8_t*>(linked.bytes), static_cast<size_t>(linked.size)};
  if (linked.weights == nullptr) {
    if (weights != nullptr)
      return MakeStatus(Code::kInvalidArgument, "%s: the program holds its weights", weights);
    return bundle->FromMemory(bytes);
  }
  char path[PATH_MAX];
  if (weights == nullptr) {
    HY_RETURN_IF_ERROR(WeightsPath(&linked, linked.weights, path, sizeof(path)));
    weights = path;
  }
  return bundle->WithWeights(bytes, weights);
}

Status ChooseFile(const char* path, const hy_choose_options* given, hy_program** program) {
  hy_choose_options read;
  ChooseOptions options;
  HY_RETURN_IF_ERROR(ReadChooseOptions(given, &read, &options));
  if (read.weights != nullptr)
    return MakeStatus(Code::kInvalidArgument, "%s: the file %s holds its weights", read.weights,
                      path);
  Bundle bundle;
  HY_RETURN_IF_ERROR(bundle.Open(path));
  Executable* executable = nullptr;
  HY_RETURN_IF_ERROR(ChooseTarget(&bundle, options, {}, &executable));
  *program = reinterpret_cast<hy_program*>(executable);
  return Status();
}

Status ChooseLinked(const hy_linked_program& linked, const hy_choose_options* given,
                    hy_program** program) {
  hy_choose_options read;
  ChooseOptions options;
  HY_RETURN_IF_ERROR(ReadChooseOptions(given, &read, &options));
  Bundle bundle;
  HY_RETURN_IF_ERROR(OpenLinkedBundle(linked, read.weights, &bundle));
  ExecutableOptions load;
  load.linked_kernels = reinterpret_cast<const LinkedKernel*>(linked.kernels);
  load.num_linked_kernels = static_cast<uint32_t>(linked.num_kernels);
  Executable* executable = nullptr;
  HY_RETURN_IF_ERROR(ChooseTarget(&bundle, options, load, &executable));
  *program = reinterpret_cast<hy_program*>(executable);
  return Status();
}

}  // namespace
}  // namespace halyard::runtime

extern "C" {

hy_status hy_program_choose_file(const char* path, const hy_choose_options* options,
                                 hy_program** program) {
  HY_NEEDS(path);
  HY_NEEDS(program);
  return halyard::runtime::Return(halyard::runtime::ChooseFile(path, options, program));
}

hy_status hy_program_choose_linked(const hy_linked_program* linked,
                                   const hy_choose_options* options, hy_program** program) {
  HY_NEEDS(linked);
  HY_NEEDS(program);
  if (linked->size != 0) HY_NEEDS(linked->bytes);
  if (linked->num_kernels != 0) HY_NEEDS(linked->kernels);
  return halyard::runtime::Return(halyard::runtime::ChooseLinked(*linked, options, program));
}

const char* hy_program_target(const hy_program* program) {
  return program == nullptr ? "" : halyard::runtime::From(program)->program().target().data;
}

const char* hy_program_choice(const hy_program* program) {
  if (program == nullptr) return "";
  const halyard::runtime::ProgramGroup* group = halyard::runtime::From(program)->group();
  return group != nullptr ? group->entry(0)->choice() : halyard::runtime::From(program)->choice();
}

}  // extern "C"
