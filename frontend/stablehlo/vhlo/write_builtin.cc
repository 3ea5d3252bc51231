// The builtin dialect's encodings of attributes, and what VHLO's share with them.
#include <algorithm>
#include <cstring>

#include "absl/strings/str_split.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/stablehlo/syntax/print_syntax.h"
#include "frontend/stablehlo/vhlo/writer.h"

namespace halyard::stablehlo {

using mlir::AttributeKind;
using mlir::ByteBuffer;
using mlir::NamedAttribute;
namespace bytecode = mlir::bytecode;

// Elements as MLIR keeps them: narrow ones without what is above their bits, booleans packed.
std::string RawElements(const mlir::DenseData& data) {
  std::string raw(reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size());
  const int width = hlo::BitWidth(data.element_type);
  // Equal elements are a splat, as in MLIR itself.
  const size_t size = hlo::StorageBytes(data.element_type);
  bool splat = data.splat;
  if (raw.size() > size && std::memcmp(raw.data(), raw.data() + size, raw.size() - size) == 0) {
    raw.resize(size);
    splat = true;
  }
  if (data.element_type != hlo::ElementType::kPred) {
    if (width < 8) {
      for (char& c : raw) c = static_cast<char>(c & ((1 << width) - 1));
    }
    return raw;
  }
  if (splat) return std::string(1, raw[0] ? '\xff' : '\0');
  std::string packed((raw.size() + 7) / 8, '\0');
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i]) packed[i / 8] = static_cast<char>(packed[i / 8] | 1 << (i % 8));
  }
  return packed;
}

// #dialect.name<…> as MLIR reads it.
std::string TextOf(const mlir::Attribute& attribute) {
  std::string text;
  mlir::AppendAttribute(attribute, &StableHloPrintSyntax(), /*elide_type=*/false, &text);
  return text;
}

int WidthOf(const mlir::Type* type) {
  return type == nullptr || type->kind == mlir::TypeKind::kIndex ? 64 : type->width;
}

uint64_t VhloEncoder::BuiltinString(absl::string_view text) {
  ByteBuffer bytes;
  bytes.VarInt(out_.String(text));
  return BuiltinEntry(bytecode::kStringAttr, bytes);
}

uint64_t VhloEncoder::Dictionary(std::vector<std::pair<std::string, uint64_t>> entries) {
  std::sort(entries.begin(), entries.end());
  ByteBuffer bytes;
  bytes.VarInt(entries.size());
  for (const auto& [name, value] : entries) {
    bytes.VarInt(BuiltinString(name));
    bytes.VarInt(value);
  }
  return BuiltinEntry(bytecode::kDictionaryAttr, bytes);
}

bool VhloEncoder::BuiltinElements(const mlir::Attribute& attribute, uint64_t* id) {
  uint64_t type = 0;
  if (!BuiltinType(*attribute.type, &type)) return false;
  ByteBuffer bytes;
  bytes.VarInt(type);
  if (!attribute.Is(AttributeKind::kDenseArray)) {
    bytes.Blob(RawElements(*attribute.data));
    *id = BuiltinEntry(bytecode::kDenseIntOrFpElementsAttr, bytes);
    return true;
  }
  const auto& data = attribute.data->bytes;
  bytes.VarInt(attribute.data->count);
  bytes.Blob(absl::string_view(reinterpret_cast<const char*>(data.data()), data.size()));
  *id = BuiltinEntry(bytecode::kDenseArrayAttr, bytes);
  return true;
}

bool VhloEncoder::BuiltinNumber(const mlir::Attribute& attribute, uint64_t* id) {
  uint64_t type = 0;
  if (attribute.type == nullptr) return Fail("a number without a type");
  if (!BuiltinType(*attribute.type, &type)) return false;
  ByteBuffer bytes;
  bytes.VarInt(type);
  const bool integer = attribute.Is(AttributeKind::kInteger);
  if (integer) {
    bytes.Bits(WidthOf(attribute.type), static_cast<uint64_t>(attribute.integer));
  } else {
    bytes.Bits(hlo::BitWidth(*mlir::ScalarType(*attribute.type)), attribute.bits);
  }
  *id = BuiltinEntry(integer ? bytecode::kIntegerAttr : bytecode::kFloatAttr, bytes);
  return true;
}

