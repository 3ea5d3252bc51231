// Positions of window elements, shared by reduce-window and convolution.

#include "lowering/kernels/emitter.h"

namespace halyard::lowering {

using Halide::Expr;

WindowPosition WindowIndex(const hlo::WindowDim& dim, int64_t extent, const Expr& o,
                           const Expr& k) {
  WindowPosition position;
  auto require = [&position](const Expr& condition) {
    position.inside = position.inside.defined() ? position.inside && condition : condition;
  };
  Expr p = o;
  // In this order, no sum exceeds 32 bits: lowering/plan/simplify/check_windows.cc has refused all
  // other windows.
  if (dim.stride != 1) p = p * static_cast<int32_t>(dim.stride);
  if (dim.pad_low != 0) p = p - static_cast<int32_t>(dim.pad_low);
  if (dim.size != 1)
    p = p + (dim.window_dilation == 1 ? k : k * static_cast<int32_t>(dim.window_dilation));
  if (dim.base_dilation > 1) {
    const int32_t step = static_cast<int32_t>(dim.base_dilation);
    require(p % step == 0);
    require(p >= 0 && p <= static_cast<int32_t>((extent - 1) * step));
    p = p / step;
  } else if (dim.pad_low > 0 || dim.pad_high > 0) {
    require(p >= 0 && p < static_cast<int32_t>(extent));
  }
  position.index = position.inside.defined() ? ClampInt(p, 0, extent - 1) : p;
  return position;
}

}  // namespace halyard::lowering
