// get-dimension-size is a constant; set-dimension-size is its operand, if the size is known to be
// the dimension's.
#include "absl/strings/str_cat.h"
#include "frontend/hlo/constant_value.h"
#include "lowering/passes/graph_builder.h"
#include "lowering/passes/passes.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

absl::Status RequireWholeSize(const Instruction& inst) {
  const int64_t dim = inst.GetInts(Attr::kDimensions)[0], bound = inst.shape.dim(dim);
  if (!hlo::IsConstantExpression(*inst.operand(1))) {
    return LocatedError(absl::StatusCode::kUnimplemented, inst,
                        "bounded sizes are not supported yet: the size must be a constant");
  }
  absl::StatusOr<hlo::Literal> size = hlo::ConstantValue(*inst.operand(1));
  if (!size.ok()) return LocatedError(size.status().code(), inst, size.status().message());
  if (size->GetInt(0) == bound) return absl::OkStatus();
  return LocatedError(absl::StatusCode::kUnimplemented, inst,
                      absl::StrCat("bounded sizes are not supported yet: size ", size->GetInt(0),
                                   " of dimension ", dim, " is not its bound ", bound));
}

}  // namespace

absl::Status ExpandDimensionSizes(hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    Rewriter rewriter(computation.get());
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      if (inst->opcode == Opcode::kGetDimensionSize) {
        const int64_t size = inst->operand(0)->shape.dim(inst->GetInts(Attr::kDimensions)[0]);
        rewriter.Replace(inst, GraphBuilder(&rewriter, inst)
                                   .Splat(hlo::ElementType::kS32, static_cast<double>(size), {}));
      } else if (inst->opcode == Opcode::kSetDimensionSize) {
        if (absl::Status s = RequireWholeSize(*inst); !s.ok()) return s;
        rewriter.Replace(inst, inst->operands[0]);
      }
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
