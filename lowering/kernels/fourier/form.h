// How one workgroup of a GPU, or one core of a CPU, computes a line of a Fourier transform, with
// its passes in shared memory or in the core's caches. The pass that makes such kernels and the
// templates that schedule them use this.
#ifndef HALYARD_LOWERING_KERNELS_FOURIER_FORM_H_
#define HALYARD_LOWERING_KERNELS_FOURIER_FORM_H_

#include <cstdint>
#include <vector>

#include "runtime/device_info.h"

namespace halyard::lowering {

// The largest radix with a butterfly of its own. These are 2 … 16, except for multiples of primes
// larger than 13.
inline constexpr int64_t kMaxRadix = 16;
inline constexpr int64_t kMaxRadixPrime = 13;

// Returns the fewest radices up to `largest` whose product is n, the largest first, or nothing if n
// is 1 or has a larger prime factor.
std::vector<int64_t> FourierRadices(int64_t n, int64_t largest = kMaxRadix);

// Bytes of shared memory for `lines` lines with elements of `bytes`: what a pass reads and what it
// writes. With two radices, only what is between them.
int64_t FourierLineBytes(const std::vector<int64_t>& radices, int64_t lines, int64_t bytes);

// The number of lines that a workgroup takes together if the elements of a line are apart (`inner`
// lines lie side by side). These lines are neighbours in memory at every element; with fewer, part
// of each memory access would be wasted.
int64_t FewestLines(int64_t inner);

// Returns whether a workgroup or a core of the device can take a line of n elements of `bytes`,
// `inner` of which lie side by side.
bool FitsFourierLine(const runtime::DeviceInfo& device, int64_t n, int64_t inner, int64_t bytes);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_FOURIER_FORM_H_
