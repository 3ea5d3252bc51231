// Shapes and labelled constraints of fft, cholesky and triangular-solve, and of the pieces that the
// lowering cuts them into.
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

absl::Status RequireFloating(const Instruction& inst, int64_t operand) {
  ElementType type = inst.operand(operand)->shape.element_type();
  HLO_REQUIRE(IsFloat(type) || IsComplex(type), absl::StrCat("I", operand + 1), "operand ", operand,
              " must be of floats or complex numbers, is ", HloName(type));
  return absl::OkStatus();
}

// Elements that a real transform of n keeps.
int64_t HalfLength(int64_t n) { return n == 0 ? 0 : n / 2 + 1; }

}  // namespace

absl::StatusOr<Shape> InferFft(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const std::string& type = inst.GetString(Attr::kFftType);
  const Ints& length = inst.GetInts(Attr::kFftLength);
  int64_t axes = static_cast<int64_t>(length.size());
  HLO_REQUIRE(type == "FFT" || type == "IFFT" || type == "RFFT" || type == "IRFFT", "I2",
              "no such fft_type: ", type);
  HLO_REQUIRE(axes >= 1 && axes <= 3, "C3", "fft_length must have 1 to 3 entries, has ", axes);
  HLO_REQUIRE(axes <= operand.rank(), "C1", "fft_length ", Listed(length),
              " has more entries than the operand dimensions: ", operand.ToString());
  ElementType from = operand.element_type();
  if (type != "RFFT") {
    HLO_REQUIRE(IsComplex(from), "C2", type, " is of complex numbers, not of ", HloName(from));
    if (type != "IRFFT") return operand.WithDefaultLayout();
  } else {
    HLO_REQUIRE(from == ElementType::kF32 || from == ElementType::kF64, "C2",
                "RFFT is of f32 or f64, not of ", HloName(from));
  }
  bool forward = type == "RFFT";
  std::vector<Size> dims = SizesOf(operand);
  for (int64_t i = 0; i < axes; ++i) {
    Size& dim = dims[operand.rank() - axes + i];
    HLO_REQUIRE(length[i] >= 0, "C4", "fft_length ", length[i], " is negative");
    if (i == axes - 1 && !forward) {
      // The real tensor is the result, if that is known already.
      if (inst.shape.IsArray() && inst.shape.rank() == operand.rank()) {
        HLO_REQUIRE(SizesAgree(SizeOf(inst.shape, operand.rank() - 1), {length[i]}), "C4",
                    "fft_length ", Listed(length), " does not agree with the dimensions of ",
                    inst.shape.ToString());
      }
      HLO_REQUIRE(SizesAgree(dim, {HalfLength(length[i])}), "C5", "IRFFT of length ", length[i],
                  " needs ", HalfLength(length[i]), " elements, the operand has ", dim.size);
      dim = {length[i]};
      continue;
    }
    HLO_REQUIRE(SizesAgree(dim, {length[i]}), "C4", "fft_length ", Listed(length),
                " does not agree with the dimensions of ", operand.ToString());
    dim = {i == axes - 1 ? HalfLength(length[i]) : length[i]};
  }
  ElementType to = forward ? (from == ElementType::kF32 ? ElementType::kC64 : ElementType::kC128)
                           : PartType(from);
  return ArrayOf(to, dims);
}

absl::StatusOr<Shape> InferCholesky(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireFloating(inst, 0));
  const Shape& a = inst.operand(0)->shape;
  HLO_REQUIRE(a.rank() >= 2, "C2", "needs at least 2 dimensions: ", a.ToString());
  HLO_REQUIRE(SizesAgree(SizeOf(a, a.rank() - 2), SizeOf(a, a.rank() - 1)), "C3",
              "the last two dimensions differ: ", a.ToString());
  return a.WithDefaultLayout();
}

