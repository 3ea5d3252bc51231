// The functions of the C API that choose among the targets of a program.
#include <limits.h>

#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/choose_target.h"
#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/sized/program_group.h"
#include "runtime/c_api/weights_place.h"

namespace halyard::runtime {
namespace {

Status ReadChooseOptions(const hy_choose_options* given, hy_choose_options* read,
                         ChooseOptions* options) {
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_choose_options", read, sizeof(*read)));
  if (read->threads < 0 || read->device < 0)
    return MakeStatus(Code::kInvalidArgument, "negative device index or thread count");
  options->targets = read->targets;
  options->calls = read->calls;
  options->num_calls = read->num_calls;
  if (read->shared_device != nullptr) {
    if (read->threads != 0 || read->device != 0 || read->device_options != nullptr) {
      return MakeStatus(Code::kInvalidArgument,
                        "hy_choose_options: threads, device or device_options is set beside "
                        "shared_device");
    }
    options->shared = From(read->shared_device);
    options->device.host = options->shared->host();
    return Status();
  }
  HY_RETURN_IF_ERROR(ReadDeviceOptions(read->device_options, &options->device));
  DeviceOptions& device = options->device;
  if (device.kind != nullptr || device.index != 0 || device.threads != 0) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_choose_options: device_options names a kind, an index or threads");
  }
  if (read->threads != 0 && (device.has_pool || device.threads_of != nullptr)) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_choose_options: threads is set beside a pool or threads_of");
  }
  if (read->device != 0 && (device.has_vulkan || device.backend.cuda.context != nullptr)) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_choose_options: device is set beside a device of the application");
  }
  device.index = static_cast<uint32_t>(read->device);
  device.threads = static_cast<uint32_t>(read->threads);
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

Status ChooseFile(const char* path, const char* weights, const ChooseOptions& options,
                  Executable** executable) {
  if (weights != nullptr)
    return MakeStatus(Code::kInvalidArgument, "%s: the file %s holds its weights", weights, path);
  Bundle bundle;
  HY_RETURN_IF_ERROR(bundle.Open(path));
  return ChooseTarget(&bundle, options, {}, executable);
}

Status ChooseLinked(const hy_linked_program& linked, const char* weights,
                    const ChooseOptions& options, Executable** executable) {
  Bundle bundle;
  HY_RETURN_IF_ERROR(OpenLinkedBundle(linked, weights, &bundle));
  ExecutableOptions load;
  load.linked_kernels = reinterpret_cast<const LinkedKernel*>(linked.kernels);
  load.num_linked_kernels = static_cast<uint32_t>(linked.num_kernels);
  return ChooseTarget(&bundle, options, load, executable);
}

// Calls `choose(weights, options, &executable)` for the host of the options.
template <typename Choose>
hy_status WithOptions(const hy_choose_options* given, hy_program** program, Choose choose) {
  hy_choose_options read;
  ChooseOptions options;
  Status status = ReadChooseOptions(given, &read, &options);
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  const HostScope scope(&options.device.host);
  Executable* executable = nullptr;
  status = choose(read.weights, options, &executable);
  if (status.ok()) *program = reinterpret_cast<hy_program*>(executable);
  return Return(static_cast<Status&&>(status));
}

}  // namespace
}  // namespace halyard::runtime

extern "C" {

hy_status hy_program_choose_file(const char* path, const hy_choose_options* options,
                                 hy_program** program) {
  HY_NEEDS(path);
  HY_NEEDS(program);
  return halyard::runtime::WithOptions(
      options, program, [&](const char* weights, const auto& read, auto* executable) {
        return halyard::runtime::ChooseFile(path, weights, read, executable);
      });
}

hy_status hy_program_choose_linked(const hy_linked_program* linked,
                                   const hy_choose_options* options, hy_program** program) {
  HY_NEEDS(linked);
  HY_NEEDS(program);
  if (linked->size != 0) HY_NEEDS(linked->bytes);
  if (linked->num_kernels != 0) HY_NEEDS(linked->kernels);
  return halyard::runtime::WithOptions(
      options, program, [&](const char* weights, const auto& read, auto* executable) {
        return halyard::runtime::ChooseLinked(*linked, weights, read, executable);
      });
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
