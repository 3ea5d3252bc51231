#include "autotuner/rules/terms.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/steps/kernel_cost.h"

namespace halyard::autotuner {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

bool IsFloating(const Shape& shape) {
  return shape.IsArray() &&
         (hlo::IsFloat(shape.element_type()) || hlo::IsComplex(shape.element_type()));
}

bool ChoosesElements(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs:
    case Opcode::kNegate:
    case Opcode::kCopy:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kSelect:
    case Opcode::kClamp:
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kBitcast:
    case Opcode::kTranspose:
    case Opcode::kReverse:
    case Opcode::kSlice:
    case Opcode::kConcatenate:
    case Opcode::kPad:
    case Opcode::kDynamicSlice:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kGather:
      return true;
    default:
      return false;
  }
}

FactorRounding FactorRoundingOf(const Instruction& dot) {
  const std::string algorithm = dot.GetString(Attr::kAlgorithm);
  if (absl::StrContains(algorithm, "_bf16")) return FactorRounding::kBf16;
  if (absl::StrContains(algorithm, "_tf32")) return FactorRounding::kTf32;
  return absl::StrContains(algorithm, "_f16") ? FactorRounding::kF16 : FactorRounding::kNone;
}

double TermsOf(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kDot:
    case Opcode::kConvolution:
      return static_cast<double>(lowering::TermsOfProduct(inst));
    case Opcode::kReduce: {
      double terms = 1;
      for (int64_t d : inst.GetInts(Attr::kDimensions))
        terms *= static_cast<double>(inst.operand(0)->shape.dim(d));
      return terms;
    }
    case Opcode::kReduceWindow: {
      double terms = 1;
      for (const hlo::WindowDim& dim : inst.GetWindow().dims)
        terms *= static_cast<double>(dim.size);
      return terms;
    }
    case Opcode::kScatter:
      return static_cast<double>(inst.operands.back()->shape.NumElements());
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve:
      return static_cast<double>(inst.shape.dims().back());
    case Opcode::kFftPass:
      return 64;
    default:
      return 1;
  }
}

bool IsInexact(Opcode opcode) {
  const lowering::OpCost cost = lowering::CostOf(opcode);
  return cost == lowering::OpCost::kRoot || cost == lowering::OpCost::kFunction;
}

bool MultipliesEightBitFloats(const Instruction& inst) {
  if (inst.opcode != Opcode::kDot && inst.opcode != Opcode::kConvolution) return false;
  for (size_t i = 0; i < 2; ++i) {
    const Instruction* factor = inst.operand(static_cast<int64_t>(i));
    while (factor->opcode == Opcode::kConvert || factor->opcode == Opcode::kCopy ||
           factor->opcode == Opcode::kBitcast || factor->opcode == Opcode::kReshape ||
           factor->opcode == Opcode::kTranspose || factor->opcode == Opcode::kBroadcast) {
      factor = factor->operand(0);
    }
    if (factor->shape.IsArray() && hlo::IsFloat(factor->shape.element_type()) &&
        hlo::BitWidth(factor->shape.element_type()) <= 8) {
      return true;
    }
  }
  return false;
}

}  // namespace halyard::autotuner
