// Literal::ToString.
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/literal.h"

namespace halyard::hlo {
namespace {

// Shortest decimal that rounds to the same bits.
std::string FloatText(ElementType type, double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  std::to_chars_result end{};
  if (type == ElementType::kF64) {
    end = std::to_chars(buffer, buffer + sizeof(buffer), value);
  } else if (type == ElementType::kF32) {
    end = std::to_chars(buffer, buffer + sizeof(buffer), static_cast<float>(value));
  } else {
    uint64_t bits = EncodeFloat(type, value);
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
      absl::StrAppend(out, FloatText(type, literal.GetFloat(i)));
      return;
    case ElementClass::kComplex: {
      std::complex<double> value = literal.GetComplex(i);
      ElementType part = PartType(type);
      absl::StrAppend(out, "(", FloatText(part, value.real()), ", ",
                      FloatText(part, value.imag()), ")");
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
