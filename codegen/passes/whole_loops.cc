#include "codegen/passes/whole_loops.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace halyard::lowering {
namespace {

using Halide::Expr;
using Halide::Internal::Definition;
using Halide::Internal::Dim;
using Halide::Internal::ForType;
using Halide::Internal::Function;
using Halide::Internal::IRNodeType;
using Halide::Internal::Split;

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

// Whether an expression has one of the variables.
class HasVariable : public Halide::Internal::IRGraphVisitor {
 public:
  static bool Of(const Expr& e, const std::set<std::string>& names) {
    HasVariable visitor(names);
    visitor.include(e);
    return visitor.found_;
  }

 private:
  using IRGraphVisitor::visit;
  explicit HasVariable(const std::set<std::string>& names) : names_(names) {}
  void visit(const Halide::Internal::Variable* op) override {
    found_ |= names_.count(op->name) != 0;
  }

  const std::set<std::string>& names_;
  bool found_ = false;
};

// Looks for lets of conditions and of indices that are not linear, on which a choice depends, and
// which copies of an unrolled loop may have other values of.
class FindSharedConditions : public Halide::Internal::IRGraphVisitor {
 public:
  // Of what is visited next: all lets, or those that depend on the variables.
  void ExpectAll() { all_ = true; }
  void Expect(std::set<std::string> variables) {
    all_ = false;
    variables_ = std::move(variables);
  }

  bool found = false;

 private:
  using IRGraphVisitor::visit;
  // Once within a choice and once outside.
  void include(const Expr& e) override {
    if (seen_[in_choice_ ? 1 : 0].insert(e.get()).second) e.accept(this);
  }
  void visit(const Halide::Internal::Let* op) override {
    include(op->value);
    if (all_ || HasVariable::Of(op->value, variables_)) {
      variables_.insert(op->name);
      const bool condition = op->value.type().is_bool();
      const bool index =
          op->value.type().is_int_or_uint() && !condition && NotLinear::Is(op->value);
      if (condition || index) lets_.insert(op->name);
    }
    include(op->body);
  }
  void visit(const Halide::Internal::Variable* op) override {
    found |= in_choice_ && lets_.count(op->name) != 0;
  }
  void visit(const Halide::Internal::Select* op) override {
    VisitChoice(op->condition);
    include(op->true_value);
    include(op->false_value);
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
    include(e);
    in_choice_ = before;
  }

