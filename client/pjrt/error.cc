#include <cstdint>

#include "absl/strings/str_cat.h"
#include "client/pjrt/entry.h"

namespace halyard::pjrt {
namespace {

// The error that is returned when there is no memory for another one.
PJRT_Error* NoMemory() {
  static auto* error = new PJRT_Error{absl::ResourceExhaustedError("no host memory")};
  return error;
}

// These two cannot return an error.
void Destroy(PJRT_Error_Destroy_Args* args) {
  if (args == nullptr || !HALYARD_PJRT_HAS(PJRT_Error_Destroy_Args, *args, error)) return;
  if (args->error != NoMemory()) delete args->error;
}

void Message(PJRT_Error_Message_Args* args) {
  if (args == nullptr || !HALYARD_PJRT_HAS(PJRT_Error_Message_Args, *args, message_size)) return;
  if (args->error == nullptr) return;
  const absl::string_view message = args->error->status.message();
  args->message = message.data();
  args->message_size = message.size();
}

absl::Status GetCode(PJRT_Error_GetCode_Args& args) {
  HALYARD_PJRT_NEED(args.error);
  args.code = static_cast<PJRT_Error_Code>(args.error->status.code());
  return absl::OkStatus();
}

}  // namespace

PJRT_Error* ToError(absl::Status status) {
  if (status.ok()) return nullptr;
  auto* error = new (std::nothrow) PJRT_Error{std::move(status)};
  return error == nullptr ? NoMemory() : error;
}

absl::Status CheckStructSize(absl::string_view entry, size_t given, size_t needed) {
  if (given >= needed) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      entry, ": the argument struct has ", given, " bytes; version ", PJRT_API_MAJOR, ".",
      PJRT_API_MINOR, " of the C API, which this library speaks, needs ", needed));
}

absl::Status FromCode(PJRT_Error_Code code, const char* message, size_t size) {
  return absl::Status(static_cast<absl::StatusCode>(code), absl::string_view(message, size));
}

void AddErrorEntries(PJRT_Api* api) {
  NoMemory();
  api->PJRT_Error_Destroy = Destroy;
  api->PJRT_Error_Message = Message;
  HALYARD_PJRT_SERVE(api, PJRT_Error_GetCode, GetCode);
}

}  // namespace halyard::pjrt
