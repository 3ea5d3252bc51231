#include "frontend/hlo/dynamic/cut_program.h"

#include <utility>

#include "frontend/hlo/dynamic/result_sizes.h"
#include "frontend/hlo/dynamic/shape_operands.h"
#include "frontend/hlo/dynamic/static_form.h"
#include "frontend/hlo/ir/call_graph.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {

std::unordered_set<const Instruction*> Cutter::Left() const {
  std::unordered_set<const Instruction*> left;
  const auto& all = from_.instructions();
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    const Instruction* inst = it->get();
    if (made_.at(inst).inst != nullptr) continue;
    if (inst == from_.root() || HasSideEffect(*inst) || IsShapeAssertion(*inst)) left.insert(inst);
    if (!left.contains(inst)) continue;
    for (const Instruction* operand : inst->operands) {
      if (made_.at(operand).inst == nullptr) left.insert(operand);
    }
  }
  return left;
}

void Cutter::Cut(const std::unordered_set<const Instruction*>& left, Specialization* result) {
  result->rest = std::make_unique<Module>(from_.module()->name());
  Module* rest = result->rest.get();
  rest->num_replicas = from_.module()->num_replicas;
  rest->num_partitions = from_.module()->num_partitions;
  entry_ = rest->AddComputation(from_.name());
  rest->set_entry(entry_);
  const Instruction* step = nullptr;
  for (const auto& inst : from_.instructions()) {
    if (!left.contains(inst.get())) continue;
    const Specialized& made = made_.at(inst.get());
    if (made.step && step == nullptr) step = inst.get();
    for (const Instruction* operand : inst->operands) Take(operand);
    if (made.unknown >= 0) known_.insert(inst->operands[made.unknown]);
  }
  Take(from_.root());
  if (step != nullptr) TakeStep(*step, result);
  for (const auto& inst : from_.instructions()) {
    if (!left.contains(inst.get()) || inst.get() == step) continue;
    std::vector<Instruction*> operands;
    for (const Instruction* operand : inst->operands) operands.push_back(map_.at(operand));
    Instruction* copy = entry_->AddClone(*inst, std::move(operands));
    for (Computation*& callee : copy->called) callee = Callee(callee, rest);
    map_[inst.get()] = copy;
  }
  entry_->set_root(map_.at(from_.root()));
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (known_.contains(taken_[i])) result->known.push_back(static_cast<int64_t>(i));
  }
  Instruction* root = into_->Add(Opcode::kTuple, RootShape(), roots_);
  into_->set_root(root);
}

void Cutter::Take(const Instruction* inst) {
  const Specialized& made = made_.at(inst);
  if (made.inst == nullptr || map_.contains(inst)) return;
  if (IsUnsized(inst->shape, made.inst->shape)) {
    AttrMap attrs;
    attrs.Set(Attr::kDimensions, Ints{});
    map_[inst] = entry_->Add(Opcode::kBroadcast, inst->shape.WithDefaultLayout(),
                             {entry_->parameters()[RootOf(inst)]}, std::move(attrs));
    map_[inst]->provenance = inst->provenance;
    return;
  }
  if (made.inst->shape.IsToken()) {
    map_[inst] = entry_->Add(Opcode::kAfterAll, Shape::Token(), {});  // what came before has been
    return;
  }
  if (made.value.array) {
    map_[inst] = entry_->AddConstant(*made.value.array);
    map_[inst]->provenance = inst->provenance;
    return;
  }
  map_[inst] = entry_->parameters()[RootOf(inst)];
}

int64_t Cutter::RootOf(const Instruction* inst) {
  const int64_t number = static_cast<int64_t>(taken_.size());
  const auto [found, fresh] = numbers_.emplace(inst, number);
  if (!fresh) return found->second;
  // The stated shape matters for the bounds of its sizes. Its sizes in this run come from an
  // argument.
  const Shape& made = made_.at(inst).inst->shape;
  const Shape& shape = IsUnsized(inst->shape, made) ? made : inst->shape;
  Instruction* parameter = entry_->AddParameter(number, shape.WithDefaultLayout());
  parameter->provenance = inst->provenance;
  roots_.push_back(made_.at(inst).inst);
  taken_.push_back(inst);
  return number;
}

void Cutter::TakeStep(const Instruction& inst, Specialization* result) {
  result->step.emplace();
  Specialization::Step& step = *result->step;
  step.opcode = inst.opcode;
  step.provenance = inst.provenance;
  for (const Instruction* operand : inst.operands) step.operands.push_back(RootOf(operand));
  for (const Computation* callee : inst.called) {
    auto program = std::make_unique<Module>(callee->name());
    program->set_entry(CloneComputation(*callee, program.get()));
    program->num_replicas = from_.module()->num_replicas;
    program->num_partitions = from_.module()->num_partitions;
    step.programs.push_back(std::move(program));
  }
  Instruction* parameter =
      entry_->AddParameter(static_cast<int64_t>(roots_.size()), inst.shape.WithDefaultLayout());
  parameter->provenance = inst.provenance;
  map_[&inst] = parameter;
}

Computation* Cutter::Callee(Computation* computation, Module* rest) {
  Computation*& copy = callees_[computation];
  if (copy == nullptr) copy = CloneComputation(*computation, rest);
  return copy;
}

Shape Cutter::RootShape() const {
  std::vector<Shape> shapes;
  for (const Instruction* root : roots_) shapes.push_back(root->shape.WithDefaultLayout());
  return Shape::Tuple(std::move(shapes));
}

}  // namespace halyard::hlo
