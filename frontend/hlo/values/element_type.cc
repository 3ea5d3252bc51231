#include "frontend/hlo/values/element_type.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace halyard::hlo {
namespace {

struct TypeRow {
  absl::string_view hlo;
  absl::string_view mlir;
  int bits;
  ElementClass type_class;
};

constexpr TypeRow kRows[] = {
#define HALYARD_ROW(name, hlo, mlir, bits, type_class) {hlo, mlir, bits, ElementClass::type_class},
    HALYARD_ELEMENT_TYPES(HALYARD_ROW)
#undef HALYARD_ROW
};
constexpr int kNumTypes = sizeof(kRows) / sizeof(kRows[0]);

constexpr absl::string_view kNumpyNames[] = {
    "bool",
    "int2",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint2",
    "uint4",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e4m3b11fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "bfloat16",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
};
static_assert(sizeof(kNumpyNames) / sizeof(kNumpyNames[0]) == kNumTypes);

const TypeRow& Row(ElementType type) { return kRows[static_cast<int>(type)]; }

uint64_t LowBits(int n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }

// Code of the largest finite magnitude.
uint64_t MaxFinite(const FloatFormat& f) {
  uint64_t all = LowBits(f.exponent_bits + f.mantissa_bits);
  if (f.nan == FloatFormat::Nan::kIeee) return all - (uint64_t{1} << f.mantissa_bits);
  if (f.nan == FloatFormat::Nan::kAllOnes) return all - 1;
  return all;
}

uint64_t NanCode(const FloatFormat& f, bool negative) {
  int magnitude_bits = f.exponent_bits + f.mantissa_bits;
  uint64_t sign = f.has_sign && negative ? uint64_t{1} << magnitude_bits : 0;
  switch (f.nan) {
    case FloatFormat::Nan::kIeee:
      return sign | (LowBits(f.exponent_bits) << f.mantissa_bits) |
             (uint64_t{1} << (f.mantissa_bits - 1));
    case FloatFormat::Nan::kAllOnes:
      return sign | LowBits(magnitude_bits);
    case FloatFormat::Nan::kNegativeZero:
    case FloatFormat::Nan::kNone:  // nothing better: ml_dtypes also gives -0
      return uint64_t{1} << magnitude_bits;
  }
  return 0;
}

uint64_t EncodeSmall(const FloatFormat& f, double value) {
  uint64_t u = std::bit_cast<uint64_t>(value);
  bool negative = u >> 63;
  int exponent = static_cast<int>((u >> 52) & 0x7ff);
  uint64_t mantissa = u & LowBits(52);
  int magnitude_bits = f.exponent_bits + f.mantissa_bits;
  if (exponent == 0x7ff && mantissa != 0) return NanCode(f, negative);
  uint64_t sign = negative && f.has_sign ? uint64_t{1} << magnitude_bits : 0;
  if (!f.has_sign && negative && value != 0) return NanCode(f, false);
  uint64_t code = 0;
  bool overflow = exponent == 0x7ff;
  if (!overflow && exponent != 0) {
    // A subnormal double is below half of the least value of every type here.
    int unbiased = exponent - 1023;
    int least = f.has_zero ? 1 - f.bias : -f.bias;  // exponent of the least normal value
    if (!f.has_zero && unbiased < least) {
      code = 0;
    } else {
      int shift = 52 - f.mantissa_bits + (unbiased < least ? least - unbiased : 0);
      if (shift <= 54) {
        uint64_t significand = mantissa | (uint64_t{1} << 52);
        uint64_t base = unbiased < least ? 0 : uint64_t(unbiased - least) << f.mantissa_bits;
        uint64_t truncated = significand >> shift;
        // f8E8M0FNU has one significand bit, which is implied, and no denormals.
        code = base + (f.has_zero ? truncated : truncated - 1);
        uint64_t rest = significand & LowBits(shift);
        uint64_t half = uint64_t{1} << (shift - 1);
        // Where no significand is even, IEEE 754 wants the larger neighbour of a tie (4.3.1).
        bool odd = f.mantissa_bits == 0 || (code & 1);
        if (rest > half || (rest == half && odd)) ++code;
      }
    }
    overflow = code > MaxFinite(f);
  }
  if (overflow) {
    if (f.has_infinity) return sign | (LowBits(f.exponent_bits) << f.mantissa_bits);
    if (f.nan != FloatFormat::Nan::kNone) return NanCode(f, negative);
    return sign | MaxFinite(f);
  }
  if (code == 0 && f.nan == FloatFormat::Nan::kNegativeZero) return 0;  // -0 is NaN there
  return sign | code;
}

double DecodeSmall(const FloatFormat& f, uint64_t bits) {
  int magnitude_bits = f.exponent_bits + f.mantissa_bits;
  bool negative = f.has_sign && ((bits >> magnitude_bits) & 1);
  uint64_t magnitude = bits & LowBits(magnitude_bits);
  uint64_t exponent = magnitude >> f.mantissa_bits;
  uint64_t mantissa = magnitude & LowBits(f.mantissa_bits);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  bool top = exponent == LowBits(f.exponent_bits);
  if (f.nan == FloatFormat::Nan::kIeee && top) {
    if (mantissa == 0) return negative ? -HUGE_VAL : HUGE_VAL;
    return std::bit_cast<double>((uint64_t(negative) << 63) | (uint64_t{0x7ff} << 52) |
                                 (mantissa << (52 - f.mantissa_bits)));
  }
  if (f.nan == FloatFormat::Nan::kAllOnes && magnitude == LowBits(magnitude_bits)) {
    return negative ? -nan : nan;
  }
  if (f.nan == FloatFormat::Nan::kNegativeZero && negative && magnitude == 0) return nan;
  double value;
  if (exponent == 0 && f.has_zero) {
    value = std::ldexp(static_cast<double>(mantissa), 1 - f.bias - f.mantissa_bits);
  } else {
    uint64_t e = exponent + 1023 - f.bias;
    value = std::bit_cast<double>((e << 52) | (mantissa << (52 - f.mantissa_bits)));
  }
  return negative ? -value : value;
}

// All values of the types of at most 8 bits.
struct SmallTables {
  std::array<std::array<double, 256>, kNumTypes> values;
  SmallTables() {
    for (int t = 0; t < kNumTypes; ++t) {
      if (kRows[t].type_class != ElementClass::kFloat || kRows[t].bits > 8) continue;
      FloatFormat format = FormatOf(static_cast<ElementType>(t));
      for (int i = 0; i < 256; ++i) values[t][i] = DecodeSmall(format, i);
    }
  }
};

}  // namespace

