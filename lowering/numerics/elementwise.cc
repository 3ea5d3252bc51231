// The elementwise ops of the op table as Halide expressions: which function of lowering/numerics
// computes each op, for each class of types.
#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/ir/sort_order.h"
#include "lowering/numerics/arithmetic.h"
#include "lowering/numerics/complex_ops.h"
#include "lowering/numerics/integer_ops.h"
#include "lowering/numerics/numerics.h"
#include "lowering/numerics/random_bits.h"
#include "lowering/numerics/reduce_precision.h"
#include "lowering/numerics/small_floats.h"
#include "lowering/numerics/transcendental.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Attr;
using hlo::ElementClass;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using numerics::Complex;
using numerics::Fp;

namespace {

Complex AsComplex(const Value& v) { return {{v.re}, {v.im}}; }
Value FromComplex(ElementType type, const Complex& c) { return {type, c.re.e, c.im.e}; }
Value FromFloat(ElementType type, const Fp& x) {
  return {type, numerics::IsNarrowFloat(type) ? numerics::RoundToNarrow(type, x).e : x.e, {}};
}
Value FromInteger(ElementType type, const Expr& x) {
  return {type, numerics::Wrap(x, hlo::BitWidth(type)), {}};
}
Value FromBool(const Expr& x) { return {ElementType::kPred, x, {}}; }

using FloatUnary = Fp (*)(const Fp&);
using ComplexUnary = Complex (*)(const Complex&);
using FloatBinary = Fp (*)(const Fp&, const Fp&);
using ComplexBinary = Complex (*)(const Complex&, const Complex&);

// The functions of an op. They are null for classes that the op does not take.
struct UnaryFunctions {
  FloatUnary on_float = nullptr;
  ComplexUnary on_complex = nullptr;
};
struct BinaryFunctions {
  FloatBinary on_float = nullptr;
  ComplexBinary on_complex = nullptr;
};

UnaryFunctions UnaryOf(Opcode opcode) {
  namespace n = numerics;
  switch (opcode) {
    case Opcode::kAbs:
      return {n::Abs, nullptr};
    case Opcode::kNegate:
      return {n::Negate, n::Negate};
    case Opcode::kSign:
      return {n::SignOf, n::SignOf};
    case Opcode::kExp:
      return {n::Exp, n::Exp};
    case Opcode::kExpm1:
      return {n::Expm1, n::Expm1};
    case Opcode::kLog:
      return {n::Log, n::Log};
    case Opcode::kLog1p:
      return {n::Log1p, n::Log1p};
    case Opcode::kLogistic:
      return {n::Logistic, n::Logistic};
    case Opcode::kTanh:
      return {n::Tanh, n::Tanh};
    case Opcode::kSqrt:
      return {n::Sqrt, n::Sqrt};
    case Opcode::kRsqrt:
      return {n::Rsqrt, n::Rsqrt};
    case Opcode::kCbrt:
      return {n::Cbrt, n::Cbrt};
    case Opcode::kSin:
      return {n::Sin, n::Sin};
    case Opcode::kCos:
      return {n::Cos, n::Cos};
    case Opcode::kTan:
      return {n::Tan, n::Tan};
    case Opcode::kErf:
      return {n::Erf, nullptr};
    case Opcode::kCeil:
      return {n::Ceil, nullptr};
    case Opcode::kFloor:
      return {n::Floor, nullptr};
    case Opcode::kRoundNearestAfz:
      return {n::RoundAway, nullptr};
    case Opcode::kRoundNearestEven:
      return {n::RoundEven, nullptr};
    default:
      return {};
  }
}

Complex MaximumOf(const Complex& a, const Complex& b) {
  return numerics::Select(numerics::Less(a, b), b, a);
}
Complex MinimumOf(const Complex& a, const Complex& b) {
  return numerics::Select(numerics::Less(b, a), b, a);
}

BinaryFunctions BinaryOf(Opcode opcode) {
  namespace n = numerics;
  switch (opcode) {
    case Opcode::kAdd:
      return {n::Add, n::Add};
    case Opcode::kSubtract:
      return {n::Subtract, n::Subtract};
    case Opcode::kMultiply:
      return {n::Multiply, n::Multiply};
    case Opcode::kDivide:
      return {n::Divide, n::Divide};
    case Opcode::kRemainder:
      return {n::Remainder, n::RemainderOf};
    case Opcode::kPower:
      return {n::Pow, n::Pow};
    case Opcode::kMaximum:
      return {n::Maximum, MaximumOf};
    case Opcode::kMinimum:
      return {n::Minimum, MinimumOf};
    case Opcode::kAtan2:
      return {n::Atan2, n::Atan2};
    default:
      return {};
  }
}

// Returns an undefined Expr if the op does not take integers.
Expr IntegerUnary(Opcode opcode, ElementType type, const Expr& x) {
  const int bits = hlo::BitWidth(type);
  const Expr zero = Halide::Internal::make_zero(x.type());
  const Expr one = Halide::Internal::make_one(x.type());
  switch (opcode) {
    case Opcode::kAbs:
      return Halide::select(x < zero, numerics::WrappingNegate(x), x);
    case Opcode::kNegate:
      return numerics::WrappingNegate(x);
    case Opcode::kSign:
      return Halide::select(x < zero, numerics::WrappingNegate(one), x == zero, zero, one);
    case Opcode::kNot:
      return ~x;
    case Opcode::kPopcnt:
      return numerics::PopulationCount(x, bits);
    case Opcode::kClz:
      return numerics::CountLeadingZeros(x, bits);
    default:
      return {};
  }
}

Expr IntegerBinary(Opcode opcode, ElementType type, const Expr& a, const Expr& b) {
  const int bits = hlo::BitWidth(type);
  switch (opcode) {
    case Opcode::kAdd:
      return numerics::WrappingAdd(a, b);
    case Opcode::kSubtract:
      return numerics::WrappingSubtract(a, b);
    case Opcode::kMultiply:
      return numerics::WrappingMultiply(a, b);
    case Opcode::kDivide:
      return numerics::Divide(a, b);
    case Opcode::kRemainder:
      return numerics::Modulo(a, b);
    case Opcode::kPower:
      return numerics::Power(a, b, bits);
    case Opcode::kMaximum:
      return Halide::max(a, b);
    case Opcode::kMinimum:
      return Halide::min(a, b);
    case Opcode::kAnd:
      return numerics::BitAnd(a, b);
    case Opcode::kOr:
      return a | b;
    case Opcode::kXor:
      return a ^ b;
    case Opcode::kShiftLeft:
      return numerics::ShiftLeft(a, b, bits);
    case Opcode::kShiftRightArithmetic:
      return numerics::ShiftRightArithmetic(a, b, bits);
    case Opcode::kShiftRightLogical:
      return numerics::ShiftRightLogical(a, b, bits);
    default:
      return {};
  }
}

Expr BoolBinary(Opcode opcode, const Expr& a, const Expr& b) {
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kMaximum:
    case Opcode::kOr:
      return a || b;
    case Opcode::kMultiply:
    case Opcode::kMinimum:
    case Opcode::kAnd:
      return a && b;
    case Opcode::kXor:
      return (a && !b) || (!a && b);
    default:
      return {};
  }
}