  bool all_ = true, in_choice_ = false;
  std::set<std::string> variables_;
  std::set<const void*> seen_[2];
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

bool EndsWith(const std::string& name, const std::string& end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

bool AnyUnrolled(const std::vector<Dim*>& loops) {
  return std::any_of(loops.begin(), loops.end(),
                     [](const Dim* loop) { return loop->for_type == ForType::Unrolled; });
}

// The variables whose loops are unrolled, in whole or in part.
std::set<std::string> UnrolledVariables(Definition& definition) {
  std::set<std::string> names;
  for (const Dim& loop : definition.schedule().dims())
    if (loop.for_type == ForType::Unrolled) names.insert(loop.var);
  const std::vector<Split>& splits = definition.schedule().splits();
  for (auto split = splits.rbegin(); split != splits.rend(); ++split) {
    if (split->split_type == Split::FuseVars) {
      if (names.count(split->old_var) != 0) names.insert({split->outer, split->inner});
    } else if (names.count(split->outer) != 0 ||
               (split->split_type == Split::SplitVar && names.count(split->inner) != 0)) {
      names.insert(split->old_var);
    }
  }
  return names;
}

// The functions of a pipeline, with the loops around what is computed of each.
class Nests {
 public:
  explicit Nests(const Halide::Pipeline& pipeline) {
    for (const Halide::Func& output : pipeline.outputs()) {
      outputs_.insert(output.name());
      const std::map<std::string, Function> calls =
          Halide::Internal::find_transitive_calls(output.function());
      functions_.insert(calls.begin(), calls.end());
    }
  }

  // Leaves the loops whole around functions with shared conditions.
  void KeepSharedConditions() {
    for (auto& [name, function] : functions_) {
      if (IsInlined(function)) continue;
      const std::vector<Dim*> own = Loops(function, ""), around = LoopsAround(function);
      if (!AnyUnrolled(own) && !AnyUnrolled(around)) continue;
      FindSharedConditions conditions;
      ForEachDefinition(function, [&](Definition& definition) {
        if (!AnyUnrolled(around)) conditions.Expect(UnrolledVariables(definition));
        definition.accept(&conditions);
      });
      // Variables of what is inlined may stand for any of the loops.
      conditions.ExpectAll();
      std::set<std::string> searched = {name};
      SearchInlined(function, &searched, &conditions);
      if (!conditions.found) continue;
      for (const std::vector<Dim*>& loops : {own, around})
        for (Dim* loop : loops) loop->partition_policy = Halide::Partition::Never;
    }
  }

  // Leaves the loops whole that have loops over threads inside.
  void KeepLoopsAroundThreads() {
    for (auto& [name, function] : functions_) {
      if (IsInlined(function)) continue;
      bool threads = false;
      ForEachDefinition(function, [&](Definition& definition) {
        bool inside = false;
        for (Dim& loop : definition.schedule().dims()) {  // innermost first
          if (inside) LeaveWhole(&loop);
          inside |= loop.for_type == ForType::GPUThread || loop.for_type == ForType::GPULane;
        }
        threads |= inside;
      });
      if (!threads) continue;
      for (Dim* loop : LoopsAround(function)) LeaveWhole(loop);
    }
  }

 private:
  // Loops over blocks may be cut: all threads of a workgroup are in the same piece.
  static void LeaveWhole(Dim* loop) {
    if (loop->for_type == ForType::Serial) loop->partition_policy = Halide::Partition::Never;
  }

  bool IsInlined(const Function& function) const {
    return outputs_.count(function.name()) == 0 &&
           function.schedule().compute_level().var_name().empty();
  }

  void SearchInlined(const Function& function, std::set<std::string>* searched,
                     FindSharedConditions* conditions) const {
    for (auto& [name, called] : Halide::Internal::find_direct_calls(function)) {
      Function callee = called;
      if (!IsInlined(callee) || !searched->insert(name).second) continue;
      ForEachDefinition(callee, [&](Definition& definition) { definition.accept(conditions); });
      SearchInlined(callee, searched, conditions);
    }
  }

  // The loops of others that the function is computed within.
  std::vector<Dim*> LoopsAround(const Function& function) {
    std::vector<Dim*> loops;
    Halide::LoopLevel level = function.schedule().compute_level();
    for (auto at = functions_.find(level.func_name()); at != functions_.end();
         at = functions_.find(level.func_name())) {
      const std::vector<Dim*> more = Loops(at->second, level.var_name());
      loops.insert(loops.end(), more.begin(), more.end());
      level = at->second.schedule().compute_level();
    }
    return loops;
  }

  // From the loop over `var` outwards; all if there is no such loop.
  static std::vector<Dim*> Loops(Function& function, const std::string& var) {
    std::vector<Dim*> loops;
    ForEachDefinition(function, [&](Definition& definition) {
      std::vector<Dim>& dims = definition.schedule().dims();  // innermost first
      size_t first = 0;
      for (size_t i = 0; i < dims.size() && !var.empty(); ++i) {
        if (dims[i].var == var || EndsWith(dims[i].var, "." + var)) first = i;
      }
      for (size_t i = first; i < dims.size(); ++i) loops.push_back(&dims[i]);
    });
    return loops;
  }

  std::set<std::string> outputs_;
  std::map<std::string, Function> functions_;
};

}  // namespace

void KeepLoopsWhole(const Halide::Pipeline& pipeline) {
  Nests nests(pipeline);
  nests.KeepSharedConditions();
  nests.KeepLoopsAroundThreads();
}

}  // namespace halyard::lowering
