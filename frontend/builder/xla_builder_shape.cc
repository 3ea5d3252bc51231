// The methods of XlaBuilder that make, move or pick elements.
#include <numeric>

#include "absl/strings/str_cat.h"
#include "frontend/builder/xla_builder.h"
#include "frontend/hlo/ir/sugar.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;

namespace {

Ints ToInts(absl::Span<const int64_t> values) { return Ints(values.begin(), values.end()); }

AttrMap WithInts(Attr attr, absl::Span<const int64_t> values) {
  AttrMap attrs;
  attrs.Set(attr, ToInts(values));
  return attrs;
}

}  // namespace

XlaOp XlaBuilder::Iota(const Shape& shape, int64_t iota_dimension) {
  AttrMap attrs;
  attrs.Set(Attr::kIotaDimension, iota_dimension);
  return AddOp(Opcode::kIota, {}, std::move(attrs), {}, shape);
}

XlaOp XlaBuilder::Iota(PrimitiveType type, int64_t size) {
  return Iota(Shape::Array(type, {size}), 0);
}

XlaOp XlaBuilder::Broadcast(XlaOp operand, absl::Span<const int64_t> sizes) {
  if (!Usable(Opcode::kBroadcast, {operand})) return Invalid();
  const Shape& shape = ShapeOf(operand);
  Ints dims = ToInts(sizes), map(shape.rank());
  std::iota(map.begin(), map.end(), static_cast<int64_t>(sizes.size()));
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  return AddOp(Opcode::kBroadcast, {operand}, WithInts(Attr::kDimensions, map), {},
               shape.WithDims(std::move(dims)));
}

XlaOp XlaBuilder::BroadcastInDim(XlaOp operand, absl::Span<const int64_t> out_dim_size,
                                 absl::Span<const int64_t> broadcast_dimensions) {
  if (!Usable(Opcode::kBroadcast, {operand})) return Invalid();
  const Shape& shape = ShapeOf(operand);
  Ints dims = ToInts(out_dim_size), map = ToInts(broadcast_dimensions);
  if (static_cast<int64_t>(map.size()) != shape.rank()) {
    return Error(Opcode::kBroadcast, "C2: needs one broadcast dimension per operand dimension");
  }
  for (int64_t d : map) {
    if (d < 0 || d >= static_cast<int64_t>(dims.size())) {
      return Error(Opcode::kBroadcast, absl::StrCat("C3: broadcast dimension ", d,
                                                    " is not in [0, ", dims.size(), ")"));
    }
  }
  if (shape.dims() != dims) return Expand(operand, dims, map);
  // The same sizes may still be a transpose.
  return AddOp(Opcode::kBroadcast, {operand}, WithInts(Attr::kDimensions, map), {},
               shape.WithDims(dims));
}

XlaOp XlaBuilder::Reshape(XlaOp operand, absl::Span<const int64_t> new_sizes) {
  if (!Usable(Opcode::kReshape, {operand})) return Invalid();
  return AddOp(Opcode::kReshape, {operand}, {}, {}, ShapeOf(operand).WithDims(ToInts(new_sizes)));
}

XlaOp XlaBuilder::Reshape(XlaOp operand, absl::Span<const int64_t> dimensions,
                          absl::Span<const int64_t> new_sizes) {
  if (!Usable(Opcode::kReshape, {operand})) return Invalid();
  bool in_order = static_cast<int64_t>(dimensions.size()) == ShapeOf(operand).rank();
  for (size_t i = 0; i < dimensions.size(); ++i) {
    in_order = in_order && dimensions[i] == static_cast<int64_t>(i);
  }
  return Reshape(in_order ? operand : Transpose(operand, dimensions), new_sizes);
}

XlaOp XlaBuilder::Collapse(XlaOp operand, absl::Span<const int64_t> dimensions) {
  if (!Usable(Opcode::kReshape, {operand})) return Invalid();
  const Shape& shape = ShapeOf(operand);
  if (dimensions.empty()) return operand;
  Ints dims;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] != dimensions[0] + static_cast<int64_t>(i) || dimensions[i] < 0 ||
        dimensions[i] >= shape.rank()) {
      return Error("collapse", "dimensions must be consecutive, ascending and within the rank");
    }
  }
  int64_t product = 1;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    bool collapsed = d >= dimensions.front() && d <= dimensions.back();
    if (collapsed) product *= shape.dim(d);
    if (!collapsed) dims.push_back(shape.dim(d));
    if (d == dimensions.back()) dims.push_back(product);
  }
  return Reshape(operand, dims);
}

XlaOp XlaBuilder::Transpose(XlaOp operand, absl::Span<const int64_t> permutation) {
  return AddOp(Opcode::kTranspose, {operand}, WithInts(Attr::kDimensions, permutation));
}

XlaOp XlaBuilder::Trans(XlaOp operand) { return Transpose(operand, {1, 0}); }

XlaOp XlaBuilder::Rev(XlaOp operand, absl::Span<const int64_t> dimensions) {
  return AddOp(Opcode::kReverse, {operand}, WithInts(Attr::kDimensions, dimensions));
}

XlaOp XlaBuilder::Slice(XlaOp operand, absl::Span<const int64_t> start,
                        absl::Span<const int64_t> limit, absl::Span<const int64_t> strides) {
  if (start.size() != limit.size() || (!strides.empty() && strides.size() != start.size())) {
    return Error(Opcode::kSlice, "C2: start, limit and strides differ in length");
  }
  hlo::SliceDims slice;
  for (size_t i = 0; i < start.size(); ++i) {
    slice.push_back({start[i], limit[i], strides.empty() ? 1 : strides[i]});
  }
  AttrMap attrs;
  attrs.Set(Attr::kSlice, std::move(slice));
  return AddOp(Opcode::kSlice, {operand}, std::move(attrs));
}

