#include "codegen/gpu/launch_recorder.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/x86/halide_abi.h"
#include "runtime/x86/object_loader.h"

namespace halyard::lowering::gpu {
namespace {

using runtime::x86::HalideBuffer;
using runtime::x86::HalideDimension;
using runtime::x86::HalideType;

// Device handles that stand for buffers. They are never dereferenced.
constexpr uint64_t kArgumentHandle = uint64_t{1} << 32;
constexpr uint64_t kScratchHandle = uint64_t{2} << 32;

struct Recorder {
  RecordedStub stub;
  std::string error;  // the first thing that went wrong

  int Fail(std::string message) {
    if (error.empty()) error = std::move(message);
    return -1;
  }
};

// The stub's imports carry no context of ours, and Halide's user context is null.
thread_local Recorder* current = nullptr;

uint64_t BufferBytes(const HalideBuffer& buffer) {
  int64_t span = 1;
  for (int d = 0; d < buffer.dimensions; ++d) {
    const HalideDimension& dim = buffer.dim[d];
    if (dim.extent <= 0) return 0;
    span += int64_t{dim.extent - 1} * std::abs(int64_t{dim.stride});
  }
  return static_cast<uint64_t>(span) * ((buffer.type.bits + 7) / 8);
}

int DeviceMalloc(void*, HalideBuffer* buffer, const void* interface) {
  if (buffer->device != 0) return 0;
  buffer->device = kScratchHandle + current->stub.scratch.size();
  buffer->device_interface = interface;
  RecordedScratch scratch;
  scratch.bytes = BufferBytes(*buffer);
  current->stub.scratch.push_back(scratch);
  return 0;
}

int DeviceFree(void*, HalideBuffer* buffer) {
  buffer->device = 0;
  buffer->device_interface = nullptr;
  return 0;
}

void DeviceFreeAsDestructor(void* context, void* buffer) {
  DeviceFree(context, static_cast<HalideBuffer*>(buffer));
}

int CopyToDevice(void*, HalideBuffer* buffer, const void*) {
  if (buffer->device != 0) return 0;
  return current->Fail("a stage computed on the host feeds a stage on the GPU");
}

int CopyToHost(void*, HalideBuffer*) {
  return current->Fail("a stage on the host reads what the GPU computed");
}

// A host stage asks for host memory. The stub still gives it some, so that it can end. It also asks
// for a buffer that only lives on the device, with no bytes.
void* HostMalloc(void*, size_t bytes) {
  if (bytes == 0) return std::malloc(1);
  current->Fail("a stage is computed on the host");
  return std::calloc(1, bytes + 64);
}
void HostFree(void*, void* memory) { std::free(memory); }
void HostFreeAsDestructor(void*, void* memory) { std::free(memory); }

int DeviceAndHostMalloc(void* context, HalideBuffer* buffer, const void* interface) {
  current->Fail("a stage is computed on the host");
  buffer->host = static_cast<uint8_t*>(std::calloc(1, BufferBytes(*buffer) + 64));
  return DeviceMalloc(context, buffer, interface);
}
int DeviceAndHostFree(void* context, HalideBuffer* buffer) {
  std::free(buffer->host);
  buffer->host = nullptr;
  return DeviceFree(context, buffer);
}
void DeviceAndHostFreeAsDestructor(void* context, void* buffer) {
  DeviceAndHostFree(context, static_cast<HalideBuffer*>(buffer));
}

int InitializeKernels(void*, void** state, const char* blob, int bytes) {
  *state = current;
  const std::string text(blob, static_cast<size_t>(bytes));
  if (!current->stub.blob.empty() && current->stub.blob != text) {
    return current->Fail("the kernel has device code of two targets");
  }
  current->stub.blob = text;
  return 0;
}
void FinalizeKernels(void*, void*) {}

bool RecordBuffer(uint64_t handle, int launch, RecordedArgument* argument) {
  if (handle >= kScratchHandle) {
    argument->kind = RecordedArgument::Kind::kScratch;
    argument->index = static_cast<uint32_t>(handle - kScratchHandle);
    if (argument->index >= current->stub.scratch.size()) return false;
    RecordedScratch& scratch = current->stub.scratch[argument->index];
    if (scratch.first_launch < 0) scratch.first_launch = launch;
    scratch.last_launch = launch;
    return true;
  }
  argument->kind = RecordedArgument::Kind::kArgument;
  argument->index = static_cast<uint32_t>(handle - kArgumentHandle);
  return handle >= kArgumentHandle;
}

// `sizes`: bytes of each argument (HalideRuntime's headers speak of halide_type_t; Halide 21's
// stubs pass sizes).
int Run(void*, void*, const char* entry, int grid_x, int grid_y, int grid_z, int block_x,
        int block_y, int block_z, int shared_bytes, const uint64_t* sizes, void** arguments,
        int8_t* is_buffer) {
  RecordedLaunch launch;
  launch.entry = entry;
  const int grid[3] = {grid_x, grid_y, grid_z};
  const int block[3] = {block_x, block_y, block_z};
  for (int d = 0; d < 3; ++d) {
    // Halide launches nothing over an empty range.
    if (grid[d] <= 0 || block[d] <= 0) return 0;
    launch.grid[d] = static_cast<uint32_t>(grid[d]);
    launch.block[d] = static_cast<uint32_t>(block[d]);
  }
  launch.shared_bytes = static_cast<uint32_t>(shared_bytes);
  const int index = static_cast<int>(current->stub.launches.size());
  for (int i = 0; arguments[i] != nullptr; ++i) {
    RecordedArgument argument;
    if (is_buffer[i]) {
      const auto* buffer = static_cast<const HalideBuffer*>(arguments[i]);
      if (!RecordBuffer(buffer->device, index, &argument)) {
        return current->Fail(absl::StrCat("argument ", i, " of ", entry, " is no device buffer"));
      }
    } else {
      argument.kind = RecordedArgument::Kind::kScalar;
      argument.bytes = static_cast<uint32_t>(sizes[i]);
      if (sizes[i] == 0 || sizes[i] > sizeof(argument.scalar)) {
        return current->Fail(
            absl::StrCat("argument ", i, " of ", entry, " is a scalar of ", sizes[i], " bytes"));
      }
      std::memcpy(&argument.scalar, arguments[i], argument.bytes);
    }
    launch.arguments.push_back(argument);
  }
  current->stub.launches.push_back(std::move(launch));
  return 0;
}

const void* DeviceInterface() {
  static const char interface[64] = {};
  return interface;
}

int DeviceSync(void*, HalideBuffer*) { return 0; }

// With no_asserts nothing should call these; if something does, the stub stops.
int HostError() { return current->Fail("the kernel's host stub reported an error"); }

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

void* Resolve(const char* symbol, void*) {
  absl::string_view name = symbol;
  static const std::pair<absl::string_view, void*> kLibc[] = {
      {"memset", Address<void*(void*, int, size_t)>(&std::memset)},
      {"memcpy", Address<void*(void*, const void*, size_t)>(&std::memcpy)},
      {"memmove", Address<void*(void*, const void*, size_t)>(&std::memmove)},
  };
  for (const auto& [known, address] : kLibc) {
    if (name == known) return address;
  }
  if (!absl::ConsumePrefix(&name, "halide_") && !absl::ConsumePrefix(&name, "hyrt_")) {
    return nullptr;
  }
  if (absl::StartsWith(name, "error")) return Address(&HostError);
  absl::ConsumePrefix(&name, "cuda_") || absl::ConsumePrefix(&name, "vulkan_");
  static const std::pair<absl::string_view, void*> kFunctions[] = {
      {"device_malloc", Address(&DeviceMalloc)},
      {"device_free", Address(&DeviceFree)},
      {"device_free_as_destructor", Address(&DeviceFreeAsDestructor)},
      {"device_and_host_malloc", Address(&DeviceAndHostMalloc)},
      {"device_and_host_free", Address(&DeviceAndHostFree)},
      {"device_and_host_free_as_destructor", Address(&DeviceAndHostFreeAsDestructor)},
      {"device_sync", Address(&DeviceSync)},
      {"copy_to_device", Address(&CopyToDevice)},
      {"copy_to_host", Address(&CopyToHost)},
      {"malloc", Address(&HostMalloc)},
      {"free", Address(&HostFree)},
      {"free_as_destructor", Address(&HostFreeAsDestructor)},
      {"initialize_kernels", Address(&InitializeKernels)},
      {"finalize_kernels", Address(&FinalizeKernels)},
      {"run", Address(&Run)},
      {"device_interface", Address(&DeviceInterface)},
  };
  for (const auto& [known, address] : kFunctions) {
    if (name == known) return address;
  }
  return nullptr;
}

// The argument buffers: on the device, with nothing on the host.
struct StubBuffers {
  explicit StubBuffers(absl::Span<const runtime::KernelArgument> arguments)
      : buffers(arguments.size()), dims(arguments.size()) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const runtime::KernelArgument& argument = arguments[i];
      for (int d = 0; d < argument.rank; ++d) {
        dims[i].push_back(HalideDimension{0, argument.extent[d], argument.stride[d], 0});
      }
      HalideBuffer& buffer = buffers[i];
      buffer = HalideBuffer{};
      buffer.device = kArgumentHandle + i;
      buffer.device_interface = DeviceInterface();
      buffer.flags = 2;  // device_dirty: the newest data are there
      buffer.type = HalideType{argument.type_code, argument.type_bits, 1};
      buffer.dimensions = argument.rank;
      buffer.dim = dims[i].data();
      pointers.push_back(&buffer);
    }
  }
  std::vector<HalideBuffer> buffers;
  std::vector<std::vector<HalideDimension>> dims;
  std::vector<void*> pointers;
};

}  // namespace

