// The two halves of the row template.
#ifndef HALYARD_SCHEDULES_REDUCTION_ROWS_H_
#define HALYARD_SCHEDULES_REDUCTION_ROWS_H_

#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/registry.h"

namespace halyard::schedules {

// Returns the elements of a row.
int64_t RowElements(const lowering::LoweredKernel& kernel);
// Returns how many of the axes of outputs or of a row's value go along the row, which are the first
// ones: 0 for outputs of one element for each row. They may be fewer than those that a hero
// reduces, and more, because dimensions are collapsed where no op tells them apart.
size_t NumRowDims(const lowering::LoweredKernel& kernel, const std::vector<lowering::Axis>& axes);
std::vector<Halide::Var> VarsFrom(const std::vector<lowering::Axis>& axes, size_t first,
                                  size_t last);

Schedule GpuRowDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuRowSpace(const lowering::LoweredKernel& kernel);
void ApplyGpuRow(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_REDUCTION_ROWS_H_
