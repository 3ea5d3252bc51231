#include <unordered_set>

#include "frontend/hlo/ir/call_graph.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

// map applies a computation of scalars to each element: the same ops on whole arrays.
absl::Status InlineMap(Rewriter& rewriter, Instruction* map) {
  const std::vector<Instruction*> results =
      ApplyToArrays(rewriter, *map, *map->called[0], map->operands, map->shape.dims());
  if (results.size() != 1) {
    return LocatedError(absl::StatusCode::kUnimplemented, *map,
                        "only elementwise ops are supported in the computation of a map or a "
                        "collective: no loops, branches and reductions");
  }
  rewriter.Replace(map, results[0]);
  return absl::OkStatus();
}

// Loops and branches of a computation that was inlined twice: each its own copy, since passes
// change them by their users.
void Unshare(hlo::Computation* computation, std::unordered_set<hlo::Computation*>& seen) {
  for (const auto& inst : computation->instructions()) {
    if (inst->opcode != Opcode::kWhile && inst->opcode != Opcode::kConditional) continue;
    for (hlo::Computation*& callee : inst->called) {
      if (!seen.insert(callee).second) {
        callee = hlo::CloneComputation(*callee, callee->module());
        seen.insert(callee);
      }
      Unshare(callee, seen);
    }
  }
}

}  // namespace

absl::Status InlineCalls(hlo::Module& module) {
  if (absl::Status s = hlo::CheckInlinedSize(module); !s.ok()) return s;
  // Callees come first, so an inlined computation contains no calls.
  for (hlo::Computation* computation : module.PostOrder()) {
    Rewriter rewriter(computation);
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      if (inst->opcode == Opcode::kCall || inst->opcode == Opcode::kFusion) {
        Instruction* root = InlineInto(*inst->called[0], inst->operands, computation, inst);
        rewriter.Replace(inst, root);
        Rewriter::Discard(inst);
      } else if (inst->opcode == Opcode::kMap) {
        if (absl::Status s = InlineMap(rewriter, inst); !s.ok()) return s;
      }
    }
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  module.RemoveUnreachableComputations();
  std::unordered_set<hlo::Computation*> seen = {module.entry()};
  Unshare(module.entry(), seen);
  return absl::OkStatus();
}

}  // namespace halyard::lowering
