#include "tools/halyard/locate_difference.h"

#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/printer.h"
#include "lowering/plan/passes.h"

namespace halyard::tools {
namespace {

using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;
using Values = std::unordered_map<const Instruction*, Literal>;

// FlattenShape lists the leaves of tuples in order; this goes the other way.
Literal Unflatten(const Shape& shape, const std::vector<Literal>& leaves, size_t* next) {
  if (!shape.IsTuple()) return leaves[(*next)++];
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) {
    elements.push_back(Unflatten(element, leaves, next));
  }
  return Literal::Tuple(std::move(elements));
}

std::vector<Literal> EntryArguments(const hlo::Module& module, const std::vector<Literal>& leaves) {
  std::vector<Literal> arguments;
  size_t next = 0;
  for (const Instruction* parameter : module.entry()->parameters()) {
    arguments.push_back(Unflatten(parameter->shape, leaves, &next));
  }
  return arguments;
}

bool IsObservable(const Instruction& inst) {
  return inst.shape.IsArray() && inst.opcode != Opcode::kParameter &&
         inst.opcode != Opcode::kConstant;
}

std::vector<Instruction*> Observables(const hlo::Module& module) {
  std::vector<Instruction*> list;
  for (const auto& inst : module.entry()->instructions()) {
    if (IsObservable(*inst)) list.push_back(inst.get());
  }
  return list;
}

std::string Name(const Instruction& inst) {
  const Instruction* source = &inst;
  std::string element;
  while (source->opcode == Opcode::kGetTupleElement) {
    absl::StrAppend(&element, element.empty() ? "result " : " of result ",
                    source->GetInt(hlo::Attr::kIndex), " of ");
    source = source->operand(0);
  }
  hlo_text::PrintOptions options;
  options.metadata = false;
  options.large_constants = false;
  std::string text = absl::StrCat(element, "`", hlo_text::PrintInstruction(*source, options), "`");
  std::vector<std::string> places;
  for (const hlo::SourceLocation& place : source->provenance.locations) {
    places.push_back(absl::StrCat(place.file, ":", place.line, ":", place.column));
  }
  for (const std::string& op : source->provenance.op_names) places.push_back(op);
  if (!places.empty()) absl::StrAppend(&text, ", from ", absl::StrJoin(places, ", "));
  return text;
}

// Runs `module` with its entry's root replaced by a tuple of the observables at `chosen`.
absl::StatusOr<std::vector<Literal>> RunObserved(Client& client, const hlo::Module& module,
                                                 const std::vector<size_t>& chosen, bool fuse,
                                                 const std::vector<Literal>& arguments) {
  std::unique_ptr<hlo::Module> observed = module.Clone();
  observed->aliases.clear();
  observed->donors.clear();
  const std::vector<Instruction*> all = Observables(*observed);
  std::vector<Instruction*> values;
  std::vector<Shape> shapes;
  for (size_t i : chosen) {
    values.push_back(all[i]);
    shapes.push_back(all[i]->shape);
  }
  hlo::Computation* entry = observed->entry();
  entry->set_root(entry->Add(Opcode::kTuple, Shape::Tuple(std::move(shapes)), std::move(values)));
  CompileOptions options;
  options.fuse = fuse;
  absl::StatusOr<std::unique_ptr<Executable>> executable = client.Compile(*observed, options);
  if (!executable.ok()) return executable.status();
  return (*executable)->RunLiterals(arguments);
}

struct Finding {
  const Instruction* inst = nullptr;
  hlo::Difference difference;
};

// Returns the first observable whose value on the device differs from what the evaluator computes
// from the device's values of its operands.
absl::StatusOr<Finding> FirstWrongByItself(const hlo::Module& module,
                                           const std::vector<Literal>& on_device,
                                           const std::vector<Literal>& arguments,
                                           const Tolerance& tolerance) {
  hlo::Evaluator evaluator;
  const std::vector<Literal> parameters = EntryArguments(module, arguments);
  Values values;
  size_t next = 0;
  for (const auto& inst : module.entry()->instructions()) {
    std::vector<Literal> operands;
    if (inst->opcode == Opcode::kParameter) operands.push_back(parameters[inst->parameter_number]);
    for (const Instruction* operand : inst->operands) operands.push_back(values.at(operand));
    absl::StatusOr<Literal> wanted = hlo::RowOf(inst->opcode).evaluate(evaluator, *inst, operands);
    if (!wanted.ok()) return wanted.status();
    if (!IsObservable(*inst)) {
      values.emplace(inst.get(), *std::move(wanted));
      continue;
    }
    const Literal& got = on_device[next++];
    absl::StatusOr<hlo::Difference> difference = CompareWithin(got, *wanted, tolerance);
    if (!difference.ok()) return difference.status();
    if (!difference->within) return Finding{inst.get(), *difference};
    values.emplace(inst.get(), got);
  }
  return Finding();
}

// Returns the instruction that gives leaf `*leaf` of `inst`'s flattened value, or null if `inst`
// makes several leaves at once. Subtracts the leaves that it skips from `*leaf`.
const Instruction* ResultOf(const Instruction* inst, int64_t* leaf) {
  if (inst->shape.IsArray()) return (*leaf)-- == 0 ? inst : nullptr;
  if (inst->opcode != Opcode::kTuple) {
    *leaf -= static_cast<int64_t>(hlo::FlattenShape(inst->shape).size());
    return nullptr;
  }
  for (const Instruction* operand : inst->operands) {
    const Instruction* found = ResultOf(operand, leaf);
    if (found != nullptr || *leaf < 0) return found;
  }
  return nullptr;
}

// Ends the fused program at one observable after another, and compares each with the evaluator.
class FusedSearch {
 public:
  FusedSearch(Client& client, const hlo::Module& module, const std::vector<Literal>& arguments,
              const Tolerance& tolerance)
      : client_(client),
        module_(module),
        arguments_(arguments),
        tolerance_(tolerance),
        all_(Observables(module)) {
    for (size_t i = 0; i < all_.size(); ++i) position_[all_[i]] = i;
  }

