// Shapes and labelled constraints of dot and convolution.
#include <algorithm>

#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// The algorithms that HLO names, and two that only StableHLO has. A backend refuses those that it
// cannot do.
constexpr absl::string_view kDotAlgorithms[] = {
    "dot_any_f8_any_f8_f32",
    "dot_any_f8_any_f8_f32_fast_accum",
    "dot_any_f8_any_f8_any",
    "dot_any_f8_any_f8_any_fast_accum",
    "dot_f16_f16_f16",
    "dot_f16_f16_f32",
    "dot_bf16_bf16_bf16",
    "dot_bf16_bf16_f32",
    "dot_bf16_bf16_f32_x3",
    "dot_bf16_bf16_f32_x6",
    "dot_bf16_bf16_f32_x9",
    "dot_tf32_tf32_f32",
    "dot_tf32_tf32_f32_x3",
    "dot_f32_f32_f32",
    "dot_f64_f64_f64",
    "dot_f8e4m3fn_f8e4m3fn_f32_x3",
    "dot_f8e4m3fn_f8e4m3fn_f32_x4",
};

absl::Status RequirePrecision(const Instruction& inst, absl::string_view constraint) {
  if (!inst.Has(Attr::kOperandPrecision)) return absl::OkStatus();
  const Words& precision = inst.GetWords(Attr::kOperandPrecision);
  HLO_REQUIRE(precision.size() == 2, constraint, "operand_precision must have two entries, has ",
              precision.size());
  for (const std::string& word : precision) {
    HLO_REQUIRE(word == "default" || word == "high" || word == "highest", constraint,
                "no such precision: ", word);
  }
  return absl::OkStatus();
}

absl::Status RequireAlgorithm(const Instruction& inst) {
  if (!inst.Has(Attr::kAlgorithm)) return absl::OkStatus();
  const std::string& algorithm = inst.GetString(Attr::kAlgorithm);
  if (algorithm == "dot_unset") return absl::OkStatus();
  HLO_REQUIRE(std::count(std::begin(kDotAlgorithms), std::end(kDotAlgorithms), algorithm) > 0,
              "I14", "no such dot algorithm: ", algorithm);
  for (const std::string& word : inst.GetWords(Attr::kOperandPrecision)) {
    HLO_REQUIRE(word == "default", "C21", "precision ", word, " beside an algorithm");
  }
  return absl::OkStatus();
}

// Returns whether the factors have two types of at most 8 bits, as in gradients of f8 products
// (e4m3 times e5m2).
bool AreNarrowFloats(ElementType lhs, ElementType rhs) {
  return IsFloat(lhs) && IsFloat(rhs) && BitWidth(lhs) <= 8 && BitWidth(rhs) <= 8;
}

// Returns the recorded element type, if there is one: contractions may accumulate in a wider type
// than that of the operands. Otherwise returns the type of the operands; of two types, the one with
// more bits of mantissa.
ElementType ResultType(const Instruction& inst) {
  if (inst.shape.IsArray()) return inst.shape.element_type();
  const ElementType lhs = inst.operand(0)->shape.element_type();
  const ElementType rhs = inst.operand(1)->shape.element_type();
  if (lhs == rhs || !AreNarrowFloats(lhs, rhs)) return lhs;
  return FormatOf(rhs).mantissa_bits > FormatOf(lhs).mantissa_bits ? rhs : lhs;
}

