// Shapes and labelled constraints of gather and dynamic-gather.
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// The lists of dimension numbers of gather, by themselves.
absl::Status RequireGatherDims(const Instruction& inst, int64_t indices_rank, int64_t result_rank) {
  const Shape& operand = inst.operand(0)->shape;
  const Ints& offset = inst.GetInts(Attr::kOffsetDims);
  const Ints& collapsed = inst.GetInts(Attr::kCollapsedSliceDims);
  const Ints& batching = inst.GetInts(Attr::kOperandBatchingDims);
  const Ints& indices_batching = inst.GetInts(Attr::kStartIndicesBatchingDims);
  const Ints& map = inst.GetInts(Attr::kStartIndexMap);
  const Ints& sizes = inst.GetInts(Attr::kSliceSizes);
  int64_t ivd = inst.GetInt(Attr::kIndexVectorDim);
  HLO_RETURN_IF_ERROR(RequireDims("C5", "C4", "offset_dims", offset, result_rank));
  HLO_RETURN_IF_ERROR(RequireSorted("C4", "offset_dims", offset));
  HLO_RETURN_IF_ERROR(RequireDims("C8", "C6", "collapsed_slice_dims", collapsed, operand.rank()));
  HLO_RETURN_IF_ERROR(RequireSorted("C7", "collapsed_slice_dims", collapsed));
  HLO_RETURN_IF_ERROR(RequireDims("C11", "C6", "operand_batching_dims", batching, operand.rank()));
  HLO_RETURN_IF_ERROR(RequireSorted("C10", "operand_batching_dims", batching));
  HLO_RETURN_IF_ERROR(
      RequireDims("C14", "C13", "start_indices_batching_dims", indices_batching, indices_rank));
  HLO_RETURN_IF_ERROR(RequireDims("C19", "C18", "start_index_map", map, operand.rank()));
  for (int64_t d : batching) {
    HLO_REQUIRE(!Contains(collapsed, d), "C6", "dimension ", d,
                " is both collapsed and a batching dimension");
    HLO_REQUIRE(!Contains(map, d), "C18", "dimension ", d,
                " is both indexed and a batching dimension");
  }
  HLO_REQUIRE(!Contains(indices_batching, ivd), "C15",
              "index_vector_dim is a batching dimension of the indices");
  HLO_REQUIRE(static_cast<int64_t>(sizes.size()) == operand.rank(), "C20", "slice_sizes ",
              Listed(sizes), " must have one entry per dimension of ", operand.ToString());
  for (size_t i = 0; i < sizes.size(); ++i) {
    HLO_REQUIRE(sizes[i] >= 0 && SizeFits({sizes[i]}, SizeOf(operand, i)), "C21", "slice size ",
                sizes[i], " of dimension ", i, " is not within [0, ", operand.dim(i), "]");
  }
  for (int64_t d : collapsed) {
    HLO_REQUIRE(sizes[d] <= 1, "C9", "collapsed dimension ", d, " has slice size ", sizes[d]);
  }
  for (int64_t d : batching) {
    HLO_REQUIRE(sizes[d] <= 1, "C12", "batching dimension ", d, " has slice size ", sizes[d]);
  }
  return absl::OkStatus();
}

// The constraints of dynamic-gather on the same lists.
absl::Status RequireDynamicGatherDims(const Instruction& inst, int64_t result_rank) {
  const Shape& operand = inst.operand(0)->shape;
  const Shape& indices = inst.operand(1)->shape;
  const Ints& offset = inst.GetInts(Attr::kOffsetDims);
  const Ints& collapsed = inst.GetInts(Attr::kCollapsedSliceDims);
  const Ints& batching = inst.GetInts(Attr::kOperandBatchingDims);
  const Ints& indices_batching = inst.GetInts(Attr::kStartIndicesBatchingDims);
  const Ints& map = inst.GetInts(Attr::kStartIndexMap);
  HLO_RETURN_IF_ERROR(RequireDims("C5", "C4", "offset_dims", offset, result_rank));
  HLO_RETURN_IF_ERROR(RequireSorted("C4", "offset_dims", offset));
  HLO_RETURN_IF_ERROR(RequireDims("C7", "C6", "collapsed_slice_dims", collapsed, operand.rank()));
  HLO_RETURN_IF_ERROR(RequireSorted("C6", "collapsed_slice_dims", collapsed));
  HLO_RETURN_IF_ERROR(RequireDims("C10", "C9", "start_index_map", map, operand.rank()));
  // Batching dimensions are newer than the op's own list of constraints, so gather's constraints
  // are named.
  HLO_RETURN_IF_ERROR(RequireDims("C7", "C6", "operand_batching_dims", batching, operand.rank()));
  HLO_RETURN_IF_ERROR(
      RequireDims("C7", "C6", "start_indices_batching_dims", indices_batching, indices.rank()));
  HLO_REQUIRE(batching.size() == indices_batching.size(), "C1",
              "operand and indices have different numbers of batching dimensions");
  return absl::OkStatus();
}

