// The digits are those of LLVM's APFloat::toString, which is not always the nearest decimal: it
// drops low digits of the exact value before it rounds (Natural::KeepDigits), and rounds halves up.
#include "frontend/mlir/print_number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace halyard::mlir {
namespace {

using hlo::ElementType;

// A natural number of any size: digits of 32 bits, least significant first, none of them a leading
// zero.
class Natural {
 public:
  explicit Natural(uint64_t value) {
    for (; value != 0; value >>= 32) digits_.push_back(static_cast<uint32_t>(value));
  }
  bool IsZero() const { return digits_.empty(); }
  int Bits() const {
    if (IsZero()) return 0;
    return static_cast<int>(32 * digits_.size()) - std::countl_zero(digits_.back());
  }
  void Multiply(uint32_t factor) {
    uint64_t carry = 0;
    for (uint32_t& digit : digits_) {
      carry += uint64_t{digit} * factor;
      digit = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) digits_.push_back(static_cast<uint32_t>(carry));
  }
  uint32_t Divide(uint32_t divisor) {  // gives the remainder
    uint64_t rest = 0;
    for (size_t i = digits_.size(); i-- > 0;) {
      rest = rest << 32 | digits_[i];
      digits_[i] = static_cast<uint32_t>(rest / divisor);
      rest %= divisor;
    }
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
    return static_cast<uint32_t>(rest);
  }
  // Drops low decimal digits that `precision` digits do not need, and says how many.
  int KeepDigits(int precision) {
    const int needed = (precision * 196 + 58) / 59;  // bits; 196/59 is a little over lg 10
    const int bits = Bits();
    if (bits <= needed) return 0;
    const int dropped = (bits - needed) * 59 / 196;
    for (int i = 0; i < dropped; ++i) Divide(10);
    return dropped;
  }

 private:
  std::vector<uint32_t> digits_;
};

// digits[0].digits[1]… × 10^(exponent + digits - 1): `digits` without zeros at its end.
struct Decimal {
  std::string digits;
  int exponent = 0;  // of the last digit
};

// Halves up.
void Round(Decimal& decimal, int precision) {
  std::string& digits = decimal.digits;
  if (static_cast<int>(digits.size()) <= precision) return;
  const bool up = digits[precision] >= '5';
  decimal.exponent += static_cast<int>(digits.size()) - precision;
  digits.resize(precision);
  auto drop = [&] {
    digits.pop_back();
    ++decimal.exponent;
  };
  if (!up) {
    while (digits.size() > 1 && digits.back() == '0') drop();
    return;
  }
  while (!digits.empty() && digits.back() == '9') drop();
  if (digits.empty()) {
    digits = "1";
  } else {
    ++digits.back();
  }
}

// Of a positive value.
Decimal ToDecimal(double value, int precision) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  uint64_t significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  const int zeros = std::countr_zero(significand);
  significand >>= zeros;
  exponent += zeros;
  Natural number(significand);
  for (int i = 0; i < exponent; ++i) number.Multiply(2);
  for (int i = exponent; i < 0; ++i) number.Multiply(5);  // n / 2^e = n * 5^e / 10^e
  Decimal decimal{.exponent = std::min(exponent, 0)};
  decimal.exponent += number.KeepDigits(precision);
  while (!number.IsZero()) decimal.digits.push_back(static_cast<char>('0' + number.Divide(10)));
  std::reverse(decimal.digits.begin(), decimal.digits.end());
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  Round(decimal, precision);
  return decimal;
}

// 1.000000e+00
std::string SixDigits(double value) {
  std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + "0.000000e+00";
  Decimal decimal = ToDecimal(std::fabs(value), 6);
  const int exponent = decimal.exponent + static_cast<int>(decimal.digits.size()) - 1;
  decimal.digits.resize(7, '0');
  return absl::StrCat(sign, decimal.digits.substr(0, 1), ".", decimal.digits.substr(1), "e",
                      exponent < 0 ? "-" : "+", absl::StrFormat("%02d", std::abs(exponent)));
}

// 0.333333313, 1.17549435E-38, 765000
std::string AllDigits(double value, int precision) {
  std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + "0";
  const Decimal decimal = ToDecimal(std::fabs(value), precision);
  const int count = static_cast<int>(decimal.digits.size());
  const int leading = decimal.exponent + count - 1;  // power of the first digit
  const bool scientific = decimal.exponent >= 0
                              ? decimal.exponent > 3 || count + decimal.exponent > precision
                              : leading < -3;
  if (scientific) {
    return absl::StrCat(sign, decimal.digits.substr(0, 1), ".",
                        count == 1 ? "0" : decimal.digits.substr(1), "E", leading < 0 ? "-" : "+",
                        std::abs(leading));
  }
  if (decimal.exponent >= 0) {
    return absl::StrCat(sign, decimal.digits, std::string(decimal.exponent, '0'));
  }
  if (leading >= 0) {
    return absl::StrCat(sign, decimal.digits.substr(0, leading + 1), ".",
                        decimal.digits.substr(leading + 1));
  }
  return absl::StrCat(sign, "0.", std::string(-leading - 1, '0'), decimal.digits);
}

}  // namespace

std::string FormatFloat(ElementType type, uint64_t bits) {
  const double value = hlo::DecodeFloat(type, bits);
  if (std::isfinite(value)) {
    std::string text = SixDigits(value);
    double back = 0;
    if (absl::SimpleAtod(text, &back) && hlo::EncodeFloat(type, back) == bits) return text;
    const int precision = hlo::FormatOf(type).mantissa_bits + 1;
    text = AllDigits(value, 2 + precision * 59 / 196);
    if (text.find('.') != std::string::npos && absl::SimpleAtod(text, &back) &&
        hlo::EncodeFloat(type, back) == bits) {
      return text;
    }
  }
  return absl::StrFormat("0x%0*X", (hlo::BitWidth(type) + 3) / 4, bits);
}

std::string FormatScale(double value) {
  std::string text = absl::StrFormat("%.6e", value);
  double back = 0;
  if (absl::SimpleAtod(text, &back) && back == value) return text;
  return absl::StrFormat("%.17g", value);
}

}  // namespace halyard::mlir
