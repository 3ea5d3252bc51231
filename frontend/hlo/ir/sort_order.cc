#include "frontend/hlo/ir/sort_order.h"

#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {
namespace {

// Whether `b` is computed from parameters 1, 3, … exactly as `a` is from 0, 2, …, elementwise.
class Mirror {
 public:
  explicit Mirror(bool bitcasts) : bitcasts_(bitcasts) {}
  bool Holds(const Instruction* a, const Instruction* b) {
    auto [known, inserted] = known_.try_emplace({a, b}, false);
    if (inserted) {
      bool holds = Compare(*a, *b);
      known_[{a, b}] = holds;
      return holds;
    }
    return known->second;
  }

 private:
  bool Compare(const Instruction& a, const Instruction& b) {
    if (a.opcode != b.opcode || !a.shape.IsScalar() || !(a.shape == b.shape)) return false;
    switch (a.opcode) {
      case Opcode::kParameter:
        return a.parameter_number % 2 == 0 && b.parameter_number == a.parameter_number + 1;
      case Opcode::kConstant: {
        auto x = a.literal.bytes(), y = b.literal.bytes();
        return std::equal(x.begin(), x.end(), y.begin(), y.end());
      }
      case Opcode::kBitcastConvert:
        break;
      case Opcode::kBitcast:
        if (!bitcasts_) return false;
        break;
      default:
        if (!RowOf(a.opcode).elementwise || !a.called.empty()) return false;
    }
    if (!(a.attrs == b.attrs) || a.operands.size() != b.operands.size()) return false;
    for (size_t i = 0; i < a.operands.size(); ++i) {
      if (!Holds(a.operands[i], b.operands[i])) return false;
    }
    return true;
  }

  bool bitcasts_;
  std::map<std::pair<const Instruction*, const Instruction*>, bool> known_;
};

class Recogniser {
 public:
  // `bitcasts`: f may reinterpret numbers by kBitcast, as XLA's own programs do.
  explicit Recogniser(bool bitcasts = false) : mirror_(bitcasts) {}

