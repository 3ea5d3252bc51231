// HLO → StableHLO.
#ifndef HALYARD_FRONTEND_STABLEHLO_WRITE_STABLEHLO_H_
#define HALYARD_FRONTEND_STABLEHLO_WRITE_STABLEHLO_H_

#include <memory>

#include "absl/status/statusor.h"
#include "frontend/hlo/module.h"
#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

// A verified module as a StableHLO program, which PrintStableHlo prints and WriteBytecode encodes.
//
// The entry is @main; several results are the elements of its root tuple. Computations that are
// called (calls, composites, fusions, custom calls) are private functions, those that are applied
// (reducers, loops, branches) regions. Tuples between ops are gone: their elements are values of
// their own; those that enter or leave a function inside of another tuple remain tuples. Aliases of
// inputs and outputs are tf.aliasing_output, donated inputs jax.buffer_donor, shardings
// mhlo.sharding; provenance is in the locations. Layouts are not part of StableHLO's types and are
// written for custom calls only.
//
// Errors: Unimplemented, "place: 'op': what", for ops and aliases that StableHLO cannot express;
// ResourceExhausted where computations shared by many regions would make the program too long.
absl::StatusOr<std::unique_ptr<mlir::Document>> WriteStableHlo(const hlo::Module& module);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_WRITE_STABLEHLO_H_
