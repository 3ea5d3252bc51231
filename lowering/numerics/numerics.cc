#include "lowering/numerics/numerics.h"

#include <cmath>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/numerics/arithmetic.h"
#include "lowering/numerics/complex_ops.h"
#include "lowering/numerics/integer_ops.h"
#include "lowering/numerics/small_floats.h"

namespace halyard::lowering {

using Halide::cast;
using Halide::Expr;
using Halide::Type;
using hlo::ElementClass;
using hlo::ElementType;
using numerics::Fp;

namespace {

Type IntegerType(ElementType type) {
  const int width = hlo::BitWidth(type) < 8 ? 8 : hlo::BitWidth(type);
  return hlo::IsSigned(type) ? Halide::Int(width) : Halide::UInt(width);
}

Expr IntConstant(ElementType type, uint64_t bits) {
  const Type t = IntegerType(type);
  if (hlo::IsSigned(type)) return Halide::Internal::IntImm::make(t, static_cast<int64_t>(bits));
  return Halide::Internal::UIntImm::make(t, bits);
}

Expr FloatConstant(ElementType part, double value) {
  const Fp like{Halide::Internal::make_zero(Halide::Float(part == ElementType::kF64 ? 64 : 32))};
  return like.Const(value).e;
}

// Converts an f32 or f64 expression to a float type.
Expr FloatToFloat(const Fp& x, ElementType to) {
  if (to == ElementType::kF64) return x.single() ? cast(Halide::Float(64), Strictly(x).e) : x.e;
  if (to == ElementType::kF32) return x.single() ? x.e : cast(Halide::Float(32), Strictly(x).e);
  return numerics::RoundToNarrow(to, x.single() ? x : numerics::RoundToOdd32(x)).e;
}

Expr RealToReal(const Expr& x, ElementType from, ElementType to) {
  if (from == to) return x;
  const ElementClass source = hlo::ClassOf(from), target = hlo::ClassOf(to);
  if (target == ElementClass::kBool) {
    if (source == ElementClass::kFloat) return !numerics::Eq(Fp{x}, 0.0);
    return x != Halide::Internal::make_zero(x.type());
  }
  if (source == ElementClass::kBool) {
    const Type type = ComputeType(to);
    // E8M0 has no zero, so 0 is rounded to its least value.
    Expr zero = FloatConstant(to, 0), one = FloatConstant(to, 1);
    if (target == ElementClass::kFloat) {
      return numerics::IsNarrowFloat(to)
                 ? numerics::RoundToNarrow(to, {Halide::select(x, one, zero)}).e
                 : Halide::select(x, one, zero);
    }
    return Halide::select(x, Halide::Internal::make_one(type), Halide::Internal::make_zero(type));
  }
  if (target == ElementClass::kFloat) {
    if (source == ElementClass::kFloat) return FloatToFloat({x}, to);
    const bool narrow = numerics::IsNarrowFloat(to);
    Fp value = numerics::FromInteger(x, to != ElementType::kF64, narrow);
    return narrow ? numerics::RoundToNarrow(to, value).e : value.e;
  }
  if (source == ElementClass::kFloat)
    return numerics::ToInteger({x}, hlo::BitWidth(to), hlo::IsSigned(to));
  return numerics::Wrap(numerics::WrappingCast(IntegerType(to), x), hlo::BitWidth(to));
}

Expr RoundPart(ElementType type, const Expr& x) {
  return numerics::IsNarrowFloat(type) ? numerics::RoundToNarrow(type, {x}).e : x;
}

// Returns whether every value of `narrow` is one of `wide`.
bool Holds(ElementType wide, ElementType narrow) {
  if (wide == narrow) return true;
  if (hlo::IsFloat(wide) && hlo::IsFloat(narrow))
    return hlo::BitWidth(wide) >= 32 && hlo::BitWidth(narrow) < hlo::BitWidth(wide);
  if (!hlo::IsInteger(wide) || !hlo::IsInteger(narrow)) return false;
  if (hlo::IsSigned(narrow) && hlo::IsUnsigned(wide)) return false;
  return hlo::BitWidth(wide) > hlo::BitWidth(narrow);
}

}  // namespace

TargetScope::TargetScope(const Halide::Target& target) {
  using Halide::Target;
  const bool gpu = target.has_gpu_feature(), cuda = target.has_feature(Target::CUDA);
  const bool x86 = target.arch == Target::X86 && !gpu;
  const auto cpu_has = [&](Target::Feature feature) { return !gpu && target.has_feature(feature); };
  previous_ = numerics::SetTargetTraits(
      {.vulkan = target.has_feature(Target::Vulkan),
       .fused_multiply_add = cpu_has(Target::FMA),
       .half_conversions = cuda || cpu_has(Target::F16C),
       .bf16_conversions = cuda && target.get_cuda_capability_lower_bound() >= 80,
       .words_in_wide_lanes = x86,
       .maxima = x86,
       .rounds = cpu_has(Target::SSE41),
       .rounds_wide = cpu_has(Target::AVX512)});
}
TargetScope::~TargetScope() { numerics::SetTargetTraits(previous_); }

Type StorageType(ElementType type) {
  const ElementType part = hlo::PartType(type);
  if (part == ElementType::kPred) return Halide::UInt(8);
  if (!hlo::IsFloat(part)) return IntegerType(part);
  if (part == ElementType::kF64) return Halide::Float(64);
  if (part == ElementType::kF32) return Halide::Float(32);
  return Halide::UInt(hlo::BitWidth(part) > 8 ? 16 : 8);
}

Type ComputeType(ElementType type) {
  const ElementType part = hlo::PartType(type);
  if (part == ElementType::kPred) return Halide::Bool();
  if (!hlo::IsFloat(part)) return IntegerType(part);
  return Halide::Float(part == ElementType::kF64 ? 64 : 32);
}

Value FromStorage(ElementType type, Expr re, Expr im) {
  if (type == ElementType::kPred) return {type, re != Halide::Internal::make_zero(re.type()), {}};
  if (numerics::IsNarrowFloat(type))
    return {type, numerics::DecodeNarrow(type, re).e, {}, re, type};
  if (hlo::IsComplex(type)) return {type, std::move(re), std::move(im)};
  return {type, re, {}, re, type};
}

Expr ToStorage(ElementType type, const Expr& part) {
  if (type == ElementType::kPred)
    return Halide::select(part, cast(Halide::UInt(8), 1), cast(Halide::UInt(8), 0));
  if (numerics::IsNarrowFloat(type)) return numerics::EncodeNarrow(type, {part});
  return part;
}

Expr ToStorage(const Value& value) {
  return numerics::IsNarrowFloat(value.type) && value.stored.defined() &&
                 value.stored_type == value.type
             ? value.stored
             : ToStorage(value.type, value.re);
}

void ChooseStored(const Value& first, const Value& second,
                  absl::FunctionRef<Expr(const Expr&, const Expr&)> choose, Value* result) {
  if (!first.stored.defined() && !second.stored.defined()) return;
  if (first.stored.defined() && second.stored.defined() &&
      first.stored_type == second.stored_type) {
    result->stored = choose(first.stored, second.stored);
    result->stored_type = first.stored_type;
  } else if (numerics::IsNarrowFloat(result->type)) {
    result->stored = choose(ToStorage(first), ToStorage(second));
    result->stored_type = result->type;
  }
}

Value ConstantValue(const hlo::Literal& literal, int64_t index) {
  const ElementType type = literal.shape().element_type();
  switch (hlo::ClassOf(type)) {
    case ElementClass::kBool:
      return {type, Halide::Internal::make_bool(literal.GetInt(index) != 0), {}};
    case ElementClass::kSigned:
      return {type, IntConstant(type, static_cast<uint64_t>(literal.GetInt(index))), {}};
    case ElementClass::kUnsigned:
      return {type, IntConstant(type, literal.GetUint(index)), {}};
    case ElementClass::kFloat: {
      Value value{type, FloatConstant(type, literal.GetFloat(index)), {}};
      if (!numerics::IsNarrowFloat(type)) return value;
      value.stored = Halide::Internal::UIntImm::make(StorageType(type), literal.GetBits(index));
      value.stored_type = type;
      return value;
    }
    case ElementClass::kComplex: {
      const std::complex<double> value = literal.GetComplex(index);
      const ElementType part = hlo::PartType(type);
      return {type, FloatConstant(part, value.real()), FloatConstant(part, value.imag())};
    }
  }
  return {};
}

Value Zero(ElementType type) {
  Value value{type, Halide::Internal::make_zero(ComputeType(type)), {}};
  if (hlo::IsComplex(type)) value.im = value.re;
  if (!hlo::IsFloat(type) || hlo::FormatOf(type).has_zero) {
    if (hlo::IsComplex(type)) return value;
    value.stored = Halide::Internal::make_zero(StorageType(type));
    value.stored_type = type;
    return value;
  }
  return ConvertTo({ElementType::kF32, value.re, {}}, type);
}

Value IntegerValue(ElementType type, const Expr& index) {
  return ConvertTo({index.type().bits() == 64 ? ElementType::kS64 : ElementType::kS32, index, {}},
                   type);
}

Value ConvertTo(const Value& value, ElementType type) {
  const ElementType from = hlo::PartType(value.type), to = hlo::PartType(type);
  Value result{type, RealToReal(value.re, from, to), {}};
  if (value.stored.defined() && Holds(type, value.type)) {
    result.stored = value.stored;
    result.stored_type = value.stored_type;
  }
  if (!hlo::IsComplex(type)) return result;
  result.im = hlo::IsComplex(value.type) ? RealToReal(value.im, from, to)
                                         : Halide::Internal::make_zero(ComputeType(to));
  return result;
}

Value SumAdd(const Value& a, const Value& b) {
  const ElementType type = a.type;
  switch (hlo::ClassOf(type)) {
    case ElementClass::kBool:
      return {type, a.re || b.re, {}};
    case ElementClass::kFloat:
      return {type, RoundPart(type, (Fp{a.re} + Fp{b.re}).e), {}};
    case ElementClass::kComplex:
      return {type, (Fp{a.re} + Fp{b.re}).e, (Fp{a.im} + Fp{b.im}).e};
    default:
      return {type, numerics::Wrap(numerics::WrappingAdd(a.re, b.re), hlo::BitWidth(type)), {}};
  }
}

Value SumMul(const Value& a, const Value& b) {
  const ElementType type = a.type;
  switch (hlo::ClassOf(type)) {
    case ElementClass::kBool:
      return {type, a.re && b.re, {}};
    case ElementClass::kFloat:
      return {type, RoundPart(type, numerics::Multiply(Fp{a.re}, Fp{b.re}).e), {}};
    case ElementClass::kComplex: {
      const numerics::Complex product =
          numerics::Multiply(numerics::Complex{{a.re}, {a.im}}, numerics::Complex{{b.re}, {b.im}});
      return {type, product.re.e, product.im.e};
    }
    default:
      return {
          type, numerics::Wrap(numerics::WrappingMultiply(a.re, b.re), hlo::BitWidth(type)), {}};
  }
}

Value MultiplyAccumulate(const Value& sum, const Value& a, const Value& b) {
  const ElementType type = sum.type;
  if (type == ElementType::kF32 || type == ElementType::kF64)
    return {type, numerics::MultiplyAdd({a.re}, {b.re}, {sum.re}).e, {}};
  if (!hlo::IsComplex(type)) return SumAdd(sum, SumMul(a, b));
  const Fp a_re{a.re}, a_im{a.im}, b_re{b.re}, b_im{b.im};
  const Fp re = numerics::MultiplyAdd(a_re, b_re, {sum.re});
  const Fp im = numerics::MultiplyAdd(a_re, b_im, {sum.im});
  return {type, numerics::SubtractProduct(a_im, b_im, re).e,
          numerics::MultiplyAdd(a_im, b_re, im).e};
}

namespace {

// Returns the least (or greatest) value of a type.
Value Extreme(ElementType type, bool least) {
  const int bits = hlo::BitWidth(type);
  const uint64_t all = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  switch (hlo::ClassOf(type)) {
    case ElementClass::kBool:
      return {type, Halide::Internal::make_bool(!least), {}};
    case ElementClass::kSigned:
      return {type, IntConstant(type, least ? ~(all >> 1) : all >> 1), {}};
    case ElementClass::kUnsigned:
      return {type, IntConstant(type, least ? 0 : all), {}};
    case ElementClass::kComplex: {
      Value part = Extreme(hlo::PartType(type), least);
      return {type, part.re, part.re};
    }
    case ElementClass::kFloat:
      break;
  }
  if (type == ElementType::kF64 || hlo::FormatOf(type).has_infinity) {
    return {type, FloatConstant(type, least ? -HUGE_VAL : HUGE_VAL), {}};
  }
  double extreme = 0;
  bool first = true;
  for (uint64_t code = 0; code < (uint64_t{1} << bits); ++code) {
    const double value = hlo::DecodeFloat(type, code);
    if (std::isnan(value)) continue;
    if (first || (least ? value < extreme : value > extreme)) extreme = value;
    first = false;
  }
  return {type, FloatConstant(type, extreme), {}};
}

// For types that have it, -0: -0 + x is x for every x, whereas +0 + -0 is +0.
Value MinusZero(ElementType type) {
  if (!hlo::IsFloat(type) && !hlo::IsComplex(type)) return Zero(type);
  const Expr part = FloatConstant(hlo::PartType(type), -0.0);
  if (hlo::IsComplex(type)) return {type, part, part};
  if (!numerics::IsNarrowFloat(type)) return {type, part, {}};
  return ConvertTo({ElementType::kF32, part, {}}, type);
}

}  // namespace

absl::StatusOr<Value> IdentityOf(hlo::Opcode opcode, ElementType type) {
  const bool is_bool = type == ElementType::kPred;
  const bool has_bits = is_bool || hlo::IsInteger(type);
  switch (opcode) {
    case hlo::Opcode::kAdd:
      if (type != ElementType::kF8E8M0FNU) return MinusZero(type);
      break;
    case hlo::Opcode::kMultiply:
      return ConvertTo({ElementType::kPred, Halide::Internal::const_true(), {}}, type);
    case hlo::Opcode::kMaximum:
      return Extreme(type, true);
    case hlo::Opcode::kMinimum:
      return Extreme(type, false);
    case hlo::Opcode::kOr:
    case hlo::Opcode::kXor:
      if (has_bits) return Zero(type);
      break;
    case hlo::Opcode::kAnd:
      if (is_bool || hlo::IsUnsigned(type)) return Extreme(type, false);
      if (has_bits) return Value{type, IntConstant(type, ~uint64_t{0}), {}};
      break;
    default:
      break;
  }
  return absl::UnimplementedError(
      absl::StrCat(hlo::RowOf(opcode).hlo_name, " of ", hlo::HloName(type), " has no identity"));
}

}  // namespace halyard::lowering
