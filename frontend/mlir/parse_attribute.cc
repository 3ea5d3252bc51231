// Attributes, except those that hold dense elements.
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/parser.h"

namespace halyard::mlir {
namespace {

bool IsHex(absl::string_view text) { return text.size() > 2 && text[1] == 'x'; }

// Whether `bits`, the low 64 bits of a number of this sign, is a value of an integer type `width`
// bits wide.
bool FitsInteger(const Type& type, uint64_t magnitude, bool negative) {
  if (type.kind == TypeKind::kIndex || type.width >= 64) {
    return !negative || magnitude <= uint64_t{1} << 63;
  }
  int width = type.width;
  bool is_unsigned = type.name[0] == 'u';
  bool is_signed = type.name[0] == 's';
  if (negative) {
    return magnitude == 0 || (!is_unsigned && magnitude <= uint64_t{1} << (width - 1));
  }
  return magnitude < uint64_t{1} << (is_signed ? width - 1 : width);
}

}  // namespace

bool Parser::ParseAttribute(const Attribute** attribute) {
  Nesting nesting(*this);
  Attribute* made = nullptr;
  if (!nesting.Ok() || !ParseAttributeInner(&made) || !Weigh(made)) return false;
  *attribute = made;
  return true;
}

bool Parser::ParseAttributeInner(Attribute** attribute) {
  size_t offset = token_.offset;
  auto make = [&](AttributeKind kind) { return *attribute = document_.NewAttribute(kind, offset); };
  switch (static_cast<int>(token_.kind)) {
    case '[':
      make(AttributeKind::kArray);
      return ParseList('[', ']', [&] {
        const Attribute* element = nullptr;
        if (!ParseAttribute(&element)) return false;
        (*attribute)->elements.push_back(element);
        return true;
      });
    case '{':
      make(AttributeKind::kDictionary);
      return ParseAttributeDictionary(&(*attribute)->entries);
    case '-':
    case '+':
    case static_cast<int>(Tok::kInteger):
    case static_cast<int>(Tok::kFloat):
      return ParseNumberAttribute(attribute);
    case static_cast<int>(Tok::kString):
      make(AttributeKind::kString);
      if (!ParseString(&(*attribute)->text)) return false;
      return !Try(':') || ParseType(&(*attribute)->type);
    case static_cast<int>(Tok::kAtId): {
      const Attribute* symbol = nullptr;
      if (!ParseSymbol(&symbol)) return false;
      *attribute = const_cast<Attribute*>(symbol);
      return true;
    }
    case static_cast<int>(Tok::kHashId):
      return ParseHashAttribute(attribute);
    case static_cast<int>(Tok::kBareId):
      return ParseWordAttribute(attribute);
    case '(':
    case static_cast<int>(Tok::kBangId):
      make(AttributeKind::kType);
      return ParseType(&(*attribute)->type);
    default:
      return FailHere("expected an attribute");
  }
}

bool Parser::ParseWordAttribute(Attribute** attribute) {
  size_t offset = token_.offset;
  absl::string_view word = token_.text;
  auto make = [&](AttributeKind kind) { return *attribute = document_.NewAttribute(kind, offset); };
  if (word == "dense") return ParseDense(attribute);
  if (word == "array") return ParseDenseArray(attribute);
  if (word == "dense_resource") return ParseDenseResource(attribute);
  if (word == "true" || word == "false") {
    make(AttributeKind::kBool)->boolean = word == "true";
    Advance();
    return true;
  }
  if (word == "unit") {
    make(AttributeKind::kUnit);
    Advance();
    return true;
  }
  if (word == "loc") {
    make(AttributeKind::kLocation);
    return ParseLocation(&(*attribute)->location);
  }
  if (word == "affine_map" || word == "affine_set" || word == "strided" || word == "distinct") {
    Attribute* opaque = make(AttributeKind::kOpaque);
    opaque->name = std::string(word);
    Advance();
    if (opaque->name == "distinct") {
      int64_t number = 0;
      if (!Expect('[') || !ParseInteger(&number) || !Expect(']')) return false;
      opaque->integer = number;
    }
    return Expect('<') && ParseRawBody(opaque);
  }
  if (word == "sparse" || word == "opaque") {
    return FailHere(absl::StrCat("'", word, "<…>' elements are not supported; expected dense<…>"));
  }
  make(AttributeKind::kType);
  return ParseType(&(*attribute)->type);
}

// What is left up to the matching '>', which is taken too.
bool Parser::ParseRawBody(Attribute* attribute) {
  absl::string_view body;
  if (!SkipBalanced('>', &body)) return false;
  attribute->text = std::string(body);
  return Expect('>');
}

bool Parser::ParseHashAttribute(Attribute** attribute) {
  Token name = token_;
  absl::string_view text = document_.source.text();
  auto alias = attribute_aliases_.find(std::string(name.text));
  if (alias != attribute_aliases_.end()) {
    Advance();
    // A node of its own, so that it has its own place.
    *attribute = document_.NewAttribute(alias->second->kind, name.offset);
    **attribute = *alias->second;
    (*attribute)->offset = name.offset;
    return true;
  }
  bool body = name.end < text.size() && text[name.end] == '<';
  if (name.text.find('.') == absl::string_view::npos && !body) {
    return Fail(name.offset, absl::StrCat("attribute alias '#", name.text, "' is not defined"));
  }
  *attribute = document_.NewAttribute(AttributeKind::kDialect, name.offset);
  (*attribute)->name = std::string(name.text);
  Advance();
  if (!body) return true;
  Advance();
  auto hook = syntax_.attributes.find((*attribute)->name);
  if (hook == syntax_.attributes.end()) return ParseRawBody(*attribute);
  return hook->second(*this, **attribute) && Expect('>');
}

bool Parser::ParseNumberAttribute(Attribute** attribute) {
  size_t offset = token_.offset;
  bool negative = Try('-');
  if (!negative) Try('+');
  Token number = token_;
  if (!Is(Tok::kInteger) && !Is(Tok::kFloat)) return FailHere("expected a number");
  Advance();
  const Type* type = nullptr;
  if (Try(':')) {
    if (!ParseType(&type)) return false;
  } else {
    Type* implied = document_.NewType(
        number.kind == Tok::kFloat ? TypeKind::kFloat : TypeKind::kInteger, offset);
    implied->name = number.kind == Tok::kFloat ? "f64" : "i64";
    implied->width = number.kind == Tok::kFloat ? 0 : 64;
    type = implied;
  }
  *attribute = document_.NewAttribute(AttributeKind::kInteger, offset);
  return ParseNumberOfType(*attribute, number, negative, type);
}

bool Parser::ParseNumberOfType(Attribute* attribute, const Token& number, bool negative,
                               const Type* type) {
  attribute->type = type;
  if (type->kind == TypeKind::kInteger || type->kind == TypeKind::kIndex) {
    uint64_t magnitude = 0;
    bool good = number.kind == Tok::kInteger &&
                (IsHex(number.text) ? absl::SimpleHexAtoi(number.text, &magnitude)
                                    : absl::SimpleAtoi(number.text, &magnitude));
    if (!good || !FitsInteger(*type, magnitude, negative)) {
      return Fail(attribute->offset, absl::StrCat("'", negative ? "-" : "", number.text,
                                                  "' is no value of type ", ToString(*type)));
    }
    attribute->kind = AttributeKind::kInteger;
    attribute->integer = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
    return true;
  }
  std::optional<hlo::ElementType> scalar = ScalarType(*type);
  if (!scalar.has_value() || !hlo::IsFloat(*scalar)) {
    return Fail(attribute->offset, absl::StrCat("a number cannot have the type ", ToString(*type)));
  }
  attribute->kind = AttributeKind::kFloat;
  if (IsHex(number.text)) {
    int width = hlo::BitWidth(*scalar);
    bool good = !negative && absl::SimpleHexAtoi(number.text, &attribute->bits) &&
                (width == 64 || attribute->bits >> width == 0);
    if (!good) {
      return Fail(attribute->offset, absl::StrCat("'", negative ? "-" : "", number.text,
                                                  "' is no bit pattern of ", ToString(*type)));
    }
    attribute->number = hlo::DecodeFloat(*scalar, attribute->bits);
    return true;
  }
  double value = 0;
  if (!absl::SimpleAtod(number.text, &value)) return Fail(attribute->offset, "bad number");
  attribute->bits = hlo::EncodeFloat(*scalar, negative ? -value : value);
  attribute->number = hlo::DecodeFloat(*scalar, attribute->bits);
  return true;
}

bool Parser::ParseSymbol(const Attribute** attribute) {
  Attribute* symbol = document_.NewAttribute(AttributeKind::kSymbol, token_.offset);
  do {
    if (!Is(Tok::kAtId)) return FailHere("expected a symbol '@name'");
    std::string part(token_.text);
    if (!part.empty() && part[0] == '@') part = part.substr(1);  // @"…" keeps its sigil
    if (!part.empty() && part[0] == '"') {
      std::string quoted = part;
      if (!UnescapeString(quoted, &part)) return FailHere("bad escape in a symbol");
    }
    absl::StrAppend(&symbol->text, symbol->text.empty() ? "" : "::", part);
    Advance();
  } while (Try(Tok::kColons));
  *attribute = symbol;
  return true;
}

bool Parser::ParseAttributeDictionary(std::vector<NamedAttribute>* entries) {
  absl::flat_hash_set<std::string> names;  // Add would look through all entries for each
  for (const NamedAttribute& entry : *entries) names.insert(entry.name);
  return ParseList('{', '}', [&] {
    size_t offset = token_.offset;
    std::string name;
    if (!(Is(Tok::kString) ? ParseString(&name) : ParseName(&name))) return false;
    const Attribute* value = nullptr;
    if (Try('=')) {
      if (!ParseAttribute(&value)) return false;
    } else {
      value = document_.NewAttribute(AttributeKind::kUnit, offset);
    }
    if (!names.insert(name).second) {
      return Fail(offset, absl::StrCat("attribute '", name, "' is given twice"));
    }
    entries->push_back({std::move(name), value, offset});
    return true;
  });
}

bool Parser::ParseOptionalDictionary(std::vector<NamedAttribute>* entries) {
  return !Is('{') || ParseAttributeDictionary(entries);
}

}  // namespace halyard::mlir
