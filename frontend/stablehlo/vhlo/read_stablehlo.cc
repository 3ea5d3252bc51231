// Modules that are not portable artifacts: the encodings of StableHLO, CHLO and Shardy themselves,
// as the jaxlib that the tests use writes them. They are stable for as long as those dialects do
// not change.
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "frontend/stablehlo/dialect_properties.h"
#include "frontend/stablehlo/vhlo/dialects.h"
#include "frontend/stablehlo/vhlo/nodes.h"

namespace halyard::stablehlo {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::BytecodeReader;
using mlir::ByteCursor;

namespace {

// A structure's fields in order: lists of integers, or, with a '1' after the name, one.
struct Record {
  uint64_t code;
  absl::string_view name;
  absl::string_view fields;
};

constexpr Record kRecords[] = {
    {1, "stablehlo.channel_handle", "handle1 type1"},
    {4, "stablehlo.conv",
     "input_batch_dimension1 input_feature_dimension1 input_spatial_dimensions "
     "kernel_input_feature_dimension1 kernel_output_feature_dimension1 kernel_spatial_dimensions "
     "output_batch_dimension1 output_feature_dimension1 output_spatial_dimensions"},
    {5, "stablehlo.dot",
     "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions "
     "rhs_contracting_dimensions"},
    {7, "stablehlo.gather",
     "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims "
     "start_index_map index_vector_dim1"},
    {11, "stablehlo.scatter",
     "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims "
     "scatter_dims_to_operand_dims index_vector_dim1"},
};

// Whether text writes a field that is empty or zero.
bool WritesEmpty(absl::string_view record, absl::string_view field) {
  if (record == "stablehlo.conv" || record == "stablehlo.channel_handle") return true;
  return record == "stablehlo.dot" && absl::StrContains(field, "contracting");
}

bool ReadRecord(BytecodeReader& reader, ByteCursor& bytes, const Record& row,
                const Attribute** result) {
  const size_t at = bytes.offset();
  Attribute* record = MakeStruct(reader.document(), row.name, at);
  *result = record;
  bool batching = false;  // a dot's are written if either is there
  for (absl::string_view field : absl::StrSplit(row.fields, ' ')) {
    const Attribute* value = nullptr;
    bool empty = false;
    if (absl::ConsumeSuffix(&field, "1")) {
      int64_t number = 0;
      if (!bytes.SignedVarInt(&number)) return false;
      value = MakeInteger(reader.document(), number, at);
      empty = number == 0;
    } else {
      std::vector<int64_t> numbers;
      if (!bytes.SignedVarInts(&numbers)) return false;
      value = MakeInts(reader.document(), numbers, at);
      empty = numbers.empty();
      batching = batching || (!empty && absl::EndsWith(field, "_batching_dimensions"));
    }
    if (!empty || batching || WritesEmpty(row.name, field)) {
      record->entries.push_back({std::string(field), value, at});
    }
  }
  return true;
}

bool ReadAlgorithm(BytecodeReader& reader, ByteCursor& bytes, const Attribute** result) {
  const size_t at = bytes.offset();
  Attribute* record = MakeStruct(reader.document(), "stablehlo.dot_algorithm", at);
  *result = record;
  auto add = [&](absl::string_view name, const Attribute* value) {
    record->entries.push_back({std::string(name), value, at});
  };
  for (absl::string_view name : {"lhs_precision_type", "rhs_precision_type", "accumulation_type"}) {
    Attribute* type = reader.document().NewAttribute(AttributeKind::kType, at);
    if (!reader.ReadType(bytes, &type->type)) return false;
    add(name, type);
  }
  for (absl::string_view name :
       {"lhs_component_count", "rhs_component_count", "num_primitive_operations"}) {
    int64_t number = 0;
    if (!bytes.SignedVarInt(&number)) return false;
    add(name, MakeInteger(reader.document(), number, at));
  }
  uint8_t flag = 0;
  if (!bytes.Byte(&flag)) return false;
  Attribute* imprecise = reader.document().NewAttribute(AttributeKind::kBool, at);
  imprecise->boolean = flag != 0;
  add("allow_imprecise_accumulation", imprecise);
  return true;
}

// Meshes of devices: kept as the text that StableHLO writes, since nothing here looks inside.
bool ReadMeshPart(BytecodeReader& reader, ByteCursor& bytes, uint64_t code,
                  const Attribute** result) {
  Attribute* part = reader.document().NewAttribute(AttributeKind::kDialect, bytes.offset());
  *result = part;
  int64_t first = 0;
  int64_t second = 0;
  uint8_t present = 0;
  std::string name;
  const Attribute* inner = nullptr;
  std::vector<const Attribute*> list;
  auto join = [](std::string* out, const Attribute* axis) {
    absl::StrAppend(out, "<", axis->text, ">");
  };
  switch (code) {
    case 18:
      part->name = "stablehlo.replica_group_mesh_axes";
      if (!ReadPart(reader, bytes, &inner) || !ReadParts(reader, bytes, &list)) return false;
      part->text = absl::StrCat("mesh = ", mlir::ToString(*inner), ", axes = [",
                                absl::StrJoin(list, ", ",
                                              [](std::string* out, const Attribute* axis) {
                                                absl::StrAppend(out, mlir::ToString(*axis));
                                              }),
                                "]");
      return true;
    case 19:
      part->name = "stablehlo.sub_axis_info";
      if (!bytes.SignedVarInt(&first) || !bytes.SignedVarInt(&second)) return false;
      part->text = absl::StrCat("(", first, ")", second);
      return true;
    case 20:
      part->name = "stablehlo.axis_ref";
      if (!reader.ReadString(bytes, &name) || !bytes.Byte(&present)) return false;
      part->text = absl::StrCat("name = \"", name, "\"");
      if (present == 0) return true;
      if (!ReadPart(reader, bytes, &inner)) return false;
      absl::StrAppend(&part->text, ", sub_axis_info = ", inner->text);
      return true;
    case 21:
      part->name = "stablehlo.mesh_axis";
      if (!reader.ReadString(bytes, &name) || !bytes.SignedVarInt(&first)) return false;
      part->text = absl::StrCat("name = \"", name, "\", size = ", first);
      return true;
    default:
      part->name = "stablehlo.mesh";
      if (!ReadPart(reader, bytes, &inner) || !bytes.Byte(&present)) return false;
      part->text = absl::StrCat("axes=[", absl::StrJoin(inner->elements, ", ", join), "]");
      if (present == 0) return true;
      if (!ReadPart(reader, bytes, &inner)) return false;
      absl::StrAppend(&part->text, ", device_ids=", mlir::ToString(*inner));
      return true;
  }
}

bool UnknownCode(BytecodeReader& reader, size_t offset, absl::string_view dialect, uint64_t code) {
  return reader.Fail(offset, absl::StrCat(dialect, " attribute number ", code,
                                          " is not known; serialize a portable artifact instead"));
}

}  // namespace

bool PlainDialect::ReadProperties(BytecodeReader& reader, ByteCursor& bytes, mlir::Operation& op) {
  const absl::string_view* names = FindProperties(op.name);
  if (names == nullptr) {
    return reader.Fail(op.offset, absl::StrCat("the properties of '", op.name, "' are not known"));
  }
  for (absl::string_view name : absl::StrSplit(*names, ' ')) {
    const size_t at = bytes.offset();
    const Attribute* value = nullptr;
    const bool optional = absl::ConsumeSuffix(&name, "?");
    if (!(optional ? reader.ReadOptionalAttribute(bytes, &value)
                   : reader.ReadAttribute(bytes, &value))) {
      return false;
    }
    if (value == nullptr) continue;
    if (op.Attr(name) != nullptr) {
      return reader.Fail(at, absl::StrCat("attribute '", name, "' is given twice"));
    }
    op.attributes.push_back({std::string(name), value, at});
  }
  return true;
}

bool StableHloDialect::ReadAttribute(BytecodeReader& reader, ByteCursor& bytes,
                                     const Attribute** attribute) {
  const size_t at = bytes.offset();
  uint64_t code = 0;
  if (!bytes.VarInt(&code)) return false;
  for (const VhloEnum& row : VhloEnums()) {
    if (row.stablehlo_code == code) return ReadEnum(reader, bytes, row, attribute);
  }
  for (const Record& row : kRecords) {
    if (row.code == code) return ReadRecord(reader, bytes, row, attribute);
  }
  switch (code) {
    case 13:
      return ReadBounds(reader, bytes, attribute);
    case 14:
      return ReadOutputOperandAlias(reader, bytes, attribute);
    case 15:
      return ReadAlgorithm(reader, bytes, attribute);
    case 17:
      return ReadAccuracy(reader, bytes, attribute);
    case 18:
    case 19:
    case 20:
    case 21:
    case 22:
      return ReadMeshPart(reader, bytes, code, attribute);
  }
  return UnknownCode(reader, at, "StableHLO", code);
}

bool ChloDialect::ReadAttribute(BytecodeReader& reader, ByteCursor& bytes,
                                const Attribute** attribute) {
  const size_t at = bytes.offset();
  uint64_t code = 0;
  if (!bytes.VarInt(&code)) return false;
  constexpr std::pair<int, absl::string_view> kEnums[] = {{0, "comparison_direction"},
                                                          {1, "comparison_type"}};
  for (const auto& [number, name] : kEnums) {
    if (static_cast<uint64_t>(number) != code) continue;
    VhloEnum row = *FindVhloEnum(absl::StrCat("stablehlo.", name));
    const std::string chlo = absl::StrCat("chlo.", name);
    row.name = chlo;
    return ReadEnum(reader, bytes, row, attribute);
  }
  return UnknownCode(reader, at, "CHLO", code);
}

}  // namespace halyard::stablehlo
