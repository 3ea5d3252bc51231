// Gives one form to programs that leave out what StableHLO lets them leave out.
#ifndef HALYARD_FRONTEND_STABLEHLO_WRITE_EXPLICIT_DEFAULTS_H_
#define HALYARD_FRONTEND_STABLEHLO_WRITE_EXPLICIT_DEFAULTS_H_

#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

// Adds the attributes that ops of StableHLO may leave out and that exporters write (precisions,
// strides, dilations and padding of windows, indices_are_sorted, is_stable, …). Removes attributes
// that say nothing and that exporters leave out (a compare_type NOTYPE, empty configurations,
// channel 0).
//
// Portable artifacts hold every attribute, so they cannot tell what the text had left out. After
// this, a program that was read from text and one that was read from the artifact made of it print
// the same. Programs that JAX prints already have this form.
void MakeDefaultsExplicit(mlir::Document& document);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_WRITE_EXPLICIT_DEFAULTS_H_
