// The builtin dialect's encodings of types and attributes.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/values/shape.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/mlir/bytecode/reader.h"

namespace halyard::mlir {

using namespace bytecode;  // NOLINT: the format's numbers

namespace {

constexpr uint64_t kMaxIntegerWidth = (1 << 24) - 1;  // MLIR's own limit

// The value of `width` bits, sign-extended unless unsigned.
int64_t Extend(uint64_t bits, int width, bool is_unsigned) {
  if (width >= 64 || is_unsigned) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (width - 1);
  return static_cast<int64_t>((bits ^ sign) - sign);
}

// The stored form of elements narrower than a byte: their high bits may hold anything.
void NormalizeNarrow(hlo::ElementType type, std::vector<std::byte>* bytes) {
  const int width = hlo::BitWidth(type);
  if (width >= 8 || type == hlo::ElementType::kPred) return;
  for (std::byte& byte : *bytes) {
    const uint64_t bits = std::to_integer<uint64_t>(byte) & ((1u << width) - 1);
    byte = static_cast<std::byte>(Extend(bits, width, !hlo::IsSigned(type)));
  }
}

// One bit an element, or, from old writers, one byte. True when the size fits neither.
bool UnpackBools(absl::string_view raw, DenseData* data) {
  const uint64_t count = data->count;
  if (raw.size() == 1 && count > 8) {  // a splat
    data->bytes = {static_cast<std::byte>(raw[0] & 1)};
    data->splat = true;
    return false;
  }
  const bool packed = raw.size() == count / 8 + (count % 8 != 0);
  if (!packed && raw.size() != count) return true;
  data->bytes.resize(count);
  bool same = true;
  for (uint64_t i = 0; i < count; ++i) {
    const int bit = packed ? raw[i / 8] >> (i % 8) & 1 : raw[i] & 1;
    data->bytes[i] = static_cast<std::byte>(bit);
    same = same && data->bytes[i] == data->bytes[0];
  }
  // Splats are not told from equal elements when they are few; MLIR takes both for splats.
  data->splat = same && count > 1;
  if (data->splat) data->bytes.resize(1);
  return false;
}

}  // namespace

std::string IntegerTypeName(uint64_t width, uint64_t signedness) {
  return absl::StrCat(signedness == 0 ? "i" : signedness == 1 ? "si" : "ui", width);
}

bool BytecodeReader::ReadBuiltinType(ByteCursor& bytes, const Type** result) {
  const size_t at = bytes.offset();
  uint64_t code = 0;
  if (!bytes.VarInt(&code)) return false;
  Type* type = document_.NewType(TypeKind::kNone, at);
  *result = type;
  if (absl::string_view name = BuiltinFloatName(code); !name.empty()) {
    type->kind = TypeKind::kFloat;
    type->name = std::string(name);
    return true;
  }
  switch (code) {
    case kIntegerType: {
      uint64_t packed = 0;  // width and signedness
      if (!bytes.VarInt(&packed)) return false;
      if (packed >> 2 == 0 || packed >> 2 > kMaxIntegerWidth || (packed & 3) == 3) {
        return Fail(at, "no such integer type");
      }
      type->kind = TypeKind::kInteger;
      type->width = static_cast<int>(packed >> 2);
      type->name = IntegerTypeName(packed >> 2, packed & 3);
      return true;
    }
    case kIndexType:
      type->kind = TypeKind::kIndex;
      return true;
    case kFunctionType:
      type->kind = TypeKind::kFunction;
      return ReadTypes(bytes, &type->elements) && ReadTypes(bytes, &type->results);
    case kComplexType:
      type->kind = TypeKind::kComplex;
      return ReadType(bytes, &type->elements.emplace_back());
    case kNoneType:
      return true;
    case kTupleType:
      type->kind = TypeKind::kTuple;
      return ReadTypes(bytes, &type->elements);
    case kUnrankedTensorType:
      type->kind = TypeKind::kUnranked;
      return ReadType(bytes, &type->elements.emplace_back());
    case kRankedTensorType:
    case kRankedTensorTypeWithEncoding:
      type->kind = TypeKind::kTensor;
      if (code == kRankedTensorTypeWithEncoding && !ReadAttribute(bytes, &type->encoding)) {
        return false;
      }
      return bytes.SignedVarInts(&type->dims) && CheckDims(at, *type) &&
             ReadType(bytes, &type->elements.emplace_back());
  }
  return Fail(at, absl::StrCat("builtin type number ", code,
                               ": only tensors, tuples, functions and numbers are types here"));
}

bool BytecodeReader::CheckDims(size_t offset, Type& tensor) {
  for (int64_t& dim : tensor.dims) {
    if (dim == kDynamicSize) {
      dim = kDynamic;
    } else if (dim < 0) {
      return Fail(offset, "a dimension has a negative size");
    }
  }
  return true;
}

bool BytecodeReader::ReadIntegerValue(ByteCursor& bytes, Attribute& attribute) {
  const Type& type = *attribute.type;
  if (type.kind != TypeKind::kInteger && type.kind != TypeKind::kIndex) {
    return bytes.Fail(absl::StrCat("an integer cannot have the type ", ToString(type)));
  }
  const int width = type.kind == TypeKind::kIndex ? 64 : type.width;
  uint64_t bits = 0;
  if (!bytes.Bits(width, &bits)) return false;
  if (type.name == "i1") {
    attribute.kind = AttributeKind::kBool;
    attribute.type = nullptr;
    attribute.boolean = bits != 0;
    return true;
  }
  attribute.kind = AttributeKind::kInteger;
  attribute.integer = Extend(bits, width, absl::StartsWith(type.name, "u"));
  return true;
}

bool BytecodeReader::ReadFloatValue(ByteCursor& bytes, Attribute& attribute) {
  std::optional<hlo::ElementType> scalar = ScalarType(*attribute.type);
  if (!scalar.has_value() || !hlo::IsFloat(*scalar)) {
    return bytes.Fail(absl::StrCat("a float cannot have the type ", ToString(*attribute.type)));
  }
  attribute.kind = AttributeKind::kFloat;
  if (!bytes.Bits(hlo::BitWidth(*scalar), &attribute.bits)) return false;
  attribute.number = hlo::DecodeFloat(*scalar, attribute.bits);
  return true;
}

// Sets the element type and count of `attribute.data` from `attribute.type`.
bool BytecodeReader::DenseType(size_t offset, Attribute& attribute) {
  const Type& type = *attribute.type;
  if (!type.IsTensor()) {
    return Fail(offset, absl::StrCat("elements need a tensor type, not ", ToString(type)));
  }
  std::optional<hlo::ElementType> element = ScalarType(*type.elements[0]);
  if (!element.has_value()) {
    return Fail(offset, absl::StrCat("no constants of element type ", ToString(*type.elements[0])));
  }
  for (int64_t dim : type.dims) {
    if (dim == kDynamic) return Fail(offset, "a constant cannot have a dynamic dimension");
  }
  const int64_t size = hlo::CheckedByteSize(*element, type.dims);
  if (size < 0) return Fail(offset, absl::StrCat(ToString(type), " is too large"));
  attribute.data = std::make_shared<DenseData>();
  attribute.data->element_type = *element;
  attribute.data->count = size / hlo::StorageBytes(*element);
  return true;
}

bool BytecodeReader::SetElements(absl::string_view raw, size_t offset, Attribute& attribute) {
  if (!DenseType(offset, attribute) || !Charge(offset, 8 * raw.size())) return false;
  DenseData& data = *attribute.data;
  const uint64_t element = hlo::StorageBytes(data.element_type);
  bool wrong = false;
  if (data.element_type == hlo::ElementType::kPred) {
    wrong = UnpackBools(raw, &data);
  } else if (data.count == 0) {
    wrong = raw.size() > element;  // a splat of nothing is a value still
  } else {
    data.splat = data.count > 1 && raw.size() == element;
    wrong = !data.splat && raw.size() != data.count * element;
    const auto* begin = reinterpret_cast<const std::byte*>(raw.data());
    if (!wrong) data.bytes.assign(begin, begin + raw.size());
    NormalizeNarrow(data.element_type, &data.bytes);
  }
  if (!wrong) return true;
  return Fail(offset, absl::StrCat(raw.size(), " bytes of elements do not fit the type ",
                                   ToString(*attribute.type)));
}

bool BytecodeReader::ReadDictionary(ByteCursor& bytes, Attribute* attribute) {
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    NamedAttribute& entry = attribute->entries.emplace_back();
    entry.offset = bytes.offset();
    if (!ReadStringOf(bytes, &entry.name) || !ReadAttribute(bytes, &entry.value)) return false;
    if (i > 0 && attribute->entries[i - 1].name >= entry.name) {
      return Fail(entry.offset, absl::StrCat("dictionary: '", entry.name, "' is out of order"));
    }
  }
  return true;
}

