// Calls of Python functions by programs: the custom call `halyard_python_callback`, which JAX's
// side of the plugin (python/jax_plugins/halyard/callbacks.py) emits.
#ifndef HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_
#define HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_

#include <atomic>
#include <cstdint>

namespace halyard::pjrt {

// The way into Python: a ctypes structure of these fields, which lives as long as the process.
struct PythonDoor {
  // Calls function `number`; takes Python's lock itself. 0: done; else a message is in `error`,
  // with its zero.
  int (*call)(uint64_t number, const void* const* in, void* const* out, char* error,
              uint64_t error_bytes);
  // A program that calls function `number` has come (change 1) or gone (-1).
  void (*hold)(uint64_t number, int change);
  std::atomic<int32_t> active;  // calls that are in Python, or on their way
  std::atomic<int32_t> closed;  // the interpreter is about to end: call no more
};

inline constexpr char kPythonCallTarget[] = "halyard_python_callback";

// From now on programs' calls go through `door`.
void UsePythonDoor(PythonDoor* door);
void HoldPythonFunction(uint64_t number, int change);
// Whether a run may have to wait for Python's lock, so that nobody who has it may wait for the run.
bool PythonMayBeCalled();

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_
