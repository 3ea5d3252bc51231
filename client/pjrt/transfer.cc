// Copies arrays to the device and back.
#include <cstring>
#include <new>

#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/pjrt/buffer.h"
#include "frontend/hlo/values/stored_byte.h"
#include "runtime/absl_status.h"

namespace halyard::pjrt {
namespace {

using hlo::Literal;
using hlo::Shape;

// Returns the number of the device that one of the two names; 0 if both are null.
absl::StatusOr<int> DeviceFor(const PJRT_Client& client, const PJRT_Device* device,
                              const PJRT_Memory* memory) {
  if (device == nullptr && memory != nullptr) device = memory->device;
  if (device == nullptr) return 0;
  if (device->client != &client || (memory != nullptr && memory->device != device))
    return absl::InvalidArgumentError("the device or memory is another client's");
  return device->description.id;
}

// Checks the layout that is asked for on the device, where arrays are row-major.
absl::Status CheckDeviceLayout(const PJRT_Buffer_MemoryLayout* layout, const Shape& shape) {
  if (layout == nullptr || shape.IsToken()) return absl::OkStatus();
  absl::StatusOr<std::vector<int64_t>> strides = StridesOf(layout, shape);
  if (!strides.ok()) return strides.status();
  if (IsRowMajor(shape, *strides)) return absl::OkStatus();
  return absl::UnimplementedError(
      "arrays on the device are row-major: no other layout is supported");
}

// Returns a literal in the caller's memory. `done` is set when the last user has released it.
Literal Borrowed(const Shape& shape, const void* data, std::shared_ptr<EventState> done) {
  std::shared_ptr<const void> owner(data, [done = std::move(done)](const void*) {
    if (done != nullptr) done->Set(absl::OkStatus());
  });
  return Literal::Borrow(shape, static_cast<const std::byte*>(data), std::move(owner));
}

// Whether the caller's bytes hold more than the values: those of NumPy's int4 do not have the sign
// in their high bits, where kernels expect it.
bool NeedsStoredBytes(const Shape& shape) {
  return hlo::BitWidth(shape.element_type()) < 8 && shape.element_type() != hlo::ElementType::kPred;
}

// Returns a copy in the form that kernels expect. Without strides, `data` is row-major.
Literal Copied(const Shape& shape, const void* data, absl::Span<const int64_t> strides) {
  Literal dense(shape);
  const absl::Span<std::byte> bytes = dense.mutable_bytes();
  if (strides.empty()) {
    if (!bytes.empty()) std::memcpy(bytes.data(), data, bytes.size());
  } else {
    CopyFromStrided(shape, static_cast<const std::byte*>(data), strides, bytes.data());
  }
  if (!NeedsStoredBytes(shape)) return dense;
  for (std::byte& byte : bytes) {
    byte = std::byte{hlo::StoredByte(shape.element_type(), std::to_integer<uint8_t>(byte))};
  }
  return dense;
}

// Returns the strides of the caller's array; none if it is row-major. They may be negative or zero,
// as those of NumPy's views are, and nothing says how large the memory is.
absl::StatusOr<absl::Span<const int64_t>> SourceStrides(
    const PJRT_Client_BufferFromHostBuffer_Args& args, const Shape& shape) {
  const absl::Span<const int64_t> strides(args.byte_strides, args.num_byte_strides);
  if (strides.empty()) return strides;
  HALYARD_PJRT_NEED(args.byte_strides);
  if (strides.size() != args.num_dims) {
    return absl::InvalidArgumentError(absl::StrCat("the array has ", args.num_dims,
                                                   " dimensions and ", strides.size(), " strides"));
  }
  if (shape.IsToken()) return strides;
  absl::StatusOr<ByteRange> range = RangeOf(shape, strides);
  if (!range.ok()) return range.status();
  return strides;
}

absl::Status FromHost(PJRT_Client_BufferFromHostBuffer_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  absl::StatusOr<int> device = DeviceFor(*args.client, args.device, args.memory);
  if (!device.ok()) return device.status();
  absl::StatusOr<Shape> shape = ShapeFrom(args.type, args.dims, args.num_dims);
  if (!shape.ok()) return shape.status();
  absl::Status status = CheckDeviceLayout(args.device_layout, *shape);
  if (!status.ok()) return status;
  absl::StatusOr<absl::Span<const int64_t>> strides = SourceStrides(args, *shape);
  if (!strides.ok()) return strides.status();
  const std::shared_ptr<PJRT_Client>& client = args.client->self;
  auto done = std::make_shared<EventState>();
  absl::StatusOr<Buffer> array = absl::InternalError("");
  const bool empty = shape->IsToken() || shape->NumElements() == 0;
  if (!empty) HALYARD_PJRT_NEED(args.data);
  if (empty) {
    array = client->client->BufferFromLiteral(shape->IsToken() ? Literal::Token() : Literal(*shape),
                                              *device);
  } else if (NeedsStoredBytes(*shape) || (!strides->empty() && !IsRowMajor(*shape, *strides))) {
    array = client->client->BufferInPlace(Copied(*shape, args.data, *strides), *device);
  } else if (args.host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableZeroCopy ||
             args.host_buffer_semantics == PJRT_HostBufferSemantics_kMutableZeroCopy) {
    array = client->client->BufferInPlace(Borrowed(*shape, args.data, done), *device);
  } else {
    array = client->client->BufferFromLiteral(Borrowed(*shape, args.data, nullptr), *device);
  }
  if (!array.ok()) return array.status();
  // If the memory of the caller is still in use, the deleter in Borrowed sets `done` later.
  const bool copied = empty || array->rep()->buffer->host() != args.data;
  if (copied) done->Set(absl::OkStatus());
  args.buffer = NewBuffer(client, *std::move(array));
  args.done_with_host_buffer = NewEvent(std::move(done));
  return absl::OkStatus();
}

// Waits for the array, then copies it.
absl::Status CopyOut(const Contents& contents, const Shape& shape,
                     absl::Span<const int64_t> strides, void* to) {
  if (!contents.array.has_value()) return contents.error;
  if (absl::Status status = contents.array->Wait(); !status.ok()) return status;
  if (shape.IsToken() || shape.NumElements() == 0) return absl::OkStatus();
  const runtime::Buffer& buffer = *contents.array->rep()->buffer;
  const uint64_t bytes = static_cast<uint64_t>(shape.ByteSize());
  if (IsRowMajor(shape, strides)) return ToAbsl(buffer.CopyToHost(to, 0, bytes));
  // The client's thread must not throw.
  const std::unique_ptr<std::byte[]> dense(new (std::nothrow) std::byte[bytes]);
  if (dense == nullptr) return absl::ResourceExhaustedError("no host memory");
  absl::Status status = ToAbsl(buffer.CopyToHost(dense.get(), 0, bytes));
  if (!status.ok()) return status;
  CopyToStrided(shape, dense.get(), strides, static_cast<std::byte*>(to));
  return absl::OkStatus();
}

// The caller holds Python's lock, so the client's thread does what takes long.
std::shared_ptr<EventState> Later(PJRT_Buffer* buffer, const std::shared_ptr<Contents>& contents,
                                  std::function<absl::Status()> copy) {
  const bool at_once =
      !contents->array.has_value() || (buffer->client->is_x86() && contents->array->IsReady());
  if (at_once) return EventState::Done(copy());
  auto state = std::make_shared<EventState>();
  buffer->client->client->RunLater([state, copy = std::move(copy)] { state->Set(copy()); });
  return state;
}

// Returns how many bytes a destination with these strides has to have.
absl::StatusOr<size_t> BytesNeeded(const Shape& shape, absl::Span<const int64_t> strides) {
  if (shape.IsToken()) return size_t{0};
  absl::StatusOr<ByteRange> range = RangeOf(shape, strides);
  if (!range.ok()) return range.status();
  if (range->begin < 0) {
    return absl::InvalidArgumentError(
        "a layout with negative strides has elements before the destination");
  }
  return static_cast<size_t>(range->end);
}

absl::Status ToHost(PJRT_Buffer_ToHostBuffer_Args& args) {
  HALYARD_PJRT_NEED(args.src);
  const Shape& shape = args.src->shape;
  absl::StatusOr<std::vector<int64_t>> strides = std::vector<int64_t>();
  if (!shape.IsToken()) strides = StridesOf(args.host_layout, shape);
  if (!strides.ok()) return strides.status();
  absl::StatusOr<size_t> bytes = BytesNeeded(shape, *strides);
  if (!bytes.ok()) return bytes.status();
  if (args.dst == nullptr) {
    args.dst_size = *bytes;
    args.event = nullptr;
    return absl::OkStatus();
  }
  if (args.dst_size < *bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the destination has ", args.dst_size, " bytes; the array needs ", *bytes));
  }
  absl::StatusOr<std::shared_ptr<Contents>> contents = ContentsOf(args.src);
  if (!contents.ok()) return contents.status();
  args.event = NewEvent(
      Later(args.src, *contents, [contents = *contents, shape, strides = *strides, to = args.dst] {
        return CopyOut(*contents, shape, strides, to);
      }));
  return absl::OkStatus();
}

absl::Status CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  absl::StatusOr<std::shared_ptr<Contents>> contents = ContentsOf(args.buffer);
  if (!contents.ok()) return contents.status();
  const int64_t size = args.buffer->shape.ByteSize();
  if (args.offset < 0 || args.transfer_size < 0 || args.offset > size ||
      args.transfer_size > size - args.offset) {
    return absl::InvalidArgumentError(absl::StrCat("a copy of ", args.transfer_size, " bytes at ",
                                                   args.offset, " from an array of ", size));
  }
  if (args.transfer_size != 0) HALYARD_PJRT_NEED(args.dst);
  args.event = NewEvent(
      Later(args.buffer, *contents,
            [contents = *contents, to = args.dst, from = static_cast<uint64_t>(args.offset),
             bytes = static_cast<uint64_t>(args.transfer_size)] {
              if (!contents->array.has_value()) return contents->error;
              return ToAbsl(contents->array->rep()->buffer->CopyToHost(to, from, bytes));
            }));
  return absl::OkStatus();
}

// Makes another array with the same values, so that one may be donated and the other kept. On the
// same CPU or GPU, they share the memory.
absl::Status CopyTo(PJRT_Buffer* buffer, const PJRT_Device* device, const PJRT_Memory* memory,
                    PJRT_Buffer** copy) {
  absl::StatusOr<int> to = DeviceFor(*buffer->client, device, memory);
  if (!to.ok()) return to.status();
  absl::StatusOr<std::shared_ptr<Contents>> contents = ContentsOf(buffer);
  if (!contents.ok()) return contents.status();
  if (!(*contents)->array.has_value()) {
    *copy = NewErrorBuffer(buffer->client, *to, buffer->shape, (*contents)->error);
    return absl::OkStatus();
  }
  absl::StatusOr<Buffer> array = buffer->client->client->CopyToDevice(*(*contents)->array, *to);
  if (!array.ok()) return array.status();
  *copy = NewBuffer(buffer->client, *std::move(array));
  return absl::OkStatus();
}

absl::Status CopyToDevice(PJRT_Buffer_CopyToDevice_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  HALYARD_PJRT_NEED(args.dst_device);
  return CopyTo(args.buffer, args.dst_device, nullptr, &args.dst_buffer);
}

absl::Status CopyToMemory(PJRT_Buffer_CopyToMemory_Args& args) {
  HALYARD_PJRT_NEED(args.buffer);
  HALYARD_PJRT_NEED(args.dst_memory);
  return CopyTo(args.buffer, nullptr, args.dst_memory, &args.dst_buffer);
}

absl::Status ErrorBuffer(PJRT_Client_CreateErrorBuffer_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  HALYARD_PJRT_NEED_LIST(args.error_message, args.error_message_size);
  absl::StatusOr<int> device = DeviceFor(*args.client, nullptr, args.memory);
  if (!device.ok()) return device.status();
  if (args.error_code == PJRT_Error_Code_OK)
    return absl::InvalidArgumentError("an array's error cannot be OK");
  absl::StatusOr<Shape> shape =
      ShapeFrom(args.shape_element_type, args.shape_dims, args.shape_num_dims);
  if (!shape.ok()) return shape.status();
  args.buffer =
      NewErrorBuffer(args.client->self, *device, *std::move(shape),
                     FromCode(args.error_code, args.error_message, args.error_message_size));
  return absl::OkStatus();
}

// Returns zeros, which are as good as any other contents.
absl::Status Uninitialized(PJRT_Client_CreateUninitializedBuffer_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  absl::StatusOr<int> device = DeviceFor(*args.client, args.device, args.memory);
  if (!device.ok()) return device.status();
  absl::StatusOr<Shape> shape =
      ShapeFrom(args.shape_element_type, args.shape_dims, args.shape_num_dims);
  if (!shape.ok()) return shape.status();
  absl::Status status = CheckDeviceLayout(args.shape_layout, *shape);
  if (!status.ok()) return status;
  absl::StatusOr<Buffer> array = args.client->client->BufferFromLiteral(
      shape->IsToken() ? Literal::Token() : Literal(*shape), *device);
  if (!array.ok()) return array.status();
  args.buffer = NewBuffer(args.client->self, *std::move(array));
  return absl::OkStatus();
}

// For x86 only. Runs read the application's memory in place. If the runtime requires another
// alignment, or kernels another form of the values, the memory is copied and released at once.
absl::Status ViewOfMemory(PJRT_Client_CreateViewOfDeviceBuffer_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  if (!args.client->is_x86())
    return absl::UnimplementedError("views of a GPU's memory are not supported");
  absl::StatusOr<int> device = DeviceFor(*args.client, args.device, args.memory);
  if (!device.ok()) return device.status();
  absl::StatusOr<Shape> shape = ShapeFrom(args.element_type, args.dims, args.num_dims);
  if (!shape.ok()) return shape.status();
  absl::Status status = CheckDeviceLayout(args.layout, *shape);
  if (!status.ok()) return status;
  HALYARD_PJRT_NEED(args.device_buffer_ptr);
  void* const data = args.device_buffer_ptr;
  const auto on_delete = args.on_delete_callback;
  void* const argument = args.on_delete_callback_arg;
  auto gone = std::make_shared<EventState>();
  const bool copies = shape->IsArray() && NeedsStoredBytes(*shape);
  absl::StatusOr<Buffer> array = args.client->client->BufferInPlace(
      copies ? Copied(*shape, data, {}) : Borrowed(*shape, data, gone), *device);
  if (!array.ok()) return array.status();
  // Not before, because the caller keeps the memory if this entry returns an error.
  gone->OnReady([on_delete, data, argument](const absl::Status&) {
    if (on_delete != nullptr) on_delete(data, argument);
  });
  if (copies) gone->Set(absl::OkStatus());
  args.buffer = NewBuffer(args.client->self, *std::move(array));
  return absl::OkStatus();
}

}  // namespace

void AddTransferEntries(PJRT_Api* api) {
  HALYARD_PJRT_SERVE(api, PJRT_Client_BufferFromHostBuffer, FromHost);
  HALYARD_PJRT_SERVE(api, PJRT_Client_CreateErrorBuffer, ErrorBuffer);
  HALYARD_PJRT_SERVE(api, PJRT_Client_CreateUninitializedBuffer, Uninitialized);
  HALYARD_PJRT_SERVE(api, PJRT_Client_CreateViewOfDeviceBuffer, ViewOfMemory);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_ToHostBuffer, ToHost);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_CopyRawToHost, CopyRawToHost);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_CopyToDevice, CopyToDevice);
  HALYARD_PJRT_SERVE(api, PJRT_Buffer_CopyToMemory, CopyToMemory);
}

}  // namespace halyard::pjrt
