// A backend to copy from: the smallest Device that passes the conformance suite. It runs x86
// kernels in order on the caller's thread, so its events are done at once. docs/adding_a_backend.md
// explains it.
#ifndef HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_
#define HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_

#include <stdint.h>

#include "runtime/backend.h"

namespace halyard::skeleton {

// These four functions form a row of runtime/backends/backends.cc.
runtime::Status CountDevices(uint32_t* count);
const char* DescribeAbsence();  // why there are no devices
// Describes the device without opening it, as the device would describe itself.
runtime::Status DescribeDevice(uint32_t index, runtime::DeviceInfo* info);
runtime::Status OpenDevice(uint32_t index, runtime::Device** device);

}  // namespace halyard::skeleton

#endif  // HALYARD_TESTS_BACKEND_SKELETON_SKELETON_H_
