#include <algorithm>
#include <unordered_set>

#include "frontend/hlo/ir/module.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {

namespace {

using InstructionList = std::vector<std::unique_ptr<Instruction>>;
using PositionMap = std::unordered_map<const Instruction*, size_t>;

PositionMap PositionsOf(const InstructionList& instructions) {
  PositionMap position;
  for (size_t i = 0; i < instructions.size(); ++i) position[instructions[i].get()] = i;
  return position;
}

InstructionList Reordered(const std::vector<const Instruction*>& order, const PositionMap& position,
                          InstructionList& instructions) {
  InstructionList ordered;
  ordered.reserve(order.size());
  for (const Instruction* inst : order)
    ordered.push_back(std::move(instructions[position.at(inst)]));
  return ordered;
}

}  // namespace

Instruction* Computation::Add(Opcode opcode, Shape shape, std::vector<Instruction*> operands,
                              AttrMap attrs, std::vector<Computation*> called, std::string name) {
  auto inst = std::make_unique<Instruction>();
  inst->opcode = opcode;
  inst->shape = std::move(shape);
  inst->operands = std::move(operands);
  inst->attrs = std::move(attrs);
  inst->called = std::move(called);
  inst->name = module_->UniqueName(name.empty() ? RowOf(opcode).hlo_name : name);
  inst->parent = this;
  instructions_.push_back(std::move(inst));
  return instructions_.back().get();
}

Instruction* Computation::AddParameter(int64_t number, Shape shape, std::string name) {
  Instruction* parameter = Add(Opcode::kParameter, std::move(shape), {}, {}, {}, std::move(name));
  parameter->parameter_number = number;
  if (static_cast<int64_t>(parameters_.size()) <= number) parameters_.resize(number + 1);
  parameters_[number] = parameter;
  return parameter;
}

Instruction* Computation::AddConstant(Literal value, std::string name) {
  Instruction* constant = Add(Opcode::kConstant, value.shape(), {}, {}, {}, std::move(name));
  constant->literal = std::move(value);
  return constant;
}

Instruction* Computation::AddClone(const Instruction& from, std::vector<Instruction*> operands) {
  if (from.opcode == Opcode::kParameter) {
    Instruction* parameter = AddParameter(from.parameter_number, from.shape, from.name);
    parameter->attrs = from.attrs;
    parameter->provenance = from.provenance;
    return parameter;
  }
  Instruction* copy =
      Add(from.opcode, from.shape, std::move(operands), from.attrs, from.called, from.name);
  copy->literal = from.literal;
  copy->provenance = from.provenance;
  return copy;
}

void Computation::ReplaceAllUses(Instruction* from, Instruction* to) {
  for (const auto& inst : instructions_) {
    std::replace(inst->operands.begin(), inst->operands.end(), from, to);
  }
  if (root_ == from) root_ = to;
}

std::unordered_map<const Instruction*, std::vector<Instruction*>> Computation::Users() const {
  std::unordered_map<const Instruction*, std::vector<Instruction*>> users;
  for (const auto& inst : instructions_) users[inst.get()];
  for (const auto& inst : instructions_) {
    for (const Instruction* operand : inst->operands) {
      std::vector<Instruction*>& list = users[operand];
      // All uses by one instruction follow one another.
      if (list.empty() || list.back() != inst.get()) list.push_back(inst.get());
    }
  }
  return users;
}

int64_t Computation::RemoveDead() {
  std::unordered_set<const Instruction*> live;
  std::vector<const Instruction*> work;
  auto mark = [&](const Instruction* inst) {
    if (live.insert(inst).second) work.push_back(inst);
  };
  if (root_ != nullptr) mark(root_);
  for (const auto& inst : instructions_) {
    if (inst->opcode == Opcode::kParameter || HasSideEffect(*inst)) mark(inst.get());
  }
  while (!work.empty()) {
    const Instruction* inst = work.back();
    work.pop_back();
    for (const Instruction* operand : inst->operands) mark(operand);
  }
  return static_cast<int64_t>(
      std::erase_if(instructions_, [&](const auto& inst) { return !live.contains(inst.get()); }));
}

bool Computation::SortTopologically() {
  // Visits depth-first from each instruction in list order, so that a sorted list stays as it is.
  // The stack is explicit, because chains are as long as programs.
  enum State : uint8_t { kNew, kOpen, kDone };
  std::unordered_map<const Instruction*, State> states;
  const PositionMap position = PositionsOf(instructions_);
  std::vector<const Instruction*> order;
  std::vector<std::pair<const Instruction*, size_t>> stack;  // with the next operand to visit
  for (const auto& start : instructions_) {
    if (states[start.get()] == kDone) continue;
    stack.push_back({start.get(), 0});
    states[start.get()] = kOpen;
    while (!stack.empty()) {
      auto& [inst, next] = stack.back();
      if (next == inst->operands.size()) {
        states[inst] = kDone;
        order.push_back(inst);
        stack.pop_back();
        continue;
      }
      const Instruction* operand = inst->operands[next++];
      State& state = states[operand];
      if (state == kOpen || !position.contains(operand)) return false;
      if (state == kNew) {
        state = kOpen;
        stack.push_back({operand, 0});
      }
    }
  }
  instructions_ = Reordered(order, position, instructions_);
  return true;
}

void Computation::Reorder(const std::vector<const Instruction*>& order) {
  instructions_ = Reordered(order, PositionsOf(instructions_), instructions_);
}

void Computation::RemoveParameter(int64_t number) {
  const Instruction* gone = parameters_[number];
  parameters_.erase(parameters_.begin() + number);
  for (int64_t i = number; i < num_parameters(); ++i) parameters_[i]->parameter_number = i;
  std::erase_if(instructions_, [&](const auto& inst) { return inst.get() == gone; });
}

}  // namespace halyard::hlo
