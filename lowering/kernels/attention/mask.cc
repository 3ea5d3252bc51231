#include "lowering/kernels/attention/mask.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "frontend/hlo/ir/direction.h"
#include "lowering/kernels/attention/moves.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

namespace {

using Places = std::vector<int64_t>;  // of each dimension, as in AttentionForm

// More than any score, so that exp of the difference is 0.
constexpr double kLow = -1e8;
constexpr int kDeepest = 32;  // ops of a mask, one inside the other

// row · query + key · key's place + constant.
struct Linear {
  int64_t row = 0, key = 0, constant = 0;
};

class MaskReader {
 public:
  MaskReader(int64_t rows_dim, int64_t key_dim) : rows_dim_(rows_dim), key_dim_(key_dim) {}

  // Narrows `range` by what the mask says of places. `whole`: it says nothing else.
  void Read(const Instruction& mask, const Places& places, VisibleKeys* range, bool* whole,
            int depth = 0) const {
    if (depth < kDeepest && mask.opcode == Opcode::kBroadcast)
      return Read(*mask.operand(0), PlacesOfOperand(mask, places), range, whole, depth + 1);
    if (depth < kDeepest && mask.opcode == Opcode::kAnd) {
      Read(*mask.operand(0), places, range, whole, depth + 1);
      return Read(*mask.operand(1), places, range, whole, depth + 1);
    }
    if (mask.opcode != Opcode::kCompare || !Compare(mask, places, range)) *whole = false;
  }

 private:
  static Places PlacesOfOperand(const Instruction& broadcast, const Places& places) {
    Places inner;
    for (int64_t d : broadcast.GetInts(Attr::kDimensions))
      inner.push_back(places[static_cast<size_t>(d)]);
    return inner;
  }

  bool Compare(const Instruction& compare, const Places& places, VisibleKeys* range) const {
    const std::optional<Linear> lhs = Place(*compare.operand(0), places),
                                rhs = Place(*compare.operand(1), places);
    if (!lhs.has_value() || !rhs.has_value()) return false;
    // sign · (key - row) + constant, compared with 0.
    const int64_t sign = lhs->key - rhs->key, row = lhs->row - rhs->row;
    int64_t constant = lhs->constant - rhs->constant;
    if (std::abs(sign) != 1 || row != -sign) return false;
    std::string direction = compare.GetString(Attr::kDirection);
    if (sign < 0) {
      constant = -constant;
      direction = hlo::Mirrored(direction);
    }
    if (direction == "LE" || direction == "LT" || direction == "EQ")
      range->last = std::min(range->last, -constant - (direction == "LT" ? 1 : 0));
    if (direction == "GE" || direction == "GT" || direction == "EQ")
      range->first = std::max(range->first, -constant + (direction == "GT" ? 1 : 0));
    return direction != "NE";
  }

  // Of integers that do not wrap.
  std::optional<Linear> Place(const Instruction& value, const Places& places, int depth = 0) const {
    const hlo::ElementType type = value.shape.element_type();
    if (depth >= kDeepest || !hlo::IsInteger(type) || !hlo::IsSigned(type) ||
        hlo::BitWidth(type) < 32)
      return std::nullopt;
    switch (value.opcode) {
      case Opcode::kIota: {
        const int64_t place = places[static_cast<size_t>(value.GetInt(Attr::kIotaDimension))];
        if (place != rows_dim_ && place != key_dim_) return std::nullopt;
        return place == rows_dim_ ? Linear{1, 0, 0} : Linear{0, 1, 0};
      }
      case Opcode::kBroadcast:
        return Place(*value.operand(0), PlacesOfOperand(value, places), depth + 1);
      case Opcode::kConvert:
        return Place(*value.operand(0), places, depth + 1);
      case Opcode::kConstant: {
        if (!value.shape.IsScalar()) return std::nullopt;
        const int64_t constant = value.literal.GetInt(0);
        if (std::abs(constant) > INT32_MAX / 4) return std::nullopt;
        return Linear{0, 0, constant};
      }
      case Opcode::kAdd:
      case Opcode::kSubtract: {
        const std::optional<Linear> a = Place(*value.operand(0), places, depth + 1),
                                    b = Place(*value.operand(1), places, depth + 1);
        if (!a.has_value() || !b.has_value()) return std::nullopt;
        const int64_t sign = value.opcode == Opcode::kAdd ? 1 : -1;
        const Linear sum = {a->row + sign * b->row, a->key + sign * b->key,
                            a->constant + sign * b->constant};
        // More could wrap somewhere on the way.
        if (std::abs(sum.row) > 1 || std::abs(sum.key) > 1 ||
            std::abs(sum.constant) > INT32_MAX / 4)
          return std::nullopt;
        return sum;
      }
      default:
        return std::nullopt;
    }
  }

