// Shardy's attributes, as the text that the reader of text keeps of them.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/stablehlo/vhlo/dialects.h"

namespace halyard::stablehlo {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::BytecodeReader;
using mlir::ByteCursor;

namespace {

enum ShardyAttribute : uint8_t {
  kMeshAxis = 1,
  kMesh = 2,
  kSubAxisInfo = 3,
  kAxisRef = 4,
  kDimensionSharding = 5,
  kTensorSharding = 6,
  kTensorShardingWithUnreduced = 15,
};

std::string JoinTexts(const std::vector<const Attribute*>& parts) {
  return absl::StrJoin(parts, ", ", [](std::string* out, const Attribute* part) {
    absl::StrAppend(out, part->text);
  });
}

bool ReadTexts(BytecodeReader& reader, ByteCursor& bytes, std::string* text) {
  std::vector<const Attribute*> parts;
  if (!ReadParts(reader, bytes, &parts)) return false;
  *text = JoinTexts(parts);
  return true;
}

// ["x"=2, "y"=4], device_ids=[1, 0]
bool ReadMesh(BytecodeReader& reader, ByteCursor& bytes, Attribute* mesh) {
  mesh->name = "sdy.mesh";
  std::string axes;
  std::vector<int64_t> ids;
  if (!ReadTexts(reader, bytes, &axes) || !bytes.SignedVarInts(&ids)) return false;
  mesh->text = absl::StrCat("[", axes, "]");
  if (!ids.empty()) {
    absl::StrAppend(&mesh->text, ", device_ids=[", absl::StrJoin(ids, ", "), "]");
  }
  return true;
}

// {"x", ?}p1
bool ReadDimension(BytecodeReader& reader, ByteCursor& bytes, Attribute* dimension) {
  std::string axes;
  uint8_t closed = 0;
  uint64_t priority = 0;
  bool has_priority = false;
  if (!ReadTexts(reader, bytes, &axes) || !bytes.Byte(&closed) ||
      !bytes.FlaggedVarInt(&priority, &has_priority)) {
    return false;
  }
  const char* open = closed ? "" : axes.empty() ? "?" : ", ?";
  dimension->text =
      absl::StrCat("{", axes, open, "}", has_priority ? absl::StrCat("p", priority) : "");
  return true;
}

// @mesh, [{"x"}, {}], replicated={"y"}, unreduced={"z"}
bool ReadSharding(BytecodeReader& reader, ByteCursor& bytes, bool unreduced, Attribute* sharding) {
  sharding->name = "sdy.sharding";
  const Attribute* mesh = nullptr;
  std::string dimensions;
  std::string axes;
  if (!ReadPart(reader, bytes, &mesh) || !ReadTexts(reader, bytes, &dimensions) ||
      !ReadTexts(reader, bytes, &axes)) {
    return false;
  }
  const bool named = mesh->Is(AttributeKind::kSymbol);
  sharding->text =
      absl::StrCat(named ? mlir::ToString(*mesh) : absl::StrCat("mesh<", mesh->text, ">"), ", [",
                   dimensions, "]");
  if (!axes.empty()) absl::StrAppend(&sharding->text, ", replicated={", axes, "}");
  if (!unreduced) return true;
  if (!ReadTexts(reader, bytes, &axes)) return false;
  if (!axes.empty()) absl::StrAppend(&sharding->text, ", unreduced={", axes, "}");
  return true;
}

}  // namespace

bool ShardyDialect::ReadAttribute(BytecodeReader& reader, ByteCursor& bytes,
                                  const Attribute** result) {
  const size_t at = bytes.offset();
  uint64_t code = 0;
  if (!bytes.VarInt(&code)) return false;
  Attribute* attribute = reader.document().NewAttribute(AttributeKind::kDialect, at);
  *result = attribute;
  std::string name;
  int64_t first = 0;
  int64_t second = 0;
  const Attribute* inner = nullptr;
  switch (code) {
    case kMeshAxis:
      attribute->name = "sdy.axis";
      if (!reader.ReadString(bytes, &name) || !bytes.SignedVarInt(&first)) return false;
      attribute->text = absl::StrCat("\"", name, "\"=", first);
      return true;
    case kMesh:
      return ReadMesh(reader, bytes, attribute);
    case kSubAxisInfo:
      attribute->name = "sdy.sub_axis_info";
      if (!bytes.SignedVarInt(&first) || !bytes.SignedVarInt(&second)) return false;
      attribute->text = absl::StrCat(":(", first, ")", second);
      return true;
    case kAxisRef:
      attribute->name = "sdy.axis_ref";
      if (!reader.ReadString(bytes, &name) || !ReadOptionalPart(reader, bytes, &inner)) {
        return false;
      }
      attribute->text = absl::StrCat("\"", name, "\"", inner == nullptr ? "" : inner->text);
      return true;
    case kDimensionSharding:
      attribute->name = "sdy.dimension_sharding";
      return ReadDimension(reader, bytes, attribute);
    case kTensorSharding:
    case kTensorShardingWithUnreduced:
      return ReadSharding(reader, bytes, code == kTensorShardingWithUnreduced, attribute);
  }
  return reader.Fail(at, absl::StrCat("Shardy attribute number ", code, " is not supported"));
}

}  // namespace halyard::stablehlo
