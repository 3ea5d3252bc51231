// Reductions, windows and order.
#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "frontend/builder/operands.h"
#include "frontend/builder/xla_builder.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;

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
  if (!Usable(Opcode::kReduce, {operand})) return Invalid();
  std::vector<int64_t> dims(ShapeOf(operand).rank());
  std::iota(dims.begin(), dims.end(), 0);
  return Reduce(operand, init_value, computation, dims);
}

XlaOp XlaBuilder::ReduceWindow(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                               absl::Span<const int64_t> window_dimensions,
                               absl::Span<const int64_t> window_strides, Padding padding) {
  if (!Usable(Opcode::kReduceWindow, {operand})) return Invalid();
  auto pairs = MakePadding(ShapeOf(operand).dims(), window_dimensions, window_strides, padding);
  if (!pairs.ok()) return Error(Opcode::kReduceWindow, pairs.status().message());
  return ReduceWindowWithGeneralPadding(operand, init_value, computation, window_dimensions,
                                        window_strides, *pairs);
}

XlaOp XlaBuilder::ReduceWindow(absl::Span<const XlaOp> operands,
                               absl::Span<const XlaOp> init_values,
                               const XlaComputation& computation,
                               absl::Span<const int64_t> window_dimensions,
                               absl::Span<const int64_t> window_strides,
                               absl::Span<const int64_t> base_dilations,
                               absl::Span<const int64_t> window_dilations, Padding padding) {
  if (operands.empty()) return Error(Opcode::kReduceWindow, "C1: needs an operand");
  if (!Usable(Opcode::kReduceWindow, operands)) return Invalid();
  auto dilated = [](absl::Span<const int64_t> sizes, absl::Span<const int64_t> dilations) {
    std::vector<int64_t> result(sizes.begin(), sizes.end());
    for (size_t i = 0; i < std::min(sizes.size(), dilations.size()); ++i) {
      if (sizes[i] == 0) continue;
      const __int128 extent = static_cast<__int128>(sizes[i] - 1) * dilations[i] + 1;
      // MakePadding refuses what does not fit.
      result[i] = extent > INT64_MAX || extent < 0 ? -1 : static_cast<int64_t>(extent);
    }
    return result;
  };
  auto pairs = MakePadding(dilated(ShapeOf(operands[0]).dims(), base_dilations),
                           dilated(window_dimensions, window_dilations), window_strides, padding);
  if (!pairs.ok()) return Error(Opcode::kReduceWindow, pairs.status().message());
  return ReduceWindowWithGeneralPadding(operands, init_values, computation, window_dimensions,
                                        window_strides, base_dilations, window_dilations, *pairs);
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

XlaOp XlaBuilder::SelectAndScatter(XlaOp operand, const XlaComputation& select,
                                   absl::Span<const int64_t> window_dimensions,
                                   absl::Span<const int64_t> window_strides, Padding padding,
                                   XlaOp source, XlaOp init_value, const XlaComputation& scatter) {
  if (!Usable(Opcode::kSelectAndScatter, {operand})) return Invalid();
  auto pairs = MakePadding(ShapeOf(operand).dims(), window_dimensions, window_strides, padding);
  if (!pairs.ok()) return Error(Opcode::kSelectAndScatter, pairs.status().message());
  return SelectAndScatterWithGeneralPadding(operand, select, window_dimensions, window_strides,
                                            *pairs, source, init_value, scatter);
}

XlaOp XlaBuilder::SelectAndScatterWithGeneralPadding(XlaOp operand, const XlaComputation& select,
                                                     absl::Span<const int64_t> window_dimensions,
                                                     absl::Span<const int64_t> window_strides,
                                                     Pairs padding, XlaOp source, XlaOp init_value,
                                                     const XlaComputation& scatter) {
  size_t rank = window_dimensions.size();
  if ((window_strides.size() != rank && !window_strides.empty()) || padding.size() != rank) {
    return Error(Opcode::kSelectAndScatter,
                 absl::StrCat("C6: strides and padding need ", rank, " entries"));
  }
  hlo::Window window;
  for (size_t i = 0; i < rank; ++i) {
    window.dims.push_back({.size = window_dimensions[i],
                           .stride = window_strides.empty() ? 1 : window_strides[i],
                           .pad_low = padding[i].first,
                           .pad_high = padding[i].second});
  }
  AttrMap attrs;
  attrs.Set(Attr::kWindow, std::move(window));
  return AddOp(Opcode::kSelectAndScatter, {operand, source, init_value}, std::move(attrs),
               {&select, &scatter});
}

XlaOp XlaBuilder::Sort(XlaOp operand, int64_t dimension) {
  if (!Usable(Opcode::kSort, {operand})) return Invalid();
  if (!ShapeOf(operand).IsArray()) return Error(Opcode::kSort, "needs an array");
  std::unique_ptr<XlaBuilder> less = CreateSubBuilder("less");
  Shape scalar = Shape::Scalar(ShapeOf(operand).element_type());
  XlaOp a = less->Parameter(0, scalar), b = less->Parameter(1, scalar);
  less->LtTotalOrder(a, b);
  XlaComputation comparator = less->BuildAndNoteError();
  return Sort(operand, comparator, dimension);
}

XlaOp XlaBuilder::Sort(XlaOp operand, const XlaComputation& comparator, int64_t dimension,
                       bool is_stable) {
  return Sort(absl::Span<const XlaOp>(&operand, 1), comparator, dimension, is_stable);
}

XlaOp XlaBuilder::Sort(absl::Span<const XlaOp> operands, const XlaComputation& comparator,
                       int64_t dimension, bool is_stable) {
  if (operands.empty()) return Error(Opcode::kSort, "C1: needs an operand");
  if (!Usable(Opcode::kSort, operands)) return Invalid();
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

XlaOp XlaBuilder::TopK(XlaOp operand, int64_t k, bool largest) {
  AttrMap attrs;
  attrs.Set(Attr::kK, k);
  attrs.Set(Attr::kLargest, largest);
  return AddOp(Opcode::kTopK, {operand}, std::move(attrs));
}

// A stable sort beside the indices, then the first k.
XlaOp XlaBuilder::TopK(XlaOp operand, int64_t k, const XlaComputation& comparator) {
  if (!Usable(Opcode::kTopK, {operand})) return Invalid();
  const Shape shape = ShapeOf(operand);
  if (!shape.IsArray() || shape.rank() == 0) return Error(Opcode::kTopK, "needs rank 1 or more");
  int64_t last = shape.rank() - 1;
  if (k < 0 || k > shape.dim(last)) {
    return Error(Opcode::kTopK, absl::StrCat("k = ", k, " of ", shape.dim(last), " elements"));
  }
  std::unique_ptr<XlaBuilder> by_value = CreateSubBuilder("by_value");
  Shape value = Shape::Scalar(shape.element_type()), index = Shape::Scalar(S32);
  XlaOp a = by_value->Parameter(0, value), b = by_value->Parameter(1, value);
  by_value->Parameter(2, index);
  by_value->Parameter(3, index);
  by_value->Call(comparator, {a, b});
  XlaComputation before = by_value->BuildAndNoteError();
  XlaOp sorted = Sort({operand, Iota(shape.WithElementType(S32), last)}, before, last, true);
  if (!sorted.valid()) return sorted;
  std::vector<int64_t> start(shape.rank(), 0), limit = shape.dims();
  limit[last] = k;
  return Tuple({Slice(GetTupleElement(sorted, 0), start, limit),
                Slice(GetTupleElement(sorted, 1), start, limit)});
}

}  // namespace halyard
