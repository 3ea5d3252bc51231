// Finds the kernels that the gradient of attention consists of: chains, from their last product
// upwards, and statistics, from their results upwards.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/attention/moves.h"
#include "lowering/kernels/kernel_form.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using ChainPlaces = std::vector<int64_t>;

constexpr size_t kMostChainOps = 256;  // between the products
constexpr size_t kMostRowOps = 16;     // between the maximum and the shift

bool Holds(const Ints& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// What is computed element by element from products of the scores' size. Places are at first
// dimensions of one value, which the caller chooses.
class ChainFinder {
 public:
  explicit ChainFinder(int64_t size) : size_(size) {}

  // Returns whether a product of the scores' size is among what `inst` is computed from.
  bool Reaches(const Instruction& inst);
  // Gives `inst` and what it is computed from their places. Returns false if they contradict each
  // other, or there are more than two products.
  bool Place(const Instruction& inst, const ChainPlaces& places);
  // Sets the form's products, their operands, and all places, now as dimensions of the scores.
  bool SetScores(int64_t key, const std::vector<bool>& is_row, AttentionForm* form);

  std::vector<const Instruction*> dots;
  std::unordered_map<const Instruction*, ChainPlaces> places;

 private:
  bool IsScores(const Instruction& inst) const {
    return inst.opcode == Opcode::kDot && inst.shape.IsArray() &&
           inst.shape.NumElements() == size_ && hlo::IsFloat(inst.shape.element_type());
  }
  bool QueryOperand(const Instruction& dot, int64_t key, const std::vector<bool>& is_row,
                    int64_t* operand, int64_t* head_size) const;

  const int64_t size_;
  std::unordered_map<const Instruction*, bool> reaches_;
};

bool ChainFinder::Reaches(const Instruction& inst) {
  if (!inst.shape.IsArray() || inst.shape.NumElements() != size_) return false;
  if (IsScores(inst)) return true;
  if (!hlo::RowOf(inst.opcode).elementwise && !IsMove(inst)) return false;
  const auto [known, added] = reaches_.emplace(&inst, false);
  if (!added || reaches_.size() > kMostChainOps) return known->second;
  bool reaches = false;
  for (const Instruction* operand : inst.operands) reaches = Reaches(*operand) || reaches;
  return reaches_[&inst] = reaches;
}

bool ChainFinder::Place(const Instruction& inst, const ChainPlaces& at) {
  const auto [known, added] = places.emplace(&inst, at);
  if (!added) return known->second == at;
  if (places.size() > kMostChainOps) return false;
  if (IsScores(inst)) {
    dots.push_back(&inst);
    return dots.size() <= 2;
  }
  if (IsMove(inst)) return Place(*inst.operand(0), PlacesBefore(inst, at));
  for (const Instruction* operand : inst.operands) {
    if (!Reaches(*operand)) continue;
    if (operand->shape.dims() != inst.shape.dims() || !Place(*operand, at)) return false;
  }
  return true;
}

bool ChainFinder::QueryOperand(const Instruction& dot, int64_t key, const std::vector<bool>& is_row,
                               int64_t* operand, int64_t* head_size) const {
  const ChainPlaces& at = places.at(&dot);
  const Ints* batch[2] = {&dot.GetInts(Attr::kLhsBatchDims), &dot.GetInts(Attr::kRhsBatchDims)};
  const Ints* summed[2] = {&dot.GetInts(Attr::kLhsContractingDims),
                           &dot.GetInts(Attr::kRhsContractingDims)};
  if (summed[0]->size() != 1) return false;
  *head_size = dot.operand(0)->shape.dim((*summed[0])[0]);
  size_t place = batch[0]->size();
  for (size_t i = 0; i < place; ++i) {
    if (at[i] == key || (at[i] >= 0 && is_row[static_cast<size_t>(at[i])])) return false;
  }
  ChainPlaces free[2];
  for (int side : {0, 1}) {
    for (int64_t d = 0; d < dot.operand(side)->shape.rank(); ++d) {
      if (Holds(*batch[side], d) || Holds(*summed[side], d)) continue;
      if (at[place] != AttentionForm::kNone) free[side].push_back(at[place]);
      ++place;
    }
  }
  auto is_a_row = [&](int64_t at_dim) { return is_row[static_cast<size_t>(at_dim)]; };
  for (int side : {0, 1}) {
    // The other side has the keys, and maybe dimensions along which the last product is batched:
    // the group of heads, in gradients of keys that it shares.
    const ChainPlaces &rows = free[side], &keys = free[1 - side];
    if (rows.empty() || !std::all_of(rows.begin(), rows.end(), is_a_row) || !Holds(keys, key) ||
        std::any_of(keys.begin(), keys.end(), is_a_row)) {
      continue;
    }
    *operand = side;
    return true;
  }
  return false;
}

bool ChainFinder::SetScores(int64_t key, const std::vector<bool>& is_row, AttentionForm* form) {
  if (dots.empty() ||
      !QueryOperand(*dots[0], key, is_row, &form->query_operand, &form->head_size)) {
    return false;
  }
  form->scores = dots[0];
  if (dots.size() == 2) {
    if (!QueryOperand(*dots[1], key, is_row, &form->second_query_operand,
                      &form->second_head_size)) {
      return false;
    }
    form->second = dots[1];
  }
  const ChainPlaces& of_scores = places.at(dots[0]);
  ChainPlaces dim_of(is_row.size(), AttentionForm::kNone);
  for (size_t d = 0; d < of_scores.size(); ++d) {
    if (of_scores[d] >= 0) dim_of[static_cast<size_t>(of_scores[d])] = static_cast<int64_t>(d);
  }
  auto moved = [&](const ChainPlaces& at) {
    ChainPlaces result;
    for (int64_t place : at)
      result.push_back(place < 0 ? place : dim_of[static_cast<size_t>(place)]);
    return result;
  };
  form->is_query.assign(of_scores.size(), false);
  for (size_t c = 0; c < is_row.size(); ++c) {
    if (is_row[c]) form->is_query[static_cast<size_t>(dim_of[c])] = true;
  }
  form->key_dim = dim_of[static_cast<size_t>(key)];
  for (const auto& [inst, at] : places) form->places[inst] = moved(at);
  return true;
}

// Returns each dimension as its own place, and kNone for those of size 1.
ChainPlaces OwnPlaces(const hlo::Shape& shape) {
  ChainPlaces places;
  for (int64_t d = 0; d < shape.rank(); ++d)
    places.push_back(shape.dim(d) == 1 ? AttentionForm::kNone : d);
  return places;
}

// Gives a value of the same dimensions, apart from those of size 1, the places of `like`.
std::optional<ChainPlaces> SamePlaces(const hlo::Shape& shape, const hlo::Shape& like) {
  ChainPlaces places;
  int64_t next = 0;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (shape.dim(d) == 1) {
      places.push_back(AttentionForm::kNone);
      continue;
    }
    while (next < like.rank() && like.dim(next) == 1) ++next;
    if (next == like.rank() || like.dim(next) != shape.dim(d)) return std::nullopt;
    places.push_back(next++);
  }
  return places;
}

