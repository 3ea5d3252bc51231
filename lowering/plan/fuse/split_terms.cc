// Weights with a scale for each block of terms (int4, mostly): a program multiplies them in one
// form, where the terms are blocks and terms of a block, and merges the two for the product. A
// kernel has no reshape that moves elements between dimensions, so both forms would be arrays. The
// product sums over two dimensions as well as over one, and then the weights can be made where it
// reads them.
#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/fuse/fusion_group.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"
#include "lowering/plan/simplify/rules.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

constexpr Attr kContracting[] = {Attr::kLhsContractingDims, Attr::kRhsContractingDims};
constexpr Attr kBatch[] = {Attr::kLhsBatchDims, Attr::kRhsBatchDims};

// Returns the sizes before a reshape of those dimensions that it merges into dimension `dim`, or
// nothing if it does anything else.
std::optional<Dims> PartsOf(const Instruction& reshape, int64_t dim) {
  const Dims &from = reshape.operand(0)->shape.dims(), &to = reshape.shape.dims();
  if (from.size() <= to.size()) return std::nullopt;
  const auto before = from.begin() + dim;
  const auto after = from.end() - (static_cast<int64_t>(to.size()) - dim - 1);
  if (!std::equal(from.begin(), before, to.begin()) ||
      !std::equal(after, from.end(), to.begin() + dim + 1)) {
    return std::nullopt;
  }
  return Dims(before, after);
}

// The dimensions after `dim` has become `count` of them.
Ints Moved(Ints dims, int64_t dim, int64_t count) {
  for (int64_t& d : dims) d += d > dim ? count - 1 : 0;
  return dims;
}

// Takes conversions of plain arrays before a reshape instead of behind it: it costs nothing there.
Instruction* WithoutReshape(Rewriter& rewriter, Instruction* operand) {
  if (operand->opcode != Opcode::kReshape) return operand;
  Instruction* convert = rewriter.Resolve(operand->operands[0]);
  if (convert->opcode != Opcode::kConvert || hlo::RowOf(convert->operand(0)->opcode).elementwise)
    return operand;
  const Dims& dims = operand->shape.dims();
  Instruction* plain = rewriter.AddReshape(*operand, rewriter.Resolve(convert->operands[0]), dims);
  return rewriter.Add(*convert, Opcode::kConvert, convert->shape.WithDims(dims), {plain});
}

// Returns whether the product has changed.
bool SplitIn(Rewriter& rewriter, Instruction* dot, int side) {
  const Instruction& merged = *dot->operand(side);
  if (merged.opcode != Opcode::kReshape || merged.shape.NumElements() == 0) return false;
  const Instruction& matrix = *merged.operand(0);
  const Ints terms = dot->GetInts(kContracting[side]);
  const Ints other_terms = dot->GetInts(kContracting[1 - side]);
  if (!IsElementwise(matrix) || !MakesWeights(matrix) || terms.size() != 1) return false;
  // Each element of the matrix is read once.
  if (dot->shape.NumElements() * merged.shape.dim(terms[0]) != merged.shape.NumElements())
    return false;
  const std::optional<Dims> parts = PartsOf(merged, terms[0]);
  if (!parts.has_value()) return false;
  const int64_t count = static_cast<int64_t>(parts->size());

  std::vector<Instruction*> made;
  for (Instruction* operand : matrix.operands)
    made.push_back(WithoutReshape(rewriter, rewriter.Resolve(operand)));
  std::vector<Instruction*> operands(2);
  operands[side] = rewriter.Add(matrix, matrix.opcode, matrix.shape, std::move(made), matrix.attrs,
                                matrix.called);
  const Instruction& other = *dot->operand(1 - side);
  Dims dims = other.shape.dims();
  dims.erase(dims.begin() + other_terms[0]);
  dims.insert(dims.begin() + other_terms[0], parts->begin(), parts->end());
  operands[1 - side] = rewriter.AddReshape(*dot, rewriter.Resolve(dot->operands[1 - side]), dims);

  hlo::AttrMap attrs = dot->attrs;
  for (auto [s, term] : {std::pair{side, terms[0]}, std::pair{1 - side, other_terms[0]}}) {
    Ints all;
    for (int64_t i = 0; i < count; ++i) all.push_back(term + i);
    attrs.Set(kContracting[s], all);
    if (dot->Has(kBatch[s])) attrs.Set(kBatch[s], Moved(dot->GetInts(kBatch[s]), term, count));
  }
  rewriter.Replace(dot, rewriter.Add(*dot, Opcode::kDot, dot->shape, std::move(operands), attrs));
  return true;
}

absl::Status SplitIn(hlo::Computation* computation) {
  Rewriter rewriter(computation);
  const auto users = computation->Users();
  for (Instruction* inst : rewriter.Snapshot()) {
    if (inst->opcode != Opcode::kDot) continue;
    for (int side : {1, 0}) {
      // Other readers would need the weights as they are, too.
      const Instruction* merged = inst->operand(side);
      if (merged->opcode == Opcode::kReshape && users.at(merged).size() == 1 &&
          users.at(merged->operand(0)).size() == 1 && SplitIn(rewriter, inst, side)) {
        break;
      }
    }
  }
  return rewriter.changed() ? rewriter.Finish() : absl::OkStatus();
}

}  // namespace

absl::Status SplitTerms(hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    if (absl::Status s = SplitIn(computation.get()); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
