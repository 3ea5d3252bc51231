#include "frontend/mlir/parser.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace halyard::mlir {
namespace {

// Deeper than any exporter nests, shallow enough for a thread's stack.
constexpr int kMaxDepth = 200;
// Aliases may repeat a node many times over; what is reached through them is limited to this, or to
// the text's size.
constexpr int64_t kMaxWeight = 1 << 16;

// Where the string that opens at `quote` closes, or the text's end.
size_t EndOfString(absl::string_view text, size_t quote) {
  for (size_t at = text.find('"', quote + 1); at != absl::string_view::npos;
       at = text.find('"', at + 1)) {
    size_t backslashes = 0;
    while (text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
  }
  return text.size();
}

}  // namespace

bool Nesting::Ok() {
  if (parser_.depth_ <= kMaxDepth) return true;
  return parser_.FailHere(absl::StrCat("nested more than ", kMaxDepth, " deep"));
}

Parser::Parser(Document& document, const Syntax& syntax)
    : document_(document), syntax_(syntax), lexer_(document.source.text()) {
  Rewind(0);
}

bool Parser::Fail(size_t offset, absl::string_view message) {
  if (status_.ok()) {
    status_ = absl::InvalidArgumentError(document_.source.ErrorAt(offset, message));
  }
  return false;
}

bool Parser::FailHere(absl::string_view message) {
  if (Is(Tok::kError)) return Fail(token_.offset, lexer_.error());
  if (Is(Tok::kEllipsis)) {
    return Fail(token_.offset,
                "'...' stands for text that was left out; print the program in full");
  }
  if (Is(Tok::kEnd)) return Fail(token_.offset, absl::StrCat(message, ", but the text ends here"));
  // What is missing is missing in the line before, not where the next one begins.
  const mlir::Source& source = document_.source;
  const bool missing = absl::StartsWith(message, "expected") && last_end_ > 0 &&
                       source.PlaceOf(last_end_).line < source.PlaceOf(token_.offset).line;
  return Fail(missing ? last_end_ : token_.offset,
              absl::StrCat(message, ", got '",
                           document_.source.text().substr(
                               token_.offset, std::min<size_t>(token_.end - token_.offset, 40)),
                           "'"));
}

void Parser::Advance() {
  last_end_ = token_.end;
  token_ = lexer_.Next();
}

void Parser::Rewind(size_t offset) {
  lexer_.Rewind(offset);
  Advance();
}

bool Parser::Try(char c) { return Try(Punct(c)); }

bool Parser::Try(Tok kind) {
  if (!Is(kind)) return false;
  Advance();
  return true;
}

bool Parser::TryKeyword(absl::string_view word) {
  if (!IsKeyword(word)) return false;
  Advance();
  return true;
}

bool Parser::Expect(char c) {
  return Try(c) || FailHere(absl::StrCat("expected '", std::string(1, c), "'"));
}

bool Parser::Expect(Tok kind, absl::string_view what) {
  return Try(kind) || FailHere(absl::StrCat("expected ", what));
}

bool Parser::ExpectKeyword(absl::string_view word) {
  return TryKeyword(word) || FailHere(absl::StrCat("expected '", word, "'"));
}

bool Parser::ParseName(std::string* name) {
  if (!Is(Tok::kBareId)) return FailHere("expected a name");
  *name = std::string(token_.text);
  Advance();
  return true;
}

bool Parser::ParseString(std::string* value) {
  if (!Is(Tok::kString)) return FailHere("expected a string");
  if (!UnescapeString(token_.text, value)) return Fail(token_.offset, "bad escape in a string");
  Advance();
  return true;
}

bool Parser::ParseInteger(int64_t* value) {
  size_t offset = token_.offset;
  bool negative = Try('-');
  if (!negative) Try('+');
  if (!Is(Tok::kInteger)) return FailHere("expected an integer");
  absl::string_view text = token_.text;
  uint64_t magnitude = 0;
  bool good = text.size() > 2 && text[1] == 'x' ? absl::SimpleHexAtoi(text, &magnitude)
                                                : absl::SimpleAtoi(text, &magnitude);
  uint64_t limit = uint64_t{INT64_MAX} + (negative ? 1 : 0);
  if (!good || magnitude > limit) return Fail(offset, "integer does not fit in 64 bits");
  *value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  Advance();
  return true;
}

bool Parser::ParseInt64Array(const Attribute** attribute) {
  size_t offset = token_.offset;
  std::vector<int64_t> values;
  if (!ParseList('[', ']', [&] { return ParseInteger(&values.emplace_back()); })) return false;
  *attribute = MakeInt64Array(values, offset);
  return true;
}

bool Parser::SkipBalanced(char close, absl::string_view* text) {
  // Counts brackets over raw characters: what a dialect writes in its own syntax need not be made
  // of our tokens.
  absl::string_view all = document_.source.text();
  size_t begin = token_.offset;
  std::string open;  // closing brackets still expected
  for (size_t i = begin; i < all.size(); ++i) {
    char c = all[i];
    if (c == '"') {
      i = EndOfString(all, i);
    } else if (c == '-' && i + 1 < all.size() && all[i + 1] == '>') {
      ++i;
    } else if (open.empty() && c == close) {
      *text = all.substr(begin, i - begin);
      Rewind(i);
      return true;
    } else if (c == '<' || c == '(' || c == '[' || c == '{') {
      open.push_back(c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : '}');
    } else if (c == '>' || c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c) {
        return Fail(i, absl::StrCat("'", std::string(1, c), "' closes nothing"));
      }
      open.pop_back();
    }
  }
  return Fail(begin, absl::StrCat("expected '", std::string(1, close), "' before the text ends"));
}

