// Helpers that the files of the C API share. A handle is a pointer to the runtime's own object.
#ifndef HALYARD_RUNTIME_C_API_HANDLES_H_
#define HALYARD_RUNTIME_C_API_HANDLES_H_

#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/program_hold.h"
#include "runtime/execute/context.h"
#include "runtime/execute/executor.h"
#include "runtime/host.h"

namespace halyard::runtime {

inline Context* From(hy_device* device) { return reinterpret_cast<Context*>(device); }
inline const Context* From(const hy_device* device) {
  return reinterpret_cast<const Context*>(device);
}
inline Executable* From(hy_program* program) { return reinterpret_cast<Executable*>(program); }
inline const Executable* From(const hy_program* program) {
  return reinterpret_cast<const Executable*>(program);
}
inline Buffer* From(hy_buffer* buffer) { return reinterpret_cast<Buffer*>(buffer); }
inline const Buffer* From(const hy_buffer* buffer) {
  return reinterpret_cast<const Buffer*>(buffer);
}

inline Status IsNull(const char* function, const char* parameter) {
  return MakeStatus(Code::kInvalidArgument, "%s: %s is NULL", function, parameter);
}

// Tells the thread's host of an error, too.
inline hy_status Return(Status status) {
  const Host& host = CurrentHost();
  if (!status.ok() && host.error != nullptr)
    host.error(host.user, static_cast<int>(status.code()), status.message());
  return static_cast<hy_status>(status.Release());
}

inline const Host* HostOf(const hy_device* device) { return &From(device)->host(); }
inline const Host* HostOf(const hy_program* program) { return &From(program)->context()->host(); }
inline const Host* HostOf(const hy_buffer* buffer) { return &From(buffer)->context()->host(); }

// Makes `program` ready on the device. Returns `opened` if that says that the program could not be
// opened.
inline Status Load(hy_device* device, Status opened, Program* program,
                   const ExecutableOptions& options, hy_program** out) {
  if (!opened.ok()) return opened;
  Executable* executable = nullptr;
  HY_RETURN_IF_ERROR(Executable::Create(From(device), program, options, &executable));
  *out = reinterpret_cast<hy_program*>(executable);
  Log(LogLevel::kInfo, "loaded %s for %s", executable->program().name().data,
      executable->program().target().data);
  return Status();
}

// Reads an application's options, which may be null (runs.cc).
Status ReadRunOptions(const hy_run_options* given, RunOptions* options);
// Returns an error of the calling function if runs of the program choose sizes.
Status NeedsSizes(const Executable* program, const char* function);

}  // namespace halyard::runtime

// Returns an error of the calling function if the parameter is null.
#define HY_NEEDS(parameter)                                                            \
  do {                                                                                 \
    if ((parameter) == nullptr)                                                        \
      return halyard::runtime::Return(halyard::runtime::IsNull(__func__, #parameter)); \
  } while (false)

// What follows in the function is done for the handle's device. The handle is not null.
#define HY_WORKS_FOR(handle) \
  const halyard::runtime::HostScope hy_scope_(halyard::runtime::HostOf(handle))

// The same for a function that runs the program, which may be freed meanwhile.
#define HY_RUNS(program)                                                     \
  const halyard::runtime::RunHold hy_hold_(halyard::runtime::From(program)); \
  HY_WORKS_FOR(program)

#endif  // HALYARD_RUNTIME_C_API_HANDLES_H_
