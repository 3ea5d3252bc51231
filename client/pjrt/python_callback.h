// How programs call Python functions: the custom call `halyard_python_callback`, which JAX's side
// of the plugin (python/jax_plugins/halyard/callbacks.py) emits.
#ifndef HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_
#define HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_

#include <atomic>
#include <cstdint>

namespace halyard::pjrt {

// The way into Python: a ctypes structure with these fields. It lives as long as the process.
struct PythonDoor {
  // Calls function `number`, and takes Python's lock itself. Returns 0 on success; otherwise
  // `error` holds a message that ends with a zero.
  int (*call)(uint64_t number, const void* const* in, void* const* out, char* error,
              uint64_t error_bytes);
  // Says that a program that calls function `number` has been made (change 1) or destroyed (-1).
  void (*hold)(uint64_t number, int change);
  std::atomic<int32_t> active;  // calls that are in Python, or about to be
  // set when the interpreter is about to end; there must be no more calls then
  std::atomic<int32_t> closed;
};

inline constexpr char kPythonCallTarget[] = "halyard_python_callback";

// From now on, calls of programs go through `door`.
void UsePythonDoor(PythonDoor* door);
void HoldPythonFunction(uint64_t number, int change);
// Returns whether a run may have to wait for Python's lock. Whoever holds that lock must then not
// wait for the run.
bool PythonMayBeCalled();

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_
