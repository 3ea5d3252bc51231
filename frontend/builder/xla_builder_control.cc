// Reductions, sorting, structure and control flow.
#include <numeric>

#include "absl/strings/str_cat.h"
#include "frontend/builder/xla_builder.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;

namespace {

std::vector<XlaOp> Joined(absl::Span<const XlaOp> first, absl::Span<const XlaOp> second) {
  std::vector<XlaOp> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

}  // namespace

XlaOp XlaBuilder::Reduce(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                         absl::Span<const int64_t> dimensions) {
  return Reduce(absl::Span<const XlaOp>(&operand, 1), absl::Span<const XlaOp>(&init_value, 1),
                computation, dimensions);
}

XlaOp XlaBuilder::Reduce(absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
                         const XlaComputation& computation, absl::Span<const int64_t> dimensions) {
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, Ints(dimensions.begin(), dimensions.end()));
  return AddOp(Opcode::kReduce, Joined(operands, init_values), std::move(attrs), {&computation});
}

XlaOp XlaBuilder::ReduceAll(XlaOp operand, XlaOp init_value, const XlaComputation& computation) {
  if (!Usable(Opcode::kReduce, {operand})) return XlaOp(this, nullptr);
  std::vector<int64_t> dims(ShapeOf(operand).rank());
  std::iota(dims.begin(), dims.end(), 0);
  return Reduce(operand, init_value, computation, dims);
}

XlaOp XlaBuilder::ReduceWindow(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                               absl::Span<const int64_t> window_dimensions,
                               absl::Span<const int64_t> window_strides, Padding padding) {
  if (!Usable(Opcode::kReduceWindow, {operand})) return XlaOp(this, nullptr);
  auto pairs = MakePadding(ShapeOf(operand).dims(), window_dimensions, window_strides, padding);
  if (!pairs.ok()) return Error(Opcode::kReduceWindow, pairs.status().message());
  return ReduceWindowWithGeneralPadding(operand, init_value, computation, window_dimensions,
                                        window_strides, *pairs);
}

XlaOp XlaBuilder::ReduceWindowWithGeneralPadding(XlaOp operand, XlaOp init_value,
                                                 const XlaComputation& computation,
                                                 absl::Span<const int64_t> window_dimensions,
                                                 absl::Span<const int64_t> window_strides,
                                                 Pairs padding) {
  return ReduceWindowWithGeneralPadding(absl::Span<const XlaOp>(&operand, 1),
                                        absl::Span<const XlaOp>(&init_value, 1), computation,
                                        window_dimensions, window_strides, {}, {}, padding);
}

XlaOp XlaBuilder::ReduceWindowWithGeneralPadding(
    absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
    const XlaComputation& computation, absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides, absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations, Pairs padding) {
  size_t rank = window_dimensions.size();
  auto fits = [&](size_t size, bool optional) { return size == rank || (optional && size == 0); };
  if (!fits(window_strides.size(), true) || !fits(padding.size(), false) ||
      !fits(base_dilations.size(), true) || !fits(window_dilations.size(), true)) {
    return Error(Opcode::kReduceWindow,
                 absl::StrCat("strides, dilations and padding need ", rank, " entries"));
  }
  hlo::Window window;
  for (size_t i = 0; i < rank; ++i) {
    window.dims.push_back({.size = window_dimensions[i],
                           .stride = window_strides.empty() ? 1 : window_strides[i],
                           .pad_low = padding[i].first,
                           .pad_high = padding[i].second,
                           .base_dilation = base_dilations.empty() ? 1 : base_dilations[i],
                           .window_dilation = window_dilations.empty() ? 1 : window_dilations[i]});
  }
  AttrMap attrs;
  attrs.Set(Attr::kWindow, std::move(window));
  return AddOp(Opcode::kReduceWindow, Joined(operands, init_values), std::move(attrs),
               {&computation});
}

XlaOp XlaBuilder::Sort(XlaOp operand) {
  if (!Usable(Opcode::kSort, {operand})) return XlaOp(this, nullptr);
  std::unique_ptr<XlaBuilder> less = CreateSubBuilder("less");
  Shape scalar = Shape::Scalar(ShapeOf(operand).element_type());
  XlaOp a = less->Parameter(0, scalar), b = less->Parameter(1, scalar);
  less->LtTotalOrder(a, b);
  XlaComputation comparator = less->BuildAndNoteError();
  return Sort({operand}, comparator);
}

XlaOp XlaBuilder::Sort(absl::Span<const XlaOp> operands, const XlaComputation& comparator,
                       int64_t dimension, bool is_stable) {
  if (operands.empty()) return Error(Opcode::kSort, "C1: needs an operand");
  if (!Usable(Opcode::kSort, operands)) return XlaOp(this, nullptr);
  int64_t rank = ShapeOf(operands[0]).rank();
  if (dimension < -rank || dimension >= rank) {
    return Error(Opcode::kSort,
                 absl::StrCat("C4: dimension ", dimension, " of an array of rank ", rank));
  }
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, Ints{dimension < 0 ? dimension + rank : dimension});
  if (is_stable) attrs.Set(Attr::kIsStable, true);
  return AddOp(Opcode::kSort, operands, std::move(attrs), {&comparator});
}

XlaOp XlaBuilder::Tuple(absl::Span<const XlaOp> elements) {
  return AddOp(Opcode::kTuple, elements);
}

XlaOp XlaBuilder::GetTupleElement(XlaOp tuple, int64_t index) {
  AttrMap attrs;
  attrs.Set(Attr::kIndex, index);
  return AddOp(Opcode::kGetTupleElement, {tuple}, std::move(attrs));
}

XlaOp XlaBuilder::Call(const XlaComputation& computation, absl::Span<const XlaOp> operands) {
  return AddOp(Opcode::kCall, operands, {}, {&computation});
}

XlaOp XlaBuilder::While(const XlaComputation& condition, const XlaComputation& body, XlaOp init) {
  return AddOp(Opcode::kWhile, {init}, {}, {&condition, &body});
}

XlaOp XlaBuilder::Conditional(XlaOp pred, XlaOp true_operand,
                              const XlaComputation& true_computation, XlaOp false_operand,
                              const XlaComputation& false_computation) {
  return AddOp(Opcode::kConditional, {pred, true_operand, false_operand}, {},
               {&true_computation, &false_computation});
}

XlaOp XlaBuilder::Conditional(XlaOp branch_index, absl::Span<const XlaComputation* const> branches,
                              absl::Span<const XlaOp> branch_operands) {
  return AddOp(Opcode::kConditional, Joined({branch_index}, branch_operands), {}, branches);
}

XlaOp XlaBuilder::CustomCall(const std::string& target, absl::Span<const XlaOp> operands,
                             const Shape& shape, const std::string& backend_config,
                             bool has_side_effect) {
  AttrMap attrs;
  attrs.Set(Attr::kCustomCallTarget, target);
  if (!backend_config.empty()) attrs.Set(Attr::kBackendConfig, backend_config);
  if (has_side_effect) attrs.Set(Attr::kHasSideEffect, true);
  return AddOp(Opcode::kCustomCall, operands, std::move(attrs), {}, shape);
}

XlaOp XlaBuilder::OptimizationBarrier(XlaOp operand) {
  return AddOp(Opcode::kOptimizationBarrier, {operand});
}

XlaOp XlaBuilder::AfterAll(absl::Span<const XlaOp> tokens) {
  return AddOp(Opcode::kAfterAll, tokens);
}

}  // namespace halyard
