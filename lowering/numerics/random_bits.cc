#include "lowering/numerics/random_bits.h"

#include <cstdint>

#include "lowering/numerics/float_ops.h"
#include "lowering/numerics/integer_ops.h"

namespace halyard::lowering::numerics {

using Halide::cast;
using Halide::Expr;
using Halide::UInt;

namespace {

Expr Shift(int count) { return Halide::Internal::UIntImm::make(UInt(64), count); }
Expr LowWord(const Expr& x) { return cast(UInt(32), x); }
Expr HighWord(const Expr& x) { return cast(UInt(32), x >> Shift(32)); }
Expr Join(const Expr& low, const Expr& high) {
  return cast(UInt(64), low) | cast(UInt(64), high) << Shift(32);
}
Expr RotateLeft(const Expr& x, uint32_t count) { return x << Word(count) | x >> Word(32 - count); }

}  // namespace

Expr ThreefryBlock(const Expr& key_value, const Expr& counter_value) {
  const Expr key = Opaque(key_value), counter = Opaque(counter_value);
  static constexpr uint32_t kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const Expr k0 = LowWord(key), k1 = HighWord(key);
  const Expr keys[3] = {k0, k1, k0 ^ k1 ^ Word(0x1BD11BDA)};
  Expr x = LowWord(counter) + keys[0], y = HighWord(counter) + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (uint32_t rotation : kRotations[group % 2]) {
      x = x + y;
      y = RotateLeft(y, rotation) ^ x;
    }
    x = x + keys[(group + 1) % 3];
    y = y + (keys[(group + 2) % 3] + Word(group + 1));
  }
  return Join(x, y);
}

namespace {

// A word of Philox: 32 bits, or the lower half of a 64-bit lane, whose upper half then holds
// anything.
class PhiloxWord {
 public:
  explicit PhiloxWord(const Expr& bits) : bits_(bits) {}
  static PhiloxWord LowOf(const Expr& x) { return PhiloxWord(Wide() ? x : LowWord(x)); }
  static PhiloxWord HighOf(const Expr& x) {
    return PhiloxWord(Wide() ? x >> Shift(32) : HighWord(x));
  }
  // The product of this word and another as UInt(64).
  Expr Times(uint32_t factor) const { return Exact() * cast(UInt(64), Word(factor)); }
  PhiloxWord Plus(uint32_t x) const {
    return PhiloxWord(bits_ + (Wide() ? Halide::Internal::UIntImm::make(UInt(64), x) : Word(x)));
  }
  friend PhiloxWord operator^(const PhiloxWord& a, const PhiloxWord& b) {
    return PhiloxWord(a.bits_ ^ b.bits_);
  }
  // As UInt(64).
  Expr Exact() const {
    if (!Wide()) return cast(UInt(64), bits_);
    return bits_ & Halide::Internal::UIntImm::make(UInt(64), UINT32_MAX);
  }
  static PhiloxWord Choose(const Expr& condition, const PhiloxWord& yes, const PhiloxWord& no) {
    return PhiloxWord(Halide::select(condition, yes.bits_, no.bits_));
  }
  // Returns UInt(64).
  static Expr Joined(const PhiloxWord& low, const PhiloxWord& high) {
    return low.Exact() | (Wide() ? high.bits_ : cast(UInt(64), high.bits_)) << Shift(32);
  }

 private:
  static bool Wide() { return Traits().words_in_wide_lanes; }
  Expr bits_;
};

}  // namespace

Expr PhiloxBlock(const Expr& key_value, const Expr& low_value, const Expr& high_value,
                 const Expr& half) {
  const Expr key = Opaque(key_value), low = Opaque(low_value), high = Opaque(high_value);
  PhiloxWord x[4] = {PhiloxWord::LowOf(low), PhiloxWord::HighOf(low), PhiloxWord::LowOf(high),
                     PhiloxWord::HighOf(high)};
  PhiloxWord k0 = PhiloxWord::LowOf(key), k1 = PhiloxWord::HighOf(key);
  for (int round = 0; round < 10; ++round) {
    const Expr a = x[0].Times(0xD2511F53), b = x[2].Times(0xCD9E8D57);
    const PhiloxWord next0 = PhiloxWord::HighOf(b) ^ x[1] ^ k0;
    const PhiloxWord next2 = PhiloxWord::HighOf(a) ^ x[3] ^ k1;
    x[0] = next0;
    x[1] = PhiloxWord::LowOf(b);
    x[2] = next2;
    x[3] = PhiloxWord::LowOf(a);
    k0 = k0.Plus(0x9E3779B9);
    k1 = k1.Plus(0xBB67AE85);
  }
  const Expr first = LowWord(half) == Word(0);
  return PhiloxWord::Joined(PhiloxWord::Choose(first, x[0], x[2]),
                            PhiloxWord::Choose(first, x[1], x[3]));
}

}  // namespace halyard::lowering::numerics
