// How long the epilogue of a product is.
#ifndef HALYARD_LOWERING_KERNELS_CONTRACTION_EPILOGUE_OPS_H_
#define HALYARD_LOWERING_KERNELS_CONTRACTION_EPILOGUE_OPS_H_

#include <cstdint>

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// Returns about how many operations a kernel of one product has for each element of its result, at
// least 1. Those of the factors, which are few, count too.
int64_t EpilogueOps(const hlo::Computation& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_CONTRACTION_EPILOGUE_OPS_H_
