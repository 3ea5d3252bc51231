// Turns StableHLO programs, as text or bytecode, into HLO.
#ifndef HALYARD_FRONTEND_STABLEHLO_STABLEHLO_H_
#define HALYARD_FRONTEND_STABLEHLO_STABLEHLO_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"
#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

// Reads a program in MLIR text (pretty and generic forms, StableHLO with the CHLO ops that JAX
// writes) or bytecode (vhlo.h), and returns the verified module. The entry is @main, or the only
// public function, or the only function. `filename` is only for places.
//
// The graph is made as follows. Functions become computations, and several results become a tuple.
// Regions become computations of their own, and values from outside that they use become operands:
// constants are copied in, whiles and branches take the rest in their tuple, and reducers and
// comparators take them as further inputs. Instructions keep their place in the text and the
// locations that are written there.
//
// MHLO's spellings are read as StableHLO's. Functions of modules inside the module are called
// `@module::@function`.
//
// Errors are InvalidArgument "file:line:col: error: what", or, in the same form, Unimplemented for
// a program that is right but cannot be run: it has no function, calls one without a body, or has a
// tensor without a rank. If `entry` is not empty, it names the function to be the entry.
// `result_names`, if not null, receives the jax.result_info of each of the entry's results, ""
// where there is none. HLO has no place for names of results.
//
// Calls of LAPACK and the like become loops, but not those of the functions `kept_calls`, which the
// application has (IsDecomposition).
absl::StatusOr<std::unique_ptr<hlo::Module>> ParseStableHlo(
    absl::string_view text, absl::string_view filename, absl::string_view entry = "",
    std::vector<std::string>* result_names = nullptr,
    const std::vector<std::string>& kept_calls = {});

// Converts a program that has already been read.
absl::StatusOr<std::unique_ptr<hlo::Module>> ConvertDocument(
    const mlir::Document& document, absl::string_view entry = "",
    std::vector<std::string>* result_names = nullptr,
    const std::vector<std::string>& kept_calls = {});

// Returns whether this is the name of LAPACK's function for eigenvalues of symmetric matrices or
// for singular values, which iterates and is many times as fast as loops of kernels. Other
// functions are as fast as loops, which also run on the device.
bool IsDecomposition(absl::string_view call_target);

// How each of the entry's arguments and results is spread over the partitions, by its Shardy
// annotations, as in HLO text: "{devices=[4,1]0,1,2,3}", or "{replicated}" for whole ones. Empty
// for a program of one partition.
struct EntryShardings {
  std::vector<std::string> parameters, results;
};
// `text` is as in ParseStableHlo.
absl::StatusOr<EntryShardings> ReadEntryShardings(absl::string_view text,
                                                  absl::string_view filename);

// Returns whether a program is right, whether or not it can be run.
absl::Status VerifyDocument(const mlir::Document& document, absl::string_view entry = "");

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_STABLEHLO_H_
