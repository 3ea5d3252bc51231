// Turns operations on values into operations on lanes.
#ifndef HALYARD_TESTS_FAKES_PTX_OPS_H_
#define HALYARD_TESTS_FAKES_PTX_OPS_H_

#include <type_traits>

#include "tests/fakes/ptx/parser.h"
#include "tests/fakes/ptx/warp.h"

namespace halyard::testing::ptx {

// Computes all lanes, because operations have no side effects and are defined for every value.
// Stores only the results of the lanes in the mask.
template <typename R, typename A, typename F>
inline void Map1(Warp& warp, const Instruction& i, uint32_t mask, F f) {
  const A* a = warp.Lanes<A>(i.a);
  R out[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) out[lane] = f(a[lane]);
  Store(warp, i.dst, mask, out);
}
template <typename R, typename A, typename B, typename F>
inline void Map2(Warp& warp, const Instruction& i, uint32_t mask, F f) {
  const A* a = warp.Lanes<A>(i.a);
  const B* b = warp.Lanes<B>(i.b);
  R out[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) out[lane] = f(a[lane], b[lane]);
  Store(warp, i.dst, mask, out);
}
template <typename R, typename A, typename B, typename C, typename F>
inline void Map3(Warp& warp, const Instruction& i, uint32_t mask, F f) {
  const A* a = warp.Lanes<A>(i.a);
  const B* b = warp.Lanes<B>(i.b);
  const C* c = warp.Lanes<C>(i.c);
  R out[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) out[lane] = f(a[lane], b[lane], c[lane]);
  Store(warp, i.dst, mask, out);
}

// Handlers for functions with a single type.
template <typename T, T (*F)(T)>
void Unary(Warp& warp, const Instruction& i, uint32_t mask) {
  Map1<T, T>(warp, i, mask, F);
}
template <typename T, T (*F)(T, T)>
void Binary(Warp& warp, const Instruction& i, uint32_t mask) {
  Map2<T, T, T>(warp, i, mask, F);
}
template <typename T, T (*F)(T, T, T)>
void Ternary(Warp& warp, const Instruction& i, uint32_t mask) {
  Map3<T, T, T, T>(warp, i, mask, F);
}

// Returns the 16, 32 or 64-bit handler of a group, or null for other widths.
inline Handler ByBits(int bits, Handler h16, Handler h32, Handler h64) {
  return bits == 16 ? h16 : bits == 32 ? h32 : bits == 64 ? h64 : nullptr;
}

// Reads the operands "dst, a", "dst, a, b" or "dst, a, b, c", all of `type`.
inline void Operands(Decoder& d, Type type, int sources, Instruction* out) {
  out->dst = d.Destination(type.bits);
  out->a = d.Source(type);
  if (sources > 1) out->b = d.Source(type);
  if (sources > 2) out->c = d.Source(type);
}

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_OPS_H_
