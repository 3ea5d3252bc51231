// What strict_* intrinsics cannot ask of LLVM's NVPTX back end and of ptxas: that a multiplication and an addition stay two.
#ifndef HALYARD_LOWERING_NUMERICS_STRICT_PTX_H_
#define HALYARD_LOWERING_NUMERICS_STRICT_PTX_H_

#include <string>

#include "absl/strings/string_view.h"

namespace halyard::lowering::numerics {

// For kernels without relaxed multiply-accumulates, whose every float fma is one that LLVM fused: each becomes `mul.rn` and
// `add.rn` again, and `mul`, `add`, `sub` get their rounding mode spelt out, without which ptxas fuses them. `.ftz` is dropped (LLVM
// gives it to floor and ceil).
std::string StrictPtx(absl::string_view ptx);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_STRICT_PTX_H_
