#include "codegen/passes/gpu/step_ranges.h"

#include <utility>
#include <vector>

#include "lowering/kernels/sequence/define.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::Internal::Call;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::IfThenElse;
using Halide::Internal::LetStmt;
using Halide::Internal::Stmt;
using Halide::Internal::Variable;

namespace {

using Lets = std::vector<std::pair<std::string, Expr>>;

class FindRange : public Halide::Internal::IRVisitor {
 public:
  const Call* call = nullptr;
  Lets lets;  // around the call

 private:
  using IRVisitor::visit;
  void visit(const Call* op) override {
    if (op->name == kStepRange && call == nullptr) {
      call = op;
      lets = around_;
    }
    IRVisitor::visit(op);
  }
  void visit(const Halide::Internal::Let* let) override {
    let->value.accept(this);
    around_.emplace_back(let->name, let->value);
    let->body.accept(this);
    around_.pop_back();
  }

  Lets around_;
};

// Puts those of the lets around the expression that it needs.
Expr Within(const Lets& lets, Expr e) {
  for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
    if (Halide::Internal::expr_uses_var(e, let->first))
      e = Halide::Internal::Let::make(let->first, let->second, e);
  }
  return e;
}

// Replaces the questions by yes.
class SayYes : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Expr visit(const Call* op) override {
    return op->name == kStepRange ? Halide::Internal::const_true() : IRMutator::visit(op);
  }
};

}  // namespace

Stmt StepRanges::visit(const For* loop) {
  if (loop->for_type != ForType::Serial) return IRMutator::visit(loop);
  Lets lets;
  Stmt body = loop->body;
  while (const auto* let = body.as<LetStmt>()) {
    lets.emplace_back(let->name, let->value);
    body = let->body;
  }
  const auto* branch = body.as<IfThenElse>();
  FindRange find;
  if (branch != nullptr && !branch->else_case.defined()) branch->condition.accept(&find);
  if (find.call == nullptr) return IRMutator::visit(loop);
  lets.insert(lets.end(), find.lets.begin(), find.lets.end());
  const Expr step = find.call->args[0];
  const Expr first = Within(lets, find.call->args[1]), end = Within(lets, find.call->args[2]);
  const auto* variable = step.as<Variable>();
  if (variable == nullptr || variable->name != loop->name ||
      Halide::Internal::expr_uses_var(first, loop->name) ||
      Halide::Internal::expr_uses_var(end, loop->name))
    return IRMutator::visit(loop);
  return For::make(loop->name, first, end - first, loop->for_type, loop->partition_policy,
                   loop->device_api, SayYes().mutate(loop->body));
}

Expr StepRanges::visit(const Call* call) {
  if (call->name != kStepRange) return IRMutator::visit(call);
  const Expr step = mutate(call->args[0]);
  return mutate(call->args[1]) <= step && step < mutate(call->args[2]);
}

}  // namespace halyard::lowering
