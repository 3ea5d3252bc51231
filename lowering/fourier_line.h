// How a line of a Fourier transform is done by one workgroup, its passes through shared memory:
// what the pass that makes such kernels and the template that arranges them both go by.
#ifndef HALYARD_LOWERING_FOURIER_LINE_H_
#define HALYARD_LOWERING_FOURIER_LINE_H_

#include <cstdint>
#include <vector>

#include "runtime/device_info.h"

namespace halyard::lowering {

// Radices with butterflies of their own: 2 … 16 without the multiples of larger primes than 13.
inline constexpr int64_t kMaxRadix = 16;
inline constexpr int64_t kMaxRadixPrime = 13;

// The fewest radices up to `largest` whose product is n, the largest first; none if n is 1 or has a
// larger prime.
std::vector<int64_t> FourierRadices(int64_t n, int64_t largest = kMaxRadix);

// Bytes of shared memory for `lines` lines, with elements of `bytes`: what a pass reads and what it
// writes; with two radices, what is between them.
int64_t FourierLineBytes(const std::vector<int64_t>& radices, int64_t lines, int64_t bytes);

// Lines, neighbours in memory at every element, that a workgroup takes together where a line's
// elements are apart (`inner` lines lie side by side): fewer would waste what memory gives at once.
int64_t FewestLines(int64_t inner);

// Whether a workgroup of the device can take a line of n elements of `bytes`.
bool FitsFourierLine(const runtime::DeviceInfo& device, int64_t n, int64_t inner, int64_t bytes);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_FOURIER_LINE_H_
