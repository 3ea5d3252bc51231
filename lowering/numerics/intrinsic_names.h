// Names of the device intrinsics that expressions of this folder use. lowering/kernels/
// device_intrinsics.h says what an intrinsic is, and has all others. This file does not use Halide.
#ifndef HALYARD_LOWERING_NUMERICS_INTRINSIC_NAMES_H_
#define HALYARD_LOWERING_NUMERICS_INTRINSIC_NAMES_H_

namespace halyard::lowering::numerics {

// Rounds two f32 to the nearest bf16, ties to even, and packs them into a word, the first in the
// low bits.
inline constexpr char kRoundToBf16[] = "halyard_intrinsic_round_to_bf16";

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_INTRINSIC_NAMES_H_
