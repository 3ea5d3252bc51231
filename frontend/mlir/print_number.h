// Floats as MLIR prints them.
#ifndef HALYARD_FRONTEND_MLIR_PRINT_NUMBER_H_
#define HALYARD_FRONTEND_MLIR_PRINT_NUMBER_H_

#include <cstdint>
#include <string>

#include "frontend/hlo/element_type.h"

namespace halyard::mlir {

// `1.000000e+00` where six digits give the value back; else as many as its format needs
// (`0.333333313`, `1.17549435E-38`) if that has a point in it; else, and for infinities and NaNs,
// the bits (`0x7FC00000`). Reading the text gives the same bits. `type`: a float type.
std::string FormatFloat(hlo::ElementType type, uint64_t bits);

// A double as short as may be while it reads back: `1.000000e-01`, or all 17 digits.
std::string FormatScale(double value);

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_PRINT_NUMBER_H_
