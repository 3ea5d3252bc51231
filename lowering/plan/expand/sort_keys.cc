#include "lowering/plan/expand/sort_keys.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace halyard::lowering {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

Instruction* AddTyped(Rewriter& rewriter, const Instruction& source, Opcode opcode,
                      Instruction* value, ElementType type) {
  return rewriter.Add(source, opcode, value->shape.WithElementType(type), {value});
}

Instruction* Splat(Rewriter& rewriter, const Instruction& source, Literal scalar,
                   const std::vector<int64_t>& dims) {
  Instruction* constant = rewriter.AddConstant(source, std::move(scalar));
  return dims.empty() ? constant : rewriter.AddBroadcast(source, constant, dims, {});
}

Instruction* Select(Rewriter& rewriter, const Instruction& source, Instruction* pred,
                    Instruction* yes, Instruction* no) {
  return rewriter.Add(source, Opcode::kSelect, yes->shape, {pred, yes, no});
}

// Returns how many leading bits of the f32 with the same value tell all values of the type apart.
int64_t SignificantBits(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return 64;
    case ElementType::kF32:
      return 32;
    case ElementType::kF16:
      return 1 + 8 + 10;
    default:
      return 1 + 8 + 7;  // bf16; narrower types have fewer bits
  }
}

// Orders unsigned numbers that hold the bits of floats of `bits` bits: of two floats, the lesser
// gets the lesser number.
Instruction* OrderBits(Rewriter& rewriter, const Instruction& source, Instruction* value,
                       int64_t bits) {
  const std::vector<int64_t>& dims = value->shape.dims();
  const ElementType type = value->shape.element_type();
  const uint64_t top = uint64_t{1} << (bits - 1);
  Instruction* sign = AddSplatBits(rewriter, source, type, top, dims);
  Instruction* all = AddSplatBits(rewriter, source, type, top | (top - 1), dims);
  Instruction* negative = AddCompare(rewriter, source, "GE", value, sign);
  Instruction* flipped = AddBinary(rewriter, source, Opcode::kXor, value, all);
  Instruction* above = AddBinary(rewriter, source, Opcode::kOr, value, sign);
  return Select(rewriter, source, negative, flipped, above);
}

OrderedKey FloatKey(Rewriter& rewriter, const Instruction& source, Instruction* value,
                    bool total_order) {
  const std::vector<int64_t>& dims = value->shape.dims();
  const int64_t own_width = hlo::BitWidth(value->shape.element_type());
  if (total_order && own_width < 32 && hlo::BitsAreOrdered(value->shape.element_type())) {
    const ElementType own = own_width == 16 ? ElementType::kU16 : ElementType::kU8;
    Instruction* bits = AddTyped(rewriter, source, Opcode::kBitcastConvert, value, own);
    bits = AddConvert(rewriter, source, bits, ElementType::kU32);
    return {OrderBits(rewriter, source, bits, own_width), own_width};
  }
  OrderedKey key{nullptr, SignificantBits(value->shape.element_type())};
  ElementType wide = key.bits == 64 ? ElementType::kF64 : ElementType::kF32;
  ElementType bits_type = key.bits == 64 ? ElementType::kU64 : ElementType::kU32;
  int64_t width = hlo::BitWidth(wide);
  Instruction* x = AddConvert(rewriter, source, value, wide);
  if (!total_order) {
    Instruction* zero = AddSplat(rewriter, source, wide, 0.0, dims);
    Instruction* nan = AddSplat(rewriter, source, wide, std::nan(""), dims);
    Instruction* is_zero = AddCompare(rewriter, source, "EQ", x, zero);
    Instruction* is_nan = AddCompare(rewriter, source, "NE", x, x);
    x = Select(rewriter, source, is_nan, nan, Select(rewriter, source, is_zero, zero, x));
  }
  Instruction* bits = AddTyped(rewriter, source, Opcode::kBitcastConvert, x, bits_type);
  key.value = OrderBits(rewriter, source, bits, width);
  if (key.bits < width) {
    Instruction* shift = AddSplatBits(rewriter, source, bits_type, width - key.bits, dims);
    key.value = AddBinary(rewriter, source, Opcode::kShiftRightLogical, key.value, shift);
  }
  return key;
}

OrderedKey IntegerKey(Rewriter& rewriter, const Instruction& source, Instruction* value) {
  const std::vector<int64_t>& dims = value->shape.dims();
  ElementType type = value->shape.element_type();
  OrderedKey key{nullptr, type == ElementType::kPred ? 1 : hlo::BitWidth(type)};
  bool wide = key.bits == 64;
  ElementType bits_type = wide ? ElementType::kU64 : ElementType::kU32;
  if (!hlo::IsSigned(type)) {
    key.value = AddConvert(rewriter, source, value, bits_type);
    return key;
  }
  // Adding half the range to a signed number orders it as an unsigned one.
  ElementType number = wide ? ElementType::kS64 : ElementType::kS32;
  Instruction* bits = AddTyped(rewriter, source, Opcode::kBitcastConvert,
                               AddConvert(rewriter, source, value, number), bits_type);
  Instruction* half =
      AddSplatBits(rewriter, source, bits_type, uint64_t{1} << (key.bits - 1), dims);
  key.value = AddBinary(rewriter, source, Opcode::kAdd, bits, half);
  return key;
}

}  // namespace

