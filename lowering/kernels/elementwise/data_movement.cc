// Ops that only move an index (and iota, constant): the operand's index is a function of the
// result's.

#include <algorithm>
#include <numeric>

#include "lowering/kernels/emitter.h"
#include "lowering/numerics/integer_ops.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Attr;
using hlo::Instruction;

Value LowerIdentity(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  return emitter.At(inst.operand(0), index);
}

Value LowerBroadcast(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  LogicalIndex operand_index;
  for (int64_t dim : inst.GetInts(Attr::kDimensions)) operand_index.push_back(index[dim]);
  return emitter.At(inst.operand(0), operand_index);
}

// Both shapes are cut into groups of equal size, so that only dimensions that are really merged or
// split need divisions.
Value LowerReshape(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  const std::vector<int64_t>& to = inst.shape.dims();
  const std::vector<int64_t>& from = inst.operand(0)->shape.dims();
  LogicalIndex operand_index(from.size(), Expr(0));
  if (inst.shape.NumElements() == 0) return emitter.At(inst.operand(0), operand_index);
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    const size_t first_from = i, first_to = j;
    int64_t from_size = i < from.size() ? from[i++] : 1;
    int64_t to_size = j < to.size() ? to[j++] : 1;
    while (from_size != to_size) {
      if (from_size < to_size) {
        from_size *= from[i++];
      } else {
        to_size *= to[j++];
      }
    }
    // Returns the dimensions of the group that have more than one element.
    std::vector<size_t> group_from, group_to;
    for (size_t d = first_from; d < i; ++d)
      if (from[d] != 1) group_from.push_back(d);
    for (size_t d = first_to; d < j; ++d)
      if (to[d] != 1) group_to.push_back(d);
    if (group_from.empty()) continue;
    if (group_to.size() == 1 && group_from.size() == 1) {
      operand_index[group_from[0]] = index[group_to[0]];
      continue;
    }
    Expr linear = 0;
    for (size_t d : group_to) linear = linear * static_cast<int32_t>(to[d]) + index[d];
    for (size_t k = group_from.size(); k-- > 0;) {
      const int32_t extent = static_cast<int32_t>(from[group_from[k]]);
      operand_index[group_from[k]] = k == 0 ? linear : linear % extent;
      linear = linear / extent;
    }
  }
  return emitter.At(inst.operand(0), operand_index);
}

Value LowerTranspose(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  const hlo::Ints& permutation = inst.GetInts(Attr::kDimensions);
  LogicalIndex operand_index(index.size());
  for (size_t d = 0; d < permutation.size(); ++d) operand_index[permutation[d]] = index[d];
  return emitter.At(inst.operand(0), operand_index);
}

Value LowerReverse(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  LogicalIndex operand_index = index;
  for (int64_t d : inst.GetInts(Attr::kDimensions)) {
    operand_index[d] = static_cast<int32_t>(inst.shape.dim(d) - 1) - index[d];
  }
  return emitter.At(inst.operand(0), operand_index);
}

Value LowerSlice(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  LogicalIndex operand_index;
  const hlo::SliceDims& dims = inst.GetSlice();
  for (size_t d = 0; d < dims.size(); ++d) {
    Expr e = index[d];
    if (dims[d].stride != 1) e = e * static_cast<int32_t>(dims[d].stride);
    if (dims[d].start != 0) e = e + static_cast<int32_t>(dims[d].start);
    operand_index.push_back(e);
  }
  return emitter.At(inst.operand(0), operand_index);
}

Value LowerConcatenate(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  const int64_t dim = inst.GetInts(Attr::kDimensions)[0];
  Value result;
  int64_t end = inst.shape.dim(dim);
  for (size_t k = inst.operands.size(); k-- > 0;) {
    const Instruction* operand = inst.operand(k);
    const int64_t extent = operand->shape.dim(dim);
    end -= extent;
    if (extent == 0) continue;
    LogicalIndex operand_index = index;
    if (inst.operands.size() > 1)
      operand_index[dim] = ClampInt(index[dim] - static_cast<int32_t>(end), 0, extent - 1);
    Value part = emitter.At(operand, operand_index);
    result = result.re.defined()
                 ? SelectValue(index[dim] < static_cast<int32_t>(end + extent), part, result)
                 : part;
  }
  if (!result.re.defined()) return Zero(inst.shape.element_type());
  return result;
}

