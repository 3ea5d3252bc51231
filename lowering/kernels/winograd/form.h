// Which convolutions Winograd's algorithm may compute (docs/numerics.md, "Winograd"): the
// template's own condition, and that of the rules by which its results are judged.
#ifndef HALYARD_LOWERING_KERNELS_WINOGRAD_FORM_H_
#define HALYARD_LOWERING_KERNELS_WINOGRAD_FORM_H_

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// The number of elements of a window along one dimension.
inline constexpr int kWinogradTaps = 3;

// One or two dimensions of windows of three elements, side by side, of f32 and default precision,
// without groups. Sizes are not looked at.
bool HasWinogradForm(const hlo::Instruction& convolution);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_WINOGRAD_FORM_H_
