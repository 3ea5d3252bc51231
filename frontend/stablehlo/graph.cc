#include "frontend/stablehlo/graph.h"

#include <utility>

#include "frontend/hlo/ir/op_table.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

AttrMap OneAttr(Attr attr, hlo::AttrValue value) {
  AttrMap attrs;
  attrs.Set(attr, std::move(value));
  return attrs;
}

std::vector<Instruction*> InstructionsOf(const std::vector<Term>& terms) {
  std::vector<Instruction*> insts;
  for (const Term& term : terms) insts.push_back(term.inst);
  return insts;
}

}  // namespace

Term Graph::Add(Opcode opcode, std::vector<Term> operands, AttrMap attrs,
                std::vector<hlo::Computation*> called) {
  const Shape unknown = operands.empty() ? Shape() : operands[0].shape();
  Instruction* inst = computation_->Add(opcode, unknown, InstructionsOf(operands), std::move(attrs),
                                        std::move(called));
  absl::StatusOr<Shape> shape = hlo::InferShape(*inst);
  if (shape.ok()) {
    inst->shape = *std::move(shape);
  } else if (status_.ok()) {
    status_ = shape.status();
  }
  return Of(inst);
}

Term Graph::Add(Opcode opcode, Shape shape, std::vector<Term> operands, AttrMap attrs) {
  Instruction* inst =
      computation_->Add(opcode, std::move(shape), InstructionsOf(operands), std::move(attrs));
  if (absl::StatusOr<Shape> inferred = hlo::InferShape(*inst); !inferred.ok() && status_.ok()) {
    status_ = inferred.status();
  }
  return Of(inst);
}

Term Graph::Constant(Literal scalar, const std::vector<int64_t>& dims) {
  const ElementType type = scalar.shape().element_type();
  const bool wide = hlo::StorageBytes(type) > 8;  // not shared: too long for a key
  auto key = std::make_pair(dims, std::make_pair(type, wide ? 0 : scalar.GetBits(0)));
  if (auto found = constants_.find(key); !wide && found != constants_.end()) return found->second;
  Term term;
  if (dims.empty()) {
    term = Of(computation_->AddConstant(std::move(scalar)));
  } else {
    term = Broadcast(Constant(std::move(scalar), {}), dims, {});
  }
  if (!wide) constants_.emplace(std::move(key), term);
  return term;
}

Term Graph::Splat(ElementType type, const std::vector<int64_t>& dims, double value) {
  return Constant(Literal::FromValues<double>(type, {}, {value}), dims);
}

Term Graph::SplatInt(ElementType type, const std::vector<int64_t>& dims, int64_t value) {
  Literal scalar(Shape::Scalar(type));
  scalar.SetInt(0, value);
  return Constant(std::move(scalar), dims);
}

Term Graph::Iota(ElementType type, std::vector<int64_t> dims, int64_t dim) {
  return Add(Opcode::kIota, Shape::Array(type, std::move(dims)), {},
             OneAttr(Attr::kIotaDimension, dim));
}

Term Graph::Tuple(const std::vector<Term>& parts) {
  std::vector<Shape> shapes;
  for (const Term& part : parts) shapes.push_back(part.shape());
  return Add(Opcode::kTuple, Shape::Tuple(std::move(shapes)), parts);
}

Term Graph::Element(Term tuple, int64_t index) {
  return Add(Opcode::kGetTupleElement, tuple.shape().elements()[index], {tuple},
             OneAttr(Attr::kIndex, index));
}

std::vector<Term> Graph::While(hlo::Computation* condition, hlo::Computation* body,
                               const std::vector<Term>& state) {
  Term loop = Add(Opcode::kWhile, {Tuple(state)}, {}, {condition, body});
  std::vector<Term> results;
  for (size_t i = 0; i < state.size(); ++i) {
    results.push_back(Element(loop, static_cast<int64_t>(i)));
  }
  return results;
}

Term Like(Term a, double value) { return a.graph->Splat(a.type(), a.shape().dims(), value); }

namespace {
Term Binary(Opcode opcode, Term a, Term b) { return a.graph->Add(opcode, {a, b}); }
}  // namespace

Term operator+(Term a, Term b) { return Binary(Opcode::kAdd, a, b); }
Term operator-(Term a, Term b) { return Binary(Opcode::kSubtract, a, b); }
Term operator*(Term a, Term b) { return Binary(Opcode::kMultiply, a, b); }
Term operator/(Term a, Term b) { return Binary(Opcode::kDivide, a, b); }
Term operator&(Term a, Term b) { return Binary(Opcode::kAnd, a, b); }
Term operator|(Term a, Term b) { return Binary(Opcode::kOr, a, b); }
Term operator^(Term a, Term b) { return Binary(Opcode::kXor, a, b); }
Term operator-(Term a) { return Unary(Opcode::kNegate, a); }
Term operator!(Term a) { return Unary(Opcode::kNot, a); }
Term operator+(Term a, double b) { return a + Like(a, b); }
Term operator-(Term a, double b) { return a - Like(a, b); }
Term operator*(Term a, double b) { return a * Like(a, b); }
Term operator/(Term a, double b) { return a / Like(a, b); }
Term operator-(double a, Term b) { return Like(b, a) - b; }
Term operator/(double a, Term b) { return Like(b, a) / b; }

