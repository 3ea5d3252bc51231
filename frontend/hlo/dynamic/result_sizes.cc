#include "frontend/hlo/dynamic/result_sizes.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

absl::StatusOr<Shape> BitcastConvertResult(const Instruction& inst, const Shape& operand) {
  const int from_bits = BitWidth(operand.element_type());
  const int to_bits = BitWidth(inst.shape.element_type());
  std::vector<int64_t> dims = operand.dims();
  if (to_bits < from_bits) dims.push_back(from_bits / to_bits);
  if (to_bits > from_bits && !dims.empty()) dims.pop_back();
  return inst.shape.WithDims(std::move(dims));
}

absl::StatusOr<Shape> BroadcastResult(const Instruction& inst, const Shape& operand) {
  std::vector<int64_t> dims = inst.shape.dims();
  const Ints& places = inst.GetInts(Attr::kDimensions);
  for (size_t i = 0; i < places.size(); ++i) dims[places[i]] = operand.dim(i);
  for (int64_t d = 0; d < inst.shape.rank(); ++d) {
    HLO_REQUIRE(!inst.shape.IsDynamicDim(d) || Contains(places, d), "sizes",
                "the size of dimension ", d, " of the result is not known");
  }
  return inst.shape.WithDims(std::move(dims));
}

// Either one size follows from the number of elements, or the sizes that are not 1 are those of the
// operand.
absl::StatusOr<Shape> ReshapeResult(const Instruction& inst, const Shape& operand) {
  std::vector<int64_t> dims = inst.shape.dims();
  std::vector<size_t> unknown;
  int64_t known = 1, elements = operand.NumElements();
  for (size_t d = 0; d < dims.size(); ++d) {
    if (inst.shape.IsDynamicDim(d)) {
      unknown.push_back(d);
    } else {
      known *= dims[d];
    }
  }
  if (unknown.size() == 1) {
    HLO_REQUIRE(known > 0 && elements % known == 0, "C2", operand.ToString(),
                " cannot be reshaped to ", inst.shape.ToString());
    dims[unknown[0]] = elements / known;
    return inst.shape.WithDims(std::move(dims));
  }
  std::vector<int64_t> left;
  for (int64_t dim : operand.dims()) {
    if (dim != 1) left.push_back(dim);
  }
  size_t next = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (!inst.shape.IsDynamicDim(d) && dims[d] == 1) continue;
    dims[d] = next < left.size() ? left[next] : 1;
    ++next;
  }
  HLO_REQUIRE(next == left.size(), "sizes", "the sizes of ", inst.shape.ToString(),
              ", a reshape of ", operand.ToString(), ", are not known");
  return inst.shape.WithDims(std::move(dims));
}

}  // namespace

bool IsUnsized(const Shape& stated, const Shape& actual) {
  return stated.IsArray() && actual.IsArray() && stated.rank() > 0 && actual.rank() == 0;
}

absl::Status CheckStatedShape(const Instruction& inst, const Shape& actual) {
  if (ShapesAgree(inst.shape.Storage(), actual.Storage())) return absl::OkStatus();
  if (inst.shape.IsDynamic() && IsUnsized(inst.shape, actual)) return absl::OkStatus();
  return Violation(ResultConstraint(inst, actual),
                   absl::StrCat("the result is ", actual.ToString(), " in this run; its type is ",
                                inst.shape.ToString()));
}

absl::StatusOr<Shape> StatedResult(const Instruction& inst,
                                   absl::Span<Instruction* const> operands) {
  if (!inst.shape.IsDynamic()) return inst.shape;
  switch (inst.opcode) {
    case Opcode::kConvert:
    case Opcode::kUniformQuantize:
    case Opcode::kUniformDequantize:
      return inst.shape.WithDims(operands[0]->shape.dims());
    case Opcode::kBitcastConvert:
      return BitcastConvertResult(inst, operands[0]->shape);
    case Opcode::kBroadcast:
      return BroadcastResult(inst, operands[0]->shape);
    case Opcode::kReshape:
    case Opcode::kBitcast:
      return ReshapeResult(inst, operands[0]->shape);
    case Opcode::kRngBitGenerator:
      HLO_REQUIRE(!inst.shape.elements()[1].IsDynamic(), "sizes", "the size of the result ",
                  inst.shape.elements()[1].ToString(), " is not known");
      return Shape::Tuple({operands[0]->shape, inst.shape.elements()[1]});
    default:
      return inst.shape;
  }
}

Window SizedWindow(const Instruction& inst, absl::Span<Instruction* const> operands,
                   Window window) {
  const ConvDims& dims = inst.GetConvDims();
  for (size_t i = 0; i < window.dims.size() && i < dims.kernel_spatial.size(); ++i) {
    if (inst.operand(1)->shape.IsDynamicDim(dims.kernel_spatial[i])) {
      window.dims[i].size = operands[1]->shape.dim(dims.kernel_spatial[i]);
    }
  }
  return window;
}

void NarrowAttributes(const Instruction& inst, absl::Span<Instruction* const> operands,
                      AttrMap* attrs) {
  if (inst.operands.empty() || !inst.operand(0)->shape.IsArray()) return;
  const Shape& stated = inst.operand(0)->shape;
  const Shape& actual = operands[0]->shape;
  auto narrow = [&](Attr attr) {
    Ints sizes = inst.GetInts(attr);
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (stated.IsBoundedDim(d) && sizes[d] == stated.dim(d)) sizes[d] = actual.dim(d);
    }
    attrs->Set(attr, std::move(sizes));
  };
  switch (inst.opcode) {
    case Opcode::kSlice: {
      SliceDims slice = inst.GetSlice();
      for (size_t d = 0; d < slice.size(); ++d) {
        const bool whole = stated.IsBoundedDim(d) && slice[d] == SliceDim{0, stated.dim(d), 1};
        if (whole) slice[d].limit = actual.dim(d);
      }
      return attrs->Set(Attr::kSlice, std::move(slice));
    }
    case Opcode::kDynamicSlice:
      return narrow(Attr::kDynamicSliceSizes);
    case Opcode::kGather:
      return narrow(Attr::kSliceSizes);
    case Opcode::kConvolution:
      return attrs->Set(Attr::kWindow, SizedWindow(inst, operands, inst.GetWindow()));
    default:
      return;
  }
}

}  // namespace halyard::hlo
