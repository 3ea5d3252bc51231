// Reductions over outer dimensions and a short innermost one, as a group norm of channels-last
// images has: the outer dimensions first, whose columns lie side by side, then the rest of little.
// Done at once, each column would be a few elements here and there.
#include <algorithm>

#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

// Beyond the first bound, the innermost dimension fills vectors and sectors of memory by itself;
// below the second, the columns do not; what is written in between must be little; and so few
// elements are not worth a second kernel.
constexpr int64_t kMaxInner = 32;
constexpr int64_t kMinColumns = 16;
constexpr int64_t kMinOuter = 64;
constexpr int64_t kMinElements = 4096;

bool Reduces(const Instruction& reduce, int64_t d) {
  const Ints& reduced = reduce.GetInts(Attr::kDimensions);
  return std::find(reduced.begin(), reduced.end(), d) != reduced.end();
}

// Returns the first of the innermost dimensions to be reduced afterwards, or -1.
int64_t FirstInner(const Instruction& reduce) {
  const Shape& shape = reduce.operand(0)->shape;
  auto is_reduced = [&](int64_t d) { return Reduces(reduce, d); };
  int64_t inner = 1, columns = 1, outer = 1;
  int64_t first = shape.rank();
  while (first > 0 && (is_reduced(first - 1) || shape.dim(first - 1) == 1))
    inner *= shape.dim(--first);
  int64_t d = first;
  for (; d > 0 && !is_reduced(d - 1); --d) columns *= shape.dim(d - 1);
  for (; d > 0; --d) outer *= is_reduced(d - 1) ? shape.dim(d - 1) : 1;
  const bool pays = inner > 1 && inner <= kMaxInner && columns > 1 &&
                    inner * columns >= kMinColumns && outer >= kMinOuter &&
                    shape.NumElements() >= kMinElements;
  return pays ? first : -1;
}

// Returns whether partial results are as exact as the whole: sums of narrow floats are rounded
// when they are complete.
bool MayStop(Opcode opcode, ElementType type) {
  const bool rounds = opcode == Opcode::kAdd || opcode == Opcode::kMultiply;
  return !rounds || !hlo::IsFloat(type) || hlo::BitWidth(type) >= 32;
}

absl::Status Split(Rewriter& rewriter, Instruction* inst, bool* changed) {
  if (inst->opcode != Opcode::kReduce || inst->operands.size() != 2) return absl::OkStatus();
  const Shape& shape = inst->operand(0)->shape;
  const Opcode opcode = OneOpOf(*inst->called[0]);
  if (inst->called[0]->root()->shape.element_type() != shape.element_type() ||
      !MayStop(opcode, shape.element_type()))
    return absl::OkStatus();
  const std::vector<Literal> neutral = NeutralElement(opcode, shape.element_type());
  const int64_t first = neutral.empty() ? -1 : FirstInner(*inst);
  if (first < 0) return absl::OkStatus();
  Ints outer, inner;
  std::vector<int64_t> kept;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const bool is_reduced = Reduces(*inst, d);
    if (is_reduced && d < first) {
      outer.push_back(d);
      continue;
    }
    if (is_reduced) inner.push_back(static_cast<int64_t>(kept.size()));
    kept.push_back(shape.dim(d));
  }
  Instruction* start = rewriter.AddConstant(*inst, neutral[0]);
  Instruction* columns =
      rewriter.Add(*inst, Opcode::kReduce, shape.WithDims(kept), {inst->operands[0], start},
                   OneAttr(Attr::kDimensions, outer), inst->called);
  rewriter.Replace(inst,
                   rewriter.Add(*inst, Opcode::kReduce, inst->shape, {columns, inst->operands[1]},
                                OneAttr(Attr::kDimensions, inner), inst->called));
  *changed = true;
  return absl::OkStatus();
}

}  // namespace

absl::Status SplitReductions(hlo::Module& module, bool* changed) {
  return RewriteEach(module, [&](Rewriter& rewriter, Instruction* inst) {
    return Split(rewriter, inst, changed);
  });
}

}  // namespace halyard::lowering
