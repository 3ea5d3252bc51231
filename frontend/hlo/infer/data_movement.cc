// Shapes and labelled constraints of the ops that make, move or pick elements.
#include <algorithm>

#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// Checks the operands from `first` on: one integer scalar for each dimension, all of one type.
absl::Status RequireStartIndices(const Instruction& inst, size_t first, int64_t rank,
                                 absl::string_view count, absl::string_view types) {
  HLO_REQUIRE(static_cast<int64_t>(inst.operands.size() - first) == rank, count, "needs ", rank,
              " start indices, has ", inst.operands.size() - first);
  for (size_t i = first; i < inst.operands.size(); ++i) {
    const Shape& index = inst.operands[i]->shape;
    HLO_REQUIRE(index.IsScalar() && IsInteger(index.element_type()), absl::StrCat("I", first + 1),
                "start index ", i - first, " must be an integer scalar, is ", index.ToString());
    HLO_REQUIRE(index.element_type() == inst.operands[first]->shape.element_type(), types,
                "start indices have different types");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferIota(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireGivenArray(inst, "C1"));
  int64_t dim = inst.GetInt(Attr::kIotaDimension);
  HLO_REQUIRE(inst.shape.element_type() != ElementType::kPred, "I1", "there is no iota of pred");
  HLO_REQUIRE(dim >= 0 && dim < inst.shape.rank(), "C1", "iota_dimension ", dim, " is not in [0, ",
              inst.shape.rank(), ")");
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferBroadcast(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireGivenType(inst, "C1"));
  HLO_RETURN_IF_ERROR(RequireBroadcastDims(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  for (size_t i = 0; i < dims.size(); ++i) {
    HLO_REQUIRE(SizesAgree(SizeOf(operand, i), SizeOf(inst.shape, dims[i])), "C5",
                "operand dimension ", i, " of size ", operand.dim(i), " maps to result dimension ",
                dims[i], " of size ", inst.shape.dim(dims[i]));
  }
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferReshape(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireGivenType(inst, "C1"));
  const bool dynamic = inst.shape.IsDynamic() || inst.operand(0)->shape.IsDynamic();
  HLO_REQUIRE(dynamic || CheckedByteSize(inst.shape.element_type(), inst.shape.dims()) ==
                             inst.operand(0)->shape.ByteSize(),
              "C2", "the number of elements differs: ", inst.operand(0)->shape.ToString(), " and ",
              inst.shape.ToString());
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferBitcast(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireGivenArray(inst, "C1"));
  const Shape& from = inst.operand(0)->shape;
  const bool dynamic = inst.shape.IsDynamic() || from.IsDynamic();
  HLO_REQUIRE((dynamic ||
               CheckedByteSize(inst.shape.element_type(), inst.shape.dims()) == from.ByteSize()) &&
                  BitWidth(from.element_type()) == BitWidth(inst.shape.element_type()),
              "C1", "bitcast between different sizes: ", from.ToString(), " and ",
              inst.shape.ToString());
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferTranspose(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Ints& permutation = inst.GetInts(Attr::kDimensions);
  HLO_REQUIRE(static_cast<int64_t>(permutation.size()) == operand.rank(), "C2", "dimensions ",
              Listed(permutation), " must have one entry per dimension of ", operand.ToString());
  HLO_RETURN_IF_ERROR(RequireDims("C2", "C2", "dimensions", permutation, operand.rank()));
  std::vector<Size> sizes;
  for (int64_t d : permutation) sizes.push_back(SizeOf(operand, d));
  return WithSizes(operand, sizes);
}

absl::StatusOr<Shape> InferReverse(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  HLO_RETURN_IF_ERROR(
      RequireDims("C3", "C2", "dimensions", inst.GetInts(Attr::kDimensions), operand.rank()));
  return operand.WithDefaultLayout();
}

absl::StatusOr<Shape> InferSlice(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const SliceDims& slice = inst.GetSlice();
  HLO_REQUIRE(static_cast<int64_t>(slice.size()) == operand.rank(), "C2", "slice has ",
              slice.size(), " dimensions, the operand ", operand.ToString());
  std::vector<Size> sizes;
  for (size_t i = 0; i < slice.size(); ++i) {
    const SliceDim& s = slice[i];
    HLO_REQUIRE(0 <= s.start && s.start <= s.limit && SizeFits({s.limit}, SizeOf(operand, i)), "C3",
                "slice [", s.start, ":", s.limit, "] of dimension ", i,
                " is not within [0:", operand.dim(i), "]");
    HLO_REQUIRE(s.stride > 0, "C4", "stride ", s.stride, " of dimension ", i, " is not positive");
    int64_t length = s.limit - s.start;
    // A slice of all of a bounded dimension takes all elements that it has in a run.
    const bool whole = operand.IsBoundedDim(i) && s == SliceDim{0, operand.dim(i), 1};
    sizes.push_back({length / s.stride + (length % s.stride != 0), whole});
  }
  return WithSizes(operand, sizes);
}

absl::StatusOr<Shape> InferConcatenate(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& first = inst.operand(0)->shape;
  const Ints& attr = inst.GetInts(Attr::kDimensions);
  HLO_REQUIRE(attr.size() == 1, "C4", "dimensions must name one dimension, is ", Listed(attr));
  int64_t dim = attr[0];
  HLO_REQUIRE(dim >= 0 && dim < first.rank(), "C4", "dimension ", dim, " is not in [0, ",
              first.rank(), ")");
  std::vector<Size> sizes = SizesOf(first);
  sizes[dim] = {0};
  for (const Instruction* operand : inst.operands) {
    const Shape& shape = operand->shape;
    HLO_REQUIRE(shape.element_type() == first.element_type(), "C1",
                "element types differ: ", first.ToString(), " and ", shape.ToString());
    bool same = shape.rank() == first.rank();
    for (int64_t d = 0; same && d < first.rank(); ++d) {
      same = d == dim || SizesAgree(SizeOf(shape, d), sizes[d]);
      if (same && d != dim) sizes[d] = MoreSpecific(SizeOf(shape, d), sizes[d]);
    }
    HLO_REQUIRE(same, "C2", "shapes differ elsewhere than in dimension ", dim, ": ",
                first.ToString(), " and ", shape.ToString());
    const Size part = SizeOf(shape, dim);
    Size& sum = sizes[dim];
    if (part.size == Shape::kUnbounded || sum.size == Shape::kUnbounded) {
      sum = {Shape::kUnbounded};
      continue;
    }
    sum.bounded = sum.bounded || part.bounded;
    HLO_REQUIRE(!__builtin_add_overflow(sum.size, part.size, &sum.size), "C6",
                "the sum of dimension ", dim, " overflows");
  }
  return WithSizes(first, sizes);
}

absl::StatusOr<Shape> InferPad(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Shape& value = inst.operand(1)->shape;
  const PaddingConfig& padding = inst.GetPadding();
  HLO_REQUIRE(value.rank() == 0, "I2", "the padding value must be a scalar, is ", value.ToString());
  HLO_REQUIRE(value.element_type() == operand.element_type(), "C1",
              "element types differ: ", operand.ToString(), " and ", value.ToString());
  HLO_REQUIRE(static_cast<int64_t>(padding.size()) == operand.rank(), "C2", "padding has ",
              padding.size(), " dimensions, the operand ", operand.ToString());
  std::vector<Size> sizes;
  for (size_t i = 0; i < padding.size(); ++i) {
    const PaddingDim& p = padding[i];
    HLO_REQUIRE(p.interior >= 0, "C3", "interior padding ", p.interior, " of dimension ", i,
                " is negative");
    sizes.push_back(SizeOf(operand, i));
    HLO_REQUIRE(p.interior < kMostWindow, "C4", "interior padding ", p.interior, " of dimension ",
                i, " does not fit: less than 2^60");
    const WindowDim dilated_and_padded = {
        .pad_low = p.low, .pad_high = p.high, .base_dilation = p.interior + 1};
    HLO_RETURN_IF_ERROR(RequireWindowRange("C4", i, sizes[i], dilated_and_padded));
    if (sizes[i].size == Shape::kUnbounded) continue;
    const int64_t dilated = operand.dim(i) + std::max<int64_t>(operand.dim(i) - 1, 0) * p.interior;
    const int64_t size = dilated + p.low + p.high;
    HLO_REQUIRE(size >= 0, "C4", "dimension ", i, " of the result is negative: ", size);
    sizes[i].size = size;
  }
  return WithSizes(operand, sizes);
}

absl::StatusOr<Shape> InferDynamicSlice(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Ints& sizes = inst.GetInts(Attr::kDynamicSliceSizes);
  HLO_RETURN_IF_ERROR(RequireStartIndices(inst, 1, operand.rank(), "C2", "C3"));
  HLO_REQUIRE(static_cast<int64_t>(sizes.size()) == operand.rank(), "C2", "sizes ", Listed(sizes),
              " must have one entry per dimension of ", operand.ToString());
  for (size_t i = 0; i < sizes.size(); ++i) {
    HLO_REQUIRE(sizes[i] >= 0 && SizeFits({sizes[i]}, SizeOf(operand, i)), "C4", "size ", sizes[i],
                " of dimension ", i, " is not within [0, ", operand.dim(i), "]");
  }
  return operand.WithDims(sizes);
}

absl::StatusOr<Shape> InferDynamicUpdateSlice(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Shape& update = inst.operand(1)->shape;
  HLO_REQUIRE(update.element_type() == operand.element_type(), "C2",
              "element types differ: ", operand.ToString(), " and ", update.ToString());
  HLO_REQUIRE(update.rank() == operand.rank(), "C3", "ranks differ: ", operand.ToString(), " and ",
              update.ToString());
  HLO_RETURN_IF_ERROR(RequireStartIndices(inst, 2, operand.rank(), "C4", "C5"));
  for (int64_t i = 0; i < operand.rank(); ++i) {
    HLO_REQUIRE(SizeFits(SizeOf(update, i), SizeOf(operand, i)), "C6", "the update ",
                update.ToString(), " does not fit in ", operand.ToString());
  }
  return operand.WithDefaultLayout();
}

}  // namespace halyard::hlo
