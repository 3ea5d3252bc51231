// Gives the attention of training steps the form that its kernels have (attention_gradients.cc).
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/attention/moves.h"
#include "lowering/kernels/attention/warps.h"
#include "lowering/plan/fuse/attention_training.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

namespace {

// From this size on, arrays of scores cost more than computing them again.
constexpr int64_t kLeastBytes = 256 << 10;
constexpr int64_t kLeastRows = 16, kLeastColumns = 64;

// The dimensions of `from` that those of `to` are, or none if `to` is not `from` behind moves.
std::optional<std::vector<int64_t>> PlacesBehindMoves(const Instruction* to,
                                                      const Instruction* from) {
  std::vector<const Instruction*> moves;
  for (; to != from; to = to->operand(0)) {
    if (!IsMove(*to)) return std::nullopt;
    moves.push_back(to);
  }
  std::vector<int64_t> places;
  for (int64_t d = 0; d < from->shape.rank(); ++d)
    places.push_back(from->shape.dim(d) == 1 ? AttentionForm::kNone : d);
  for (auto move = moves.rbegin(); move != moves.rend(); ++move)
    places = MovedPlaces(**move, places);
  return places;
}

// The places of what a reduce leaves, without dimensions of size 1, from those of its operand.
std::vector<int64_t> RowPlaces(const Instruction& reduce, const std::vector<int64_t>& places) {
  const hlo::Ints& summed = reduce.GetInts(Attr::kDimensions);
  std::vector<int64_t> rows;
  for (size_t d = 0; d < places.size(); ++d) {
    if (places[d] == AttentionForm::kNone) continue;
    if (std::find(summed.begin(), summed.end(), static_cast<int64_t>(d)) == summed.end())
      rows.push_back(places[d]);
  }
  return rows;
}

// Where the program takes the maxima before it moves the logits, and the sums afterwards, takes
// them afterwards, too: the statistics have one shape.
void AlignMaximum(const AttentionTraining& group, Rewriter& rewriter) {
  Instruction* max = group.max;
  Instruction* logits = BehindConverts(group.exponential->operands[0]);
  if (logits->opcode != Opcode::kSubtract) return;
  logits = logits->operands[0];
  if (logits == max->operand(0)) return;
  const auto own = PlacesBehindMoves(max->operand(0), max->operand(0)),
             moved = PlacesBehindMoves(logits, max->operand(0));
  if (!moved.has_value()) return;
  const std::vector<int64_t> before = RowPlaces(*max, *own), after = RowPlaces(*group.sum, *moved);
  if (before.size() != after.size()) return;
  std::vector<int64_t> order, dims;
  for (int64_t row : before) {
    const auto found = std::find(after.begin(), after.end(), row);
    if (found == after.end()) return;
    order.push_back(found - after.begin());
  }
  for (int64_t row : after) dims.push_back(max->operand(0)->shape.dim(row));
  Instruction* aligned = rewriter.Add(
      *max, Opcode::kReduce, max->shape.WithDims(group.sum->shape.dims()),
      {logits, max->operands[1]}, OneAttr(Attr::kDimensions, group.sum->GetInts(Attr::kDimensions)),
      {max->called[0]});
  Instruction* rows = rewriter.AddReshape(*max, aligned, dims);
  rows = rewriter.AddTranspose(*max, rows, order);
  rewriter.Replace(max, rewriter.AddReshape(*max, rows, max->shape.dims()));
}

// A product that sums over several dimensions, as the gradients of keys and values that a group of
// heads shares.
struct SplitProduct {
  Instruction* dot = nullptr;    // sums over the longest of them only, in f32
  Instruction* whole = nullptr;  // what the product is: the sum over the others
};

// Returns the product as it is if it sums over one dimension, apart from those of size 1. `add`
// adds two numbers of f32.
SplitProduct Split(Instruction* product, Computation* add, Rewriter& rewriter) {
  const hlo::Ints &lhs = product->GetInts(Attr::kLhsContractingDims),
                  &rhs = product->GetInts(Attr::kRhsContractingDims);
  const Shape& left = product->operand(0)->shape;
  size_t longest = 0;
  for (size_t i = 1; i < lhs.size(); ++i)
    if (left.dim(lhs[i]) >= left.dim(lhs[longest])) longest = i;
  hlo::Ints summed[2],
      batch[2] = {product->GetInts(Attr::kLhsBatchDims), product->GetInts(Attr::kRhsBatchDims)};
  const int64_t batches = static_cast<int64_t>(batch[0].size());
  std::vector<int64_t> dims(product->shape.dims().begin(), product->shape.dims().begin() + batches);
  hlo::Ints others;
  for (size_t i = 0; i < lhs.size(); ++i) {
    const bool stays = i == longest || left.dim(lhs[i]) == 1;
    (stays ? summed : batch)[0].push_back(lhs[i]);
    (stays ? summed : batch)[1].push_back(rhs[i]);
    if (stays) continue;
    others.push_back(static_cast<int64_t>(dims.size()));
    dims.push_back(left.dim(lhs[i]));
  }
  if (others.empty()) return {product, product};
  dims.insert(dims.end(), product->shape.dims().begin() + batches, product->shape.dims().end());
  hlo::AttrMap attrs = product->attrs;
  attrs.Set(Attr::kLhsContractingDims, summed[0]);
  attrs.Set(Attr::kRhsContractingDims, summed[1]);
  attrs.Set(Attr::kLhsBatchDims, batch[0]);
  attrs.Set(Attr::kRhsBatchDims, batch[1]);
  SplitProduct split;
  split.dot = rewriter.Add(*product, Opcode::kDot, Shape::Array(ElementType::kF32, dims),
                           product->operands, std::move(attrs));
  Instruction* zero =
      rewriter.AddConstant(*product, hlo::Literal(Shape::Scalar(ElementType::kF32)));
  split.whole = rewriter.Add(*product, Opcode::kReduce,
                             Shape::Array(ElementType::kF32, product->shape.dims()),
                             {split.dot, zero}, OneAttr(Attr::kDimensions, others), {add});
  if (product->shape.element_type() != ElementType::kF32)
    split.whole = rewriter.Add(*product, Opcode::kConvert, product->shape, {split.whole});
  return split;
}

}  // namespace

