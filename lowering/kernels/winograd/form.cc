#include "lowering/kernels/winograd/form.h"

#include <vector>

#include "lowering/kernels/contraction/operand_precision.h"

namespace halyard::lowering {

using hlo::Attr;

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
