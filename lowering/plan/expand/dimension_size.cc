// get-dimension-size is a constant, because sizes are static here
// (frontend/hlo/dynamic/specialize.h).
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

absl::Status ExpandDimensionSizes(hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    Rewriter rewriter(computation.get());
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      if (inst->opcode != Opcode::kGetDimensionSize) continue;
      const int64_t size = inst->operand(0)->shape.dim(inst->GetInts(Attr::kDimensions)[0]);
      rewriter.Replace(inst, GraphBuilder(&rewriter, inst)
                                 .Splat(hlo::ElementType::kS32, static_cast<double>(size), {}));
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
