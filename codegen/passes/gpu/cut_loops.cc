#include "codegen/passes/gpu/cut_loops.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::Stmt;
using Halide::Internal::Variable;

Stmt CutLoops::visit(const For* loop) {
  if (loop->for_type == ForType::GPUBlock) {
    const std::string outside = group_;
    if (absl::EndsWith(loop->name, "block_id_x")) group_ = loop->name;
    Stmt result = IRMutator::visit(loop);
    group_ = outside;
    return result;
  }
  if (group_.empty() || loop->for_type != ForType::Serial ||
      !absl::EndsWith(loop->name, absl::StrCat(".", cut_.loop)))
    return IRMutator::visit(loop);
  const auto [first, end] = cut_.steps(Variable::make(Halide::Int(32), group_));
  // The loop starts at 0 and plainly has at least one step. Otherwise LLVM tests before the loop
  // whether there are steps, and products of warps would stand behind a condition.
  const Expr step = Variable::make(loop->min.type(), loop->name);
  const Expr extent = Halide::max(Halide::min(end, loop->min + loop->extent) - first, 1);
  return For::make(loop->name, 0, extent, loop->for_type, loop->partition_policy, loop->device_api,
                   substitute(loop->name, step + first, loop->body));
}

}  // namespace halyard::lowering
