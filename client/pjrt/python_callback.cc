#include "client/pjrt/python_callback.h"

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client/api/custom_call.h"

namespace halyard::pjrt {
namespace {

constexpr size_t kMessageBytes = 4000;  // the most that the runtime keeps of a message

std::atomic<PythonDoor*> the_door{nullptr};

// Makes `call`, unless the interpreter is ending. Returns whether it did. The end of the
// interpreter waits for calls that have begun.
template <typename Function>
bool Enter(PythonDoor* door, Function call) {
  door->active.fetch_add(1);
  const bool open = door->closed.load() == 0;
  if (open) call();
  door->active.fetch_sub(1);
  return open;
}

absl::Status Call(PythonDoor* door, const CustomCallArguments& arguments) {
  uint64_t number = 0;
  if (!absl::SimpleAtoi(arguments.config, &number)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a call of Python has the configuration \"", arguments.config, "\""));
  }
  std::string message(kMessageBytes, '\0');
  int failed = 0;
  const bool called = Enter(door, [&] {
    failed = door->call(number, arguments.in, arguments.out, message.data(), message.size());
  });
  if (!called) return absl::CancelledError("the Python interpreter is ending");
  return failed == 0 ? absl::OkStatus() : absl::InternalError(message.c_str());
}

}  // namespace

void UsePythonDoor(PythonDoor* door) {
  the_door = door;
  RegisterCustomCall(kPythonCallTarget, [door](const CustomCallArguments& arguments) {
    return Call(door, arguments);
  });
}

void HoldPythonFunction(uint64_t number, int change) {
  PythonDoor* const door = the_door;
  if (door != nullptr) Enter(door, [&] { door->hold(number, change); });
}

bool PythonMayBeCalled() {
  PythonDoor* const door = the_door;
  return door != nullptr && door->closed.load() == 0;
}

}  // namespace halyard::pjrt
