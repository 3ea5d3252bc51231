// Prints programs of StableHLO as text.
#ifndef HALYARD_FRONTEND_STABLEHLO_SYNTAX_PRINT_STABLEHLO_H_
#define HALYARD_FRONTEND_STABLEHLO_SYNTAX_PRINT_STABLEHLO_H_

#include <string>

#include "frontend/mlir/print.h"

namespace halyard::stablehlo {

// Prints pretty forms as jaxlib does (or generic ones), with values named as by MLIR's printer. The
// text of a program that jaxlib printed without locations comes back byte for byte.
std::string PrintStableHlo(const mlir::Document& document, const mlir::PrintOptions& options = {});

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_SYNTAX_PRINT_STABLEHLO_H_
