#include "lowering/numerics/random_bits.h"

#include <cstdint>
#include <utility>

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

Expr PhiloxBlock(const Expr& key_value, const Expr& low_value, const Expr& high_value,
                 const Expr& half) {
  const Expr key = Opaque(key_value), low = Opaque(low_value), high = Opaque(high_value);
  Expr x[4] = {LowWord(low), HighWord(low), LowWord(high), HighWord(high)};
  Expr k0 = LowWord(key), k1 = HighWord(key);
  for (int round = 0; round < 10; ++round) {
    const Expr a = cast(UInt(64), x[0]) * cast(UInt(64), Word(0xD2511F53));
    const Expr b = cast(UInt(64), x[2]) * cast(UInt(64), Word(0xCD9E8D57));
    Expr next0 = HighWord(b) ^ x[1] ^ k0, next2 = HighWord(a) ^ x[3] ^ k1;
    x[0] = std::move(next0);
    x[1] = LowWord(b);
    x[2] = std::move(next2);
    x[3] = LowWord(a);
    k0 = k0 + Word(0x9E3779B9);
    k1 = k1 + Word(0xBB67AE85);
  }
  const Expr first = LowWord(half) == Word(0);
  return Join(Halide::select(first, x[0], x[2]), Halide::select(first, x[1], x[3]));
}

}  // namespace halyard::lowering::numerics
