// A pass over lowered x86 code around an error in Halide 21: a predicated vector load whose lanes
// have constant places, some of them, masked off, before the buffer, ends its code generator (the
// last, partial vector of a reversed array).
#ifndef HALYARD_LOWERING_CODEGEN_NEGATIVE_LANES_H_
#define HALYARD_LOWERING_CODEGEN_NEGATIVE_LANES_H_

#include "Halide.h"

namespace halyard::lowering {

// Such loads read place 0 in those lanes.
class ClampNegativeLanes : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Load* load) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_CODEGEN_NEGATIVE_LANES_H_
