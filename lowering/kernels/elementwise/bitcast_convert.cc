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
Expr BitsOf(const Value& value) {
  Expr bits = ToStorage(value);
  const Halide::Type wanted = Halide::UInt(bits.type().bits());
  if (bits.type() != wanted) bits = Halide::reinterpret(wanted, bits);
  const int width = hlo::BitWidth(value.type);
  return width < 8 ? bits & Halide::Internal::make_const(wanted, (1 << width) - 1) : bits;
}

// Returns the value whose low bits are those of `bits`, which has an unsigned type at least as wide
// as the storage.
Value FromBits(ElementType type, Expr bits) {
  const Halide::Type storage = StorageType(type);
  bits = Halide::cast(Halide::UInt(storage.bits()), bits);
  const int width = hlo::BitWidth(type);
  if (storage != bits.type()) bits = Halide::reinterpret(storage, bits);
  if (width < 8) bits = numerics::Wrap(bits, width);
  return FromStorage(type, bits);
}

// Returns the real part of a complex value, or its imaginary part.
Value PartOf(const Value& value, int part) {
  return {hlo::PartType(value.type), part == 0 ? value.re : value.im, {}};
}

Expr Shift(const Halide::Type& type, int bits) { return Halide::Internal::make_const(type, bits); }

Value Narrower(Emitter& emitter, const Instruction& inst, LogicalIndex index) {
  const ElementType from = inst.operand(0)->shape.element_type(), to = inst.shape.element_type();
  const Expr place = index.back();
  index.pop_back();
  const Value value = emitter.At(inst.operand(0), index);
  if (hlo::IsComplex(from)) {
    // Each part of the wide number is the two parts of a narrow one.
    const Expr part =
        Halide::select(place == 0, BitsOf(PartOf(value, 0)), BitsOf(PartOf(value, 1)));
    const ElementType narrow = hlo::PartType(to);
    return {to, FromBits(narrow, part).re,
            FromBits(narrow, part >> Shift(part.type(), hlo::BitWidth(narrow))).re};
  }
  const Expr bits = BitsOf(value);
  const Expr low = Halide::cast(bits.type(), place) * Shift(bits.type(), hlo::BitWidth(to));
  return FromBits(to, bits >> low);
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
  auto joined = [](ElementType type, const std::vector<Value>& values) {
    const Halide::Type wide = Halide::UInt(StorageType(type).bits());
    Expr bits;
    for (size_t k = 0; k < values.size(); ++k) {
      const Expr piece = Halide::cast(wide, BitsOf(values[k]))
                         << Shift(wide, static_cast<int>(k) * hlo::BitWidth(values[k].type));
      bits = bits.defined() ? bits | piece : piece;
    }
    return FromBits(type, bits);
  };
  if (hlo::IsComplex(from)) {
    const ElementType wide = hlo::PartType(to);
    return {to, joined(wide, {PartOf(parts[0], 0), PartOf(parts[0], 1)}).re,
            joined(wide, {PartOf(parts[1], 0), PartOf(parts[1], 1)}).re};
  }
  return joined(to, parts);
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
