#include "client/pjrt/buffer.h"

#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/pjrt/dispose.h"

namespace halyard::pjrt {

PJRT_Buffer* NewBuffer(const std::shared_ptr<PJRT_Client>& client, Buffer array) {
  auto contents = std::make_shared<Contents>();
  hlo::Shape shape = array.shape().WithDefaultLayout();
  const int device = array.device();
  contents->array = std::move(array);
  return new PJRT_Buffer(client, device, std::move(shape), std::move(contents));
}

PJRT_Buffer* NewErrorBuffer(const std::shared_ptr<PJRT_Client>& client, int device,
                            hlo::Shape shape, absl::Status error) {
  auto contents = std::make_shared<Contents>();
  contents->error = std::move(error);
  return new PJRT_Buffer(client, device, std::move(shape), std::move(contents));
}

absl::StatusOr<std::shared_ptr<Contents>> ContentsOf(PJRT_Buffer* buffer) {
  HALYARD_PJRT_NEED(buffer);
  std::lock_guard<std::mutex> lock(buffer->mutex);
  if (buffer->contents == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("the ", buffer->shape.ToString(), " array has been deleted or donated"));
  }
  return buffer->contents;
}

std::shared_ptr<EventState> ReadyEvent(PJRT_Buffer* buffer,
                                       const std::shared_ptr<Contents>& contents) {
  std::lock_guard<std::mutex> lock(buffer->mutex);
  if (contents->ready != nullptr) return contents->ready;
  if (!contents->array.has_value()) {
    contents->ready = EventState::Done(contents->error);
  } else if (contents->array->IsReady()) {
    contents->ready = EventState::Done(contents->array->Wait());
  } else {
    contents->ready = std::make_shared<EventState>();
    buffer->client->client->OnReady(
        *contents->array, [state = contents->ready](absl::Status status) { state->Set(status); });
  }
  return contents->ready;
}

namespace {

absl::Status Destroy(PJRT_Buffer_Destroy_Args& args) {
  if (args.buffer == nullptr) return absl::OkStatus();
  std::shared_ptr<PJRT_Client> client = args.buffer->client;
  delete args.buffer;
  if (client->destroyed) Dispose(std::move(client));  // this may be the last reference
  return absl::OkStatus();
}

absl::Status ElementType(PJRT_Buffer_ElementType_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  absl::StatusOr<PJRT_Buffer_Type> type = TypeOf(args.buffer->shape);
  if (!type.ok()) return type.status();
  args.type = *type;
  return absl::OkStatus();
}

// Returns the sizes of an array, or none for a token.
absl::Span<const int64_t> Dims(const PJRT_Buffer& buffer) {
  return buffer.shape.IsToken() ? absl::Span<const int64_t>()
                                : absl::Span<const int64_t>(buffer.shape.dims());
}

absl::Status Dimensions(PJRT_Buffer_Dimensions_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  args.dims = Dims(*args.buffer).data();
  args.num_dims = Dims(*args.buffer).size();
  return absl::OkStatus();
}

absl::Status UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  args.unpadded_dims = Dims(*args.buffer).data();
  args.num_dims = Dims(*args.buffer).size();
  return absl::OkStatus();
}

absl::Status DynamicDimensions(PJRT_Buffer_DynamicDimensionIndices_Args& args) {
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
  return absl::OkStatus();
}

absl::Status MemoryLayout(PJRT_Buffer_GetMemoryLayout_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  static const int64_t* const descending = [] {
    // The minor_to_major of a row-major array of any rank is the end of this list.
    auto* numbers = new int64_t[64];
    for (int64_t i = 0; i < 64; ++i) numbers[i] = 63 - i;
    return numbers;
  }();
  const size_t rank = Dims(*args.buffer).size();
  if (rank > 64) return absl::UnimplementedError("arrays of more than 64 dimensions");
  args.layout = PJRT_Buffer_MemoryLayout();
  args.layout.struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE;
  args.layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  args.layout.tiled.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE;
  args.layout.tiled.minor_to_major = descending + (64 - rank);
  args.layout.tiled.minor_to_major_size = rank;
  return absl::OkStatus();
}

absl::Status OnDeviceSize(PJRT_Buffer_OnDeviceSizeInBytes_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  args.on_device_size_in_bytes = static_cast<size_t>(args.buffer->shape.ByteSize());
  return absl::OkStatus();
}

absl::Status GetDevice(PJRT_Buffer_Device_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  args.device = args.buffer->client->devices[static_cast<size_t>(args.buffer->device)];
  return absl::OkStatus();
}

