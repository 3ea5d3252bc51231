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
  if (!Usable(opcode, {lhs, rhs})) return Invalid();
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
  bool is_float = Owns(lhs) && ShapeOf(lhs).IsArray() && hlo::IsFloat(ShapeOf(lhs).element_type());
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
  if (!Usable(Opcode::kConvert, {operand})) return Invalid();
  return AddOp(Opcode::kConvert, {operand}, {}, {}, ShapeOf(operand).WithElementType(type));
}

XlaOp XlaBuilder::BitcastConvertType(XlaOp operand, PrimitiveType type) {
  if (!Usable(Opcode::kBitcastConvert, {operand})) return Invalid();
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
  if (!Usable(Opcode::kSelect, {pred, on_true, on_false})) return Invalid();
  if (ShapeOf(on_true).IsTuple()) {
    if (!ShapeOf(pred).IsScalar() ||
        !Shape::SameIgnoringLayout(ShapeOf(on_true), ShapeOf(on_false))) {
      return Error(Opcode::kSelect, "C1: tuples must be of one shape, and chosen by a scalar");
    }
    std::vector<XlaOp> chosen, trues = Leaves(on_true), falses = Leaves(on_false);
    for (size_t i = 0; i < trues.size(); ++i) {
      chosen.push_back(Select(pred, trues[i], falses[i]));
    }
    return Tuple(chosen);
  }
  return AddOp(Opcode::kSelect, {pred, on_true, on_false});
}

XlaOp XlaBuilder::Clamp(XlaOp min, XlaOp operand, XlaOp max) {
  return AddOp(Opcode::kClamp, {min, operand, max});
}

XlaOp XlaBuilder::Map(absl::Span<const XlaOp> operands, const XlaComputation& computation,
                      absl::Span<const int64_t> dimensions,
                      absl::Span<const XlaOp> static_operands) {
  if (operands.empty()) return Error(Opcode::kMap, "C2: needs an operand");
  if (!Usable(Opcode::kMap, operands) || !Usable(Opcode::kMap, static_operands)) return Invalid();
  const Shape& shape = ShapeOf(operands[0]);
  std::vector<int64_t> all(shape.rank());
  std::iota(all.begin(), all.end(), 0);
  std::vector<int64_t> dims(dimensions.begin(), dimensions.end());
  if (dims.empty()) dims = all;
  std::vector<XlaOp> inputs(operands.begin(), operands.end());
  for (XlaOp operand : static_operands) {
    if (!ShapeOf(operand).IsScalar()) {
      if (dims != all) return Error(Opcode::kMap, "C3: dimensions must be all of them, in order");
      return MapOneByOne(operands, computation, static_operands);
    }
    inputs.push_back(Broadcast(operand, shape.dims()));  // the same for every element
  }
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, std::move(dims));
  return AddOp(Opcode::kMap, inputs, std::move(attrs), {&computation});
}

// A body that takes arrays is not a map, so a loop over the elements calls it. The state is (i,
// result, operands…, static operands…), the first ones as vectors.
XlaOp XlaBuilder::MapOneByOne(absl::Span<const XlaOp> operands, const XlaComputation& computation,
                              absl::Span<const XlaOp> static_operands) {
  if (computation.IsNull()) return Error(Opcode::kMap, "a computation that it calls was not built");
  const Shape shape = ShapeOf(operands[0]);
  const Shape element = computation.module().entry()->root()->shape;
  if (!element.IsScalar()) return Error(Opcode::kMap, "C4: the computation must give a scalar");
  const int64_t count = shape.NumElements(), n = static_cast<int64_t>(operands.size());
  std::vector<XlaOp> init = {
      ConstantR0<int64_t>(0),
      Broadcast(ConstantLiteral(LiteralUtil::Zero(element.element_type())), {count})};
  for (XlaOp operand : operands) {
    if (ShapeOf(operand).dims() != shape.dims()) {
      return Error(Opcode::kMap, "C1: the operands differ in shape");
    }
    init.push_back(Reshape(operand, {count}));
  }
  init.insert(init.end(), static_operands.begin(), static_operands.end());
  XlaOp state = Tuple(init);
  if (!state.valid()) return state;
  const Shape state_shape = ShapeOf(state);
  const int64_t size = static_cast<int64_t>(init.size());

  std::unique_ptr<XlaBuilder> condition = CreateSubBuilder("map_condition");
  condition->Lt(condition->GetTupleElement(condition->Parameter(0, state_shape), 0),
                condition->ConstantR0<int64_t>(count));
  std::unique_ptr<XlaBuilder> body = CreateSubBuilder("map_body");
  XlaOp current = body->Parameter(0, state_shape);
  std::vector<XlaOp> next(size), arguments;
  for (int64_t i = 0; i < size; ++i) next[i] = body->GetTupleElement(current, i);
  for (int64_t i = 2; i < size; ++i) {
    arguments.push_back(i < 2 + n ? body->Reshape(body->DynamicSlice(next[i], {next[0]}, {1}), {})
                                  : next[i]);
  }
  XlaOp value = body->Reshape(body->Call(computation, arguments), {1});
  next[1] = body->DynamicUpdateSlice(next[1], value, {next[0]});
  next[0] = body->Add(next[0], body->ConstantR0<int64_t>(1));
  body->Tuple(next);
  XlaComputation is_more = condition->BuildAndNoteError(), step = body->BuildAndNoteError();
  if (!first_error_.ok()) return Invalid();
  return Reshape(GetTupleElement(While(is_more, step, state), 1), shape.dims());
}

}  // namespace halyard
