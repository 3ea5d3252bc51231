// Float types narrower than f32, as Float(32) expressions that hold a value of the type exactly,
// and as their bits. f16 is converted by Halide where the target has instructions for it
// (TargetTraits::half_conversions), and f32 is rounded to bf16 by CUDA's where it has one
// (TargetTraits::bf16_conversions). All else is integer arithmetic, because bf16 and f16 of Halide
// 21 fail on GPU backends (wrong results on Vulkan, an abort of bf16 on CUDA), and Halide does not
// know the other types.
#ifndef HALYARD_LOWERING_NUMERICS_SMALL_FLOATS_H_
#define HALYARD_LOWERING_NUMERICS_SMALL_FLOATS_H_

#include "frontend/hlo/values/element_type.h"
#include "lowering/numerics/float_ops.h"

namespace halyard::lowering::numerics {

// Returns whether the type is bf16, f16 or has at most 8 bits.
bool IsNarrowFloat(hlo::ElementType type);

// Returns the value of a narrow type nearest to `x` (Float(32)), ties to even. Overflow is as in
// hlo::EncodeFloat.
Fp RoundToNarrow(hlo::ElementType type, const Fp& x);
// Rounding f64 twice would be wrong. This first step rounds to odd, so that the second one gives
// the same result as a single rounding.
Fp RoundToOdd32(const Fp& x);

// Converts a value that the type holds exactly to its bits, as UInt(16) (bf16, f16) or UInt(8), and
// back.
Halide::Expr EncodeNarrow(hlo::ElementType type, const Fp& x);
Fp DecodeNarrow(hlo::ElementType type, const Halide::Expr& bits);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_SMALL_FLOATS_H_
