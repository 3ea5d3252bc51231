// Finds attention in a graph, from its last product upwards.
#include <algorithm>
#include <unordered_set>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/attention/moves.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using Places = std::vector<int64_t>;

constexpr int kMostVisited = 256;  // instructions between the products, with what they read

bool Has(const Ints& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool IsReduceOf(const Instruction& inst, Opcode opcode) {
  if (inst.opcode != Opcode::kReduce || inst.operands.size() != 2) return false;
  const hlo::Computation& body = *inst.called[0];
  return body.instructions().size() == 3 && body.root()->opcode == opcode &&
         body.root()->operand(0) != body.root()->operand(1);
}

class Finder {
 public:
  explicit Finder(const Instruction& product) { form_.product = &product; }
  std::optional<AttentionForm> Find(int64_t weights_operand);

 private:
  bool FindScores();
  bool Validate();
  // Returns whether `inst` is computed from `source` on a way that avoids `without`.
  bool Depends(const Instruction* inst, const Instruction* source,
               const std::vector<const Instruction*>& without);
  bool FindReductions();
  bool SetKeyDim();
  bool SetPlaces(const Instruction* inst);
  bool PlaceOperands(const Instruction& inst, Places* places);
  bool PlaceBroadcast(const Instruction& inst, Places* places);
  bool PlaceProduct();
  bool DividesRows() const;
  bool SumsWeights() const;
  const Instruction* FindShift() const;

  AttentionForm form_;
  std::vector<const Instruction*> candidates_;
};

// Collects the dots of the same size as the divide, from which it is computed through values of
// that size.
bool Finder::FindScores() {
  const int64_t size = form_.divide->shape.NumElements();
  std::vector<const Instruction*> work = {form_.divide};
  std::unordered_set<const Instruction*> seen = {form_.divide};
  while (!work.empty()) {
    const Instruction* inst = work.back();
    work.pop_back();
    if (inst->opcode == Opcode::kDot) {
      candidates_.push_back(inst);
      continue;
    }
    if (!hlo::RowOf(inst->opcode).elementwise && !IsMove(*inst)) continue;
    for (const Instruction* operand : inst->operands) {
      if (!operand->shape.IsArray() || operand->shape.NumElements() != size) continue;
      if (seen.insert(operand).second) work.push_back(operand);
      if (seen.size() > kMostVisited) return false;
    }
  }
  return !candidates_.empty();
}

bool Finder::Depends(const Instruction* inst, const Instruction* source,
                     const std::vector<const Instruction*>& without) {
  const int64_t size = source->shape.NumElements();
  size_t visited = 0;
  auto next = [&](const Instruction& at) {
    if (std::find(without.begin(), without.end(), &at) != without.end())
      return std::vector<Instruction*>();
    const bool goes_on = hlo::RowOf(at.opcode).elementwise || IsMove(at) ||
                         at.opcode == Opcode::kBroadcast || at.opcode == Opcode::kReduce;
    // The search stops far from the scores, because the graph above them may be large.
    if (!goes_on || ++visited > kMostVisited || at.shape.NumElements() > size)
      return std::vector<Instruction*>();
    return at.operands;
  };
  return Reaches(
      *inst, [&](const Instruction& at) { return &at == source; }, next);
}

// Finds the two reductions: the sum that the normalizer comes from, and the maximum that the
// weights come from.
bool Finder::FindReductions() {
  auto find = [&](const Instruction* from, Opcode opcode) -> const Instruction* {
    std::vector<const Instruction*> work = {from};
    std::unordered_set<const Instruction*> seen = {from};
    const Instruction* found = nullptr;
    while (!work.empty()) {
      const Instruction* at = work.back();
      work.pop_back();
      if (at->opcode == Opcode::kReduce) {
        if (!Depends(at, form_.scores, {})) continue;
        if (!IsReduceOf(*at, opcode) || found != nullptr) return nullptr;
        found = at;
        continue;
      }
      if (at == form_.scores || at == form_.weights) continue;
      if (!hlo::RowOf(at->opcode).elementwise && !IsMove(*at) && at->opcode != Opcode::kBroadcast) {
        continue;
      }
      for (const Instruction* operand : at->operands) {
        if (seen.insert(operand).second) work.push_back(operand);
        if (seen.size() > kMostVisited) return nullptr;
      }
    }
    return found;
  };
  form_.sum = find(form_.divide->operand(1), Opcode::kAdd);
  if (form_.sum == nullptr) return false;
  const Instruction* weights = form_.weights;
  form_.weights = nullptr;  // the search may start there
  form_.max = find(weights, Opcode::kMaximum);
  form_.weights = weights;
  if (form_.max == nullptr) return false;
  form_.logits = form_.max->operand(0);
  return true;
}

bool Finder::SetKeyDim() {
  const Instruction& dot = *form_.scores;
  const Ints* batch[2] = {&dot.GetInts(Attr::kLhsBatchDims), &dot.GetInts(Attr::kRhsBatchDims)};
  const Ints* summed[2] = {&dot.GetInts(Attr::kLhsContractingDims),
                           &dot.GetInts(Attr::kRhsContractingDims)};
  // Free dimensions of either side that are not 1, as dimensions of the scores.
  std::vector<int64_t> free[2];
  int64_t place = static_cast<int64_t>(batch[0]->size());
  for (int side : {0, 1}) {
    const hlo::Shape& shape = dot.operand(side)->shape;
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (Has(*batch[side], d) || Has(*summed[side], d)) continue;
      if (shape.dim(d) != 1) free[side].push_back(place);
      ++place;
    }
  }
  if (summed[0]->size() != 1) return false;
  form_.head_size = dot.operand(0)->shape.dim((*summed[0])[0]);
  // The keys' dimension is the one over which the maximum is taken.
  form_.key_dim = -1;
  const Places& logits = form_.places.at(form_.logits);
  for (int64_t d : form_.max->GetInts(Attr::kDimensions)) {
    if (logits[d] == AttentionForm::kNone) continue;
    if (form_.key_dim >= 0) return false;
    form_.key_dim = logits[d];
  }
  for (int side : {0, 1}) {
    if (free[1 - side] != std::vector<int64_t>{form_.key_dim}) continue;
    form_.query_operand = side;
    form_.is_query.assign(dot.shape.rank(), false);
    for (int64_t d : free[side]) form_.is_query[d] = true;
    return !free[side].empty();
  }
  return false;
}

