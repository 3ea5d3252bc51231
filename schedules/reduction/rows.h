// The two halves of the row template.
#ifndef HALYARD_SCHEDULES_REDUCTION_ROWS_H_
#define HALYARD_SCHEDULES_REDUCTION_ROWS_H_

#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/registry.h"

namespace halyard::schedules {

// RowElements returns the elements of a row. HasUnreducedOutput returns whether the outputs have
// the rows' shape instead of one element for each row. NumRowDims returns the number of dimensions
// of a row.
int64_t RowElements(const lowering::LoweredKernel& kernel);
bool HasUnreducedOutput(const lowering::LoweredKernel& kernel);
size_t NumRowDims(const lowering::LoweredKernel& kernel);
std::vector<Halide::Var> VarsFrom(const std::vector<lowering::Axis>& axes, size_t first,
                                  size_t last);

Schedule GpuRowDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuRowSpace(const lowering::LoweredKernel& kernel);
void ApplyGpuRow(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_REDUCTION_ROWS_H_
