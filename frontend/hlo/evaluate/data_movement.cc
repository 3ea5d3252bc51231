// Making and moving elements at places known beforehand.
#include <algorithm>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/values/decoded.h"
#include "frontend/hlo/values/strided.h"

namespace halyard::hlo {
namespace {

std::vector<int64_t> RowMajorStrides(const Shape& shape) {
  return shape.WithDefaultLayout().Strides();
}

}  // namespace

absl::StatusOr<Literal> EvaluateIota(Evaluator&, const Instruction& inst,
                                     absl::Span<const Literal>) {
  int64_t dim = inst.GetInt(Attr::kIotaDimension);
  std::vector<uint64_t> counts(inst.shape.dim(dim));
  for (size_t i = 0; i < counts.size(); ++i) counts[i] = i;
  Literal ints =
      EncodeInts(Shape::Array(ElementType::kS64, {static_cast<int64_t>(counts.size())}), counts);
  std::vector<int64_t> strides(inst.shape.rank(), 0);
  strides[dim] = 1;
  return StridedRead(ConvertLiteral(ints, inst.shape.element_type()), inst.shape, 0, strides);
}

absl::StatusOr<Literal> EvaluateBroadcast(Evaluator&, const Instruction& inst,
                                          absl::Span<const Literal> operands) {
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  std::vector<int64_t> operand_strides = RowMajorStrides(operands[0].shape());
  std::vector<int64_t> strides(inst.shape.rank(), 0);
  for (size_t i = 0; i < dims.size(); ++i) strides[dims[i]] = operand_strides[i];
  return StridedRead(operands[0], inst.shape, 0, strides);
}

absl::StatusOr<Literal> EvaluateReshape(Evaluator&, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  return WithShape(operands[0], inst.shape);
}

absl::StatusOr<Literal> EvaluateBitcast(Evaluator&, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  // Keeps the bytes in memory, where the layouts decide which element lies where.
  const Shape& from = inst.operand(0)->shape;
  std::vector<int64_t> from_order(from.minor_to_major().rbegin(), from.minor_to_major().rend());
  Literal memory = from_order.empty() ? operands[0] : TransposeLiteral(operands[0], from_order);
  if (inst.shape.HasDefaultLayout()) return WithShape(memory, inst.shape);
  std::vector<int64_t> order(inst.shape.minor_to_major().rbegin(),
                             inst.shape.minor_to_major().rend());
  std::vector<int64_t> dims, inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    dims.push_back(inst.shape.dim(order[i]));
    inverse[order[i]] = static_cast<int64_t>(i);
  }
  return TransposeLiteral(WithShape(memory, inst.shape.WithDims(std::move(dims))), inverse);
}

absl::StatusOr<Literal> EvaluateTranspose(Evaluator&, const Instruction& inst,
                                          absl::Span<const Literal> operands) {
  return TransposeLiteral(operands[0], inst.GetInts(Attr::kDimensions));
}

absl::StatusOr<Literal> EvaluateReverse(Evaluator&, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  std::vector<int64_t> strides = RowMajorStrides(inst.shape);
  int64_t start = 0;
  for (int64_t d : inst.GetInts(Attr::kDimensions)) {
    start += (inst.shape.dim(d) - 1) * strides[d];
    strides[d] = -strides[d];
  }
  return StridedRead(operands[0], inst.shape, start, strides);
}

absl::StatusOr<Literal> EvaluateSlice(Evaluator&, const Instruction& inst,
                                      absl::Span<const Literal> operands) {
  std::vector<int64_t> strides = RowMajorStrides(operands[0].shape());
  int64_t start = 0;
  for (size_t d = 0; d < strides.size(); ++d) {
    start += inst.GetSlice()[d].start * strides[d];
    // Beyond the dimension any step is as good, and no product overflows.
    strides[d] *= std::min(inst.GetSlice()[d].stride, operands[0].shape().dim(d));
  }
  return StridedRead(operands[0], inst.shape, start, strides);
}

absl::StatusOr<Literal> EvaluateConcatenate(Evaluator&, const Instruction& inst,
                                            absl::Span<const Literal> operands) {
  int64_t dim = inst.GetInts(Attr::kDimensions)[0];
  Literal result(inst.shape.WithDefaultLayout());
  std::vector<int64_t> strides = RowMajorStrides(inst.shape);
  int64_t at = 0;
  for (const Literal& operand : operands) {
    StridedWrite(operand, at * strides[dim], strides, &result);
    at += operand.shape().dim(dim);
  }
  return result;
}

absl::StatusOr<Literal> EvaluatePad(Evaluator&, const Instruction& inst,
                                    absl::Span<const Literal> operands) {
  const PaddingConfig& padding = inst.GetPadding();
  Literal result = Literal::Splat(inst.shape.WithDefaultLayout(), operands[1]);
  // Negative padding crops. So the operand is first sliced to what stays, and then written with
  // gaps.
  std::vector<int64_t> in_strides = RowMajorStrides(operands[0].shape());
  std::vector<int64_t> out_strides = RowMajorStrides(inst.shape);
  std::vector<int64_t> kept;
  int64_t read = 0, write = 0;
  for (size_t d = 0; d < padding.size(); ++d) {
    int64_t step = padding[d].interior + 1;
    int64_t first = padding[d].low < 0 ? (-padding[d].low + step - 1) / step : 0;
    // The largest i with low + i × step within the result.
    int64_t room = inst.shape.dim(d) - 1 - padding[d].low;
    int64_t last = room < 0 ? -1 : std::min(room / step, operands[0].shape().dim(d) - 1);
    if (last < first) return result;
    kept.push_back(last - first + 1);
    read += first * in_strides[d];
    write += (padding[d].low + first * step) * out_strides[d];
    out_strides[d] *= std::min(step, inst.shape.dim(d));  // as above
  }
  Shape part = operands[0].shape().WithDims(std::move(kept));
  StridedWrite(StridedRead(operands[0], part, read, in_strides), write, out_strides, &result);
  return result;
}

}  // namespace halyard::hlo