ElementClass ClassOf(ElementType type) { return Row(type).type_class; }
int BitWidth(ElementType type) { return Row(type).bits; }
int StorageBytes(ElementType type) { return Row(type).bits <= 8 ? 1 : Row(type).bits / 8; }
absl::string_view HloName(ElementType type) { return Row(type).hlo; }
absl::string_view MlirName(ElementType type) { return Row(type).mlir; }
absl::string_view NumpyName(ElementType type) { return kNumpyNames[static_cast<int>(type)]; }

std::optional<ElementType> ElementTypeFromHloName(absl::string_view name) {
  for (int t = 0; t < kNumTypes; ++t) {
    if (kRows[t].hlo == name) return static_cast<ElementType>(t);
  }
  return std::nullopt;
}

std::optional<ElementType> ElementTypeFromMlirName(absl::string_view name) {
  for (int t = 0; t < kNumTypes; ++t) {
    if (kRows[t].mlir == name) return static_cast<ElementType>(t);
    if (kRows[t].type_class == ElementClass::kSigned && name.size() > 1 && name[0] == 's' &&
        kRows[t].mlir == name.substr(1)) {
      return static_cast<ElementType>(t);
    }
  }
  return std::nullopt;
}

std::optional<ElementType> ElementTypeFromNumpyName(absl::string_view name) {
  for (int t = 0; t < kNumTypes; ++t) {
    if (kNumpyNames[t] == name) return static_cast<ElementType>(t);
  }
  return std::nullopt;
}

ElementType PartType(ElementType type) {
  if (type == ElementType::kC64) return ElementType::kF32;
  if (type == ElementType::kC128) return ElementType::kF64;
  return type;
}

FloatFormat FormatOf(ElementType type) {
  using Nan = FloatFormat::Nan;
  switch (type) {
    case ElementType::kF4E2M1FN:
      return {2, 1, 1, true, false, Nan::kNone, true};
    case ElementType::kF6E2M3FN:
      return {2, 3, 1, true, false, Nan::kNone, true};
    case ElementType::kF6E3M2FN:
      return {3, 2, 3, true, false, Nan::kNone, true};
    case ElementType::kF8E3M4:
      return {3, 4, 3, true, true, Nan::kIeee, true};
    case ElementType::kF8E4M3:
      return {4, 3, 7, true, true, Nan::kIeee, true};
    case ElementType::kF8E4M3FN:
      return {4, 3, 7, true, false, Nan::kAllOnes, true};
    case ElementType::kF8E4M3FNUZ:
      return {4, 3, 8, true, false, Nan::kNegativeZero, true};
    case ElementType::kF8E4M3B11FNUZ:
      return {4, 3, 11, true, false, Nan::kNegativeZero, true};
    case ElementType::kF8E5M2:
      return {5, 2, 15, true, true, Nan::kIeee, true};
    case ElementType::kF8E5M2FNUZ:
      return {5, 2, 16, true, false, Nan::kNegativeZero, true};
    case ElementType::kF8E8M0FNU:
      return {8, 0, 127, false, false, Nan::kAllOnes, false};
    case ElementType::kBF16:
      return {8, 7, 127, true, true, Nan::kIeee, true};
    case ElementType::kF16:
      return {5, 10, 15, true, true, Nan::kIeee, true};
    case ElementType::kF32:
      return {8, 23, 127, true, true, Nan::kIeee, true};
    default:
      return {11, 52, 1023, true, true, Nan::kIeee, true};
  }
}

uint64_t EncodeFloat(ElementType type, double value) {
  if (type == ElementType::kF64) return std::bit_cast<uint64_t>(value);
  if (type == ElementType::kF32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return EncodeSmall(FormatOf(type), value);
}

double DecodeFloat(ElementType type, uint64_t bits) {
  if (type == ElementType::kF64) return std::bit_cast<double>(bits);
  if (type == ElementType::kF32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == ElementType::kBF16) return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  if (type == ElementType::kF16) return DecodeSmall(FormatOf(type), bits);
  static const SmallTables* tables = new SmallTables();
  return tables->values[static_cast<int>(type)][bits & 0xff];
}

}  // namespace halyard::hlo
