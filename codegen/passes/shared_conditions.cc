#include "codegen/passes/shared_conditions.h"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace halyard::lowering {
namespace {

using Halide::Expr;
using Halide::Internal::Definition;
using Halide::Internal::Function;
using Halide::Internal::IRNodeType;
using Halide::Internal::IRVisitor;

// Whether an index is not a sum of multiples of variables.
class NotLinear : public Halide::Internal::IRGraphVisitor {
 public:
  static bool Is(const Expr& index) {
    NotLinear visitor;
    visitor.include(index);
    return visitor.found_;
  }

 private:
  void include(const Expr& e) override {
    switch (e.node_type()) {
      case IRNodeType::Add:
      case IRNodeType::Sub:
      case IRNodeType::Mul:
      case IRNodeType::Variable:
      case IRNodeType::IntImm:
        break;
      default:
        found_ = true;
        return;
    }
    IRGraphVisitor::include(e);
  }

  bool found_ = false;
};

// Looks for lets of conditions and of indices that are not linear, on which a choice depends.
class FindSharedConditions : public IRVisitor {
 public:
  bool found = false;

 private:
  using IRVisitor::visit;
  void visit(const Halide::Internal::Let* op) override {
    op->value.accept(this);
    const bool condition = op->value.type().is_bool();
    const bool index = op->value.type().is_int_or_uint() && !condition && NotLinear::Is(op->value);
    if (condition || index) lets_.insert(op->name);
    op->body.accept(this);
  }
  void visit(const Halide::Internal::Variable* op) override {
    found |= in_choice_ && lets_.count(op->name) != 0;
  }
  void visit(const Halide::Internal::Select* op) override {
    VisitChoice(op->condition);
    op->true_value.accept(this);
    op->false_value.accept(this);
  }
  void visit(const Halide::Internal::Min* op) override {
    VisitChoice(op->a);
    VisitChoice(op->b);
  }
  void visit(const Halide::Internal::Max* op) override {
    VisitChoice(op->a);
    VisitChoice(op->b);
  }
  void VisitChoice(const Expr& e) {
    const bool before = in_choice_;
    in_choice_ = true;
    e.accept(this);
    in_choice_ = before;
  }

  bool in_choice_ = false;
  std::set<std::string> lets_;  // names are unique within a definition
};

void ForEachDefinition(Definition& definition, const std::function<void(Definition&)>& visit) {
  visit(definition);
  for (Halide::Internal::Specialization& special : definition.specializations())
    ForEachDefinition(special.definition, visit);
}

void ForEachDefinition(Function& function, const std::function<void(Definition&)>& visit) {
  if (!function.has_pure_definition()) return;
  ForEachDefinition(function.definition(), visit);
  for (int i = 0; i < static_cast<int>(function.updates().size()); ++i)
    ForEachDefinition(function.update(i), visit);
}

}  // namespace

void KeepSharedConditions(const Halide::Pipeline& pipeline) {
  std::map<std::string, Function> functions;
  for (const Halide::Func& output : pipeline.outputs()) {
    const std::map<std::string, Function> calls =
        Halide::Internal::find_transitive_calls(output.function());
    functions.insert(calls.begin(), calls.end());
  }
  bool unrolled = false;
  FindSharedConditions conditions;
  for (auto& [name, function] : functions) {
    ForEachDefinition(function, [&](Definition& definition) {
      for (const Halide::Internal::Dim& dim : definition.schedule().dims())
        unrolled |= dim.for_type == Halide::Internal::ForType::Unrolled;
      definition.accept(&conditions);
    });
  }
  if (!unrolled || !conditions.found) return;
  for (auto& [name, function] : functions) {
    ForEachDefinition(function, [](Definition& definition) {
      for (Halide::Internal::Dim& dim : definition.schedule().dims())
        dim.partition_policy = Halide::Partition::Never;
    });
  }
}

}  // namespace halyard::lowering
