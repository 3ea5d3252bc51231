// Attributes that hold elements: dense<…>, array<…>, dense_resource<…>. Decoded straight into the
// bytes of a literal.
#include <array>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/values/shape.h"
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

// Values of hexadecimal digits; other characters: 0xFF.
constexpr std::array<uint8_t, 256> kHexDigits = [] {
  std::array<uint8_t, 256> digits{};
  digits.fill(0xFF);
  for (int i = 0; i < 10; ++i) digits['0' + i] = i;
  for (int i = 0; i < 6; ++i) digits['a' + i] = digits['A' + i] = 10 + i;
  return digits;
}();

// Turns pairs of digits into bytes. Returns false if a character is not a digit.
bool DecodeHex(absl::string_view digits, std::vector<std::byte>* bytes) {
  bytes->resize(digits.size() / 2);
  uint8_t wrong = 0;
  for (size_t i = 0; i < bytes->size(); ++i) {
    uint8_t high = kHexDigits[static_cast<uint8_t>(digits[2 * i])];
    uint8_t low = kHexDigits[static_cast<uint8_t>(digits[2 * i + 1])];
    wrong |= high | low;
    (*bytes)[i] = static_cast<std::byte>(high << 4 | low);
  }
  return wrong < 16;
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
  std::vector<std::byte>& bytes = data->bytes;
  if (digits.size() < 2 || digits.substr(0, 2) != "0x" || digits.size() % 2 != 0 ||
      !DecodeHex(digits.substr(2), &bytes)) {
    return Fail(offset, "expected elements as a string of hexadecimal bytes \"0x…\"");
  }
  if (resource) {
    if (bytes.size() < 4) return Fail(offset, "resource is too short to hold its alignment");
    bytes.erase(bytes.begin(), bytes.begin() + 4);
  }
  const ElementType type = data->element_type;
  const int64_t size = static_cast<int64_t>(bytes.size());
  const int64_t element = hlo::StorageBytes(type);
  if (type == ElementType::kPred && size == 1 && data->count > 8 && !resource) {
    data->splat = true;  // a splat of i1 is one byte of equal bits
    bytes[0] &= std::byte{1};
    return true;
  }
  bool packed = type == ElementType::kPred && size == data->count / 8 + (data->count % 8 != 0) &&
                size != data->count;
  if (packed) {
    std::vector<std::byte> bits = std::move(bytes);
    bytes.resize(data->count);
    for (int64_t i = 0; i < data->count; ++i) bytes[i] = bits[i / 8] >> (i % 8) & std::byte{1};
    return true;
  }
  data->splat = !resource && size == element && data->count > 1;
  if (!data->splat && size != data->count * element) {
    return Fail(offset, absl::StrCat("the blob has ", size, " bytes where the type needs ",
                                     data->count * element));
  }
  if (hlo::BitWidth(type) >= 8) return true;
  for (std::byte& byte : bytes) {  // one value a byte; high bits may hold anything
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
