// Prints floats as MLIR does.
#ifndef HALYARD_FRONTEND_MLIR_PRINT_NUMBER_H_
#define HALYARD_FRONTEND_MLIR_PRINT_NUMBER_H_

#include <cstdint>
#include <string>

#include "frontend/hlo/values/element_type.h"

namespace halyard::mlir {

// Returns `1.000000e+00` if six digits give the value back. Otherwise, returns as many digits as
// its format needs (`0.333333313`, `1.17549435E-38`) if that text has a point in it. Otherwise, and
// for infinities and NaNs, returns the bits (`0x7FC00000`). Reading the text gives the same bits.
// `type` is a float type.
std::string FormatFloat(hlo::ElementType type, uint64_t bits);

// Returns a double as short as possible while it reads back: `1.000000e-01`, or all 17 digits.
std::string FormatScale(double value);

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_PRINT_NUMBER_H_
