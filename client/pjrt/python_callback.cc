#include "client/pjrt/python_callback.h"

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client/custom_call.h"

namespace halyard::pjrt {
namespace {

constexpr size_t kMessageBytes = 4000;  // the runtime keeps so much of a message

absl::Status Call(PythonDoor* door, const CustomCallArguments& arguments) {
  uint64_t number = 0;
  if (!absl::SimpleAtoi(arguments.config, &number)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a call of Python has the configuration \"", arguments.config, "\""));
  }
  std::string message(kMessageBytes, '\0');
  door->active.fetch_add(1);
  const bool closed = door->closed.load() != 0;
  const int failed = closed ? 1
                            : door->call(number, arguments.in, arguments.out, message.data(),
                                         message.size());
  door->active.fetch_sub(1);
  if (closed) return absl::CancelledError("the Python interpreter is ending");
  return failed == 0 ? absl::OkStatus() : absl::InternalError(message.c_str());
}

}  // namespace

void UsePythonDoor(PythonDoor* door) {
  RegisterCustomCall("halyard_python_callback", [door](const CustomCallArguments& arguments) {
    return Call(door, arguments);
  });
}

}  // namespace halyard::pjrt
