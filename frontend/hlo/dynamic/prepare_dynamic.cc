// PrepareDynamic: a dynamic module without calls.
#include <unordered_set>

#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/call_graph.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {
namespace {

using ComputationMap = std::unordered_map<const Computation*, Computation*>;

bool IsInlined(const Instruction& inst) {
  return inst.opcode == Opcode::kCall || inst.opcode == Opcode::kFusion;
}

// Appends the instructions of `from` to `into`; `arguments`, if given, stand for its parameters.
// Every computation that `from` calls is inlined already.
Instruction* Append(const Computation& from, const std::vector<Instruction*>* arguments,
                    const Instruction* caller, Computation* into,
                    const ComputationMap& computations) {
  std::unordered_map<const Instruction*, Instruction*> map;
  for (const auto& inst : from.instructions()) {
    if (inst->opcode == Opcode::kParameter && arguments != nullptr) {
      map[inst.get()] = (*arguments)[inst->parameter_number];
      continue;
    }
    std::vector<Instruction*> operands;
    for (const Instruction* operand : inst->operands) operands.push_back(map.at(operand));
    if (IsInlined(*inst) && caller == nullptr) {
      map[inst.get()] =
          Append(*computations.at(inst->called[0]), &operands, inst.get(), into, computations);
      continue;
    }
    Instruction* copy = into->AddClone(*inst, std::move(operands));
    if (caller != nullptr) {
      copy->provenance.Unite(caller->provenance);
    } else {
      for (Computation*& callee : copy->called) callee = computations.at(callee);
    }
    map[inst.get()] = copy;
  }
  return map.at(from.root());
}

// Returns the shape of the result, in which a size that was taken to be the bound of an operand is
// a bound, too.
Shape Relaxed(const Instruction& inst) {
  Instruction probe;
  probe.opcode = inst.opcode;
  probe.shape = inst.shape;
  probe.operands = inst.operands;
  probe.attrs = inst.attrs;
  probe.called = inst.called;
  const Shape* operand = inst.operands.empty() ? nullptr : &inst.operand(0)->shape;
  switch (inst.opcode) {
    case Opcode::kConvert:
      return WithSizes(inst.shape, SizesOf(*operand));
    case Opcode::kBroadcast: {
      std::vector<Size> sizes = SizesOf(inst.shape);
      const Ints& places = inst.GetInts(Attr::kDimensions);
      for (size_t i = 0; i < places.size(); ++i) sizes[places[i]] = SizeOf(*operand, i);
      return WithSizes(inst.shape, sizes);
    }
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCustomCall:
    case Opcode::kReshape:
    case Opcode::kBitcast:
    case Opcode::kBitcastConvert:
      return inst.shape;
    default: {
      absl::StatusOr<Shape> shape = InferShape(probe);
      return shape.ok() ? *shape : inst.shape;
    }
  }
}

// A program may state that set-dimension-size gives an array of its operand's static type. That
// type is then the bound of the result, and of everything that is computed from the result.
void RelaxSizes(Computation* computation) {
  std::unordered_set<const Instruction*> relaxed;
  for (const auto& inst : computation->instructions()) {
    bool affected = inst->opcode == Opcode::kSetDimensionSize;
    for (const Instruction* operand : inst->operands) {
      affected = affected || relaxed.contains(operand);
    }
    if (!affected) continue;
    Shape shape = Relaxed(*inst);
    if (Shape::SameIgnoringLayout(shape, inst->shape) || !ShapesAgree(shape, inst->shape)) continue;
    inst->shape = std::move(shape);
    relaxed.insert(inst.get());
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Module>> PrepareDynamic(const Module& module) {
  if (absl::Status s = CheckInlinedSize(module); !s.ok()) return s;
  auto result = std::make_unique<Module>(module.name());
  result->num_replicas = module.num_replicas;
  result->num_partitions = module.num_partitions;
  result->aliases = module.aliases;
  result->donors = module.donors;
  ComputationMap computations;
  for (const Computation* from : module.PostOrder()) {
    Computation* into = result->AddComputation(from->name());
    into->set_root(Append(*from, nullptr, nullptr, into, computations));
    computations[from] = into;
    RelaxSizes(into);
  }
  result->set_entry(computations.at(module.entry()));
  result->RemoveUnreachableComputations();
  return result;
}

}  // namespace halyard::hlo
