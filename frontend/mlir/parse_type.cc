// Types.
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/parser.h"

namespace halyard::mlir {
namespace {

// MLIR's own limit on the width of an integer type.
constexpr int kMaxIntegerWidth = (1 << 24) - 1;

bool IsFloatName(absl::string_view name) {
  if (name == "tf32") return true;
  std::optional<hlo::ElementType> type = hlo::ElementTypeFromMlirName(name);
  return type.has_value() && hlo::IsFloat(*type);
}

// i32, si8, ui4: the width, or 0.
int IntegerWidth(absl::string_view name) {
  size_t digits = name.size() > 1 && (name[0] == 's' || name[0] == 'u') && name[1] == 'i' ? 2 : 1;
  if (name.size() <= digits || name[digits - 1] != 'i') return 0;
  int width = 0;
  for (char c : name.substr(digits)) {
    if (!absl::ascii_isdigit(c)) return 0;
  }
  if (!absl::SimpleAtoi(name.substr(digits), &width) || width > kMaxIntegerWidth) return 0;
  return width;
}

}  // namespace

bool Parser::ParseTypeList(std::vector<const Type*>* types) {
  do {
    const Type* type = nullptr;
    if (!ParseType(&type)) return false;
    types->push_back(type);
  } while (Try(','));
  return true;
}

bool Parser::ParseFunctionResults(std::vector<const Type*>* types) {
  if (!Is('(')) {
    const Type* type = nullptr;
    if (!ParseType(&type)) return false;
    types->push_back(type);
    return true;
  }
  return ParseList('(', ')', [&] {
    const Type* type = nullptr;
    if (!ParseType(&type)) return false;
    types->push_back(type);
    return true;
  });
}

bool Parser::ParseFunctionType(std::vector<const Type*>* inputs,
                               std::vector<const Type*>* results) {
  if (!Is('(')) return FailHere("expected '(' of a function type");
  return ParseFunctionResults(inputs) && Expect(Tok::kArrow, "'->'") &&
         ParseFunctionResults(results);
}

bool Parser::ParseType(const Type** type) {
  Nesting nesting(*this);
  if (!nesting.Ok()) return false;
  size_t offset = token_.offset;
  if (Is('(')) {
    Type* function = document_.NewType(TypeKind::kFunction, offset);
    *type = function;
    return ParseFunctionType(&function->elements, &function->results) && Weigh(function);
  }
  if (Is(Tok::kBangId)) return ParseDialectType(type);
  if (Is(Tok::kBareId)) return ParseNamedType(type);
  return FailHere("expected a type");
}

bool Parser::ParseNamedType(const Type** type) {
  size_t offset = token_.offset;
  std::string name(token_.text);
  auto make = [&](TypeKind kind) {
    Advance();
    Type* made = document_.NewType(kind, offset);
    *type = made;
    return made;
  };
  if (int width = IntegerWidth(name)) {
    Type* integer = make(TypeKind::kInteger);
    integer->width = width;
    integer->name = std::move(name);
    return true;
  }
  if (IsFloatName(name)) {
    make(TypeKind::kFloat)->name = std::move(name);
    return true;
  }
  if (name == "index") return make(TypeKind::kIndex) != nullptr;
  if (name == "none") return make(TypeKind::kNone) != nullptr;
  if (name == "tensor") {
    Advance();
    return ParseTensorType(offset, type);
  }
  if (name == "complex") return ParseWrappedTypes(make(TypeKind::kComplex), 1);
  if (name == "tuple") return ParseWrappedTypes(make(TypeKind::kTuple), -1);
  if (name == "memref") return ParseMemRefType(make(TypeKind::kMemRef));
  if (name == "vector") {
    return FailHere("only tensors, tuples and tokens are values here; expected such a type");
  }
  return FailHere("expected a type");
}

// `<t, t>`: `count` types, or any number when negative.
bool Parser::ParseWrappedTypes(Type* type, int count) {
  bool good = ParseList('<', '>', [&] {
    const Type* element = nullptr;
    if (!ParseType(&element)) return false;
    type->elements.push_back(element);
    return true;
  });
  if (!good || !Weigh(type)) return false;
  if (count >= 0 && type->elements.size() != static_cast<size_t>(count)) {
    return Fail(type->offset, absl::StrCat("expected ", count, " type in the brackets"));
  }
  return true;
}

// `2x?x3x`: over raw characters, as "0x3" would be a hexadecimal number to the lexer.
bool Parser::ParseDimensions(std::vector<int64_t>* dims) {
  absl::string_view text = document_.source.text();
  size_t at = token_.offset;
  while (at < text.size() && (absl::ascii_isdigit(text[at]) || text[at] == '?')) {
    size_t begin = at;
    int64_t size = kDynamic;
    if (text[at] == '?') {
      ++at;
    } else {
      while (at < text.size() && absl::ascii_isdigit(text[at])) ++at;
      if (!absl::SimpleAtoi(text.substr(begin, at - begin), &size)) {
        return Fail(begin, "dimension size does not fit in 64 bits");
      }
    }
    if (at >= text.size() || text[at] != 'x')
      return Fail(at, "expected 'x' after a dimension size");
    ++at;
    dims->push_back(size);
  }
  Rewind(at);
  return true;
}

bool Parser::ParseTensorType(size_t offset, const Type** type) {
  Type* tensor = document_.NewType(TypeKind::kTensor, offset);
  *type = tensor;
  if (!Expect('<')) return false;
  absl::string_view text = document_.source.text();
  if (Is('*') && text.substr(token_.offset + 1, 1) == "x") {
    tensor->kind = TypeKind::kUnranked;
    Rewind(token_.offset + 2);
    return ParseElementType(tensor) && Expect('>') && Weigh(tensor);
  }
  if (!ParseDimensions(&tensor->dims) || !ParseElementType(tensor)) return false;
  if (Try(',') && !ParseAttribute(&tensor->encoding)) return false;
  return Expect('>') && Weigh(tensor);
}

// Of a buffer, the layout and the memory space are kept as text.
bool Parser::ParseMemRefType(Type* type) {
  if (!Expect('<') || !ParseDimensions(&type->dims) || !ParseElementType(type)) return false;
  if (Is(',')) {
    absl::string_view rest;
    Advance();
    if (!SkipBalanced('>', &rest)) return false;
    type->text = std::string(absl::StripAsciiWhitespace(rest));
  }
  return Expect('>') && Weigh(type);
}

bool Parser::ParseElementType(Type* type) {
  const Type* element = nullptr;
  size_t element_offset = token_.offset;
  if (!ParseType(&element)) return false;
  switch (element->kind) {
    case TypeKind::kInteger:
    case TypeKind::kIndex:
    case TypeKind::kFloat:
    case TypeKind::kComplex:
    case TypeKind::kQuantized:
    case TypeKind::kOpaque:
      break;
    default:
      return Fail(element_offset,
                  absl::StrCat("a tensor cannot hold elements of type ", ToString(*element)));
  }
  type->elements.push_back(element);
  return true;
}

// `<t, t>` after !stablehlo.future: what an asynchronous operation will give.
bool Parser::ParseFutureType(Type* type) {
  if (!ParseWrappedTypes(type, -1)) return false;
  if (type->elements.empty()) return Fail(type->offset, "a future needs at least one type");
  for (const Type* element : type->elements) {
    if (element->IsTensor()) continue;
    return Fail(type->offset, absl::StrCat("a future is of tensors, not of ", ToString(*element)));
  }
  return true;
}

bool Parser::ParseDialectType(const Type** type) {
  Token name = token_;
  auto alias = type_aliases_.find(std::string(name.text));
  if (alias != type_aliases_.end()) {
    *type = alias->second;
    Advance();
    return true;
  }
  absl::string_view text = document_.source.text();
  bool body = name.end < text.size() && text[name.end] == '<';
  if (name.text.find('.') == absl::string_view::npos && !body && name.text != "token") {
    return Fail(name.offset, absl::StrCat("type alias '!", name.text, "' is not defined"));
  }
  Advance();
  if (name.text == "quant.uniform") {
    Type* quantized = document_.NewType(TypeKind::kQuantized, name.offset);
    *type = quantized;
    return ParseQuantizedType(quantized) && Weigh(quantized);
  }
  if (name.text == "stablehlo.future" && body) {
    Type* future = document_.NewType(TypeKind::kFuture, name.offset);
    *type = future;
    return ParseFutureType(future);
  }
  Type* opaque = document_.NewType(TypeKind::kOpaque, name.offset);
  auto other = syntax_.type_names.find(std::string(name.text));
  opaque->name = other == syntax_.type_names.end() ? std::string(name.text) : other->second;
  *type = opaque;
  if (!body) return true;
  Advance();
  absl::string_view inner;
  if (!SkipBalanced('>', &inner)) return false;
  opaque->text = std::string(inner);
  return Expect('>');
}

bool Parser::ParseNumber(double* value) {
  bool negative = Try('-');
  if (!Is(Tok::kFloat) && !Is(Tok::kInteger)) return FailHere("expected a number");
  if (!absl::SimpleAtod(token_.text, value)) return FailHere("expected a number");
  if (negative) *value = -*value;
  Advance();
  return true;
}

bool Parser::ParseQuantScale(QuantParams* quant) {
  double scale = 0;
  int64_t zero_point = 0;
  if (!ParseNumber(&scale)) return false;
  if (Try(':') && !ParseInteger(&zero_point)) return false;
  quant->scales.push_back(scale);
  quant->zero_points.push_back(zero_point);
  return true;
}

// `i8`, `u8` or `i8<-127:127>`.
bool Parser::ParseQuantStorage(Type* type, QuantParams* quant) {
  const Type* storage = nullptr;
  if (Is(Tok::kBareId) && token_.text.size() > 1 && token_.text[0] == 'u' &&
      absl::ascii_isdigit(token_.text[1])) {
    std::string name = absl::StrCat("ui", token_.text.substr(1));
    int width = IntegerWidth(name);
    if (width == 0) return FailHere("expected a storage type");
    Type* made = document_.NewType(TypeKind::kInteger, token_.offset);
    made->name = std::move(name);
    made->width = width;
    storage = made;
    Advance();
  } else if (!ParseType(&storage)) {
    return false;
  }
  type->elements.push_back(storage);
  if (!Try('<')) return true;
  return ParseInteger(&quant->storage_min.emplace()) && Expect(':') &&
         ParseInteger(&quant->storage_max.emplace()) && Expect('>');
}

// `<storage[<min:max>]:expressed[:dimension], scale[:zero] | {scale[:zero], …}>`.
bool Parser::ParseQuantizedType(Type* type) {
  type->quant = std::make_unique<QuantParams>();
  QuantParams* quant = type->quant.get();
  if (!Expect('<') || !ParseQuantStorage(type, quant) || !Expect(':')) return false;
  const Type* expressed = nullptr;
  if (!ParseType(&expressed)) return false;
  type->elements.push_back(expressed);
  if (type->elements[0]->kind != TypeKind::kInteger) {
    return Fail(type->offset, "the storage type of !quant.uniform must be an integer type");
  }
  if (expressed->kind != TypeKind::kFloat) {
    return Fail(type->offset, "the expressed type of !quant.uniform must be a float type");
  }
  if (Try(':') && !ParseInteger(&quant->dimension.emplace())) return false;
  if (!Expect(',')) return false;
  if (Is('{')) {
    if (!ParseList('{', '}', [&] { return ParseQuantScale(quant); })) return false;
  } else if (!ParseQuantScale(quant)) {
    return false;
  }
  return Expect('>');
}

}  // namespace halyard::mlir
