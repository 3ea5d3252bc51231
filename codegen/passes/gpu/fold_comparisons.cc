#include "codegen/passes/gpu/fold_comparisons.h"

#include "absl/strings/match.h"
#include "lowering/kernels/device_intrinsics.h"
#include "lowering/numerics/float_ops.h"

namespace halyard::lowering {

using Halide::Internal::Call;
using Halide::Internal::Cast;
using Halide::Internal::Stmt;

namespace {

class FindDeviceOnly : public Halide::Internal::IRVisitor {
 public:
  bool found() const { return found_; }

 private:
  using IRVisitor::visit;
  void visit(const Call* call) override {
    found_ |= absl::StartsWith(call->name, kIntrinsicPrefix);
    IRVisitor::visit(call);
  }
  void visit(const Cast* cast) override {
    found_ |= cast->type.element_of() == Halide::Float(16) ||
              cast->value.type().element_of() == Halide::Float(16);
    IRVisitor::visit(cast);
  }

  bool found_ = false;
};

bool NeedsDevice(const Halide::Expr& value) {
  FindDeviceOnly finder;
  value.accept(&finder);
  return value.type().is_bool() || finder.found();
}

}  // namespace

Stmt FoldComparisons::mutate(const Stmt& stmt) {
  if (inside_) return IRMutator::mutate(stmt);
  inside_ = true;
  Stmt folded = IRMutator::mutate(stmt);
  inside_ = false;
  return found_ ? Halide::Internal::simplify(folded) : folded;
}

Halide::Expr FoldComparisons::visit(const Call* call) {
  if (call->args.size() == 2 &&
      (call->is_intrinsic(Call::strict_lt) || call->is_intrinsic(Call::strict_le) ||
       call->is_intrinsic(Call::strict_eq))) {
    if (call->is_intrinsic(Call::strict_lt) &&
        Halide::Internal::equal(call->args[0], call->args[1])) {
      found_ = true;
      return Halide::Internal::const_false(call->type.lanes());
    }
    const auto x = numerics::ConstantOf(call->args[0]), y = numerics::ConstantOf(call->args[1]);
    if (x.has_value() && y.has_value()) {
      found_ = true;
      return Halide::Internal::make_bool(call->is_intrinsic(Call::strict_lt)   ? *x < *y
                                         : call->is_intrinsic(Call::strict_le) ? *x <= *y
                                                                               : *x == *y);
    }
  }
  return IRMutator::visit(call);
}

Stmt FoldComparisons::visit(const Halide::Internal::LetStmt* let) {
  if (in_kernel_ || !NeedsDevice(let->value)) return IRMutator::visit(let);
  found_ = true;
  return mutate(Halide::Internal::substitute(let->name, let->value, let->body));
}

Stmt FoldComparisons::visit(const Halide::Internal::For* loop) {
  const bool before = in_kernel_;
  in_kernel_ |= Halide::Internal::is_gpu(loop->for_type);
  Stmt mutated = IRMutator::visit(loop);
  in_kernel_ = before;
  return mutated;
}

}  // namespace halyard::lowering
