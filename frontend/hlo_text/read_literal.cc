#include "frontend/hlo_text/read_literal.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard::hlo_text {
namespace {

using hlo::ElementClass;
using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

// Halfway between the largest finite value and the next step: a number that rounds above it has no
// finite result.
double RoundingLimit(ElementType type) {
  uint64_t patterns = uint64_t{1} << hlo::BitWidth(type);
  double largest = 0, second = 0;
  for (uint64_t bits = 0; bits < patterns; ++bits) {
    double value = hlo::DecodeFloat(type, bits);
    if (!std::isfinite(value) || value <= second) continue;
    if (value > largest) {
      second = std::exchange(largest, value);
    } else if (value < largest) {
      second = value;
    }
  }
  return largest + (largest - second) / 2;
}

// Values of one array, appended as they are read.
class ArrayReader {
 public:
  ArrayReader(Cursor& cursor, const Shape& shape)
      : cursor_(cursor), shape_(shape), type_(shape.element_type()) {}

  bool Read(Literal* literal) {
    if (!CheckElided()) return false;
    bool empty = hlo::CheckedByteSize(type_, shape_.dims()) == 0;
    if (empty ? !ReadEmpty() : !ReadDim(0)) return false;
    *literal = Literal::FromBytes(shape_, std::move(bytes_));
    return true;
  }

 private:
  bool CheckElided() {
    if (!cursor_.PeekText("{...}") && !cursor_.PeekText("...")) return true;
    return cursor_.Fail(
        "the constant's value is elided ('{...}'); print the module with large constants "
        "(as_hlo_text(print_large_constants=True), or XLA_FLAGS=--xla_dump_large_constants)");
  }

  // Reads an array without elements, which is any balanced braces.
  bool ReadEmpty() {
    size_t place = cursor_.Offset();
    absl::string_view text;
    if (!cursor_.Braces(&text)) return false;
    if (text.find_first_not_of("{}, \t\r\n") == absl::string_view::npos) return true;
    return cursor_.Fail(place, absl::StrCat("values for ", shape_.ToString(), ", which has none"));
  }

  bool ReadDim(int64_t dim) {
    if (dim == shape_.rank()) return ReadElement();
    size_t place = cursor_.Offset();
    if (!CheckElided() || !cursor_.Expect('{')) return false;
    int64_t count = 0;
    do {
      if (count == shape_.dim(dim)) return WrongCount(cursor_.Offset(), dim, "more");
      if (!ReadDim(dim + 1)) return false;
      ++count;
    } while (cursor_.TryChar(','));
    if (count != shape_.dim(dim)) return WrongCount(place, dim, "fewer");
    return cursor_.Expect('}');
  }

  bool WrongCount(size_t place, int64_t dim, absl::string_view how) {
    return cursor_.Fail(place, absl::StrCat("dimension ", dim, " has ", how, " values than ",
                                            shape_.ToString(), " says"));
  }

  void Append(uint64_t bits, int bytes) {
    size_t at = bytes_.size();
    bytes_.resize(at + bytes);
    std::memcpy(bytes_.data() + at, &bits, bytes);  // little-endian
  }

  bool ReadElement() {
    switch (hlo::ClassOf(type_)) {
      case ElementClass::kBool:
        return ReadBool();
      case ElementClass::kSigned:
        return ReadInteger<int64_t>();
      case ElementClass::kUnsigned:
        return ReadInteger<uint64_t>();
      case ElementClass::kFloat:
        return ReadFloat(type_);
      case ElementClass::kComplex:
        break;
    }
    ElementType part = hlo::PartType(type_);
    if (!cursor_.TryChar('(')) {
      if (!ReadFloat(part)) return false;
      Append(0, hlo::StorageBytes(part));
      return true;
    }
    return ReadFloat(part) && cursor_.Expect(',') && ReadFloat(part) && cursor_.Expect(')');
  }

  bool ReadBool() {
    size_t place = cursor_.Offset();
    absl::string_view text = cursor_.NumberText();
    bool value = text == "true" || text == "1";
    if (!value && text != "false" && text != "0") {
      return cursor_.Fail(place, "expected true or false");
    }
    Append(value, 1);
    return true;
  }

  template <typename T>
  bool ReadInteger() {
    size_t place = cursor_.Offset();
    absl::string_view text = cursor_.NumberText();
    T value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    int bits = hlo::BitWidth(type_);
    bool fits = error == std::errc();
    if (fits && bits < 64) {
      T limit = T{1} << (std::is_signed_v<T> ? bits - 1 : bits);
      fits = value < limit && (!std::is_signed_v<T> || value >= -limit);
    }
    // from_chars does not accept a minus sign for unsigned types; -5 is an integer that is out of
    // range.
    bool negative = !std::is_signed_v<T> && text.size() > 1 && text[0] == '-' &&
                    text.find_first_not_of("0123456789", 1) == absl::string_view::npos;
    if (negative || (end == text.data() + text.size() && !text.empty() && !fits)) {
      return cursor_.Fail(place, absl::StrCat(text, " does not fit ", hlo::HloName(type_)));
    }
    if (text.empty() || end != text.data() + text.size()) {
      return cursor_.Fail(place, absl::StrCat("expected an integer of type ", hlo::HloName(type_)));
    }
    Append(static_cast<uint64_t>(value), hlo::StorageBytes(type_));
    return true;
  }