XlaOp XlaBuilder::ConcatInDim(absl::Span<const XlaOp> operands, int64_t dimension) {
  return AddOp(Opcode::kConcatenate, operands, WithInts(Attr::kDimensions, {dimension}));
}

XlaOp XlaBuilder::Pad(XlaOp operand, XlaOp padding_value, const PaddingConfig& padding_config) {
  AttrMap attrs;
  attrs.Set(Attr::kPadding, padding_config);
  return AddOp(Opcode::kPad, {operand, padding_value}, std::move(attrs));
}

XlaOp XlaBuilder::DynamicSlice(XlaOp operand, absl::Span<const XlaOp> start_indices,
                               absl::Span<const int64_t> size_indices) {
  std::vector<XlaOp> operands = {operand};
  operands.insert(operands.end(), start_indices.begin(), start_indices.end());
  return AddOp(Opcode::kDynamicSlice, operands, WithInts(Attr::kDynamicSliceSizes, size_indices));
}

XlaOp XlaBuilder::DynamicUpdateSlice(XlaOp operand, XlaOp update,
                                     absl::Span<const XlaOp> start_indices) {
  std::vector<XlaOp> operands = {operand, update};
  operands.insert(operands.end(), start_indices.begin(), start_indices.end());
  return AddOp(Opcode::kDynamicUpdateSlice, operands);
}

XlaOp XlaBuilder::Gather(XlaOp operand, XlaOp start_indices, const GatherDimensionNumbers& numbers,
                         absl::Span<const int64_t> slice_sizes, bool indices_are_sorted,
                         bool /*unique_indices*/) {
  AttrMap attrs;
  attrs.Set(Attr::kOffsetDims, numbers.offset_dims);
  attrs.Set(Attr::kCollapsedSliceDims, numbers.collapsed_slice_dims);
  attrs.Set(Attr::kStartIndexMap, numbers.start_index_map);
  if (!numbers.operand_batching_dims.empty() || !numbers.start_indices_batching_dims.empty()) {
    attrs.Set(Attr::kOperandBatchingDims, numbers.operand_batching_dims);
    attrs.Set(Attr::kStartIndicesBatchingDims, numbers.start_indices_batching_dims);
  }
  attrs.Set(Attr::kIndexVectorDim, numbers.index_vector_dim);
  attrs.Set(Attr::kSliceSizes, ToInts(slice_sizes));
  if (indices_are_sorted) attrs.Set(Attr::kIndicesAreSorted, true);
  return AddOp(Opcode::kGather, {operand, start_indices}, std::move(attrs));
}

XlaOp XlaBuilder::Scatter(XlaOp input, XlaOp scatter_indices, XlaOp updates,
                          const XlaComputation& update_computation,
                          const ScatterDimensionNumbers& numbers, bool indices_are_sorted,
                          bool unique_indices) {
  return Scatter(absl::Span<const XlaOp>(&input, 1), scatter_indices,
                 absl::Span<const XlaOp>(&updates, 1), update_computation, numbers,
                 indices_are_sorted, unique_indices);
}

XlaOp XlaBuilder::Scatter(absl::Span<const XlaOp> inputs, XlaOp scatter_indices,
                          absl::Span<const XlaOp> updates, const XlaComputation& update_computation,
                          const ScatterDimensionNumbers& numbers, bool indices_are_sorted,
                          bool unique_indices) {
  if (inputs.empty() || inputs.size() != updates.size()) {
    return Error(Opcode::kScatter,
                 absl::StrCat("C5: ", inputs.size(), " inputs and ", updates.size(), " updates"));
  }
  std::vector<XlaOp> operands(inputs.begin(), inputs.end());
  operands.push_back(scatter_indices);
  operands.insert(operands.end(), updates.begin(), updates.end());
  AttrMap attrs;
  attrs.Set(Attr::kUpdateWindowDims, numbers.update_window_dims);
  attrs.Set(Attr::kInsertedWindowDims, numbers.inserted_window_dims);
  attrs.Set(Attr::kScatterDimsToOperandDims, numbers.scatter_dims_to_operand_dims);
  if (!numbers.input_batching_dims.empty() || !numbers.scatter_indices_batching_dims.empty()) {
    attrs.Set(Attr::kInputBatchingDims, numbers.input_batching_dims);
    attrs.Set(Attr::kScatterIndicesBatchingDims, numbers.scatter_indices_batching_dims);
  }
  attrs.Set(Attr::kIndexVectorDim, numbers.index_vector_dim);
  if (indices_are_sorted) attrs.Set(Attr::kIndicesAreSorted, true);
  if (unique_indices) attrs.Set(Attr::kUniqueIndices, true);
  return AddOp(Opcode::kScatter, operands, std::move(attrs), {&update_computation});
}

XlaOp XlaBuilder::TorchIndexSelect(XlaOp operand, XlaOp index, int64_t dim, int64_t batch_dims) {
  if (!Usable(Opcode::kGather, {operand, index})) return Invalid();
  size_t before = entry_->instructions().size();
  return Adopt(
      before,
      hlo::AddTorchIndexSelect(entry_, operand.instruction_, index.instruction_, dim, batch_dims),
      "torch_index_select");
}

XlaOp XlaBuilder::GetDimensionSize(XlaOp operand, int64_t dimension) {
  return AddOp(Opcode::kGetDimensionSize, {operand}, WithInts(Attr::kDimensions, {dimension}));
}

XlaOp XlaBuilder::SetDimensionSize(XlaOp operand, XlaOp size, int64_t dimension) {
  return AddOp(Opcode::kSetDimensionSize, {operand, size},
               WithInts(Attr::kDimensions, {dimension}));
}

}  // namespace halyard
