// Which elements of a matrix a lane's registers hold, and their values. For mma.sync and wgmma.
#ifndef HALYARD_TESTS_FAKES_PTX_MATRIX_FRAGMENTS_H_
#define HALYARD_TESTS_FAKES_PTX_MATRIX_FRAGMENTS_H_

#include <string>

#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx/parser.h"
#include "tests/fakes/ptx/warp.h"

namespace halyard::testing::ptx {

// Where element i of a lane's fragment lies. 9.7.14.5.1 to .13 draw this for each shape: lanes form
// groups of four (g = lane / 4, t = lane % 4), and `pack` is the number of elements that a register
// of A and B holds.
struct Place2 {
  int row, column;
};
struct Shape {
  int m, n, k;
  int pack;  // elements of A and B in a 32-bit register (1 for f64, of 64 bits)
};

inline Place2 PlaceA(const Shape& s, int lane, int i) {
  const int g = lane / 4, t = lane % 4;
  const int part = i / s.pack, within = i % s.pack;
  // Registers alternate between rows g and g + 8 (where m is 16), then advance along k.
  const int rows = s.m / 8;
  return {g + 8 * (part % rows), part / rows * 4 * s.pack + t * s.pack + within};
}
inline Place2 PlaceB(const Shape& s, int lane, int i) {
  const int g = lane / 4, t = lane % 4;
  return {i / s.pack * 4 * s.pack + t * s.pack + i % s.pack, g};
}
inline Place2 PlaceC(int lane, int i) {
  const int g = lane / 4, t = lane % 4;
  return {g + 8 * (i / 2), t * 2 + i % 2};
}

// Returns the value of an element of at most 32 bits. Higher bits than the type's are ignored.
inline double ValueOf(Type type, uint32_t bits) {
  switch (type.kind) {
    case 'B':
      return Bf16ToFloat(static_cast<uint16_t>(bits));
    case 'T':
      return BitsAs<float>(bits & ~0x1fffu);  // the lower bits are ignored
    case 's':
      return static_cast<int8_t>(bits);
    case 'u':
      return static_cast<uint8_t>(bits);
    case '4':
      return E4m3ToFloat(static_cast<uint8_t>(bits));
    case '5':
      return E5m2ToFloat(static_cast<uint8_t>(bits));
    default:
      return type.bits == 16 ? HalfToFloat(static_cast<uint16_t>(bits)) : BitsAs<float>(bits);
  }
}

// Returns element i, of `type`, from a lane's packed registers.
inline double Element(Warp& warp, const uint32_t* registers, Type type, int pack, int lane, int i) {
  if (type.bits == 64) return warp.Lanes<double>(registers[i])[lane];
  const uint32_t word = warp.Lanes<uint32_t>(registers[i / pack])[lane];
  return ValueOf(type, word >> 32 / pack * (i % pack));
}

// Stores a sum as f32. Tensor cores make all NaNs the same.
inline void StoreFloat(Warp& warp, uint32_t offset, int lane, double value) {
  const float result = static_cast<float>(value);
  warp.Lanes<float>(offset)[lane] = std::isnan(result) ? BitsAs<float>(0x7fffffffu) : result;
}
// Returns a sum of integers, which wraps or, if `saturate` is set, stops at the limits.
inline int32_t IntegerSum(int64_t sum, bool saturate) {
  if (!saturate) return static_cast<int32_t>(sum);
  return static_cast<int32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
}

// Throws Fault if lanes of the warp are elsewhere or have ended.
inline void CheckWhole(const Warp& warp, uint32_t mask, const char* what) {
  if (mask == kAllLanes) return;
  const int lane = __builtin_ctz(~mask);
  throw Fault{Fault::Kind::kOther, lane,
              std::string(what) + " is not run by all lanes of its warp" +
                  ((warp.live >> lane & 1) == 0 ? ": this one has ended" : "")};
}

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_MATRIX_FRAGMENTS_H_
