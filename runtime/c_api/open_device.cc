#include "runtime/c_api/open_device.h"

#include <string.h>

#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/handles.h"
#include "runtime/device_class.h"
#include "runtime/x86/x86.h"

namespace halyard::runtime {
namespace {

Status Wrong(const char* what) {
  return MakeStatus(Code::kInvalidArgument, "hy_device_options: %s", what);
}

Status ReadPool(const hy_pool* given, DeviceOptions* options) {
  hy_pool pool;
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_pool", &pool, sizeof(pool)));
  if (pool.parallel_for == nullptr)
    return MakeStatus(Code::kInvalidArgument, "hy_pool: parallel_for is NULL");
  constexpr int kMost = static_cast<int>(x86::ThreadPool::kMostThreads);
  if (pool.threads < 1 || pool.threads > kMost) {
    return MakeStatus(Code::kInvalidArgument, "hy_pool: %d threads: 1 to %d", pool.threads, kMost);
  }
  options->has_pool = true;
  options->pool = {pool.user, static_cast<uint32_t>(pool.threads), pool.parallel_for};
  options->submit = {pool.user, pool.submit};
  return Status();
}

Status ReadAllocator(const hy_allocator* given, Allocator* read) {
  hy_allocator allocator;
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_allocator", &allocator, sizeof(allocator)));
  if (allocator.allocate == nullptr || allocator.free == nullptr)
    return MakeStatus(Code::kInvalidArgument, "hy_allocator: a function is NULL");
  *read = {allocator.user, allocator.allocate, allocator.free};
  return Status();
}

Status ReadVulkan(const hy_vulkan_device* given, vulkan::ApplicationDevice* read) {
  hy_vulkan_device device;
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_vulkan_device", &device, sizeof(device)));
  const struct {
    const void* handle;
    const char* name;
  } needed[] = {{device.instance, "instance"},
                {device.physical_device, "physical_device"},
                {device.device, "device"},
                {device.queue, "queue"},
                {device.features, "features"}};
  for (const auto& field : needed) {
    if (field.handle == nullptr)
      return MakeStatus(Code::kInvalidArgument, "hy_vulkan_device: %s is NULL", field.name);
  }
  if ((device.lock_queue == nullptr) != (device.unlock_queue == nullptr)) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_vulkan_device: give both lock_queue and unlock_queue, or neither");
  }
  read->instance = device.instance;
  read->physical_device = device.physical_device;
  read->device = device.device;
  read->queue = device.queue;
  read->queue_family = device.queue_family;
  read->api_version = device.api_version;
  read->features = device.features;
  read->get_instance_proc_addr = device.get_instance_proc_addr;
  read->user = device.user;
  read->lock_queue = device.lock_queue;
  read->unlock_queue = device.unlock_queue;
  return Status();
}

Status CheckTogether(const hy_device_options& read) {
  if (read.index < 0 || read.threads < 0)
    return MakeStatus(Code::kInvalidArgument, "negative device index or thread count");
  if (read.pool != nullptr && read.threads_of != nullptr)
    return Wrong("pool and threads_of are both set");
  if (read.threads != 0 && (read.pool != nullptr || read.threads_of != nullptr))
    return Wrong("threads is set beside pool or threads_of");
  if (read.vulkan != nullptr && read.index != 0) return Wrong("index is set beside vulkan");
  return Status();
}

// What suits only one kind of device is refused for the others, unless the kind is chosen later.
Status CheckKind(const hy_device_options& read, DeviceKind kind) {
  if (kind != DeviceKind::kVulkan && read.vulkan != nullptr)
    return Wrong("vulkan is set for a device of another kind");
  if (kind != DeviceKind::kVulkan && read.pipeline_cache_folder != nullptr)
    return Wrong("pipeline_cache_folder is set for a device of another kind");
  if (kind != DeviceKind::kCuda && read.cuda != nullptr)
    return Wrong("cuda is set for a device of another kind");
  return Status();
}

Status ParseKind(const char* name, DeviceKind* kind) {
  for (const DeviceKind known : {DeviceKind::kX86, DeviceKind::kCuda, DeviceKind::kVulkan}) {
    if (strcmp(name, KindName(known)) != 0) continue;
    *kind = known;
    return Status();
  }
  return MakeStatus(Code::kInvalidArgument, "unknown kind of device '%s': x86, cuda or vulkan",
                    name);
}

Status OpenHostDevice(const DeviceOptions& options, Device** device) {
  if (options.threads_of != nullptr)
    return x86::OpenDeviceWithThreadsOf(options.threads_of->host_device(), device);
  if (options.has_pool) return x86::OpenDeviceWithApplicationThreads(options.pool, device);
  return x86::OpenDeviceWithThreads(options.threads, device);
}

Status Open(const hy_device_options* given, const DeviceOptions& options, hy_device** device) {
  DeviceKind kind = DeviceKind::kX86;
  if (options.kind != nullptr) HY_RETURN_IF_ERROR(ParseKind(options.kind, &kind));
  hy_device_options read;
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_device_options", &read, sizeof(read)));
  HY_RETURN_IF_ERROR(CheckKind(read, kind));
  Context* context = nullptr;
  HY_RETURN_IF_ERROR(OpenContext(kind, options, &context));
  *device = reinterpret_cast<hy_device*>(context);
  return Status();
}

}  // namespace

