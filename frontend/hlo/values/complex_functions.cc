#include "frontend/hlo/values/complex_functions.h"

#include <cmath>
#include <limits>

namespace halyard::hlo::complex_functions {
namespace {

using Long = std::complex<long double>;

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();

Long Wide(C x) { return {x.real(), x.imag()}; }
C Narrow(Long x) { return {static_cast<double>(x.real()), static_cast<double>(x.imag())}; }

bool IsFinite(Long x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }
bool IsZero(Long x) { return x.real() == 0 && x.imag() == 0; }
bool HasInfinity(Long x) { return std::isinf(x.real()) || std::isinf(x.imag()); }

Long Product(Long a, Long b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Smith's, see Divide.
Long Quotient(Long a, Long b) {
  if (IsZero(b)) return {a.real() / b.real(), a.imag() / b.real()};
  if (HasInfinity(b) && IsFinite(a)) return {0, 0};
  const bool steep = std::fabs(b.real()) < std::fabs(b.imag());
  const long double large = steep ? b.imag() : b.real(), small = steep ? b.real() : b.imag();
  const long double ratio = small / large, denominator = large + small * ratio;
  const long double first = steep ? a.imag() : a.real(), second = steep ? a.real() : a.imag();
  const long double re = (first + second * ratio) / denominator;
  const long double im = (second - first * ratio) / denominator;
  if (std::isnan(re) && std::isnan(im) && HasInfinity(a) && IsFinite(b)) {
    const long double u = std::copysign(std::isinf(a.real()) ? 1.0L : 0.0L, a.real());
    const long double v = std::copysign(std::isinf(a.imag()) ? 1.0L : 0.0L, a.imag());
    return {kInfinity * (u * b.real() + v * b.imag()), kInfinity * (v * b.real() - u * b.imag())};
  }
  return {re, steep ? -im : im};
}

// e^x with C's special values, some of which the library leaves to the sign of NaN.
Long Exponential(Long x) {
  if (!std::isfinite(x.imag()) && std::isinf(x.real())) {
    if (x.real() > 0) return {kInfinity, kNan};
    return {0, std::copysign(0.0L, x.imag())};
  }
  return std::exp(x);
}

}  // namespace

C Divide(C a, C b) { return Narrow(Quotient(Wide(a), Wide(b))); }

C Remainder(C a, C b) {
  const C quotient = Divide(a, b);
  return a - Multiply(b, {std::trunc(quotient.real()), std::trunc(quotient.imag())});
}

C Sign(C x) {
  if (std::isnan(x.real()) || std::isnan(x.imag())) return {NAN, NAN};
  if (IsZero(Wide(x))) return {0, 0};
  const long double modulus = std::hypot(static_cast<long double>(x.real()), x.imag());
  return Narrow({x.real() / modulus, x.imag() / modulus});
}

C Exp(C x) { return Narrow(Exponential(Wide(x))); }

C Expm1(C x) {
  const Long z = Wide(x), e = Exponential(z);
  if (!(std::fabs(z.real()) < 1)) return Narrow({e.real() - 1, e.imag()});
  // Near 0: (e^re - 1) cos(im) + (cos(im) - 1) + e^re sin(im) i.
  const long double half = std::sin(z.imag() / 2);
  return Narrow({std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half, e.imag()});
}

C Log(C x) { return Narrow(std::log(Wide(x))); }

C Log1p(C x) {
  const Long z = Wide(x), moved = {z.real() + 1, z.imag()};
  // |1 + z|^2 - 1
  const long double excess = 2 * z.real() + (z.real() * z.real() + z.imag() * z.imag());
  if (!(std::fabs(excess) < 0.5L)) return Narrow(std::log(moved));
  return Narrow({std::log1p(excess) / 2, std::atan2(moved.imag(), moved.real())});
}

C Logistic(C x) {
  const bool negative = x.real() < 0;
  const Long e = Exponential(Wide(negative ? x : -x));
  return Narrow(Quotient(negative ? e : Long(1), Long(1) + e));
}

C Tanh(C x) { return Narrow(std::tanh(Wide(x))); }
C Sqrt(C x) { return Narrow(std::sqrt(Wide(x))); }
C Rsqrt(C x) { return Narrow(Quotient(1, std::sqrt(Wide(x)))); }

C Cbrt(C x) {
  if (IsZero(Wide(x))) return {0, 0};
  const long double root = std::cbrt(std::hypot(static_cast<long double>(x.real()), x.imag()));
  const long double angle = std::atan2(static_cast<long double>(x.imag()), x.real()) / 3;
  // On the real axis, this also holds for infinity.
  const long double sine = std::sin(angle);
  return Narrow({root * std::cos(angle), sine == 0 ? sine : root * sine});
}

C Sin(C x) { return Narrow(std::sin(Wide(x))); }
C Cos(C x) { return Narrow(std::cos(Wide(x))); }
C Tan(C x) { return Narrow(std::tan(Wide(x))); }

C Power(C a, C b) {
  if (IsZero(Wide(b))) return 1;
  if (IsZero(Wide(a))) return 0;
  const Long log = std::log(Wide(a)), by = Wide(b);
  // A power with a real exponent leaves out the products with its zero imaginary part, which are
  // NaN for infinity.
  const Long exponent =
      by.imag() == 0 ? Long(log.real() * by.real(), log.imag() * by.real()) : Product(by, log);
  return Narrow(Exponential(exponent));
}

C Atan2(C y, C x) {
  const Long u = Wide(x), v = Wide(y);
  const Long root = std::sqrt(Product(u, u) + Product(v, v));
  const Long log = std::log(Quotient(Long(u.real() - v.imag(), u.imag() + v.real()), root));
  return Narrow({log.imag(), -log.real()});
}

}  // namespace halyard::hlo::complex_functions