bool Finder::PlaceOperands(const Instruction& inst, Places* places) {
  bool first = true;
  for (const Instruction* operand : inst.operands) {
    auto found = form_.places.find(operand);
    if (found == form_.places.end()) continue;
    if (operand->shape.dims() != inst.shape.dims()) return false;
    if (!first && *places != found->second) return false;
    *places = found->second;
    first = false;
  }
  return !first;
}

bool Finder::PlaceBroadcast(const Instruction& inst, Places* places) {
  const Ints& to = inst.GetInts(Attr::kDimensions);
  const Places& from = form_.places.at(inst.operand(0));
  places->assign(inst.shape.rank(), AttentionForm::kNone);
  for (size_t i = 0; i < to.size(); ++i) {
    if (from[i] == form_.key_dim) return false;
    (*places)[to[i]] = from[i];
  }
  bool key = false;
  for (int64_t d = 0; d < inst.shape.rank(); ++d) {
    if (Has(to, d) || inst.shape.dim(d) == 1) continue;
    if (key || inst.shape.dim(d) != form_.scores->shape.dim(form_.key_dim)) return false;
    (*places)[d] = form_.key_dim;
    key = true;
  }
  return true;
}

// Sets form_.places of what `inst` is computed from and of `inst` itself; does nothing if it does
// not depend on the scores.
bool Finder::SetPlaces(const Instruction* inst) {
  if (form_.places.count(inst) != 0 || !Depends(inst, form_.scores, {})) return true;
  Places places;
  if (inst == form_.scores) {
    for (int64_t d = 0; d < inst->shape.rank(); ++d) {
      places.push_back(inst->shape.dim(d) == 1 ? AttentionForm::kNone : d);
    }
    form_.places[inst] = places;
    return true;
  }
  for (const Instruction* operand : inst->operands) {
    if (!SetPlaces(operand)) return false;
  }
  if (inst->opcode == Opcode::kReduce) {
    const Places& from = form_.places.at(inst->operand(0));
    if (inst == form_.max && !SetKeyDim()) return false;
    if (inst != form_.max && inst != form_.sum) return false;
    bool key = false;
    for (size_t d = 0; d < from.size(); ++d) {
      const bool reduced = Has(inst->GetInts(Attr::kDimensions), static_cast<int64_t>(d));
      if (!reduced) places.push_back(from[d]);
      if (reduced != (from[d] == form_.key_dim) && from[d] != AttentionForm::kNone) return false;
      key = key || from[d] == form_.key_dim;
    }
    if (!key) return false;
  } else if (IsMove(*inst)) {
    places = MovedPlaces(*inst, form_.places.at(inst->operand(0)));
  } else if (inst->opcode == Opcode::kBroadcast) {
    if (!PlaceBroadcast(*inst, &places)) return false;
  } else if (!hlo::RowOf(inst->opcode).elementwise || !PlaceOperands(*inst, &places)) {
    return false;
  }
  form_.places[inst] = places;
  return true;
}

