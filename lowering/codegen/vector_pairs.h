// A pass over lowered code around an error in Halide 21: its simplifier takes two scalars side by
// side, which are any two values, for an arithmetic progression: ramp(a, b - a, 2). Of floats the
// second lane is then a + (b - a), which may be rounded, or NaN where one of them is infinite; of
// signed integers b - a may overflow.
#ifndef HALYARD_LOWERING_CODEGEN_VECTOR_PAIRS_H_
#define HALYARD_LOWERING_CODEGEN_VECTOR_PAIRS_H_

#include "Halide.h"

namespace halyard::lowering {

// Makes two scalars of such ramps again.
class VectorPairs : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Ramp* ramp) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_CODEGEN_VECTOR_PAIRS_H_
