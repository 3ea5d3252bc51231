// Spellings of attributes and locations.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/mlir/print.h"
#include "frontend/mlir/print_number.h"

namespace halyard::mlir {
namespace {

using hlo::ElementType;

// Longer constants are printed as hexadecimal bytes.
constexpr int64_t kMaxListedElements = 100;
// Of one location: aliases may form graphs without end.
constexpr int kMaxLocations = 4096;
constexpr int kMaxLocationDepth = 64;

bool IsBareName(absl::string_view name) {
  if (name.empty() || !(absl::ascii_isalpha(name[0]) || name[0] == '_')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.';
  });
}

uint64_t StoredBits(const DenseData& data, int64_t index) {
  const int size = hlo::StorageBytes(data.element_type);
  uint64_t bits = 0;
  std::memcpy(&bits, data.bytes.data() + index * size, std::min(size, 8));
  return bits;
}

// Of integers that are stored sign-extended.
int64_t SignedValue(uint64_t bits, int bytes) {
  return static_cast<int64_t>(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

void AppendScalar(ElementType type, uint64_t bits, std::string* out) {
  if (type == ElementType::kPred) {
    absl::StrAppend(out, bits != 0 ? "true" : "false");
  } else if (hlo::IsFloat(type)) {
    absl::StrAppend(out, FormatFloat(type, bits));
  } else if (hlo::IsSigned(type)) {
    absl::StrAppend(out, SignedValue(bits, hlo::StorageBytes(type)));
  } else {
    absl::StrAppend(out, bits);
  }
}

void AppendElement(const DenseData& data, int64_t index, std::string* out) {
  if (!hlo::IsComplex(data.element_type)) {
    return AppendScalar(data.element_type, StoredBits(data, index), out);
  }
  const ElementType part = hlo::PartType(data.element_type);
  const int size = hlo::StorageBytes(part);
  uint64_t parts[2] = {0, 0};
  std::memcpy(&parts[0], data.bytes.data() + 2 * index * size, size);
  std::memcpy(&parts[1], data.bytes.data() + (2 * index + 1) * size, size);
  out->push_back('(');
  AppendScalar(part, parts[0], out);
  out->push_back(',');
  AppendScalar(part, parts[1], out);
  out->push_back(')');
}

// `[[1, 2], [3, 4]]`, from dimension `depth` on; `next` is the position of the next element.
void AppendNested(const DenseData& data, const std::vector<int64_t>& dims, size_t depth,
                  int64_t* next, std::string* out) {
  if (depth == dims.size()) return AppendElement(data, (*next)++, out);
  out->push_back('[');
  for (int64_t i = 0; i < dims[depth]; ++i) {
    if (i > 0) out->append(", ");
    AppendNested(data, dims, depth + 1, next, out);
  }
  out->push_back(']');
}

// Types narrower than a byte fill it with zeros.
void AppendHex(const DenseData& data, std::string* out) {
  const int width = hlo::BitWidth(data.element_type);
  const int mask = width < 8 ? (1 << width) - 1 : 0xFF;
  constexpr char kDigits[] = "0123456789ABCDEF";
  out->reserve(out->size() + 2 * data.bytes.size() + 4);
  out->append("\"0x");
  for (std::byte byte : data.bytes) {
    const int value = std::to_integer<int>(byte) & mask;
    out->push_back(kDigits[value >> 4]);
    out->push_back(kDigits[value & 15]);
  }
  out->push_back('"');
}

bool AllEqual(const DenseData& data) {
  if (data.splat || data.count < 2) return data.count > 0;
  const size_t size = hlo::StorageBytes(data.element_type);
  return std::memcmp(data.bytes.data(), data.bytes.data() + size, data.bytes.size() - size) == 0;
}

void AppendDense(const Attribute& attribute, const PrintSyntax* syntax, std::string* out) {
  const DenseData& data = *attribute.data;
  out->append("dense<");
  if (data.count > 0 && AllEqual(data)) {
    AppendElement(data, 0, out);
  } else if (data.count > kMaxListedElements) {
    AppendHex(data, out);
  } else if (data.count > 0) {
    int64_t next = 0;
    AppendNested(data, attribute.type->dims, 0, &next, out);
  }
  out->append("> : ");
  AppendType(*attribute.type, syntax, out);
}

void AppendDenseArray(const Attribute& attribute, const PrintSyntax* syntax, std::string* out) {
  out->append("array<");
  AppendType(*attribute.type, syntax, out);
  for (int64_t i = 0; i < attribute.data->count; ++i) {
    out->append(i == 0 ? ": " : ", ");
    AppendElement(*attribute.data, i, out);
  }
  out->push_back('>');
}

// Fields of #dialect.name<…>: lists without the type that goes without saying.
void AppendFields(const Attribute& attribute, const PrintSyntax* syntax, std::string* out) {
  const char* comma = "";
  for (const NamedAttribute& entry : attribute.entries) {
    absl::StrAppend(out, std::exchange(comma, ", "), entry.name, " = ");
    const Attribute& value = *entry.value;
    if (value.Is(AttributeKind::kDenseArray)) {
      out->push_back('[');
      for (int64_t i = 0; i < value.data->count; ++i) {
        if (i > 0) out->append(", ");
        AppendElement(*value.data, i, out);
      }
      out->push_back(']');
    } else if (value.Is(AttributeKind::kInteger) || value.Is(AttributeKind::kFloat)) {
      Attribute bare = value;
      std::string text;
      AppendAttribute(bare, syntax, false, &text);
      out->append(text, 0, text.find(" : "));
    } else {
      AppendAttribute(value, syntax, false, out);
    }
  }
}

void AppendDialectAttribute(const Attribute& attribute, const PrintSyntax* syntax,
                            std::string* out) {
  if (syntax != nullptr) {
    auto hook = syntax->attributes.find(attribute.name);
    if (hook != syntax->attributes.end() && hook->second(attribute, out)) return;
  }
  absl::StrAppend(out, "#", attribute.name);
  if (attribute.entries.empty() && attribute.text.empty()) return;
  out->push_back('<');
  out->append(attribute.text);
  AppendFields(attribute, syntax, out);
  out->push_back('>');
}

void AppendNumber(const Attribute& attribute, const PrintSyntax* syntax, bool elide_type,
                  std::string* out) {
  const Type* type = attribute.type;
  absl::string_view implied = "i64";
  if (attribute.Is(AttributeKind::kFloat)) {
    implied = "f64";
    if (type == nullptr) {  // an f64 that a hook made
      absl::StrAppend(out, FormatFloat(ElementType::kF64,
                                       hlo::EncodeFloat(ElementType::kF64, attribute.number)));
      return;
    }
    std::optional<ElementType> scalar = ScalarType(*type);
    if (scalar.has_value() && hlo::IsFloat(*scalar)) {
      absl::StrAppend(out, FormatFloat(*scalar, attribute.bits));
    } else {
      absl::StrAppend(out, "0x", absl::Hex(attribute.bits));
    }
  } else if (type != nullptr && type->kind == TypeKind::kInteger && type->name == "i1") {
    out->append(attribute.integer != 0 ? "true" : "false");
    return;
  } else if (type != nullptr && !type->name.empty() && type->name[0] == 'u') {
    absl::StrAppend(out, static_cast<uint64_t>(attribute.integer));
  } else {
    absl::StrAppend(out, attribute.integer);
  }
  if (type == nullptr || (elide_type && type->name == implied)) return;
  out->append(" : ");
  AppendType(*type, syntax, out);
}

// What an alias stands for.
const Location& Resolved(const Location& location) {
  const Location* at = &location;
  for (int i = 0; i < kMaxLocationDepth && at->kind == Location::Kind::kAlias; ++i) {
    at = at->children[0];
  }
  return *at;
}

class LocationPrinter {
 public:
  explicit LocationPrinter(std::string* out) : out_(*out) {}

  void Print(const Location& location, int depth) {
    if (++printed_ > kMaxLocations || depth > kMaxLocationDepth) {
      out_.append("unknown");
      return;
    }
    const auto& children = location.children;
    switch (location.kind) {
      case Location::Kind::kUnknown:
        out_.append("unknown");
        return;
      case Location::Kind::kFile:
        AppendQuoted(location.text, &out_);
        absl::StrAppend(&out_, ":", location.line, ":", location.column);
        return;
      case Location::Kind::kName:
        AppendQuoted(location.text, &out_);
        if (children.empty() || Resolved(*children[0]).kind == Location::Kind::kUnknown) return;
        out_.push_back('(');
        Print(*children[0], depth + 1);
        out_.push_back(')');
        return;
      case Location::Kind::kCallSite:
        out_.append("callsite(");
        Print(*children[0], depth + 1);
        out_.append(" at ");
        Print(*children[1], depth + 1);
        out_.push_back(')');
        return;
      case Location::Kind::kFused:
        out_.append("fused[");
        for (size_t i = 0; i < children.size(); ++i) {
          if (i > 0) out_.append(", ");
          Print(*children[i], depth + 1);
        }
        out_.push_back(']');
        return;
      case Location::Kind::kAlias:
        Print(*children[0], depth + 1);
        return;
    }
  }

 private:
  std::string& out_;
  int printed_ = 0;
};

}  // namespace

void AppendQuoted(absl::string_view text, std::string* out) {
  out->push_back('"');
  for (char c : text) {
    if (c == '\\') {
      out->append("\\\\");
    } else if (absl::ascii_isprint(c) && c != '"') {
      out->push_back(c);
    } else {
      absl::StrAppend(out, "\\",
                      absl::AsciiStrToUpper(
                          absl::StrCat(absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2))));
    }
  }
  out->push_back('"');
}

void AppendSymbol(absl::string_view name, std::string* out) {
  out->push_back('@');
  if (IsBareName(name)) {
    out->append(name.data(), name.size());
  } else {
    AppendQuoted(name, out);
  }
}

void AppendLocation(const Location& location, std::string* out) {
  out->append("loc(");
  LocationPrinter(out).Print(location, 0);
  out->push_back(')');
}

void AppendEntries(const std::vector<NamedAttribute>& entries, const PrintSyntax* syntax,
                   std::string* out) {
  std::vector<const NamedAttribute*> sorted;
  for (const NamedAttribute& entry : entries) sorted.push_back(&entry);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->name < b->name; });
  const char* comma = "";
  for (const NamedAttribute* entry : sorted) {
    out->append(std::exchange(comma, ", "));
    if (IsBareName(entry->name)) {
      out->append(entry->name);
    } else {
      AppendQuoted(entry->name, out);
    }
    if (entry->value->Is(AttributeKind::kUnit)) continue;
    out->append(" = ");
    AppendAttribute(*entry->value, syntax, false, out);
  }
}

