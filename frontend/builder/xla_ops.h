// Free functions and operators with the names of XlaBuilder's methods, which document them: Add(x,
// y), x + y, Parameter(&b, 0, shape, "x"). Functions without operands take the builder. The others
// use the builder of the first operand that has one. A default XlaOp gives an invalid op.
// xla_control_ops.h has those of control flow and communication.
#ifndef HALYARD_FRONTEND_BUILDER_XLA_OPS_H_
#define HALYARD_FRONTEND_BUILDER_XLA_OPS_H_

#include "frontend/builder/xla_builder.h"
#include "frontend/builder/xla_control_ops.h"

namespace halyard {

#define HALYARD_UNARY(Name) \
  inline XlaOp Name(XlaOp operand) { return XlaBuilder::BuilderOf({operand})->Name(operand); }
#define HALYARD_BINARY(Name)                                                        \
  inline XlaOp Name(XlaOp lhs, XlaOp rhs, Int64Span broadcast_dimensions = {}) {    \
    return XlaBuilder::BuilderOf({lhs, rhs})->Name(lhs, rhs, broadcast_dimensions); \
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

inline XlaOp Parameter(XlaBuilder* builder, int64_t number, const Shape& shape,
                       const std::string& name = "") {
  return builder->Parameter(number, shape, name);
}
inline XlaOp ConstantLiteral(XlaBuilder* builder, const Literal& literal) {
  return builder->ConstantLiteral(literal);
}
template <typename T>
XlaOp ConstantR0(XlaBuilder* builder, T value) {
  return builder->ConstantR0<T>(value);
}
template <typename T>
XlaOp ConstantR1(XlaBuilder* builder, absl::Span<const T> values) {
  return builder->ConstantR1<T>(values);
}
template <typename T>
XlaOp ConstantR1(XlaBuilder* builder, std::initializer_list<T> values) {
  return builder->ConstantR1<T>(values);
}
template <typename T>
XlaOp ConstantR1(XlaBuilder* builder, int64_t length, T value) {
  return builder->ConstantR1<T>(length, value);
}
template <typename T>
XlaOp ConstantR2(XlaBuilder* builder, std::initializer_list<std::initializer_list<T>> values) {
  return builder->ConstantR2<T>(values);
}
template <typename T>
XlaOp ConstantR3(XlaBuilder* builder, typename NestedList<T, 3>::Type values) {
  return builder->ConstantR3<T>(values);
}
template <typename T>
XlaOp ConstantR4(XlaBuilder* builder, typename NestedList<T, 4>::Type values) {
  return builder->ConstantR4<T>(values);
}
template <typename T>
XlaOp ConstantR2FromArray2D(XlaBuilder* builder, const Array2D<T>& values) {
  return builder->ConstantR2FromArray2D<T>(values);
}
template <typename T>
XlaOp ConstantR3FromArray3D(XlaBuilder* builder, const Array3D<T>& values) {
  return builder->ConstantR3FromArray3D<T>(values);
}
template <typename T>
XlaOp ConstantR4FromArray4D(XlaBuilder* builder, const Array4D<T>& values) {
  return builder->ConstantR4FromArray4D<T>(values);
}
inline XlaOp Sgn(XlaOp x) { return XlaBuilder::BuilderOf({x})->Sgn(x); }
inline XlaOp SqrtF32(XlaOp x) { return XlaBuilder::BuilderOf({x})->SqrtF32(x); }
inline XlaOp SquareF32(XlaOp x) { return XlaBuilder::BuilderOf({x})->SquareF32(x); }
inline XlaOp ReciprocalF32(XlaOp x) { return XlaBuilder::BuilderOf({x})->ReciprocalF32(x); }
inline XlaOp ConvertElementType(XlaOp x, PrimitiveType type) {
  return XlaBuilder::BuilderOf({x})->ConvertElementType(x, type);
}
inline XlaOp BitcastConvertType(XlaOp x, PrimitiveType type) {
  return XlaBuilder::BuilderOf({x})->BitcastConvertType(x, type);
}
inline XlaOp ReducePrecision(XlaOp x, int exponent_bits, int mantissa_bits) {
  return XlaBuilder::BuilderOf({x})->ReducePrecision(x, exponent_bits, mantissa_bits);
}
inline XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false) {
  return XlaBuilder::BuilderOf({pred, on_true, on_false})->Select(pred, on_true, on_false);
}
inline XlaOp Clamp(XlaOp min, XlaOp x, XlaOp max) {
  return XlaBuilder::BuilderOf({min, x, max})->Clamp(min, x, max);
}
inline XlaOp Map(XlaBuilder* builder, XlaOpSpan operands, const XlaComputation& computation,
                 Int64Span dimensions = {}, XlaOpSpan static_operands = {}) {
  return builder->Map(operands, computation, dimensions, static_operands);
}

// Shape and data movement.
inline XlaOp Iota(XlaBuilder* builder, const Shape& shape, int64_t iota_dimension) {
  return builder->Iota(shape, iota_dimension);
}
inline XlaOp Iota(XlaBuilder* builder, PrimitiveType type, int64_t size) {
  return builder->Iota(type, size);
}
inline XlaOp Broadcast(XlaOp x, Int64Span sizes) {
  return XlaBuilder::BuilderOf({x})->Broadcast(x, sizes);
}
inline XlaOp BroadcastInDim(XlaOp x, Int64Span out_dim_size, Int64Span broadcast_dimensions) {
  return XlaBuilder::BuilderOf({x})->BroadcastInDim(x, out_dim_size, broadcast_dimensions);
}
inline XlaOp Reshape(XlaOp x, Int64Span new_sizes) {
  return XlaBuilder::BuilderOf({x})->Reshape(x, new_sizes);
}
inline XlaOp Reshape(XlaOp x, Int64Span dimensions, Int64Span new_sizes) {
  return XlaBuilder::BuilderOf({x})->Reshape(x, dimensions, new_sizes);
}
inline XlaOp Collapse(XlaOp x, Int64Span dimensions) {
  return XlaBuilder::BuilderOf({x})->Collapse(x, dimensions);
}
inline XlaOp Transpose(XlaOp x, Int64Span permutation) {
  return XlaBuilder::BuilderOf({x})->Transpose(x, permutation);
}
inline XlaOp Trans(XlaOp x) { return XlaBuilder::BuilderOf({x})->Trans(x); }
inline XlaOp Rev(XlaOp x, Int64Span dimensions) {
  return XlaBuilder::BuilderOf({x})->Rev(x, dimensions);
}
inline XlaOp Slice(XlaOp x, Int64Span start, Int64Span limit, Int64Span strides = {}) {
  return XlaBuilder::BuilderOf({x})->Slice(x, start, limit, strides);
}
inline XlaOp ConcatInDim(XlaBuilder* builder, XlaOpSpan operands, int64_t dimension) {
  return builder->ConcatInDim(operands, dimension);
}
inline XlaOp Concatenate(XlaBuilder* builder, XlaOpSpan operands, int64_t dimension) {
  return builder->Concatenate(operands, dimension);
}
inline XlaOp Pad(XlaOp x, XlaOp padding_value, const PaddingConfig& config) {
  return XlaBuilder::BuilderOf({x, padding_value})->Pad(x, padding_value, config);
}
inline XlaOp DynamicSlice(XlaOp x, XlaOpSpan start_indices, Int64Span size_indices) {
  return XlaBuilder::BuilderOf({x})->DynamicSlice(x, start_indices, size_indices);
}
inline XlaOp DynamicUpdateSlice(XlaOp x, XlaOp update, XlaOpSpan start_indices) {
  return XlaBuilder::BuilderOf({x, update})->DynamicUpdateSlice(x, update, start_indices);
}
inline XlaOp Gather(XlaOp x, XlaOp start_indices, const GatherDimensionNumbers& numbers,
                    Int64Span slice_sizes, bool indices_are_sorted = false,
                    bool unique_indices = false) {
  return XlaBuilder::BuilderOf({x, start_indices})
      ->Gather(x, start_indices, numbers, slice_sizes, indices_are_sorted, unique_indices);
}
inline XlaOp Scatter(XlaOp x, XlaOp scatter_indices, XlaOp updates,
                     const XlaComputation& update_computation,
                     const ScatterDimensionNumbers& numbers, bool indices_are_sorted = false,
                     bool unique_indices = false) {
  return XlaBuilder::BuilderOf({x, scatter_indices, updates})
      ->Scatter(x, scatter_indices, updates, update_computation, numbers, indices_are_sorted,
                unique_indices);
}
inline XlaOp Scatter(XlaOpSpan inputs, XlaOp scatter_indices, XlaOpSpan updates,
                     const XlaComputation& update_computation,
                     const ScatterDimensionNumbers& numbers, bool indices_are_sorted = false,
                     bool unique_indices = false) {
  return XlaBuilder::BuilderOf({scatter_indices})
      ->Scatter(inputs, scatter_indices, updates, update_computation, numbers, indices_are_sorted,
                unique_indices);
}
inline XlaOp TorchIndexSelect(XlaOp x, XlaOp index, int64_t dim, int64_t batch_dims = 0) {
  return XlaBuilder::BuilderOf({x, index})->TorchIndexSelect(x, index, dim, batch_dims);
}
inline XlaOp GetDimensionSize(XlaOp x, int64_t dimension) {
  return XlaBuilder::BuilderOf({x})->GetDimensionSize(x, dimension);
}
inline XlaOp SetDimensionSize(XlaOp x, XlaOp size, int64_t dimension) {
  return XlaBuilder::BuilderOf({x, size})->SetDimensionSize(x, size, dimension);
}

// Contractions.
inline XlaOp Dot(XlaOp lhs, XlaOp rhs) { return XlaBuilder::BuilderOf({lhs, rhs})->Dot(lhs, rhs); }
inline XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers) {
  return XlaBuilder::BuilderOf({lhs, rhs})->DotGeneral(lhs, rhs, numbers);
}
inline XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers,
                        PrimitiveType result_type) {
  return XlaBuilder::BuilderOf({lhs, rhs})->DotGeneral(lhs, rhs, numbers, result_type);
}
inline XlaOp Einsum(XlaOp lhs, XlaOp rhs, const std::string& einsum_config) {
  return XlaBuilder::BuilderOf({lhs, rhs})->Einsum(lhs, rhs, einsum_config);
}
inline XlaOp Einsum(XlaOp x, const std::string& einsum_config) {
  return XlaBuilder::BuilderOf({x})->Einsum(x, einsum_config);
}
inline XlaOp Conv(XlaOp lhs, XlaOp rhs, Int64Span window_strides, Padding padding,
                  int64_t feature_group_count = 1, int64_t batch_group_count = 1) {
  return XlaBuilder::BuilderOf({lhs, rhs})
      ->Conv(lhs, rhs, window_strides, padding, feature_group_count, batch_group_count);
}
inline XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, Int64Span window_strides,
                                    XlaBuilder::Pairs padding, int64_t feature_group_count = 1,
                                    int64_t batch_group_count = 1) {
  return XlaBuilder::BuilderOf({lhs, rhs})
      ->ConvWithGeneralPadding(lhs, rhs, window_strides, padding, feature_group_count,
                               batch_group_count);
}
inline XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, Int64Span window_strides,
                                    XlaBuilder::Pairs padding, Int64Span lhs_dilation,
                                    Int64Span rhs_dilation, int64_t feature_group_count = 1,
                                    int64_t batch_group_count = 1) {
  return XlaBuilder::BuilderOf({lhs, rhs})
      ->ConvWithGeneralPadding(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation,
                               feature_group_count, batch_group_count);
}
inline XlaOp ConvWithGeneralDimensions(XlaOp lhs, XlaOp rhs, Int64Span window_strides,
                                       Padding padding, const ConvolutionDimensionNumbers& numbers,
                                       int64_t feature_group_count = 1,
                                       int64_t batch_group_count = 1) {
  return XlaBuilder::BuilderOf({lhs, rhs})
      ->ConvWithGeneralDimensions(lhs, rhs, window_strides, padding, numbers, feature_group_count,
                                  batch_group_count);
}
inline XlaOp ConvGeneral(XlaOp lhs, XlaOp rhs, Int64Span window_strides, XlaBuilder::Pairs padding,
                         const ConvolutionDimensionNumbers& numbers,
                         int64_t feature_group_count = 1, int64_t batch_group_count = 1) {
  return XlaBuilder::BuilderOf({lhs, rhs})
      ->ConvGeneral(lhs, rhs, window_strides, padding, numbers, feature_group_count,
                    batch_group_count);
}
inline XlaOp ConvGeneralDilated(XlaOp lhs, XlaOp rhs, Int64Span window_strides,
                                XlaBuilder::Pairs padding, Int64Span lhs_dilation,
                                Int64Span rhs_dilation, const ConvolutionDimensionNumbers& numbers,
                                int64_t feature_group_count = 1, int64_t batch_group_count = 1) {
  return XlaBuilder::BuilderOf({lhs, rhs})
      ->ConvGeneralDilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, numbers,
                           feature_group_count, batch_group_count);
}

