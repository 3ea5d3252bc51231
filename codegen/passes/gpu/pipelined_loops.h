// Loops whose copies to shared memory run a step ahead.
#ifndef HALYARD_CODEGEN_PASSES_GPU_PIPELINED_LOOPS_H_
#define HALYARD_CODEGEN_PASSES_GPU_PIPELINED_LOOPS_H_

#include <set>
#include <string>
#include <vector>

#include "Halide.h"

namespace halyard::lowering {

// Rewrites a loop named kPipelinedLoop (schedules/pipelined_loop.h) in a GPU kernel, whose steps
// begin with copies to shared memory, each followed by a barrier, and then use them. It becomes
//
//   registers = what the first step copies
//   for each step:
//     shared memory = registers; barrier
//     registers = what the next step copies (the last: its own again)
//     use; barrier
//
// So loads from memory are under way while the step computes, and the copies share a barrier.
//
// A loop named kTwoSlotLoop has each array twice, so that a step writes one slot while it uses the
// other, and needs one barrier:
//
//   slot 0 = what the first step copies; barrier
//   for each step:
//     registers = what the next step copies (the last: its own again)
//     use slot (step mod 2)
//     slot (step + 1 mod 2) = registers; barrier
//
// If the number of steps is constant and even, a turn of the loop has two of them, so that places
// in slots are constants.
//
// A loop of these names that does not have this form stays as it is, and one whose arrays are used
// elsewhere too has one slot. It runs as a custom lowering pass, when threads are fused.
class PipelinedLoops : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::For* op) override;

  std::vector<const Halide::Internal::Allocate*> shared_;  // around the place that is visited
  std::set<std::string> doubled_;                          // those with two slots
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_PIPELINED_LOOPS_H_
