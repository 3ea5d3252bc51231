// Communication. A program of one process, replica 0 and partition 0, has collectives that return
// what it gives itself. With more, collectives become exchanges, and ids stay what they are.
#include "frontend/hlo/processes/communication.h"

#include <algorithm>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/expand/collectives.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"
#include "runtime/program/verify_communication.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

// Each operand is its own result, in the combiner's type.
Instruction* OwnOperands(Rewriter& rewriter, Instruction* inst) {
  bool tuple = inst->shape.IsTuple();
  std::vector<Instruction*> results;
  for (size_t i = 0; i < inst->operands.size(); ++i) {
    Instruction* operand = inst->operands[i];
    const Shape& shape = tuple ? inst->shape.elements()[i] : inst->shape;
    if (operand->shape.element_type() != shape.element_type()) {
      operand = rewriter.Add(*inst, Opcode::kConvert, shape, {operand});
    }
    results.push_back(operand);
  }
  return tuple ? rewriter.Add(*inst, Opcode::kTuple, inst->shape, results) : results[0];
}

Instruction* ExpandOne(Rewriter& rewriter, Instruction* inst) {
  switch (inst->opcode) {
    case Opcode::kCollectivePermute: {
      const hlo::IntLists& pairs = inst->GetIntLists(Attr::kSourceTargetPairs);
      return pairs.empty() ? rewriter.AddZeros(*inst)
                           : inst->operands[0];  // (0, 0) is the only pair
    }
    case Opcode::kReplicaId:
    case Opcode::kPartitionId:
      return rewriter.AddZeros(*inst);
    case Opcode::kCollectiveBroadcast: {
      bool member = false;
      for (const hlo::ProcessGroup& group : hlo::GroupsOf(*inst, hlo::GridShape())) {
        member = member || !group.empty();
      }
      return member ? inst->operands[0] : rewriter.AddZeros(*inst);
    }
    default:
      return OwnOperands(rewriter, inst);
  }
}

}  // namespace

absl::Status ExpandCommunication(hlo::Module& module) {
  const hlo::GridShape grid{module.num_replicas, module.num_partitions};
  static_assert(hlo::kMaxProcesses == runtime::kMaxProcesses, "the verifier of Programs knows it");
  if (absl::Status s = hlo::CheckGrid(grid); !s.ok()) return s;
  absl::Status expanded = RewriteEach(module, [&](Rewriter& rewriter, Instruction* inst) {
    if (!hlo::IsCommunication(inst->opcode) || hlo::RowOf(inst->opcode).has_side_effect)
      return absl::OkStatus();
    absl::Status fits = hlo::CheckCommunication(*inst, grid);
    if (!fits.ok()) return LocatedError(fits.code(), *inst, fits.message());
    if (grid.size() == 1) {
      rewriter.Replace(inst, ExpandOne(rewriter, inst));
    } else if (hlo::IsCollective(inst->opcode)) {
      absl::StatusOr<Instruction*> expanded = ExpandCollective(rewriter, inst, grid);
      if (!expanded.ok()) return expanded.status();
      rewriter.Replace(inst, *expanded);
    }
    return absl::OkStatus();
  });
  if (expanded.ok()) module.RemoveUnreachableComputations();
  return expanded;
}

}  // namespace halyard::lowering