uint64_t VhloEncoder::BuiltinSymbol(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, "::");
  ByteBuffer bytes;
  bytes.VarInt(BuiltinString(parts[0]));
  if (parts.size() == 1) return BuiltinEntry(bytecode::kFlatSymbolRefAttr, bytes);
  bytes.VarInt(parts.size() - 1);
  for (size_t i = 1; i < parts.size(); ++i) {
    ByteBuffer part;
    part.VarInt(BuiltinString(parts[i]));
    bytes.VarInt(BuiltinEntry(bytecode::kFlatSymbolRefAttr, part));
  }
  return BuiltinEntry(bytecode::kSymbolRefAttr, bytes);
}

bool VhloEncoder::BuiltinDictionary(const mlir::Attribute& attribute, uint64_t* id) {
  std::vector<std::pair<std::string, uint64_t>> entries;
  std::vector<NamedAttribute> sorted = attribute.entries;
  std::sort(sorted.begin(), sorted.end(),
            [](const NamedAttribute& a, const NamedAttribute& b) { return a.name < b.name; });
  for (const NamedAttribute& entry : sorted) {
    uint64_t value = 0;
    if (!BuiltinAttribute(*entry.value, &value)) return false;
    entries.emplace_back(entry.name, value);
  }
  *id = Dictionary(std::move(entries));
  return true;
}

bool VhloEncoder::BuiltinAttribute(const mlir::Attribute& attribute, uint64_t* id) {
  auto known = builtin_attributes_.find(&attribute);
  if (known != builtin_attributes_.end()) {
    *id = known->second;
    return true;
  }
  if (!EncodeBuiltinAttribute(attribute, id)) return false;
  builtin_attributes_[&attribute] = *id;
  return true;
}

static ByteBuffer BooleanType() {
  ByteBuffer bytes;
  bytes.VarInt(bytecode::kIntegerType);
  bytes.VarInt(1 << 2);
  return bytes;
}

bool VhloEncoder::EncodeBuiltinAttribute(const mlir::Attribute& attribute, uint64_t* id) {
  ByteBuffer bytes;
  uint64_t inner = 0;
  switch (attribute.kind) {
    case AttributeKind::kUnit:
      *id = BuiltinEntry(bytecode::kUnitAttr, bytes);
      return true;
    case AttributeKind::kBool:
      bytes.VarInt(out_.Type("builtin", BooleanType().bytes()));
      bytes.Bits(1, attribute.boolean);
      *id = BuiltinEntry(bytecode::kIntegerAttr, bytes);
      return true;
    case AttributeKind::kInteger:
    case AttributeKind::kFloat:
      return BuiltinNumber(attribute, id);
    case AttributeKind::kString:
      if (attribute.type == nullptr) {
        *id = BuiltinString(attribute.text);
        return true;
      }
      if (!BuiltinType(*attribute.type, &inner)) return false;
      bytes.VarInt(out_.String(attribute.text));
      bytes.VarInt(inner);
      *id = BuiltinEntry(bytecode::kStringAttrWithType, bytes);
      return true;
    case AttributeKind::kSymbol:
      *id = BuiltinSymbol(attribute.text);
      return true;
    case AttributeKind::kArray:
      bytes.VarInt(attribute.elements.size());
      for (const mlir::Attribute* element : attribute.elements) {
        if (!BuiltinAttribute(*element, &inner)) return false;
        bytes.VarInt(inner);
      }
      *id = BuiltinEntry(bytecode::kArrayAttr, bytes);
      return true;
    case AttributeKind::kDictionary:
      return BuiltinDictionary(attribute, id);
    case AttributeKind::kDense:
    case AttributeKind::kDenseResource:
    case AttributeKind::kDenseArray:
      return BuiltinElements(attribute, id);
    case AttributeKind::kType:
      if (!BuiltinType(*attribute.type, &inner)) return false;
      bytes.VarInt(inner);
      *id = BuiltinEntry(bytecode::kTypeAttr, bytes);
      return true;
    case AttributeKind::kDialect:
      *id = out_.Attribute(absl::string_view(attribute.name).substr(0, attribute.name.find('.')),
                           TextOf(attribute), /*text=*/true);
      return true;
    case AttributeKind::kLocation:
      *id = Location(attribute.location);
      return true;
    case AttributeKind::kOpaque:
      *id = out_.Attribute("builtin", TextOf(attribute), /*text=*/true);
      return true;
  }
  return Fail("an attribute of an unknown kind");
}

}  // namespace halyard::stablehlo
