// Ops that are exact on bits: the next number, the upper half of a product.
#include <limits>

#include "frontend/stablehlo/chlo/expand.h"

namespace halyard::stablehlo {

using hlo::ElementType;
using hlo::Opcode;

namespace {

ElementType Unsigned(int64_t bits) {
  return bits == 8    ? ElementType::kU8
         : bits == 16 ? ElementType::kU16
         : bits == 32 ? ElementType::kU32
                      : ElementType::kU64;
}

Term ShiftRight(Term x, int64_t count) {
  const Opcode opcode =
      hlo::IsSigned(x.type()) ? Opcode::kShiftRightArithmetic : Opcode::kShiftRightLogical;
  return x.graph->Add(opcode, {x, x.graph->SplatInt(x.type(), x.shape().dims(), count)});
}

}  // namespace

// Floats are sign and magnitude, so that the bits' successor is the next number away from zero.
Term NextAfter(Term x, Term y) {
  Graph& graph = *x.graph;
  const int64_t width = hlo::BitWidth(x.type());
  const ElementType type = Unsigned(width);
  const std::vector<int64_t>& dims = x.shape().dims();
  Term bits = BitcastTo(x, type);
  Term sign = graph.SplatInt(type, dims, static_cast<int64_t>(uint64_t{1} << (width - 1)));
  Term one = graph.SplatInt(type, dims, 1);
  Term magnitude = bits & (sign - one);
  Term toward = BitcastTo(y, type) & sign;
  Term negative = (bits & sign) != 0;
  // Compares wider floats if there are any.
  const bool narrow = width < 32;
  Term wide_x = narrow ? ConvertTo(x, ElementType::kF32) : x;
  Term wide_y = narrow ? ConvertTo(y, ElementType::kF32) : y;
  Term away = (wide_x < wide_y) ^ negative;
  Term stepped = Select(away, bits + one, bits - one);
  if (hlo::FormatOf(x.type()).nan == hlo::FloatFormat::Nan::kNegativeZero) {
    // There, what would be -0 is NaN, and 0 is what follows the smallest negative number.
    stepped = Select(stepped == sign, graph.SplatInt(type, dims, 0), stepped);
  }
  Term next = BitcastTo(Select(magnitude == 0, toward | one, stepped), x.type());
  Term value = Select(wide_x == wide_y, y, next);
  Term unordered = (wide_x != wide_x) | (wide_y != wide_y);
  return Select(unordered, std::numeric_limits<double>::quiet_NaN(), value);
}

Term MulHigh(Term x, Term y) {
  const int64_t width = hlo::BitWidth(x.type());
  const bool is_signed = hlo::IsSigned(x.type());
  if (width < 64) {
    const ElementType wide = is_signed ? ElementType::kS64 : ElementType::kU64;
    return ConvertTo(ShiftRight(ConvertTo(x, wide) * ConvertTo(y, wide), width), x.type());
  }
  // Halves: x = 2^32 a + b, y = 2^32 c + d, all products of 64 bits.
  auto low = [](Term v) { return v & v.graph->SplatInt(v.type(), v.shape().dims(), 0xFFFFFFFF); };
  Term u = BitcastTo(x, ElementType::kU64), v = BitcastTo(y, ElementType::kU64);
  Term a = ShiftRight(u, 32), b = low(u), c = ShiftRight(v, 32), d = low(v);
  Term middle = a * d + ShiftRight(b * d, 32);
  Term carry = low(middle) + b * c;
  Term high = a * c + ShiftRight(middle, 32) + ShiftRight(carry, 32);
  if (!is_signed) return high;
  // A negative x counts as x + 2^64 there, which is y too much.
  Term none = Like(u, 0);
  high = high - Select(x < 0, v, none) - Select(y < 0, u, none);
  return BitcastTo(high, x.type());
}

}  // namespace halyard::stablehlo
