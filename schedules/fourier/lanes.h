// What the x86 templates of Fourier transforms share.
#ifndef HALYARD_SCHEDULES_FOURIER_LANES_H_
#define HALYARD_SCHEDULES_FOURIER_LANES_H_

#include <algorithm>
#include <cstdint>

#include "lowering/kernels/kernel.h"
#include "schedules/loops.h"

namespace halyard::schedules {

// Butterflies side by side in vectors of a part of their complex values.
inline int64_t ButterflyLanes(const lowering::LoweredKernel& kernel) {
  const hlo::ElementType type = kernel.As<lowering::Transform>().instruction->shape.element_type();
  return std::max<int64_t>(1, VectorLanes(kernel) * 8 / hlo::StorageBytes(type));
}

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_FOURIER_LANES_H_