bool BytecodeReader::ReadSymbol(uint64_t code, ByteCursor& bytes, Attribute* attribute) {
  attribute->kind = AttributeKind::kSymbol;
  if (!ReadStringOf(bytes, &attribute->text)) return false;
  if (code == kFlatSymbolRefAttr) return true;
  const size_t at = bytes.offset();
  std::vector<const Attribute*> nested;
  if (!ReadAttributes(bytes, &nested)) return false;
  for (const Attribute* part : nested) {
    if (!part->Is(AttributeKind::kSymbol)) return Fail(at, "expected symbols");
    if (!Append(at, "::", &attribute->text) || !Append(at, part->text, &attribute->text)) {
      return false;
    }
  }
  return true;
}

bool BytecodeReader::ReadDenseArray(ByteCursor& bytes, Attribute* attribute) {
  attribute->kind = AttributeKind::kDenseArray;
  const size_t at = bytes.offset();
  uint64_t count = 0;
  absl::string_view raw;
  if (!ReadType(bytes, &attribute->type) || !bytes.Count(&count) || !bytes.Blob(&raw)) return false;
  std::optional<hlo::ElementType> type = ScalarType(*attribute->type);
  if (!type.has_value() || hlo::IsComplex(*type)) {
    return Fail(at, absl::StrCat("array<…> cannot hold ", ToString(*attribute->type)));
  }
  if (raw.size() != count * hlo::StorageBytes(*type)) return Fail(at, "array<…> of a wrong size");
  attribute->data = std::make_shared<DenseData>();
  attribute->data->element_type = *type;
  attribute->data->count = static_cast<int64_t>(count);
  const auto* begin = reinterpret_cast<const std::byte*>(raw.data());
  attribute->data->bytes.assign(begin, begin + raw.size());
  if (*type == hlo::ElementType::kPred) {
    for (std::byte& byte : attribute->data->bytes) byte &= std::byte{1};
  }
  NormalizeNarrow(*type, &attribute->data->bytes);
  return true;
}

