// Arrays of other libraries (DLPack) as buffers, and buffers as such arrays.
#include <string.h>

#include "runtime/c_api/dlpack_abi.h"
#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"
#include "runtime/device_class.h"

namespace halyard::runtime {
namespace {

constexpr int kMaxRank = 64;

struct TypeRow {
  const char* name;
  uint8_t code, bits;
};
// Types of less than 8 bits are packed in DLPack, and take a byte here.
constexpr TypeRow kTypes[] = {
    {"f32", dlpack::kFloat, 32},
    {"f64", dlpack::kFloat, 64},
    {"f16", dlpack::kFloat, 16},
    {"bf16", dlpack::kBfloat, 16},
    {"s8", dlpack::kInt, 8},
    {"s16", dlpack::kInt, 16},
    {"s32", dlpack::kInt, 32},
    {"s64", dlpack::kInt, 64},
    {"u8", dlpack::kUInt, 8},
    {"u16", dlpack::kUInt, 16},
    {"u32", dlpack::kUInt, 32},
    {"u64", dlpack::kUInt, 64},
    {"pred", dlpack::kBool, 8},
    {"c64", dlpack::kComplex, 64},
    {"c128", dlpack::kComplex, 128},
    {"f8e3m4", dlpack::kFloat8E3M4, 8},
    {"f8e4m3", dlpack::kFloat8E4M3, 8},
    {"f8e4m3b11fnuz", dlpack::kFloat8E4M3B11Fnuz, 8},
    {"f8e4m3fn", dlpack::kFloat8E4M3Fn, 8},
    {"f8e4m3fnuz", dlpack::kFloat8E4M3Fnuz, 8},
    {"f8e5m2", dlpack::kFloat8E5M2, 8},
    {"f8e5m2fnuz", dlpack::kFloat8E5M2Fnuz, 8},
    {"f8e8m0fnu", dlpack::kFloat8E8M0Fnu, 8},
};

const TypeRow* FindType(const char* name) {
  for (const TypeRow& row : kTypes) {
    if (strcmp(row.name, name) == 0) return &row;
  }
  return nullptr;
}

Status Wrong(const char* what) {
  return MakeStatus(Code::kInvalidArgument, "DLPack tensor: %s", what);
}

// Checks a hy_value of the application, and finds its type.
Status ReadValue(const hy_value& value, const TypeRow** type) {
  if (value.element_type == nullptr) return Wrong("the hy_value's element_type is NULL");
  if (value.rank < 0 || value.rank > kMaxRank) return Wrong("the hy_value's rank is not 0 to 64");
  if (value.rank != 0 && value.dims == nullptr) return Wrong("the hy_value's dims are NULL");
  *type = FindType(value.element_type);
  if (*type == nullptr) {
    return MakeStatus(Code::kUnimplemented,
                      "DLPack has no type for arrays of %.40s as they are here",
                      value.element_type);
  }
  uint64_t axes = 0;
  for (int d = 0; d < value.rank; ++d) {
    if (value.dims[d] < 0) return Wrong("the hy_value has a negative dimension");
    if (value.minor_to_major == nullptr) continue;
    const int64_t axis = value.minor_to_major[d];
    if (axis < 0 || axis >= value.rank || (axes >> axis & 1) != 0)
      return Wrong("the hy_value's minor_to_major is no order of its dimensions");
    axes |= uint64_t{1} << axis;
  }
  return Status();
}

// Computes the strides, in elements, of a dense array whose fastest dimension comes first in
// minor_to_major, and its number of elements. Returns false if that is too large.
bool DenseStrides(int rank, const int64_t* dims, const int64_t* minor_to_major, int64_t* strides,
                  int64_t* count) {
  int64_t elements = 1;
  bool empty = false, huge = false;
  for (int i = 0; i < rank; ++i) {
    const int64_t d = minor_to_major == nullptr ? rank - 1 - i : minor_to_major[i];
    strides[d] = elements;
    empty |= dims[d] == 0;
    huge |= __builtin_mul_overflow(elements, dims[d] == 0 ? 1 : dims[d], &elements);
  }
  *count = empty ? 0 : elements;
  return !huge;
}

Status CheckPlace(const Context& context, const dlpack::Device& device) {
  const DeviceKind kind = context.device()->info().kind;
  const bool fits = kind == DeviceKind::kX86
                        ? device.type == dlpack::kCpu || device.type == dlpack::kCudaHost
                    : kind == DeviceKind::kCuda
                        ? device.type == dlpack::kCuda || device.type == dlpack::kCudaManaged
                        : device.type == dlpack::kVulkan;
  if (fits && kind == DeviceKind::kCuda && device.id != context.device()->ordinal()) {
    return MakeStatus(Code::kInvalidArgument, "DLPack tensor: it is on the GPU %d, not %d",
                      device.id, context.device()->ordinal());
  }
  if (fits) return Status();
  return MakeStatus(Code::kInvalidArgument,
                    "DLPack tensor: its device has the type %d; this one is %s", device.type,
                    context.device()->info().name);
}

// Checks type, shape and strides, and finds the number of bytes.
Status CheckArray(const dlpack::Tensor& tensor, const hy_value* expected, uint64_t* bytes) {
  if (tensor.rank < 0 || tensor.rank > kMaxRank) return Wrong("its rank is not 0 to 64");
  if (tensor.rank != 0 && tensor.shape == nullptr) return Wrong("its shape is NULL");
  if (tensor.type.lanes != 1) return Wrong("its elements are vectors");
  for (int d = 0; d < tensor.rank; ++d) {
    if (tensor.shape[d] < 0) return Wrong("it has a negative dimension");
  }
  if (tensor.type.bits == 0 || tensor.type.bits % 8 != 0)
    return Wrong("its elements are not whole bytes");
  if (expected != nullptr) {
    const TypeRow* type = nullptr;
    HY_RETURN_IF_ERROR(ReadValue(*expected, &type));
    if (type->code != tensor.type.code || type->bits != tensor.type.bits) {
      return MakeStatus(Code::kInvalidArgument,
                        "DLPack tensor: its type is (code %u, %u bits), not that of %s",
                        tensor.type.code, tensor.type.bits, expected->element_type);
    }
    if (expected->rank != tensor.rank) {
      return MakeStatus(Code::kInvalidArgument, "DLPack tensor: its rank is %d, not %d",
                        tensor.rank, expected->rank);
    }
    for (int d = 0; d < tensor.rank; ++d) {
      if (tensor.shape[d] == expected->dims[d]) continue;
      return MakeStatus(Code::kInvalidArgument, "DLPack tensor: dimension %d is %lld, not %lld", d,
                        static_cast<long long>(tensor.shape[d]),
                        static_cast<long long>(expected->dims[d]));
    }
  }
  int64_t strides[kMaxRank], count = 0;
  const int64_t* order = expected == nullptr ? nullptr : expected->minor_to_major;
  if (!DenseStrides(tensor.rank, tensor.shape, order, strides, &count) ||
      __builtin_mul_overflow(static_cast<uint64_t>(count), uint64_t{tensor.type.bits} / 8, bytes))
    return Wrong("it is too large");
  if (tensor.strides == nullptr && order == nullptr) return Status();
  int64_t row_major[kMaxRank];
  DenseStrides(tensor.rank, tensor.shape, nullptr, row_major, &count);
  const int64_t* given = tensor.strides == nullptr ? row_major : tensor.strides;
  for (int d = 0; d < tensor.rank; ++d) {
    // The stride of a dimension of size 1 means nothing, and none does if there are no elements.
    if (count == 0 || tensor.shape[d] == 1 || given[d] == strides[d]) continue;
    return MakeStatus(Code::kInvalidArgument,
                      "DLPack tensor: the stride of dimension %d is %lld, not %lld: make it dense, "
                      "in the order of the program",
                      d, static_cast<long long>(given[d]), static_cast<long long>(strides[d]));
  }
  return Status();
}

template <typename Managed>
void Delete(void* managed) {
  Managed* tensor = static_cast<Managed*>(managed);
  if (tensor->deleter != nullptr) tensor->deleter(tensor);
}

template <typename Managed>
Status Import(Context* context, Managed* managed, bool read_only, const hy_value* expected,
              hy_buffer** buffer) {
  const dlpack::Tensor& tensor = managed->tensor;
  uint64_t bytes = 0;
  HY_RETURN_IF_ERROR(CheckPlace(*context, tensor.device));
  HY_RETURN_IF_ERROR(CheckArray(tensor, expected, &bytes));
  if (tensor.data == nullptr && bytes != 0) return Wrong("its data is NULL");
  Buffer* made = nullptr;
  uint64_t handle = reinterpret_cast<uint64_t>(tensor.data), offset = tensor.byte_offset;
  if (context->device()->info().kind != DeviceKind::kVulkan) {
    handle += offset;
    offset = 0;
  }
  const bool copies = bytes == 0 || (context->is_x86() && handle % Context::kHostAlignment != 0);
  if (copies) {
    HY_RETURN_IF_ERROR(
        context->CopyFromHost(reinterpret_cast<const void*>(handle), bytes, Space::kDevice, &made));
    Delete<Managed>(managed);
  } else {
    HY_RETURN_IF_ERROR(
        context->WrapMemory(handle, offset, bytes, read_only, &Delete<Managed>, managed, &made));
  }
  *buffer = reinterpret_cast<hy_buffer*>(made);
  return Status();
}

// A tensor of a buffer's memory. What it points to lies behind it.
template <typename Managed>
struct Exported {
  Managed managed;
  Buffer* buffer;
  int64_t numbers[2 * kMaxRank];  // shape and strides