  // Returns an observable that `result` depends on (or `result`) that differs although its operands
  // agree.
  absl::StatusOr<Finding> Find(const Instruction* result) {
    hlo::Evaluator evaluator;
    evaluator.observer = [this](const Instruction& inst, const Literal& value) {
      if (position_.contains(&inst)) wanted_.emplace(&inst, value);
    };
    absl::StatusOr<Literal> whole = evaluator.Run(module_, EntryArguments(module_, arguments_));
    if (!whole.ok()) return whole.status();
    // Errors mostly spread, so halving the ancestors comes close. After that, operands are followed
    // one by one.
    const std::vector<size_t> ancestors = Ancestors(result);
    Finding found;
    size_t low = 0, high = ancestors.size();
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      absl::StatusOr<Finding> cut = CutAt(ancestors[middle]);
      if (!cut.ok()) return cut;
      if (cut->inst != nullptr) {
        high = middle;
        found = *cut;
      } else {
        low = middle + 1;
      }
    }
    for (bool deeper = found.inst != nullptr; deeper;) {
      deeper = false;
      for (size_t operand : Inputs(found.inst)) {
        absl::StatusOr<Finding> cut = CutAt(operand);
        if (!cut.ok()) return cut;
        if (cut->inst == nullptr) continue;
        found = *cut;
        deeper = true;
        break;
      }
    }
    return found;
  }

 private:
  // Returns the observables that `inst` reads, through tuples and loops.
  std::vector<size_t> Inputs(const Instruction* inst) const {
    std::vector<size_t> inputs;
    std::vector<const Instruction*> stack(inst->operands.begin(), inst->operands.end());
    std::unordered_set<const Instruction*> seen;
    while (!stack.empty()) {
      const Instruction* next = stack.back();
      stack.pop_back();
      if (!seen.insert(next).second) continue;
      if (auto found = position_.find(next); found != position_.end()) {
        inputs.push_back(found->second);
      } else {
        stack.insert(stack.end(), next->operands.begin(), next->operands.end());
      }
    }
    return inputs;
  }
  // Returns the observables behind `result` in program order, `result` last.
  std::vector<size_t> Ancestors(const Instruction* result) const {
    std::set<size_t> found = {position_.at(result)};
    std::vector<size_t> stack = {position_.at(result)};
    while (!stack.empty()) {
      const size_t next = stack.back();
      stack.pop_back();
      for (size_t input : Inputs(all_[next])) {
        if (found.insert(input).second) stack.push_back(input);
      }
    }
    return {found.begin(), found.end()};
  }
  // Returns a Finding without an instruction if the value agrees there.
  absl::StatusOr<Finding> CutAt(size_t position) {
    if (good_.contains(position)) return Finding();
    absl::StatusOr<std::vector<Literal>> got =
        RunObserved(client_, module_, {position}, /*fuse=*/true, arguments_);
    if (!got.ok()) return got.status();
    const Instruction* inst = all_[position];
    absl::StatusOr<hlo::Difference> difference =
        CompareWithin((*got)[0], wanted_.at(inst), tolerance_);
    if (!difference.ok()) return difference.status();
    if (!difference->within) return Finding{inst, *difference};
    good_.insert(position);
    return Finding();
  }

  Client& client_;
  const hlo::Module& module_;
  const std::vector<Literal>& arguments_;
  const Tolerance& tolerance_;
  const std::vector<Instruction*> all_;
  std::unordered_map<const Instruction*, size_t> position_;
  Values wanted_;
  std::set<size_t> good_;
};

}  // namespace

absl::StatusOr<std::string> LocateDifference(Client& client, const hlo::Module& original,
                                             const std::vector<Literal>& arguments,
                                             int64_t wrong_result, const Tolerance& tolerance) {
  std::unique_ptr<hlo::Module> module = original.Clone();
  if (absl::Status status = lowering::InlineCalls(*module); !status.ok()) return status;
  std::vector<size_t> all(Observables(*module).size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  absl::StatusOr<std::vector<Literal>> values =
      RunObserved(client, *module, all, /*fuse=*/false, arguments);
  if (!values.ok()) return values.status();
  absl::StatusOr<Finding> found = FirstWrongByItself(*module, *values, arguments, tolerance);
  if (!found.ok()) return found.status();
  if (found->inst != nullptr) {
    return absl::StrCat("the first instruction that differs is ", Name(*found->inst), ": ",
                        Describe(found->difference, found->inst->shape));
  }
  int64_t leaf = wrong_result;
  const Instruction* root = module->entry()->root();
  const Instruction* result = ResultOf(root, &leaf);
  const std::string alone = "every instruction agrees by itself";
  if (result == nullptr || !IsObservable(*result)) {
    return absl::StrCat(alone, "; only in the whole program does out", wrong_result, " differ, of ",
                        Name(*root));
  }
  found = FusedSearch(client, *module, arguments, tolerance).Find(result);
  if (!found.ok()) return found.status();
  if (found->inst == nullptr) {
    return absl::StrCat(alone,
                        ", and so does every beginning of the program; only in the whole "
                        "program does out",
                        wrong_result, " differ, ", Name(*result));
  }
  return absl::StrCat(alone, "; fused with those before it, the first that differs is ",
                      Name(*found->inst), ": ", Describe(found->difference, found->inst->shape));
}

}  // namespace halyard::tools
