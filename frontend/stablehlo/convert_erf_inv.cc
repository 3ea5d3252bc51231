// chlo.erf_inv in HLO's ops: M. Giles, "Approximating the erfinv function" (GPU Computing Gems,
// 2012), single precision; two steps of Newton's method on top for f64. Narrower types are computed
// in f32.
#include <cmath>
#include <limits>

#include "frontend/stablehlo/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

namespace {

// Highest power first, of w - 2.5 for w < 5, of √w - 3 beyond.
constexpr double kCentral[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                               -4.39150654e-06, 0.00021858087,  -0.00125372503,
                               -0.00417768164,  0.246640727,    1.50140941};
constexpr double kTail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                            -0.00367342844,  0.00573950773,  -0.0076224613,
                            0.00943887047,   1.00167406,     2.83297682};

class Ops {
 public:
  Ops(hlo::Computation* computation, Shape shape)
      : computation_(computation), shape_(std::move(shape)) {}

  Instruction* Op(Opcode opcode, std::vector<Instruction*> operands) {
    return computation_->Add(opcode, shape_, std::move(operands));
  }
  Instruction* Op(Opcode opcode, Instruction* x, double y) { return Op(opcode, {x, Splat(y)}); }
  Instruction* Splat(double value) {
    hlo::Literal literal(Shape::Scalar(shape_.element_type()));
    literal.SetFloat(0, value);
    Instruction* scalar = computation_->AddConstant(std::move(literal));
    if (shape_.IsScalar()) return scalar;
    AttrMap attrs;
    attrs.Set(Attr::kDimensions, hlo::Ints{});
    return computation_->Add(Opcode::kBroadcast, shape_, {scalar}, std::move(attrs));
  }
  Instruction* Compare(Instruction* x, double y, const char* direction) {
    AttrMap attrs;
    attrs.Set(Attr::kDirection, std::string(direction));
    return computation_->Add(Opcode::kCompare, shape_.WithElementType(ElementType::kPred),
                             {x, Splat(y)}, std::move(attrs));
  }
  Instruction* Polynomial(absl::Span<const double> coefficients, Instruction* x) {
    Instruction* sum = Splat(coefficients[0]);
    for (double coefficient : coefficients.subspan(1)) {
      sum = Op(Opcode::kAdd, Op(Opcode::kMultiply, {sum, x}), coefficient);
    }
    return sum;
  }

 private:
  hlo::Computation* computation_;
  Shape shape_;
};

Instruction* ErfInv(Ops& ops, Instruction* x, bool newton) {
  // w = -log(1 - x²)
  Instruction* square = ops.Op(Opcode::kMultiply, {x, x});
  Instruction* w = ops.Op(
      Opcode::kNegate, {ops.Op(Opcode::kLog1p, {ops.Op(Opcode::kNegate, {square})})});
  Instruction* central = ops.Polynomial(kCentral, ops.Op(Opcode::kSubtract, w, 2.5));
  Instruction* tail =
      ops.Polynomial(kTail, ops.Op(Opcode::kSubtract, ops.Op(Opcode::kSqrt, {w}), 3));
  Instruction* factor = ops.Op(Opcode::kSelect, {ops.Compare(w, 5, "LT"), central, tail});
  Instruction* y = ops.Op(Opcode::kMultiply, {factor, x});
  for (int step = 0; newton && step < 2; ++step) {
    Instruction* error = ops.Op(Opcode::kSubtract, {ops.Op(Opcode::kErf, {y}), x});
    Instruction* slope = ops.Op(
        Opcode::kMultiply,
        ops.Op(Opcode::kExp,
               {ops.Op(Opcode::kNegate, {ops.Op(Opcode::kMultiply, {y, y})})}),
        M_2_SQRTPI);
    y = ops.Op(Opcode::kSubtract, {y, ops.Op(Opcode::kDivide, {error, slope})});
  }
  Instruction* end = ops.Compare(ops.Op(Opcode::kAbs, {x}), 1, "EQ");
  Instruction* infinite =
      ops.Op(Opcode::kMultiply, x, std::numeric_limits<double>::infinity());
  return ops.Op(Opcode::kSelect, {end, infinite, y});
}

}  // namespace

bool Converter::ConvertErfInv(const Operation& op, Frame& frame) {
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (operands.size() != 1 || !operands[0]->shape.IsArray() ||
      !hlo::IsFloat(operands[0]->shape.element_type())) {
    return Fail(op, "needs one tensor of floats");
  }
  std::vector<Shape> results;
  if (!ResultShapes(op, &results)) return false;
  const Shape shape = operands[0]->shape;
  if (results.size() != 1 || !Shape::SameIgnoringLayout(results[0], shape)) {
    return Fail(op, "the result's type must be the operand's");
  }
  const bool is_double = shape.element_type() == ElementType::kF64;
  const Shape wide =
      shape.WithElementType(is_double ? ElementType::kF64 : ElementType::kF32);
  auto convert = [&](Instruction* x, const Shape& to) {
    if (x->shape == to) return x;
    return frame.computation->Add(Opcode::kConvert, to, {x});
  };
  Ops ops(frame.computation, wide);
  frame.values[op.results[0].get()] =
      convert(ErfInv(ops, convert(operands[0], wide), is_double), shape);
  return true;
}

}  // namespace halyard::stablehlo
