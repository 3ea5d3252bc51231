// Attributes of VHLO and of StableHLO.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/mlir/print.h"
#include "frontend/stablehlo/vhlo/dialects.h"
#include "frontend/stablehlo/vhlo/nodes.h"

namespace halyard::stablehlo {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::BytecodeReader;
using mlir::ByteCursor;

namespace {

void AddEntry(Attribute* record, absl::string_view name, const Attribute* value) {
  record->entries.push_back({std::string(name), value, record->offset});
}

// The two floats of result_accuracy; zeros are left out, as in text.
bool ReadTolerance(BytecodeReader& reader, ByteCursor& bytes, absl::string_view name,
                   Attribute* record) {
  Attribute* number = reader.document().NewAttribute(AttributeKind::kFloat, bytes.offset());
  mlir::Type* type = reader.document().NewType(mlir::TypeKind::kFloat, bytes.offset());
  type->name = "f64";
  number->type = type;
  if (!reader.ReadFloatValue(bytes, *number)) return false;
  if (number->bits != 0) AddEntry(record, name, number);
  return true;
}

std::string Quoted(const Attribute& text) { return mlir::ToString(text); }

bool ReadDictionaryEntries(BytecodeReader& reader, ByteCursor& bytes, Attribute* attribute) {
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t at = bytes.offset();
    const Attribute* name = nullptr;
    const Attribute* value = nullptr;
    if (!reader.ReadAttribute(bytes, &name) || !reader.ReadAttribute(bytes, &value)) return false;
    if (!name->Is(AttributeKind::kString)) return reader.Fail(at, "expected a name");
    if (i > 0 && attribute->entries.back().name >= name->text) {
      return reader.Fail(at, absl::StrCat("dictionary: '", name->text, "' is out of order"));
    }
    attribute->entries.push_back({name->text, value, at});
  }
  return true;
}

std::string MeshText(const Attribute& axes, const Attribute* device_ids) {
  const std::string list = absl::StrJoin(
      axes.elements, ", ",
      [](std::string* out, const Attribute* axis) { absl::StrAppend(out, "<", axis->text, ">"); });
  return absl::StrCat(
      "axes=[", list, "]",
      device_ids == nullptr ? "" : absl::StrCat(", device_ids=", mlir::ToString(*device_ids)));
}

// Meshes of devices: kept as the text that StableHLO writes, since nothing here looks inside.
bool ReadMeshPart(BytecodeReader& reader, ByteCursor& bytes, uint64_t code, Attribute* attribute) {
  attribute->kind = AttributeKind::kDialect;
  const Attribute* first = nullptr;
  const Attribute* second = nullptr;
  int64_t size = 0;
  switch (code) {
    case kVhloSubAxisInfo: {
      int64_t pre_size = 0;
      attribute->name = "stablehlo.sub_axis_info";
      if (!bytes.SignedVarInt(&pre_size) || !bytes.SignedVarInt(&size)) return false;
      attribute->text = absl::StrCat("(", pre_size, ")", size);
      return true;
    }
    case kVhloAxisRef:
      attribute->name = "stablehlo.axis_ref";
      if (!ReadPart(reader, bytes, &first)) return false;
      attribute->text = absl::StrCat("name = ", Quoted(*first));
      {
        uint64_t sub_axis = 0;
        if (!bytes.VarInt(&sub_axis)) return false;
        if (sub_axis == 0) return true;
      }
      if (!ReadPart(reader, bytes, &second)) return false;
      absl::StrAppend(&attribute->text, ", sub_axis_info = ", second->text);
      return true;
    case kVhloMeshAxis:
      attribute->name = "stablehlo.mesh_axis";
      if (!ReadPart(reader, bytes, &first) || !bytes.SignedVarInt(&size)) return false;
      attribute->text = absl::StrCat("name = ", Quoted(*first), ", size = ", size);
      return true;
    case kVhloMesh:
      attribute->name = "stablehlo.mesh";
      if (!ReadPart(reader, bytes, &first) || !ReadOptionalPart(reader, bytes, &second)) {
        return false;
      }
      attribute->text = MeshText(*first, second);
      return true;
    default:
      attribute->name = "stablehlo.replica_group_mesh_axes";
      if (!ReadPart(reader, bytes, &first) || !ReadPart(reader, bytes, &second)) {
        return false;
      }
      {
        // VHLO names a mesh by a string.
        std::string mesh;
        if (first->Is(AttributeKind::kString)) {
          mlir::AppendSymbol(first->text, &mesh);
        } else {
          mesh = mlir::ToString(*first);
        }
        attribute->text = absl::StrCat("mesh = ", mesh, ", axes = ", mlir::ToString(*second));
      }
      return true;
  }
}

}  // namespace