std::optional<AttentionForm> FindChainBehind(const Instruction& product, int64_t side) {
  const Instruction *factor = product.operand(side), *v = product.operand(1 - side);
  ChainFinder finder(factor->shape.NumElements());
  if (factor->opcode == Opcode::kDot || !finder.Reaches(*factor)) return std::nullopt;
  const ChainPlaces own = OwnPlaces(factor->shape);
  if (!finder.Place(*factor, own)) return std::nullopt;
  // The kernel reads V from memory, so it cannot be a part of the chain itself.
  for (const Instruction* value = v;; value = value->operand(0)) {
    if (finder.places.contains(value)) return std::nullopt;
    if (value->opcode != Opcode::kConvert && value->opcode != Opcode::kSlice && !IsMove(*value))
      break;
  }
  const bool left = side == 0;
  const Ints& p_batch = product.GetInts(left ? Attr::kLhsBatchDims : Attr::kRhsBatchDims);
  const Ints& v_batch = product.GetInts(left ? Attr::kRhsBatchDims : Attr::kLhsBatchDims);
  const Ints& p_summed =
      product.GetInts(left ? Attr::kLhsContractingDims : Attr::kRhsContractingDims);
  const Ints& v_summed =
      product.GetInts(left ? Attr::kRhsContractingDims : Attr::kLhsContractingDims);
  AttentionForm form;
  form.kind = AttentionForm::Kind::kChain;
  form.product = &product;
  form.weights_operand = side;
  int64_t key = AttentionForm::kNone;
  for (int64_t d : p_summed) {
    if (own[static_cast<size_t>(d)] == AttentionForm::kNone) continue;
    if (key != AttentionForm::kNone) return std::nullopt;
    key = d;
  }
  if (key == AttentionForm::kNone) return std::nullopt;
  ChainPlaces at, p_free, v_free;
  std::vector<bool> is_row(own.size(), false);
  for (int64_t d : p_batch) at.push_back(own[static_cast<size_t>(d)]);
  for (int64_t d = 0; d < factor->shape.rank(); ++d) {
    if (Holds(p_batch, d) || Holds(p_summed, d)) continue;
    p_free.push_back(own[static_cast<size_t>(d)]);
    if (p_free.back() != AttentionForm::kNone) is_row[static_cast<size_t>(d)] = true;
  }
  int values = 0;
  for (int64_t d = 0; d < v->shape.rank(); ++d) {
    if (Holds(v_batch, d) || Holds(v_summed, d)) continue;
    const bool one = v->shape.dim(d) == 1;
    v_free.push_back(one ? AttentionForm::kNone : AttentionForm::kValueDim);
    if (!one) form.value_size = v->shape.dim(d);
    values += one ? 0 : 1;
  }
  if (values != 1 || std::find(is_row.begin(), is_row.end(), true) == is_row.end())
    return std::nullopt;
  const ChainPlaces &first = left ? p_free : v_free, &second = left ? v_free : p_free;
  at.insert(at.end(), first.begin(), first.end());
  at.insert(at.end(), second.begin(), second.end());
  finder.places[&product] = at;
  return finder.SetScores(key, is_row, &form) ? std::optional(std::move(form)) : std::nullopt;
}