absl::Status GetMemory(PJRT_Buffer_Memory_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  args.memory = args.buffer->client->memories[static_cast<size_t>(args.buffer->device)];
  return absl::OkStatus();
}

absl::Status Delete(PJRT_Buffer_Delete_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  // Freed after the mutex is unlocked, because that may call the application.
  std::shared_ptr<Contents> last;
  std::lock_guard<std::mutex> lock(args.buffer->mutex);
  last.swap(args.buffer->contents);
  return absl::OkStatus();
}

absl::Status IsDeleted(PJRT_Buffer_IsDeleted_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  std::lock_guard<std::mutex> lock(args.buffer->mutex);
  args.is_deleted = args.buffer->contents == nullptr;
  return absl::OkStatus();
}

absl::Status IsOnCpu(PJRT_Buffer_IsOnCpu_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  args.is_on_cpu = args.buffer->client->is_x86();
  return absl::OkStatus();
}

absl::Status GetReadyEvent(PJRT_Buffer_ReadyEvent_Args& args) {
  absl::StatusOr<std::shared_ptr<Contents>> contents = ContentsOf(args.buffer);
  if (!contents.ok()) {
    // jaxlib ends the process if this entry returns an error.
    HALYARD_PJRT_NEED(args.buffer);
    args.event = NewEvent(EventState::Done(contents.status()));
    return absl::OkStatus();
  }
  args.event = NewEvent(ReadyEvent(args.buffer, *contents));
  return absl::OkStatus();
}

// Returns the address: in host memory on x86, and the device's number for it on GPUs.
absl::StatusOr<uintptr_t> AddressOf(PJRT_Buffer* buffer) {
  absl::StatusOr<std::shared_ptr<Contents>> contents = ContentsOf(buffer);
  if (!contents.ok()) return contents.status();
  if (!(*contents)->array.has_value()) return (*contents)->error;
  const runtime::Block& block = (*contents)->array->rep()->buffer->block();
  if (block.device_address == 0 && block.host == nullptr)
    return absl::UnimplementedError("this device's memory has no addresses");
  return buffer->client->is_x86() ? reinterpret_cast<uintptr_t>(block.host)
                                  : static_cast<uintptr_t>(block.device_address);
}

absl::Status UnsafePointer(PJRT_Buffer_UnsafePointer_Args& args) {
  absl::StatusOr<uintptr_t> address = AddressOf(args.buffer);
  if (!address.ok()) return address.status();
  args.buffer_pointer = *address;
  return absl::OkStatus();
}

absl::Status OpaquePointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args) {
  absl::StatusOr<uintptr_t> address = AddressOf(args.buffer);
  if (!address.ok()) return address.status();
  args.device_memory_ptr = reinterpret_cast<void*>(*address);
  return absl::OkStatus();
}

absl::Status AddExternalReference(PJRT_Buffer_IncreaseExternalReferenceCount_Args& args) {
  absl::StatusOr<std::shared_ptr<Contents>> contents = ContentsOf(args.buffer);
  if (!contents.ok()) return contents.status();
  std::lock_guard<std::mutex> lock(args.buffer->mutex);
  ++args.buffer->external_references;
  args.buffer->kept = *std::move(contents);
  return absl::OkStatus();
}

absl::Status DropExternalReference(PJRT_Buffer_DecreaseExternalReferenceCount_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  std::shared_ptr<Contents> last;
  std::lock_guard<std::mutex> lock(args.buffer->mutex);
  if (args.buffer->external_references == 0)
    return absl::FailedPreconditionError("the buffer has no external references");
  if (--args.buffer->external_references == 0) last.swap(args.buffer->kept);
  return absl::OkStatus();
}

}  // namespace

void AddBufferEntries(PJRT_Api* api) {
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_Destroy, Destroy);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_ElementType, ElementType);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_Dimensions, Dimensions);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_UnpaddedDimensions, UnpaddedDimensions);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_DynamicDimensionIndices, DynamicDimensions);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_GetMemoryLayout, MemoryLayout);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_OnDeviceSizeInBytes, OnDeviceSize);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_Device, GetDevice);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_Memory, GetMemory);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_Delete, Delete);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_IsDeleted, IsDeleted);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_IsOnCpu, IsOnCpu);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_ReadyEvent, GetReadyEvent);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_UnsafePointer, UnsafePointer);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_OpaqueDeviceMemoryDataPointer, OpaquePointer);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_IncreaseExternalReferenceCount, AddExternalReference);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_DecreaseExternalReferenceCount, DropExternalReference);
}

}  // namespace halyard::pjrt
