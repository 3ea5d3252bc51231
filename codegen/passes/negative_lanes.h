// A pass over lowered x86 code that avoids an error in Halide 21. Its code generator fails on a
// predicated vector load whose lanes have constant places if some of them, masked off, lie before
// the buffer (the last, partial vector of a reversed array).
#ifndef HALYARD_CODEGEN_PASSES_NEGATIVE_LANES_H_
#define HALYARD_CODEGEN_PASSES_NEGATIVE_LANES_H_

#include "Halide.h"

namespace halyard::lowering {

// Makes such loads read place 0 in those lanes.
class ClampNegativeLanes : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Load* load) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_NEGATIVE_LANES_H_