// Sets logits, weights, sum, max and shift, if the sum is of exp(logits - shift).
bool SetSoftmax(const Instruction& max, const Instruction& sum, AttentionForm* form) {
  form->max = &max;
  form->sum = &sum;
  form->logits = max.operand(0);
  form->weights = BehindConverts(sum.operand(0));
  if (form->weights->opcode != Opcode::kExp) return false;
  const Instruction* difference = BehindConverts(form->weights->operand(0));
  if (difference->opcode != Opcode::kSubtract) return false;
  form->shift = difference->operand(1);
  return BehindConverts(difference->operand(0)) == form->logits;
}

// Sets the ops between the shift and the maximum, if the shift is the same for all keys and follows
// from the maximum of its own row. `at` are the places of the shift, and `rows` those of the
// maximum.
bool SetRowOps(ChainPlaces at, const ChainPlaces& rows, int64_t key, AttentionForm* form) {
  const Instruction* row = form->shift;
  while (row != form->max) {
    if (form->row_ops.size() == kMostRowOps) return false;
    form->row_ops.push_back(row);
    if (row->opcode == Opcode::kBroadcast) {
      ChainPlaces before;
      for (int64_t d : row->GetInts(Attr::kDimensions)) {
        const bool one = row->operand(0)->shape.dim(static_cast<int64_t>(before.size())) == 1;
        before.push_back(one ? AttentionForm::kNone : at[static_cast<size_t>(d)]);
      }
      at = before;
      row = row->operand(0);
    } else if (IsMove(*row)) {
      at = PlacesBefore(*row, at);
      row = row->operand(0);
    } else if (IsFloatConvert(*row)) {
      row = row->operand(0);
    } else if (row->opcode == Opcode::kMaximum && ConstantOfAll(*row->operand(1)) != nullptr) {
      row = row->operand(0);
    } else if (row->opcode == Opcode::kMaximum && ConstantOfAll(*row->operand(0)) != nullptr) {
      row = row->operand(1);
    } else {
      return false;
    }
  }
  return at == rows && !Holds(at, key);
}

}  // namespace

