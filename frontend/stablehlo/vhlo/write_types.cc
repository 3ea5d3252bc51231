// VHLO's and the builtin dialect's encodings of types, and locations.
#include <algorithm>
#include <bit>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/mlir/parser.h"
#include "frontend/stablehlo/syntax/print_syntax.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "frontend/stablehlo/vhlo/writer.h"

namespace halyard::stablehlo {

using mlir::ByteBuffer;
using mlir::TypeKind;
namespace bytecode = mlir::bytecode;

namespace {

constexpr int kMaxLocationDepth = 100;

// The format of bytecode that readers of a version know.
uint64_t FormatOf(const Version& target) {
  if (target < Version{0, 10, 0}) return 0;
  if (target < Version{0, 12, 0}) return 1;
  if (target < Version{0, 14, 0}) return 3;
  if (target < Version{0, 15, 0}) return 4;
  return 6;
}

std::vector<int64_t> DimsOf(const mlir::Type& tensor) {
  std::vector<int64_t> dims = tensor.dims;
  for (int64_t& dim : dims) dim = dim == mlir::kDynamic ? bytecode::kDynamicSize : dim;
  return dims;
}

}  // namespace

VhloEncoder::VhloEncoder(const mlir::Document& document, Version target)
    : document_(document), target_(target), out_(FormatOf(target)) {}

bool VhloEncoder::Fail(absl::string_view message) {
  if (!status_.ok()) return false;
  const size_t offset = op_ == nullptr ? 0 : op_->offset;
  status_ = absl::InvalidArgumentError(document_.source.ErrorAt(
      offset,
      op_ == nullptr ? std::string(message) : absl::StrCat("'", op_->name, "': ", message)));
  return false;
}

bool VhloEncoder::Need(const Version& version, absl::string_view what) {
  if (target_ >= version) return true;
  return Fail(absl::StrCat(what, " needs StableHLO version ", ToString(version),
                           "; the target is version ", ToString(target_)));
}

uint64_t VhloEncoder::VhloType(uint64_t code, absl::string_view rest) {
  ByteBuffer bytes;
  bytes.VarInt(code);
  bytes.Append(rest);
  return out_.Type("vhlo", bytes.bytes());
}

bool VhloEncoder::Types(const std::vector<const mlir::Type*>& types, ByteBuffer* bytes) {
  bytes->VarInt(types.size());
  for (const mlir::Type* type : types) {
    uint64_t id = 0;
    if (!Type(*type, &id)) return false;
    bytes->VarInt(id);
  }
  return true;
}

bool VhloEncoder::NamedType(const mlir::Type& type, uint64_t* id) {
  std::string name = type.kind == TypeKind::kIndex ? "index" : type.name;
  if (name == "token") name = "stablehlo.token";
  if (absl::StartsWith(name, "si")) name = name.substr(1);  // VHLO does not tell them apart
  const int code = VhloTypeCodeOf(name);
  if (code < 0 || !type.text.empty()) {
    return Fail(absl::StrCat("type ", mlir::ToString(type), " has no form in portable artifacts"));
  }
  *id = VhloType(code);
  return Need(TypeSince(code), absl::StrCat("type ", mlir::ToString(type)));
}

bool VhloEncoder::TensorType(const mlir::Type& type, uint64_t* id) {
  ByteBuffer bytes;
  uint64_t code = kVhloTensorType;
  if (type.encoding != nullptr) {
    uint64_t encoding = 0;
    if (!Attribute(*type.encoding, &encoding)) return false;
    bytes.VarInt(encoding);
    code = kVhloTensorTypeWithEncoding;
  }
  uint64_t element = 0;
  if (!Type(*type.elements[0], &element)) return false;
  bytes.SignedVarInts(DimsOf(type));
  bytes.VarInt(element);
  *id = VhloType(code, bytes.bytes());
  return true;
}

bool VhloEncoder::QuantizedType(const mlir::Type& type, uint64_t* id) {
  const mlir::QuantParams& quant = *type.quant;
  const mlir::Type& storage = *type.elements[0];
  const bool is_signed = !absl::StartsWith(storage.name, "u");
  const int code = VhloTypeCodeOf(absl::StrCat("i", storage.width));
  uint64_t expressed = 0;
  if (code < 0 || storage.width > 32) {
    return Fail(absl::StrCat("type ", mlir::ToString(type), " has no form in portable artifacts"));
  }
  if (!Need(TypeSince(code), absl::StrCat("type ", mlir::ToString(type))) ||
      !Type(*type.elements[1], &expressed)) {
    return false;
  }
  const int64_t half = int64_t{1} << (storage.width - 1);
  const int64_t min = quant.storage_min.value_or(is_signed ? -half : 0);
  const int64_t max = quant.storage_max.value_or(is_signed ? half - 1 : 2 * half - 1);
  ByteBuffer bytes;
  bytes.VarInt(is_signed);
  bytes.VarInt(VhloType(code));
  bytes.VarInt(expressed);
  if (!quant.dimension.has_value()) {
    bytes.Bits(64, std::bit_cast<uint64_t>(quant.scales[0]));
    bytes.SignedVarInt(quant.zero_points[0]);
    bytes.SignedVarInt(min);
    bytes.SignedVarInt(max);
    *id = VhloType(kVhloQuantizedType, bytes.bytes());
    return true;
  }
  bytes.VarInt(*quant.dimension);
  bytes.SignedVarInt(min);
  bytes.SignedVarInt(max);
  bytes.VarInt(quant.scales.size());
  for (double scale : quant.scales) bytes.Bits(64, std::bit_cast<uint64_t>(scale));
  bytes.SignedVarInts(quant.zero_points);
  *id = VhloType(kVhloQuantizedPerAxisType, bytes.bytes());
  return Need(TypeSince(kVhloQuantizedPerAxisType), "a type quantized per axis");
}

// memref<…>: its layout and memory space have no form.
bool VhloEncoder::BufferType(const mlir::Type& type, uint64_t* id) {
  const std::string name = mlir::ToString(type);
  if (!type.text.empty()) {
    return Fail(absl::StrCat("type ", name, " has no form in portable artifacts"));
  }
  uint64_t element = 0;
  if (!Need(TypeSince(kVhloBufferType), absl::StrCat("type ", name)) ||
      !Type(*type.elements[0], &element)) {
    return false;
  }
  ByteBuffer bytes;
  bytes.SignedVarInts(DimsOf(type));
  bytes.VarInt(element);
  *id = VhloType(kVhloBufferType, bytes.bytes());
  return true;
}

bool VhloEncoder::Type(const mlir::Type& type, uint64_t* id) {
  auto known = types_.find(&type);
  if (known != types_.end()) {
    *id = known->second;
    return true;
  }
  ByteBuffer bytes;
  uint64_t inner = 0;
  bool good = true;
  switch (type.kind) {
    case TypeKind::kInteger:
    case TypeKind::kIndex:
    case TypeKind::kFloat:
      good = NamedType(type, id);
      break;
    case TypeKind::kNone:
      good = Need(TypeSince(kVhloNoneType), "type none");
      *id = VhloType(kVhloNoneType);
      break;
    case TypeKind::kComplex:
      good = Type(*type.elements[0], &inner);
      bytes.VarInt(inner);
      *id = VhloType(kVhloComplexType, bytes.bytes());
      break;
    case TypeKind::kTensor:
      good = TensorType(type, id);
      break;
    case TypeKind::kUnranked:
      good = Type(*type.elements[0], &inner);
      bytes.VarInt(inner);
      *id = VhloType(kVhloUnrankedTensorType, bytes.bytes());
      break;
    case TypeKind::kMemRef:
      good = BufferType(type, id);
      break;
    case TypeKind::kFuture:
      good = Need(TypeSince(kVhloFutureType), absl::StrCat("type ", mlir::ToString(type))) &&
             Types(type.elements, &bytes);
      *id = VhloType(kVhloFutureType, bytes.bytes());
      break;
    case TypeKind::kTuple:
      good = Types(type.elements, &bytes);
      *id = VhloType(kVhloTupleType, bytes.bytes());
      break;
    case TypeKind::kFunction:
      good = Types(type.elements, &bytes) && Types(type.results, &bytes);
      *id = VhloType(kVhloFunctionType, bytes.bytes());
      break;
    case TypeKind::kQuantized:
      good = QuantizedType(type, id);
      break;
    case TypeKind::kOpaque:
      good = NamedType(type, id);
      break;
  }
  if (good) types_[&type] = *id;
  return good;
}

bool VhloEncoder::BuiltinTypes(const std::vector<const mlir::Type*>& types, ByteBuffer* bytes) {
  bytes->VarInt(types.size());
  for (const mlir::Type* type : types) {
    uint64_t id = 0;
    if (!BuiltinType(*type, &id)) return false;
    bytes->VarInt(id);
  }
  return true;
}

// The name before the dot in the type's text, of types that are not builtin ones.
static absl::string_view DialectOf(const mlir::Type& type) {
  if (type.kind == TypeKind::kQuantized) return "quant";
  if (type.kind == TypeKind::kFuture) return "stablehlo";
  return absl::string_view(type.name).substr(0, type.name.find('.'));
}

static void AppendScalarType(const mlir::Type& type, ByteBuffer* bytes) {
  if (type.kind == TypeKind::kInteger) {
    const uint64_t signedness = type.name[0] == 'u' ? 2 : type.name[0] == 's' ? 1 : 0;
    bytes->VarInt(bytecode::kIntegerType);
    bytes->VarInt(static_cast<uint64_t>(type.width) << 2 | signedness);
  } else if (type.kind == TypeKind::kFloat) {
    bytes->VarInt(bytecode::BuiltinFloatCode(type.name));
  } else {
    bytes->VarInt(type.kind == TypeKind::kIndex ? bytecode::kIndexType : bytecode::kNoneType);
  }
}

bool VhloEncoder::BuiltinType(const mlir::Type& type, uint64_t* id) {
  auto known = builtin_types_.find(&type);
  if (known != builtin_types_.end()) {
    *id = known->second;
    return true;
  }
  ByteBuffer bytes;
  uint64_t inner = 0;
  switch (type.kind) {
    case TypeKind::kInteger:
    case TypeKind::kFloat:
    case TypeKind::kIndex:
    case TypeKind::kNone:
      AppendScalarType(type, &bytes);
      break;
    case TypeKind::kComplex:
    case TypeKind::kUnranked:
      if (!BuiltinType(*type.elements[0], &inner)) return false;
      bytes.VarInt(type.kind == TypeKind::kComplex ? bytecode::kComplexType
                                                   : bytecode::kUnrankedTensorType);
      bytes.VarInt(inner);
      break;
    case TypeKind::kTensor:
      if (type.encoding != nullptr) {
        if (!BuiltinAttribute(*type.encoding, &inner)) return false;
        bytes.VarInt(bytecode::kRankedTensorTypeWithEncoding);
        bytes.VarInt(inner);
      } else {
        bytes.VarInt(bytecode::kRankedTensorType);
      }
      if (!BuiltinType(*type.elements[0], &inner)) return false;
      bytes.SignedVarInts(DimsOf(type));
      bytes.VarInt(inner);
      break;
    case TypeKind::kTuple:
      bytes.VarInt(bytecode::kTupleType);
      if (!BuiltinTypes(type.elements, &bytes)) return false;
      break;
    case TypeKind::kFunction:
      bytes.VarInt(bytecode::kFunctionType);
      if (!BuiltinTypes(type.elements, &bytes) || !BuiltinTypes(type.results, &bytes)) return false;
      break;
    case TypeKind::kMemRef:
      return Fail(absl::StrCat("type ", mlir::ToString(type), " has no form here"));
    case TypeKind::kQuantized:
    case TypeKind::kFuture:
    case TypeKind::kOpaque: {  // other dialects' types, as text
      std::string text;
      mlir::AppendType(type, &StableHloPrintSyntax(), &text);
      *id = out_.Type(DialectOf(type), text, /*text=*/true);
      builtin_types_[&type] = *id;
      return true;
    }
  }
  *id = out_.Type("builtin", bytes.bytes());
  builtin_types_[&type] = *id;
  return true;
}

uint64_t VhloEncoder::BuiltinEntry(uint64_t code, const ByteBuffer& rest) {
  ByteBuffer bytes;
  bytes.VarInt(code);
  bytes.Append(rest.bytes());
  return out_.Attribute("builtin", bytes.bytes());
}

// Aliases of locations may make cycles: what is too deep is unknown.
uint64_t VhloEncoder::Location(const mlir::Location* location, int depth) {
  using Kind = mlir::Location::Kind;
  ByteBuffer bytes;
  if (location == nullptr || depth > kMaxLocationDepth) {
    return BuiltinEntry(bytecode::kUnknownLoc, bytes);
  }
  if (location->kind == Kind::kAlias) {
    return Location(location->children.empty() ? nullptr : location->children[0], depth + 1);
  }
  auto known = locations_.find(location);
  if (known != locations_.end()) return known->second;
  locations_[location] = Location(nullptr);  // for those that reach themselves
  std::vector<uint64_t> children;
  for (const mlir::Location* child : location->children) {
    children.push_back(Location(child, depth + 1));
  }
  uint64_t code = bytecode::kUnknownLoc;
  switch (location->kind) {
    case Kind::kFile:
      code = bytecode::kFileLineColLoc;
      bytes.VarInt(BuiltinString(location->text));
      bytes.VarInt(std::max(location->line, 0));
      bytes.VarInt(std::max(location->column, 0));
      break;
    case Kind::kName:
      code = bytecode::kNameLoc;
      bytes.VarInt(BuiltinString(location->text));
      bytes.VarInt(children.empty() ? Location(nullptr) : children[0]);
      break;
    case Kind::kCallSite:
      code = bytecode::kCallSiteLoc;
      for (uint64_t child : children) bytes.VarInt(child);
      break;
    case Kind::kFused:
      code = bytecode::kFusedLoc;
      bytes.VarInt(children.size());
      for (uint64_t child : children) bytes.VarInt(child);
      break;
    default:
      break;
  }
  return locations_[location] = BuiltinEntry(code, bytes);
}

}  // namespace halyard::stablehlo
