#include "client/ffi/ffi_api.h"

#include <cstdlib>
#include <map>
#include <new>
#include <string>

#include "absl/strings/str_cat.h"

namespace halyard::ffi {
namespace {

// Returns the error that stands for all others when there is no memory for them. TheApi makes it,
// so that it is there in time.
XLA_FFI_Error* NoMemory() {
  static auto* error = new XLA_FFI_Error(absl::ResourceExhaustedError("no host memory"));
  return error;
}

void Destroy(XLA_FFI_Error* error) {
  if (error != NoMemory()) delete error;
}

XLA_FFI_Error* ToError(absl::Status status) {
  return status.ok() ? nullptr : new XLA_FFI_Error(std::move(status));
}

// Calls `body(*args)`, or returns an error if the caller's struct has less than `needed` bytes. No
// exception reaches the caller.
template <typename Args, typename Body>
XLA_FFI_Error* Guard(const char* entry, Args* args, size_t needed, Body body) noexcept {
  try {
    if (args == nullptr || args->struct_size < needed) {
      return ToError(absl::InvalidArgumentError(
          absl::StrCat(entry, ": an argument struct of another version")));
    }
    return ToError(body(*args));
  } catch (...) {
    return NoMemory();
  }
}

#define HALYARD_FFI_SERVE(api, name, body)                         \
  (api)->name = [](name##_Args* args) noexcept -> XLA_FFI_Error* { \
    return Guard(#name, args, name##_Args_STRUCT_SIZE, body);      \
  }
#define HALYARD_FFI_DECLINE(api, name, why) \
  HALYARD_FFI_SERVE(api, name,              \
                    [](name##_Args&) { return absl::UnimplementedError(#name ": " why); })

// Registers types of users by name. Each number is given out once.
absl::Status RegisterType(XLA_FFI_Type_Register_Args& args) {
  static std::mutex mutex;
  static auto* types = new std::map<std::string, int64_t>();
  static int64_t next = 1;
  std::lock_guard<std::mutex> lock(mutex);
  const std::string name(args.name.ptr, args.name.len);
  auto [known, added] = types->try_emplace(name, args.type_id->type_id);
  if (!added) {
    if (args.type_id->type_id == 0) args.type_id->type_id = known->second;
    if (args.type_id->type_id == known->second) return absl::OkStatus();
    return absl::AlreadyExistsError(absl::StrCat("type ", name, " has another number"));
  }
  if (known->second == 0) {
    for (const auto& [other, number] : *types) {
      if (number >= next && number < INT64_MAX) next = number + 1;
    }
    known->second = next++;
  }
  args.type_id->type_id = known->second;
  return absl::OkStatus();
}

absl::Status Allocate(XLA_FFI_DeviceMemory_Allocate_Args& args) {
  const size_t alignment = std::max<size_t>(args.alignment, alignof(std::max_align_t));
  if ((alignment & (alignment - 1)) != 0)
    return absl::InvalidArgumentError(absl::StrCat("an alignment of ", alignment));
  args.data = nullptr;
  if (posix_memalign(&args.data, alignment, std::max<size_t>(args.size, 1)) != 0)
    return absl::ResourceExhaustedError(absl::StrCat("no host memory for ", args.size, " bytes"));
  return absl::OkStatus();
}

void Complete(XLA_FFI_Future* future, absl::Status status) {
  std::lock_guard<std::mutex> lock(future->mutex);
  future->done = true;
  future->status = std::move(status);
  // Notifies while the lock is held, because the thread that waits frees the future.
  future->condition.notify_all();
}

void AddErrors(XLA_FFI_Api* api) {
  api->XLA_FFI_Error_Create = [](XLA_FFI_Error_Create_Args* args) noexcept -> XLA_FFI_Error* {
    const auto code = static_cast<absl::StatusCode>(args->errc);
    try {
      return ToError(absl::Status(code == absl::StatusCode::kOk ? absl::StatusCode::kUnknown : code,
                                  args->message == nullptr ? "" : args->message));
    } catch (...) {
      return NoMemory();
    }
  };
  api->XLA_FFI_Error_GetMessage = [](XLA_FFI_Error_GetMessage_Args* args) noexcept {
    args->message = args->error->message.c_str();
  };
  api->XLA_FFI_Error_Destroy = [](XLA_FFI_Error_Destroy_Args* args) noexcept {
    Destroy(args->error);
  };
}

void AddFutures(XLA_FFI_Api* api) {
  HALYARD_FFI_SERVE(api, XLA_FFI_Future_Create, [](XLA_FFI_Future_Create_Args& args) {
    args.future = new XLA_FFI_Future();
    return absl::OkStatus();
  });
  HALYARD_FFI_SERVE(api, XLA_FFI_Future_SetAvailable, [](XLA_FFI_Future_SetAvailable_Args& args) {
    Complete(args.future, absl::OkStatus());
    return absl::OkStatus();
  });
  HALYARD_FFI_SERVE(api, XLA_FFI_Future_SetError, [](XLA_FFI_Future_SetError_Args& args) {
    Complete(args.future, TakeError(args.error));
    return absl::OkStatus();
  });
}

void AddServices(XLA_FFI_Api* api) {
  HALYARD_FFI_SERVE(api, XLA_FFI_Type_Register, RegisterType);
  HALYARD_FFI_SERVE(api, XLA_FFI_DeviceMemory_Allocate, Allocate);
  HALYARD_FFI_SERVE(api, XLA_FFI_DeviceMemory_Free, [](XLA_FFI_DeviceMemory_Free_Args& args) {
    std::free(args.data);
    return absl::OkStatus();
  });
  // The interface allows the thread that schedules a task to run it.
  HALYARD_FFI_SERVE(api, XLA_FFI_ThreadPool_Schedule, [](XLA_FFI_ThreadPool_Schedule_Args& args) {
    args.task(args.data);
    return absl::OkStatus();
  });
  HALYARD_FFI_SERVE(api, XLA_FFI_ThreadPool_NumThreads,
                    [](XLA_FFI_ThreadPool_NumThreads_Args& args) {
                      *args.num_threads = 1;
                      return absl::OkStatus();
                    });
  HALYARD_FFI_SERVE(api, XLA_FFI_RunId_Get, [](XLA_FFI_RunId_Get_Args& args) {
    args.run_id = args.ctx->run_id;
    return absl::OkStatus();
  });
  HALYARD_FFI_SERVE(api, XLA_FFI_DeviceOrdinal_Get, [](XLA_FFI_DeviceOrdinal_Get_Args& args) {
    args.device_ordinal = 0;
    return absl::OkStatus();
  });
  HALYARD_FFI_SERVE(api, XLA_FFI_ExecutionContext_Get, [](XLA_FFI_ExecutionContext_Get_Args& args) {
    return absl::NotFoundError(
        absl::StrCat("the run has no data of the type number ", args.type_id->type_id));
  });
  HALYARD_FFI_DECLINE(api, XLA_FFI_Handler_Register,
                      "functions are registered with the platform (jax.ffi.register_ffi_target)");
  HALYARD_FFI_DECLINE(api, XLA_FFI_Stream_Get, "functions are called on the CPU, without a stream");
  HALYARD_FFI_DECLINE(api, XLA_FFI_State_Set, "states that outlive a call are not supported");
  HALYARD_FFI_DECLINE(api, XLA_FFI_State_Get, "states that outlive a call are not supported");
}

XLA_FFI_Api MakeApi() {
  XLA_FFI_Api api = {};
  api.struct_size = XLA_FFI_Api_STRUCT_SIZE;
  api.api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr, XLA_FFI_API_MAJOR,
                     XLA_FFI_API_MINOR};
  AddErrors(&api);
  AddFutures(&api);
  AddServices(&api);
  return api;
}

}  // namespace

const XLA_FFI_Api* TheApi() {
  static const XLA_FFI_Api api = MakeApi();
  (void)NoMemory();
  return &api;
}

absl::Status TakeError(XLA_FFI_Error* error) {
  if (error == nullptr) return absl::OkStatus();
  absl::Status status = error->status;
  Destroy(error);
  return status;
}

absl::Status TakeFuture(XLA_FFI_Future* future) {
  if (future == nullptr) return absl::OkStatus();
  absl::Status status;
  {
    std::unique_lock<std::mutex> lock(future->mutex);
    future->condition.wait(lock, [future] { return future->done; });
    status = std::move(future->status);
  }
  delete future;
  return status;
}

}  // namespace halyard::ffi
