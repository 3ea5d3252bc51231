// A pass over lowered code that avoids an error in Halide 21. Its simplifier takes two scalars side
// by side, which may be any two values, for an arithmetic progression: ramp(a, b - a, 2). For
// floats, the second lane is then a + (b - a), which may be rounded, or is NaN if one of them is
// infinite. For signed integers, b - a may overflow.
#ifndef HALYARD_CODEGEN_PASSES_VECTOR_PAIRS_H_
#define HALYARD_CODEGEN_PASSES_VECTOR_PAIRS_H_

#include "Halide.h"

namespace halyard::lowering {

// Turns such ramps back into two scalars.
class VectorPairs : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Ramp* ramp) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_VECTOR_PAIRS_H_
