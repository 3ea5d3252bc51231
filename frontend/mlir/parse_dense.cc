// Attributes that hold elements: dense<…>, array<…>, dense_resource<…>. Decoded straight into the
// bytes of a literal.
#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/shape.h"
#include "frontend/mlir/parser.h"

namespace halyard::mlir {
namespace {

using hlo::ElementType;

void AppendBits(ElementType type, uint64_t bits, std::vector<std::byte>* bytes) {
  size_t at = bytes->size();
  int size = hlo::StorageBytes(type);
  bytes->resize(at + size);
  std::memcpy(bytes->data() + at, &bits, size);  // little-endian, as every target is
}

bool FitsElement(ElementType type, uint64_t magnitude, bool negative) {
  int width = hlo::BitWidth(type);
  if (type == ElementType::kPred) return magnitude <= 1;
  // MLIR prints signless integers as signed and takes both ranges.
  if (negative) {
    return magnitude == 0 || (hlo::IsSigned(type) && magnitude <= uint64_t{1} << (width - 1));
  }
  return width == 64 || magnitude < uint64_t{1} << width;
}

// The stored form: sign-extended to the byte for types narrower than one.
uint64_t StoredBits(ElementType type, uint64_t bits) {
  int width = hlo::BitWidth(type);
  if (width >= 8 || !hlo::IsSigned(type)) return bits;
  uint64_t sign = uint64_t{1} << (width - 1);
  return ((bits & (2 * sign - 1)) ^ sign) - sign;
}

int HexDigit(char c) {
  return absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10;
}

}  // namespace

// Fills in the element type and count of `data`, from a tensor type.
bool Parser::DenseType(const Type* type, size_t offset, DenseData* data) {
  if (!type->IsTensor()) {
    return Fail(offset, absl::StrCat("elements need a tensor type, not ", ToString(*type)));
  }
  std::optional<ElementType> element = ScalarType(*type->elements[0]);
  if (!element.has_value()) {
    return Fail(offset,
                absl::StrCat("no constants of element type ", ToString(*type->elements[0])));
  }
  for (int64_t dim : type->dims) {
    if (dim == kDynamic) return Fail(offset, "a constant cannot have a dynamic dimension");
  }
  int64_t bytes = hlo::CheckedByteSize(*element, type->dims);
  if (bytes < 0) return Fail(offset, absl::StrCat(ToString(*type), " is too large"));
  data->element_type = *element;
  data->count = bytes / hlo::StorageBytes(*element);
  return true;
}

// A number or boolean of a type that is not complex.
bool Parser::ParseDensePart(ElementType type, std::vector<std::byte>* bytes) {
  size_t offset = token_.offset;
  auto wrong = [&] {
    return Fail(offset, absl::StrCat("expected an element of type ", hlo::MlirName(type)));
  };
  if (IsKeyword("true") || IsKeyword("false")) {
    if (type != ElementType::kPred) return wrong();
    AppendBits(type, token_.text == "true", bytes);
    Advance();
    return true;
  }
  bool negative = Try('-');
  if (!negative) Try('+');
  if (!Is(Tok::kInteger) && !Is(Tok::kFloat)) return FailHere("expected an element");
  absl::string_view text = token_.text;
  bool hex = text.size() > 2 && text[1] == 'x';
  uint64_t bits = 0;
  int width = hlo::BitWidth(type);
  if (hlo::IsFloat(type)) {
    double value = 0;
    if (hex) {
      if (negative || !absl::SimpleHexAtoi(text, &bits) || (width < 64 && bits >> width != 0)) {
        return wrong();
      }
    } else {
      if (!absl::SimpleAtod(text, &value)) return wrong();
      bits = hlo::EncodeFloat(type, negative ? -value : value);
    }
  } else {
    bool good = Is(Tok::kInteger) &&
                (hex ? absl::SimpleHexAtoi(text, &bits) : absl::SimpleAtoi(text, &bits));
    if (!good || !FitsElement(type, bits, negative)) return wrong();
    if (negative) bits = 0 - bits;
    bits = StoredBits(type, bits);
  }
  AppendBits(type, bits, bytes);
  Advance();
  return true;
}

bool Parser::ParseDenseElement(ElementType type, std::vector<std::byte>* bytes) {
  if (!hlo::IsComplex(type)) return ParseDensePart(type, bytes);
  ElementType part = hlo::PartType(type);
  return Expect('(') && ParseDensePart(part, bytes) && Expect(',') && ParseDensePart(part, bytes) &&
         Expect(')');
}

bool Parser::ParseDenseList(const std::vector<int64_t>& dims, size_t depth, ElementType type,
                            std::vector<std::byte>* bytes) {
  if (depth == dims.size()) return ParseDenseElement(type, bytes);
  Nesting nesting(*this);
  if (!nesting.Ok()) return false;
  size_t offset = token_.offset;
  int64_t count = 0;
  if (!ParseList('[', ']', [&] {
        ++count;
        return ParseDenseList(dims, depth + 1, type, bytes);
      })) {
    return false;
  }
  if (count == dims[depth]) return true;
  return Fail(offset, absl::StrCat("the list has ", count, " entries where dimension ", depth,
                                   " of the type has size ", dims[depth]));
}

// `hex` is the quoted token "0x…". Resources start with four bytes that hold their alignment.
bool Parser::DecodeBlob(absl::string_view hex, size_t offset, DenseData* data, bool resource) {
  absl::string_view digits = hex.substr(1, hex.size() - 2);
  if (digits.size() < 2 || digits[0] != '0' || digits[1] != 'x' || digits.size() % 2 != 0 ||
      !std::all_of(digits.begin() + 2, digits.end(), absl::ascii_isxdigit)) {
    return Fail(offset, "expected elements as a string of hexadecimal bytes \"0x…\"");
  }
  digits.remove_prefix(2);
  if (resource) {
    if (digits.size() < 8) return Fail(offset, "resource is too short to hold its alignment");
    digits.remove_prefix(8);
  }
  auto byte_at = [&](int64_t i) {
    return static_cast<uint8_t>(HexDigit(digits[2 * i]) * 16 + HexDigit(digits[2 * i + 1]));
  };
  const ElementType type = data->element_type;
  const int64_t size = static_cast<int64_t>(digits.size() / 2);
  const int64_t element = hlo::StorageBytes(type);
  bool packed = type == ElementType::kPred && size == data->count / 8 + (data->count % 8 != 0) &&
                size != data->count;
  if (type == ElementType::kPred && size == 1 && data->count > 8 && !resource) {
    data->splat = true;  // a splat of i1 is one byte of equal bits
    data->bytes.assign(1, static_cast<std::byte>(byte_at(0) & 1));
    return true;
  }
  if (packed) {
    data->bytes.resize(data->count);
    for (int64_t i = 0; i < data->count; ++i) {
      data->bytes[i] = static_cast<std::byte>(byte_at(i / 8) >> (i % 8) & 1);
    }
    return true;
  }
  data->splat = !resource && size == element && data->count > 1;
  if (!data->splat && size != data->count * element) {
    return Fail(offset, absl::StrCat("the blob has ", size, " bytes where the type needs ",
                                     data->count * element));
  }
  data->bytes.resize(size);
  for (int64_t i = 0; i < size; ++i) data->bytes[i] = static_cast<std::byte>(byte_at(i));
  if (hlo::BitWidth(type) >= 8) return true;
  for (std::byte& byte : data->bytes) {  // one value a byte; high bits may hold anything
    uint64_t bits = std::to_integer<uint64_t>(byte) & ((1u << hlo::BitWidth(type)) - 1);
    byte = static_cast<std::byte>(StoredBits(type, bits));
  }
  return true;
}

bool Parser::ParseDenseBlob(DenseData* data) {
  Token blob = token_;
  Advance();
  return DecodeBlob(blob.text, blob.offset, data, false);
}

// The type comes last, but decides how elements are read: it is read first, then the elements.
bool Parser::ParseDense(Attribute** attribute) {
  size_t offset = token_.offset;
  Attribute* dense = *attribute = document_.NewAttribute(AttributeKind::kDense, offset);
  dense->data = std::make_shared<DenseData>();
  DenseData* data = dense->data.get();
  Advance();
  if (!Expect('<')) return false;
  if (Is(Tok::kEllipsis)) return FailHere("expected elements");
  size_t body_offset = token_.offset;
  absl::string_view body;
  if (!SkipBalanced('>', &body) || !Expect('>') || !Expect(':')) return false;
  size_t type_offset = token_.offset;
  if (!ParseType(&dense->type) || !DenseType(dense->type, type_offset, data)) return false;
  size_t end = token_.offset;
  Rewind(body_offset);
  if (Is('>')) {  // dense<>
    if (data->count != 0) return FailHere("expected elements");
  } else if (Is(Tok::kString)) {
    if (!ParseDenseBlob(data)) return false;
  } else if (Is('[')) {
    if (!ParseDenseList(dense->type->dims, 0, data->element_type, &data->bytes)) return false;
  } else {
    if (!ParseDenseElement(data->element_type, &data->bytes)) return false;
    data->splat = data->count > 1;
    if (data->count == 0) data->bytes.clear();
  }
  if (!Is('>')) return FailHere("expected '>'");
  Rewind(end);
  return true;
}

bool Parser::ParseDenseArray(Attribute** attribute) {
  size_t offset = token_.offset;
  Attribute* dense = *attribute = document_.NewAttribute(AttributeKind::kDenseArray, offset);
  dense->data = std::make_shared<DenseData>();
  DenseData* data = dense->data.get();
  Advance();
  if (!Expect('<')) return false;
  size_t type_offset = token_.offset;
  if (!ParseType(&dense->type)) return false;
  std::optional<ElementType> type = ScalarType(*dense->type);
  if (!type.has_value() || hlo::IsComplex(*type)) {
    return Fail(type_offset, absl::StrCat("array<…> cannot hold ", ToString(*dense->type)));
  }
  data->element_type = *type;
  if (Try('>')) return true;
  if (!Expect(':')) return false;
  do {
    ++data->count;
    if (!ParseDensePart(*type, &data->bytes)) return false;
  } while (Try(','));
  return Expect('>');
}

bool Parser::ParseDenseResource(Attribute** attribute) {
  size_t offset = token_.offset;
  Attribute* dense = *attribute = document_.NewAttribute(AttributeKind::kDenseResource, offset);
  dense->data = std::make_shared<DenseData>();
  Advance();
  if (!Expect('<')) return false;
  if (!(Is(Tok::kString) ? ParseString(&dense->text) : ParseName(&dense->text))) return false;
  if (dense->text == "__elided__") {
    return Fail(offset, "the constant's elements were left out when the program was printed");
  }
  if (!Expect('>') || !Expect(':')) return false;
  size_t type_offset = token_.offset;
  if (!ParseType(&dense->type) || !DenseType(dense->type, type_offset, dense->data.get())) {
    return false;
  }
  open_resources_.push_back(dense);
  return true;
}

}  // namespace halyard::mlir
