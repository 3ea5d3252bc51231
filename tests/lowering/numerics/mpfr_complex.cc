#include "tests/lowering/numerics/mpfr_complex.h"

#include <mpfr.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace halyard::lowering::testing {
namespace {

using hlo::Opcode;

// The square of a double minus 1 is exact, even beside the square of a denormal.
constexpr mpfr_prec_t kBits = 2400;

class Real {
 public:
  Real(double x = 0) {  // NOLINT: numbers mix
    mpfr_init2(value_, kBits);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  static Real Of(Binary f, const Real& a, const Real& b) {
    Real r;
    f(r.value_, a.value_, b.value_, MPFR_RNDN);
    return r;
  }
  static Real Of(Unary f, const Real& a) {
    Real r;
    f(r.value_, a.value_, MPFR_RNDN);
    return r;
  }
  long double Rounded() const { return mpfr_get_ld(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

Real operator+(const Real& a, const Real& b) { return Real::Of(mpfr_add, a, b); }
Real operator-(const Real& a, const Real& b) { return Real::Of(mpfr_sub, a, b); }
Real operator*(const Real& a, const Real& b) { return Real::Of(mpfr_mul, a, b); }
Real operator/(const Real& a, const Real& b) { return Real::Of(mpfr_div, a, b); }

struct Number {
  Real re, im;
};

Number Times(const Number& a, const Number& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Number Over(const Number& a, const Number& b) {
  const Real square = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}
Real Modulus(const Number& x) { return Real::Of(mpfr_hypot, x.re, x.im); }
Real Angle(const Number& x) { return Real::Of(mpfr_atan2, x.im, x.re); }
Number Polar(const Real& modulus, const Real& angle) {
  return {modulus * Real::Of(mpfr_cos, angle), modulus * Real::Of(mpfr_sin, angle)};
}
// e^x leaves the range of all types far below this, and that of MPFR does not end yet.
Real Clamped(const Real& x) { return Real::Of(mpfr_max, Real::Of(mpfr_min, x, 1e6), -1e6); }
Number Exp(const Number& x) { return Polar(Real::Of(mpfr_exp, Clamped(x.re)), x.im); }
// `excess`: |x|² - 1.
Number Log(const Number& x, const Real& excess) {
  return {Real::Of(mpfr_log1p, excess) / 2, Angle(x)};
}
Number Log(const Number& x) { return Log(x, (x.re - 1) * (x.re + 1) + x.im * x.im); }
Number Root(const Number& x) { return Polar(Real::Of(mpfr_sqrt, Modulus(x)), Angle(x) / 2); }

// sin and cos of x.re, sinh and cosh of x.im
struct Parts {
  Real sin, cos, sinh, cosh;
};
Parts PartsOf(const Number& x) {
  const Real y = Clamped(x.im);
  return {Real::Of(mpfr_sin, x.re), Real::Of(mpfr_cos, x.re), Real::Of(mpfr_sinh, y),
          Real::Of(mpfr_cosh, y)};
}
Number Sine(const Number& x) {
  const Parts p = PartsOf(x);
  return {p.sin * p.cosh, p.cos * p.sinh};
}
Number Cosine(const Number& x) {
  const Parts p = PartsOf(x);
  return {p.cos * p.cosh, Real(0) - p.sin * p.sinh};
}
// sin 2x / (cos 2x + cosh 2y), sinh 2y / the same
Number Tangent(const Number& x) {
  const Number twice{x.re * 2, x.im * 2};
  const Parts p = PartsOf(twice);
  const Real denominator = p.cos + p.cosh;
  return {p.sin / denominator, p.sinh / denominator};
}

Number Apply(Opcode opcode, const Number& x) {
  switch (opcode) {
    case Opcode::kExp:
      return Exp(x);
    case Opcode::kExpm1: {
      const Number e = Exp(x);
      return {e.re - 1, e.im};
    }
    case Opcode::kLog:
      return Log(x);
    case Opcode::kLog1p:
      return Log({x.re + 1, x.im}, x.re * 2 + (x.re * x.re + x.im * x.im));
    case Opcode::kLogistic: {
      const Number e = Exp({Real(0) - x.re, Real(0) - x.im});
      return Over({1, 0}, {e.re + 1, e.im});
    }
    case Opcode::kTanh: {
      const Number turned = Tangent({Real(0) - x.im, x.re});  // tanh x = -i tan(ix)
      return {turned.im, Real(0) - turned.re};
    }
    case Opcode::kSqrt:
      return Root(x);
    case Opcode::kRsqrt:
      return Over({1, 0}, Root(x));
    case Opcode::kCbrt:
      return Polar(Real::Of(mpfr_cbrt, Modulus(x)), Angle(x) / 3);
    case Opcode::kSin:
      return Sine(x);
    case Opcode::kCos:
      return Cosine(x);
    case Opcode::kTan:
      return Tangent(x);
    case Opcode::kSign:
      return {x.re / Modulus(x), x.im / Modulus(x)};
    case Opcode::kAbs:
      return {Modulus(x), 0};
    default:
      std::fprintf(stderr, "no complex MPFR function for opcode %d\n", static_cast<int>(opcode));
      std::abort();
  }
}

std::complex<long double> Rounded(const Number& x) { return {x.re.Rounded(), x.im.Rounded()}; }

}  // namespace

std::complex<long double> ExactlyComplex(Opcode opcode, std::complex<double> x) {
  return Rounded(Apply(opcode, {x.real(), x.imag()}));
}

std::complex<long double> ExactlyComplex(Opcode opcode, std::complex<double> a,
                                         std::complex<double> b) {
  const Number x{a.real(), a.imag()}, y{b.real(), b.imag()};
  return Rounded(opcode == Opcode::kDivide ? Over(x, y) : Exp(Times(y, Log(x))));
}

}  // namespace halyard::lowering::testing
