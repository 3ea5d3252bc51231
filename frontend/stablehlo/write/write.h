// Turns HLO into StableHLO.
#ifndef HALYARD_FRONTEND_STABLEHLO_WRITE_WRITE_H_
#define HALYARD_FRONTEND_STABLEHLO_WRITE_WRITE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

// Returns a verified module as a StableHLO program, which PrintStableHlo prints and WriteBytecode
// encodes.
//
// The entry is @main. Several results are the elements of its root tuple. Computations that are
// called (calls, composites, fusions, custom calls) become private functions, and those that are
// applied (reducers, loops, branches) become regions. Tuples between ops disappear, and their
// elements become separate values. Tuples that enter or leave a function inside another tuple
// remain. Aliases of inputs and outputs become tf.aliasing_output, donated inputs jax.buffer_donor,
// and shardings mhlo.sharding. Provenance is in the locations. Layouts are not part of StableHLO's
// types, and are written only for custom calls.
//
// Errors are Unimplemented, "place: 'op': what", for ops and aliases that StableHLO cannot express,
// and ResourceExhausted if computations that many regions share would make the program too long.
absl::StatusOr<std::unique_ptr<mlir::Document>> WriteStableHlo(const hlo::Module& module);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_WRITE_WRITE_H_