  // Appends the keys of an order. Returns false if it is not an order.
  bool Order(const Instruction& inst, std::vector<SortKey>* keys) {
    if (std::optional<SortKey> key = Less(inst)) {
      keys->push_back(*key);
      return true;
    }
    const Instruction *less = nullptr, *equal = nullptr, *rest = nullptr;
    if (inst.opcode == Opcode::kSelect) {
      equal = inst.operand(0), rest = inst.operand(1), less = inst.operand(2);
      return Lexicographic(*less, *equal, *rest, keys);
    }
    if (inst.opcode != Opcode::kOr) return false;
    for (int side : {0, 1}) {
      const Instruction* both = inst.operand(1 - side);
      if (both->opcode != Opcode::kAnd) continue;
      for (int which : {0, 1}) {
        if (Lexicographic(*inst.operand(side), *both->operand(which), *both->operand(1 - which),
                          keys)) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  bool Lexicographic(const Instruction& less, const Instruction& equal, const Instruction& rest,
                     std::vector<SortKey>* keys) {
    std::optional<SortKey> first = Less(less);
    if (!first || !Equal(equal, *first)) return false;
    keys->push_back(*first);
    if (Order(rest, keys)) return true;
    keys->pop_back();
    return false;
  }

  static bool IsTotal(const Instruction& compare) {
    return compare.GetString(Attr::kType) == "TOTALORDER";
  }

  std::optional<SortKey> Less(const Instruction& inst) {
    if (inst.opcode != Opcode::kCompare) return std::nullopt;
    const std::string& direction = inst.GetString(Attr::kDirection);
    bool less = direction == "LT" || direction == "LE";
    if (!less && direction != "GT" && direction != "GE") return std::nullopt;
    const Instruction *a = inst.operand(0), *b = inst.operand(1);
    if (!a->shape.IsScalar() || IsComplex(a->shape.element_type())) return std::nullopt;
    if (mirror_.Holds(a, b)) return SortKey{a, !less, IsTotal(inst)};
    if (mirror_.Holds(b, a)) return SortKey{b, less, IsTotal(inst)};
    return std::nullopt;
  }

  bool Equal(const Instruction& inst, const SortKey& key) {
    if (inst.opcode != Opcode::kCompare || inst.GetString(Attr::kDirection) != "EQ" ||
        IsTotal(inst) != key.total_order) {
      return false;
    }
    const Instruction *a = inst.operand(0), *b = inst.operand(1);
    return (mirror_.Holds(key.value, b) && Same(a, key.value)) ||
           (mirror_.Holds(key.value, a) && Same(b, key.value));
  }

  // Equal programs over the same parameters: readers may give each use a copy.
  bool Same(const Instruction* a, const Instruction* b) {
    if (a == b || same_.contains({a, b})) return true;
    if (a->opcode != b->opcode || !(a->shape == b->shape) || !(a->attrs == b->attrs) ||
        a->operands.size() != b->operands.size() || a->opcode == Opcode::kParameter) {
      return false;
    }
    if (a->opcode == Opcode::kConstant) {
      auto x = a->literal.bytes(), y = b->literal.bytes();
      return std::equal(x.begin(), x.end(), y.begin(), y.end());
    }
    for (size_t i = 0; i < a->operands.size(); ++i) {
      if (!Same(a->operands[i], b->operands[i])) return false;
    }
    same_.insert({a, b});
    return true;
  }

  std::set<std::pair<const Instruction*, const Instruction*>> same_;  // what Same has found
  Mirror mirror_;
};

}  // namespace

std::vector<SortKey> SortKeysOf(const Computation& comparator) {
  std::vector<SortKey> keys;
  // Quantized values are ordered as the real numbers that they stand for.
  for (const Instruction* parameter : comparator.parameters()) {
    if (parameter->shape.IsQuantized()) return keys;
  }
  if (!Recogniser().Order(*comparator.root(), &keys)) keys.clear();
  return keys;
}

bool BitsAreOrdered(ElementType float_type) {
  return FormatOf(float_type).nan == FloatFormat::Nan::kIeee;
}

std::vector<uint64_t> OrderedBits(const Literal& values, bool total_order) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  ElementType type = values.shape().element_type();
  if (!IsFloat(type)) {
    std::vector<uint64_t> ints = DecodeInts(values);
    if (IsSigned(type)) {
      for (uint64_t& x : ints) x ^= kSign;
    }
    return ints;
  }
  std::vector<uint64_t> keys;
  if (total_order && BitsAreOrdered(type)) {
    const uint64_t sign = uint64_t{1} << (BitWidth(type) - 1);
    for (int64_t i = 0; i < values.shape().NumElements(); ++i) {
      const uint64_t bits = values.GetBits(i);
      keys.push_back(bits & sign ? bits ^ (sign | (sign - 1)) : bits | sign);
    }
    return keys;
  }
  for (double value : DecodeFloats(values)) {
    if (!total_order && value == 0) value = 0.0;
    uint64_t bits = std::bit_cast<uint64_t>(value);
    if (!total_order && std::isnan(value)) bits = std::bit_cast<uint64_t>(std::nan(""));
    keys.push_back(bits & kSign ? ~bits : bits | kSign);
  }
  return keys;
}

std::optional<TopK> TopKOf(const Instruction& inst) {
  if (inst.opcode == Opcode::kTopK) {
    return TopK{inst.GetInt(Attr::kK), !inst.Has(Attr::kLargest) || inst.GetBool(Attr::kLargest)};
  }
  if (inst.opcode != Opcode::kCustomCall || inst.GetString(Attr::kCustomCallTarget) != "TopK" ||
      inst.operands.size() != 1 || inst.called.size() > 1 || !inst.shape.IsTuple() ||
      inst.shape.elements().size() != 2) {
    return std::nullopt;
  }
  const Shape &operand = inst.operand(0)->shape, &values = inst.shape.elements()[0],
              &positions = inst.shape.elements()[1];
  if (!operand.IsArray() || operand.rank() == 0 || IsComplex(operand.element_type()) ||
      !values.IsArray() || values.rank() != operand.rank()) {
    return std::nullopt;
  }
  std::vector<int64_t> dims = operand.dims();
  TopK topk{values.dims().back(), true};
  if (topk.k > dims.back()) return std::nullopt;
  dims.back() = topk.k;
  if (!Shape::SameIgnoringLayout(values, operand.WithDims(dims)) ||
      !Shape::SameIgnoringLayout(positions, Shape::Array(ElementType::kS32, dims))) {
    return std::nullopt;
  }
  if (inst.called.empty()) return topk;
  std::vector<SortKey> keys;
  if (!Recogniser(/*bitcasts=*/true).Order(*inst.called[0]->root(), &keys)) return std::nullopt;
  topk.largest = keys[0].descending;
  return topk;
}

}  // namespace halyard::hlo