bool BytecodeReader::ReadDenseElements(ByteCursor& bytes, Attribute* attribute) {
  attribute->kind = AttributeKind::kDense;
  const size_t at = bytes.offset();
  absl::string_view raw;
  return ReadType(bytes, &attribute->type) && bytes.Blob(&raw) && SetElements(raw, at, *attribute);
}

bool BytecodeReader::ReadDenseResource(ByteCursor& bytes, Attribute* attribute) {
  attribute->kind = AttributeKind::kDenseResource;
  const size_t at = bytes.offset();
  uint64_t index = 0;
  if (!ReadType(bytes, &attribute->type) || !bytes.VarInt(&index)) return false;
  if (index >= resources_.size()) return Fail(at, absl::StrCat("there is no resource ", index));
  const Resource& resource = resources_[index];
  if (resource.kind != kBlobResource) return Fail(at, "the resource holds no elements");
  attribute->text = resource.key;
  ByteCursor blob = Cursor(resource.data, resource.offset);
  uint64_t alignment = 0;
  uint64_t size = 0;
  absl::string_view raw;
  if (!blob.VarInt(&alignment) || !blob.VarInt(&size) || !blob.Align(alignment) ||
      !blob.Bytes(size, &raw) || !blob.End("a resource")) {
    return false;
  }
  return SetElements(raw, at, *attribute);
}

