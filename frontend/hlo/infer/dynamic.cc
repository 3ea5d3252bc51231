// Shapes and labelled constraints of the ops whose shape, bounds or padding is an operand. The
// values of a constant operand are checked here, and other values once they are known
// (static_form.h).
#include <optional>

#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

absl::Status RequireArraysAndGivenArray(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  return RequireGivenArray(inst, "O1");
}

// Checks the stated result against the one that the constant operand `i` asks for.
absl::Status RequireGivenSizes(const Instruction& inst, size_t i) {
  std::optional<Ints> values = ConstantInts(inst, i);
  if (!values) return absl::OkStatus();
  for (int64_t d = 0; d < inst.shape.rank(); ++d) {
    HLO_REQUIRE((*values)[d] >= 0 && SizesAgree({(*values)[d]}, SizeOf(inst.shape, d)), "result",
                "the shape operand ", Listed(*values), " is not that of the result ",
                inst.shape.ToString());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferDynamicReshape(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireGivenType(inst, "O1"));
  const Shape& operand = inst.operand(0)->shape;
  if (!operand.IsDynamic() && !inst.shape.IsDynamic()) {
    HLO_REQUIRE(CheckedByteSize(inst.shape.element_type(), inst.shape.dims()) == operand.ByteSize(),
                "C2", "the number of elements differs: ", operand.ToString(), " and ",
                inst.shape.ToString());
  }
  if (inst.operands.size() == 2 && inst.operand(1)->shape.rank() == 1) {
    HLO_RETURN_IF_ERROR(RequireVector(inst, 1, inst.shape.rank(), "C4"));
    HLO_RETURN_IF_ERROR(RequireGivenSizes(inst, 1));
    std::optional<Ints> sizes = ConstantInts(inst, 1);
    if (sizes && !operand.IsDynamic()) {
      HLO_REQUIRE(CheckedByteSize(operand.element_type(), *sizes) == operand.ByteSize(), "C2",
                  "the shape operand ", Listed(*sizes), " has not as many elements as ",
                  operand.ToString());
    }
    return inst.shape.WithDefaultLayout();
  }
  // XLA's form: a scalar for each dimension.
  HLO_REQUIRE(static_cast<int64_t>(inst.operands.size()) == inst.shape.rank() + 1, "C4", "has ",
              inst.operands.size() - 1, " sizes for ", inst.shape.rank(), " dimensions");
  for (size_t i = 1; i < inst.operands.size(); ++i) {
    const Shape& size = inst.operands[i]->shape;
    HLO_REQUIRE(size.IsScalar() && IsInteger(size.element_type()), "I2", "size ", i - 1,
                " must be an integer scalar, is ", size.ToString());
  }
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferDynamicBroadcastInDim(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireGivenType(inst, "O1"));
  HLO_RETURN_IF_ERROR(RequireBroadcastDims(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  for (size_t i = 0; i < dims.size(); ++i) {
    const Size size = SizeOf(operand, i), result = SizeOf(inst.shape, dims[i]);
    HLO_REQUIRE(SizesAgree(size, {1}) || SizesAgree(size, result), "C5", "operand dimension ", i,
                " of size ", size.size, " maps to result dimension ", dims[i], " of size ",
                result.size);
  }
  HLO_RETURN_IF_ERROR(RequireVector(inst, 1, inst.shape.rank(), "C7"));
  const std::optional<Ints> wanted = ConstantInts(inst, 1);
  for (size_t i = 0; wanted && i < dims.size(); ++i) {
    const Size size = SizeOf(operand, i);
    HLO_REQUIRE(SizesAgree(size, {1}) || SizesAgree(size, {(*wanted)[dims[i]]}), "C5",
                "operand dimension ", i, " of size ", size.size, " maps to dimension ", dims[i],
                " of the shape operand ", Listed(*wanted));
  }
  const Ints& expanding = inst.GetInts(Attr::kKnownExpandingDimensions);
  const Ints& others = inst.GetInts(Attr::kKnownNonexpandingDimensions);
  HLO_RETURN_IF_ERROR(
      RequireDims("C9", "C8", "known_expanding_dimensions", expanding, operand.rank()));
  HLO_RETURN_IF_ERROR(
      RequireDims("C10", "C8", "known_nonexpanding_dimensions", others, operand.rank()));
  for (int64_t d : others) {
    HLO_REQUIRE(!Contains(expanding, d), "C8", "dimension ", d,
                " is both known to expand and known not to");
  }
  HLO_RETURN_IF_ERROR(RequireGivenSizes(inst, 1));
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferDynamicIota(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArraysAndGivenArray(inst));
  HLO_REQUIRE(inst.shape.element_type() != ElementType::kPred, "O1", "there is no iota of pred");
  HLO_RETURN_IF_ERROR(RequireVector(inst, 0, inst.shape.rank(), "C2"));
  const int64_t dim = inst.GetInt(Attr::kIotaDimension);
  HLO_REQUIRE(dim >= 0 && dim < inst.shape.rank(), "C1", "iota_dimension ", dim, " is not in [0, ",
              inst.shape.rank(), ")");
  HLO_RETURN_IF_ERROR(RequireGivenSizes(inst, 0));
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferDynamicPad(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Shape& value = inst.operand(1)->shape;
  HLO_REQUIRE(value.rank() == 0, "I2", "the padding value must be a scalar, is ", value.ToString());
  HLO_REQUIRE(value.element_type() == operand.element_type(), "C1",
              "element types differ: ", operand.ToString(), " and ", value.ToString());
  for (size_t i : {2, 3, 4}) HLO_RETURN_IF_ERROR(RequireVector(inst, i, operand.rank(), "C2"));
  std::vector<Size> sizes(operand.rank(), Size{Shape::kUnbounded});
  const std::optional<Ints> low = ConstantInts(inst, 2), high = ConstantInts(inst, 3);
  const std::optional<Ints> interior = ConstantInts(inst, 4);
  for (int64_t d = 0; interior && d < operand.rank(); ++d) {
    HLO_REQUIRE((*interior)[d] >= 0, "C3", "interior padding ", (*interior)[d], " of dimension ", d,
                " is negative");
    if (!low || !high || operand.IsDynamicDim(d)) continue;
    const __int128 n = operand.dim(d);
    const __int128 size =
        n + (*low)[d] + (*high)[d] + (n > 1 ? (n - 1) * (*interior)[d] : __int128{0});
    HLO_REQUIRE(size >= 0 && size <= INT64_MAX, "C4", "dimension ", d,
                " of the result is negative or overflows");
    sizes[d] = {static_cast<int64_t>(size)};
  }
  return WithSizes(operand, sizes);
}

absl::StatusOr<Shape> InferRealDynamicSlice(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  for (size_t i : {1, 2, 3}) HLO_RETURN_IF_ERROR(RequireVector(inst, i, operand.rank(), "C2"));
  std::vector<Size> sizes(operand.rank(), Size{Shape::kUnbounded});
  const std::optional<Ints> start = ConstantInts(inst, 1), limit = ConstantInts(inst, 2);
  const std::optional<Ints> strides = ConstantInts(inst, 3);
  for (int64_t d = 0; start && limit && strides && d < operand.rank(); ++d) {
    const int64_t from = (*start)[d], to = (*limit)[d], stride = (*strides)[d];
    HLO_REQUIRE(0 <= from && from <= to && SizeFits({to}, SizeOf(operand, d)), "C3", "slice [",
                from, ":", to, "] of dimension ", d, " is not within [0:", operand.dim(d), "]");
    HLO_REQUIRE(stride > 0, "C4", "stride ", stride, " of dimension ", d, " is not positive");
    sizes[d] = {(to - from) / stride + ((to - from) % stride != 0)};
  }
  return WithSizes(operand, sizes);
}

}  // namespace halyard::hlo
