#include "runtime/gpu/kernel_plan.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/host.h"

namespace halyard::runtime::gpu {
namespace {

char* CopyString(const StringSpan& text) {
  char* copy = static_cast<char*>(HeapAllocate(text.size + 1));
  if (copy == nullptr) return nullptr;
  if (text.size != 0) memcpy(copy, text.data, text.size);
  copy[text.size] = 0;
  return copy;
}

Status CheckGeometry(const char* kernel, uint32_t index, const Launch& launch,
                     const DeviceInfo& device) {
  static const char kAxis[] = "xyz";
  uint64_t threads = 1;
  for (int d = 0; d < 3; ++d) {
    if (launch.grid[d] == 0 || launch.block[d] == 0) {
      return MakeStatus(Code::kInvalidArgument, "kernel %s, launch %u: empty grid or group", kernel,
                        index);
    }
    if (device.max_grid[d] != 0 && launch.grid[d] > device.max_grid[d]) {
      return MakeStatus(Code::kInvalidArgument,
                        "kernel %s, launch %u: %u groups in %c, but %s takes at most %u", kernel,
                        index, launch.grid[d], kAxis[d], device.name, device.max_grid[d]);
    }
    if (device.max_group[d] != 0 && launch.block[d] > device.max_group[d]) {
      return MakeStatus(Code::kInvalidArgument,
                        "kernel %s, launch %u: %u threads in %c, but %s takes at most %u", kernel,
                        index, launch.block[d], kAxis[d], device.name, device.max_group[d]);
    }
    threads *= launch.block[d];
  }
  if (device.max_threads_per_group != 0 && threads > device.max_threads_per_group) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s, launch %u: %" PRIu64
                      " threads in a group, but %s takes at most %u",
                      kernel, index, threads, device.name, device.max_threads_per_group);
  }
  if (device.max_shared_bytes != 0 && launch.shared_bytes > device.max_shared_bytes) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s, launch %u: %u bytes of shared memory, but %s has %u for a group",
                      kernel, index, launch.shared_bytes, device.name, device.max_shared_bytes);
  }
  return Status();
}

Status CheckArgument(const char* kernel, uint32_t launch, uint32_t index,
                     const LaunchArgument& argument, const KernelPlan& plan,
                     const DeviceInfo& device) {
  uint64_t available = 0;
  switch (argument.kind) {
    case LaunchArgument::Kind::kScalar:
      if (argument.bytes != 1 && argument.bytes != 2 && argument.bytes != 4 &&
          argument.bytes != 8) {
        return MakeStatus(Code::kInvalidArgument,
                          "kernel %s, launch %u, argument %u: scalar of %" PRIu64 " bytes", kernel,
                          launch, index, argument.bytes);
      }
      return Status();
    case LaunchArgument::Kind::kBuffer:
      if (argument.index >= plan.argument_bytes.size()) {
        return MakeStatus(Code::kInvalidArgument,
                          "kernel %s, launch %u, argument %u: there is no kernel argument %u",
                          kernel, launch, index, argument.index);
      }
      available = plan.argument_bytes[argument.index];
      break;
    case LaunchArgument::Kind::kScratch:
      available = plan.scratch_bytes;
      break;
    default:
      return MakeStatus(Code::kInvalidArgument, "kernel %s, launch %u, argument %u: unknown kind",
                        kernel, launch, index);
  }
  if (argument.offset > available || argument.bytes > available - argument.offset) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s, launch %u, argument %u: bytes %" PRIu64 " at %" PRIu64
                      " lie outside the %" PRIu64 " there are",
                      kernel, launch, index, argument.bytes, argument.offset, available);
  }
  if (argument.offset % device.buffer_alignment != 0) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s, launch %u, argument %u: offset %" PRIu64
                      " is not a multiple of %u",
                      kernel, launch, index, argument.offset, device.buffer_alignment);
  }
  if (device.max_storage_range_bytes != 0 && argument.bytes > device.max_storage_range_bytes) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s, launch %u, argument %u: %" PRIu64
                      " bytes, but one binding of %s holds at most %" PRIu64
                      "; split the array or use another target",
                      kernel, launch, index, argument.bytes, device.name,
                      device.max_storage_range_bytes);
  }
  return Status();
}

