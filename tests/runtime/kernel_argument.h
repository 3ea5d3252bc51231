// Builds kernel arguments for tests.
#ifndef HALYARD_TESTS_RUNTIME_KERNEL_ARGUMENT_H_
#define HALYARD_TESTS_RUNTIME_KERNEL_ARGUMENT_H_

#include <cstdint>

#include "runtime/kernel_object.h"

namespace halyard::testing {

// Returns a dense array of f32.
inline runtime::KernelArgument F32Argument(int32_t x, int32_t y) {
  runtime::KernelArgument a;
  a.type_code = 2;
  a.type_bits = 32;
  a.rank = 2;
  a.extent[0] = x;
  a.extent[1] = y;
  a.stride[0] = 1;
  a.stride[1] = x;
  a.bytes = uint64_t{4} * x * y;
  return a;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_RUNTIME_KERNEL_ARGUMENT_H_