// Reductions, windows and order.
inline XlaOp Reduce(XlaOp x, XlaOp init_value, const XlaComputation& computation,
                    Int64Span dimensions) {
  return XlaBuilder::BuilderOf({x, init_value})->Reduce(x, init_value, computation, dimensions);
}
inline XlaOp Reduce(XlaBuilder* builder, XlaOpSpan operands, XlaOpSpan init_values,
                    const XlaComputation& computation, Int64Span dimensions) {
  return builder->Reduce(operands, init_values, computation, dimensions);
}
inline XlaOp ReduceAll(XlaOp x, XlaOp init_value, const XlaComputation& computation) {
  return XlaBuilder::BuilderOf({x, init_value})->ReduceAll(x, init_value, computation);
}
inline XlaOp ReduceWindow(XlaOp x, XlaOp init_value, const XlaComputation& computation,
                          Int64Span window_dimensions, Int64Span window_strides, Padding padding) {
  return XlaBuilder::BuilderOf({x, init_value})
      ->ReduceWindow(x, init_value, computation, window_dimensions, window_strides, padding);
}
inline XlaOp ReduceWindow(XlaOpSpan operands, XlaOpSpan init_values,
                          const XlaComputation& computation, Int64Span window_dimensions,
                          Int64Span window_strides, Padding padding) {
  return XlaBuilder::BuilderOf(operands)->ReduceWindow(operands, init_values, computation,
                                                       window_dimensions, window_strides, padding);
}
inline XlaOp ReduceWindow(XlaOpSpan operands, XlaOpSpan init_values,
                          const XlaComputation& computation, Int64Span window_dimensions,
                          Int64Span window_strides, Int64Span base_dilations,
                          Int64Span window_dilations, Padding padding) {
  return XlaBuilder::BuilderOf(operands)->ReduceWindow(operands, init_values, computation,
                                                       window_dimensions, window_strides,
                                                       base_dilations, window_dilations, padding);
}
inline XlaOp ReduceWindowWithGeneralPadding(XlaOp x, XlaOp init_value,
                                            const XlaComputation& computation,
                                            Int64Span window_dimensions, Int64Span window_strides,
                                            XlaBuilder::Pairs padding) {
  return XlaBuilder::BuilderOf({x, init_value})
      ->ReduceWindowWithGeneralPadding(x, init_value, computation, window_dimensions,
                                       window_strides, padding);
}
inline XlaOp ReduceWindowWithGeneralPadding(XlaOpSpan operands, XlaOpSpan init_values,
                                            const XlaComputation& computation,
                                            Int64Span window_dimensions, Int64Span window_strides,
                                            Int64Span base_dilations, Int64Span window_dilations,
                                            XlaBuilder::Pairs padding) {
  return XlaBuilder::BuilderOf(operands)->ReduceWindowWithGeneralPadding(
      operands, init_values, computation, window_dimensions, window_strides, base_dilations,
      window_dilations, padding);
}
inline XlaOp SelectAndScatter(XlaOp x, const XlaComputation& select, Int64Span window_dimensions,
                              Int64Span window_strides, Padding padding, XlaOp source,
                              XlaOp init_value, const XlaComputation& scatter) {
  return XlaBuilder::BuilderOf({x, source, init_value})
      ->SelectAndScatter(x, select, window_dimensions, window_strides, padding, source, init_value,
                         scatter);
}
inline XlaOp SelectAndScatterWithGeneralPadding(XlaOp x, const XlaComputation& select,
                                                Int64Span window_dimensions,
                                                Int64Span window_strides, XlaBuilder::Pairs padding,
                                                XlaOp source, XlaOp init_value,
                                                const XlaComputation& scatter) {
  return XlaBuilder::BuilderOf({x, source, init_value})
      ->SelectAndScatterWithGeneralPadding(x, select, window_dimensions, window_strides, padding,
                                           source, init_value, scatter);
}
inline XlaOp Sort(XlaOp x, int64_t dimension = -1) {
  return XlaBuilder::BuilderOf({x})->Sort(x, dimension);
}
inline XlaOp Sort(XlaOp x, const XlaComputation& comparator, int64_t dimension = -1,
                  bool is_stable = false) {
  return XlaBuilder::BuilderOf({x})->Sort(x, comparator, dimension, is_stable);
}
inline XlaOp Sort(XlaOpSpan operands, const XlaComputation& comparator, int64_t dimension = -1,
                  bool is_stable = false) {
  return XlaBuilder::BuilderOf(operands)->Sort(operands, comparator, dimension, is_stable);
}
inline XlaOp TopK(XlaOp x, int64_t k, bool largest = true) {
  return XlaBuilder::BuilderOf({x})->TopK(x, k, largest);
}
inline XlaOp TopK(XlaOp x, int64_t k, const XlaComputation& comparator) {
  return XlaBuilder::BuilderOf({x})->TopK(x, k, comparator);
}

