// Moving elements at places that are operands: dynamic slices, gather.
#include <algorithm>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/strided.h"

namespace halyard::hlo {
namespace {

// Returns an index of any integer type, clamped to [0, limit]. Unsigned indices above INT64_MAX are
// large, not negative.
int64_t ClampIndex(const Literal& indices, int64_t at, int64_t limit) {
  if (IsUnsigned(indices.shape().element_type())) {
    return static_cast<int64_t>(std::min(indices.GetUint(at), static_cast<uint64_t>(limit)));
  }
  return std::clamp<int64_t>(indices.GetInt(at), 0, limit);
}

// Row-major offset of the window of `sizes` at the scalar start indices `starts`, moved to lie
// within `shape`.
int64_t WindowStart(const Shape& shape, const std::vector<int64_t>& sizes,
                    absl::Span<const Literal> starts) {
  std::vector<int64_t> strides = shape.WithDefaultLayout().Strides();
  int64_t offset = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    offset += ClampIndex(starts[d], 0, shape.dim(d) - sizes[d]) * strides[d];
  }
  return offset;
}

}  // namespace

absl::StatusOr<Literal> EvaluateDynamicSlice(Evaluator&, const Instruction& inst,
                                             absl::Span<const Literal> operands) {
  const Shape& from = operands[0].shape();
  int64_t start = WindowStart(from, inst.shape.dims(), operands.subspan(1));
  return StridedRead(operands[0], inst.shape, start, from.WithDefaultLayout().Strides());
}

absl::StatusOr<Literal> EvaluateDynamicUpdateSlice(Evaluator&, const Instruction& inst,
                                                   absl::Span<const Literal> operands) {
  Literal result = operands[0];
  const Shape& update = operands[1].shape();
  int64_t start = WindowStart(result.shape(), update.dims(), operands.subspan(2));
  StridedWrite(operands[1], start, result.shape().WithDefaultLayout().Strides(), &result);
  return result;
}

absl::StatusOr<Literal> EvaluateGather(Evaluator&, const Instruction& inst,
                                       absl::Span<const Literal> operands) {
  const Literal& operand = operands[0];
  const Literal& indices = operands[1];
  const Ints& offset_dims = inst.GetInts(Attr::kOffsetDims);
  const Ints& map = inst.GetInts(Attr::kStartIndexMap);
  const Ints& batching = inst.GetInts(Attr::kOperandBatchingDims);
  const Ints& indices_batching = inst.GetInts(Attr::kStartIndicesBatchingDims);
  const Ints& sizes = inst.GetInts(Attr::kSliceSizes);
  int64_t ivd = inst.GetInt(Attr::kIndexVectorDim);
  std::vector<int64_t> operand_strides = operand.shape().WithDefaultLayout().Strides();
  std::vector<int64_t> indices_strides = indices.shape().WithDefaultLayout().Strides();
  int64_t vector_stride = ivd < indices.shape().rank() ? indices_strides[ivd] : 0;

  // For each dimension of the result: how far it moves in the operand (offset dimensions) or in the
  // indices (batch dimensions).
  std::vector<int64_t> in_operand(inst.shape.rank(), 0), in_indices(inst.shape.rank(), 0);
  std::vector<int64_t> window_dims, batch_dims;
  for (int64_t d = 0; d < operand.shape().rank(); ++d) {
    bool dropped = Contains(inst.GetInts(Attr::kCollapsedSliceDims), d) || Contains(batching, d);
    if (!dropped) window_dims.push_back(d);
  }
  for (int64_t d = 0; d < indices.shape().rank(); ++d) {
    if (d != ivd) batch_dims.push_back(d);
  }
  size_t next_window = 0, next_batch = 0;
  for (int64_t d = 0; d < inst.shape.rank(); ++d) {
    if (Contains(offset_dims, d)) {
      in_operand[d] = operand_strides[window_dims[next_window++]];
      continue;
    }
    int64_t indices_dim = batch_dims[next_batch++];
    in_indices[d] = indices_strides[indices_dim];
    for (size_t i = 0; i < batching.size(); ++i) {
      if (indices_batching[i] == indices_dim) in_operand[d] = operand_strides[batching[i]];
    }
  }

  std::vector<int64_t> index_at(inst.shape.NumElements());
  ForEachStrided(inst.shape.dims(), 0, in_indices,
                 [&](int64_t position, int64_t at) { index_at[position] = at; });
  Literal result(inst.shape.WithDefaultLayout());
  ForEachStrided(inst.shape.dims(), 0, in_operand, [&](int64_t position, int64_t offset) {
    for (size_t k = 0; k < map.size(); ++k) {
      int64_t limit = operand.shape().dim(map[k]) - sizes[map[k]];
      int64_t at = index_at[position] + static_cast<int64_t>(k) * vector_stride;
      offset += ClampIndex(indices, at, limit) * operand_strides[map[k]];
    }
    result.CopyElement(position, operand, offset);
  });
  return result;
}

}  // namespace halyard::hlo
