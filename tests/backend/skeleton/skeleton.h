// A backend to copy from: the smallest Device that passes the conformance suite. It runs x86
// kernels on the caller's thread, in order, so that its events are done at once.
// docs/adding_a_backend.md goes through it.
#ifndef HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_
#define HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_

#include <stdint.h>

#include "runtime/backend.h"

namespace halyard::skeleton {

// These four functions make a row of runtime/backends/backends.cc.
runtime::Status CountDevices(uint32_t* count);
const char* DescribeAbsence();  // why there are no devices
// Says what the device would say of itself, without opening it.
runtime::Status DescribeDevice(uint32_t index, runtime::DeviceInfo* info);
runtime::Status OpenDevice(uint32_t index, runtime::Device** device);

}  // namespace halyard::skeleton

#endif  // HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_