absl::Status RequireOperandTypes(const Instruction& inst, absl::string_view constraint) {
  ElementType lhs = inst.operand(0)->shape.element_type();
  ElementType rhs = inst.operand(1)->shape.element_type();
  ElementType result = ResultType(inst);
  HLO_REQUIRE(lhs == rhs || AreNarrowFloats(lhs, rhs), constraint,
              "element types differ: ", HloName(lhs), " and ", HloName(rhs));
  HLO_REQUIRE(IsComplex(result) || !IsComplex(lhs), constraint, "a ", HloName(result),
              " result of ", HloName(lhs), " operands");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferDot(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& lhs = inst.operand(0)->shape;
  const Shape& rhs = inst.operand(1)->shape;
  const Ints& lhs_batch = inst.GetInts(Attr::kLhsBatchDims);
  const Ints& rhs_batch = inst.GetInts(Attr::kRhsBatchDims);
  const Ints& lhs_contracting = inst.GetInts(Attr::kLhsContractingDims);
  const Ints& rhs_contracting = inst.GetInts(Attr::kRhsContractingDims);
  HLO_REQUIRE(lhs_batch.size() == rhs_batch.size(), "C1", "batch dimensions ", Listed(lhs_batch),
              " and ", Listed(rhs_batch), " differ in number");
  HLO_REQUIRE(lhs_contracting.size() == rhs_contracting.size(), "C2", "contracting dimensions ",
              Listed(lhs_contracting), " and ", Listed(rhs_contracting), " differ in number");
  HLO_RETURN_IF_ERROR(RequireDims("C5", "C3", "lhs_batch_dims", lhs_batch, lhs.rank()));
  HLO_RETURN_IF_ERROR(RequireDims("C6", "C3", "lhs_contracting_dims", lhs_contracting, lhs.rank()));
  HLO_RETURN_IF_ERROR(RequireDims("C7", "C4", "rhs_batch_dims", rhs_batch, rhs.rank()));
  HLO_RETURN_IF_ERROR(RequireDims("C8", "C4", "rhs_contracting_dims", rhs_contracting, rhs.rank()));
  std::vector<Size> dims;
  for (size_t i = 0; i < lhs_batch.size(); ++i) {
    HLO_REQUIRE(!Contains(lhs_contracting, lhs_batch[i]), "C3", "lhs dimension ", lhs_batch[i],
                " is both a batch and a contracting dimension");
    HLO_REQUIRE(!Contains(rhs_contracting, rhs_batch[i]), "C4", "rhs dimension ", rhs_batch[i],
                " is both a batch and a contracting dimension");
    HLO_REQUIRE(SizesAgree(SizeOf(lhs, lhs_batch[i]), SizeOf(rhs, rhs_batch[i])), "C9",
                "batch dimension ", i, " differs: ", lhs.ToString(), " and ", rhs.ToString());
    dims.push_back(MoreSpecific(SizeOf(lhs, lhs_batch[i]), SizeOf(rhs, rhs_batch[i])));
  }
  for (size_t i = 0; i < lhs_contracting.size(); ++i) {
    HLO_REQUIRE(SizesAgree(SizeOf(lhs, lhs_contracting[i]), SizeOf(rhs, rhs_contracting[i])), "C10",
                "contracting dimension ", i, " differs: ", lhs.ToString(), " and ", rhs.ToString());
  }
  HLO_RETURN_IF_ERROR(RequirePrecision(inst, "C11"));
  HLO_RETURN_IF_ERROR(RequireOperandTypes(inst, "C13"));
  HLO_RETURN_IF_ERROR(RequireAlgorithm(inst));
  for (int64_t d = 0; d < lhs.rank(); ++d) {
    if (!Contains(lhs_batch, d) && !Contains(lhs_contracting, d)) dims.push_back(SizeOf(lhs, d));
  }
  for (int64_t d = 0; d < rhs.rank(); ++d) {
    if (!Contains(rhs_batch, d) && !Contains(rhs_contracting, d)) dims.push_back(SizeOf(rhs, d));
  }
  return ArrayOf(ResultType(inst), dims);
}

namespace {

// All dimension numbers of one array: range and uniqueness are one constraint each.
absl::Status RequireConvDims(absl::string_view constraint, absl::string_view name, int64_t first,
                             int64_t second, const std::vector<int64_t>& spatial, int64_t rank) {
  std::vector<int64_t> all = {first, second};
  all.insert(all.end(), spatial.begin(), spatial.end());
  return RequireDims(constraint, constraint, name, all, rank);
}

absl::Status RequireConvWindow(const Window& window, const Shape& lhs, const Shape& rhs,
                               const ConvDims& d, int64_t spatial) {
  HLO_REQUIRE(static_cast<int64_t>(window.dims.size()) == spatial, "C2", "the window has ",
              window.dims.size(), " dimensions, the operands ", spatial, " spatial ones");
  for (int64_t i = 0; i < spatial; ++i) {
    const WindowDim& w = window.dims[i];
    HLO_REQUIRE(w.stride > 0, "C3", "window stride ", w.stride, " is not positive");
    HLO_REQUIRE(w.base_dilation > 0, "C6", "lhs dilation ", w.base_dilation, " is not positive");
    HLO_REQUIRE(w.window_dilation > 0, "C8", "rhs dilation ", w.window_dilation,
                " is not positive");
    HLO_REQUIRE(SizesAgree({w.size}, SizeOf(rhs, d.kernel_spatial[i])), "C25", "window size ",
                w.size, " is not the kernel's ", rhs.dim(d.kernel_spatial[i]));
    HLO_RETURN_IF_ERROR(RequireWindowRange("C25", i, SizeOf(lhs, d.input_spatial[i]), w));
  }
  return absl::OkStatus();
}

absl::Status RequireConvGroups(const Instruction& inst, const Shape& lhs, const Shape& rhs,
                               const ConvDims& d) {
  int64_t features = inst.GetInt(Attr::kFeatureGroupCount, 1);
  int64_t batches = inst.GetInt(Attr::kBatchGroupCount, 1);
  HLO_REQUIRE(features > 0, "C21", "feature_group_count ", features, " is not positive");
  HLO_REQUIRE(batches > 0, "C22", "batch_group_count ", batches, " is not positive");
  HLO_REQUIRE(features == 1 || batches == 1, "C23",
              "feature_group_count and batch_group_count are both above 1");
  auto divides = [](int64_t by, Size size) { return size.IsDynamic() || size.size % by == 0; };
  HLO_REQUIRE(divides(batches, SizeOf(lhs, d.input_batch)), "C10", "the batch ",
              lhs.dim(d.input_batch), " is not a multiple of batch_group_count ", batches);
  HLO_REQUIRE(divides(features, SizeOf(lhs, d.input_feature)), "C11", "the input features ",
              lhs.dim(d.input_feature), " are not a multiple of feature_group_count ", features);
  const Size inputs =
      MapSize(SizeOf(lhs, d.input_feature), [&](int64_t n) { return n / features; });
  HLO_REQUIRE(SizesAgree(SizeOf(rhs, d.kernel_input_feature), inputs), "C14",
              "the kernel's input features ", rhs.dim(d.kernel_input_feature), " must be ",
              inputs.size);
  HLO_REQUIRE(divides(batches, SizeOf(rhs, d.kernel_output_feature)), "C15", "the output features ",
              rhs.dim(d.kernel_output_feature), " are not a multiple of batch_group_count ",
              batches);
  HLO_REQUIRE(divides(features, SizeOf(rhs, d.kernel_output_feature)), "C16",
              "the output features ", rhs.dim(d.kernel_output_feature),
              " are not a multiple of feature_group_count ", features);
  return absl::OkStatus();
}

// The result's sizes.
absl::StatusOr<std::vector<Size>> ConvSizes(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& lhs = inst.operand(0)->shape;
  const Shape& rhs = inst.operand(1)->shape;
  const ConvDims& d = inst.GetConvDims();
  int64_t rank = lhs.rank(), spatial = rank - 2;
  HLO_REQUIRE(rank == rhs.rank(), "C1", "ranks differ: ", lhs.ToString(), " and ", rhs.ToString());
  HLO_REQUIRE(rank >= 2, "C1", "operands need a batch and a feature dimension: ", lhs.ToString());
  auto size = [](const std::vector<int64_t>& v) { return static_cast<int64_t>(v.size()); };
  HLO_REQUIRE(size(d.input_spatial) == spatial, "C12", "dim_labels has ", d.input_spatial.size(),
              " input spatial dimensions, the input ", spatial);
  HLO_RETURN_IF_ERROR(RequireConvDims("C13", "input dimensions", d.input_batch, d.input_feature,
                                      d.input_spatial, rank));
  HLO_REQUIRE(size(d.kernel_spatial) == spatial, "C17", "dim_labels has ", d.kernel_spatial.size(),
              " kernel spatial dimensions, the kernel ", spatial);
  HLO_RETURN_IF_ERROR(RequireConvDims("C18", "kernel dimensions", d.kernel_output_feature,
                                      d.kernel_input_feature, d.kernel_spatial, rank));
  HLO_REQUIRE(size(d.output_spatial) == spatial, "C19", "dim_labels has ", d.output_spatial.size(),
              " output spatial dimensions, the result ", spatial);
  HLO_RETURN_IF_ERROR(RequireConvDims("C20", "output dimensions", d.output_batch, d.output_feature,
                                      d.output_spatial, rank));
  HLO_RETURN_IF_ERROR(RequireConvWindow(inst.GetWindow(), lhs, rhs, d, spatial));
  HLO_RETURN_IF_ERROR(RequireConvGroups(inst, lhs, rhs, d));
  HLO_RETURN_IF_ERROR(RequirePrecision(inst, "C24"));
  HLO_RETURN_IF_ERROR(RequireOperandTypes(inst, "C27"));
  std::vector<Size> sizes(rank);
  const int64_t batches = inst.GetInt(Attr::kBatchGroupCount, 1);
  sizes[d.output_batch] =
      MapSize(SizeOf(lhs, d.input_batch), [&](int64_t n) { return n / batches; });
  sizes[d.output_feature] = SizeOf(rhs, d.kernel_output_feature);
  for (int64_t i = 0; i < spatial; ++i) {
    const WindowDim& window = inst.GetWindow().dims[i];
    const Size kernel = SizeOf(rhs, d.kernel_spatial[i]);
    sizes[d.output_spatial[i]] = kernel.IsDynamic()
                                     ? Size{Shape::kUnbounded}
                                     : NumWindows(SizeOf(lhs, d.input_spatial[i]), window);
  }
  return sizes;
}

}  // namespace

absl::StatusOr<Shape> InferConvolution(const Instruction& inst) {
  auto sizes = ConvSizes(inst);
  if (!sizes.ok()) return sizes.status();
  return ArrayOf(ResultType(inst), *sizes);
}

absl::StatusOr<Shape> InferDynamicConvolution(const Instruction& inst) {
  auto sizes = ConvSizes(inst);
  if (!sizes.ok()) return sizes.status();
  const Shape& padding = inst.operand(2)->shape;
  const int64_t spatial = inst.operand(0)->shape.rank() - 2;
  HLO_REQUIRE(padding.rank() == 2 && IsInteger(padding.element_type()), "I3",
              "the padding must be a matrix of integers, is ", padding.ToString());
  HLO_REQUIRE(!padding.IsDynamic() && padding.dim(0) == spatial && padding.dim(1) == 2, "C4",
              "the padding ", padding.ToString(), " must have ", spatial, " rows of 2");
  for (int64_t d : inst.GetConvDims().output_spatial) (*sizes)[d] = {Shape::kUnbounded};
  return ArrayOf(ResultType(inst), *sizes);
}

}  // namespace halyard::hlo