Instruction* AddSplat(Rewriter& rewriter, const Instruction& source, ElementType type, double value,
                      const std::vector<int64_t>& dims) {
  return Splat(rewriter, source, Literal::FromValues<double>(type, {}, {value}), dims);
}

Instruction* AddSplatBits(Rewriter& rewriter, const Instruction& source, ElementType type,
                          uint64_t value, const std::vector<int64_t>& dims) {
  Literal scalar(Shape::Scalar(type));
  scalar.SetInt(0, static_cast<int64_t>(value));
  return Splat(rewriter, source, std::move(scalar), dims);
}

Instruction* AddCompare(Rewriter& rewriter, const Instruction& source, const std::string& direction,
                        Instruction* a, Instruction* b) {
  return rewriter.Add(source, Opcode::kCompare, a->shape.WithElementType(ElementType::kPred),
                      {a, b}, OneAttr(Attr::kDirection, direction));
}

Instruction* AddBinary(Rewriter& rewriter, const Instruction& source, Opcode opcode, Instruction* a,
                       Instruction* b) {
  return rewriter.Add(source, opcode, a->shape, {a, b});
}

Instruction* AddConvert(Rewriter& rewriter, const Instruction& source, Instruction* value,
                        ElementType type) {
  if (value->shape.element_type() == type) return value;
  return AddTyped(rewriter, source, Opcode::kConvert, value, type);
}

Instruction* AddTakeAlong(Rewriter& rewriter, const Instruction& source, Instruction* operand,
                          Instruction* index) {
  AttrMap attrs;
  attrs.Set(Attr::kOffsetDims, Ints{});
  attrs.Set(Attr::kCollapsedSliceDims, Ints{1});
  attrs.Set(Attr::kStartIndexMap, Ints{1});
  attrs.Set(Attr::kOperandBatchingDims, Ints{0});
  attrs.Set(Attr::kStartIndicesBatchingDims, Ints{0});
  attrs.Set(Attr::kIndexVectorDim, int64_t{2});
  attrs.Set(Attr::kSliceSizes, Ints{1, 1});
  return rewriter.Add(source, Opcode::kGather,
                      index->shape.WithElementType(operand->shape.element_type()), {operand, index},
                      std::move(attrs));
}

OrderedKey AddOrderedKey(Rewriter& rewriter, const Instruction& source, Instruction* value,
                         const hlo::SortKey& key) {
  ElementType type = value->shape.element_type();
  OrderedKey ordered = hlo::IsFloat(type) ? FloatKey(rewriter, source, value, key.total_order)
                                          : IntegerKey(rewriter, source, value);
  if (key.descending) {
    uint64_t all = ordered.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << ordered.bits) - 1;
    Instruction* mask = AddSplatBits(rewriter, source, ordered.value->shape.element_type(), all,
                                     value->shape.dims());
    ordered.value = AddBinary(rewriter, source, Opcode::kXor, ordered.value, mask);
  }
  return ordered;
}

Instruction* AddKeyValue(Rewriter& rewriter, const Instruction& source, const Instruction* value,
                         const std::vector<Instruction*>& operands) {
  const std::vector<int64_t>& dims = operands[0]->shape.dims();
  std::unordered_map<const Instruction*, Instruction*> copies;
  std::function<Instruction*(const Instruction*)> copy = [&](const Instruction* inst) {
    if (Instruction*& known = copies[inst]; known != nullptr) return known;
    Instruction* made = nullptr;
    if (inst->opcode == Opcode::kParameter) {
      made = operands[inst->parameter_number / 2];
    } else if (inst->opcode == Opcode::kConstant) {
      made = Splat(rewriter, source, inst->literal, dims);
    } else {
      std::vector<Instruction*> inputs;
      for (const Instruction* operand : inst->operands) inputs.push_back(copy(operand));
      made = rewriter.Add(source, inst->opcode, inst->shape.WithDims(dims), std::move(inputs),
                          inst->attrs);
    }
    return copies[inst] = made;
  };
  return copy(value);
}

std::vector<int64_t> OperandsOf(const Instruction* value) {
  std::set<int64_t> operands;
  std::set<const Instruction*> seen;
  std::function<void(const Instruction*)> visit = [&](const Instruction* inst) {
    if (!seen.insert(inst).second) return;
    if (inst->opcode == Opcode::kParameter) operands.insert(inst->parameter_number / 2);
    for (const Instruction* operand : inst->operands) visit(operand);
  };
  visit(value);
  return {operands.begin(), operands.end()};
}

}  // namespace halyard::lowering
