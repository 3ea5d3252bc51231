// The precision that a program asks for in the factors of a product or convolution.
#ifndef HALYARD_LOWERING_KERNELS_CONTRACTION_OPERAND_PRECISION_H_
#define HALYARD_LOWERING_KERNELS_CONTRACTION_OPERAND_PRECISION_H_

#include <algorithm>
#include <string>

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// Whether a factor's precision is above default. Then the product must not be computed by what
// rounds more than its own types do: Winograd's transforms, instructions that take denormals for
// zeros, or sums of fewer bits.
inline bool AsksForPrecision(const hlo::Instruction& product) {
  if (!product.Has(hlo::Attr::kOperandPrecision)) return false;
  const hlo::Words& words = product.GetWords(hlo::Attr::kOperandPrecision);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word != "default"; });
}

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_CONTRACTION_OPERAND_PRECISION_H_
