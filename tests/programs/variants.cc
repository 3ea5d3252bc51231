#include "tests/programs/variants.h"

#include <algorithm>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/fuse/decisions.h"
#include "tests/lowering/plan/random_choices.h"

namespace halyard::testing {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Computation;
using hlo::Instruction;
using hlo::Ints;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

AttrMap Dimensions(const Ints& dims) {
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, dims);
  return attrs;
}

absl::StatusOr<Literal> Moved(const Literal& value, Opcode opcode, const Shape& shape,
                              const Ints& dims) {
  Instruction operand{Opcode::kParameter, value.shape()};
  Instruction move{opcode, shape, {&operand}, Dimensions(dims)};
  hlo::Evaluator evaluator;
  return hlo::RowOf(opcode).evaluate(evaluator, move, {value});
}

// Arguments come with their dimensions in another order and some of them reversed. The program
// first restores them.
absl::Status PermuteArguments(Program* program, std::mt19937* random) {
  Computation& entry = *program->module->entry();
  const std::vector<Instruction*> parameters = entry.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    Instruction* parameter = parameters[i];
    if (!parameter->shape.IsArray() || parameter->shape.rank() == 0) continue;
    const Shape shape = parameter->shape.WithDefaultLayout();
    Ints reversed, order, back(shape.rank());
    for (int64_t d = 0; d < shape.rank(); ++d) {
      order.push_back(d);
      if ((*random)() % 2) reversed.push_back(d);
    }
    std::shuffle(order.begin(), order.end(), *random);
    std::vector<int64_t> dims;
    for (int64_t d : order) {
      back[d] = static_cast<int64_t>(dims.size());
      dims.push_back(shape.dim(d));
    }
    const Shape given = shape.WithDims(dims);
    absl::StatusOr<Literal> value = Moved(program->arguments[i], Opcode::kReverse, shape, reversed);
    if (value.ok()) value = Moved(*value, Opcode::kTranspose, given, order);
    if (!value.ok()) return value.status();
    program->arguments[i] = *std::move(value);
    // The users of the parameter before the ops that restore it are added.
    const std::vector<Instruction*> users = entry.Users().at(parameter);
    parameter->shape = given;
    Instruction* moved = entry.Add(Opcode::kTranspose, shape, {parameter}, Dimensions(back));
    moved = entry.Add(Opcode::kReverse, shape, {moved}, Dimensions(reversed));
    for (Instruction* user : users)
      std::replace(user->operands.begin(), user->operands.end(), parameter, moved);
    if (entry.root() == parameter) entry.set_root(moved);
  }
  return entry.SortTopologically() ? absl::OkStatus() : absl::InternalError("cycle");
}

void ConstantsToArguments(Program* program) {
  Computation& entry = *program->module->entry();
  std::vector<Instruction*> constants;
  for (const auto& inst : entry.instructions()) {
    if (inst->opcode == Opcode::kConstant && inst->shape.IsArray()) constants.push_back(inst.get());
  }
  for (Instruction* constant : constants) {
    program->arguments.push_back(constant->literal);
    entry.ReplaceAllUses(constant, entry.AddParameter(entry.num_parameters(), constant->shape));
  }
  entry.RemoveDead();
  entry.SortTopologically();
}

// Replaces each argument with a chance of one half, and sometimes all of them.
void ArgumentsToConstants(Program* program, std::mt19937* random) {
  Computation& entry = *program->module->entry();
  const bool all = (*random)() % 4 == 0;
  for (int64_t i = entry.num_parameters() - 1; i >= 0; --i) {
    Instruction* parameter = entry.parameters()[i];
    if (!parameter->shape.IsArray() || (!all && (*random)() % 2)) continue;
    entry.ReplaceAllUses(parameter, entry.AddConstant(program->arguments[i]));
    entry.RemoveParameter(i);
    program->arguments.erase(program->arguments.begin() + i);
  }
  entry.SortTopologically();
}

absl::StatusOr<std::string> CutsEverywhere(const hlo::Module& module,
                                           lowering::PlanOptions device) {
  device.attention = false;
  absl::StatusOr<std::vector<lowering::Decision>> decisions =
      lowering::ListDecisions(module, device);
  if (!decisions.ok()) return decisions.status();
  std::string choices = "#\n";
  for (const lowering::Decision& decision : *decisions) {
    absl::StrAppend(&choices, "store ", decision.name, "\n");
  }
  return choices;
}

}  // namespace

std::vector<std::string> VariantNames() {
  std::vector<std::string> names = {"unfused",
                                    "cuts",
                                    "choices",
                                    "no attention",
                                    "quick",
                                    "constants as arguments",
                                    "arguments as constants",
                                    "arguments permuted"};
  for (const std::string& rewrite : lowering::RewriteNames())
    names.push_back(absl::StrCat("without ", rewrite));
  return names;
}

absl::StatusOr<Variant> MakeVariant(const std::string& name, const Program& program,
                                    const lowering::PlanOptions& device, uint32_t seed) {
  std::mt19937 random(seed);
  Variant variant{{program.module->Clone(), program.arguments}, {}};
  PlanSettings& settings = variant.settings;
  absl::string_view rewrite = name;
  if (name == "unfused") {
    settings.fuse = false;
  } else if (name == "no attention") {
    settings.attention = false;
  } else if (name == "quick") {
    settings.quick = true;
  } else if (name == "cuts") {
    absl::StatusOr<std::string> choices = CutsEverywhere(*program.module, device);
    if (!choices.ok()) return choices.status();
    settings.attention = false;
    settings.choices = *std::move(choices);
  } else if (name == "choices") {
    settings.choices =
        absl::StrCat("#\n", lowering::RandomChoices(*program.module, device, &random));
  } else if (name == "constants as arguments") {
    ConstantsToArguments(&variant.program);
  } else if (name == "arguments as constants") {
    ArgumentsToConstants(&variant.program, &random);
  } else if (name == "arguments permuted") {
    absl::Status status = PermuteArguments(&variant.program, &random);
    if (!status.ok()) return status;
  } else if (absl::ConsumePrefix(&rewrite, "without ")) {
    settings.without = std::string(rewrite);
  } else {
    return absl::InvalidArgumentError(absl::StrCat("no variant ", name));
  }
  return variant;
}

}  // namespace halyard::testing