Term Compare(Term a, Term b, const char* direction) {
  return a.graph->Add(Opcode::kCompare, {a, b}, OneAttr(Attr::kDirection, std::string(direction)));
}
Term operator<(Term a, Term b) { return Compare(a, b, "LT"); }
Term operator<=(Term a, Term b) { return Compare(a, b, "LE"); }
Term operator>(Term a, Term b) { return Compare(a, b, "GT"); }
Term operator>=(Term a, Term b) { return Compare(a, b, "GE"); }
Term operator==(Term a, Term b) { return Compare(a, b, "EQ"); }
Term operator!=(Term a, Term b) { return Compare(a, b, "NE"); }
Term operator<(Term a, double b) { return a < Like(a, b); }
Term operator<=(Term a, double b) { return a <= Like(a, b); }
Term operator>(Term a, double b) { return a > Like(a, b); }
Term operator>=(Term a, double b) { return a >= Like(a, b); }
Term operator==(Term a, double b) { return a == Like(a, b); }
Term operator!=(Term a, double b) { return a != Like(a, b); }
Term Select(Term condition, Term yes, Term no) {
  return condition.graph->Add(Opcode::kSelect, yes.shape(), {condition, yes, no});
}
Term Select(Term condition, Term yes, double no) { return Select(condition, yes, Like(yes, no)); }
Term Select(Term condition, double yes, Term no) { return Select(condition, Like(no, yes), no); }

Term Unary(Opcode opcode, Term a) { return a.graph->Add(opcode, {a}); }
Term Abs(Term a) { return Unary(Opcode::kAbs, a); }
Term Exp(Term a) { return Unary(Opcode::kExp, a); }
Term Expm1(Term a) { return Unary(Opcode::kExpm1, a); }
Term Log(Term a) { return Unary(Opcode::kLog, a); }
Term Log1p(Term a) { return Unary(Opcode::kLog1p, a); }
Term Sqrt(Term a) { return Unary(Opcode::kSqrt, a); }
Term Sin(Term a) { return Unary(Opcode::kSin, a); }
Term Cos(Term a) { return Unary(Opcode::kCos, a); }
Term Sign(Term a) { return Unary(Opcode::kSign, a); }
Term Real(Term a) { return Unary(Opcode::kReal, a); }
Term Imag(Term a) { return Unary(Opcode::kImag, a); }
Term Conjugate(Term a) { return hlo::IsComplex(a.type()) ? Complex(Real(a), -Imag(a)) : a; }
Term Complex(Term re, Term im) { return Binary(Opcode::kComplex, re, im); }
Term Atan2(Term y, Term x) { return Binary(Opcode::kAtan2, y, x); }
Term Power(Term a, Term b) { return Binary(Opcode::kPower, a, b); }
Term Maximum(Term a, Term b) { return Binary(Opcode::kMaximum, a, b); }
Term Minimum(Term a, Term b) { return Binary(Opcode::kMinimum, a, b); }

Term ConvertTo(Term a, ElementType type) {
  if (a.type() == type) return a;
  return a.graph->Add(Opcode::kConvert, a.shape().WithElementType(type), {a});
}

Term BitcastTo(Term a, ElementType type) {
  return a.graph->Add(Opcode::kBitcastConvert, a.shape().WithElementType(type), {a});
}

Term Polynomial(Term x, absl::Span<const double> c) {
  Term sum = Like(x, c.back());
  for (size_t i = c.size() - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

Term Broadcast(Term a, std::vector<int64_t> dims, std::vector<int64_t> places) {
  return a.graph->Add(Opcode::kBroadcast, a.shape().WithDims(std::move(dims)), {a},
                      OneAttr(Attr::kDimensions, std::move(places)));
}

Term Reshape(Term a, std::vector<int64_t> dims) {
  return a.graph->Add(Opcode::kReshape, a.shape().WithDims(std::move(dims)), {a});
}

Term Transpose(Term a, std::vector<int64_t> permutation) {
  return a.graph->Add(Opcode::kTranspose, {a}, OneAttr(Attr::kDimensions, std::move(permutation)));
}

Term Slice(Term a, int64_t dim, int64_t start, int64_t limit) {
  hlo::SliceDims slice;
  for (int64_t extent : a.shape().dims()) slice.push_back({0, extent, 1});
  slice[dim] = {start, limit, 1};
  return a.graph->Add(Opcode::kSlice, {a}, OneAttr(Attr::kSlice, std::move(slice)));
}

Term Reduce(Term a, std::vector<int64_t> dims, Opcode opcode, double init) {
  hlo::Computation* fold = a.graph->computation()->module()->AddComputation("fold");
  Instruction* lhs = fold->AddParameter(0, Shape::Scalar(a.type()));
  Instruction* rhs = fold->AddParameter(1, Shape::Scalar(a.type()));
  fold->set_root(fold->Add(opcode, lhs->shape, {lhs, rhs}));
  return a.graph->Add(Opcode::kReduce, {a, a.graph->Splat(a.type(), {}, init)},
                      OneAttr(Attr::kDimensions, std::move(dims)), {fold});
}

Term Dot(Term a, Term b, const DotDims& dims, ElementType result, AttrMap attrs) {
  attrs.Set(Attr::kLhsBatchDims, dims.lhs_batch);
  attrs.Set(Attr::kRhsBatchDims, dims.rhs_batch);
  attrs.Set(Attr::kLhsContractingDims, dims.lhs_contracting);
  attrs.Set(Attr::kRhsContractingDims, dims.rhs_contracting);
  Term dot = a.graph->Add(Opcode::kDot, {a, b}, std::move(attrs));
  dot.inst->shape = dot.shape().WithElementType(result);
  return dot;
}

}  // namespace halyard::stablehlo
