// Dot and convolution.
#include "absl/strings/str_cat.h"
#include "frontend/builder/xla_builder.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/sugar.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Opcode;

XlaOp XlaBuilder::Dot(XlaOp lhs, XlaOp rhs) {
  if (!Usable(Opcode::kDot, {lhs, rhs})) return Invalid();
  int64_t lhs_rank = ShapeOf(lhs).rank(), rhs_rank = ShapeOf(rhs).rank();
  if (lhs_rank == 0 && rhs_rank == 0) return Mul(lhs, rhs);
  if (lhs_rank == 0 || rhs_rank == 0 || lhs_rank > 2 || rhs_rank > 2) {
    return Error(Opcode::kDot,
                 absl::StrCat("takes vectors and matrices, not ", ShapeOf(lhs).ToString(), " and ",
                              ShapeOf(rhs).ToString()));
  }
  DotDimensionNumbers numbers;
  numbers.add_lhs_contracting_dimensions(lhs_rank - 1);
  numbers.add_rhs_contracting_dimensions(0);
  return DotGeneral(lhs, rhs, numbers);
}

XlaOp XlaBuilder::DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers) {
  if (!Usable(Opcode::kDot, {lhs, rhs})) return Invalid();
  return DotGeneral(lhs, rhs, numbers, ShapeOf(lhs).element_type());
}

XlaOp XlaBuilder::DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& numbers,
                             PrimitiveType result_type) {
  AttrMap attrs;
  attrs.Set(Attr::kLhsBatchDims, numbers.lhs_batch);
  attrs.Set(Attr::kRhsBatchDims, numbers.rhs_batch);
  attrs.Set(Attr::kLhsContractingDims, numbers.lhs_contracting);
  attrs.Set(Attr::kRhsContractingDims, numbers.rhs_contracting);
  return AddOp(Opcode::kDot, {lhs, rhs}, std::move(attrs), {}, Shape::Scalar(result_type));
}

XlaOp XlaBuilder::Einsum(XlaOp lhs, XlaOp rhs, const std::string& einsum_config) {
  if (!Usable(Opcode::kDot, {lhs, rhs})) return Invalid();
  size_t before = entry_->instructions().size();
  return Adopt(before, hlo::AddEinsum(entry_, lhs.instruction_, rhs.instruction_, einsum_config),
               "einsum");
}

XlaOp XlaBuilder::Einsum(XlaOp operand, const std::string& einsum_config) {
  if (!Usable(Opcode::kDot, {operand})) return Invalid();
  size_t before = entry_->instructions().size();
  return Adopt(before, hlo::AddUnaryEinsum(entry_, operand.instruction_, einsum_config),
               "unary_einsum");
}

ConvolutionDimensionNumbers XlaBuilder::CreateDefaultConvDimensionNumbers(int64_t spatial) {
  ConvolutionDimensionNumbers numbers;
  numbers.output_batch = numbers.input_batch = kConvBatchDimension;
  numbers.output_feature = numbers.input_feature = kConvFeatureDimension;
  numbers.kernel_output_feature = kConvKernelOutputDimension;
  numbers.kernel_input_feature = kConvKernelInputDimension;
  for (int64_t i = 0; i < spatial; ++i) {
    numbers.input_spatial.push_back(kConvFirstSpatialDimension + i);
    numbers.kernel_spatial.push_back(kConvKernelFirstSpatialDimension + i);
    numbers.output_spatial.push_back(kConvFirstSpatialDimension + i);
  }
  return numbers;
}

absl::StatusOr<ConvolutionDimensionNumbers> XlaBuilder::CreateConvDimensionNumbers(
    int64_t batch, int64_t feature, int64_t first_spatial, int64_t second_spatial,
    int64_t kernel_output_feature, int64_t kernel_input_feature, int64_t kernel_first_spatial,
    int64_t kernel_second_spatial) {
  HLO_RETURN_IF_ERROR(hlo::RequireDims("C13", "C13", "input dimension",
                                       {batch, feature, first_spatial, second_spatial}, 4));
  HLO_RETURN_IF_ERROR(hlo::RequireDims(
      "C18", "C18", "kernel dimension",
      {kernel_output_feature, kernel_input_feature, kernel_first_spatial, kernel_second_spatial},
      4));
  ConvolutionDimensionNumbers numbers;
  numbers.output_batch = numbers.input_batch = batch;
  numbers.output_feature = numbers.input_feature = feature;
  numbers.output_spatial = numbers.input_spatial = {first_spatial, second_spatial};
  numbers.kernel_output_feature = kernel_output_feature;
  numbers.kernel_input_feature = kernel_input_feature;
  numbers.kernel_spatial = {kernel_first_spatial, kernel_second_spatial};
  return numbers;
}

