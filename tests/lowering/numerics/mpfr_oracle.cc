#include "tests/lowering/numerics/mpfr_oracle.h"

#include <mpfr.h>

#include <cstdio>
#include <cstdlib>

namespace halyard::lowering::testing {
namespace {

using hlo::Opcode;

// This is enough for logistic of large negative arguments, whose 1 + exp(-x) must keep the 1.
constexpr mpfr_prec_t kBits = 128;

class Number {
 public:
  explicit Number(double x = 0) {
    mpfr_init2(value_, kBits);
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

}  // namespace halyard::lowering::testing
