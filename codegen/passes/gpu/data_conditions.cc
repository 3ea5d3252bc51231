#include "codegen/passes/gpu/data_conditions.h"

#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {
namespace {

using Halide::Expr;
using Halide::Internal::Block;
using Halide::Internal::For;
using Halide::Internal::IfThenElse;
using Halide::Internal::LetStmt;
using Halide::Internal::Load;
using Halide::Internal::Stmt;
using Halide::Internal::Store;
using Halide::Internal::Variable;

// The arrays that an expression reads and the variables that it has.
class FindNames : public Halide::Internal::IRGraphVisitor {
 public:
  explicit FindNames(const Expr& e) { include(e); }
  std::set<std::string> arrays, variables;

 private:
  using IRGraphVisitor::visit;
  void visit(const Load* load) override {
    arrays.insert(load->name);
    IRGraphVisitor::visit(load);
  }
  void visit(const Variable* variable) override { variables.insert(variable->name); }
};

// Whether a statement writes one of the arrays.
class FindStores : public Halide::Internal::IRVisitor {
 public:
  FindStores(const Stmt& stmt, const std::set<std::string>& arrays) : arrays_(arrays) {
    stmt.accept(this);
  }
  bool found = false;

 private:
  using IRVisitor::visit;
  void visit(const Store* store) override { found |= arrays_.count(store->name) != 0; }
  const std::set<std::string>& arrays_;
};

// The launches come later than the CPU's decision would. Nothing may have changed by then.
void CheckUnchanged(const std::string& what, const std::set<std::string>& arrays,
                    const Stmt& stmt) {
  if (stmt.defined() && FindStores(stmt, arrays).found) {
    throw EmitError(absl::StrCat(what, " depends on elements of ", *arrays.begin(),
                                 ", which change before it is used"));
  }
}

// Puts something around what is inside the loops over workgroups and threads.
Stmt InsideLoops(const Stmt& stmt, const std::function<Stmt(const Stmt&)>& around) {
  const For* loop = stmt.as<For>();
  if (loop == nullptr || !Halide::Internal::is_gpu(loop->for_type)) return around(stmt);
  return For::make(loop->name, loop->min, loop->extent, loop->for_type, loop->partition_policy,
                   loop->device_api, InsideLoops(loop->body, around));
}

// Takes the variables for true. A condition that is left as a constant cannot be given to SPIR-V.
class TakeForTrue : public Halide::Internal::IRMutator {
 public:
  explicit TakeForTrue(const std::set<std::string>& names) : names_(names) {}

 private:
  using IRMutator::visit;
  Expr visit(const Variable* variable) override {
    return names_.count(variable->name) != 0 ? Halide::Internal::const_true() : Expr(variable);
  }
  Stmt visit(const IfThenElse* branch) override {
    const Expr condition = mutate(branch->condition);
    if (condition.same_as(branch->condition)) return IRMutator::visit(branch);
    const Expr simple = Halide::Internal::simplify(condition);
    if (Halide::Internal::is_const_one(simple)) return mutate(branch->then_case);
    if (Halide::Internal::is_const_zero(simple)) {
      return branch->else_case.defined() ? mutate(branch->else_case)
                                         : Halide::Internal::Evaluate::make(0);
    }
    return IfThenElse::make(simple, mutate(branch->then_case), mutate(branch->else_case));
  }
  const std::set<std::string>& names_;
};

}  // namespace

DataConditions::Arrays DataConditions::ArraysOf(const Expr& e) const {
  FindNames names(e);
  for (const std::string& variable : names.variables) {
    const auto known = arrays_.find(variable);
    if (known != arrays_.end()) names.arrays.insert(known->second.begin(), known->second.end());
  }
  return std::move(names.arrays);
}

Stmt DataConditions::visit(const LetStmt* let) {
  Arrays arrays = ArraysOf(let->value);
  if (arrays.empty()) return IRMutator::visit(let);
  // Halide's condition under which a Func is needed. Without it, the Func is computed anyway.
  if (absl::StrContains(let->name, ".used")) {
    needed_.insert(let->name);
    Stmt body = mutate(let->body);
    needed_.erase(let->name);
    return body;
  }
  CheckUnchanged(let->name, arrays, let->body);
  around_.push_back({let->name, let->value});
  arrays_[let->name] = std::move(arrays);
  Stmt body = mutate(let->body);
  arrays_.erase(let->name);
  around_.pop_back();
  return body;
}

Stmt DataConditions::visit(const IfThenElse* branch) {
  const Expr condition = Halide::Internal::simplify(TakeForTrue(needed_).mutate(branch->condition));
  if (Halide::Internal::is_const_one(condition)) return mutate(branch->then_case);
  const Arrays arrays = ArraysOf(condition);
  if (arrays.empty()) {
    return IfThenElse::make(condition, mutate(branch->then_case),
                            branch->else_case.defined() ? mutate(branch->else_case) : Stmt());
  }
  CheckUnchanged("a launch", arrays, branch->then_case);
  CheckUnchanged("a launch", arrays, branch->else_case);
  Stmt then_case = Under(condition, branch->then_case);
  if (!branch->else_case.defined()) return then_case;
  return Block::make(then_case, Under(Halide::Internal::simplify(!condition), branch->else_case));
}

Stmt DataConditions::Under(const Expr& condition, const Stmt& body) {
  around_.push_back({"", condition});
  Stmt mutated = mutate(body);
  around_.pop_back();
  return mutated;
}

Stmt DataConditions::visit(const For* loop) {
  if (!Halide::Internal::is_gpu(loop->for_type)) return IRMutator::visit(loop);
  Stmt launch = TakeForTrue(needed_).mutate(Stmt(loop));
  for (auto it = around_.rbegin(); it != around_.rend(); ++it) {
    if (!it->name.empty() && !Halide::Internal::stmt_uses_var(launch, it->name)) continue;
    launch = InsideLoops(launch, [&](const Stmt& stmt) {
      return it->name.empty() ? IfThenElse::make(it->value, stmt)
                              : LetStmt::make(it->name, it->value, stmt);
    });
  }
  return launch;
}

Expr DataConditions::visit(const Variable* variable) {
  const auto known = arrays_.find(variable->name);
  if (known == arrays_.end()) return variable;
  throw EmitError(absl::StrCat("what is launched depends on elements of ", *known->second.begin()));
}

Expr DataConditions::visit(const Load* load) {
  throw EmitError(absl::StrCat("what is launched depends on elements of ", load->name));
}

}  // namespace halyard::lowering