absl::StatusOr<RecordedStub> RecordStub(absl::string_view object, const std::string& entry,
                                        absl::Span<const runtime::KernelArgument> arguments) {
  runtime::x86::LoadedObject loaded;
  const runtime::ByteSpan bytes = {reinterpret_cast<const uint8_t*>(object.data()), object.size()};
  const runtime::Status status =
      runtime::x86::LoadObject(bytes, entry.c_str(), Resolve, nullptr, &loaded);
  if (status.code() == runtime::Code::kNotFound) {
    // The stub calls for something that no launch needs.
    return absl::UnimplementedError(
        absl::StrCat("GPU kernel: a stage is computed on the host: ", status.message()));
  }
  if (!status.ok()) {
    return absl::Status(static_cast<absl::StatusCode>(status.code()),
                        absl::StrCat("host stub of a GPU kernel: ", status.message()));
  }
  Recorder recorder;
  StubBuffers buffers(arguments);
  current = &recorder;
  const int result =
      reinterpret_cast<runtime::x86::KernelEntry>(loaded.entry)(buffers.pointers.data());
  current = nullptr;
  runtime::x86::UnloadObject(&loaded);
  if (!recorder.error.empty()) {
    return absl::UnimplementedError(absl::StrCat("GPU kernel: ", recorder.error));
  }
  if (result != 0) {
    return absl::InternalError(absl::StrCat("GPU kernel: its host stub returned ", result));
  }
  return std::move(recorder.stub);
}

}  // namespace halyard::lowering::gpu
