#include "tools/halyard/locate_difference.h"

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/evaluator.h"
#include "frontend/hlo/op_table.h"
#include "frontend/hlo_text/printer.h"
#include "lowering/passes/passes.h"

namespace halyard::tools {
namespace {

using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;
using Values = std::unordered_map<const Instruction*, Literal>;

// Tuples flatten in order; this is the way back.
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

// `module` with its entry's root replaced by a tuple of the observables at `chosen`, run.
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

// The first observable whose value on the device is not what the evaluator makes of the device's
// values of its operands.
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

// By bisection: the first observable whose value differs from the evaluator's when the fused
// program ends with it.
absl::StatusOr<Finding> FirstWrongFused(Client& client, const hlo::Module& module,
                                        const std::vector<Literal>& arguments,
                                        const Tolerance& tolerance) {
  const std::vector<Instruction*> all = Observables(module);
  Values wanted;
  hlo::Evaluator evaluator;
  evaluator.observer = [&](const Instruction& inst, const Literal& value) {
    if (IsObservable(inst)) wanted.emplace(&inst, value);
  };
  absl::StatusOr<Literal> whole = evaluator.Run(module, EntryArguments(module, arguments));
  if (!whole.ok()) return whole.status();
  Finding found;
  size_t low = 0, high = all.size();  // those before `low` agree; `high` differs, if there is one
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    absl::StatusOr<std::vector<Literal>> got =
        RunObserved(client, module, {middle}, /*fuse=*/true, arguments);
    if (!got.ok()) return got.status();
    absl::StatusOr<hlo::Difference> difference =
        CompareWithin((*got)[0], wanted.at(all[middle]), tolerance);
    if (!difference.ok()) return difference.status();
    if (difference->within) {
      low = middle + 1;
    } else {
      high = middle;
      found = {all[middle], *difference};
    }
  }
  return found;
}

}  // namespace

absl::StatusOr<std::string> LocateDifference(Client& client, const hlo::Module& original,
                                             const std::vector<Literal>& arguments,
                                             const Tolerance& tolerance) {
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
  found = FirstWrongFused(client, *module, arguments, tolerance);
  if (!found.ok()) return found.status();
  if (found->inst == nullptr) {
    return std::string("every instruction agrees by itself, and so does every beginning of the program");
  }
  return absl::StrCat("every instruction agrees by itself; fused, the first that differs is ",
                      Name(*found->inst), ": ", Describe(found->difference, found->inst->shape));
}

}  // namespace halyard::tools