  const int64_t rows_dim_, key_dim_;
};

// The constant that a select gives hidden keys, or NaN if what it gives is not a constant.
double HiddenLogit(const Instruction& select) {
  const Instruction* low = ConstantOfAll(*select.operand(2));
  return low != nullptr && hlo::IsFloat(low->shape.element_type()) ? low->literal.GetFloat(0) : NAN;
}

bool IsConstant(const Instruction& value, bool (*wanted)(double)) {
  const Instruction* inst = ConstantOfAll(value);
  return inst != nullptr && hlo::IsFloat(inst->shape.element_type()) &&
         wanted(inst->literal.GetFloat(0));
}

// Returns the select that makes a chain's factor zero where its mask hides it, or null.
const Instruction* ZeroingSelect(const AttentionForm& form) {
  const Instruction* inst = form.factor();
  while (form.places.contains(inst)) {
    if (inst->opcode == Opcode::kSelect)
      return IsConstant(*inst->operand(2), [](double x) { return x == 0; }) ? inst : nullptr;
    const bool scaled = inst->opcode == Opcode::kMultiply &&
                        IsConstant(*inst->operand(1), [](double x) { return std::isfinite(x); });
    if (!scaled && inst->opcode != Opcode::kConvert && inst->opcode != Opcode::kReshape &&
        inst->opcode != Opcode::kTranspose)
      return nullptr;
    inst = inst->operand(0);
  }
  return nullptr;
}

// Elements of a chain that its factor's own select makes zero.
std::optional<VisibleKeys> FindNonzeros(const AttentionForm& form, int64_t rows_dim) {
  const Instruction* select = ZeroingSelect(form);
  if (select == nullptr || select->operand(0)->shape.rank() != select->shape.rank() ||
      form.scores->shape.dim(rows_dim) > INT32_MAX / 4 ||
      form.scores->shape.dim(form.key_dim) > INT32_MAX / 4) {
    return std::nullopt;
  }
  VisibleKeys range;
  bool whole = true;
  MaskReader(rows_dim, form.key_dim)
      .Read(*select->operand(0), form.places.at(select), &range, &whole);
  if (range.last == INT32_MAX && range.first == INT32_MIN) return std::nullopt;
  return range;
}

}  // namespace

namespace {

struct ReadMask {
  VisibleKeys range;
  double low = 0;           // what the mask gives hidden keys
  bool every_sees = false;  // each query sees a key, because nothing else hides keys
};

// The mask of a softmax's logits.
std::optional<ReadMask> FindMask(const AttentionForm& form, int64_t rows_dim) {
  const Instruction* select = BehindConverts(form.logits);
  if (select->opcode != Opcode::kSelect || !form.places.count(select) ||
      select->operand(0)->shape.rank() != select->shape.rank())
    return std::nullopt;
  ReadMask mask;
  mask.low = HiddenLogit(*select);
  if (!(mask.low <= kLow)) return std::nullopt;
  const int64_t queries = form.scores->shape.dim(rows_dim),
                keys = form.scores->shape.dim(form.key_dim);
  if (queries > INT32_MAX / 4 || keys > INT32_MAX / 4) return std::nullopt;
  VisibleKeys& range = mask.range;
  bool whole = true;
  MaskReader(rows_dim, form.key_dim)
      .Read(*select->operand(0), form.places.at(select), &range, &whole);
  if (range.last == INT32_MAX && range.first == INT32_MIN) return std::nullopt;
  mask.every_sees = whole && range.first <= range.last && range.last >= 0 &&
                    queries - 1 + range.first <= keys - 1;
  return mask;
}

}  // namespace

std::optional<VisibleKeys> FindVisibleKeys(const AttentionForm& form, int64_t rows_dim) {
  if (form.kind == AttentionForm::Kind::kChain) return FindNonzeros(form, rows_dim);
  const std::optional<ReadMask> mask = FindMask(form, rows_dim);
  if (!mask.has_value() || !(std::isinf(mask->low) || mask->every_sees)) return std::nullopt;
  return mask->range;
}

bool EveryQuerySeesKeys(const AttentionForm& form) {
  for (size_t d = 0; d < form.is_query.size(); ++d) {
    if (!form.is_query[d]) continue;
    const std::optional<ReadMask> mask = FindMask(form, static_cast<int64_t>(d));
    if (mask.has_value() && mask->every_sees) return true;
  }
  return false;
}

bool MaskHidesKeys(const AttentionForm& form) {
  for (size_t d = 0; d < form.is_query.size(); ++d) {
    if (form.is_query[d] && FindVisibleKeys(form, static_cast<int64_t>(d)).has_value()) return true;
  }
  return false;
}

}  // namespace halyard::lowering