// Normalisation, linear algebra, random numbers.
inline XlaOp BatchNormTraining(XlaOp x, XlaOp scale, XlaOp offset, float epsilon,
                               int64_t feature_index) {
  return XlaBuilder::BuilderOf({x, scale, offset})
      ->BatchNormTraining(x, scale, offset, epsilon, feature_index);
}
inline XlaOp BatchNormInference(XlaOp x, XlaOp scale, XlaOp offset, XlaOp mean, XlaOp variance,
                                float epsilon, int64_t feature_index) {
  return XlaBuilder::BuilderOf({x, scale, offset, mean, variance})
      ->BatchNormInference(x, scale, offset, mean, variance, epsilon, feature_index);
}
inline XlaOp BatchNormGrad(XlaOp x, XlaOp scale, XlaOp mean, XlaOp variance, XlaOp grad_output,
                           float epsilon, int64_t feature_index) {
  return XlaBuilder::BuilderOf({x, scale, mean, variance, grad_output})
      ->BatchNormGrad(x, scale, mean, variance, grad_output, epsilon, feature_index);
}
inline XlaOp Fft(XlaOp x, FftType fft_type, Int64Span fft_length) {
  return XlaBuilder::BuilderOf({x})->Fft(x, fft_type, fft_length);
}
inline XlaOp Cholesky(XlaOp a, bool lower = true) {
  return XlaBuilder::BuilderOf({a})->Cholesky(a, lower);
}
inline XlaOp TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower, bool unit_diagonal,
                             TriangularSolveOptions::Transpose transpose_a) {
  return XlaBuilder::BuilderOf({a, b})->TriangularSolve(a, b, left_side, lower, unit_diagonal,
                                                        transpose_a);
}
inline XlaOp RngUniform(XlaOp a, XlaOp b, const Shape& shape) {
  return XlaBuilder::BuilderOf({a, b})->RngUniform(a, b, shape);
}
inline XlaOp RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape) {
  return XlaBuilder::BuilderOf({mu, sigma})->RngNormal(mu, sigma, shape);
}
inline XlaOp RngBernoulli(XlaOp mean, const Shape& shape) {
  return XlaBuilder::BuilderOf({mean})->RngBernoulli(mean, shape);
}
inline XlaOp RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state, const Shape& shape) {
  return XlaBuilder::BuilderOf({initial_state})->RngBitGenerator(algorithm, initial_state, shape);
}

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_XLA_OPS_H_
