// A promise that a pass makes to schedules about a dot or convolution of integers.
#ifndef HALYARD_LOWERING_KERNELS_CONTRACTION_SUMS_FIT_H_
#define HALYARD_LOWERING_KERNELS_CONTRACTION_SUMS_FIT_H_

namespace halyard::lowering {

// The frontend_attributes of such an op: no sum of any of its terms leaves the range of the
// result's type.
inline constexpr char kSumsFit[] = "{sums_fit=\"true\"}";

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_CONTRACTION_SUMS_FIT_H_
