// Loops of which each workgroup needs a part only.
#ifndef HALYARD_CODEGEN_PASSES_GPU_CUT_LOOPS_H_
#define HALYARD_CODEGEN_PASSES_GPU_CUT_LOOPS_H_

#include <string>

#include "Halide.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

// The serial loop of a CutLoop (lowering/kernels/kernel.h) goes over the steps of its group, at
// least one: all threads of a group take as many, so that barriers and products of warps may be in
// it. Runs as a custom lowering pass of GPUs.
class CutLoops : public Halide::Internal::IRMutator {
 public:
  explicit CutLoops(const CutLoop& cut) : cut_(cut) {}

 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;

  const CutLoop cut_;
  std::string group_;  // the loop over workgroups around the place that is visited
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_CUT_LOOPS_H_