// What both ops check before their lists of dimensions; C1 to C3 are the same rules.
absl::Status RequireGatherRanks(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Shape& indices = inst.operand(1)->shape;
  HLO_REQUIRE(IsInteger(indices.element_type()), "I2", "start indices must be integers, are ",
              indices.ToString());
  const size_t given = inst.GetInts(Attr::kOffsetDims).size() +
                       inst.GetInts(Attr::kCollapsedSliceDims).size() +
                       inst.GetInts(Attr::kOperandBatchingDims).size();
  const int64_t ivd = inst.GetInt(Attr::kIndexVectorDim);
  HLO_REQUIRE(operand.rank() == static_cast<int64_t>(given), "C1",
              "offset, collapsed and batching dimensions do not make up the rank of ",
              operand.ToString());
  HLO_REQUIRE(ivd >= 0 && ivd <= indices.rank(), "C2", "index_vector_dim ", ivd, " is not in [0, ",
              indices.rank(), "]");
  const Ints& map = inst.GetInts(Attr::kStartIndexMap);
  const Size index_size = ivd < indices.rank() ? SizeOf(indices, ivd) : Size{1};
  HLO_REQUIRE(SizesAgree({static_cast<int64_t>(map.size())}, index_size), "C3", "start_index_map ",
              Listed(map), " must have as many entries as an index vector: ", index_size.size);
  return absl::OkStatus();
}

// Returns the sizes of the indices without the dimension of the index vectors.
std::vector<Size> BatchSizes(const Instruction& inst) {
  const Shape& indices = inst.operand(1)->shape;
  std::vector<Size> sizes;
  for (int64_t d = 0; d < indices.rank(); ++d) {
    if (d != inst.GetInt(Attr::kIndexVectorDim)) sizes.push_back(SizeOf(indices, d));
  }
  return sizes;
}

// Puts the sizes of slices at offset_dims, and those of the indices at the other dimensions.
Shape GatherShape(const Instruction& inst, const std::vector<Size>& batch_sizes,
                  const std::vector<Size>& offset_sizes) {
  const Ints& offset = inst.GetInts(Attr::kOffsetDims);
  const int64_t rank = static_cast<int64_t>(batch_sizes.size() + offset.size());
  std::vector<Size> dims;
  size_t next_batch = 0, next_offset = 0;
  for (int64_t d = 0; d < rank; ++d) {
    dims.push_back(Contains(offset, d) ? offset_sizes[next_offset++] : batch_sizes[next_batch++]);
  }
  return WithSizes(inst.operand(0)->shape, dims);
}

}  // namespace

absl::StatusOr<Shape> InferGather(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireGatherRanks(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Shape& indices = inst.operand(1)->shape;
  const Ints& batching = inst.GetInts(Attr::kOperandBatchingDims);
  const Ints& indices_batching = inst.GetInts(Attr::kStartIndicesBatchingDims);
  const Ints& sizes = inst.GetInts(Attr::kSliceSizes);
  const std::vector<Size> batch_sizes = BatchSizes(inst);
  const size_t rank = batch_sizes.size() + inst.GetInts(Attr::kOffsetDims).size();
  HLO_RETURN_IF_ERROR(RequireGatherDims(inst, indices.rank(), static_cast<int64_t>(rank)));
  HLO_REQUIRE(batching.size() == indices_batching.size(), "C16",
              "operand and indices have different numbers of batching dimensions");
  for (size_t i = 0; i < batching.size(); ++i) {
    HLO_REQUIRE(SizesAgree(SizeOf(operand, batching[i]), SizeOf(indices, indices_batching[i])),
                "C17", "batching dimensions ", batching[i], " and ", indices_batching[i],
                " have different sizes");
  }
  std::vector<Size> offset_sizes;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    if (!Contains(inst.GetInts(Attr::kCollapsedSliceDims), d) && !Contains(batching, d))
      offset_sizes.push_back({sizes[d]});
  }
  return GatherShape(inst, batch_sizes, offset_sizes);
}

absl::StatusOr<Shape> InferDynamicGather(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireGatherRanks(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Ints& collapsed = inst.GetInts(Attr::kCollapsedSliceDims);
  const Ints& batching = inst.GetInts(Attr::kOperandBatchingDims);
  const std::vector<Size> batch_sizes = BatchSizes(inst);
  const size_t rank = batch_sizes.size() + inst.GetInts(Attr::kOffsetDims).size();
  HLO_RETURN_IF_ERROR(RequireDynamicGatherDims(inst, static_cast<int64_t>(rank)));
  HLO_RETURN_IF_ERROR(RequireVector(inst, 2, operand.rank(), "C11"));
  const std::optional<Ints> sizes = ConstantInts(inst, 2);
  std::vector<Size> offset_sizes;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const bool dropped = Contains(collapsed, d) || Contains(batching, d);
    const Size size{sizes ? (*sizes)[d] : Shape::kUnbounded};
    if (sizes) {
      HLO_REQUIRE(size.size >= 0 && SizeFits(size, SizeOf(operand, d)), "C12", "slice size ",
                  size.size, " of dimension ", d, " is not within [0, ", operand.dim(d), "]");
      HLO_REQUIRE(!dropped || size.size <= 1, "C8", "collapsed dimension ", d, " has slice size ",
                  size.size);
    }
    if (!dropped) offset_sizes.push_back(size);
  }
  return GatherShape(inst, batch_sizes, offset_sizes);
}

}  // namespace halyard::hlo
