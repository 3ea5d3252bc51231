// The elementwise methods of XlaBuilder.
#include <numeric>

#include "absl/strings/str_cat.h"
#include "frontend/builder/broadcasting.h"
#include "frontend/builder/xla_builder.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Opcode;

XlaOp XlaBuilder::Expand(XlaOp operand, const std::vector<int64_t>& dims,
                         const std::vector<int64_t>& map) {
  const Shape& shape = ShapeOf(operand);
  if (shape.dims() == dims) return operand;
  // Dimensions of size 1 that grow are dropped, and come back in the broadcast.
  std::vector<int64_t> kept_dims, kept_map;
  for (size_t i = 0; i < map.size(); ++i) {
    if (shape.dim(i) == 1 && dims[map[i]] != 1) continue;
    kept_dims.push_back(shape.dim(i));
    kept_map.push_back(map[i]);
  }
  if (kept_dims.size() < map.size()) operand = Reshape(operand, kept_dims);
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, std::move(kept_map));
  return AddOp(Opcode::kBroadcast, {operand}, std::move(attrs), {}, shape.WithDims(dims));
}

XlaOp XlaBuilder::AddBinary(Opcode opcode, XlaOp lhs, XlaOp rhs,
                            absl::Span<const int64_t> broadcast_dimensions, AttrMap attrs) {
  if (!Usable(opcode, {lhs, rhs})) return XlaOp(this, nullptr);
  const Shape& left = ShapeOf(lhs);
  const Shape& right = ShapeOf(rhs);
  if (left.IsArray() && right.IsArray()) {
    absl::StatusOr<BroadcastPlan> plan =
        PlanBroadcast(left.dims(), right.dims(), broadcast_dimensions);
    if (!plan.ok()) return Error(opcode, plan.status().message());
    lhs = Expand(lhs, plan->dims, plan->lhs_map);
    rhs = Expand(rhs, plan->dims, plan->rhs_map);
  }
  return AddOp(opcode, {lhs, rhs}, std::move(attrs));
}

XlaOp XlaBuilder::AddCompare(const char* direction, const char* type, XlaOp lhs, XlaOp rhs,
                             absl::Span<const int64_t> broadcast_dimensions) {
  AttrMap attrs;
  attrs.Set(Attr::kDirection, std::string(direction));
  // Total order of values that are not floats is their only order.
  bool is_float =
      lhs.valid() && ShapeOf(lhs).IsArray() && hlo::IsFloat(ShapeOf(lhs).element_type());
  if (*type != '\0' && is_float) attrs.Set(Attr::kType, std::string(type));
  return AddBinary(Opcode::kCompare, lhs, rhs, broadcast_dimensions, std::move(attrs));
}

#define HALYARD_UNARY_METHOD(Name, opcode) \
  XlaOp XlaBuilder::Name(XlaOp operand) { return AddUnary(Opcode::opcode, operand); }
HALYARD_UNARY_METHOD(Abs, kAbs)
HALYARD_UNARY_METHOD(Neg, kNegate)
HALYARD_UNARY_METHOD(Sign, kSign)
HALYARD_UNARY_METHOD(Exp, kExp)
HALYARD_UNARY_METHOD(Expm1, kExpm1)
HALYARD_UNARY_METHOD(Log, kLog)
HALYARD_UNARY_METHOD(Log1p, kLog1p)
HALYARD_UNARY_METHOD(Logistic, kLogistic)
HALYARD_UNARY_METHOD(Tanh, kTanh)
HALYARD_UNARY_METHOD(Sqrt, kSqrt)
HALYARD_UNARY_METHOD(Rsqrt, kRsqrt)
HALYARD_UNARY_METHOD(Cbrt, kCbrt)
HALYARD_UNARY_METHOD(Sin, kSin)
HALYARD_UNARY_METHOD(Cos, kCos)
HALYARD_UNARY_METHOD(Tan, kTan)
HALYARD_UNARY_METHOD(Erf, kErf)
HALYARD_UNARY_METHOD(Ceil, kCeil)
HALYARD_UNARY_METHOD(Floor, kFloor)
HALYARD_UNARY_METHOD(Round, kRoundNearestAfz)
HALYARD_UNARY_METHOD(RoundNearestEven, kRoundNearestEven)
HALYARD_UNARY_METHOD(Not, kNot)
HALYARD_UNARY_METHOD(LogicalNot, kNot)
HALYARD_UNARY_METHOD(PopulationCount, kPopcnt)
HALYARD_UNARY_METHOD(Clz, kClz)
HALYARD_UNARY_METHOD(IsFinite, kIsFinite)
HALYARD_UNARY_METHOD(Real, kReal)
HALYARD_UNARY_METHOD(Imag, kImag)
#undef HALYARD_UNARY_METHOD

#define HALYARD_BINARY_METHOD(Name, opcode)                                            \
  XlaOp XlaBuilder::Name(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> dimensions) { \
    return AddBinary(Opcode::opcode, lhs, rhs, dimensions);                            \
  }
