// Types of VHLO and of StableHLO.
#include <bit>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/stablehlo/vhlo/dialects.h"

namespace halyard::stablehlo {

using mlir::BytecodeReader;
using mlir::ByteCursor;
using mlir::Type;
using mlir::TypeKind;

namespace {

bool ReadDouble(ByteCursor& bytes, double* value) {
  uint64_t bits = 0;
  if (!bytes.Bits(64, &bits)) return false;
  *value = std::bit_cast<double>(bits);
  return true;
}

// A type without parts, from its MLIR name.
void SetNamed(absl::string_view name, Type* type) {
  type->name = std::string(name);
  if (name == "index") {
    type->kind = TypeKind::kIndex;
    type->name.clear();
  } else if (absl::StartsWith(name, "stablehlo.")) {
    type->kind = TypeKind::kOpaque;
  } else if (std::optional<hlo::ElementType> scalar = hlo::ElementTypeFromMlirName(name);
             scalar.has_value() && !hlo::IsFloat(*scalar)) {
    type->kind = TypeKind::kInteger;
    type->width = hlo::BitWidth(*scalar);
  } else {
    type->kind = TypeKind::kFloat;
  }
}

// Storage is written signless, with a flag that says whether it is signed; and with its range,
// which text leaves out when it is the type's.
bool SetStorage(BytecodeReader& reader, size_t offset, bool is_signed, int64_t min, int64_t max,
                Type* type) {
  const Type& storage = *type->elements[0];
  if (storage.kind != TypeKind::kInteger || storage.width > 32) {
    return reader.Fail(offset, "the storage type of a quantized type must be an integer type");
  }
  if (type->elements[1]->kind != TypeKind::kFloat) {
    return reader.Fail(offset, "the expressed type of a quantized type must be a float type");
  }
  if (!is_signed) {
    Type* unsigned_type = reader.document().NewType(TypeKind::kInteger, offset);
    unsigned_type->name = absl::StrCat("ui", storage.width);
    unsigned_type->width = storage.width;
    type->elements[0] = unsigned_type;
  }
  const int64_t half = int64_t{1} << (storage.width - 1);
  const int64_t lowest = is_signed ? -half : 0;
  const int64_t highest = is_signed ? half - 1 : 2 * half - 1;
  if (min != lowest || max != highest) {
    type->quant->storage_min = min;
    type->quant->storage_max = max;
  }
  return true;
}

bool ReadQuantized(BytecodeReader& reader, ByteCursor& bytes, bool per_axis, Type* type) {
  const size_t at = bytes.offset();
  type->kind = TypeKind::kQuantized;
  type->quant = std::make_unique<mlir::QuantParams>();
  uint64_t flags = 0;
  int64_t min = 0;
  int64_t max = 0;
  mlir::QuantParams& quant = *type->quant;
  if (!bytes.VarInt(&flags) || !reader.ReadType(bytes, &type->elements.emplace_back()) ||
      !reader.ReadType(bytes, &type->elements.emplace_back())) {
    return false;
  }
  if (per_axis) {
    uint64_t dimension = 0;
    uint64_t count = 0;
    if (!bytes.VarInt(&dimension) || !bytes.SignedVarInt(&min) || !bytes.SignedVarInt(&max) ||
        !bytes.Count(&count)) {
      return false;
    }
    if (dimension > INT32_MAX) return reader.Fail(at, "no such dimension");
    quant.dimension = static_cast<int64_t>(dimension);
    for (uint64_t i = 0; i < count; ++i) {
      if (!ReadDouble(bytes, &quant.scales.emplace_back())) return false;
    }
    if (!bytes.SignedVarInts(&quant.zero_points)) return false;
    if (quant.scales.size() != quant.zero_points.size()) {
      return reader.Fail(at, "a quantized type needs as many zero points as scales");
    }
  } else if (!ReadDouble(bytes, &quant.scales.emplace_back()) ||
             !bytes.SignedVarInt(&quant.zero_points.emplace_back()) || !bytes.SignedVarInt(&min) ||
             !bytes.SignedVarInt(&max)) {
    return false;
  }
  return SetStorage(reader, at, flags & 1, min, max, type);
}

bool ReadTensor(BytecodeReader& reader, ByteCursor& bytes, bool encoding, Type* type) {
  const size_t at = bytes.offset();
  type->kind = TypeKind::kTensor;
  if (encoding && !reader.ReadAttribute(bytes, &type->encoding)) return false;
  if (!bytes.SignedVarInts(&type->dims)) return false;
  for (int64_t& dim : type->dims) {
    if (dim == mlir::bytecode::kDynamicSize) {
      dim = mlir::kDynamic;
    } else if (dim < 0) {
      return reader.Fail(at, "a dimension has a negative size");
    }
  }
  return reader.ReadType(bytes, &type->elements.emplace_back());
}

// !stablehlo.future<t, …>
bool ReadFuture(BytecodeReader& reader, ByteCursor& bytes, Type* type) {
  type->kind = TypeKind::kFuture;
  const size_t at = bytes.offset();
  if (!reader.ReadTypes(bytes, &type->elements)) return false;
  if (type->elements.empty()) return reader.Fail(at, "a future of nothing");
  for (const Type* part : type->elements) {
    if (!part->IsTensor()) return reader.Fail(at, "a future of what is not an array");
  }
  return true;
}

bool CheckElement(BytecodeReader& reader, size_t at, const Type& type) {
  return mlir::ScalarType(*type.elements[0]).has_value() ||
         reader.Fail(at,
                     absl::StrCat(mlir::ToString(*type.elements[0]), " is not an element type"));
}

}  // namespace

bool VhloDialect::ReadType(BytecodeReader& reader, ByteCursor& bytes, const Type** result) {
  const size_t at = bytes.offset();
  uint64_t code = 0;
  if (!bytes.VarInt(&code)) return false;
  Type* type = reader.document().NewType(TypeKind::kNone, at);
  *result = type;
  if (absl::string_view name = VhloTypeName(code); !name.empty()) {
    SetNamed(name, type);
    return true;
  }
  switch (code) {
    case kVhloComplexType:
      type->kind = TypeKind::kComplex;
      return reader.ReadType(bytes, &type->elements.emplace_back());
    case kVhloFunctionType:
      type->kind = TypeKind::kFunction;
      return reader.ReadTypes(bytes, &type->elements) && reader.ReadTypes(bytes, &type->results);
    case kVhloTensorType:
    case kVhloTensorTypeWithEncoding:
      return ReadTensor(reader, bytes, code == kVhloTensorTypeWithEncoding, type);
    case kVhloTupleType:
      type->kind = TypeKind::kTuple;
      return reader.ReadTypes(bytes, &type->elements);
    case kVhloQuantizedType:
    case kVhloQuantizedPerAxisType:
      return ReadQuantized(reader, bytes, code == kVhloQuantizedPerAxisType, type);
    case kVhloNoneType:
      return true;
    case kVhloFutureType:
      return ReadFuture(reader, bytes, type);
    case kVhloUnrankedTensorType:
      type->kind = TypeKind::kUnranked;
      return reader.ReadType(bytes, &type->elements.emplace_back()) &&
             CheckElement(reader, at, *type);
    case 26:
      return reader.Fail(at, "witnesses of shape constraints are not supported");
    case kVhloBufferType:
      if (!ReadTensor(reader, bytes, false, type)) return false;
      type->kind = TypeKind::kMemRef;
      return CheckElement(reader, at, *type);
  }
  return Unknown(reader, at, absl::StrCat("type number ", code));
}

bool StableHloDialect::ReadType(BytecodeReader& reader, ByteCursor& bytes, const Type** result) {
  const size_t at = bytes.offset();
  uint64_t code = 0;
  if (!bytes.VarInt(&code)) return false;
  Type* type = reader.document().NewType(TypeKind::kOpaque, at);
  *result = type;
  if (code == 0) {
    type->name = "stablehlo.token";
    return true;
  }
  if (code == 1) return ReadFuture(reader, bytes, type);
  return reader.Fail(at, absl::StrCat("StableHLO type number ", code,
                                      " is not known; serialize a portable artifact instead"));
}

}  // namespace halyard::stablehlo
