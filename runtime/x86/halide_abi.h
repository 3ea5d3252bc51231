// The part of Halide's C ABI that compiled kernels use. These are our own declarations of the
// layouts in Halide 21's HalideRuntime.h (a test compares them with the real ones), so that the
// runtime needs no Halide header.
#ifndef HALYARD_RUNTIME_X86_HALIDE_ABI_H_
#define HALYARD_RUNTIME_X86_HALIDE_ABI_H_

#include <stdint.h>

namespace halyard::runtime::x86 {

struct HalideType {
  uint8_t code;  // 0 int, 1 uint, 2 float, 3 handle, 4 bfloat
  uint8_t bits;
  uint16_t lanes;
};

struct HalideDimension {
  int32_t min, extent, stride;
  uint32_t flags;
};

struct HalideBuffer {
  uint64_t device;
  const void* device_interface;
  uint8_t* host;
  uint64_t flags;
  HalideType type;
  int32_t dimensions;
  HalideDimension* dim;
  void* padding;
};

// The entry of a kernel. It takes pointers to HalideBuffer, inputs then outputs, and returns 0 for
// success.
using KernelEntry = int (*)(void** arguments);
// The body of a parallel loop.
using ParallelBody = int (*)(void* user_context, int index, uint8_t* closure);

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_HALIDE_ABI_H_
