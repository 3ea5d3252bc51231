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
  kManualAxes = 0,
  kMeshAxis = 1,
  kMesh = 2,
  kSubAxisInfo = 3,
  kAxisRef = 4,
  kDimensionSharding = 5,
  kTensorSharding = 6,
  kShardingPerValue = 7,
  kDimensionMapping = 8,
  kTensorMapping = 9,
  kShardingRule = 10,
  kTensorShardingWithUnreduced = 15,
  kShardingPerValueWithUnreduced = 16,
  kTensorShardingWithReduction = 17,
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
bool ReadSharding(BytecodeReader& reader, ByteCursor& bytes, uint64_t code, Attribute* sharding) {
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
  if (code == kTensorSharding) return true;
  if (!ReadTexts(reader, bytes, &axes)) return false;
  if (!axes.empty()) absl::StrAppend(&sharding->text, ", unreduced={", axes, "}");
  if (code == kTensorShardingWithUnreduced) return true;
  int64_t reduction = 0;  // how the axes are reduced, by Shardy's number
  if (!bytes.SignedVarInt(&reduction)) return false;
  absl::StrAppend(&sharding->text, ", reduction=", reduction);
  return true;
}

// [<@mesh, [{"x"}]>, <@mesh, [{}]>]
bool ReadPerValue(BytecodeReader& reader, ByteCursor& bytes, Attribute* shardings) {
  shardings->name = "sdy.sharding_per_value";
  std::vector<const Attribute*> parts;
  if (!ReadParts(reader, bytes, &parts)) return false;
  shardings->text = absl::StrCat("[",
                                 absl::StrJoin(parts, ", ",
                                               [](std::string* out, const Attribute* part) {
                                                 absl::StrAppend(out, "<", part->text, ">");
                                               }),
                                 "]");
  return true;
}

// Factors are called i, j, … z, z_1, z_2, …
std::string FactorName(int64_t factor) {
  constexpr int64_t kZ = 'z' - 'i';
  return factor <= kZ ? std::string(1, static_cast<char>('i' + factor))
                      : absl::StrCat("z_", factor - kZ);
}

bool ReadFactors(BytecodeReader& reader, ByteCursor& bytes, std::vector<int64_t>* factors) {
  const size_t at = bytes.offset();
  if (!bytes.SignedVarInts(factors)) return false;
  for (int64_t factor : *factors) {
    if (factor < 0) return reader.Fail(at, "a factor of a sharding rule has a negative number");
  }
  return true;
}

std::string JoinFactors(const std::vector<int64_t>& factors, const char* between) {
  return absl::StrJoin(factors, between, [](std::string* out, int64_t factor) {
    absl::StrAppend(out, FactorName(factor));
  });
}

// ([i, j], [j, k])->([i, k]) {i=2, j=3, k=4} reduction={j}, custom
bool ReadShardingRule(BytecodeReader& reader, ByteCursor& bytes, Attribute* rule) {
  rule->name = "sdy.op_sharding_rule";
  std::vector<int64_t> sizes;
  std::string operands, results;
  if (!bytes.SignedVarInts(&sizes) || !ReadTexts(reader, bytes, &operands) ||
      !ReadTexts(reader, bytes, &results)) {
    return false;
  }
  std::vector<std::string> factors;
  for (size_t i = 0; i < sizes.size(); ++i)
    factors.push_back(absl::StrCat(FactorName(static_cast<int64_t>(i)), "=", sizes[i]));
  rule->text =
      absl::StrCat("(", operands, ")->(", results, ") {", absl::StrJoin(factors, ", "), "}");
  for (absl::string_view kind :
       {"reduction", "need_replication", "permutation", "blocked_propagation"}) {
    std::vector<int64_t> of_kind;
    if (!ReadFactors(reader, bytes, &of_kind)) return false;
    if (!of_kind.empty())
      absl::StrAppend(&rule->text, " ", kind, "={", JoinFactors(of_kind, ", "), "}");
  }
  uint8_t custom = 0;
  if (!bytes.Byte(&custom)) return false;
  if (custom != 0) absl::StrAppend(&rule->text, ", custom");
  return true;
}

bool ReadManualAxes(BytecodeReader& reader, ByteCursor& bytes, Attribute* axes) {
  axes->name = "sdy";  // as text has it: #sdy<manual_axes{"x"}>
  std::vector<const Attribute*> names;
  if (!ReadParts(reader, bytes, &names)) return false;
  axes->text = absl::StrCat("manual_axes{",
                            absl::StrJoin(names, ", ",
                                          [](std::string* out, const Attribute* name) {
                                            absl::StrAppend(out, "\"", name->text, "\"");
                                          }),
                            "}");
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
  std::vector<int64_t> factors;
  switch (code) {
    case kManualAxes:
      return ReadManualAxes(reader, bytes, attribute);
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
    case kTensorShardingWithReduction:
      return ReadSharding(reader, bytes, code, attribute);
    case kShardingPerValue:
    case kShardingPerValueWithUnreduced:
      return ReadPerValue(reader, bytes, attribute);
    case kDimensionMapping:
      attribute->name = "sdy.dim_mapping";
      if (!ReadFactors(reader, bytes, &factors)) return false;
      attribute->text = JoinFactors(factors, "");
      return true;
    case kTensorMapping:
      attribute->name = "sdy.tensor_mapping";
      if (!ReadTexts(reader, bytes, &attribute->text)) return false;
      attribute->text = absl::StrCat("[", attribute->text, "]");
      return true;
    case kShardingRule:
      return ReadShardingRule(reader, bytes, attribute);
  }
  return reader.Fail(at, absl::StrCat("Shardy attribute number ", code, " is not supported"));
}

}  // namespace halyard::stablehlo
