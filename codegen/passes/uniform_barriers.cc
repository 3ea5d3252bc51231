#include "codegen/passes/uniform_barriers.h"

#include <sstream>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::MemoryType;
using Halide::Internal::Allocate;
using Halide::Internal::Call;
using Halide::Internal::Evaluate;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::IfThenElse;
using Halide::Internal::LetStmt;
using Halide::Internal::Load;
using Halide::Internal::ScopedValue;
using Halide::Internal::Stmt;
using Halide::Internal::Variable;

namespace {

class FindDifference : public Halide::Internal::IRGraphVisitor {
 public:
  FindDifference(const std::set<std::string>& variables, const std::set<std::string>& arrays)
      : variables_(variables), arrays_(arrays) {}
  bool found = false;

 private:
  using IRGraphVisitor::visit;
  void visit(const Variable* variable) override { found |= variables_.count(variable->name) > 0; }
  void visit(const Load* load) override {
    found |= arrays_.count(load->name) > 0;
    IRGraphVisitor::visit(load);
  }

  const std::set<std::string>&variables_, &arrays_;
};

}  // namespace

bool CheckBarriers::Differs(const Expr& e) const {
  FindDifference find(differing_, private_);
  e.accept(&find);
  return find.found;
}

Stmt CheckBarriers::visit(const For* loop) {
  const bool threads = loop->for_type == ForType::GPUThread || loop->for_type == ForType::GPULane;
  const bool steps_differ = Differs(loop->extent);
  const bool differs = threads || steps_differ || Differs(loop->min);
  ScopedValue<Expr> around(around_, steps_differ && !around_.defined() ? loop->extent : around_);
  ScopedValue<bool> in_kernel(in_kernel_, in_kernel_ || Halide::Internal::is_gpu(loop->for_type));
  if (differs) differing_.insert(loop->name);
  IRMutator::visit(loop);
  if (differs) differing_.erase(loop->name);
  return loop;
}

Stmt CheckBarriers::visit(const IfThenElse* branch) {
  const bool differs = Differs(branch->condition);
  ScopedValue<Expr> around(around_, differs && !around_.defined() ? branch->condition : around_);
  return IRMutator::visit(branch);
}

Stmt CheckBarriers::visit(const LetStmt* let) {
  const bool differs = Differs(let->value);
  if (differs) differing_.insert(let->name);
  IRMutator::visit(let);
  if (differs) differing_.erase(let->name);
  return let;
}

Stmt CheckBarriers::visit(const Allocate* allocate) {
  // Arrays inside the loops over threads that are not shared; around these loops, registers. What
  // is between launches is in the device's memory.
  const bool own = in_kernel_ && allocate->memory_type != MemoryType::GPUShared &&
                   allocate->memory_type != MemoryType::Heap;
  if (own) private_.insert(allocate->name);
  IRMutator::visit(allocate);
  if (own) private_.erase(allocate->name);
  return allocate;
}

Stmt CheckBarriers::visit(const Evaluate* evaluate) {
  const Call* call = evaluate->value.as<Call>();
  if (around_.defined() && call != nullptr && call->is_intrinsic(Call::gpu_thread_barrier)) {
    std::ostringstream text;
    text << around_;
    throw EmitError(absl::StrCat(
        "a barrier is inside a condition that differs from thread to thread: ", text.str()));
  }
  return evaluate;
}

}  // namespace halyard::lowering
