#include "runtime/c_api/halyard_rt.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/linked_backends.h"
#include "runtime/c_api/program_group.h"
#include "runtime/device_class.h"
#include "runtime/execute/context.h"
#include "runtime/execute/executor.h"
#include "runtime/program/program_verifier.h"
#include "runtime/version.h"
#include "runtime/x86/x86.h"

using halyard::runtime::Buffer;
using halyard::runtime::ByteSpan;
using halyard::runtime::Check;
using halyard::runtime::Code;
using halyard::runtime::Context;
using halyard::runtime::CustomCall;
using halyard::runtime::Device;
using halyard::runtime::DeviceKind;
using halyard::runtime::Executable;
using halyard::runtime::From;
using halyard::runtime::KindName;
using halyard::runtime::Load;
using halyard::runtime::MakeStatus;
using halyard::runtime::OpenLinkedBackend;
using halyard::runtime::Program;
using halyard::runtime::Return;
using halyard::runtime::RunOptions;
using halyard::runtime::Space;
using halyard::runtime::Status;
using halyard::runtime::program_format::ValueRecord;

namespace halyard::runtime {

Status ReadRunOptions(const hy_run_options* given, RunOptions* options) {
  hy_run_options read;
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_run_options", &read, sizeof(read)));
  if (read.cancel != nullptr) options->cancel = &read.cancel->requested;
  return Status();
}

}  // namespace halyard::runtime

namespace {

// Reads a C status without taking ownership of it.
struct Borrowed {
  explicit Borrowed(hy_status from) : status(Status::Adopt(from)) {}
  ~Borrowed() { (void)status.Release(); }
  Status status;
};

Status OpenBackend(const char* kind, uint32_t index, Device** device) {
  for (const DeviceKind gpu : {DeviceKind::kCuda, DeviceKind::kVulkan}) {
    if (strcmp(kind, KindName(gpu)) == 0) return OpenLinkedBackend(gpu, index, device);
  }
  return MakeStatus(Code::kInvalidArgument, "unknown kind of device '%s': x86, cuda or vulkan",
                    kind);
}

Status Open(const char* kind, int index, int threads, Context** context) {
  if (index < 0 || threads < 0)
    return MakeStatus(Code::kInvalidArgument, "negative device index or thread count");
  Device *device = nullptr, *host = nullptr;
  const bool is_x86 = strcmp(kind, "x86") == 0;
  if (is_x86 && index != 0)
    return MakeStatus(Code::kNotFound, "there is one x86 device, 0; not %d", index);
  if (!is_x86) HY_RETURN_IF_ERROR(OpenBackend(kind, static_cast<uint32_t>(index), &device));
  Status status = halyard::runtime::x86::OpenDeviceWithThreads(static_cast<uint32_t>(threads),
                                                               is_x86 ? &device : &host);
  if (!status.ok()) {
    if (device != nullptr) device->Destroy();
    return status;
  }
  return Context::Create(device, host, context);
}

// Without the sizes that runs choose, which are parameters, too.
uint32_t NumArguments(const Executable* executable) {
  return executable->program().num_parameters() - executable->num_sizes();
}

void Describe(const Program& program, const ValueRecord& record, hy_value* value) {
  value->name = program.String(record.name).data;
  value->element_type = program.String(record.element_type).data;
  value->rank = static_cast<int>(record.rank);
  value->dims = program.dims(record);
  value->minor_to_major = program.minor_to_major(record);
  value->bytes = static_cast<uint64_t>(record.bytes);
}

// The buffers of one call of hy_run: a few lie on the stack, many are malloc'ed.
class BufferArray {
 public:
  explicit BufferArray(uint32_t count) : count_(count), items_(few_) {
    if (count > kFew) items_ = static_cast<Buffer**>(calloc(count, sizeof(Buffer*)));
  }
  ~BufferArray() {
    for (uint32_t i = 0; items_ != nullptr && i < count_; ++i) {
      if (items_[i] != nullptr) items_[i]->Release();
    }
    if (items_ != few_) free(items_);
  }
  BufferArray(const BufferArray&) = delete;
  BufferArray& operator=(const BufferArray&) = delete;
  bool ok() const { return items_ != nullptr; }
  Buffer*& operator[](uint32_t i) { return items_[i]; }
  Buffer** data() { return items_; }