bool Finder::PlaceProduct() {
  const Instruction& dot = *form_.product;
  const int64_t side = form_.weights_operand;
  const Instruction *p = dot.operand(side), *v = dot.operand(1 - side);
  // The kernel reads V from memory, so it cannot be a part of what the kernel computes.
  if (Depends(v, form_.scores, {})) return false;
  const bool left = side == 0;
  const Ints& p_batch = dot.GetInts(left ? Attr::kLhsBatchDims : Attr::kRhsBatchDims);
  const Ints& v_batch = dot.GetInts(left ? Attr::kRhsBatchDims : Attr::kLhsBatchDims);
  const Ints& p_summed = dot.GetInts(left ? Attr::kLhsContractingDims : Attr::kRhsContractingDims);
  const Ints& v_summed = dot.GetInts(left ? Attr::kRhsContractingDims : Attr::kLhsContractingDims);
  const Places& from = form_.places.at(p);
  for (int64_t d : p_summed) {
    if (from[d] != form_.key_dim) return false;
  }
  if (p_summed.size() != 1) return false;
  Places places, p_free, v_free;
  for (int64_t d : p_batch) {
    places.push_back(from[d]);
    if (from[d] >= 0 && form_.is_query[from[d]]) return false;
  }
  for (int64_t d = 0; d < p->shape.rank(); ++d) {
    if (!Has(p_batch, d) && !Has(p_summed, d)) p_free.push_back(from[d]);
  }
  bool value = false;
  for (int64_t d = 0; d < v->shape.rank(); ++d) {
    if (Has(v_batch, d) || Has(v_summed, d)) continue;
    const bool one = v->shape.dim(d) == 1;
    if (!one && value) return false;
    v_free.push_back(one ? AttentionForm::kNone : AttentionForm::kValueDim);
    if (!one) form_.value_size = v->shape.dim(d);
    value = value || !one;
  }
  const Places &first = left ? p_free : v_free, &second = left ? v_free : p_free;
  places.insert(places.end(), first.begin(), first.end());
  places.insert(places.end(), second.begin(), second.end());
  form_.places[&dot] = places;
  return value;
}

// Whether the divisor is the same for all keys.
bool Finder::DividesRows() const {
  const Instruction& divisor = *form_.divide->operand(1);
  // It has no places if the search for what it depends on was given up.
  const auto found = form_.places.find(&divisor);
  if (found == form_.places.end()) return false;
  const Places& places = found->second;
  const auto key = std::find(places.begin(), places.end(), form_.key_dim);
  return key == places.end() || IsSameAlong(divisor, key - places.begin());
}

// Whether the sum is that of the weights themselves. Kernels rescale a sum when the maximum rises,
// which is right for multiples of the weights, and keys that only fill a block have weight 0.
bool Finder::SumsWeights() const {
  const Instruction* term = form_.sum->operand(0);
  while (term != form_.weights && (IsMove(*term) || IsFloatConvert(*term))) term = term->operand(0);
  return term == form_.weights;
}

bool Finder::Validate() {
  form_.places.clear();
  if (!FindReductions() || !SetPlaces(form_.product->operand(form_.weights_operand))) return false;
  for (const Instruction* value : {form_.logits, form_.weights}) {
    const hlo::ElementType type = value->shape.element_type();
    if (!hlo::IsFloat(type) || form_.places.count(value) == 0) return false;
  }
  // Each stored value must separate what is before it from what is after it.
  const Instruction *scores = form_.scores, *logits = form_.logits, *weights = form_.weights;
  return !Depends(weights, scores, {logits}) && !Depends(form_.sum, scores, {weights}) &&
         !Depends(form_.divide->operand(1), scores, {form_.sum}) && DividesRows() &&
         SumsWeights() && PlaceProduct();
}

const Instruction* Finder::FindShift() const {
  const Instruction* inst = BehindConverts(form_.weights);
  if (inst->opcode != Opcode::kExp) return nullptr;
  inst = BehindConverts(inst->operand(0));
  if (inst->opcode != Opcode::kSubtract || BehindConverts(inst->operand(0)) != form_.logits) {
    return nullptr;
  }
  const Instruction* shift = inst->operand(1);
  for (inst = shift;; inst = inst->operand(0)) {
    const auto found = form_.places.find(inst);
    if (found == form_.places.end()) return nullptr;
    if (!Has(found->second, form_.key_dim)) return shift;
    if (inst->opcode != Opcode::kConvert && inst->opcode != Opcode::kBroadcast && !IsMove(*inst)) {
      return nullptr;
    }
  }
}

std::optional<AttentionForm> Finder::Find(int64_t weights_operand) {
  form_.weights_operand = weights_operand;
  const Instruction* inst = form_.product->operand(weights_operand);
  while (IsFloatConvert(*inst) || IsMove(*inst)) inst = inst->operand(0);
  if (inst->opcode != Opcode::kDivide || !hlo::IsFloat(inst->shape.element_type())) {
    return std::nullopt;
  }
  form_.divide = inst;
  form_.weights = inst->operand(0);
  if (!FindScores()) return std::nullopt;
  for (const Instruction* candidate : candidates_) {
    form_.scores = candidate;
    const hlo::ElementType type = candidate->shape.element_type();
    if (!hlo::IsFloat(type) || !Validate()) continue;
    form_.shift = FindShift();
    return form_;
  }
  return std::nullopt;
}

}  // namespace

std::optional<AttentionForm> FindAttention(const Instruction& product) {
  if (product.opcode != Opcode::kDot || !hlo::IsFloat(product.shape.element_type())) {
    return std::nullopt;
  }
  for (int64_t side : {0, 1}) {
    if (std::optional<AttentionForm> form = Finder(product).Find(side)) return form;
  }
  return std::nullopt;
}

}  // namespace halyard::lowering
