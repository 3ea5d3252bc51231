// Element types of HLO values: names, widths and classes.
#ifndef HALYARD_FRONTEND_HLO_VALUES_ELEMENT_TYPE_H_
#define HALYARD_FRONTEND_HLO_VALUES_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace halyard::hlo {

// One row for each element type: enumerator, HLO text name, StableHLO (MLIR) name, width in bits,
// class. The width is that of the value; StorageBytes() says how a value is stored.
#define HALYARD_ELEMENT_TYPES(V)                                 \
  V(kPred, "pred", "i1", 1, kBool)                               \
  V(kS2, "s2", "i2", 2, kSigned)                                 \
  V(kS4, "s4", "i4", 4, kSigned)                                 \
  V(kS8, "s8", "i8", 8, kSigned)                                 \
  V(kS16, "s16", "i16", 16, kSigned)                             \
  V(kS32, "s32", "i32", 32, kSigned)                             \
  V(kS64, "s64", "i64", 64, kSigned)                             \
  V(kU2, "u2", "ui2", 2, kUnsigned)                              \
  V(kU4, "u4", "ui4", 4, kUnsigned)                              \
  V(kU8, "u8", "ui8", 8, kUnsigned)                              \
  V(kU16, "u16", "ui16", 16, kUnsigned)                          \
  V(kU32, "u32", "ui32", 32, kUnsigned)                          \
  V(kU64, "u64", "ui64", 64, kUnsigned)                          \
  V(kF4E2M1FN, "f4e2m1fn", "f4E2M1FN", 4, kFloat)                \
  V(kF6E2M3FN, "f6e2m3fn", "f6E2M3FN", 6, kFloat)                \
  V(kF6E3M2FN, "f6e3m2fn", "f6E3M2FN", 6, kFloat)                \
  V(kF8E3M4, "f8e3m4", "f8E3M4", 8, kFloat)                      \
  V(kF8E4M3, "f8e4m3", "f8E4M3", 8, kFloat)                      \
  V(kF8E4M3FN, "f8e4m3fn", "f8E4M3FN", 8, kFloat)                \
  V(kF8E4M3FNUZ, "f8e4m3fnuz", "f8E4M3FNUZ", 8, kFloat)          \
  V(kF8E4M3B11FNUZ, "f8e4m3b11fnuz", "f8E4M3B11FNUZ", 8, kFloat) \
  V(kF8E5M2, "f8e5m2", "f8E5M2", 8, kFloat)                      \
  V(kF8E5M2FNUZ, "f8e5m2fnuz", "f8E5M2FNUZ", 8, kFloat)          \
  V(kF8E8M0FNU, "f8e8m0fnu", "f8E8M0FNU", 8, kFloat)             \
  V(kBF16, "bf16", "bf16", 16, kFloat)                           \
  V(kF16, "f16", "f16", 16, kFloat)                              \
  V(kF32, "f32", "f32", 32, kFloat)                              \
  V(kF64, "f64", "f64", 64, kFloat)                              \
  V(kC64, "c64", "complex<f32>", 64, kComplex)                   \
  V(kC128, "c128", "complex<f64>", 128, kComplex)

enum class ElementType : uint8_t {
#define HALYARD_ENUMERATOR(name, hlo, mlir, bits, type_class) name,
  HALYARD_ELEMENT_TYPES(HALYARD_ENUMERATOR)
#undef HALYARD_ENUMERATOR
};

enum class ElementClass : uint8_t { kBool, kSigned, kUnsigned, kFloat, kComplex };

ElementClass ClassOf(ElementType type);
int BitWidth(ElementType type);
// Returns the bytes of one stored element. Types narrower than a byte take a byte each (the low
// bits, sign-extended for signed integers). PRED is a byte of 0 or 1. A complex number is stored as
// its real part, then its imaginary part.
int StorageBytes(ElementType type);
absl::string_view HloName(ElementType type);
absl::string_view MlirName(ElementType type);
std::optional<ElementType> ElementTypeFromHloName(absl::string_view name);
// Also takes the `siN` spelling.
std::optional<ElementType> ElementTypeFromMlirName(absl::string_view name);
// NumPy / ml_dtypes name: "bool", "int8", "float8_e4m3fn", "bfloat16", "complex64", …
absl::string_view NumpyName(ElementType type);
std::optional<ElementType> ElementTypeFromNumpyName(absl::string_view name);

inline bool IsFloat(ElementType t) { return ClassOf(t) == ElementClass::kFloat; }
inline bool IsSigned(ElementType t) { return ClassOf(t) == ElementClass::kSigned; }
inline bool IsUnsigned(ElementType t) { return ClassOf(t) == ElementClass::kUnsigned; }
inline bool IsInteger(ElementType t) { return IsSigned(t) || IsUnsigned(t); }
inline bool IsComplex(ElementType t) { return ClassOf(t) == ElementClass::kComplex; }
// Returns kF32 for kC64, kF64 for kC128, and any other type unchanged.
ElementType PartType(ElementType type);

// The binary format of a float type. Bias and widths are as in the type's specification (those of
// the OCP, the IEEE and vendors).
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_sign;  // false: f8E8M0FNU only
  bool has_infinity;
  enum class Nan : uint8_t {
    kIeee,
    kAllOnes,
    kNegativeZero,
    kNone
  } nan;          // kAllOnes: exponent and mantissa all ones
  bool has_zero;  // false: f8E8M0FNU only
};
FloatFormat FormatOf(ElementType float_type);

// Rounds `value` to nearest even in `type` (overflow gives infinity, else NaN, else the largest
// finite value) and returns the bits; and converts back. Exact for every float type up to kF64.
uint64_t EncodeFloat(ElementType float_type, double value);
double DecodeFloat(ElementType float_type, uint64_t bits);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_ELEMENT_TYPE_H_
