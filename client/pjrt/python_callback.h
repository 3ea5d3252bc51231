// Lets programs call Python functions through the custom call `halyard_python_callback`, which
// JAX's side of the plugin (python/jax_plugins/halyard/callbacks.py) emits.
#ifndef HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_
#define HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_

#include <atomic>
#include <cstdint>

namespace halyard::pjrt {

// The way into Python: a ctypes structure with these fields, which lives as long as the process.
struct PythonDoor {
  // Calls function `number`, and takes Python's lock itself. Returns 0, or writes a message with a
  // zero at its end to `error`.
  int (*call)(uint64_t number, const void* const* in, void* const* out, char* error,
              uint64_t error_bytes);
  // Tells Python that a program that calls function `number` was made (change 1) or destroyed (-1).
  void (*hold)(uint64_t number, int change);
  std::atomic<int32_t> active;  // number of calls that are in Python or about to enter it
  std::atomic<int32_t> closed;  // not 0 once the interpreter is about to end: no more calls
};

inline constexpr char kPythonCallTarget[] = "halyard_python_callback";

// Makes the calls of programs go through `door` from now on.
void UsePythonDoor(PythonDoor* door);
void HoldPythonFunction(uint64_t number, int change);
// Returns whether a run may have to wait for Python's lock. If so, a thread that holds the lock
// must not wait for the run.
bool PythonMayBeCalled();

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_
