// Free functions and operators of the names of XlaBuilder's methods: Add(x, y), x + y,
// Parameter(&b, 0, shape, "x").
#ifndef HALYARD_FRONTEND_BUILDER_XLA_OPS_H_
#define HALYARD_FRONTEND_BUILDER_XLA_OPS_H_

#include "frontend/builder/xla_builder.h"

namespace halyard {

using Int64Span = absl::Span<const int64_t>;
using XlaOpSpan = absl::Span<const XlaOp>;

#define HALYARD_UNARY(Name) \
  inline XlaOp Name(XlaOp operand) { return operand.builder()->Name(operand); }
#define HALYARD_BINARY(Name)                                                     \
  inline XlaOp Name(XlaOp lhs, XlaOp rhs, Int64Span broadcast_dimensions = {}) { \
    return lhs.builder()->Name(lhs, rhs, broadcast_dimensions);                  \
  }
#include "frontend/builder/xla_elementwise.def"
#undef HALYARD_UNARY
#undef HALYARD_BINARY

inline XlaOp operator-(XlaOp x) { return Neg(x); }
inline XlaOp operator~(XlaOp x) { return Not(x); }
inline XlaOp operator+(XlaOp x, XlaOp y) { return Add(x, y); }
inline XlaOp operator-(XlaOp x, XlaOp y) { return Sub(x, y); }
inline XlaOp operator*(XlaOp x, XlaOp y) { return Mul(x, y); }
inline XlaOp operator/(XlaOp x, XlaOp y) { return Div(x, y); }
inline XlaOp operator%(XlaOp x, XlaOp y) { return Rem(x, y); }
inline XlaOp operator&(XlaOp x, XlaOp y) { return And(x, y); }
inline XlaOp operator|(XlaOp x, XlaOp y) { return Or(x, y); }
inline XlaOp operator^(XlaOp x, XlaOp y) { return Xor(x, y); }

inline XlaOp Parameter(XlaBuilder* b, int64_t number, const Shape& shape,
                       const std::string& name = "") {
  return b->Parameter(number, shape, name);
}
inline XlaOp ConstantLiteral(XlaBuilder* b, const Literal& literal) {
  return b->ConstantLiteral(literal);
}
template <typename T>
XlaOp ConstantR0(XlaBuilder* b, T value) {
  return b->ConstantR0<T>(value);
}
template <typename T>
XlaOp ConstantR1(XlaBuilder* b, absl::Span<const T> values) {
  return b->ConstantR1<T>(values);
}
template <typename T>
XlaOp ConstantR2(XlaBuilder* b, std::initializer_list<std::initializer_list<T>> rows) {
  return b->ConstantR2<T>(rows);
}
inline XlaOp Iota(XlaBuilder* b, const Shape& shape, int64_t dimension) {
  return b->Iota(shape, dimension);
}
inline XlaOp Tuple(XlaBuilder* b, XlaOpSpan elements) { return b->Tuple(elements); }
inline XlaOp Call(XlaBuilder* b, const XlaComputation& computation, XlaOpSpan operands) {
  return b->Call(computation, operands);
}
inline XlaOp ConcatInDim(XlaBuilder* b, XlaOpSpan operands, int64_t dimension) {
  return b->ConcatInDim(operands, dimension);
}
inline XlaOp Map(XlaBuilder* b, XlaOpSpan operands, const XlaComputation& computation,
                 Int64Span dimensions = {}) {
  return b->Map(operands, computation, dimensions);
}
inline XlaOp CustomCall(XlaBuilder* b, const std::string& target, XlaOpSpan operands,
                        const Shape& shape) {
  return b->CustomCall(target, operands, shape);
}

inline XlaOp GetTupleElement(XlaOp x, int64_t index) {
  return x.builder()->GetTupleElement(x, index);
}
inline XlaOp ConvertElementType(XlaOp x, PrimitiveType type) {
  return x.builder()->ConvertElementType(x, type);
}
inline XlaOp BitcastConvertType(XlaOp x, PrimitiveType type) {
  return x.builder()->BitcastConvertType(x, type);
}
inline XlaOp ReducePrecision(XlaOp x, int exponent_bits, int mantissa_bits) {
  return x.builder()->ReducePrecision(x, exponent_bits, mantissa_bits);
}
inline XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false) {
  return pred.builder()->Select(pred, on_true, on_false);
}
inline XlaOp Clamp(XlaOp min, XlaOp x, XlaOp max) { return x.builder()->Clamp(min, x, max); }
inline XlaOp Broadcast(XlaOp x, Int64Span sizes) { return x.builder()->Broadcast(x, sizes); }
inline XlaOp BroadcastInDim(XlaOp x, Int64Span out_dim_size, Int64Span broadcast_dimensions) {
  return x.builder()->BroadcastInDim(x, out_dim_size, broadcast_dimensions);
}
inline XlaOp Reshape(XlaOp x, Int64Span new_sizes) { return x.builder()->Reshape(x, new_sizes); }
inline XlaOp Reshape(XlaOp x, Int64Span dimensions, Int64Span new_sizes) {
  return x.builder()->Reshape(x, dimensions, new_sizes);
}
inline XlaOp Collapse(XlaOp x, Int64Span dimensions) {
  return x.builder()->Collapse(x, dimensions);
}
inline XlaOp Transpose(XlaOp x, Int64Span permutation) {
  return x.builder()->Transpose(x, permutation);
}
inline XlaOp Rev(XlaOp x, Int64Span dimensions) { return x.builder()->Rev(x, dimensions); }
inline XlaOp Slice(XlaOp x, Int64Span start, Int64Span limit, Int64Span strides = {}) {
  return x.builder()->Slice(x, start, limit, strides);
}
inline XlaOp Pad(XlaOp x, XlaOp padding_value, const PaddingConfig& config) {
  return x.builder()->Pad(x, padding_value, config);
}
inline XlaOp DynamicSlice(XlaOp x, XlaOpSpan start_indices, Int64Span size_indices) {
  return x.builder()->DynamicSlice(x, start_indices, size_indices);
}
inline XlaOp DynamicUpdateSlice(XlaOp x, XlaOp update, XlaOpSpan start_indices) {
  return x.builder()->DynamicUpdateSlice(x, update, start_indices);
}
inline XlaOp Gather(XlaOp x, XlaOp start_indices, const GatherDimensionNumbers& numbers,
                    Int64Span slice_sizes, bool indices_are_sorted = false) {
  return x.builder()->Gather(x, start_indices, numbers, slice_sizes, indices_are_sorted);
}
inline XlaOp Dot(XlaOp lhs, XlaOp rhs) { return lhs.builder()->Dot(lhs, rhs); }
inline XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers) {
  return lhs.builder()->DotGeneral(lhs, rhs, numbers);
}
inline XlaOp Conv(XlaOp lhs, XlaOp rhs, Int64Span window_strides, Padding padding,
                  int64_t feature_group_count = 1, int64_t batch_group_count = 1) {
  return lhs.builder()->Conv(lhs, rhs, window_strides, padding, feature_group_count,
                             batch_group_count);
}
inline XlaOp Reduce(XlaOp x, XlaOp init_value, const XlaComputation& computation,
                    Int64Span dimensions) {
  return x.builder()->Reduce(x, init_value, computation, dimensions);
}
inline XlaOp ReduceAll(XlaOp x, XlaOp init_value, const XlaComputation& computation) {
  return x.builder()->ReduceAll(x, init_value, computation);
}
inline XlaOp ReduceWindow(XlaOp x, XlaOp init_value, const XlaComputation& computation,
                          Int64Span window_dimensions, Int64Span window_strides, Padding padding) {
  return x.builder()->ReduceWindow(x, init_value, computation, window_dimensions, window_strides,
                                   padding);
}
inline XlaOp Sort(XlaOpSpan operands, const XlaComputation& comparator, int64_t dimension = -1,
                  bool is_stable = false) {
  return operands.at(0).builder()->Sort(operands, comparator, dimension, is_stable);
}
inline XlaOp While(const XlaComputation& condition, const XlaComputation& body, XlaOp init) {
  return init.builder()->While(condition, body, init);
}
inline XlaOp Conditional(XlaOp pred, XlaOp true_operand, const XlaComputation& true_computation,
                         XlaOp false_operand, const XlaComputation& false_computation) {
  return pred.builder()->Conditional(pred, true_operand, true_computation, false_operand,
                                     false_computation);
}
inline XlaOp Conditional(XlaOp branch_index, absl::Span<const XlaComputation* const> branches,
                         XlaOpSpan branch_operands) {
  return branch_index.builder()->Conditional(branch_index, branches, branch_operands);
}

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_XLA_OPS_H_
