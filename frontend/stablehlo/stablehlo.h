// StableHLO programs as text or bytecode → HLO.
#ifndef HALYARD_FRONTEND_STABLEHLO_STABLEHLO_H_
#define HALYARD_FRONTEND_STABLEHLO_STABLEHLO_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/module.h"
#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

// Reads a program in MLIR text (pretty and generic forms, StableHLO with the CHLO ops that JAX
// writes) or bytecode (vhlo.h), and gives the verified module. The entry is @main, or the only
// public function, or the only function. `filename` is for places only.
//
// How the graph is made: functions become computations; several results become a tuple; regions
// become computations of their own, and values of outside that they use become operands (constants
// are copied in, whiles and branches take the rest in their tuple, reducers and comparators as
// further inputs). Instructions keep the place in the text and the locations written there.
//
// MHLO's spellings are read as StableHLO's. Functions of modules inside of the module are called
// `@module::@function`.
//
// Errors: InvalidArgument "file:line:col: error: what"; Unimplemented, in the same form, for a
// program that is right and cannot be run: it has no function, or calls one without a body, or
// has a tensor without a rank.
// `entry`, if not empty, names the function to be the entry instead.
absl::StatusOr<std::unique_ptr<hlo::Module>> ParseStableHlo(absl::string_view text,
                                                            absl::string_view filename,
                                                            absl::string_view entry = "");

// The same of a program that has been read already.
absl::StatusOr<std::unique_ptr<hlo::Module>> ConvertDocument(const mlir::Document& document,
                                                             absl::string_view entry = "");

// Whether a program is right, be it one that can be run or not.
absl::Status VerifyDocument(const mlir::Document& document, absl::string_view entry = "");

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_STABLEHLO_H_
