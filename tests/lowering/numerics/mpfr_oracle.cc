#include "tests/lowering/numerics/mpfr_oracle.h"

#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace halyard::lowering::testing {
namespace {

using hlo::Opcode;

// This is enough for logistic of large negative arguments, whose 1 + exp(-x) must keep the 1.
constexpr mpfr_prec_t kBits = 128;

class Number {
 public:
  explicit Number(double x = 0, mpfr_prec_t bits = kBits) {
    mpfr_init2(value_, bits);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }
  long double Rounded() { return mpfr_get_ld(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

[[noreturn]] void Unknown(Opcode opcode) {
  std::fprintf(stderr, "no MPFR function for opcode %d\n", static_cast<int>(opcode));
  std::abort();
}

void Logistic(mpfr_ptr result, mpfr_ptr x) {
  mpfr_neg(result, x, MPFR_RNDN);
  mpfr_exp(result, result, MPFR_RNDN);
  mpfr_add_ui(result, result, 1, MPFR_RNDN);
  mpfr_ui_div(result, 1, result, MPFR_RNDN);
}

}  // namespace

long double Exactly(Opcode opcode, double x) {
  Number a(x), r;
  switch (opcode) {
    case Opcode::kExp:
      mpfr_exp(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kExpm1:
      mpfr_expm1(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kLog:
      mpfr_log(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kLog1p:
      mpfr_log1p(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kLogistic:
      Logistic(r.get(), a.get());
      break;
    case Opcode::kTanh:
      mpfr_tanh(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kSin:
      mpfr_sin(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kCos:
      mpfr_cos(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kTan:
      mpfr_tan(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kSqrt:
      mpfr_sqrt(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kRsqrt:
      if (x == 0) return 1 / static_cast<long double>(x);  // MPFR gives +inf for -0
      mpfr_rec_sqrt(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kCbrt:
      mpfr_cbrt(r.get(), a.get(), MPFR_RNDN);
      break;
    case Opcode::kErf:
      mpfr_erf(r.get(), a.get(), MPFR_RNDN);
      break;
    default:
      Unknown(opcode);
  }
  return r.Rounded();
}

long double Exactly(Opcode opcode, double x, double y) {
  Number a(x), b(y), r;
  switch (opcode) {
    case Opcode::kPower:
      mpfr_pow(r.get(), a.get(), b.get(), MPFR_RNDN);
      break;
    case Opcode::kAtan2:
      mpfr_atan2(r.get(), a.get(), b.get(), MPFR_RNDN);
      break;
    case Opcode::kRemainder:
      mpfr_fmod(r.get(), a.get(), b.get(), MPFR_RNDN);
      break;
    case Opcode::kAdd:
      mpfr_add(r.get(), a.get(), b.get(), MPFR_RNDN);
      break;
    case Opcode::kSubtract:
      mpfr_sub(r.get(), a.get(), b.get(), MPFR_RNDN);
      break;
    case Opcode::kMultiply:
      mpfr_mul(r.get(), a.get(), b.get(), MPFR_RNDN);
      break;
    case Opcode::kDivide:
      mpfr_div(r.get(), a.get(), b.get(), MPFR_RNDN);
      break;
    default:
      Unknown(opcode);
  }
  return r.Rounded();
}

std::vector<double> NearQuarterTurns(int bits, int last_exponent) {
  using Fixed = unsigned __int128;
  constexpr int kFraction = 120;  // bits of the fractions below, of which some 55 matter
  // The largest numbers leave this many bits, and the fractions', behind the point.
  const mpfr_prec_t precision = last_exponent + 2 * kFraction;
  Number two_over_pi(0, precision), number(0, precision);
  const mpfr_ptr turns = two_over_pi.get(), part = number.get();
  mpfr_const_pi(turns, MPFR_RNDN);
  mpfr_ui_div(turns, 2, turns, MPFR_RNDN);
  std::vector<double> found;
  const uint64_t least = uint64_t{1} << (bits - 1), most = least * 2;
  for (int e = -bits + 1; e <= last_exponent - bits; ++e) {
    // The fraction of 2^e * 2/pi, in two halves of 60 bits.
    Fixed step = 0;
    mpfr_mul_2si(part, turns, e, MPFR_RNDN);
    mpfr_frac(part, part, MPFR_RNDN);
    for (int half = 0; half < 2; ++half) {
      mpfr_mul_2si(part, part, kFraction / 2, MPFR_RNDN);
      step = (step << (kFraction / 2)) | mpfr_get_ui(part, MPFR_RNDZ);
      mpfr_frac(part, part, MPFR_RNDN);
    }
    // m and n times the step are the closest so far to whole numbers, one from above and one from
    // below, with these distances.
    uint64_t m = 0, n = 1;
    Fixed above = Fixed{1} << kFraction, below = step;
    while (n < most && below != 0) {
      const Fixed quotient = above / below;
      // Those between the last denominator and the next one; the last of them are the closest.
      const uint64_t room = (most - 1 - m) / n;
      const uint64_t last = quotient < room ? static_cast<uint64_t>(quotient) : room;
      for (uint64_t i = last < 3 ? 1 : last - 2; i <= last; ++i) {
        if (m + i * n >= least && m + i * n < most)
          found.push_back(std::ldexp(static_cast<double>(m + i * n), e));
      }
      if (n >= least) found.push_back(std::ldexp(static_cast<double>(n), e));
      if (last != quotient) break;
      const Fixed left = above - quotient * below;
      m += static_cast<uint64_t>(quotient) * n;
      std::swap(m, n);
      above = below;
      below = left;
    }
  }
  return found;
}

}  // namespace halyard::lowering::testing
