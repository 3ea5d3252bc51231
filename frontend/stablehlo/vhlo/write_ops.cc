// Attributes of StableHLO's ops → those of VHLO's, in the version that is asked for.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/vhlo/nodes.h"
#include "frontend/stablehlo/vhlo/writer.h"

namespace halyard::stablehlo {

using mlir::AttributeKind;
using mlir::Operation;

namespace {

bool IsField(Form form) { return form == Form::kFieldInts || form == Form::kFieldInt; }

bool IsChannel(Form form) {
  return form == Form::kChannel || form == Form::kChannelId || form == Form::kChannelType;
}

// The attribute of the StableHLO op that has it, and the field there ("" if it is the whole).
struct Place {
  absl::string_view attribute;
  absl::string_view field;
};

Place PlaceOf(const Operation& op, const VhloAttribute& attribute) {
  if (IsField(attribute.form)) return {OwnerOfFields(op.name).attribute, attribute.name};
  if (attribute.form == Form::kAlgorithm) return {"algorithm", attribute.name};
  if (attribute.form == Form::kChannelType) return {"channel_handle", "type"};
  if (IsChannel(attribute.form)) return {"channel_handle", "handle"};
  return {attribute.name, ""};
}

const mlir::Attribute* ValueAt(const Operation& op, const Place& place) {
  const mlir::Attribute* value = op.Attr(place.attribute);
  if (value == nullptr || place.field.empty()) return value;
  return mlir::Find(value->entries, place.field);
}

// How many spatial or window dimensions the op has.
int64_t RankOf(const Operation& op) {
  const FieldOwner owner = OwnerOfFields(op.name);
  const mlir::Attribute* dims = owner.structure == "stablehlo.conv"
                                    ? ValueAt(op, {owner.attribute, "input_spatial_dimensions"})
                                    : op.Attr("window_dimensions");
  std::vector<int64_t> values;
  if (dims != nullptr) IntsOf(*dims, &values);
  return static_cast<int64_t>(values.size());
}

const mlir::Type* ElementOf(const mlir::Type& type) {
  return type.IsTensor() ? type.elements[0] : &type;
}

// Reducers of 0.17.0 may compute in another type than that of what they reduce.
bool ReducesInOtherType(const Operation& op) {
  constexpr absl::string_view kReducers[] = {
      "stablehlo.all_reduce",    "stablehlo.reduce",  "stablehlo.reduce_scatter",
      "stablehlo.reduce_window", "stablehlo.scatter", "stablehlo.select_and_scatter"};
  if (std::find(std::begin(kReducers), std::end(kReducers), op.name) == std::end(kReducers)) {
    return false;
  }
  if (op.operands.empty() || op.regions.empty() || op.regions.back().blocks.empty()) return false;
  for (const auto& argument : op.regions.back().blocks[0]->arguments) {
    const bool same = std::any_of(op.operands.begin(), op.operands.end(), [&](const auto* operand) {
      return mlir::SameType(*ElementOf(*argument->type), *ElementOf(*operand->type));
    });
    if (!same) return true;
  }
  return false;
}

// Algorithms of several products of 8-bit floats each.
bool IsOfManyF8(const mlir::Attribute& algorithm) {
  const mlir::Attribute* type = mlir::Find(algorithm.entries, "lhs_precision_type");
  const mlir::Attribute* operations = mlir::Find(algorithm.entries, "num_primitive_operations");
  return type != nullptr && type->type != nullptr && absl::StartsWith(type->type->name, "f8") &&
         operations != nullptr && operations->integer > 1;
}

// What stands for an attribute that is absent, where that depends on nothing else.
uint64_t DefaultOf(Form form, VhloEncoder& encoder) {
  switch (form) {
    case Form::kIntsOrEmpty:
    case Form::kPairList:
      return encoder.IntTensor({0}, {});
    case Form::kBool:
    case Form::kUnit:
      return encoder.Boolean(false);
    case Form::kInt:
    case Form::kChannel:
      return encoder.Integer(0);
    case Form::kInt32:
      return encoder.Integer(0, 32);
    case Form::kIntOrMinusOne:
      return encoder.Integer(-1);
    case Form::kString:
    case Form::kText:
      return encoder.String("");
    case Form::kList:
    case Form::kSymbols:
      return encoder.Array({});
    case Form::kDictionary:
      return encoder.EmptyDictionary();
    case Form::kPrecision:
      return encoder.Array(std::vector<uint64_t>(2, encoder.EnumValue(kVhloPrecision, 0)));
    case Form::kComparisonType:
      return encoder.EnumValue(kVhloComparisonType, 0);
    case Form::kApiVersion:
      return encoder.EnumValue(kVhloApiVersion, 1);
    case Form::kAccuracy:
      return encoder.DefaultAccuracy();
    default:  // kAlgorithm
      return encoder.NoneTypeAttribute();
  }
}

}  // namespace

const VhloOp* VhloWriter::RowOf(const Operation& op) {
  const VhloOp* row = FindVhloOp(op.name, encoder_.target());
  if (row == nullptr) encoder_.Need(VhloRows(op.name).front()->first, "it");
  return row;
}

bool VhloWriter::CheckOperation(const Operation& op, const VhloOp& row) {
  const bool variadic = op.name == "stablehlo.all_gather" || op.name == "stablehlo.all_reduce" ||
                        op.name == "stablehlo.all_to_all";
  if (variadic && op.operands.size() != 1 && !encoder_.Need({1, 5, 0}, "several operands")) {
    return false;
  }
  if (op.name == "stablehlo.collective_broadcast" && op.operands.size() != 1 &&
      !encoder_.Need({1, 20, 0}, "several operands")) {
    return false;
  }
  if (op.name == "stablehlo.composite" && !op.regions.empty() &&
      !encoder_.Need({1, 14, 0}, "a region")) {
    return false;
  }
  if (ReducesInOtherType(op) && !encoder_.Need({0, 17, 0}, "a reduction in another type")) {
    return false;
  }
  const bool convolution = OwnerOfFields(op.name).structure == "stablehlo.conv";
  if (convolution && op.operands.size() >= 2 &&
      !mlir::SameType(*ElementOf(*op.operands[0]->type), *ElementOf(*op.operands[1]->type)) &&
      absl::StartsWith(ElementOf(*op.operands[0]->type)->name, "f8") &&
      !encoder_.Need({1, 20, 0}, "two types of operands")) {
    return false;
  }
  const mlir::Attribute* algorithm = op.Attr("algorithm");
  if (op.name == "stablehlo.dot_general" && algorithm != nullptr && IsOfManyF8(*algorithm) &&
      !encoder_.Need({1, 21, 0}, "the algorithm")) {
    return false;
  }
  const mlir::Attribute* config = op.Attr("backend_config");
  if (op.name == "stablehlo.custom_call" && config != nullptr &&
      config->Is(AttributeKind::kDictionary) &&
      !encoder_.Need({1, 3, 0}, "a dictionary as 'backend_config'")) {
    return false;
  }
  return CheckNewer(op, row);
}

// What later versions of the op have and this one lacks must not be there.
bool VhloWriter::CheckNewer(const Operation& op, const VhloOp& row) {
  for (const VhloOp* newer : VhloRows(op.name)) {
    if (newer->first <= row.first) continue;
    for (const VhloAttribute& attribute : newer->attributes) {
      const auto& known = row.attributes;
      if (std::any_of(known.begin(), known.end(),
                      [&](const VhloAttribute& a) { return a.name == attribute.name; })) {
        continue;
      }
      const Place place = PlaceOf(op, attribute);
      const mlir::Attribute* value = ValueAt(op, place);
      if (value == nullptr) continue;
      uint64_t given = 0;
      uint64_t standard = 0;
      if (attribute.form == Form::kFieldInts && value->data != nullptr && value->data->count == 0) {
        continue;
      }
      if (attribute.form == Form::kAlgorithm || attribute.form == Form::kFieldInts ||
          attribute.form == Form::kAccuracy) {
        if (!encoder_.Need(newer->first, absl::StrCat("'", attribute.name, "'"))) return false;
        continue;
      }
      if (!ConvertPresent(op, attribute, *value, &given) ||
          !ConvertAbsent(op, attribute, &standard)) {
        return false;
      }
      if (given != standard &&
          !encoder_.Need(newer->first, absl::StrCat("'", attribute.name, "'"))) {
        return false;
      }
    }
  }
  return true;
}

bool VhloWriter::ConvertInts(const VhloAttribute& attribute, const mlir::Attribute& value,
                             uint64_t* id) {
  std::vector<int64_t> values;
  if (!IntsOf(value, &values)) {
    return encoder_.Fail(absl::StrCat("'", attribute.name, "' must be a list of integers"));
  }
  *id = attribute.form == Form::kBoolsOrFalse
            ? encoder_.BoolTensor(values)
            : encoder_.IntTensor({static_cast<int64_t>(values.size())}, values);
  return true;
}

bool VhloWriter::ConvertPresent(const Operation& op, const VhloAttribute& attribute,
                                const mlir::Attribute& value, uint64_t* id) {
  switch (attribute.form) {
    case Form::kInts:
    case Form::kIntsOrEmpty:
    case Form::kIntsOrOnes:
    case Form::kBoolsOrFalse:
    case Form::kFieldInts:
      return ConvertInts(attribute, value, id);
    case Form::kApiVersion:
      if (value.integer < 0 || value.integer > 4) {
        return encoder_.Fail(absl::StrCat("there is no API version ", value.integer));
      }
      *id = encoder_.EnumValue(kVhloApiVersion, value.integer);
      return true;
    case Form::kUnit:
      *id = encoder_.Boolean(!value.Is(AttributeKind::kBool) || value.boolean);
      return true;
    case Form::kAccuracy:
      if (value.name == "stablehlo.result_accuracy") break;
      return encoder_.Fail("'result_accuracy' must be a #stablehlo.result_accuracy");
    case Form::kSymbol:
      if (value.Is(AttributeKind::kSymbol) || value.Is(AttributeKind::kString)) break;
      return encoder_.Fail(absl::StrCat("'", attribute.name, "' must be a symbol"));
    default:
      break;
  }
  return encoder_.Attribute(value, id);
}

bool VhloWriter::ConvertAbsent(const Operation& op, const VhloAttribute& attribute, uint64_t* id) {
  const auto missing = [&] {
    return encoder_.Fail(
        absl::StrCat("attribute '", PlaceOf(op, attribute).attribute, "' is missing"));
  };
  const int64_t rank = RankOf(op);
  switch (attribute.form) {
    case Form::kAny:
    case Form::kInts:
    case Form::kSymbol:
    case Form::kChannelId:
    case Form::kChannelType:
      return missing();
    case Form::kFieldInts:
    case Form::kFieldInt:
      if (op.Attr(PlaceOf(op, attribute).attribute) == nullptr) return missing();
      *id = attribute.form == Form::kFieldInts ? encoder_.IntTensor({0}, {}) : encoder_.Integer(0);
      return true;
    case Form::kIntsOrOnes:
      *id = encoder_.IntTensor({rank}, std::vector<int64_t>(rank, 1));
      return true;
    case Form::kBoolsOrFalse:
      *id = encoder_.BoolTensor(std::vector<int64_t>(rank, 0));
      return true;
    case Form::kPairsOrZeros:
      *id = encoder_.IntTensor({rank, 2}, std::vector<int64_t>(2 * rank, 0));
      return true;
    case Form::kConfig: {
      const mlir::Attribute* version = op.Attr("api_version");
      const bool dictionary = version != nullptr && version->integer == 4;
      *id = dictionary ? encoder_.EmptyDictionary() : encoder_.String("");
      return !dictionary || encoder_.Need({1, 3, 0}, "'api_version' 4");
    }
    default:
      *id = DefaultOf(attribute.form, encoder_);
      return true;
  }
}

bool VhloWriter::ConvertAttribute(const Operation& op, const VhloAttribute& attribute,
                                  uint64_t* id) {
  const mlir::Attribute* value = ValueAt(op, PlaceOf(op, attribute));
  return value == nullptr ? ConvertAbsent(op, attribute, id)
                          : ConvertPresent(op, attribute, *value, id);
}

bool VhloWriter::ConvertAttributes(const Operation& op, const VhloOp& row, Named* inherent,
                                   Named* others) {
  for (const VhloAttribute& attribute : row.attributes) {
    uint64_t id = 0;
    if (!ConvertAttribute(op, attribute, &id)) return false;
    inherent->emplace_back(attribute.name, id);
  }
  auto known = [&](absl::string_view name) {
    for (const VhloOp* version : VhloRows(op.name)) {
      for (const VhloAttribute& attribute : version->attributes) {
        if (PlaceOf(op, attribute).attribute == name) return true;
      }
    }
    return false;
  };
  std::vector<mlir::NamedAttribute> attributes = op.attributes;
  std::sort(attributes.begin(), attributes.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const mlir::NamedAttribute& entry : attributes) {
    if (known(entry.name)) continue;
    uint64_t id = 0;
    if (!encoder_.Attribute(*entry.value, &id)) return false;
    others->emplace_back(entry.name, id);
  }
  return true;
}

}  // namespace halyard::stablehlo
