// Literal::ToString.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/values/literal.h"

namespace halyard::hlo {
namespace {

// `nan`, or `nan(0x7fc001)` with the mantissa's bits where they are not just the quiet bit.
std::string NanText(ElementType type, uint64_t bits) {
  FloatFormat format = FormatOf(type);
  uint64_t payload = bits & ((uint64_t{1} << format.mantissa_bits) - 1);
  bool negative = bits >> (format.exponent_bits + format.mantissa_bits) & 1;
  bool plain =
      format.nan != FloatFormat::Nan::kIeee || payload == uint64_t{1} << (format.mantissa_bits - 1);
  // NaN has no sign in formats whose only NaN has the bits of minus zero. In the others, a lone NaN
  // is all ones under either sign.
  std::string text = negative && format.nan != FloatFormat::Nan::kNegativeZero ? "-nan" : "nan";
  return plain ? text : absl::StrCat(text, "(0x", absl::Hex(payload), ")");
}

// Shortest decimal that rounds to the same bits.
std::string FloatText(ElementType type, double value, uint64_t bits) {
  if (std::isnan(value)) return NanText(type, bits);
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  std::to_chars_result end{};
  // Formats that saturate would read any large number as their largest, so those are printed
  // exactly.
  bool saturates = FormatOf(type).nan == FloatFormat::Nan::kNone;
  if (type == ElementType::kF64 || saturates) {
    end = std::to_chars(buffer, buffer + sizeof(buffer), value);
  } else if (type == ElementType::kF32) {
    end = std::to_chars(buffer, buffer + sizeof(buffer), static_cast<float>(value));
  } else {
    for (int digits = 1; digits <= 17; ++digits) {
      end = std::to_chars(buffer, buffer + sizeof(buffer) - 1, value, std::chars_format::general,
                          digits);
      *end.ptr = 0;
      if (EncodeFloat(type, std::strtod(buffer, nullptr)) == bits) break;
    }
  }
  return std::string(buffer, end.ptr);
}

void AppendElement(const Literal& literal, int64_t i, std::string* out) {
  ElementType type = literal.shape().element_type();
  switch (ClassOf(type)) {
    case ElementClass::kBool:
      absl::StrAppend(out, literal.GetInt(i) != 0 ? "true" : "false");
      return;
    case ElementClass::kSigned:
      absl::StrAppend(out, literal.GetInt(i));
      return;
    case ElementClass::kUnsigned:
      absl::StrAppend(out, literal.GetUint(i));
      return;
    case ElementClass::kFloat:
      absl::StrAppend(out, FloatText(type, literal.GetFloat(i), literal.GetBits(i)));
      return;
    case ElementClass::kComplex: {
      std::complex<double> value = literal.GetComplex(i);
      ElementType part = PartType(type);
      uint64_t bits[2] = {0, 0};
      int bytes = StorageBytes(part);
      for (int p = 0; p < 2; ++p) {
        std::memcpy(&bits[p], literal.bytes().data() + (2 * i + p) * bytes, bytes);
      }
      absl::StrAppend(out, "(", FloatText(part, value.real(), bits[0]), ", ",
                      FloatText(part, value.imag(), bits[1]), ")");
      return;
    }
  }
}

void AppendArray(const Literal& literal, int64_t dim, int64_t* at, std::string* out) {
  const Shape& shape = literal.shape();
  if (dim == shape.rank()) {
    AppendElement(literal, (*at)++, out);
    return;
  }
  bool inner = dim + 1 == shape.rank();
  absl::StrAppend(out, inner ? "{" : "{ ");
  for (int64_t i = 0; i < shape.dim(dim); ++i) {
    if (i > 0) absl::StrAppend(out, ", ");
    AppendArray(literal, dim + 1, at, out);
  }
  absl::StrAppend(out, inner ? "}" : " }");
}

}  // namespace

std::string Literal::ToString() const {
  std::string text;
  if (shape_.IsToken()) return "token";
  if (shape_.IsTuple()) {
    text = "(";
    for (size_t i = 0; i < elements_.size(); ++i) {
      absl::StrAppend(&text, i > 0 ? ", " : "", elements_[i].ToString());
    }
    return text + ")";
  }
  if (shape_.NumElements() == 0 && shape_.rank() > 0) return "{}";
  int64_t at = 0;
  AppendArray(*this, 0, &at, &text);
  return text;
}

}  // namespace halyard::hlo
