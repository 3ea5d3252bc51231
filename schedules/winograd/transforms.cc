#include "lowering/numerics/float_ops.h"
#include "schedules/winograd/template.h"

namespace halyard::schedules {

using Halide::Expr;

namespace {

using lowering::numerics::Fp;

Expr Add(const Expr& a, const Expr& b) { return (Fp{a} + Fp{b}).e; }
Expr Less(const Expr& a, const Expr& b) { return (Fp{a} - Fp{b}).e; }
Expr Times(float factor, const Expr& a) { return (Fp{a} * factor).e; }
// Returns sum + factor * a, which is fused if the target has that.
Expr AddTimes(const Expr& sum, float factor, const Expr& a) {
  return MultiplyAdd(Fp{Expr(factor)}, Fp{a}, Fp{sum}).e;
}

// Points of F(4, 3): 0, ±kA, ±kB and infinity. In f32 these make half the error (rms) that the
// paper's ±1 and ±2 make: the best of the multiples of 1/16, with 64 channels of uniform numbers.
// All that Aᵀ and Bᵀ hold is exact in f32.
constexpr float kA = 11.0F / 16, kB = 3.0F / 2;
constexpr float kA2 = kA * kA, kB2 = kB * kB;

}  // namespace

std::vector<Expr> TransformInput(int outputs, const std::vector<Expr>& d) {
  if (outputs == 2) return {Less(d[0], d[2]), Add(d[1], d[2]), Less(d[2], d[1]), Less(d[1], d[3])};
  // The rows of points p and -p share their even and odd parts.
  const Expr even_a = AddTimes(d[4], -kB2, d[2]), odd_a = AddTimes(d[3], -kB2, d[1]);
  const Expr even_b = AddTimes(d[4], -kA2, d[2]), odd_b = AddTimes(d[3], -kA2, d[1]);
  return {AddTimes(AddTimes(d[4], kA2 * kB2, d[0]), -(kA2 + kB2), d[2]),
          AddTimes(even_a, kA, odd_a),
          AddTimes(even_a, -kA, odd_a),
          AddTimes(even_b, kB, odd_b),
          AddTimes(even_b, -kB, odd_b),
          AddTimes(AddTimes(d[5], kA2 * kB2, d[1]), -(kA2 + kB2), d[3])};
}

std::vector<Expr> TransformWindow(int outputs, const std::vector<Expr>& g) {
  if (outputs == 2) {
    const Expr ends = Add(g[0], g[2]);
    return {g[0], Times(0.5F, Add(ends, g[1])), Times(0.5F, Less(ends, g[1])), g[2]};
  }
  // (1, p, p²) · g, over the product of p's distances from the other points.
  constexpr float kOfA = 1 / (2 * kA2 * (kA2 - kB2)), kOfB = 1 / (2 * kB2 * (kB2 - kA2));
  const Expr even_a = AddTimes(Times(kOfA, g[0]), kOfA * kA2, g[2]);
  const Expr even_b = AddTimes(Times(kOfB, g[0]), kOfB * kB2, g[2]);
  return {Times(1 / (kA2 * kB2), g[0]),       AddTimes(even_a, kOfA * kA, g[1]),
          AddTimes(even_a, -kOfA * kA, g[1]), AddTimes(even_b, kOfB * kB, g[1]),
          AddTimes(even_b, -kOfB * kB, g[1]), g[2]};
}

std::vector<Expr> TransformSums(int outputs, const std::vector<Expr>& s) {
  const Expr even_a = Add(s[1], s[2]), odd_a = Less(s[1], s[2]);
  if (outputs == 2) return {Add(s[0], even_a), Less(odd_a, s[3])};
  const Expr even_b = Add(s[3], s[4]), odd_b = Less(s[3], s[4]);
  return {Add(Add(s[0], even_a), even_b), AddTimes(Times(kA, odd_a), kB, odd_b),
          AddTimes(Times(kA2, even_a), kB2, even_b),
          AddTimes(AddTimes(s[5], kA2 * kA, odd_a), kB2 * kB, odd_b)};
}

}  // namespace halyard::schedules
