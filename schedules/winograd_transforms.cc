#include "lowering/numerics.h"
#include "schedules/winograd.h"

namespace halyard::schedules {

using Halide::Expr;

namespace {

// Sums and multiples as multiply-accumulates of a convolution are: relaxed.
constexpr hlo::ElementType kType = hlo::ElementType::kF32;

Expr Add(const Expr& a, const Expr& b) {
  return lowering::SumAdd({kType, a, {}}, {kType, b, {}}).re;
}
Expr Times(float factor, const Expr& a) {
  return lowering::SumMul({kType, Expr(factor), {}}, {kType, a, {}}).re;
}
Expr Less(const Expr& a, const Expr& b) { return Add(a, Times(-1, b)); }

// Points of F(4, 3): 0, ±kA, ±kB and infinity. In f32 these make half the error (rms) that the
// paper's ±1 and ±2 make: the best of the multiples of 1/16, with 64 channels of uniform numbers.
// All that Aᵀ and Bᵀ hold is exact in f32.
constexpr float kA = 11.0F / 16, kB = 3.0F / 2;
constexpr float kA2 = kA * kA, kB2 = kB * kB;

}  // namespace

std::vector<Expr> TransformInput(int outputs, const std::vector<Expr>& d) {
  if (outputs == 2) return {Less(d[0], d[2]), Add(d[1], d[2]), Less(d[2], d[1]), Less(d[1], d[3])};
  // Rows of points p and -p share their even and odd parts.
  const Expr even_a = Add(d[4], Times(-kB2, d[2])), odd_a = Add(d[3], Times(-kB2, d[1]));
  const Expr even_b = Add(d[4], Times(-kA2, d[2])), odd_b = Add(d[3], Times(-kA2, d[1]));
  return {Add(Add(Times(kA2 * kB2, d[0]), Times(-(kA2 + kB2), d[2])), d[4]),
          Add(even_a, Times(kA, odd_a)),
          Add(even_a, Times(-kA, odd_a)),
          Add(even_b, Times(kB, odd_b)),
          Add(even_b, Times(-kB, odd_b)),
          Add(Add(Times(kA2 * kB2, d[1]), Times(-(kA2 + kB2), d[3])), d[5])};
}

std::vector<Expr> TransformWindow(int outputs, const std::vector<Expr>& g) {
  if (outputs == 2) {
    const Expr ends = Add(g[0], g[2]);
    return {g[0], Times(0.5F, Add(ends, g[1])), Times(0.5F, Less(ends, g[1])), g[2]};
  }
  // (1, p, p²) · g, over the product of p's distances from the other points.
  constexpr float kOfA = 1 / (2 * kA2 * (kA2 - kB2)), kOfB = 1 / (2 * kB2 * (kB2 - kA2));
  const Expr even_a = Add(Times(kOfA, g[0]), Times(kOfA * kA2, g[2]));
  const Expr even_b = Add(Times(kOfB, g[0]), Times(kOfB * kB2, g[2]));
  return {Times(1 / (kA2 * kB2), g[0]),         Add(even_a, Times(kOfA * kA, g[1])),
          Add(even_a, Times(-kOfA * kA, g[1])), Add(even_b, Times(kOfB * kB, g[1])),
          Add(even_b, Times(-kOfB * kB, g[1])), g[2]};
}

std::vector<Expr> TransformSums(int outputs, const std::vector<Expr>& s) {
  const Expr even_a = Add(s[1], s[2]), odd_a = Less(s[1], s[2]);
  if (outputs == 2) return {Add(s[0], even_a), Less(odd_a, s[3])};
  const Expr even_b = Add(s[3], s[4]), odd_b = Less(s[3], s[4]);
  return {Add(Add(s[0], even_a), even_b), Add(Times(kA, odd_a), Times(kB, odd_b)),
          Add(Times(kA2, even_a), Times(kB2, even_b)),
          Add(Add(Times(kA2 * kA, odd_a), Times(kB2 * kB, odd_b)), s[5])};
}

}  // namespace halyard::schedules