absl::Status Unsupported(const Instruction& inst, ElementType type) {
  return absl::UnimplementedError(absl::StrCat(hlo::RowOf(inst.opcode).hlo_name, " ", inst.name,
                                               ": no lowering for ", hlo::HloName(type)));
}

absl::StatusOr<Value> Unary(const Instruction& inst, const Value& x) {
  const ElementType type = x.type;
  switch (hlo::ClassOf(type)) {
    case ElementClass::kBool:
      if (inst.opcode == Opcode::kNot) return FromBool(!x.re);
      break;
    case ElementClass::kFloat:
      if (FloatUnary f = UnaryOf(inst.opcode).on_float) return FromFloat(type, f({x.re}));
      break;
    case ElementClass::kComplex: {
      if (ComplexUnary f = UnaryOf(inst.opcode).on_complex)
        return FromComplex(type, f(AsComplex(x)));
      if (inst.opcode == Opcode::kAbs)
        return Value{hlo::PartType(type), numerics::Hypot({x.re}, {x.im}).e, {}};
      break;
    }
    default:
      if (Expr result = IntegerUnary(inst.opcode, type, x.re); result.defined())
        return FromInteger(type, result);
  }
  return Unsupported(inst, type);
}

absl::StatusOr<Value> Binary(const Instruction& inst, Opcode opcode, const Value& a,
                             const Value& b) {
  const ElementType type = a.type;
  switch (hlo::ClassOf(type)) {
    case ElementClass::kBool:
      if (Expr result = BoolBinary(opcode, a.re, b.re); result.defined()) return FromBool(result);
      break;
    case ElementClass::kFloat:
      if (FloatBinary f = BinaryOf(opcode).on_float) return FromFloat(type, f({a.re}, {b.re}));
      break;
    case ElementClass::kComplex:
      if (ComplexBinary f = BinaryOf(opcode).on_complex)
        return FromComplex(type, f(AsComplex(a), AsComplex(b)));
      break;
    default:
      if (Expr result = IntegerBinary(opcode, type, a.re, b.re); result.defined())
        return FromInteger(type, result);
  }
  return Unsupported(inst, type);
}

