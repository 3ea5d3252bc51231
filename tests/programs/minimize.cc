#include "tests/programs/minimize.h"

#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/printer.h"
#include "tests/programs/noisy_evaluator.h"

namespace halyard::testing {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

namespace {

Instruction* Named(Computation& computation, const std::string& name) {
  for (const auto& inst : computation.instructions()) {
    if (inst->name == name) return inst.get();
  }
  return nullptr;
}

void DropUnused(Program* program) {
  Computation& entry = *program->module->entry();
  entry.RemoveDead();
  for (int64_t i = entry.num_parameters() - 1; i >= 0; --i) {
    const Instruction* parameter = entry.parameters()[i];
    bool used = entry.root() == parameter;
    for (const auto& inst : entry.instructions()) {
      for (const Instruction* operand : inst->operands) used |= operand == parameter;
    }
    if (used) continue;
    entry.RemoveParameter(i);
    program->arguments.erase(program->arguments.begin() + i);
  }
  program->module->RemoveUnreachableComputations();
}

// Returns the program with `result` as its only result.
Program Ending(const Program& from, const std::string& result) {
  Program to{from.module->Clone(), from.arguments};
  to.module->entry()->set_root(Named(*to.module->entry(), result));
  DropUnused(&to);
  return to;
}

// Returns the program with a parameter in the place of `name`.
Program Cut(const Program& from, const std::string& name, const hlo::Literal& value) {
  Program to{from.module->Clone(), from.arguments};
  Computation& entry = *to.module->entry();
  Instruction* old = Named(entry, name);
  Instruction* parameter = entry.AddParameter(entry.num_parameters(), old->shape);
  entry.ReplaceAllUses(old, parameter);
  entry.SortTopologically();
  to.arguments.push_back(value);
  DropUnused(&to);
  return to;
}

}  // namespace

Program Minimize(const Program& program, const std::function<bool(const Program&)>& fails,
                 int max_trials) {
  Program best{program.module->Clone(), program.arguments};
  int trials = 0;
  auto better = [&](Program candidate) {
    if (++trials > max_trials || !fails(candidate)) return false;
    best = std::move(candidate);
    return true;
  };
  for (bool changed = true; changed && trials < max_trials;) {
    changed = false;
    const auto values = Evaluate(*best.module, best.arguments);
    if (!values.ok()) break;
    std::vector<std::string> names;
    for (const auto& inst : best.module->entry()->instructions()) {
      if (inst->shape.IsArray() && inst->opcode != Opcode::kParameter &&
          inst->opcode != Opcode::kConstant && inst.get() != best.module->entry()->root())
        names.push_back(inst->name);
    }
    for (const std::string& name : names) {  // the earliest instruction that is wrong by itself
      if (Named(*best.module->entry(), name) != nullptr && better(Ending(best, name))) {
        changed = true;
        break;
      }
    }
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
      const Instruction* inst = Named(*best.module->entry(), *name);
      if (inst == nullptr || inst == best.module->entry()->root()) continue;
      changed |= better(Cut(best, *name, values->at(*name)));
    }
  }
  return best;
}

std::string ToText(const Program& program) {
  std::string text = hlo_text::Print(*program.module);
  constexpr size_t kMostCharacters = 2000;  // the seed makes the rest again
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    std::string value = program.arguments[i].ToString();
    if (value.size() > kMostCharacters) value = value.substr(0, kMostCharacters) + "...";
    absl::StrAppend(&text, "// argument ", i, ": ", value, "\n");
  }
  return text;
}

}  // namespace halyard::testing