bool Parser::Weigh(Type* type) {
  auto add = [&](int depth, int64_t weight) {
    type->depth = std::max(type->depth, depth + 1);
    type->weight = std::min<int64_t>(type->weight + weight, INT64_MAX / 2);
  };
  for (const Type* part : type->elements) add(part->depth, part->weight);
  for (const Type* part : type->results) add(part->depth, part->weight);
  if (type->encoding != nullptr) add(type->encoding->depth, type->encoding->weight);
  if (type->depth > kMaxDepth || type->weight > kMaxWeight) {
    return Fail(type->offset, "type is too large or nested too deeply");
  }
  return true;
}

bool Parser::Weigh(Attribute* attribute) {
  auto add = [&](int depth, int64_t weight) {
    attribute->depth = std::max(attribute->depth, depth + 1);
    attribute->weight = std::min<int64_t>(attribute->weight + weight, INT64_MAX / 2);
  };
  if (attribute->type != nullptr) add(attribute->type->depth, attribute->type->weight);
  for (const Attribute* part : attribute->elements) add(part->depth, part->weight);
  for (const NamedAttribute& entry : attribute->entries)
    add(entry.value->depth, entry.value->weight);
  int64_t limit = std::max<int64_t>(kMaxWeight, document_.source.text().size());
  if (attribute->depth > kMaxDepth || attribute->weight > limit) {
    return Fail(attribute->offset, "attribute is too large or nested too deeply");
  }
  return true;
}

bool Parser::ParseAttributeAlias() {
  Token name = token_;
  Advance();
  if (!Expect('=')) return false;
  if (IsKeyword("loc")) {
    const Location* location = nullptr;
    if (!ParseLocation(&location)) return false;
    if (!location_aliases_.emplace(std::string(name.text), location).second) {
      return Fail(name.offset, absl::StrCat("alias '#", name.text, "' is defined twice"));
    }
    return true;
  }
  const Attribute* attribute = nullptr;
  if (!ParseAttribute(&attribute)) return false;
  if (!attribute_aliases_.emplace(std::string(name.text), attribute).second) {
    return Fail(name.offset, absl::StrCat("alias '#", name.text, "' is defined twice"));
  }
  return true;
}

bool Parser::ParseTypeAlias() {
  Token name = token_;
  Advance();
  const Type* type = nullptr;
  if (!Expect('=') || !ParseType(&type)) return false;
  if (!type_aliases_.emplace(std::string(name.text), type).second) {
    return Fail(name.offset, absl::StrCat("alias '!", name.text, "' is defined twice"));
  }
  return true;
}

// `{ key : value-or-group, … }`. Level 0: groups of dialects; level 1: the blobs of one dialect.
bool Parser::ParseResourceGroup(int level) {
  return ParseList('{', '}', [&] {
    std::string key;
    if (!(Is(Tok::kString) ? ParseString(&key) : ParseName(&key)) || !Expect(':')) return false;
    if (Is('{')) {
      if (level > 0) return FailHere("expected a value");
      return ParseResourceGroup(level + 1);
    }
    if (Is(Tok::kString)) {
      auto blob = std::make_pair(token_.text, token_.offset);
      if (!resources_.emplace(key, blob).second) {
        return FailHere(absl::StrCat("resource '", key, "' is given twice"));
      }
      Advance();
      return true;
    }
    if (TryKeyword("true") || TryKeyword("false")) return true;
    int64_t unused = 0;
    return ParseInteger(&unused);
  });
}

bool Parser::ParseFileMetadata() {
  Advance();
  if (Try(Tok::kMetaClose)) return true;
  do {
    std::string section;
    if (!ParseName(&section) || !Expect(':')) return false;
    if (section != "dialect_resources" && section != "external_resources") {
      return FailHere(absl::StrCat("unknown metadata section '", section, "'"));
    }
    if (!ParseResourceGroup(0)) return false;
  } while (Try(','));
  return Expect(Tok::kMetaClose, "'#-}'");
}