// Returns signed integers in totalOrder's order, of the value's own bits where those are in order.
Expr OrderedBits(const Value& value) {
  const int width = hlo::BitWidth(value.type);
  if (width >= 32 || !hlo::BitsAreOrdered(value.type)) return numerics::TotalOrderKey({value.re});
  const Halide::Type wide = Halide::Int(32);
  const Expr bits = Halide::cast(wide, Halide::reinterpret(Halide::Int(width), ToStorage(value)));
  return Halide::select(bits < Halide::Internal::make_zero(wide),
                        bits ^ Halide::Internal::IntImm::make(wide, (1 << (width - 1)) - 1), bits);
}

// Equality and order of two values, from which every direction is made.
struct Order {
  Expr equal;
  Expr less;
  Expr greater;
};
Order OrderOf(const Instruction& inst, const Value& a, const Value& b) {
  if (hlo::IsComplex(a.type)) {
    Complex x = AsComplex(a), y = AsComplex(b);
    return {numerics::Equal(x, y), numerics::Less(x, y), numerics::Less(y, x)};
  }
  if (hlo::IsFloat(a.type) && inst.GetString(Attr::kType) != "TOTALORDER") {
    Fp x{a.re}, y{b.re};
    return {numerics::Eq(x, y), numerics::Lt(x, y), numerics::Lt(y, x)};
  }
  Expr x = a.re, y = b.re;
  if (a.type == ElementType::kPred) {
    x = ToStorage(a.type, x);
    y = ToStorage(b.type, y);
  } else if (hlo::IsFloat(a.type)) {
    x = OrderedBits(a);
    y = OrderedBits(b);
  }
  return {numerics::Equal(x, y), numerics::Less(x, y), numerics::Less(y, x)};
}

absl::StatusOr<Value> Compare(const Instruction& inst, const Value& a, const Value& b) {
  const std::string& direction = inst.GetString(Attr::kDirection);
  Order order = OrderOf(inst, a, b);
  if (direction == "EQ") return FromBool(order.equal);
  if (direction == "NE") return FromBool(!order.equal);
  if (direction == "LT") return FromBool(order.less);
  if (direction == "GT") return FromBool(order.greater);
  if (direction == "LE") return FromBool(order.less || order.equal);
  if (direction == "GE") return FromBool(order.greater || order.equal);
  return absl::InvalidArgumentError(
      absl::StrCat("compare ", inst.name, ": unknown direction ", direction));
}

Value SelectValue(const Expr& condition, const Value& yes, const Value& no) {
  Value result{yes.type, {}, {}};
  if (yes.type == ElementType::kPred) {
    result.re = (condition && yes.re) || (!condition && no.re);
    return result;
  }
  const bool uniform = !Halide::Internal::is_const(condition) && numerics::IsUniform(condition);
  const bool floats = hlo::IsFloat(yes.type) || hlo::IsComplex(yes.type);
  const auto choose = [&](const Expr& a, const Expr& b) {
    if (uniform) return numerics::MaskedSelect(condition, a, b);
    return floats ? numerics::Select(condition, Fp{a}, Fp{b}).e : Halide::select(condition, a, b);
  };
  result.re = choose(yes.re, no.re);
  if (hlo::IsComplex(yes.type)) result.im = choose(yes.im, no.im);
  const auto choose_stored = [&](const Expr& a, const Expr& b) {
    return uniform ? numerics::MaskedSelect(condition, a, b) : Halide::select(condition, a, b);
  };
  ChooseStored(yes, no, choose_stored, &result);
  return result;
}

absl::StatusOr<Value> Clamp(const Instruction& inst, absl::Span<const Value> operands) {
  absl::StatusOr<Value> low = Binary(inst, Opcode::kMaximum, operands[1], operands[0]);
  if (!low.ok()) return low;
  return Binary(inst, Opcode::kMinimum, *low, operands[2]);
}

// Whether `inst` holds, everywhere, one number from `least` to `most`.
bool HoldsNumberWithin(const Instruction& inst, double least, double most) {
  const Instruction* value = &inst;
  while (value->opcode == Opcode::kBroadcast) value = value->operand(0);
  if (value->opcode != Opcode::kConstant || !value->shape.IsScalar()) return false;
  const double number = value->literal.GetFloat(0);
  return number >= least && number <= most;
}