 private:
  static constexpr uint32_t kFew = 64;
  uint32_t count_;
  Buffer* few_[kFew] = {};
  Buffer** items_;
};

bool IsAligned(const void* data) {
  return reinterpret_cast<uintptr_t>(data) % Context::kHostAlignment == 0;
}

Status RunOnHostMemory(Executable* executable, const RunOptions& options,
                       const void* const* arguments, void* const* results) {
  const Program& program = executable->program();
  Context* context = executable->context();
  HY_RETURN_IF_ERROR(halyard::runtime::CheckMemory(program, arguments, results));
  BufferArray inputs(program.num_parameters()), outputs(program.num_results());
  if (!inputs.ok() || !outputs.ok())
    return MakeStatus(Code::kResourceExhausted, "no memory for a run's arguments");
  for (uint32_t i = 0; i < program.num_parameters(); ++i) {
    const uint64_t bytes = static_cast<uint64_t>(program.parameter(i).bytes);
    HY_RETURN_IF_ERROR(halyard::runtime::CheckElements(program, i, arguments[i]));
    if (context->is_x86() && arguments[i] != nullptr && IsAligned(arguments[i])) {
      HY_RETURN_IF_ERROR(
          context->WrapHost(const_cast<void*>(arguments[i]), bytes, nullptr, nullptr, &inputs[i]));
    } else {
      HY_RETURN_IF_ERROR(
          context->CopyFromHost(arguments[i], bytes, executable->parameter_space(i), &inputs[i]));
    }
  }
  for (uint32_t i = 0; i < program.num_results(); ++i) {
    const uint64_t bytes = static_cast<uint64_t>(program.result(i).bytes);
    if (context->is_x86() && results[i] != nullptr && IsAligned(results[i])) {
      HY_RETURN_IF_ERROR(context->WrapHost(results[i], bytes, nullptr, nullptr, &outputs[i]));
    }
  }
  HY_RETURN_IF_ERROR(executable->Run(options, inputs.data(), program.num_parameters(),
                                     outputs.data(), program.num_results()));
  for (uint32_t i = 0; i < program.num_results(); ++i) {
    if (context->is_x86() && outputs[i]->host() == results[i]) continue;
    HY_RETURN_IF_ERROR(outputs[i]->CopyToHost(results[i], 0, outputs[i]->bytes()));
  }
  return Status();
}

Status RunOnBuffers(Executable* executable, RunOptions options, Buffer* const* arguments,
                    const unsigned char* donate, Buffer** results) {
  const uint32_t count = executable->program().num_parameters();
  bool few[64] = {};
  bool* flags = count <= 64 ? few : static_cast<bool*>(calloc(count, sizeof(bool)));
  if (flags == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory for a run's arguments");
  for (uint32_t i = 0; donate != nullptr && i < count; ++i) flags[i] = donate[i] != 0;
  options.donate = flags;
  Status status =
      executable->Run(options, arguments, count, results, executable->program().num_results());
  if (flags != few) free(flags);
  return status;
}

}  // namespace

extern "C" {

int hy_status_code(hy_status status) { return static_cast<int>(Borrowed(status).status.code()); }

const char* hy_status_message(hy_status status) { return Borrowed(status).status.message(); }

void hy_status_free(hy_status status) { (void)Status::Adopt(status); }

const char* hy_version(void) { return HALYARD_VERSION_TEXT; }

hy_status hy_device_open(const char* kind, int index, int threads, hy_device** device) {
  HY_NEEDS(kind);
  HY_NEEDS(device);
  Context* context = nullptr;
  Status status = Open(kind, index, threads, &context);
  if (status.ok()) *device = reinterpret_cast<hy_device*>(context);
  return Return(static_cast<Status&&>(status));
}

void hy_device_close(hy_device* device) {
  if (device != nullptr) From(device)->Release();
}

const char* hy_device_name(const hy_device* device) {
  return device == nullptr ? "" : From(device)->device()->info().name;
}

int hy_device_threads(const hy_device* device) {
  if (device == nullptr) return 0;
  return static_cast<int>(halyard::runtime::x86::ThreadCount(From(device)->host_device()));
}

void hy_device_set_cache_limit(hy_device* device, uint64_t bytes) {
  if (device != nullptr) From(device)->SetCacheLimit(bytes);
}

hy_status hy_device_register_custom_call(hy_device* device, const char* name,
                                         hy_custom_call function) {
  HY_NEEDS(device);
  HY_NEEDS(name);
  HY_NEEDS(function);
  CustomCall call;
  call.plain = function;
  return Return(From(device)->RegisterCustomCall(name, call));
}

hy_status hy_program_load_file(hy_device* device, const char* path, hy_program** program) {
  HY_NEEDS(device);
  HY_NEEDS(path);
  HY_NEEDS(program);
  Program* opened = nullptr;
  Status status = Program::Open(path, &opened, Check::kAllButConstants);
  return Return(Load(device, static_cast<Status&&>(status), opened, {}, program));
}

hy_status hy_program_load_memory(hy_device* device, const void* bytes, uint64_t size, int copy,
                                 hy_program** program) {
  HY_NEEDS(device);
  HY_NEEDS(program);
  if (size != 0) HY_NEEDS(bytes);
  Program* opened = nullptr;
  const ByteSpan span{static_cast<const uint8_t*>(bytes), static_cast<size_t>(size)};
  Status status = copy != 0 ? Program::Copy(span, &opened, Check::kAllButConstants)
                            : Program::FromMemory(span, &opened, Check::kAllButConstants);
  return Return(Load(device, static_cast<Status&&>(status), opened, {}, program));
}

hy_status hy_program_verify(const hy_program* program) {
  HY_NEEDS(program);
  const halyard::runtime::ProgramGroup* group = From(program)->group();
  return Return(group != nullptr ? group->bundle().VerifyConstants()
                                 : halyard::runtime::VerifyConstants(From(program)->program()));
}

void hy_program_free(hy_program* program) {
  if (program != nullptr) halyard::runtime::FreeProgram(From(program));
}

const char* hy_program_name(const hy_program* program) {
  return program == nullptr ? "" : From(program)->program().name().data;
}

int hy_program_num_arguments(const hy_program* program) {
  return program == nullptr ? 0 : static_cast<int>(NumArguments(From(program)));
}

int hy_program_num_results(const hy_program* program) {
  return program == nullptr ? 0 : static_cast<int>(From(program)->program().num_results());
}

hy_status hy_program_argument(const hy_program* program, int index, hy_value* value) {
  HY_NEEDS(program);
  HY_NEEDS(value);
  const Program& p = From(program)->program();
  const uint32_t count = NumArguments(From(program));
  if (index < 0 || static_cast<uint32_t>(index) >= count)
    return Return(MakeStatus(Code::kInvalidArgument, "argument %d of %u", index, count));
  Describe(p, p.parameter(static_cast<uint32_t>(index)), value);
  return nullptr;
}

hy_status hy_program_result(const hy_program* program, int index, hy_value* value) {
  HY_NEEDS(program);
  HY_NEEDS(value);
  const Program& p = From(program)->program();
  if (index < 0 || static_cast<uint32_t>(index) >= p.num_results()) {
    return Return(MakeStatus(Code::kInvalidArgument, "result %d of %u", index, p.num_results()));
  }
  Describe(p, p.result(static_cast<uint32_t>(index)), value);
  return nullptr;
}

uint64_t hy_program_temporary_bytes(const hy_program* program) {
  return program == nullptr ? 0 : From(program)->arena_bytes();
}

void hy_cancel_request(hy_cancel* cancel) {
  if (cancel != nullptr) __atomic_store_n(&cancel->requested, 1, __ATOMIC_RELAXED);
}

hy_status hy_run(hy_program* program, const void* const* arguments, void* const* results) {
  return hy_run_with(program, nullptr, arguments, results);
}

hy_status hy_run_with(hy_program* program, const hy_run_options* options,
                      const void* const* arguments, void* const* results) {
  HY_NEEDS(program);
  if (From(program)->program().num_parameters() != 0) HY_NEEDS(arguments);
  if (From(program)->program().num_results() != 0) HY_NEEDS(results);
  RunOptions read;
  Status status = halyard::runtime::NeedsSizes(From(program), __func__);
  if (status.ok()) status = halyard::runtime::ReadRunOptions(options, &read);
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  return Return(RunOnHostMemory(From(program), read, arguments, results));
}

hy_status hy_buffer_new(hy_device* device, uint64_t bytes, hy_buffer** buffer) {
  HY_NEEDS(device);
  HY_NEEDS(buffer);
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
  Buffer* made = nullptr;
  Status status = From(device)->CopyFromHost(data, bytes, Space::kDevice, &made);
  if (status.ok()) *buffer = reinterpret_cast<hy_buffer*>(made);
  return Return(static_cast<Status&&>(status));
}

void hy_buffer_free(hy_buffer* buffer) {
  if (buffer != nullptr) From(buffer)->Release();
}

uint64_t hy_buffer_bytes(const hy_buffer* buffer) {
  return buffer == nullptr ? 0 : From(buffer)->bytes();
}

hy_status hy_buffer_to_host(const hy_buffer* buffer, void* data, uint64_t bytes) {
  HY_NEEDS(buffer);
  if (bytes != 0) HY_NEEDS(data);
  return Return(From(buffer)->CopyToHost(data, 0, bytes));
}

hy_status hy_buffer_write(hy_buffer* buffer, const void* data, uint64_t bytes) {
  HY_NEEDS(buffer);
  if (bytes != 0) HY_NEEDS(data);
  return Return(From(buffer)->CopyFromHost(data, 0, bytes));
}

int hy_buffer_is_ready(const hy_buffer* buffer) {
  return buffer != nullptr && From(buffer)->IsReady() ? 1 : 0;
}

hy_status hy_buffer_wait(const hy_buffer* buffer) {
  HY_NEEDS(buffer);
  return Return(From(buffer)->Wait());
}

hy_status hy_run_buffers(hy_program* program, hy_buffer* const* arguments,
                         const unsigned char* donate, hy_buffer** results) {
  return hy_run_buffers_with(program, nullptr, arguments, donate, results);
}

hy_status hy_run_buffers_with(hy_program* program, const hy_run_options* options,
                              hy_buffer* const* arguments, const unsigned char* donate,
                              hy_buffer** results) {
  HY_NEEDS(program);
  if (From(program)->program().num_parameters() != 0) HY_NEEDS(arguments);
  if (From(program)->program().num_results() != 0) HY_NEEDS(results);
  RunOptions read;
  Status status = halyard::runtime::NeedsSizes(From(program), __func__);
  if (status.ok()) status = halyard::runtime::ReadRunOptions(options, &read);
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  return Return(RunOnBuffers(From(program), read, reinterpret_cast<Buffer* const*>(arguments),
                             donate, reinterpret_cast<Buffer**>(results)));
}

}  // extern "C"