bool BytecodeReader::ReadBuiltinLocation(uint64_t code, ByteCursor& bytes, Attribute* attribute) {
  Location* location = document_.NewLocation(Location::Kind::kUnknown, bytes.offset());
  attribute->kind = AttributeKind::kLocation;
  attribute->location = location;
  auto child = [&] { return ReadLocationOf(bytes, &location->children.emplace_back()); };
  auto number = [&](int* value) {
    uint64_t read = 0;
    if (!bytes.VarInt(&read)) return false;
    *value = read > INT32_MAX ? INT32_MAX : static_cast<int>(read);
    return true;
  };
  uint64_t count = 0;
  switch (code) {
    case kUnknownLoc:
      return true;
    case kCallSiteLoc:
      location->kind = Location::Kind::kCallSite;
      return child() && child();
    case kFileLineColLoc:
      location->kind = Location::Kind::kFile;
      return ReadStringOf(bytes, &location->text) && number(&location->line) &&
             number(&location->column);
    case kFileLineColRange: {  // as many of line, column, end line, end column as there are
      location->kind = Location::Kind::kFile;
      if (!ReadStringOf(bytes, &location->text) || !bytes.Count(&count)) return false;
      int unused = 0;
      for (uint64_t i = 0; i < count; ++i) {
        if (!number(i == 0 ? &location->line : i == 1 ? &location->column : &unused)) return false;
      }
      return true;
    }
    case kNameLoc:
      location->kind = Location::Kind::kName;
      return ReadStringOf(bytes, &location->text) && child();
    default:
      location->kind = Location::Kind::kFused;
      if (!bytes.Count(&count)) return false;
      for (uint64_t i = 0; i < count; ++i) {
        if (!child()) return false;
      }
      const Attribute* metadata = nullptr;
      return code == kFusedLoc || ReadAttribute(bytes, &metadata);
  }
}

bool BytecodeReader::ReadBuiltinAttribute(ByteCursor& bytes, const Attribute** result) {
  const size_t at = bytes.offset();
  uint64_t code = 0;
  if (!bytes.VarInt(&code)) return false;
  Attribute* attribute = document_.NewAttribute(AttributeKind::kUnit, at);
  *result = attribute;
  switch (code) {
    case kArrayAttr:
      attribute->kind = AttributeKind::kArray;
      return ReadAttributes(bytes, &attribute->elements);
    case kDictionaryAttr:
      attribute->kind = AttributeKind::kDictionary;
      return ReadDictionary(bytes, attribute);
    case kStringAttr:
    case kStringAttrWithType:
      attribute->kind = AttributeKind::kString;
      return ReadString(bytes, &attribute->text) &&
             (code == kStringAttr || ReadType(bytes, &attribute->type));
    case kFlatSymbolRefAttr:
    case kSymbolRefAttr:
      return ReadSymbol(code, bytes, attribute);
    case kTypeAttr:
      attribute->kind = AttributeKind::kType;
      return ReadType(bytes, &attribute->type);
    case kUnitAttr:
      return true;
    case kIntegerAttr:
      return ReadType(bytes, &attribute->type) && ReadIntegerValue(bytes, *attribute);
    case kFloatAttr:
      return ReadType(bytes, &attribute->type) && ReadFloatValue(bytes, *attribute);
    case kCallSiteLoc:
    case kFileLineColLoc:
    case kFileLineColRange:
    case kFusedLoc:
    case kFusedLocWithMetadata:
    case kNameLoc:
    case kUnknownLoc:
      return ReadBuiltinLocation(code, bytes, attribute);
    case kDenseResourceElementsAttr:
      return ReadDenseResource(bytes, attribute);
    case kDenseArrayAttr:
      return ReadDenseArray(bytes, attribute);
    case kDenseIntOrFpElementsAttr:
      return ReadDenseElements(bytes, attribute);
    case kDistinctAttr: {
      const Attribute* inner = nullptr;
      attribute->kind = AttributeKind::kOpaque;
      attribute->text = "distinct";
      return ReadAttribute(bytes, &inner);
    }
  }
  return Fail(at, absl::StrCat("builtin attribute number ", code, " is not supported"));
}

}  // namespace halyard::mlir