bool Parser::ResolveResources() {
  for (Attribute* attribute : open_resources_) {
    auto found = resources_.find(attribute->text);
    if (found == resources_.end()) {
      return Fail(attribute->offset, absl::StrCat("no resource named '", attribute->text,
                                                  "' in the file's {-# … #-} section"));
    }
    if (!DecodeBlob(found->second.first, found->second.second, attribute->data.get(), true)) {
      return false;
    }
  }
  return true;
}

bool Parser::ParseTopLevel() {
  while (!Is(Tok::kEnd)) {
    if (Is(Tok::kHashId)) {
      if (!ParseAttributeAlias()) return false;
    } else if (Is(Tok::kBangId)) {
      if (!ParseTypeAlias()) return false;
    } else if (Is(Tok::kMetaOpen)) {
      if (!ParseFileMetadata()) return false;
    } else if (!ParseOperation(&document_.operations)) {
      return false;
    }
  }
  return true;
}

absl::Status Parser::ParseDocument() {
  scopes_.emplace_back();
  if (ParseTopLevel() && ResolveResources()) ResolveLocations();
  return status_;
}

bool Parser::Finish() {
  if (!status_.ok()) return false;
  if (!Is(Tok::kEnd)) return FailHere("expected the end of the text");
  return ResolveResources() && ResolveLocations();
}

const Attribute* Parser::MakeInteger(int64_t value, size_t offset) {
  Attribute* attribute = document_.NewAttribute(AttributeKind::kInteger, offset);
  Type* type = document_.NewType(TypeKind::kInteger, offset);
  type->name = "i64";
  type->width = 64;
  attribute->type = type;
  attribute->integer = value;
  return attribute;
}

const Attribute* Parser::MakeInt64Array(const std::vector<int64_t>& values, size_t offset) {
  Attribute* attribute = document_.NewAttribute(AttributeKind::kDenseArray, offset);
  Type* type = document_.NewType(TypeKind::kInteger, offset);
  type->name = "i64";
  type->width = 64;
  attribute->type = type;
  attribute->data = std::make_shared<DenseData>();
  attribute->data->element_type = hlo::ElementType::kS64;
  attribute->data->count = static_cast<int64_t>(values.size());
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  attribute->data->bytes.assign(bytes, bytes + values.size() * sizeof(int64_t));
  return attribute;
}

const Attribute* Parser::MakeEnum(absl::string_view name, absl::string_view word, size_t offset) {
  Attribute* attribute = document_.NewAttribute(AttributeKind::kDialect, offset);
  attribute->name = std::string(name);
  attribute->text = std::string(word);
  return attribute;
}

const Attribute* Parser::MakeArray(std::vector<const Attribute*> elements, size_t offset) {
  Attribute* attribute = document_.NewAttribute(AttributeKind::kArray, offset);
  attribute->elements = std::move(elements);
  return attribute;
}

bool Parser::Add(std::vector<NamedAttribute>* entries, absl::string_view name,
                 const Attribute* value, size_t offset) {
  if (Find(*entries, name) != nullptr) {
    return Fail(offset, absl::StrCat("attribute '", name, "' is given twice"));
  }
  entries->push_back({std::string(name), value, offset});
  return true;
}

void Parser::SetResultTypes(Operation& op, const std::vector<const Type*>& types) {
  op.results.clear();
  for (const Type* type : types) {
    auto value = std::make_unique<Value>();
    value->type = type;
    value->owner = &op;
    value->index = static_cast<int64_t>(op.results.size());
    value->offset = op.offset;
    op.results.push_back(std::move(value));
  }
}

bool Parser::CheckOperandTypes(const Operation& op, const std::vector<const Type*>& types,
                               size_t offset) {
  if (types.size() != op.operands.size()) {
    return Fail(offset, absl::StrCat("'", op.name, "' has ", op.operands.size(), " operands but ",
                                     types.size(), " operand types"));
  }
  for (size_t i = 0; i < types.size(); ++i) {
    const Value& operand = *op.operands[i];
    if (!SameType(*operand.type, *types[i])) {
      return Fail(offset, absl::StrCat("operand ", i, " ('%", operand.name, "') of '", op.name,
                                       "' has type ", ToString(*operand.type), ", not ",
                                       ToString(*types[i])));
    }
  }
  return true;
}

absl::StatusOr<std::unique_ptr<Document>> ParseMlir(absl::string_view text,
                                                    absl::string_view filename,
                                                    const Syntax& syntax) {
  auto document = std::make_unique<Document>(text, filename);
  Parser parser(*document, syntax);
  absl::Status status = parser.ParseDocument();
  if (!status.ok()) return status;
  return document;
}

}  // namespace halyard::mlir
