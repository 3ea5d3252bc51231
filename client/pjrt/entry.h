// What all entries of the C API share: errors, checks of argument structs, and a guard that lets no
// exception out.
#ifndef HALYARD_CLIENT_PJRT_ENTRY_H_
#define HALYARD_CLIENT_PJRT_ENTRY_H_

#include <exception>
#include <new>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/pjrt/c/pjrt_c_api.h"

struct PJRT_Error {
  absl::Status status;
};

namespace halyard::pjrt {

// Returns null for OK. The receiver frees the error with PJRT_Error_Destroy.
PJRT_Error* ToError(absl::Status status);
// Returns InvalidArgument unless the caller's struct holds `needed` bytes. Newer callers send
// longer structs.
absl::Status CheckStructSize(absl::string_view entry, size_t given, size_t needed);
absl::Status FromCode(PJRT_Error_Code code, const char* message, size_t size);

// Calls `body(*args)`, which returns an absl::Status, and returns its error or null.
template <typename Args, typename Body>
PJRT_Error* Guard(const char* entry, Args* args, size_t needed, Body body) noexcept {
  try {
    if (args == nullptr)
      return ToError(absl::InvalidArgumentError(std::string(entry) + ": no arguments"));
    absl::Status status = CheckStructSize(entry, args->struct_size, needed);
    if (status.ok()) status = body(*args);
    return status.ok() ? nullptr : ToError(std::move(status));
  } catch (const std::bad_alloc&) {
    return ToError(absl::ResourceExhaustedError("no host memory"));
  } catch (const std::exception& e) {
    return ToError(absl::InternalError(std::string(entry) + ": " + e.what()));
  } catch (...) {
    return ToError(absl::InternalError(std::string(entry) + ": an unknown exception"));
  }
}

// Returns an error from the calling function if the handle is null.
#define HALYARD_PJRT_NEED(handle) \
  if ((handle) == nullptr)        \
  return absl::InvalidArgumentError("the argument `" #handle "` is missing")
// The same for a list or a string, which may be null if it is empty.
#define HALYARD_PJRT_NEED_LIST(list, count) \
  if ((list) == nullptr && (count) != 0)    \
  return absl::InvalidArgumentError("the argument `" #list "` is missing")

// Whether the caller's struct, a `type`, has `field`. Those of older callers end before it.
#define HALYARD_PJRT_HAS(type, given, field) ((given).struct_size >= PJRT_STRUCT_SIZE(type, field))

// Rows of the table. SERVE makes `body` serve the entry `name`, with its whole argument struct.
// SERVE_UP_TO also accepts a struct that ends at `field`, for older callers. DECLINE makes the
// entry return Unimplemented.
#define HALYARD_PJRT_SERVE(api, name, body)                                    \
  (api)->name = [](name##_Args* args) noexcept -> PJRT_Error* {                \
    return ::halyard::pjrt::Guard(#name, args, name##_Args_STRUCT_SIZE, body); \
  }
#define HALYARD_PJRT_SERVE_UP_TO(api, name, field, body)                                    \
  (api)->name = [](name##_Args* args) noexcept -> PJRT_Error* {                             \
    return ::halyard::pjrt::Guard(#name, args, PJRT_STRUCT_SIZE(name##_Args, field), body); \
  }
#define HALYARD_PJRT_DECLINE(api, name)                                                   \
  (api)->name = [](name##_Args*) noexcept -> PJRT_Error* {                                \
    return ::halyard::pjrt::ToError(absl::UnimplementedError(#name " is not supported")); \
  }

// Returns the only extension.
PJRT_Extension_Base* FfiExtension();

// Each of these adds its rows to the table (api.cc).
void AddErrorEntries(PJRT_Api* api);
void AddEventEntries(PJRT_Api* api);
void AddPlatformEntries(PJRT_Api* api);
void AddDeviceEntries(PJRT_Api* api);
void AddBufferEntries(PJRT_Api* api);
void AddTransferEntries(PJRT_Api* api);
void AddExecutableEntries(PJRT_Api* api);
void AddExecuteEntries(PJRT_Api* api);

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_ENTRY_H_