  static void Free(Managed* managed) {
    Exported* self = reinterpret_cast<Exported*>(managed);
    const Host host = self->buffer->context()->host();
    const HostScope scope(&host);
    self->buffer->DropOwner();
    self->buffer->Release();
    HeapFree(self);
  }
};

template <typename Managed>
Status Export(Buffer* buffer, const hy_value& value, Managed** result) {
  const TypeRow* type = nullptr;
  HY_RETURN_IF_ERROR(ReadValue(value, &type));
  int64_t strides[kMaxRank], count = 0;
  uint64_t bytes = 0;
  if (!DenseStrides(value.rank, value.dims, value.minor_to_major, strides, &count) ||
      __builtin_mul_overflow(static_cast<uint64_t>(count), uint64_t{type->bits} / 8, &bytes) ||
      bytes != buffer->bytes() || buffer->is_donated()) {
    return MakeStatus(Code::kInvalidArgument, "the buffer has not the size of the hy_value");
  }
  HY_RETURN_IF_ERROR(buffer->Wait());
  using Made = Exported<Managed>;
  Made* made = static_cast<Made*>(HeapAllocateZeroed(1, sizeof(Made)));
  if (made == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a tensor");
  const Context& context = *buffer->context();
  const DeviceKind kind = context.device()->info().kind;
  dlpack::Tensor& tensor = made->managed.tensor;
  const bool pinned = kind == DeviceKind::kCuda && buffer->space() == Space::kHost;
  tensor.data = pinned ? buffer->host() : reinterpret_cast<void*>(buffer->block().device_address);
  tensor.device.type = kind == DeviceKind::kX86    ? dlpack::kCpu
                       : pinned                    ? dlpack::kCudaHost
                       : kind == DeviceKind::kCuda ? dlpack::kCuda
                                                   : dlpack::kVulkan;
  tensor.device.id = context.device()->ordinal();
  tensor.rank = value.rank;
  tensor.type = {type->code, type->bits, 1};
  tensor.shape = made->numbers;
  tensor.strides = made->numbers + kMaxRank;
  tensor.byte_offset = buffer->block().handle_offset;
  if (value.rank != 0) {
    memcpy(tensor.shape, value.dims, static_cast<size_t>(value.rank) * sizeof(int64_t));
    memcpy(tensor.strides, strides, static_cast<size_t>(value.rank) * sizeof(int64_t));
  }
  made->managed.manager = made;
  made->managed.deleter = &Made::Free;
  buffer->AddRef();
  buffer->AddOwner();  // no run may take over the memory
  made->buffer = buffer;
  *result = &made->managed;
  return Status();
}

}  // namespace
}  // namespace halyard::runtime

using halyard::runtime::Code;
using halyard::runtime::From;
using halyard::runtime::MakeStatus;
using halyard::runtime::Return;
using halyard::runtime::Status;
namespace dlpack = halyard::runtime::dlpack;

extern "C" {

hy_status hy_buffer_from_dlpack(hy_device* device, struct DLManagedTensor* tensor,
                                const hy_value* expected, hy_buffer** buffer) {
  HY_NEEDS(device);
  HY_NEEDS(tensor);
  HY_NEEDS(buffer);
  HY_WORKS_FOR(device);
  return Return(halyard::runtime::Import(From(device), tensor, false, expected, buffer));
}

hy_status hy_buffer_from_dlpack_versioned(hy_device* device,
                                          struct DLManagedTensorVersioned* tensor,
                                          const hy_value* expected, hy_buffer** buffer) {
  HY_NEEDS(device);
  HY_NEEDS(tensor);
  HY_NEEDS(buffer);
  HY_WORKS_FOR(device);
  if (tensor->version.major != dlpack::kVersion.major) {
    return Return(MakeStatus(Code::kUnimplemented,
                             "DLPack tensor: its version is %u.%u, and %u.x is known",
                             tensor->version.major, tensor->version.minor, dlpack::kVersion.major));
  }
  const bool read_only = (tensor->flags & dlpack::kReadOnly) != 0;
  return Return(halyard::runtime::Import(From(device), tensor, read_only, expected, buffer));
}

hy_status hy_buffer_to_dlpack(hy_buffer* buffer, const hy_value* value,
                              struct DLManagedTensor** tensor) {
  HY_NEEDS(buffer);
  HY_NEEDS(value);
  HY_NEEDS(tensor);
  HY_WORKS_FOR(buffer);
  if (From(buffer)->is_read_only()) {
    return Return(MakeStatus(Code::kInvalidArgument,
                             "the buffer is read-only, which only a versioned tensor can say"));
  }
  return Return(halyard::runtime::Export(From(buffer), *value, tensor));
}

hy_status hy_buffer_to_dlpack_versioned(hy_buffer* buffer, const hy_value* value,
                                        struct DLManagedTensorVersioned** tensor) {
  HY_NEEDS(buffer);
  HY_NEEDS(value);
  HY_NEEDS(tensor);
  HY_WORKS_FOR(buffer);
  DLManagedTensorVersioned* made = nullptr;
  Status status = halyard::runtime::Export(From(buffer), *value, &made);
  if (status.ok()) {
    made->version = {dlpack::kVersion.major, dlpack::kVersion.minor};
    made->flags = From(buffer)->is_read_only() ? dlpack::kReadOnly : 0;
    *tensor = made;
  }
  return Return(static_cast<Status&&>(status));
}

}  // extern "C"
