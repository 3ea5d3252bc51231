// Random bits, as the reference: counter-based generators (Salmon, Moraes, Dror, Shaw: "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011), and how XLA spreads them over arrays.
#ifndef HALYARD_FRONTEND_HLO_RANDOM_H_
#define HALYARD_FRONTEND_HLO_RANDOM_H_

#include <array>
#include <cstdint>
#include <optional>

#include "frontend/hlo/module.h"

namespace halyard::hlo {

// Threefry-2x32, 20 rounds. 64-bit words hold two 32-bit ones, the low one first.
uint64_t Threefry2x32(uint64_t key, uint64_t counter);
// Philox-4x32, 10 rounds, of the 128-bit counter (low, high): two words of 64 bits.
std::array<uint64_t, 2> Philox4x32(uint64_t key, uint64_t low, uint64_t high);

enum class BitGenerator { kThreeFry, kPhilox };
// Of an rng-bit-generator. Default is Philox, as on XLA's CPU and GPU. Takes XLA's words and
// StableHLO's: rng_three_fry, THREE_FRY.
std::optional<BitGenerator> BitGeneratorOf(const Instruction& inst);
// Of an rng: true if normal, false if uniform.
std::optional<bool> IsNormal(const Instruction& rng);

// 32-bit ThreeFry output: two halves of one dimension lie side by side, word 0 of block (p, i, q)
// at (p, 2i, q) and word 1 after it, where the shape is seen as [outer, split, inner]. The split
// dimension is the first even one, else the (first) largest.
struct ThreeFryHalves {
  int64_t outer = 1, split = 1, inner = 1;
  int64_t Half() const { return (split + 1) / 2; }
  int64_t Blocks() const { return outer * Half() * inner; }
};
ThreeFryHalves HalvesOf(const Shape& shape);

// What subtracted from a number near zero gives another one of the type: three quarters of the
// smallest number, but at least the smallest normal f32 (f64: f64), since not every device has
// denormals.
double SmallestStep(ElementType float_type);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_RANDOM_H_
