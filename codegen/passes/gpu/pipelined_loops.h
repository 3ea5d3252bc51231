// Loops whose copies to shared memory run a step ahead.
#ifndef HALYARD_CODEGEN_PASSES_GPU_PIPELINED_LOOPS_H_
#define HALYARD_CODEGEN_PASSES_GPU_PIPELINED_LOOPS_H_

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
// So loads from memory are under way while the step computes, and the copies share a barrier. A
// loop of that name that does not have this form stays as it is. It runs as a custom lowering pass,
// when threads are fused.
class PipelinedLoops : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::For* op) override;

  std::vector<std::string> shared_;  // allocations around the place that is visited
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_PIPELINED_LOOPS_H_
