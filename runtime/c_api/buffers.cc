// The functions of the C API for buffers.
#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"

namespace halyard::runtime {
namespace {

Status Wrap(Context* context, const hy_memory* given, hy_buffer** buffer) {
  hy_memory memory;
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_memory", &memory, sizeof(memory)));
  if (memory.handle == 0) return MakeStatus(Code::kInvalidArgument, "hy_memory: handle is 0");
  Buffer* made = nullptr;
  HY_RETURN_IF_ERROR(context->WrapMemory(memory.handle, memory.offset, memory.bytes,
                                         memory.read_only != 0, memory.release, memory.user,
                                         &made));
  *buffer = reinterpret_cast<hy_buffer*>(made);
  return Status();
}

Status Describe(const Buffer& buffer, hy_memory* memory) {
  hy_memory known;
  HY_RETURN_IF_ERROR(ReadOptions(memory, "hy_memory", &known, sizeof(known)));
  if (buffer.is_donated()) return MakeStatus(Code::kInvalidArgument, "the buffer has been donated");
  known.handle = buffer.block().device_address;
  known.offset = buffer.block().handle_offset;
  known.bytes = buffer.bytes();
  known.read_only = buffer.is_read_only() ? 1 : 0;
  known.release = nullptr;
  known.user = nullptr;
  WriteOptions(known, memory);
  return Status();
}

}  // namespace
}  // namespace halyard::runtime

using halyard::runtime::Buffer;
using halyard::runtime::From;
using halyard::runtime::Return;
using halyard::runtime::Space;
using halyard::runtime::Status;

extern "C" {

hy_status hy_buffer_new(hy_device* device, uint64_t bytes, hy_buffer** buffer) {
  HY_NEEDS(device);
  HY_NEEDS(buffer);
  HY_WORKS_FOR(device);
  Buffer* made = nullptr;
  Status status = From(device)->NewBuffer(bytes, Space::kDevice, &made);
  if (status.ok()) *buffer = reinterpret_cast<hy_buffer*>(made);
  return Return(static_cast<Status&&>(status));
}

hy_status hy_buffer_from_host(hy_device* device, const void* data, uint64_t bytes,
                              hy_buffer** buffer) {
  HY_NEEDS(device);
  HY_NEEDS(buffer);
  if (bytes != 0) HY_NEEDS(data);
  HY_WORKS_FOR(device);
  Buffer* made = nullptr;
  Status status = From(device)->CopyFromHost(data, bytes, Space::kDevice, &made);
  if (status.ok()) *buffer = reinterpret_cast<hy_buffer*>(made);
  return Return(static_cast<Status&&>(status));
}

void hy_buffer_free(hy_buffer* buffer) {
  if (buffer == nullptr) return;
  HY_WORKS_FOR(buffer);
  // The application may free the memory that it has lent.
  if (From(buffer)->is_wrapped()) From(buffer)->AwaitRuns(halyard::runtime::Use::kWrites);
  From(buffer)->Release();
}

uint64_t hy_buffer_bytes(const hy_buffer* buffer) {
  return buffer == nullptr ? 0 : From(buffer)->bytes();
}

hy_status hy_buffer_to_host(const hy_buffer* buffer, void* data, uint64_t bytes) {
  HY_NEEDS(buffer);
  if (bytes != 0) HY_NEEDS(data);
  HY_WORKS_FOR(buffer);
  return Return(From(buffer)->CopyToHost(data, 0, bytes));
}

hy_status hy_buffer_write(hy_buffer* buffer, const void* data, uint64_t bytes) {
  HY_NEEDS(buffer);
  if (bytes != 0) HY_NEEDS(data);
  HY_WORKS_FOR(buffer);
  return Return(From(buffer)->CopyFromHost(data, 0, bytes));
}

int hy_buffer_is_ready(const hy_buffer* buffer) {
  return buffer != nullptr && From(buffer)->IsReady() ? 1 : 0;
}

hy_status hy_buffer_wait(const hy_buffer* buffer) {
  HY_NEEDS(buffer);
  HY_WORKS_FOR(buffer);
  return Return(From(buffer)->Wait());
}

hy_status hy_buffer_wrap(hy_device* device, const hy_memory* memory, hy_buffer** buffer) {
  HY_NEEDS(device);
  HY_NEEDS(memory);
  HY_NEEDS(buffer);
  HY_WORKS_FOR(device);
  return Return(halyard::runtime::Wrap(From(device), memory, buffer));
}

hy_status hy_buffer_memory(const hy_buffer* buffer, hy_memory* memory) {
  HY_NEEDS(buffer);
  HY_NEEDS(memory);
  HY_WORKS_FOR(buffer);
  return Return(halyard::runtime::Describe(*From(buffer), memory));
}

}  // extern "C"
