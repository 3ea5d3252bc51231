// VHLO's encodings of attributes.
#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/stablehlo/syntax/print_syntax.h"
#include "frontend/stablehlo/vhlo/nodes.h"
#include "frontend/stablehlo/vhlo/writer.h"

namespace halyard::stablehlo {

using mlir::AttributeKind;
using mlir::ByteBuffer;
using mlir::NamedAttribute;
namespace bytecode = mlir::bytecode;

uint64_t VhloEncoder::VhloAttribute(uint64_t code, absl::string_view rest) {
  ByteBuffer bytes;
  bytes.VarInt(code);
  bytes.Append(rest);
  return out_.Attribute("vhlo", bytes.bytes());
}

uint64_t VhloEncoder::Boolean(bool value) {
  ByteBuffer bytes;
  bytes.VarInt(value);
  return VhloAttribute(kVhloBoolean, bytes.bytes());
}

uint64_t VhloEncoder::Integer(int64_t value, int width) {
  ByteBuffer bytes;
  bytes.VarInt(VhloType(VhloTypeCodeOf(absl::StrCat("i", width))));
  bytes.Bits(width, static_cast<uint64_t>(value));
  return VhloAttribute(kVhloInteger, bytes.bytes());
}

uint64_t VhloEncoder::String(absl::string_view text) {
  ByteBuffer bytes;
  bytes.VarInt(out_.String(text));
  return VhloAttribute(kVhloString, bytes.bytes());
}

uint64_t VhloEncoder::Array(const std::vector<uint64_t>& elements) {
  ByteBuffer bytes;
  bytes.VarInt(elements.size());
  for (uint64_t element : elements) bytes.VarInt(element);
  return VhloAttribute(kVhloArray, bytes.bytes());
}

uint64_t VhloEncoder::EmptyDictionary() {
  ByteBuffer bytes;
  bytes.VarInt(0);
  return VhloAttribute(kVhloDictionary, bytes.bytes());
}

uint64_t VhloEncoder::NoneTypeAttribute() {
  ByteBuffer bytes;
  bytes.VarInt(VhloType(kVhloNoneType));
  return VhloAttribute(kVhloType, bytes.bytes());
}

uint64_t VhloEncoder::EnumValue(uint8_t code, uint64_t number) {
  ByteBuffer bytes;
  bytes.VarInt(number);
  return VhloAttribute(code, bytes.bytes());
}

uint64_t VhloEncoder::DefaultAccuracy() {
  ByteBuffer bytes;
  bytes.Bits(64, 0);
  bytes.Bits(64, 0);
  bytes.SignedVarInt(0);
  bytes.VarInt(EnumValue(kVhloAccuracyMode, 0));
  return VhloAttribute(kVhloAccuracy, bytes.bytes());
}

uint64_t VhloEncoder::IntTensor(const std::vector<int64_t>& dims,
                                const std::vector<int64_t>& values) {
  ByteBuffer type;
  type.SignedVarInts(dims);
  type.VarInt(VhloType(VhloTypeCodeOf("i64")));
  const bool splat = values.size() > 1 && std::all_of(values.begin(), values.end(),
                                                      [&](int64_t v) { return v == values[0]; });
  ByteBuffer bytes;
  bytes.VarInt(VhloType(kVhloTensorType, type.bytes()));
  bytes.Blob(absl::string_view(reinterpret_cast<const char*>(values.data()),
                               (splat ? 1 : values.size()) * sizeof(int64_t)));
  return VhloAttribute(kVhloTensor, bytes.bytes());
}

uint64_t VhloEncoder::BoolTensor(const std::vector<int64_t>& values) {
  mlir::DenseData data;
  data.element_type = hlo::ElementType::kPred;
  for (int64_t value : values) data.bytes.push_back(static_cast<std::byte>(value != 0));
  ByteBuffer type;
  type.SignedVarInts({static_cast<int64_t>(values.size())});
  type.VarInt(VhloType(VhloTypeCodeOf("i1")));
  ByteBuffer bytes;
  bytes.VarInt(VhloType(kVhloTensorType, type.bytes()));
  bytes.Blob(RawElements(data));
  return VhloAttribute(kVhloTensor, bytes.bytes());
}

// A tensor, or an array as a tensor of one dimension.
bool VhloEncoder::Elements(const mlir::Attribute& attribute, uint64_t* id) {
  uint64_t type = 0;
  if (!Type(*attribute.type, &type)) return false;
  if (attribute.Is(AttributeKind::kDenseArray)) {
    ByteBuffer tensor;
    tensor.SignedVarInts({attribute.data->count});
    tensor.VarInt(type);
    type = VhloType(kVhloTensorType, tensor.bytes());
  }
  ByteBuffer bytes;
  bytes.VarInt(type);
  bytes.Blob(RawElements(*attribute.data));
  *id = VhloAttribute(kVhloTensor, bytes.bytes());
  return true;
}

bool VhloEncoder::OutputOperandAlias(const mlir::Attribute& attribute, uint64_t* id) {
  ByteBuffer bytes;
  for (absl::string_view name :
       {"output_tuple_indices", "operand_index", "operand_tuple_indices"}) {
    const mlir::Attribute* value = mlir::Find(attribute.entries, name);
    std::vector<int64_t> values;
    if (name == "operand_index") {
      bytes.SignedVarInt(value == nullptr ? 0 : value->integer);
    } else if (value == nullptr || IntsOf(*value, &values)) {
      bytes.SignedVarInts(values);
    } else {
      return Fail(absl::StrCat("#", attribute.name, ": '", name, "' must be a list of integers"));
    }
  }
  *id = VhloAttribute(kVhloOutputOperandAlias, bytes.bytes());
  return true;
}

bool VhloEncoder::Accuracy(const mlir::Attribute& attribute, uint64_t* id) {
  auto field = [&](absl::string_view name) { return mlir::Find(attribute.entries, name); };
  ByteBuffer bytes;
  for (absl::string_view name : {"atol", "rtol"}) {
    const mlir::Attribute* value = field(name);
    bytes.Bits(64, value == nullptr ? 0 : hlo::EncodeFloat(hlo::ElementType::kF64, value->number));
  }
  bytes.SignedVarInt(field("ulps") == nullptr ? 0 : field("ulps")->integer);
  const mlir::Attribute* mode = field("mode");
  const VhloEnum& modes = *FindVhloEnum("stablehlo.result_accuracy_mode");
  const int number = mode == nullptr ? 0 : NumberOfWord(modes, mode->text);
  if (number < 0 || (attribute.entries.empty() && !attribute.text.empty())) {
    return Fail(absl::StrCat("#", attribute.name, " cannot be written: ", TextOf(attribute)));
  }
  bytes.VarInt(EnumValue(modes.code, number));
  *id = VhloAttribute(kVhloAccuracy, bytes.bytes());
  return Need(AttributeSince(kVhloAccuracy), "result_accuracy");
}

// `4, ?`
bool VhloEncoder::Bounds(const mlir::Attribute& attribute, uint64_t* id) {
  std::vector<int64_t> bounds;
  for (absl::string_view word : absl::StrSplit(attribute.text, ',')) {
    word = absl::StripAsciiWhitespace(word);
    int64_t bound = bytecode::kDynamicSize;
    if (word != "?" && !absl::SimpleAtoi(word, &bound)) {
      return Fail(absl::StrCat("#", attribute.name, ": '", word, "' is no bound"));
    }
    bounds.push_back(bound);
  }
  ByteBuffer bytes;
  bytes.SignedVarInts(bounds);
  *id = VhloAttribute(kVhloBounds, bytes.bytes());
  return true;
}

// VHLO has no form for it: since 1.11.0 it may stand there as it is.
bool VhloEncoder::Unconvertible(const mlir::Attribute& attribute, uint64_t* id) {
  return Need({1, 11, 0}, absl::StrCat("attribute ", TextOf(attribute))) &&
         BuiltinAttribute(attribute, id);
}

bool VhloEncoder::DialectAttribute(const mlir::Attribute& attribute, uint64_t* id) {
  if (const VhloEnum* row = FindVhloEnum(attribute.name); row != nullptr) {
    const int number = NumberOfWord(*row, attribute.text);
    if (number < 0) {
      return Fail(absl::StrCat("'", attribute.text, "' is no value of #", attribute.name));
    }
    *id = EnumValue(row->code, number);
    if (attribute.text == "WEAKORDER") return Need({1, 22, 0}, "compare type WEAKORDER");
    return Need(AttributeSince(row->code), absl::StrCat("#", attribute.name));
  }
  if (attribute.name == "stablehlo.result_accuracy") return Accuracy(attribute, id);
  if (attribute.name == "stablehlo.output_operand_alias") return OutputOperandAlias(attribute, id);
  if (attribute.name == "stablehlo.bounds") return Bounds(attribute, id);
  if (attribute.name == "stablehlo.replica_group_mesh_axes")
    return ReplicaGroupMeshAxes(attribute, id);
  if (absl::StartsWith(attribute.name, "stablehlo.")) {
    return Fail(absl::StrCat("attribute #", attribute.name, " cannot be written as bytecode"));
  }
  return Unconvertible(attribute, id);
}

bool VhloEncoder::VhloDictionary(const mlir::Attribute& attribute, uint64_t* id) {
  std::vector<NamedAttribute> entries = attribute.entries;
  std::sort(entries.begin(), entries.end(),
            [](const NamedAttribute& a, const NamedAttribute& b) { return a.name < b.name; });
  ByteBuffer bytes;
  bytes.VarInt(entries.size());
  for (const NamedAttribute& entry : entries) {
    uint64_t value = 0;
    if (!Attribute(*entry.value, &value)) return false;
    bytes.VarInt(String(entry.name));
    bytes.VarInt(value);
  }
  *id = VhloAttribute(kVhloDictionary, bytes.bytes());
  return true;
}

bool VhloEncoder::Attribute(const mlir::Attribute& attribute, uint64_t* id) {
  auto known = attributes_.find(&attribute);
  if (known != attributes_.end()) {
    *id = known->second;
    return true;
  }
  if (!EncodeAttribute(attribute, id)) return false;
  attributes_[&attribute] = *id;
  return true;
}

bool VhloEncoder::EncodeAttribute(const mlir::Attribute& attribute, uint64_t* id) {
  ByteBuffer bytes;
  uint64_t inner = 0;
  switch (attribute.kind) {
    case AttributeKind::kBool:
      *id = Boolean(attribute.boolean);
      return true;
    case AttributeKind::kInteger:
      if (attribute.type == nullptr) {
        *id = Integer(attribute.integer);
        return true;
      }
      if (!Type(*attribute.type, &inner)) return false;
      bytes.VarInt(inner);
      bytes.Bits(WidthOf(attribute.type), static_cast<uint64_t>(attribute.integer));
      *id = VhloAttribute(kVhloInteger, bytes.bytes());
      return true;
    case AttributeKind::kFloat:
      if (!Type(*attribute.type, &inner)) return false;
      bytes.VarInt(inner);
      bytes.Bits(hlo::BitWidth(*mlir::ScalarType(*attribute.type)), attribute.bits);
      *id = VhloAttribute(kVhloFloat, bytes.bytes());
      return true;
    case AttributeKind::kString:
      if (attribute.type != nullptr) return Unconvertible(attribute, id);
      *id = String(attribute.text);
      return true;
    case AttributeKind::kSymbol:
      if (absl::StrContains(attribute.text, "::")) return Unconvertible(attribute, id);
      *id = String(attribute.text);
      return true;
    case AttributeKind::kArray: {
      std::vector<uint64_t> elements;
      for (const mlir::Attribute* element : attribute.elements) {
        if (!Attribute(*element, &elements.emplace_back())) return false;
      }
      *id = Array(elements);
      return true;
    }
    case AttributeKind::kDictionary:
      return VhloDictionary(attribute, id);
    case AttributeKind::kDense:
    case AttributeKind::kDenseResource:
    case AttributeKind::kDenseArray:
      return Elements(attribute, id);
    case AttributeKind::kType:
      if (!Type(*attribute.type, &inner)) return false;
      bytes.VarInt(inner);
      *id = VhloAttribute(kVhloType, bytes.bytes());
      return true;
    case AttributeKind::kDialect:
      return DialectAttribute(attribute, id);
    case AttributeKind::kUnit:
    case AttributeKind::kLocation:
    case AttributeKind::kOpaque:
      return Unconvertible(attribute, id);
  }
  return Fail("an attribute of an unknown kind");
}

}  // namespace halyard::stablehlo