XlaOp XlaBuilder::Conv(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
                       Padding padding, int64_t feature_group_count, int64_t batch_group_count) {
  return ConvWithGeneralDimensions(lhs, rhs, window_strides, padding,
                                   CreateDefaultConvDimensionNumbers(window_strides.size()),
                                   feature_group_count, batch_group_count);
}

XlaOp XlaBuilder::ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs,
                                         absl::Span<const int64_t> window_strides, Pairs padding,
                                         int64_t feature_group_count, int64_t batch_group_count) {
  return ConvGeneral(lhs, rhs, window_strides, padding,
                     CreateDefaultConvDimensionNumbers(window_strides.size()), feature_group_count,
                     batch_group_count);
}

XlaOp XlaBuilder::ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs,
                                         absl::Span<const int64_t> window_strides, Pairs padding,
                                         absl::Span<const int64_t> lhs_dilation,
                                         absl::Span<const int64_t> rhs_dilation,
                                         int64_t feature_group_count, int64_t batch_group_count) {
  return ConvGeneralDilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation,
                            CreateDefaultConvDimensionNumbers(window_strides.size()),
                            feature_group_count, batch_group_count);
}

XlaOp XlaBuilder::ConvWithGeneralDimensions(XlaOp lhs, XlaOp rhs,
                                            absl::Span<const int64_t> window_strides,
                                            Padding padding,
                                            const ConvolutionDimensionNumbers& numbers,
                                            int64_t feature_group_count,
                                            int64_t batch_group_count) {
  if (!Usable(Opcode::kConvolution, {lhs, rhs})) return Invalid();
  std::vector<int64_t> input, kernel;
  auto sizes = [](const Shape& shape, const std::vector<int64_t>& dims, std::vector<int64_t>* to) {
    for (int64_t d : dims) {
      if (d < 0 || d >= shape.rank()) return false;
      to->push_back(shape.dim(d));
    }
    return true;
  };
  if (!sizes(ShapeOf(lhs), numbers.input_spatial, &input) ||
      !sizes(ShapeOf(rhs), numbers.kernel_spatial, &kernel)) {
    return Error(Opcode::kConvolution, "a spatial dimension is not within the operand's rank");
  }
  auto pairs = MakePadding(input, kernel, window_strides, padding);
  if (!pairs.ok()) return Error(Opcode::kConvolution, pairs.status().message());
  return ConvGeneral(lhs, rhs, window_strides, *pairs, numbers, feature_group_count,
                     batch_group_count);
}

XlaOp XlaBuilder::ConvGeneral(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
                              Pairs padding, const ConvolutionDimensionNumbers& numbers,
                              int64_t feature_group_count, int64_t batch_group_count) {
  return ConvGeneralDilated(lhs, rhs, window_strides, padding, {}, {}, numbers, feature_group_count,
                            batch_group_count);
}

XlaOp XlaBuilder::ConvGeneralDilated(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
                                     Pairs padding, absl::Span<const int64_t> lhs_dilation,
                                     absl::Span<const int64_t> rhs_dilation,
                                     const ConvolutionDimensionNumbers& numbers,
                                     int64_t feature_group_count, int64_t batch_group_count) {
  if (!Usable(Opcode::kConvolution, {lhs, rhs})) return Invalid();
  const Shape& kernel = ShapeOf(rhs);
  size_t spatial = numbers.kernel_spatial.size();
  auto fits = [&](size_t size) { return size == spatial; };
  if (!fits(window_strides.size()) || !fits(padding.size()) ||
      !(lhs_dilation.empty() || fits(lhs_dilation.size())) ||
      !(rhs_dilation.empty() || fits(rhs_dilation.size()))) {
    return Error(Opcode::kConvolution,
                 absl::StrCat("strides, padding and dilations need ", spatial, " entries"));
  }
  hlo::Window window;
  for (size_t i = 0; i < spatial; ++i) {
    int64_t d = numbers.kernel_spatial[i];
    if (d < 0 || d >= kernel.rank()) {
      return Error(Opcode::kConvolution, "C18: a kernel dimension is not within its rank");
    }
    window.dims.push_back({.size = kernel.dim(d),
                           .stride = window_strides[i],
                           .pad_low = padding[i].first,
                           .pad_high = padding[i].second,
                           .base_dilation = lhs_dilation.empty() ? 1 : lhs_dilation[i],
                           .window_dilation = rhs_dilation.empty() ? 1 : rhs_dilation[i]});
  }
  AttrMap attrs;
  attrs.Set(Attr::kWindow, std::move(window));
  attrs.Set(Attr::kDimLabels, numbers);
  if (feature_group_count != 1) attrs.Set(Attr::kFeatureGroupCount, feature_group_count);
  if (batch_group_count != 1) attrs.Set(Attr::kBatchGroupCount, batch_group_count);
  return AddOp(Opcode::kConvolution, {lhs, rhs}, std::move(attrs));
}

}  // namespace halyard
