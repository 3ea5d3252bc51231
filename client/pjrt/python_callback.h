// Calls of Python functions by programs: the custom call `halyard_python_callback`, which JAX's side
// of the plugin (python/jax_plugins/halyard/callbacks.py) emits.
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
  std::atomic<int32_t> active;  // calls that are in Python, or on their way
  std::atomic<int32_t> closed;  // the interpreter is about to end: call no more
};

// From now on programs' calls go through `door`.
void UsePythonDoor(PythonDoor* door);

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_PYTHON_CALLBACK_H_
