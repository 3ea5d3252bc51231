#include "lowering/kernels/winograd/form.h"

#include <algorithm>
#include <string>
#include <vector>

namespace halyard::lowering {

using hlo::Attr;

namespace {

bool AsksForPrecision(const hlo::Instruction& convolution) {
  if (!convolution.Has(Attr::kOperandPrecision)) return false;
  const hlo::Words& words = convolution.GetWords(Attr::kOperandPrecision);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word != "default"; });
}

}  // namespace

bool HasWinogradForm(const hlo::Instruction& convolution) {
  for (const hlo::Shape& shape :
       {convolution.shape, convolution.operand(0)->shape, convolution.operand(1)->shape}) {
    if (shape.element_type() != hlo::ElementType::kF32) return false;
  }
  const std::vector<hlo::WindowDim>& window = convolution.GetWindow().dims;
  if (window.empty() || window.size() > 2) return false;
  for (const hlo::WindowDim& dim : window) {
    if (dim.size != kWinogradTaps || dim.stride != 1 || dim.window_dilation != 1 ||
        dim.base_dilation != 1) {
      return false;
    }
  }
  return convolution.GetInt(Attr::kFeatureGroupCount, 1) == 1 &&
         convolution.GetInt(Attr::kBatchGroupCount, 1) == 1 && !AsksForPrecision(convolution);
}

}  // namespace halyard::lowering