Value LowerPad(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  const Instruction* operand = inst.operand(0);
  const hlo::PaddingConfig& padding = inst.GetPadding();
  Expr inside;
  LogicalIndex operand_index;
  auto require = [&inside](const Expr& condition) {
    inside = inside.defined() ? inside && condition : condition;
  };
  for (size_t d = 0; d < padding.size(); ++d) {
    const int32_t extent = static_cast<int32_t>(operand->shape.dim(d));
    if (extent == 0) return emitter.At(inst.operand(1), {});
    const int32_t step = static_cast<int32_t>(padding[d].interior + 1);
    const int32_t low = static_cast<int32_t>(padding[d].low);
    Expr e = index[d];
    if (low == 0 && step == 1 && padding[d].high <= 0) {
      operand_index.push_back(e);
      continue;
    }
    e = e - low;
    if (step > 1) {
      require(e % step == 0);
      e = e / step;
      require(index[d] >= low && e < extent);
    } else {
      if (low > 0) require(e >= 0);
      if (padding[d].high > 0) require(e < extent);
    }
    operand_index.push_back(ClampInt(e, 0, extent - 1));
  }
  Value value = emitter.At(operand, operand_index);
  if (!inside.defined()) return value;
  return SelectValue(inside, value, emitter.At(inst.operand(1), {}));
}

// Halide takes arithmetic of indices to never overflow: it moves terms across comparisons, and from
// max(a, i + k) it concludes which steps of a loop change nothing, also where a - k overflows. As a
// value of the program, an index meets any other.
Value LowerIota(Emitter&, const Instruction& inst, const LogicalIndex& index) {
  const Expr at = index[inst.GetInt(Attr::kIotaDimension)];
  return IntegerValue(inst.shape.element_type(), numerics::Opaque(at));
}

Value LowerConstant(Emitter&, const Instruction& inst, const LogicalIndex& index) {
  const int64_t count = inst.shape.NumElements();
  if (count == 0) return Zero(inst.shape.element_type());
  Value result = ConstantValue(inst.literal, 0);
  if (inst.literal.IsSplat()) return result;
  Expr linear = 0;
  for (size_t d = 0; d < index.size(); ++d)
    linear = linear * static_cast<int32_t>(inst.shape.dim(d)) + index[d];
  for (int64_t i = 1; i < count; ++i) {
    result = SelectValue(linear >= static_cast<int32_t>(i), ConstantValue(inst.literal, i), result);
  }
  return result;
}

Value LowerDynamicSlice(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  const Instruction* operand = inst.operand(0);
  LogicalIndex operand_index;
  for (int64_t d = 0; d < operand->shape.rank(); ++d) {
    const int64_t limit = operand->shape.dim(d) - inst.shape.dim(d);
    operand_index.push_back(
        limit == 0 ? index[d]
                   : index[d] + ClampedIndex(emitter.At(inst.operand(1 + d), {}), limit));
  }
  return emitter.At(operand, operand_index);
}

// StableHLO specification, gather: starts are clamped so that the whole slice is inside.
Value LowerGather(Emitter& emitter, const Instruction& inst, const LogicalIndex& index) {
  const Instruction* operand = inst.operand(0);
  const Instruction* indices = inst.operand(1);
  const hlo::Ints& offset_dims = inst.GetInts(Attr::kOffsetDims);
  const hlo::Ints& collapsed = inst.GetInts(Attr::kCollapsedSliceDims);
  const hlo::Ints& batching = inst.GetInts(Attr::kOperandBatchingDims);
  const hlo::Ints& indices_batching = inst.GetInts(Attr::kStartIndicesBatchingDims);
  const hlo::Ints& map = inst.GetInts(Attr::kStartIndexMap);
  const hlo::Ints& sizes = inst.GetInts(Attr::kSliceSizes);
  const int64_t vector_dim = inst.GetInt(Attr::kIndexVectorDim);
  auto contains = [](const hlo::Ints& list, int64_t d) {
    return std::find(list.begin(), list.end(), d) != list.end();
  };

  LogicalIndex batch_index;
  for (int64_t d = 0; d < inst.shape.rank(); ++d) {
    if (!contains(offset_dims, d)) batch_index.push_back(index[d]);
  }
  LogicalIndex operand_index(operand->shape.rank(), Expr(0));
  size_t offset = 0;
  for (int64_t d = 0; d < operand->shape.rank(); ++d) {
    if (contains(collapsed, d) || contains(batching, d)) continue;
    operand_index[d] = index[offset_dims[offset++]];
  }
  for (size_t k = 0; k < map.size(); ++k) {
    LogicalIndex at = batch_index;
    if (vector_dim < indices->shape.rank())
      at.insert(at.begin() + vector_dim, Expr(static_cast<int32_t>(k)));
    const int64_t d = map[k];
    operand_index[d] =
        operand_index[d] + ClampedIndex(emitter.At(indices, at), operand->shape.dim(d) - sizes[d]);
  }
  for (size_t i = 0; i < batching.size(); ++i) {
    const int64_t j = indices_batching[i];
    operand_index[batching[i]] = batch_index[j - (j < vector_dim ? 0 : 1)];
  }
  return emitter.At(operand, operand_index);
}

}  // namespace halyard::lowering
