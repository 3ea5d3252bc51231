// A backend to copy from: the smallest Device that passes the conformance suite. It runs x86
// kernels on the caller's thread, in order, so that its events are done at once.
// docs/adding_a_backend.md goes through it.
#ifndef HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_
#define HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_

#include <stdint.h>

#include "runtime/backend.h"

namespace halyard::skeleton {

// The door: three functions, and a line of runtime/backends/backends.cc that names them.
runtime::Status CountDevices(uint32_t* count);
const char* DescribeAbsence();
runtime::Status OpenDevice(uint32_t index, runtime::Device** device);

}  // namespace halyard::skeleton

#endif  // HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_
