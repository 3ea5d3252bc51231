#include "runtime/c_api/halyard_rt.h"

#include "runtime/c_api/handles.h"
#include "runtime/c_api/sized/program_group.h"
#include "runtime/device_class.h"
#include "runtime/execute/context.h"
#include "runtime/execute/executor.h"
#include "runtime/program/program_verifier.h"
#include "runtime/version.h"
#include "runtime/x86/x86.h"

using halyard::runtime::ByteSpan;
using halyard::runtime::Check;
using halyard::runtime::Code;
using halyard::runtime::Context;
using halyard::runtime::Executable;
using halyard::runtime::From;
using halyard::runtime::KindName;
using halyard::runtime::Load;
using halyard::runtime::MakeStatus;
using halyard::runtime::Program;
using halyard::runtime::Return;
using halyard::runtime::Status;
using halyard::runtime::program_format::ValueRecord;

namespace {

// Reads a C status without taking ownership of it.
struct Borrowed {
  explicit Borrowed(hy_status from) : status(Status::Adopt(from)) {}
  ~Borrowed() { (void)status.Release(); }
  Status status;
};

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

}  // namespace

extern "C" {

int hy_status_code(hy_status status) { return static_cast<int>(Borrowed(status).status.code()); }

const char* hy_status_message(hy_status status) { return Borrowed(status).status.message(); }

void hy_status_free(hy_status status) { (void)Status::Adopt(status); }

hy_status hy_status_new(int code, const char* message) {
  if (code == HY_OK) return nullptr;
  const bool known = code == HY_INVALID_ARGUMENT || code == HY_DEADLINE_EXCEEDED ||
                     code == HY_NOT_FOUND || code == HY_RESOURCE_EXHAUSTED ||
                     code == HY_FAILED_PRECONDITION || code == HY_ABORTED ||
                     code == HY_OUT_OF_RANGE || code == HY_UNIMPLEMENTED || code == HY_INTERNAL ||
                     code == HY_UNAVAILABLE || code == HY_DATA_LOSS;
  const Code made = known ? static_cast<Code>(code) : Code::kInternal;
  return static_cast<hy_status>(
      MakeStatus(made, "%s", message == nullptr ? "" : message).Release());
}

const char* hy_version(void) { return HALYARD_VERSION_TEXT; }

void hy_device_close(hy_device* device) {
  if (device == nullptr) return;
  From(device)->WaitForTasks(nullptr);
  From(device)->Release();
}

const char* hy_device_kind(const hy_device* device) {
  return device == nullptr ? "" : KindName(From(device)->device()->info().kind);
}

const char* hy_device_name(const hy_device* device) {
  return device == nullptr ? "" : From(device)->device()->info().name;
}

int hy_device_threads(const hy_device* device) {
  if (device == nullptr) return 0;
  return static_cast<int>(halyard::runtime::x86::ThreadCount(From(device)->host_device()));
}

void hy_device_set_cache_limit(hy_device* device, uint64_t bytes) {
  if (device == nullptr) return;
  HY_WORKS_FOR(device);
  From(device)->SetCacheLimit(bytes);
}

hy_status hy_program_load_file(hy_device* device, const char* path, hy_program** program) {
  HY_NEEDS(device);
  HY_NEEDS(path);
  HY_NEEDS(program);
  HY_WORKS_FOR(device);
  Program* opened = nullptr;
  Status status = Program::Open(path, &opened, Check::kAllButConstants);
  return Return(Load(device, static_cast<Status&&>(status), opened, {}, program));
}

hy_status hy_program_load_memory(hy_device* device, const void* bytes, uint64_t size, int copy,
                                 hy_program** program) {
  HY_NEEDS(device);
  HY_NEEDS(program);
  if (size != 0) HY_NEEDS(bytes);
  HY_WORKS_FOR(device);
  Program* opened = nullptr;
  const ByteSpan span{static_cast<const uint8_t*>(bytes), static_cast<size_t>(size)};
  Status status = copy != 0 ? Program::Copy(span, &opened, Check::kAllButConstants)
                            : Program::FromMemory(span, &opened, Check::kAllButConstants);
  return Return(Load(device, static_cast<Status&&>(status), opened, {}, program));
}

hy_status hy_program_verify(const hy_program* program) {
  HY_NEEDS(program);
  HY_WORKS_FOR(program);
  const halyard::runtime::ProgramGroup* group = From(program)->group();
  return Return(group != nullptr ? group->bundle().VerifyConstants()
                                 : halyard::runtime::VerifyConstants(From(program)->program()));
}

void hy_program_free(hy_program* program) {
  if (program == nullptr) return;
  Context* context = From(program)->context();
  context->AddRef();
  const halyard::runtime::ProgramGroup* group = From(program)->group();
  if (group == nullptr) {
    context->WaitForTasks(program);
  } else if (group->entry(0) == From(program)) {
    for (uint32_t i = 0; i < group->catalogue().num_entries(); ++i)
      context->WaitForTasks(group->entry(i));
  }
  {
    HY_WORKS_FOR(program);
    halyard::runtime::FreeProgram(From(program));
  }
  context->Release();
}

hy_device* hy_program_device(const hy_program* program) {
  return program == nullptr ? nullptr : reinterpret_cast<hy_device*>(From(program)->context());
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
  HY_WORKS_FOR(program);
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
  HY_WORKS_FOR(program);
  const Program& p = From(program)->program();
  if (index < 0 || static_cast<uint32_t>(index) >= p.num_results()) {
    return Return(MakeStatus(Code::kInvalidArgument, "result %d of %u", index, p.num_results()));
  }
  Describe(p, p.result(static_cast<uint32_t>(index)), value);
  return nullptr;
}

uint64_t hy_program_temporary_bytes(const hy_program* program) {
  if (program == nullptr) return 0;
  const Executable* executable = From(program);
  const halyard::runtime::ProgramGroup* group = executable->group();
  return group != nullptr ? group->arena_bytes(executable->entry()) : executable->arena_bytes();
}

}  // extern "C"