std::optional<AttentionForm> FindChain(const Instruction& product) {
  if (product.opcode != Opcode::kDot || !hlo::IsFloat(product.shape.element_type()))
    return std::nullopt;
  for (int64_t side : {0, 1}) {
    if (std::optional<AttentionForm> form = FindChainBehind(product, side)) return form;
  }
  return std::nullopt;
}

std::optional<AttentionForm> FindStatistics(const Instruction& tuple) {
  if (tuple.opcode != Opcode::kTuple || tuple.operands.size() < 2 || tuple.operands.size() > 3)
    return std::nullopt;
  const Instruction &max = *tuple.operand(0), &sum = *tuple.operand(1);
  if (!IsFoldBy(max, Opcode::kMaximum) || !IsFoldBy(sum, Opcode::kAdd)) return std::nullopt;
  AttentionForm form;
  form.kind = AttentionForm::Kind::kStatistics;
  if (!SetSoftmax(max, sum, &form)) return std::nullopt;
  const hlo::Shape& like = form.logits->shape;
  ChainFinder finder(like.NumElements());
  // The scores come first.
  std::vector<const Instruction*> folds = {&max, &sum};
  if (tuple.operands.size() == 3) {
    form.extra = tuple.operand(2);
    if (!IsFoldBy(*form.extra, Opcode::kAdd)) return std::nullopt;
    folds.push_back(form.extra);
  }
  const ChainPlaces own = OwnPlaces(like);
  int64_t key = AttentionForm::kNone;
  ChainPlaces rows;
  for (const Instruction* fold : folds) {
    const std::optional<ChainPlaces> at = SamePlaces(fold->operand(0)->shape, like);
    if (!at.has_value() || !finder.Reaches(*fold->operand(0)) ||
        !finder.Place(*fold->operand(0), *at) || fold->shape.dims() != max.shape.dims()) {
      return std::nullopt;
    }
    ChainPlaces left;
    for (size_t d = 0; d < at->size(); ++d) {
      if (!Holds(fold->GetInts(Attr::kDimensions), static_cast<int64_t>(d))) {
        left.push_back((*at)[d]);
        continue;
      }
      if ((*at)[d] == AttentionForm::kNone) continue;
      if (key != AttentionForm::kNone && key != (*at)[d]) return std::nullopt;
      key = (*at)[d];
    }
    if (fold != &max && left != rows) return std::nullopt;
    rows = left;
  }
  if (key == AttentionForm::kNone || (finder.dots.size() == 2) != (form.extra != nullptr))
    return std::nullopt;
  // The rows are what the first product has beside the keys, on the other side.
  const Instruction& scores = *finder.dots[0];
  std::vector<bool> is_row(own.size(), false);
  const ChainPlaces& at = finder.places.at(&scores);
  for (size_t d = scores.GetInts(Attr::kLhsBatchDims).size(); d < at.size(); ++d) {
    if (at[d] != AttentionForm::kNone && at[d] != key) is_row[static_cast<size_t>(at[d])] = true;
  }
  const auto weights = finder.places.find(form.weights);
  if (weights == finder.places.end() || !SetRowOps(weights->second, rows, key, &form))
    return std::nullopt;
  finder.places[&max] = rows;
  finder.places[form.shift] = weights->second;
  return finder.SetScores(key, is_row, &form) ? std::optional(std::move(form)) : std::nullopt;
}

}  // namespace halyard::lowering
