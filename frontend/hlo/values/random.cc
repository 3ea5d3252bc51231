#include "frontend/hlo/values/random.h"

namespace halyard::hlo {
namespace {

uint32_t Low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t High(uint64_t x) { return static_cast<uint32_t>(x >> 32); }
uint64_t Join(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

}  // namespace

uint64_t Threefry2x32(uint64_t key, uint64_t counter) {
  static constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {Low(key), High(key), 0x1BD11BDAu ^ Low(key) ^ High(key)};
  uint32_t x = Low(counter) + keys[0], y = High(counter) + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (int rotation : kRotations[group % 2]) {
      x += y;
      y = (y << rotation | y >> (32 - rotation)) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + group + 1;
  }
  return Join(x, y);
}

std::array<uint64_t, 2> Philox4x32(uint64_t key, uint64_t low, uint64_t high) {
  uint32_t x[4] = {Low(low), High(low), Low(high), High(high)};
  uint32_t k0 = Low(key), k1 = High(key);
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{x[0]} * 0xD2511F53u, b = uint64_t{x[2]} * 0xCD9E8D57u;
    x[0] = High(b) ^ x[1] ^ k0;
    x[1] = Low(b);
    x[2] = High(a) ^ x[3] ^ k1;
    x[3] = Low(a);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {Join(x[0], x[1]), Join(x[2], x[3])};
}

std::optional<BitGenerator> BitGeneratorOf(const Instruction& inst) {
  const std::string& word = inst.GetString(Attr::kAlgorithm);
  if (word == "rng_three_fry" || word == "THREE_FRY") return BitGenerator::kThreeFry;
  if (word == "rng_philox" || word == "PHILOX" || word == "rng_default" || word == "DEFAULT") {
    return BitGenerator::kPhilox;
  }
  return std::nullopt;
}

std::optional<bool> IsNormal(const Instruction& rng) {
  const std::string& word = rng.GetString(Attr::kDistribution);
  if (word == "rng_normal" || word == "NORMAL") return true;
  if (word == "rng_uniform" || word == "UNIFORM") return false;
  return std::nullopt;
}

ThreeFryHalves HalvesOf(const Shape& shape) {
  int64_t split = -1;
  for (int64_t d = 0; d < shape.rank() && split < 0; ++d) {
    if (shape.dim(d) % 2 == 0) split = d;
  }
  if (split < 0) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (split < 0 || shape.dim(d) > shape.dim(split)) split = d;
    }
  }
  ThreeFryHalves halves;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    (d < split ? halves.outer : d == split ? halves.split : halves.inner) *= shape.dim(d);
  }
  return halves;
}

}  // namespace halyard::hlo
