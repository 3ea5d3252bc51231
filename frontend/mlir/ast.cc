#include "frontend/mlir/ast.h"

#include "absl/strings/str_cat.h"

namespace halyard::mlir {
namespace {

bool SameTypes(const std::vector<const Type*>& a, const std::vector<const Type*>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!SameType(*a[i], *b[i])) return false;
  }
  return true;
}

bool SameQuant(const QuantParams& a, const QuantParams& b) {
  return a.storage_min == b.storage_min && a.storage_max == b.storage_max &&
         a.dimension == b.dimension && a.scales == b.scales && a.zero_points == b.zero_points;
}

bool SameData(const DenseData& a, const DenseData& b) {
  return a.element_type == b.element_type && a.count == b.count && a.splat == b.splat &&
         a.bytes == b.bytes;
}

}  // namespace

bool SameType(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.width != b.width || a.name != b.name || a.text != b.text ||
      a.dims != b.dims || !SameTypes(a.elements, b.elements) || !SameTypes(a.results, b.results)) {
    return false;
  }
  if ((a.encoding == nullptr) != (b.encoding == nullptr)) return false;
  if (a.encoding != nullptr && !SameAttribute(*a.encoding, *b.encoding)) return false;
  return a.quant == nullptr || SameQuant(*a.quant, *b.quant);
}

std::optional<hlo::ElementType> ScalarType(const Type& type) {
  switch (type.kind) {
    case TypeKind::kInteger:
    case TypeKind::kFloat:
      return hlo::ElementTypeFromMlirName(type.name);
    case TypeKind::kIndex:
      return hlo::ElementType::kS64;
    case TypeKind::kComplex:
      return hlo::ElementTypeFromMlirName(ToString(type));
    case TypeKind::kQuantized:
      return ScalarType(*type.elements[0]);
    default:
      return std::nullopt;
  }
}

const Attribute* Find(const std::vector<NamedAttribute>& entries, absl::string_view name) {
  for (const NamedAttribute& entry : entries) {
    if (entry.name == name) return entry.value;
  }
  return nullptr;
}

bool SameAttribute(const Attribute& a, const Attribute& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.boolean != b.boolean || a.integer != b.integer || a.bits != b.bits ||
      a.name != b.name || a.text != b.text || a.elements.size() != b.elements.size() ||
      a.entries.size() != b.entries.size()) {
    return false;
  }
  if ((a.type == nullptr) != (b.type == nullptr)) return false;
  if (a.type != nullptr && !SameType(*a.type, *b.type)) return false;
  if ((a.data == nullptr) != (b.data == nullptr)) return false;
  if (a.data != nullptr && !SameData(*a.data, *b.data)) return false;
  for (size_t i = 0; i < a.elements.size(); ++i) {
    if (!SameAttribute(*a.elements[i], *b.elements[i])) return false;
  }
  for (const NamedAttribute& entry : a.entries) {  // dictionaries have no order
    const Attribute* other = Find(b.entries, entry.name);
    if (other == nullptr || !SameAttribute(*entry.value, *other)) return false;
  }
  return true;
}

Operation::Operation() = default;
Operation::~Operation() = default;

Type* Document::NewType(TypeKind kind, size_t offset) {
  Type& type = types_.emplace_back();
  type.kind = kind;
  type.offset = offset;
  return &type;
}

Attribute* Document::NewAttribute(AttributeKind kind, size_t offset) {
  Attribute& attribute = attributes_.emplace_back();
  attribute.kind = kind;
  attribute.offset = offset;
  return &attribute;
}

Location* Document::NewLocation(Location::Kind kind, size_t offset) {
  Location& location = locations_.emplace_back();
  location.kind = kind;
  location.offset = offset;
  return &location;
}

}  // namespace halyard::mlir