  bool ReadFloat(ElementType type) {
    size_t place = cursor_.Offset();
    absl::string_view text = cursor_.NumberText();
    absl::string_view digits = text;
    bool negative = !digits.empty() && digits[0] == '-';
    if (negative || (!digits.empty() && digits[0] == '+')) digits.remove_prefix(1);
    uint64_t bits = 0;
    bool ok = absl::StartsWithIgnoreCase(digits, "nan")
                  ? EncodeNan(place, digits, type, negative, &bits)
                  : EncodeNumber(place, digits, type, negative, &bits);
    if (!ok) return false;
    Append(bits, hlo::StorageBytes(type));
    return true;
  }

  bool NoFloat(size_t place, ElementType type) {
    return cursor_.Fail(place, absl::StrCat("expected a number of type ", hlo::HloName(type)));
  }

  // `nan`, or `nan(0x…)` with the mantissa's bits.
  bool EncodeNan(size_t place, absl::string_view text, ElementType type, bool negative,
                 uint64_t* bits) {
    hlo::FloatFormat format = hlo::FormatOf(type);
    if (format.nan == hlo::FloatFormat::Nan::kNone) {
      return cursor_.Fail(place, absl::StrCat(hlo::HloName(type), " has no NaN"));
    }
    uint64_t payload = 0;
    if (text.size() > 3) {
      bool valid = absl::StartsWith(text.substr(3), "(0x") && text.back() == ')';
      if (valid) {
        const char* last = text.data() + text.size() - 1;
        auto [end, error] = std::from_chars(text.data() + 6, last, payload, 16);
        valid = error == std::errc() && end == last && payload != 0 &&
                payload >> format.mantissa_bits == 0;
      }
      if (!valid) return cursor_.Fail(place, "the NaN's payload does not fit the mantissa");
    }
    if (payload != 0 && format.nan == hlo::FloatFormat::Nan::kIeee) {
      uint64_t exponent = ((uint64_t{1} << format.exponent_bits) - 1) << format.mantissa_bits;
      uint64_t sign = uint64_t{negative} << (format.exponent_bits + format.mantissa_bits);
      *bits = sign | exponent | payload;
    } else {
      double nan = std::numeric_limits<double>::quiet_NaN();
      *bits = hlo::EncodeFloat(type, negative ? -nan : nan);
    }
    return true;
  }

  bool EncodeNumber(size_t place, absl::string_view text, ElementType type, bool negative,
                    uint64_t* bits) {
    if (text.empty() || text[0] == '-' || text[0] == '+') return NoFloat(place, type);
    auto format = std::chars_format::general;
    if (absl::StartsWithIgnoreCase(text, "0x")) {
      format = std::chars_format::hex;
      text.remove_prefix(2);
    }
    const char* last = text.data() + text.size();
    double value = 0;
    std::from_chars_result end{};
    if (type == ElementType::kF32) {  // straight to float: rounding twice can differ
      float narrow = 0;
      end = std::from_chars(text.data(), last, narrow, format);
      value = narrow;
    } else {
      end = std::from_chars(text.data(), last, value, format);
    }
    if (end.ptr != last || end.ec == std::errc::invalid_argument) return NoFloat(place, type);
    bool large = false;
    if (end.ec == std::errc::result_out_of_range) {
      // The number is too large or too small. The C functions tell which, and round the latter.
      std::string whole = absl::StrCat(format == std::chars_format::hex ? "0x" : "", text);
      value = type == ElementType::kF32 ? std::strtof(whole.c_str(), nullptr)
                                        : std::strtod(whole.c_str(), nullptr);
      large = std::isinf(value);
      if (large) value = 0;
    }
    hlo::FloatFormat of = hlo::FormatOf(type);
    bool infinite = std::isinf(value);
    if (infinite && !of.has_infinity) {
      return cursor_.Fail(place, absl::StrCat(hlo::HloName(type), " has no infinity"));
    }
    if (negative && !of.has_sign) {
      return cursor_.Fail(place, absl::StrCat(hlo::HloName(type), " has no negative values"));
    }
    *bits = hlo::EncodeFloat(type, negative ? -value : value);
    if (!infinite && !large) {
      large = !std::isfinite(hlo::DecodeFloat(type, *bits)) ||
              (of.nan == hlo::FloatFormat::Nan::kNone && value > RoundingLimit(type));
    }
    return !large ||
           cursor_.Fail(place, absl::StrCat("the number is too large for ", hlo::HloName(type)));
  }

  Cursor& cursor_;
  const Shape& shape_;
  ElementType type_;
  std::vector<std::byte> bytes_;
};

}  // namespace

bool ReadLiteral(Cursor& cursor, const Shape& shape, Literal* literal) {
  if (shape.IsDynamic()) {
    return cursor.Fail(
        absl::StrCat("a constant has a known size, which ", shape.ToString(), " does not say"));
  }
  // Old dumps repeat the shape before the value.
  if (!shape.IsTuple() && cursor.Peek() != '(' && AtShape(cursor)) {
    size_t place = cursor.Offset();
    Shape repeated;
    if (!ReadShape(cursor, &repeated)) return false;
    if (!Shape::SameIgnoringLayout(repeated, shape)) {
      return cursor.Fail(
          place, absl::StrCat("a value of type ", repeated.ToString(), " for ", shape.ToString()));
    }
  }
  if (shape.IsArray()) return ArrayReader(cursor, shape).Read(literal);
  if (shape.IsToken()) return cursor.Fail("a token is no constant");
  std::vector<Literal> elements;
  if (!cursor.Expect('(')) return false;
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    if (i > 0 && !cursor.Expect(',')) return false;
    if (!ReadLiteral(cursor, shape.elements()[i], &elements.emplace_back())) return false;
  }
  *literal = Literal::Tuple(std::move(elements));
  return cursor.Expect(')');
}

}  // namespace halyard::hlo_text
