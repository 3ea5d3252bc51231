// Entries of the attribute and type tables: read when first used, each once.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/mlir/bytecode/reader.h"

namespace halyard::mlir {
namespace {

// As in the reader of text.
constexpr int kMaxDepth = 200;
constexpr int64_t kMaxWeight = 1 << 16;

}  // namespace

template <typename Node>
bool BytecodeReader::Resolve(uint64_t index, size_t offset, absl::string_view what,
                             std::vector<Entry<Node>>& entries, const Node** node) {
  if (index >= entries.size()) return Fail(offset, absl::StrCat("there is no ", what, " ", index));
  Entry<Node>& entry = entries[index];
  if (entry.open) return Fail(offset, absl::StrCat(what, " ", index, " is part of itself"));
  if (entry.node == nullptr) {
    if (depth_ >= kMaxDepth) return Fail(offset, absl::StrCat(what, "s nested too deeply"));
    entry.open = true;
    ++depth_;
    const bool read = entry.custom ? ReadEntry(entry) : ReadTextEntry(entry);
    --depth_;
    entry.open = false;
    if (!read) {
      entry.node = nullptr;
      return false;
    }
  }
  *node = entry.node;
  return true;
}

bool BytecodeReader::ReadAttribute(ByteCursor& bytes, const Attribute** attribute) {
  const size_t at = bytes.offset();
  uint64_t index = 0;
  return bytes.VarInt(&index) && Resolve(index, at, "attribute", attributes_, attribute);
}

bool BytecodeReader::ReadOptionalAttribute(ByteCursor& bytes, const Attribute** attribute) {
  const size_t at = bytes.offset();
  uint64_t index = 0;
  bool present = false;
  if (!bytes.FlaggedVarInt(&index, &present)) return false;
  *attribute = nullptr;
  return !present || Resolve(index, at, "attribute", attributes_, attribute);
}

bool BytecodeReader::ReadAttributes(ByteCursor& bytes, std::vector<const Attribute*>* attributes) {
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  attributes->resize(count);
  for (const Attribute*& attribute : *attributes) {
    if (!ReadAttribute(bytes, &attribute)) return false;
  }
  return true;
}

bool BytecodeReader::ReadType(ByteCursor& bytes, const Type** type) {
  const size_t at = bytes.offset();
  uint64_t index = 0;
  return bytes.VarInt(&index) && Resolve(index, at, "type", types_, type);
}

bool BytecodeReader::ResolveType(uint64_t index, Value* value) {
  return Resolve(index, value->offset, "type", types_, &value->type);
}

bool BytecodeReader::ReadTypes(ByteCursor& bytes, std::vector<const Type*>* types) {
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  types->resize(count);
  for (const Type*& type : *types) {
    if (!ReadType(bytes, &type)) return false;
  }
  return true;
}

bool BytecodeReader::ReadEntry(Entry<Attribute>& entry) {
  ByteCursor bytes = Cursor(entry.data, entry.offset);
  const Dialect& dialect = dialects_[entry.dialect];
  bool read = false;
  if (dialect.name == "builtin") {
    read = ReadBuiltinAttribute(bytes, &entry.node);
  } else if (dialect.hooks != nullptr) {
    read = dialect.hooks->ReadAttribute(*this, bytes, &entry.node);
  } else {
    return Fail(entry.offset, absl::StrCat("attributes of the dialect '", dialect.name,
                                           "' are encoded in a way that is not known"));
  }
  return read && bytes.End("an attribute") && Weigh(const_cast<Attribute&>(*entry.node));
}

bool BytecodeReader::ReadEntry(Entry<Type>& entry) {
  ByteCursor bytes = Cursor(entry.data, entry.offset);
  const Dialect& dialect = dialects_[entry.dialect];
  bool read = false;
  if (dialect.name == "builtin") {
    read = ReadBuiltinType(bytes, &entry.node);
  } else if (dialect.hooks != nullptr) {
    read = dialect.hooks->ReadType(*this, bytes, &entry.node);
  } else {
    return Fail(entry.offset, absl::StrCat("types of the dialect '", dialect.name,
                                           "' are encoded in a way that is not known"));
  }
  return read && bytes.End("a type") && Weigh(const_cast<Type&>(*entry.node));
}

bool BytecodeReader::ParseEntry(Entry<Attribute>& entry, Parser& parser) {
  return parser.ParseAttribute(&entry.node);
}

bool BytecodeReader::ParseEntry(Entry<Type>& entry, Parser& parser) {
  return parser.ParseType(&entry.node);
}

template <typename Node>
bool BytecodeReader::ReadTextEntry(Entry<Node>& entry) {
  absl::string_view text = entry.data;
  if (text.empty() || text.back() != '\0') return Fail(entry.offset, "text without its zero byte");
  text.remove_suffix(1);
  auto part = std::make_unique<Document>(text, document_.source.filename());
  Parser parser(*part, syntax_);
  if (!ParseEntry(entry, parser) || !parser.Finish()) {
    return Fail(entry.offset, absl::StrCat("wrong text '", text.substr(0, 100),
                                           "': ", parser.status().message()));
  }
  document_.parts.push_back(std::move(part));
  return true;
}

bool BytecodeReader::Weigh(Type& type) {
  auto add = [&](int depth, int64_t weight) {
    type.depth = std::max(type.depth, depth + 1);
    type.weight = std::min<int64_t>(type.weight + weight, INT64_MAX / 2);
  };
  type.depth = 1;
  type.weight = 1;
  for (const Type* part : type.elements) add(part->depth, part->weight);
  for (const Type* part : type.results) add(part->depth, part->weight);
  if (type.encoding != nullptr) add(type.encoding->depth, type.encoding->weight);
  if (type.depth <= kMaxDepth && type.weight <= kMaxWeight) return true;
  return Fail(type.offset, "type is too large or nested too deeply");
}

bool BytecodeReader::Weigh(Attribute& attribute) {
  auto add = [&](int depth, int64_t weight) {
    attribute.depth = std::max(attribute.depth, depth + 1);
    attribute.weight = std::min<int64_t>(attribute.weight + weight, INT64_MAX / 2);
  };
  attribute.depth = 1;
  attribute.weight = 1;
  if (attribute.type != nullptr) add(attribute.type->depth, attribute.type->weight);
  for (const Attribute* part : attribute.elements) add(part->depth, part->weight);
  for (const NamedAttribute& entry : attribute.entries) {
    add(entry.value->depth, entry.value->weight);
  }
  const int64_t limit = std::max<int64_t>(kMaxWeight, document_.source.text().size());
  if (attribute.depth <= kMaxDepth && attribute.weight <= limit) return true;
  return Fail(attribute.offset, "attribute is too large or nested too deeply");
}

// Location walkers follow children; entries are read bottom up, so there are no cycles.
bool BytecodeReader::ReadLocationOf(ByteCursor& bytes, const Location** location) {
  const size_t at = bytes.offset();
  const Attribute* attribute = nullptr;
  if (!ReadAttribute(bytes, &attribute)) return false;
  if (!attribute->Is(AttributeKind::kLocation) || attribute->location == nullptr) {
    return Fail(at, "expected a location");
  }
  *location = attribute->location;
  return true;
}

bool BytecodeReader::ReadStringOf(ByteCursor& bytes, std::string* text) {
  const size_t at = bytes.offset();
  const Attribute* attribute = nullptr;
  if (!ReadAttribute(bytes, &attribute)) return false;
  if (!attribute->Is(AttributeKind::kString)) return Fail(at, "expected a string attribute");
  if (!Charge(at, attribute->text.size())) return false;
  *text = attribute->text;
  return true;
}

}  // namespace halyard::mlir