Status PlanLaunch(const KernelObjectView& object, uint32_t index, const DeviceInfo& device,
                  KernelPlan* plan) {
  const Launch launch = object.launch(index);
  HY_RETURN_IF_ERROR(CheckGeometry(plan->name, index, launch, device));
  PlannedLaunch planned;
  planned.module = launch.module;
  planned.library = launch.library;
  if (launch.library != 0 && device.kind != DeviceKind::kCuda) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s, launch %u: calls of libraries are for CUDA devices", plan->name,
                      index);
  }
  if (launch.library == 0 && launch.module >= object.num_modules) {
    return MakeStatus(Code::kInvalidArgument, "kernel %s, launch %u: there is no module %u",
                      plan->name, index, launch.module);
  }
  for (int d = 0; d < 3; ++d) {
    planned.grid[d] = launch.grid[d];
    planned.block[d] = launch.block[d];
  }
  planned.shared_bytes = launch.shared_bytes;
  planned.first_argument = static_cast<uint32_t>(plan->arguments.size());
  planned.num_arguments = launch.num_arguments;
  for (uint32_t i = 0; i < launch.num_arguments; ++i) {
    const LaunchArgument& argument = launch.arguments[i];
    HY_RETURN_IF_ERROR(CheckArgument(plan->name, index, i, argument, *plan, device));
    if (argument.kind == LaunchArgument::Kind::kScalar) {
      ++planned.num_scalars;
    } else {
      ++planned.num_buffers;
    }
    if (!plan->arguments.Append(argument)) return OutOfHostMemory("a launch list");
  }
  if (device.max_storage_buffers != 0 && planned.num_buffers > device.max_storage_buffers) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s, launch %u: %u buffers, but %s binds at most %u", plan->name,
                      index, planned.num_buffers, device.name, device.max_storage_buffers);
  }
  planned.entry = CopyString(launch.entry);
  if (planned.entry == nullptr || !plan->launches.Append(planned)) {
    HeapFree(const_cast<char*>(planned.entry));
    return OutOfHostMemory("a launch list");
  }
  return Status();
}

}  // namespace

KernelPlan::~KernelPlan() {
  for (PlannedLaunch& launch : launches) HeapFree(const_cast<char*>(launch.entry));
  HeapFree(name);
}

Status PlanKernel(const KernelObjectView& object, const DeviceInfo& device, KernelPlan* plan) {
  plan->name = CopyString(object.name);
  if (plan->name == nullptr) return OutOfHostMemory("a launch list");
  if (object.kind != device.kind) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s was compiled for another kind of device than %s", plan->name,
                      device.name);
  }
  plan->num_inputs = object.num_inputs;
  plan->scratch_bytes = object.scratch_bytes;
  for (uint32_t i = 0; i < object.num_inputs + object.num_outputs; ++i) {
    if (!plan->argument_bytes.Append(object.argument(i).bytes)) {
      return OutOfHostMemory("a launch list");
    }
  }
  for (uint32_t i = 0; i < object.num_launches; ++i) {
    HY_RETURN_IF_ERROR(PlanLaunch(object, i, device, plan));
  }
  return Status();
}

uint64_t PackScalars(const LaunchArgument* arguments, uint32_t count, uint8_t* data) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (arguments[i].kind != LaunchArgument::Kind::kScalar) continue;
    size = AlignUp(size, arguments[i].bytes);
    if (data != nullptr) memcpy(data + size, &arguments[i].scalar_bits, arguments[i].bytes);
    size += arguments[i].bytes;
  }
  return size;
}

}  // namespace halyard::runtime::gpu