// Whether a float is NaN or within the range of the integer type: a minimum and a maximum see to
// that, in either order, and whole numbers may have been made since. Quantization is written so.
bool IsWithinRangeOf(const Instruction& inst, ElementType type) {
  const double end = std::ldexp(1.0, hlo::BitWidth(type) - (hlo::IsSigned(type) ? 1 : 0));
  const double least = hlo::IsSigned(type) ? -end : 0.0, most = end - 1;
  const Instruction* value = &inst;
  while (value->opcode == Opcode::kRoundNearestEven || value->opcode == Opcode::kRoundNearestAfz ||
         value->opcode == Opcode::kFloor || value->opcode == Opcode::kCeil)
    value = value->operand(0);
  const auto holds = [&](const Instruction& number) {
    return HoldsNumberWithin(number, least, most);
  };
  if (value->opcode == Opcode::kClamp)
    return holds(*value->operand(0)) && holds(*value->operand(2));
  const bool least_last = value->opcode == Opcode::kMinimum;
  if (!least_last && value->opcode != Opcode::kMaximum) return false;
  for (int i : {0, 1}) {
    if (!holds(*value->operand(i))) continue;
    const Instruction& other = *value->operand(1 - i);
    if (other.opcode != (least_last ? Opcode::kMaximum : Opcode::kMinimum)) continue;
    if (holds(*other.operand(0)) || holds(*other.operand(1))) return true;
  }
  return false;
}

Value Convert(const Instruction& inst, const Value& x) {
  const ElementType to = inst.shape.element_type();
  // Wider ranges do not end in numbers of the type of x.
  const bool is_within = hlo::IsFloat(x.type) && hlo::IsInteger(to) && hlo::BitWidth(to) < 32 &&
                         !inst.operands.empty() && IsWithinRangeOf(*inst.operand(0), to);
  if (!is_within) return ConvertTo(x, to);
  return FromInteger(to, numerics::ToInteger({x.re}, hlo::BitWidth(to), hlo::IsSigned(to),
                                             /*is_within=*/true));
}

absl::StatusOr<Value> BitcastConvert(const Instruction& inst, const Value& x) {
  const ElementType from = x.type, to = inst.shape.element_type();
  if (hlo::BitWidth(from) != hlo::BitWidth(to) || hlo::IsComplex(from) != hlo::IsComplex(to)) {
    return absl::UnimplementedError(absl::StrCat("bitcast-convert ", inst.name, ": from ",
                                                 hlo::HloName(from), " to ", hlo::HloName(to),
                                                 " is not elementwise"));
  }
  if (from == to) return x;
  Expr bits = ToStorage(x);
  const Halide::Type storage = StorageType(to);
  if (bits.type() != storage) bits = Halide::reinterpret(storage, bits);
  if (hlo::BitWidth(to) < 8) bits = numerics::Wrap(bits, hlo::BitWidth(to));
  return FromStorage(to, bits);
}

absl::StatusOr<Value> RealOrImag(const Instruction& inst, const Value& x) {
  const bool real = inst.opcode == Opcode::kReal;
  if (hlo::IsComplex(x.type)) return Value{hlo::PartType(x.type), real ? x.re : x.im, {}};
  if (!hlo::IsFloat(x.type)) return Unsupported(inst, x.type);
  return real ? x : Zero(x.type);
}

}  // namespace

bool HasElementwiseLowering(Opcode opcode) { return hlo::RowOf(opcode).elementwise; }

absl::StatusOr<Value> ApplyElementwise(const Instruction& inst, absl::Span<const Value> operands) {
  if (operands.empty() || operands.size() > 4) return Unsupported(inst, inst.shape.element_type());
  const Value& x = operands[0];
  switch (inst.opcode) {
    case Opcode::kCompare:
      return Compare(inst, x, operands[1]);
    case Opcode::kSelect:
      return SelectValue(x.re, operands[1], operands[2]);
    case Opcode::kClamp:
      return Clamp(inst, operands);
    case Opcode::kConvert:
      return Convert(inst, x);
    case Opcode::kBitcastConvert:
      return BitcastConvert(inst, x);
    case Opcode::kReducePrecision:
      if (!hlo::IsFloat(x.type)) return Unsupported(inst, x.type);
      return numerics::ReducePrecision(x, static_cast<int>(inst.GetInt(Attr::kExponentBits)),
                                       static_cast<int>(inst.GetInt(Attr::kMantissaBits)));
    case Opcode::kReal:
    case Opcode::kImag:
      return RealOrImag(inst, x);
    case Opcode::kIsFinite:
      if (!hlo::IsFloat(x.type)) return Unsupported(inst, x.type);
      return FromBool(numerics::IsFinite({x.re}));
    case Opcode::kThreefryBlock:
      return Value{x.type, numerics::ThreefryBlock(x.re, operands[1].re), {}};
    case Opcode::kPhiloxBlock:
      return Value{
          x.type, numerics::PhiloxBlock(x.re, operands[1].re, operands[2].re, operands[3].re), {}};
    case Opcode::kComplex:
      return Value{inst.shape.element_type(), x.re, operands[1].re};
    default:
      return operands.size() == 1 ? Unary(inst, x) : Binary(inst, inst.opcode, x, operands[1]);
  }
}

}  // namespace halyard::lowering
