// Checks that all threads of a workgroup meet the same barriers.
#ifndef HALYARD_CODEGEN_PASSES_UNIFORM_BARRIERS_H_
#define HALYARD_CODEGEN_PASSES_UNIFORM_BARRIERS_H_

#include <set>
#include <string>

#include "Halide.h"

namespace halyard::lowering {

// A lowering pass that changes nothing. It throws EmitError at a barrier inside a condition, or a
// loop's number of steps, that is not the same for all threads of a workgroup: some would wait
// there for ever, and a GPU hangs. Lanes, and what registers hold, count as different from thread
// to thread; so does what is read from a place that depends on them. No loop of ours should be like
// that: the pass is there for the mistakes of schedules, and of Halide
// (codegen/passes/whole_loops.h).
class CheckBarriers : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Internal::Stmt visit(const Halide::Internal::IfThenElse* branch) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* allocate) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Evaluate* evaluate) override;

  // Returns whether `e` may differ from thread to thread.
  bool Differs(const Halide::Expr& e) const;

  std::set<std::string> differing_;  // variables
  std::set<std::string> private_;    // arrays of which each thread has its own
  Halide::Expr around_;              // what differs, of the conditions around a statement
  bool in_kernel_ = false;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_UNIFORM_BARRIERS_H_
