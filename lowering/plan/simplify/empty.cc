// Kernels have elements to read and to write. So arrays without elements become constants, and ops
// that read one become what they are without it.
#include <algorithm>
#include <iterator>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/simplify/rules.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

bool IsEmpty(const Instruction* inst) {
  return inst->shape.IsArray() && inst->shape.NumElements() == 0;
}

// Returns an array of `shape` with `value` everywhere.
Instruction* Filled(Rewriter& rewriter, const Instruction& inst, Instruction* value,
                    const Shape& shape) {
  if (value->shape.element_type() != shape.element_type()) {
    value = rewriter.Add(inst, Opcode::kConvert, Shape::Scalar(shape.element_type()), {value});
  }
  return shape.IsScalar() ? value : rewriter.AddBroadcast(inst, value, shape.dims(), {});
}

Instruction* EmptyReduce(Rewriter& rewriter, Instruction* reduce) {
  const size_t n = reduce->operands.size() / 2;
  if (n == 1) return Filled(rewriter, *reduce, reduce->operands[1], reduce->shape);
  std::vector<Instruction*> results;
  for (size_t i = 0; i < n; ++i) {
    results.push_back(
        Filled(rewriter, *reduce, reduce->operands[n + i], reduce->shape.elements()[i]));
  }
  return rewriter.Add(*reduce, Opcode::kTuple, reduce->shape, results);
}

// All windows lie in the padding, so they are the same windows of an array of it.
Instruction* EmptyReduceWindow(Rewriter& rewriter, Instruction* inst) {
  const size_t n = inst->operands.size() / 2;
  const Shape& result = n == 1 ? inst->shape : inst->shape.elements()[0];
  if (result.NumElements() == 0) return nullptr;  // its parts are constants
  hlo::Window window = inst->GetWindow();
  std::vector<int64_t> dims = inst->operands[0]->shape.dims();
  for (size_t d = 0; d < dims.size(); ++d) {
    hlo::WindowDim& dim = window.dims[d];
    if (dims[d] > 0) dims[d] = (dims[d] - 1) * dim.base_dilation + 1;
    dims[d] += dim.pad_low + dim.pad_high;
    dim.pad_low = dim.pad_high = 0;
    dim.base_dilation = 1;
  }
  std::vector<Instruction*> operands(inst->operands);
  for (size_t i = 0; i < n; ++i) {
    operands[i] = Filled(rewriter, *inst, operands[n + i], operands[n + i]->shape.WithDims(dims));
  }
  hlo::AttrMap attrs = inst->attrs;
  attrs.Set(Attr::kWindow, window);
  return rewriter.Add(*inst, inst->opcode, inst->shape, operands, attrs, inst->called);
}

Instruction* ConcatenateWithout(Rewriter& rewriter, Instruction* inst) {
  std::vector<Instruction*> parts;
  std::copy_if(inst->operands.begin(), inst->operands.end(), std::back_inserter(parts),
               [](const Instruction* operand) { return !IsEmpty(operand); });
  if (parts.size() == 1) return parts[0];
  return rewriter.Add(*inst, Opcode::kConcatenate, inst->shape, parts, inst->attrs);
}

}  // namespace

Instruction* SimplifyEmpty(Rewriter& rewriter, Instruction* inst) {
  const bool pure = inst->opcode != Opcode::kParameter && !hlo::HasSideEffect(*inst);
  if (IsEmpty(inst) && pure && inst->opcode != Opcode::kConstant) {
    return rewriter.AddConstant(*inst, hlo::Literal(inst->shape));
  }
  if (std::none_of(inst->operands.begin(), inst->operands.end(), IsEmpty)) return nullptr;
  switch (inst->opcode) {
    case Opcode::kDot:
    case Opcode::kConvolution:
      return rewriter.AddZeros(*inst);
    case Opcode::kReduce:
      return EmptyReduce(rewriter, inst);
    case Opcode::kReduceWindow:
      return EmptyReduceWindow(rewriter, inst);
    case Opcode::kPad:
      return Filled(rewriter, *inst, inst->operands[1], inst->shape);
    case Opcode::kConcatenate:
      return ConcatenateWithout(rewriter, inst);
    case Opcode::kDynamicUpdateSlice:
      return inst->operands[0];  // the update
    default:
      return nullptr;
  }
}

}  // namespace halyard::lowering
