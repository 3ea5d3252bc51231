// log Γ, its derivatives, and Hurwitz's zeta function: polynomials of our own in the middle,
// recurrences beside it, the asymptotic series from 8 on, reflection below.
#include <limits>
#include <numbers>

#include "frontend/stablehlo/chlo/coefficients.h"
#include "frontend/stablehlo/chlo/expand.h"

namespace halyard::stablehlo {

using hlo::Opcode;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kAsymptotic = 8;  // where the series start
constexpr int kSteps = 6;          // of recurrences, from there down to [1.5, 2.5) or [1, 2)

Term Round(Term x) { return Unary(Opcode::kRoundNearestEven, x); }
Term Floor(Term x) { return Unary(Opcode::kFloor, x); }

// c[0] + c[1] / x² + …, with as many terms as x's type needs from 8 on.
Term Series(Term x, absl::Span<const double> c) {
  Term reciprocal = 1 / x;
  return Polynomial(reciprocal * reciprocal, c.subspan(0, x.is_double() ? 10 : 4));
}

// log Γ(z) for z >= -0.5 is t P(t) + log(q), where z = 2 + t, or from there by recurrence.
Term LgammaRight(Term z) {
  Term low = z < 0.5;
  Term t = Select(low, z, Select(z < 1.5, z - 1, z - 2));
  Term product = Like(z, 1);
  Term rest = z;
  for (int i = 0; i < kSteps; ++i) {
    Term step = rest >= 2.5;
    rest = Select(step, rest - 1, rest);
    product = Select(step, product * rest, product);
  }
  t = Select(z >= 2.5, rest - 2, t);
  Term divisor = Select(low, Abs(z * (z + 1)), z);
  Term divides = z < 1.5;
  Term far = z >= kAsymptotic;
  Term log = Log(Select(far, z, Select(divides, divisor, product)));
  Term fitted = t * (z.is_double() ? Polynomial(t, kLgammaF64) : Polynomial(t, kLgammaF32));
  Term near = fitted + Select(divides, -log, log);
  constexpr double kRest = 0.41893853320467274178;  // log(√(2π)) - 0.5
  Term stirling = (z - 0.5) * (log - 1) + (Series(z, kStirling) / z + kRest);
  return Select(far, stirling, near);
}

}  // namespace

Term Lgamma(Term x) {
  Term a = Abs(x);
  Term reflected = x <= -0.5;
  Term right = LgammaRight(Select(reflected, a, x));
  // Γ(-z) Γ(z) = -π / (z sin πz)
  Term distance = Abs(a - Round(a));
  Term sine = Sin(distance * std::numbers::pi);
  Term left = Log(std::numbers::pi / (a * sine)) - right;
  Term pole = (distance == 0) | (a == kInfinity);
  return Select(reflected, Select(pole, kInfinity, left), right);
}

// ψ has a root at 1.46, so that it is (z - root) P(z - 1.5) on [1, 2). In [-0.5, 0] it is that at
// x + 2, less 1 / x + 1 / (x + 1), which keeps the precision around the root at -0.504.
Term Digamma(Term x) {
  Term reflected = x < -0.5;
  Term low = (x <= 0) & (x >= -0.5);
  Term z = Select(reflected, 1 - x, x);
  Term below = z < 1;
  Term sum = Select(low, -((x + x + 1) / (x * (x + 1))), Select(below, -1 / z, Like(z, 0)));
  Term rest = Select(below, z + 1, z);
  for (int i = 0; i < kSteps; ++i) {
    Term step = rest >= 2;
    rest = Select(step, rest - 1, rest);
    sum = Select(step, sum + 1 / rest, sum);
  }
  const double* root = z.is_double() ? kDigammaRootF64 : kDigammaRootF32;
  Term offset = Select(low, x + 0.5, rest - 1.5);
  Term from_root = Select(low, x + (2 - root[0]), rest - root[0]) - root[1];
  Term near = from_root * (z.is_double() ? Polynomial(offset, kDigammaQuotientF64)
                                         : Polynomial(offset, kDigammaQuotientF32)) +
              sum;
  Term far = Log(z) - (0.5 / z + Series(z, kDigammaSeries) / (z * z));
  Term right = Select(z >= kAsymptotic, far, near);
  // ψ(x) = ψ(1 - x) - π / tan πx
  Term angle = (x - Round(x)) * std::numbers::pi;
  Term left = right - Cos(angle) * std::numbers::pi / Sin(angle);
  Term pole = (x <= 0) & (x == Floor(x));
  return Select(pole, kNan, Select(reflected, left, right));
}

// Euler and Maclaurin: the first terms of the sum, the integral of the others, corrections.
Term Zeta(Term x, Term q) {
  const int terms = x.is_double() ? 10 : 8;
  const int corrections = x.is_double() ? 12 : 8;
  Term minus_x = -x;
  Term sum = Power(q, minus_x);
  for (int k = 1; k < terms; ++k) sum = sum + Power(q + k, minus_x);
  Term a = q + terms;
  Term last = Power(a, minus_x);
  Term total = sum + (a * last / (x - 1) + last * 0.5);
  // last · (B_2 x / a + B_4 x (x+1) (x+2) / a³ + …), from the end.
  Term inverse = 1 / a;
  Term square = inverse * inverse;
  Term tail = Like(x, kEulerMaclaurin[corrections - 1]);
  for (int k = corrections - 1; k >= 1; --k) {
    tail = tail * ((x + (2 * k - 1)) * (x + 2 * k) * square) + kEulerMaclaurin[k - 1];
  }
  total = total + last * (x * inverse) * tail;
  // Where the others are lost beside the first term, whatever they overflow to.
  total = Select(sum == kInfinity, kInfinity, total);
  Term whole = q == Floor(q);
  Term even = x == Floor(x * 0.5) * 2;
  Term left = Select(whole & even, Like(x, kInfinity), Like(x, kNan));
  Term outside = (x < 1) | ((q <= 0) & !whole & (x != Floor(x)));
  total = Select((q <= 0) & whole, left, total);
  total = Select(outside, kNan, total);
  return Select(x == 1, kInfinity, total);
}

// (-1)^(n+1) n! ζ(n + 1, x)
Term Polygamma(Term n, Term x) {
  Term next = n + 1;
  Term odd = Floor(next * 0.5) * 2 != next;
  Term value = Exp(Lgamma(next)) * Zeta(next, x);
  value = Select(odd, -value, value);
  value = Select(n == 0, Digamma(x), value);
  return Select((n < 0) | (n != Floor(n)), kNan, value);
}

}  // namespace halyard::stablehlo