absl::StatusOr<Shape> InferTriangularSolve(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireFloating(inst, 0));
  HLO_RETURN_IF_ERROR(RequireFloating(inst, 1));
  const Shape& a = inst.operand(0)->shape;
  const Shape& b = inst.operand(1)->shape;
  const std::string& transpose = inst.GetString(Attr::kTransposeA);
  HLO_REQUIRE(transpose.empty() || transpose == "NO_TRANSPOSE" || transpose == "TRANSPOSE" ||
                  transpose == "ADJOINT",
              "I6", "no such transpose_a: ", transpose);
  HLO_REQUIRE(a.element_type() == b.element_type(), "C1", "element types differ: ", a.ToString(),
              " and ", b.ToString());
  HLO_REQUIRE(a.rank() >= 2, "C2", "needs at least 2 dimensions: ", a.ToString());
  HLO_REQUIRE(a.rank() == b.rank(), "C2", "ranks differ: ", a.ToString(), " and ", b.ToString());
  int64_t rows = a.rank() - 2, columns = a.rank() - 1;
  for (int64_t d = 0; d < rows; ++d) {
    HLO_REQUIRE(SizesAgree(SizeOf(a, d), SizeOf(b, d)), "C3", "batch dimension ", d,
                " differs: ", a.ToString(), " and ", b.ToString());
  }
  HLO_REQUIRE(SizesAgree(SizeOf(a, rows), SizeOf(a, columns)), "C3",
              "the last two dimensions of a differ: ", a.ToString());
  int64_t solved = inst.GetBool(Attr::kLeftSide) ? rows : columns;
  HLO_REQUIRE(SizesAgree(SizeOf(b, solved), SizeOf(a, rows)), "C3", "dimension ", solved,
              " of b must be ", a.dim(rows), ", is ", b.dim(solved));
  return b.WithDefaultLayout();
}

absl::StatusOr<Shape> InferFftPass(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& x = inst.operand(0)->shape;
  const std::string& type = inst.GetString(Attr::kFftType);
  HLO_REQUIRE(type == "FFT" || type == "IFFT", "C1", "no such fft_type: ", type);
  HLO_REQUIRE(IsComplex(x.element_type()) && x.rank() == 4, "C2",
              "needs complex numbers in 4 dimensions: ", x.ToString());
  HLO_REQUIRE(inst.operands.size() == 3 || x.dim(2) == 1, "C3", "no twiddle factors for ",
              x.ToString());
  int64_t factors = 1;
  for (size_t i = 1; i < inst.operands.size(); ++i) {
    const Shape& table = inst.operands[i]->shape;
    HLO_REQUIRE(table.element_type() == x.element_type() && table.rank() == 1, "C3",
                "a table must be of one dimension and the operand's type: ", table.ToString());
    factors *= table.dim(0);
  }
  const int64_t needed = inst.operands.size() == 2 ? x.dim(1) : x.dim(2);
  HLO_REQUIRE(factors >= needed, "C3", "too few twiddle factors for ", x.ToString());
  return x.WithDims({x.dim(0), x.dim(2), x.dim(1), x.dim(3)});
}

absl::StatusOr<Shape> InferCholeskyBlock(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireFloating(inst, 0));
  const Shape& a = inst.operand(0)->shape;
  HLO_REQUIRE(a.rank() == 3 && a.dim(1) == a.dim(2), "C1",
              "needs square matrices in a batch: ", a.ToString());
  return a.WithDefaultLayout();
}

absl::StatusOr<Shape> InferTriangularBlock(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  HLO_RETURN_IF_ERROR(RequireFloating(inst, 0));
  const Shape& b = inst.operand(0)->shape;
  const Shape& a = inst.operand(1)->shape;
  HLO_REQUIRE(a.rank() == 3 && a.dim(1) == a.dim(2), "C1",
              "needs square matrices in a batch: ", a.ToString());
  HLO_REQUIRE(b.rank() == 3 && b.dim(0) == a.dim(0) && b.dim(1) == a.dim(1) &&
                  a.element_type() == b.element_type(),
              "C2", "b does not fit a: ", a.ToString(), " and ", b.ToString());
  return b.WithDefaultLayout();
}

}  // namespace halyard::hlo