static void AppendArray(const Attribute& array, const PrintSyntax* syntax, std::string* out) {
  out->push_back('[');
  const char* comma = "";
  for (const Attribute* element : array.elements) {
    out->append(std::exchange(comma, ", "));
    AppendAttribute(*element, syntax, true, out);
  }
  out->push_back(']');
}

static void AppendResource(const Attribute& resource, const PrintSyntax* syntax, std::string* out) {
  out->append("dense_resource<");
  if (IsBareName(resource.text)) {
    out->append(resource.text);
  } else {
    AppendQuoted(resource.text, out);
  }
  out->append("> : ");
  AppendType(*resource.type, syntax, out);
}

void AppendAttribute(const Attribute& attribute, const PrintSyntax* syntax, bool elide_type,
                     std::string* out) {
  switch (attribute.kind) {
    case AttributeKind::kUnit:
      out->append("unit");
      return;
    case AttributeKind::kBool:
      out->append(attribute.boolean ? "true" : "false");
      return;
    case AttributeKind::kInteger:
    case AttributeKind::kFloat:
      return AppendNumber(attribute, syntax, elide_type, out);
    case AttributeKind::kString:
      AppendQuoted(attribute.text, out);
      if (attribute.type == nullptr || attribute.type->kind == TypeKind::kNone) return;
      out->append(" : ");
      return AppendType(*attribute.type, syntax, out);
    case AttributeKind::kArray:
      return AppendArray(attribute, syntax, out);
    case AttributeKind::kDictionary:
      out->push_back('{');
      AppendEntries(attribute.entries, syntax, out);
      out->push_back('}');
      return;
    case AttributeKind::kDenseArray:
      return AppendDenseArray(attribute, syntax, out);
    case AttributeKind::kDenseResource:
      // With a syntax, the file that is written will hold the resource.
      return syntax != nullptr ? AppendResource(attribute, syntax, out)
                               : AppendDense(attribute, syntax, out);
    case AttributeKind::kDense:
      return AppendDense(attribute, syntax, out);
    case AttributeKind::kSymbol: {
      const char* colons = "";
      for (absl::string_view part : absl::StrSplit(attribute.text, "::")) {
        out->append(std::exchange(colons, "::"));
        AppendSymbol(part, out);
      }
      return;
    }
    case AttributeKind::kType:
      return AppendType(*attribute.type, syntax, out);
    case AttributeKind::kLocation:
      return AppendLocation(*attribute.location, out);
    case AttributeKind::kDialect:
      return AppendDialectAttribute(attribute, syntax, out);
    case AttributeKind::kOpaque:
      absl::StrAppend(out, attribute.name);
      if (attribute.name == "distinct") absl::StrAppend(out, "[", attribute.integer, "]");
      absl::StrAppend(out, "<", attribute.text, ">");
      return;
  }
}

std::string ToString(const Attribute& attribute) {
  std::string out;
  AppendAttribute(attribute, nullptr, false, &out);
  return out;
}

}  // namespace halyard::mlir