HALYARD_BINARY_METHOD(Add, kAdd)
HALYARD_BINARY_METHOD(Sub, kSubtract)
HALYARD_BINARY_METHOD(Mul, kMultiply)
HALYARD_BINARY_METHOD(Div, kDivide)
HALYARD_BINARY_METHOD(Rem, kRemainder)
HALYARD_BINARY_METHOD(Max, kMaximum)
HALYARD_BINARY_METHOD(Min, kMinimum)
HALYARD_BINARY_METHOD(Pow, kPower)
HALYARD_BINARY_METHOD(And, kAnd)
HALYARD_BINARY_METHOD(Or, kOr)
HALYARD_BINARY_METHOD(Xor, kXor)
HALYARD_BINARY_METHOD(LogicalAnd, kAnd)
HALYARD_BINARY_METHOD(LogicalOr, kOr)
HALYARD_BINARY_METHOD(LogicalXor, kXor)
HALYARD_BINARY_METHOD(ShiftLeft, kShiftLeft)
HALYARD_BINARY_METHOD(ShiftRightArithmetic, kShiftRightArithmetic)
HALYARD_BINARY_METHOD(ShiftRightLogical, kShiftRightLogical)
HALYARD_BINARY_METHOD(Atan2, kAtan2)
HALYARD_BINARY_METHOD(Complex, kComplex)
#undef HALYARD_BINARY_METHOD

#define HALYARD_COMPARE_METHODS(Name, direction)                                                   \
  XlaOp XlaBuilder::Name(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> dimensions) {             \
    return AddCompare(direction, "", lhs, rhs, dimensions);                                        \
  }                                                                                                \
  XlaOp XlaBuilder::Name##TotalOrder(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> dimensions) { \
    return AddCompare(direction, "TOTALORDER", lhs, rhs, dimensions);                              \
  }
HALYARD_COMPARE_METHODS(Eq, "EQ")
HALYARD_COMPARE_METHODS(Ne, "NE")
HALYARD_COMPARE_METHODS(Ge, "GE")
HALYARD_COMPARE_METHODS(Gt, "GT")
HALYARD_COMPARE_METHODS(Le, "LE")
HALYARD_COMPARE_METHODS(Lt, "LT")
#undef HALYARD_COMPARE_METHODS

XlaOp XlaBuilder::SqrtF32(XlaOp operand) { return Pow(operand, ConstantR0<float>(0.5f)); }
XlaOp XlaBuilder::SquareF32(XlaOp operand) { return Pow(operand, ConstantR0<float>(2.0f)); }
XlaOp XlaBuilder::ReciprocalF32(XlaOp operand) { return Pow(operand, ConstantR0<float>(-1.0f)); }

XlaOp XlaBuilder::ConvertElementType(XlaOp operand, PrimitiveType type) {
  if (!Usable(Opcode::kConvert, {operand})) return XlaOp(this, nullptr);
  return AddOp(Opcode::kConvert, {operand}, {}, {}, ShapeOf(operand).WithElementType(type));
}

XlaOp XlaBuilder::BitcastConvertType(XlaOp operand, PrimitiveType type) {
  if (!Usable(Opcode::kBitcastConvert, {operand})) return XlaOp(this, nullptr);
  const Shape& shape = ShapeOf(operand);
  std::vector<int64_t> dims = shape.dims();
  int from = hlo::BitWidth(shape.element_type()), to = hlo::BitWidth(type);
  // What does not fit, inference reports.
  if (to < from) dims.push_back(from / to);
  if (to > from && !dims.empty()) dims.pop_back();
  return AddOp(Opcode::kBitcastConvert, {operand}, {}, {}, Shape::Array(type, std::move(dims)));
}

XlaOp XlaBuilder::ReducePrecision(XlaOp operand, int exponent_bits, int mantissa_bits) {
  AttrMap attrs;
  attrs.Set(Attr::kExponentBits, int64_t{exponent_bits});
  attrs.Set(Attr::kMantissaBits, int64_t{mantissa_bits});
  return AddOp(Opcode::kReducePrecision, {operand}, std::move(attrs));
}

XlaOp XlaBuilder::Select(XlaOp pred, XlaOp on_true, XlaOp on_false) {
  return AddOp(Opcode::kSelect, {pred, on_true, on_false});
}

XlaOp XlaBuilder::Clamp(XlaOp min, XlaOp operand, XlaOp max) {
  return AddOp(Opcode::kClamp, {min, operand, max});
}

XlaOp XlaBuilder::Map(absl::Span<const XlaOp> operands, const XlaComputation& computation,
                      absl::Span<const int64_t> dimensions) {
  if (operands.empty()) return Error(Opcode::kMap, "needs an operand");
  if (!Usable(Opcode::kMap, operands)) return XlaOp(this, nullptr);
  std::vector<int64_t> dims(dimensions.begin(), dimensions.end());
  if (dims.empty()) {
    dims.resize(ShapeOf(operands[0]).rank());
    std::iota(dims.begin(), dims.end(), 0);
  }
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, std::move(dims));
  return AddOp(Opcode::kMap, operands, std::move(attrs), {&computation});
}

}  // namespace halyard
