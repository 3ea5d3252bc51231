// The elementwise ops on single values. There is a struct for each op, and each static function is
// the op on one class of types: Float (any float type, in f64), Complex, Int (64 bits, see
// DecodeInts; results wrap to the type's width) and Bool. A class that the op does not take has no
// function. A bool result is a PRED, and a double result of Complex is the part type.
//
// Halyard decides what the specifications leave open, in the same way on all backends. x/0 is -1
// (signed) or all ones (unsigned), and x%0 is x. INT_MIN/-1 is INT_MIN, and its remainder is 0.
// Shifts by the width or more give 0, and arithmetic ones give the sign. 1 or -1 to a negative
// power is exact, and any other integer gives 0. Complex remainder truncates the quotient's parts.
#ifndef HALYARD_FRONTEND_HLO_VALUES_SCALAR_FUNCTIONS_H_
#define HALYARD_FRONTEND_HLO_VALUES_SCALAR_FUNCTIONS_H_

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>

#include "frontend/hlo/values/complex_functions.h"

namespace halyard::hlo {

struct IntType {
  int bits;
  bool is_signed;
  uint64_t Mask() const { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }
};

namespace scalar {

using C = std::complex<double>;

inline int64_t Signed(uint64_t v) { return static_cast<int64_t>(v); }
inline bool Less(uint64_t a, uint64_t b, IntType t) {
  return t.is_signed ? Signed(a) < Signed(b) : a < b;
}
inline bool Less(C a, C b) {  // lexicographic
  return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
}

struct Abs {
  static double Float(double x) { return std::fabs(x); }
  static double Complex(C x) { return std::abs(x); }
  static uint64_t Int(uint64_t x, IntType) { return Signed(x) < 0 ? -x : x; }
};
struct Negate {
  static double Float(double x) { return -x; }
  static C Complex(C x) { return -x; }
  static uint64_t Int(uint64_t x, IntType) { return -x; }
};
struct Sign {
  static double Float(double x) { return std::isnan(x) || x == 0 ? x : std::copysign(1.0, x); }
  static C Complex(C x) { return complex_functions::Sign(x); }
  static uint64_t Int(uint64_t x, IntType) { return Signed(x) < 0 ? -1 : x != 0; }
};
struct Exp {
  static double Float(double x) { return std::exp(x); }
  static C Complex(C x) { return complex_functions::Exp(x); }
};
struct Expm1 {
  static double Float(double x) { return std::expm1(x); }
  static C Complex(C x) { return complex_functions::Expm1(x); }
};
struct Log {
  static double Float(double x) { return std::log(x); }
  static C Complex(C x) { return complex_functions::Log(x); }
};
struct Log1p {
  static double Float(double x) { return std::log1p(x); }
  static C Complex(C x) { return complex_functions::Log1p(x); }
};
struct Logistic {
  static double Float(double x) { return 1 / (1 + std::exp(-x)); }
  static C Complex(C x) { return complex_functions::Logistic(x); }
};
struct Tanh {
  static double Float(double x) { return std::tanh(x); }
  static C Complex(C x) { return complex_functions::Tanh(x); }
};
struct Sqrt {
  static double Float(double x) { return std::sqrt(x); }
  static C Complex(C x) { return complex_functions::Sqrt(x); }
};
struct Rsqrt {
  static double Float(double x) { return 1 / std::sqrt(x); }
  static C Complex(C x) { return complex_functions::Rsqrt(x); }
};
struct Cbrt {
  // The C library's own function is off by an ulp for perfect cubes.
  static double Float(double x) {
    return static_cast<double>(std::cbrt(static_cast<long double>(x)));
  }
  static C Complex(C x) { return complex_functions::Cbrt(x); }
};
struct Sin {
  static double Float(double x) { return std::sin(x); }
  static C Complex(C x) { return complex_functions::Sin(x); }
};
struct Cos {
  static double Float(double x) { return std::cos(x); }
  static C Complex(C x) { return complex_functions::Cos(x); }
};
struct Tan {
  static double Float(double x) { return std::tan(x); }
  static C Complex(C x) { return complex_functions::Tan(x); }
};
struct Erf {
  static double Float(double x) { return std::erf(x); }
};
struct Ceil {
  static double Float(double x) { return std::ceil(x); }
};
struct Floor {
  static double Float(double x) { return std::floor(x); }
};
struct RoundAfz {
  static double Float(double x) { return std::round(x); }
};
struct RoundEven {
  static double Float(double x) { return std::nearbyint(x); }
};
struct Not {
  static uint64_t Int(uint64_t x, IntType) { return ~x; }
  static bool Bool(bool x) { return !x; }
};
struct Popcnt {
  static uint64_t Int(uint64_t x, IntType t) { return std::popcount(x & t.Mask()); }
};
struct Clz {
  static uint64_t Int(uint64_t x, IntType t) {
    return std::countl_zero(x & t.Mask()) - (64 - t.bits);
  }
};
struct IsFinite {
  static bool Float(double x) { return std::isfinite(x); }
};
struct Real;  // these move parts: evaluate/elementwise.h
struct Imag;

struct Add {
  static double Float(double a, double b) { return a + b; }
  static C Complex(C a, C b) { return a + b; }
  static uint64_t Int(uint64_t a, uint64_t b, IntType) { return a + b; }
  static bool Bool(bool a, bool b) { return a || b; }
};
struct Subtract {
  static double Float(double a, double b) { return a - b; }
  static C Complex(C a, C b) { return a - b; }
  static uint64_t Int(uint64_t a, uint64_t b, IntType) { return a - b; }
};
struct Multiply {
  static double Float(double a, double b) { return a * b; }
  static C Complex(C a, C b) { return complex_functions::Multiply(a, b); }
  static uint64_t Int(uint64_t a, uint64_t b, IntType) { return a * b; }
  static bool Bool(bool a, bool b) { return a && b; }
};
struct Divide {
  static double Float(double a, double b) { return a / b; }
  static C Complex(C a, C b) { return complex_functions::Divide(a, b); }
  static uint64_t Int(uint64_t a, uint64_t b, IntType t) {
    if (b == 0) return ~uint64_t{0};
    if (!t.is_signed) return a / b;
    return Signed(b) == -1 ? -a : static_cast<uint64_t>(Signed(a) / Signed(b));
  }
};
struct Remainder {
  static double Float(double a, double b) { return std::fmod(a, b); }
  static C Complex(C a, C b) { return complex_functions::Remainder(a, b); }
  static uint64_t Int(uint64_t a, uint64_t b, IntType t) {
    if (b == 0) return a;
    if (!t.is_signed) return a % b;
    return Signed(b) == -1 ? 0 : static_cast<uint64_t>(Signed(a) % Signed(b));
  }
};
struct Power {
  static double Float(double a, double b) { return std::pow(a, b); }
  static C Complex(C a, C b) { return complex_functions::Power(a, b); }
  static uint64_t Int(uint64_t a, uint64_t b, IntType t) {
    if (t.is_signed && Signed(b) < 0) {
      if (Signed(a) == -1) return (b & 1) ? a : 1;
      return a == 1 ? 1 : 0;
    }
    uint64_t result = 1;
    for (; b != 0; b >>= 1, a *= a) {
      if (b & 1) result *= a;
    }
    return result;
  }
};
struct Maximum {
  static double Float(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
  }
  static C Complex(C a, C b) { return Less(a, b) ? b : a; }
  static uint64_t Int(uint64_t a, uint64_t b, IntType t) { return Less(a, b, t) ? b : a; }
  static bool Bool(bool a, bool b) { return a || b; }
};
struct Minimum {
  static double Float(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
  }
  static C Complex(C a, C b) { return Less(b, a) ? b : a; }
  static uint64_t Int(uint64_t a, uint64_t b, IntType t) { return Less(b, a, t) ? b : a; }
  static bool Bool(bool a, bool b) { return a && b; }
};
struct And {
  static uint64_t Int(uint64_t a, uint64_t b, IntType) { return a & b; }
  static bool Bool(bool a, bool b) { return a && b; }
};
struct Or {
  static uint64_t Int(uint64_t a, uint64_t b, IntType) { return a | b; }
  static bool Bool(bool a, bool b) { return a || b; }
};
struct Xor {
  static uint64_t Int(uint64_t a, uint64_t b, IntType) { return a ^ b; }
  static bool Bool(bool a, bool b) { return a != b; }
};
// Shift amounts are unsigned numbers of the type's width, so negative ones are too large.
struct ShiftLeft {
  static uint64_t Int(uint64_t a, uint64_t b, IntType t) {
    b &= t.Mask();
    return b >= static_cast<uint64_t>(t.bits) ? 0 : a << b;
  }
};
struct ShiftRightArithmetic {
  static uint64_t Int(uint64_t a, uint64_t b, IntType t) {
    b &= t.Mask();
    int64_t value = Signed(a << (64 - t.bits)) >> (64 - t.bits);
    return static_cast<uint64_t>(value >> (b >= static_cast<uint64_t>(t.bits) ? t.bits - 1 : b));
  }
};
struct ShiftRightLogical {
  static uint64_t Int(uint64_t a, uint64_t b, IntType t) {
    b &= t.Mask();
    return b >= static_cast<uint64_t>(t.bits) ? 0 : (a & t.Mask()) >> b;
  }
};
struct Atan2 {
  static double Float(double y, double x) { return std::atan2(y, x); }
  static C Complex(C y, C x) { return complex_functions::Atan2(y, x); }
};
struct Complex;

}  // namespace scalar
}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_SCALAR_FUNCTIONS_H_
