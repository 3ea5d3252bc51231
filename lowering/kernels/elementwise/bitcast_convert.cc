// bitcast-convert. With the same width, it is elementwise. For a narrower result, the last
// dimension of the result selects bits of the operand's element, the low ones first. For a wider
// result, the last dimension of the operand is joined in the same order.

#include "lowering/kernels/emitter.h"
#include "lowering/numerics/integer_ops.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::ElementType;
using hlo::Instruction;

namespace {

// Returns the bits of a real value, in an unsigned type of the width of its storage. Bits above the
// width of the type itself are 0.
Expr BitsOf(ElementType type, const Expr& part) {
  Expr bits = ToStorage(type, part);
  const Halide::Type wanted = Halide::UInt(bits.type().bits());
  if (bits.type() != wanted) bits = Halide::reinterpret(wanted, bits);
  const int width = hlo::BitWidth(type);
  return width < 8 ? bits & Halide::Internal::make_const(wanted, (1 << width) - 1) : bits;
}

// Returns the value whose low bits are those of `bits`, which has an unsigned type at least as wide
// as the storage.
Expr FromBits(ElementType type, Expr bits) {
  const Halide::Type storage = StorageType(type);
  bits = Halide::cast(Halide::UInt(storage.bits()), bits);
  const int width = hlo::BitWidth(type);
  if (storage != bits.type()) bits = Halide::reinterpret(storage, bits);
  if (width < 8) bits = numerics::Wrap(bits, width);
  return FromStorage(type, bits).re;
}

Expr Shift(const Halide::Type& type, int bits) { return Halide::Internal::make_const(type, bits); }

Value Narrower(Emitter& emitter, const Instruction& inst, LogicalIndex index) {
  const ElementType from = inst.operand(0)->shape.element_type(), to = inst.shape.element_type();
  const Expr place = index.back();
  index.pop_back();
  const Value value = emitter.At(inst.operand(0), index);
  if (hlo::IsComplex(from)) {
    // Each part of the wide number is the two parts of a narrow one.
    const Expr part = Halide::select(place == 0, BitsOf(hlo::PartType(from), value.re),
                                     BitsOf(hlo::PartType(from), value.im));
    const ElementType narrow = hlo::PartType(to);
    return {to, FromBits(narrow, part),
            FromBits(narrow, part >> Shift(part.type(), hlo::BitWidth(narrow)))};
  }
  const Expr bits = BitsOf(from, value.re);
  const Expr low = Halide::cast(bits.type(), place) * Shift(bits.type(), hlo::BitWidth(to));
  return {to, FromBits(to, bits >> low), {}};
}

Value Wider(Emitter& emitter, const Instruction& inst, LogicalIndex index) {
  const ElementType from = inst.operand(0)->shape.element_type(), to = inst.shape.element_type();
  const int count = hlo::BitWidth(to) / hlo::BitWidth(from);
  index.emplace_back(0);
  std::vector<Value> parts;
  for (int k = 0; k < count; ++k) {
    index.back() = k;
    parts.push_back(emitter.At(inst.operand(0), index));
  }
  auto joined = [](ElementType type, ElementType part, const std::vector<Expr>& values) {
    const Halide::Type wide = Halide::UInt(StorageType(type).bits());
    Expr bits;
    for (size_t k = 0; k < values.size(); ++k) {
      const Expr piece = Halide::cast(wide, BitsOf(part, values[k]))
                         << Shift(wide, static_cast<int>(k) * hlo::BitWidth(part));
      bits = bits.defined() ? bits | piece : piece;
    }
    return FromBits(type, bits);
  };
  if (hlo::IsComplex(from)) {
    const ElementType wide = hlo::PartType(to), narrow = hlo::PartType(from);
    return {to, joined(wide, narrow, {parts[0].re, parts[0].im}),
            joined(wide, narrow, {parts[1].re, parts[1].im})};
  }
  std::vector<Expr> values;
  for (const Value& part : parts) values.push_back(part.re);
  return {to, joined(to, from, values), {}};
}

}  // namespace

Value LowerBitcastConvert(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  const int from = hlo::BitWidth(inst.operand(0)->shape.element_type()),
            to = hlo::BitWidth(inst.shape.element_type());
  if (to < from) return Narrower(emitter, inst, index);
  if (to > from) return Wider(emitter, inst, index);
  absl::StatusOr<Value> result = ApplyElementwise(inst, {emitter.At(inst.operand(0), index)});
  if (!result.ok()) throw EmitError(std::string(result.status().message()));
  return *result;
}

}  // namespace halyard::lowering
