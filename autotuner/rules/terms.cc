#include "autotuner/rules/terms.h"

#include <algorithm>

#include "lowering/kernels/kernel_form.h"

namespace halyard::autotuner {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

double TermsOf(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kDot: {
      double terms = 1;
      for (int64_t d : inst.GetInts(Attr::kLhsContractingDims))
        terms *= static_cast<double>(inst.operand(0)->shape.dim(d));
      return terms;
    }
    case Opcode::kConvolution: {
      const Shape& kernel = inst.operand(1)->shape;
      const int64_t features = kernel.dim(inst.GetConvDims().kernel_output_feature);
      return static_cast<double>(kernel.NumElements()) /
             static_cast<double>(std::max<int64_t>(features, 1));
    }
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