bool TensorCoresTake(const AttentionForm& form, const runtime::DeviceInfo& device) {
  const Shape& scores = form.scores->shape;
  const int64_t second = form.second == nullptr ? 0 : form.second->shape.ByteSize();
  const int64_t bytes = std::max(scores.ByteSize(), second);
  int64_t rows = 1;
  for (int64_t d = 0; d < scores.rank(); ++d)
    if (form.is_query[static_cast<size_t>(d)]) rows *= scores.dim(d);
  return rows >= kLeastRows && scores.dim(form.key_dim) >= kLeastColumns && bytes >= kLeastBytes &&
         WarpsFor(form, device).has_value();
}

bool IsUnwanted(const AttentionTraining& group, const PlanChoices& choices) {
  return std::any_of(group.products.begin(), group.products.end(), [&](const Instruction* dot) {
    const auto choice = choices.attention.find(dot->name);
    return choice != choices.attention.end() && !choice->second;
  });
}

absl::Status PrepareAttentionTraining(Computation* sequence, const runtime::DeviceInfo& device,
                                      const PlanChoices& choices) {
  Rewriter rewriter(sequence);
  const UserMap users = sequence->Users();
  bool looked = false;
  for (Instruction* inst : rewriter.Snapshot()) {
    if (inst->opcode != Opcode::kReduce || IsOnHost(*inst)) continue;
    const std::optional<AttentionTraining> group = FindAttentionTraining(inst, users);
    if (!group.has_value() || group->sum->shape.element_type() != ElementType::kF32 ||
        IsUnwanted(*group, choices)) {
      continue;
    }
    looked = true;
    std::vector<SplitProduct> splits;
    for (Instruction* product : group->products)
      splits.push_back(Split(product, group->sum->called[0], rewriter));
    const bool taken = std::all_of(splits.begin(), splits.end(), [&](const SplitProduct& split) {
      const std::optional<AttentionForm> form = FindChain(*split.dot);
      return form.has_value() && TensorCoresTake(*form, device);
    });
    if (!taken) continue;
    for (size_t i = 0; i < splits.size(); ++i)
      rewriter.Replace(group->products[i], splits[i].whole);
    AlignMaximum(*group, rewriter);
  }
  return looked ? rewriter.Finish() : absl::OkStatus();
}

}  // namespace halyard::lowering
