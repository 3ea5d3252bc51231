// Registers custom calls, and calls the form that tells types and shapes.
#include "runtime/c_api/custom_calls.h"

#include <stddef.h>

#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"
#include "runtime/execute/typed_call.h"

namespace halyard::runtime {
namespace {

constexpr size_t kMostCalls = 65536;

static_assert(sizeof(CallValue) == sizeof(hy_value) &&
              offsetof(CallValue, element_type) == offsetof(hy_value, element_type) &&
              offsetof(CallValue, rank) == offsetof(hy_value, rank) &&
              offsetof(CallValue, dims) == offsetof(hy_value, dims) &&
              offsetof(CallValue, bytes) == offsetof(hy_value, bytes));

Status CallApplication(const TypedCall& call) {
  hy_call given;
  given.struct_size = sizeof(given);
  given.user = call.function->user;
  given.name = call.name;
  given.config = reinterpret_cast<const char*>(call.config.data);
  given.config_bytes = call.config.size;
  given.num_operands = static_cast<int>(call.num_operands);
  given.num_results = static_cast<int>(call.num_results);
  given.operands = reinterpret_cast<const hy_value*>(call.operands);
  given.results = reinterpret_cast<const hy_value*>(call.results);
  given.in = call.in;
  given.out = call.out;
  return Status::Adopt(reinterpret_cast<hy_call_function>(call.function->function)(&given));
}

}  // namespace

Status RegisterCall(Context* context, const char* name, hy_call_function function, void* user) {
  CustomCall call;
  call.typed = &CallApplication;
  call.function = reinterpret_cast<void (*)()>(function);
  call.user = user;
  return context->RegisterCustomCall(name, call);
}

Status RegisterCalls(Context* context, const hy_named_call* calls, size_t count) {
  if (count > kMostCalls)
    return MakeStatus(Code::kInvalidArgument, "hy_choose_options: %zu calls: at most %zu", count,
                      kMostCalls);
  if (count != 0 && calls == nullptr)
    return MakeStatus(Code::kInvalidArgument, "hy_choose_options: calls is NULL");
  for (size_t i = 0; i < count; ++i) {
    if (calls[i].name == nullptr || calls[i].function == nullptr)
      return MakeStatus(Code::kInvalidArgument, "hy_choose_options: calls[%zu] has NULLs", i);
    HY_RETURN_IF_ERROR(RegisterCall(context, calls[i].name, calls[i].function, calls[i].user));
  }
  return Status();
}

}  // namespace halyard::runtime

using halyard::runtime::CustomCall;
using halyard::runtime::From;
using halyard::runtime::Return;

extern "C" {

hy_status hy_device_register_call(hy_device* device, const char* name, hy_call_function function,
                                  void* user) {
  HY_NEEDS(device);
  HY_NEEDS(name);
  HY_NEEDS(function);
  HY_WORKS_FOR(device);
  return Return(halyard::runtime::RegisterCall(From(device), name, function, user));
}

hy_status hy_device_register_custom_call(hy_device* device, const char* name,
                                         hy_custom_call function) {
  HY_NEEDS(device);
  HY_NEEDS(name);
  HY_NEEDS(function);
  HY_WORKS_FOR(device);
  CustomCall call;
  call.plain = function;
  return Return(From(device)->RegisterCustomCall(name, call));
}

}  // extern "C"
