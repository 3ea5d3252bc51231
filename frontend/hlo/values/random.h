// Random bits of the reference: counter-based generators (Salmon, Moraes, Dror, Shaw: "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011), and how XLA spreads them over arrays.
#ifndef HALYARD_FRONTEND_HLO_VALUES_RANDOM_H_
#define HALYARD_FRONTEND_HLO_VALUES_RANDOM_H_

#include <array>
#include <cstdint>
#include <optional>

#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Threefry-2x32 with 20 rounds. 64-bit words hold two 32-bit words, the low one first.
uint64_t Threefry2x32(uint64_t key, uint64_t counter);
// Philox-4x32 with 10 rounds, of the 128-bit counter (low, high). Returns two words of 64 bits.
std::array<uint64_t, 2> Philox4x32(uint64_t key, uint64_t low, uint64_t high);

enum class BitGenerator { kThreeFry, kPhilox };
// Returns the generator of an rng-bit-generator. The default is Philox, as on XLA's CPU and GPU.
// Takes the words of XLA and of StableHLO: rng_three_fry, THREE_FRY.
std::optional<BitGenerator> BitGeneratorOf(const Instruction& inst);
// For an rng, returns true if it is normal and false if it is uniform.
std::optional<bool> IsNormal(const Instruction& rng);

// 32-bit ThreeFry output. Two halves of one dimension lie side by side: word 0 of block (p, i, q)
// is at (p, 2i, q), and word 1 after it, if the shape is seen as [outer, split, inner]. The split
// dimension is the first even one, else the (first) largest.
struct ThreeFryHalves {
  int64_t outer = 1, split = 1, inner = 1;
  int64_t Half() const { return (split + 1) / 2; }
  int64_t Blocks() const { return outer * Half() * inner; }
};
ThreeFryHalves HalvesOf(const Shape& shape);

// Returns what gives another number of the type when it is subtracted from a number near zero:
// three quarters of the smallest number, but at least the smallest normal f32 (f64 for f64),
// because not every device has denormals.
double SmallestStep(ElementType float_type);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_RANDOM_H_
