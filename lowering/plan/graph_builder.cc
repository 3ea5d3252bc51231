#include "lowering/plan/graph_builder.h"

#include <limits>

#include "frontend/hlo/ir/op_table.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

Instruction* GraphBuilder::Add(Opcode opcode, std::vector<Instruction*> operands,
                               hlo::AttrMap attrs) {
  Shape unknown = operands[0]->shape;
  Instruction* inst =
      rewriter_->Add(*source_, opcode, unknown, std::move(operands), std::move(attrs));
  // The verifier, which runs after the pass, finds a wrong shape.
  if (absl::StatusOr<Shape> shape = hlo::InferShape(*inst); shape.ok()) inst->shape = *shape;
  return inst;
}

Instruction* GraphBuilder::Reshape(Instruction* x, std::vector<int64_t> dims) {
  return rewriter_->AddReshape(*source_, x, std::move(dims));
}

Instruction* GraphBuilder::Transpose(Instruction* x, const std::vector<int64_t>& permutation) {
  return rewriter_->AddTranspose(*source_, x, permutation);
}

Instruction* GraphBuilder::Broadcast(Instruction* x, std::vector<int64_t> dims,
                                     std::vector<int64_t> places) {
  return rewriter_->AddBroadcast(*source_, x, std::move(dims), std::move(places));
}

Instruction* GraphBuilder::Convert(Instruction* x, ElementType type) {
  if (x->shape.element_type() == type) return x;
  return rewriter_->Add(*source_, Opcode::kConvert, x->shape.WithElementType(type), {x});
}

Instruction* GraphBuilder::Slice(Instruction* x, int64_t dim, int64_t start, int64_t limit,
                                 int64_t stride) {
  if (start == 0 && limit == x->shape.dim(dim) && stride == 1) return x;
  hlo::SliceDims slice;
  for (int64_t extent : x->shape.dims()) slice.push_back({0, extent, 1});
  slice[dim] = {start, limit, stride};
  return Add(Opcode::kSlice, {x}, OneAttr(Attr::kSlice, slice));
}

Instruction* GraphBuilder::Concatenate(std::vector<Instruction*> parts, int64_t dim) {
  if (parts.size() == 1) return parts[0];
  return Add(Opcode::kConcatenate, std::move(parts), OneAttr(Attr::kDimensions, hlo::Ints{dim}));
}

Instruction* GraphBuilder::Reverse(Instruction* x, std::vector<int64_t> dims) {
  return Add(Opcode::kReverse, {x}, OneAttr(Attr::kDimensions, std::move(dims)));
}

Instruction* GraphBuilder::PadTo(Instruction* x, const std::vector<int64_t>& dims) {
  if (x->shape.dims() == dims) return x;
  hlo::PaddingConfig padding;
  for (int64_t d = 0; d < x->shape.rank(); ++d)
    padding.push_back({0, dims[d] - x->shape.dim(d), 0});
  return Add(Opcode::kPad, {x, Splat(x->shape.element_type(), 0, {})},
             OneAttr(Attr::kPadding, padding));
}

Instruction* GraphBuilder::Iota(ElementType type, std::vector<int64_t> dims, int64_t dim) {
  return rewriter_->Add(*source_, Opcode::kIota, Shape::Array(type, std::move(dims)), {},
                        OneAttr(Attr::kIotaDimension, dim));
}

Instruction* GraphBuilder::Compare(Instruction* x, Instruction* y, const char* direction) {
  return Add(Opcode::kCompare, {x, y}, OneAttr(Attr::kDirection, std::string(direction)));
}

Instruction* GraphBuilder::Select(Instruction* condition, Instruction* on_true,
                                  Instruction* on_false) {
  return rewriter_->Add(*source_, Opcode::kSelect, on_true->shape, {condition, on_true, on_false});
}

Instruction* GraphBuilder::Conjugate(Instruction* x) {
  if (!hlo::IsComplex(x->shape.element_type())) return x;
  return Complex(Real(x), Add(Opcode::kNegate, {Imag(x)}));
}

Instruction* GraphBuilder::Splat(ElementType type, double value, std::vector<int64_t> dims) {
  Instruction* scalar =
      rewriter_->AddConstant(*source_, Literal::FromValues<double>(type, {}, {value}));
  return dims.empty() ? scalar : Broadcast(scalar, std::move(dims), {});
}

Instruction* GraphBuilder::Table(ElementType type, int64_t size,
                                 const std::function<std::complex<double>(int64_t)>& value) {
  Literal literal(Shape::Array(type, {size}));
  for (int64_t i = 0; i < size; ++i) literal.SetComplex(i, value(i));
  return rewriter_->AddConstant(*source_, std::move(literal));
}

std::vector<Literal> NeutralElement(Opcode opcode, ElementType type) {
  Literal value(Shape::Scalar(type));
  const bool is_float = type == ElementType::kF16 || type == ElementType::kBF16 ||
                        type == ElementType::kF32 || type == ElementType::kF64;
  const bool is_pred = type == ElementType::kPred;
  const int64_t most = hlo::BitWidth(type) >= 64 ? std::numeric_limits<int64_t>::max()
                                                 : (int64_t{1} << (hlo::BitWidth(type) - 1)) - 1;
  if (!is_float && !is_pred && !hlo::IsInteger(type)) return {};
  const double infinity = std::numeric_limits<double>::infinity();
  switch (opcode) {
    case Opcode::kAdd:  // of PRED: or
      if (is_float) value.SetFloat(0, -0.0);
      return {value};
    case Opcode::kMultiply:
      if (is_float) {
        value.SetFloat(0, 1);
      } else {
        value.SetInt(0, 1);
      }
      return {value};
    case Opcode::kMaximum:
      if (is_float) value.SetFloat(0, -infinity);
      if (hlo::IsSigned(type)) value.SetInt(0, -most - 1);
      return {value};
    case Opcode::kMinimum:
      if (is_float) value.SetFloat(0, infinity);
      if (hlo::IsSigned(type)) value.SetInt(0, most);
      if (hlo::IsUnsigned(type)) value.SetInt(0, -1);
      if (is_pred) value.SetInt(0, 1);
      return {value};
    case Opcode::kAnd:
      value.SetInt(0, is_pred ? 1 : -1);
      if (is_float) return {};
      return {value};
    case Opcode::kOr:
    case Opcode::kXor:
      if (is_float) return {};
      return {value};
    default:
      return {};
  }
}

Opcode OneOpOf(const hlo::Computation& computation) {
  const Instruction& root = *computation.root();
  if (computation.num_parameters() != 2 || root.operands.size() != 2) return Opcode::kTuple;
  const auto& parameters = computation.parameters();
  const bool of_both = (root.operands[0] == parameters[0] && root.operands[1] == parameters[1]) ||
                       (root.operands[0] == parameters[1] && root.operands[1] == parameters[0]);
  return of_both ? root.opcode : Opcode::kTuple;
}

}  // namespace halyard::lowering
