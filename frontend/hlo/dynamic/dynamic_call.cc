#include "frontend/hlo/dynamic/dynamic_call.h"

#include <string>

#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

bool IntegersFrom(const Instruction& inst, size_t first) {
  for (size_t i = first; i < inst.operands.size(); ++i) {
    const Shape& shape = inst.operands[i]->shape;
    if (!shape.IsArray() || !IsInteger(shape.element_type())) return false;
  }
  return true;
}

const std::string& TargetOf(const Instruction& inst) {
  return inst.GetString(Attr::kCustomCallTarget);
}

bool IsReduceWindow(const Instruction& inst) {
  const size_t count = inst.operands.size();
  return TargetOf(inst) == "stablehlo.dynamic_reduce_window" && count >= 7 && count % 2 == 1 &&
         inst.called.size() == 1 && inst.operand(0)->shape.IsArray() &&
         IntegersFrom(inst, count - 5);
}

bool IsTopK(const Instruction& inst) {
  return TargetOf(inst) == "stablehlo.dynamic_top_k" && inst.operands.size() == 2 &&
         inst.called.empty() && inst.operand(1)->shape.IsScalar() && IntegersFrom(inst, 1);
}

bool IsRngBitGenerator(const Instruction& inst) {
  return TargetOf(inst) == "stablehlo.dynamic_rng_bit_generator" && inst.operands.size() == 2 &&
         inst.called.empty() && inst.shape.IsTuple() && inst.shape.elements().size() == 2 &&
         inst.shape.elements()[1].IsArray() && IntegersFrom(inst, 1) &&
         inst.operand(1)->shape.rank() == 1;
}

// N inputs, N initial values, and five lists: sizes, strides, dilations of base and window, and the
// padding in pairs.
absl::StatusOr<StaticCall> ReduceWindow(const Instruction& call,
                                        absl::Span<Instruction* const> operands,
                                        absl::Span<const Literal* const> values) {
  const size_t lists = operands.size() - 5, rank = operands[0]->shape.rank();
  for (size_t i = 0; i < 5; ++i) {
    const int64_t count = values[lists + i]->shape().NumElements();
    HLO_REQUIRE(count == static_cast<int64_t>(i == 4 ? 2 * rank : rank), "operands", "operand ",
                lists + i, " has ", count, " elements for ", rank, " dimensions");
  }
  Window window;
  for (size_t d = 0; d < rank; ++d) {
    window.dims.push_back({.size = values[lists]->GetInt(d),
                           .stride = values[lists + 1]->GetInt(d),
                           .pad_low = values[lists + 4]->GetInt(2 * d),
                           .pad_high = values[lists + 4]->GetInt(2 * d + 1),
                           .base_dilation = values[lists + 2]->GetInt(d),
                           .window_dilation = values[lists + 3]->GetInt(d)});
  }
  StaticCall form{
      Opcode::kReduceWindow, {operands.begin(), operands.begin() + lists}, {}, call.shape};
  form.attrs.Set(Attr::kWindow, std::move(window));
  return form;
}

StaticCall StaticTopK(const Instruction& call, Instruction* operand, const Literal& k) {
  StaticCall form{Opcode::kTopK, {operand}, {}, call.shape};
  form.attrs.Set(Attr::kK, k.GetInt(0));
  form.attrs.Set(Attr::kLargest, true);
  return form;
}

// A state, and the sizes of the bits. The algorithm is the call's backend_config.
absl::StatusOr<StaticCall> RngBitGenerator(const Instruction& call, Instruction* state,
                                           const Literal& sizes) {
  const Ints dims = ValuesOf(sizes);
  const Shape& stated = call.shape.elements()[1];
  for (int64_t dim : dims) {
    HLO_REQUIRE(dim >= 0, "sizes", "the shape operand ", Listed(dims), " has a negative size");
  }
  HLO_REQUIRE(CheckedByteSize(stated.element_type(), dims) >= 0, "sizes", "the size of ",
              stated.WithDims(dims).ToString(), " does not fit 64 bits");
  StaticCall form{
      Opcode::kRngBitGenerator, {state}, {}, Shape::Tuple({state->shape, stated.WithDims(dims)})};
  form.attrs.Set(Attr::kAlgorithm, call.GetString(Attr::kBackendConfig));
  return form;
}

}  // namespace

Ints ValuesOf(const Literal& literal) {
  Ints values;
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i) values.push_back(literal.GetInt(i));
  return values;
}

int64_t FirstShapeOperandOfCall(const Instruction& call) {
  if (call.opcode != Opcode::kCustomCall) return -1;
  if (IsReduceWindow(call)) return static_cast<int64_t>(call.operands.size()) - 5;
  return IsTopK(call) || IsRngBitGenerator(call) ? 1 : -1;
}

absl::StatusOr<StaticCall> StaticFormOfCall(const Instruction& call,
                                            absl::Span<Instruction* const> operands,
                                            absl::Span<const Literal* const> values) {
  if (IsReduceWindow(call)) return ReduceWindow(call, operands, values);
  if (IsTopK(call)) return StaticTopK(call, operands[0], *values[1]);
  return RngBitGenerator(call, operands[0], *values[1]);
}

}  // namespace halyard::hlo