bool ChargePart(BytecodeReader& reader, size_t offset, const Attribute& part) {
  constexpr uint64_t kPunctuation = 16;
  const bool simple = part.Is(AttributeKind::kString) || part.Is(AttributeKind::kSymbol) ||
                      part.Is(AttributeKind::kDense) || part.Is(AttributeKind::kDialect);
  if ((!simple && !part.Is(AttributeKind::kArray)) || !part.entries.empty()) {
    return reader.Fail(offset, "an attribute of a kind that does not belong here");
  }
  uint64_t size = 4 * part.text.size() + part.name.size() + kPunctuation;
  if (part.data != nullptr) size += 4 * part.data->bytes.size();
  for (const Attribute* element : part.elements) {
    if (!element->Is(AttributeKind::kDialect) || !element->entries.empty()) {
      return reader.Fail(offset, "an attribute of a kind that does not belong here");
    }
    size += element->text.size() + element->name.size() + kPunctuation;
  }
  return reader.Charge(offset, size);
}

bool ReadPart(BytecodeReader& reader, ByteCursor& bytes, const Attribute** part) {
  const size_t at = bytes.offset();
  return reader.ReadAttribute(bytes, part) && ChargePart(reader, at, **part);
}

bool ReadParts(BytecodeReader& reader, ByteCursor& bytes, std::vector<const Attribute*>* parts) {
  const size_t at = bytes.offset();
  if (!reader.ReadAttributes(bytes, parts)) return false;
  for (const Attribute* part : *parts) {
    if (!ChargePart(reader, at, *part)) return false;
  }
  return true;
}

bool ReadOptionalPart(BytecodeReader& reader, ByteCursor& bytes, const Attribute** part) {
  const size_t at = bytes.offset();
  return reader.ReadOptionalAttribute(bytes, part) &&
         (*part == nullptr || ChargePart(reader, at, **part));
}

bool ReadEnum(BytecodeReader& reader, ByteCursor& bytes, const VhloEnum& row,
              const Attribute** attribute) {
  const size_t at = bytes.offset();
  uint64_t number = 0;
  if (!bytes.VarInt(&number)) return false;
  if (number >= row.words.size() || row.words[number].empty()) {
    return reader.Fail(at, absl::StrCat("there is no ", row.name, " number ", number));
  }
  *attribute = MakeWord(reader.document(), row.name, row.words[number], at);
  return true;
}

bool ReadBounds(BytecodeReader& reader, ByteCursor& bytes, const Attribute** attribute) {
  const size_t at = bytes.offset();
  std::vector<int64_t> bounds;
  if (!bytes.SignedVarInts(&bounds)) return false;
  *attribute = MakeWord(reader.document(), "stablehlo.bounds",
                        absl::StrJoin(bounds, ", ",
                                      [](std::string* out, int64_t bound) {
                                        absl::StrAppend(out, bound < 0 ? "?" : absl::StrCat(bound));
                                      }),
                        at);
  return true;
}

bool ReadOutputOperandAlias(BytecodeReader& reader, ByteCursor& bytes,
                            const Attribute** attribute) {
  const size_t at = bytes.offset();
  std::vector<int64_t> output;
  std::vector<int64_t> operand;
  int64_t index = 0;
  if (!bytes.SignedVarInts(&output) || !bytes.SignedVarInt(&index) ||
      !bytes.SignedVarInts(&operand)) {
    return false;
  }
  Attribute* record = MakeStruct(reader.document(), "stablehlo.output_operand_alias", at);
  AddEntry(record, "output_tuple_indices", MakeInts(reader.document(), output, at));
  AddEntry(record, "operand_index", MakeInteger(reader.document(), index, at));
  AddEntry(record, "operand_tuple_indices", MakeInts(reader.document(), operand, at));
  *attribute = record;
  return true;
}