Status ReadDeviceOptions(const hy_device_options* given, DeviceOptions* options) {
  hy_device_options read;
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_device_options", &read, sizeof(read)));
  HY_RETURN_IF_ERROR(CheckTogether(read));
  options->kind = read.kind;
  options->index = static_cast<uint32_t>(read.index);
  options->threads = static_cast<uint32_t>(read.threads);
  options->threads_of = From(read.threads_of);
  if (read.pool != nullptr) HY_RETURN_IF_ERROR(ReadPool(read.pool, options));
  if (read.allocator != nullptr)
    HY_RETURN_IF_ERROR(ReadAllocator(read.allocator, &options->host.allocator));
  if (read.callbacks != nullptr) {
    hy_callbacks callbacks;
    HY_RETURN_IF_ERROR(ReadOptions(read.callbacks, "hy_callbacks", &callbacks, sizeof(callbacks)));
    options->host.user = callbacks.user;
    options->host.log = callbacks.log;
    options->host.error = callbacks.error;
  }
  options->backend.pipeline_cache_folder = read.pipeline_cache_folder;
  options->has_vulkan = read.vulkan != nullptr;
  if (options->has_vulkan) {
    HY_RETURN_IF_ERROR(ReadVulkan(read.vulkan, &options->backend.vulkan));
  }
  options->has_cuda = read.cuda != nullptr;
  if (options->has_cuda) {
    hy_cuda_device cuda;
    HY_RETURN_IF_ERROR(ReadOptions(read.cuda, "hy_cuda_device", &cuda, sizeof(cuda)));
    if (cuda.context != nullptr && read.index != 0)
      return Wrong("index is set beside a context of CUDA");
    options->backend.cuda = {cuda.context, cuda.stream};
  }
  return Status();
}

Status OpenContext(DeviceKind kind, const DeviceOptions& options, Context** context) {
  Device *device = nullptr, *host = nullptr;
  const bool is_x86 = kind == DeviceKind::kX86;
  if (is_x86 && options.index != 0)
    return MakeStatus(Code::kNotFound, "there is one x86 device, 0; not %u", options.index);
  if (!is_x86) HY_RETURN_IF_ERROR(OpenLinkedBackend(kind, options.index, options.backend, &device));
  Status status = OpenHostDevice(options, is_x86 ? &device : &host);
  if (!status.ok()) {
    if (device != nullptr) device->Destroy();
    return status;
  }
  HY_RETURN_IF_ERROR(Context::Create(device, host, context));
  if (options.threads_of != nullptr) {
    (*context)->SetTaskThreadsOf(*options.threads_of);
  } else {
    (*context)->SetTaskThreads(!options.has_pool || options.submit.submit != nullptr,
                               options.submit);
  }
  Log(LogLevel::kInfo, "opened %s with %u threads%s", device->info().name,
      x86::ThreadCount((*context)->host_device()), options.has_pool ? " of the application" : "");
  return Status();
}

}  // namespace halyard::runtime

using halyard::runtime::Return;

extern "C" {

hy_status hy_device_open(const char* kind, int index, int threads, hy_device** device) {
  HY_NEEDS(kind);
  hy_device_options options = {};
  options.struct_size = sizeof(options);
  options.kind = kind;
  options.index = index;
  options.threads = threads;
  return hy_device_open_with(&options, device);
}

hy_status hy_device_open_with(const hy_device_options* options, hy_device** device) {
  HY_NEEDS(device);
  halyard::runtime::DeviceOptions read;
  halyard::runtime::Status status = halyard::runtime::ReadDeviceOptions(options, &read);
  if (!status.ok()) return Return(static_cast<halyard::runtime::Status&&>(status));
  const halyard::runtime::HostScope scope(&read.host);
  return Return(halyard::runtime::Open(options, read, device));
}

}  // extern "C"