bool ReadAccuracy(BytecodeReader& reader, ByteCursor& bytes, const Attribute** attribute) {
  const size_t at = bytes.offset();
  Attribute* record = MakeStruct(reader.document(), "stablehlo.result_accuracy", at);
  *attribute = record;
  int64_t ulps = 0;
  const Attribute* mode = nullptr;
  if (!ReadTolerance(reader, bytes, "atol", record) ||
      !ReadTolerance(reader, bytes, "rtol", record) || !bytes.SignedVarInt(&ulps) ||
      !reader.ReadAttribute(bytes, &mode)) {
    return false;
  }
  if (mode->name != "stablehlo.result_accuracy_mode") {
    return reader.Fail(at, "result_accuracy needs a mode");
  }
  if (ulps != 0) AddEntry(record, "ulps", MakeInteger(reader.document(), ulps, at));
  AddEntry(record, "mode", mode);
  return true;
}

bool VhloDialect::Unknown(BytecodeReader& reader, size_t offset, absl::string_view what) const {
  return reader.Fail(
      offset, absl::StrCat("VHLO ", what, " is not known: the file was written as ", written_by_,
                           "; supported are versions ", SupportedVersions()));
}

bool VhloDialect::ReadAttribute(BytecodeReader& reader, ByteCursor& bytes,
                                const Attribute** result) {
  const size_t at = bytes.offset();
  uint64_t code = 0;
  if (!bytes.VarInt(&code)) return false;
  for (const VhloEnum& row : VhloEnums()) {
    if (row.code == code) return ReadEnum(reader, bytes, row, result);
  }
  if (code == kVhloOutputOperandAlias) return ReadOutputOperandAlias(reader, bytes, result);
  if (code == kVhloBounds) return ReadBounds(reader, bytes, result);
  if (code == kVhloAccuracy) return ReadAccuracy(reader, bytes, result);
  Attribute* attribute = reader.document().NewAttribute(AttributeKind::kUnit, at);
  *result = attribute;
  absl::string_view raw;
  uint64_t number = 0;
  switch (code) {
    case kVhloArray:
      attribute->kind = AttributeKind::kArray;
      return reader.ReadAttributes(bytes, &attribute->elements);
    case kVhloBoolean:
      attribute->kind = AttributeKind::kBool;
      if (!bytes.VarInt(&number)) return false;
      attribute->boolean = number != 0;
      return true;
    case kVhloApiVersion:
      if (!bytes.VarInt(&number)) return false;
      if (number > 4) return Unknown(reader, at, absl::StrCat("custom call API version ", number));
      *result = MakeInteger(reader.document(), static_cast<int64_t>(number), at, 32);
      return true;
    case kVhloDictionary:
      attribute->kind = AttributeKind::kDictionary;
      return ReadDictionaryEntries(reader, bytes, attribute);
    case kVhloFloat:
      return reader.ReadType(bytes, &attribute->type) && reader.ReadFloatValue(bytes, *attribute);
    case kVhloInteger:
      return reader.ReadType(bytes, &attribute->type) && reader.ReadIntegerValue(bytes, *attribute);
    case kVhloString:
      attribute->kind = AttributeKind::kString;
      return reader.ReadString(bytes, &attribute->text);
    case kVhloTensor:
      attribute->kind = AttributeKind::kDense;
      return reader.ReadType(bytes, &attribute->type) && bytes.Blob(&raw) &&
             reader.SetElements(raw, at, *attribute);
    case kVhloType:
      attribute->kind = AttributeKind::kType;
      return reader.ReadType(bytes, &attribute->type);
    case kVhloSubAxisInfo:
    case kVhloAxisRef:
    case kVhloMeshAxis:
    case kVhloMesh:
    case kVhloReplicaGroupMeshAxes:
      return ReadMeshPart(reader, bytes, code, attribute);
  }
  return Unknown(reader, at, absl::StrCat("attribute number ", code));
}

}  // namespace halyard::stablehlo
