// VHLO ops → StableHLO ops: attributes that VHLO makes explicit are left out again, and those that
// it takes apart are put together.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/vhlo/dialects.h"
#include "frontend/stablehlo/vhlo/nodes.h"

namespace halyard::stablehlo {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::BytecodeReader;
using mlir::ByteCursor;
using mlir::NamedAttribute;
using mlir::Operation;

namespace {

// The attributes of one op on their way.
class Upgrade {
 public:
  Upgrade(BytecodeReader& reader, const VhloOp& row, Operation& op)
      : reader_(reader), row_(row), op_(op), owner_(OwnerOfFields(row.target)) {}

  bool Run() {
    for (const VhloAttribute& attribute : row_.attributes) {
      const Attribute* value = op_.Attr(attribute.name);
      if (value == nullptr) {
        return Fail(absl::StrCat("attribute '", attribute.name, "' is missing"));
      }
      if (!Convert(attribute, *value)) return false;
    }
    for (const NamedAttribute& entry : op_.attributes) {
      const auto& known = row_.attributes;
      if (std::none_of(known.begin(), known.end(),
                       [&](const VhloAttribute& a) { return a.name == entry.name; })) {
        if (mlir::Find(attributes_, entry.name) != nullptr) {
          return Fail(absl::StrCat("attribute '", entry.name, "' is given twice"));
        }
        attributes_.push_back(entry);
      }
    }
    FinishFields();
    op_.attributes = std::move(attributes_);
    return true;
  }

 private:
  bool Fail(absl::string_view message) {
    return reader_.Fail(op_.offset, absl::StrCat("'vhlo.", row_.name, "': ", message));
  }
  bool Wrong(const VhloAttribute& attribute, absl::string_view expected) {
    return Fail(absl::StrCat("attribute '", attribute.name, "' must be ", expected));
  }

  bool Add(absl::string_view name, const Attribute* value) {
    attributes_.push_back({std::string(name), value, value->offset});
    return true;
  }
  bool AddUnless(bool is_default, const VhloAttribute& attribute, const Attribute& value) {
    return is_default || Add(attribute.name, &value);
  }

  // Adds a field to the structure `name` that becomes `attribute`.
  void AddField(absl::string_view attribute, absl::string_view structure, absl::string_view field,
                const Attribute* value) {
    auto* record = const_cast<Attribute*>(mlir::Find(attributes_, attribute));
    if (record == nullptr) {
      record = MakeStruct(reader_.document(), structure, value->offset);
      Add(attribute, record);
    }
    record->entries.push_back({std::string(field), value, value->offset});
  }

  bool ConvertList(const VhloAttribute& attribute, const Attribute& value) {
    std::vector<int64_t> values;
    if (!IntsOf(value, &values)) return Wrong(attribute, "a list of integers");
    if (!reader_.Charge(op_.offset, values.size() * sizeof(int64_t))) return false;
    const auto all = [&](int64_t number) {
      return !values.empty() &&
             std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == number; });
    };
    switch (attribute.form) {
      case Form::kIntsOrEmpty:
        if (values.empty()) return true;
        break;
      case Form::kIntsOrOnes:
        if (all(1)) return true;
        break;
      case Form::kBoolsOrFalse:
        return all(0) || Add(attribute.name, MakeBools(reader_.document(), values, value.offset));
      case Form::kFieldInts: {
        // Text leaves empty ones out, except for convolutions and what a dot contracts.
        const bool kept =
            owner_.structure == "stablehlo.conv" || owner_.structure == "stablehlo.dot";
        if (!values.empty() || kept) {
          AddField(owner_.attribute, owner_.structure, attribute.name,
                   MakeInts(reader_.document(), values, value.offset));
        }
        return true;
      }
      default:
        break;
    }
    return Add(attribute.name, MakeInts(reader_.document(), values, value.offset));
  }

  bool ConvertInteger(const VhloAttribute& attribute, const Attribute& value) {
    if (!value.Is(AttributeKind::kInteger)) return Wrong(attribute, "an integer");
    switch (attribute.form) {
      case Form::kIntOrMinusOne:
        return AddUnless(value.integer == -1, attribute, value);
      case Form::kApiVersion:
        return AddUnless(value.integer == 1, attribute, value);
      case Form::kChannel:
        if (value.integer == 0) return true;
        AddField("channel_handle", "stablehlo.channel_handle", "handle", &value);
        AddField("channel_handle", "stablehlo.channel_handle", "type",
                 MakeInteger(reader_.document(), 0, value.offset));
        return true;
      case Form::kChannelId:
      case Form::kChannelType:
        AddField("channel_handle", "stablehlo.channel_handle",
                 attribute.form == Form::kChannelId ? "handle" : "type", &value);
        return true;
      case Form::kFieldInt:
        if (value.integer != 0 || owner_.structure == "stablehlo.conv") {
          AddField(owner_.attribute, owner_.structure, attribute.name, &value);
        }
        return true;
      default:
        return AddUnless(value.integer == 0, attribute, value);
    }
  }

  bool ConvertSymbols(const VhloAttribute& attribute, const Attribute& value) {
    if (!value.Is(AttributeKind::kArray)) return Wrong(attribute, "an array of strings");
    if (value.elements.empty()) return true;
    Attribute* symbols = reader_.document().NewAttribute(AttributeKind::kArray, value.offset);
    for (const Attribute* element : value.elements) {
      if (!element->Is(AttributeKind::kString)) return Wrong(attribute, "an array of strings");
      if (!reader_.Charge(op_.offset, sizeof(Attribute) + element->text.size())) return false;
      symbols->elements.push_back(MakeSymbol(reader_.document(), element->text, element->offset));
    }
    return Add(attribute.name, symbols);
  }

  bool ConvertPrecision(const VhloAttribute& attribute, const Attribute& value) {
    if (!value.Is(AttributeKind::kArray)) return Wrong(attribute, "an array");
    const bool standard =
        std::all_of(value.elements.begin(), value.elements.end(), [](const Attribute* element) {
          return element->name == "stablehlo.precision" && element->text == "DEFAULT";
        });
    return AddUnless(standard, attribute, value);
  }

  bool ConvertFlag(const VhloAttribute& attribute, const Attribute& value) {
    if (!value.Is(AttributeKind::kBool)) return Wrong(attribute, "a boolean");
    if (!value.boolean) return true;
    if (attribute.form == Form::kBool) return Add(attribute.name, &value);
    return Add(attribute.name, reader_.document().NewAttribute(AttributeKind::kUnit, value.offset));
  }

  bool ConvertAccuracy(const VhloAttribute& attribute, const Attribute& value) {
    if (value.name != "stablehlo.result_accuracy") return Wrong(attribute, "a result_accuracy");
    const Attribute* mode = mlir::Find(value.entries, "mode");
    return AddUnless(value.entries.size() == 1 && mode != nullptr && mode->text == "DEFAULT",
                     attribute, value);
  }

  bool Convert(const VhloAttribute& attribute, const Attribute& value) {
    switch (attribute.form) {
      case Form::kAny:
      case Form::kText:
        return Add(attribute.name, &value);
      case Form::kInts:
      case Form::kIntsOrEmpty:
      case Form::kIntsOrOnes:
      case Form::kBoolsOrFalse:
      case Form::kFieldInts:
        return ConvertList(attribute, value);
      case Form::kPairsOrZeros:
        return AddUnless(IsSplat(value, 0), attribute, value);
      case Form::kPairList:
        return AddUnless(value.data != nullptr && value.data->count == 0, attribute, value);
      case Form::kBool:
      case Form::kUnit:
        return ConvertFlag(attribute, value);
      case Form::kInt:
      case Form::kInt32:
      case Form::kIntOrMinusOne:
      case Form::kApiVersion:
      case Form::kChannel:
      case Form::kChannelId:
      case Form::kChannelType:
      case Form::kFieldInt:
        return ConvertInteger(attribute, value);
      case Form::kString:
        return AddUnless(value.Is(AttributeKind::kString) && value.text.empty(), attribute, value);
      case Form::kConfig:
        return AddUnless((value.Is(AttributeKind::kString) && value.text.empty()) ||
                             (value.Is(AttributeKind::kDictionary) && value.entries.empty()),
                         attribute, value);
      case Form::kList:
        return AddUnless(value.Is(AttributeKind::kArray) && value.elements.empty(), attribute,
                         value);
      case Form::kDictionary:
        return AddUnless(value.Is(AttributeKind::kDictionary) && value.entries.empty(), attribute,
                         value);
      case Form::kPrecision:
        return ConvertPrecision(attribute, value);
      case Form::kComparisonType:
        return AddUnless(value.text == "NOTYPE", attribute, value);
      case Form::kAccuracy:
        return ConvertAccuracy(attribute, value);
      case Form::kSymbol:
        if (!value.Is(AttributeKind::kString)) return Wrong(attribute, "a string");
        if (!reader_.Charge(op_.offset, value.text.size())) return false;
        return Add(attribute.name, MakeSymbol(reader_.document(), value.text, value.offset));
      case Form::kSymbols:
        return ConvertSymbols(attribute, value);
      case Form::kAlgorithm: {
        const bool none =
            value.Is(AttributeKind::kType) && value.type->kind == mlir::TypeKind::kNone;
        if (!none) AddField("algorithm", "stablehlo.dot_algorithm", attribute.name, &value);
        return true;
      }
    }
    return true;
  }

  // A gather or scatter of a scalar has no field that says anything: `#stablehlo.scatter<>`. Text
  // has no batching dimensions of a dot that has none.
  void FinishFields() {
    if (owner_.attribute.empty()) return;
    auto* record = const_cast<Attribute*>(mlir::Find(attributes_, owner_.attribute));
    if (record == nullptr) {
      Add(owner_.attribute, MakeStruct(reader_.document(), owner_.structure, op_.offset));
      return;
    }
    if (owner_.structure != "stablehlo.dot") return;
    auto batching = [](const NamedAttribute& entry) {
      return absl::EndsWith(entry.name, "_batching_dimensions");
    };
    auto& entries = record->entries;
    const bool empty = std::none_of(entries.begin(), entries.end(), [&](const NamedAttribute& e) {
      return batching(e) && e.value->data->count > 0;
    });
    if (empty)
      entries.erase(std::remove_if(entries.begin(), entries.end(), batching), entries.end());
  }

  BytecodeReader& reader_;
  const VhloOp& row_;
  Operation& op_;
  const FieldOwner owner_;
  std::vector<NamedAttribute> attributes_;
};

absl::string_view NameInDialect(absl::string_view name) { return name.substr(name.find('.') + 1); }

}  // namespace

// Properties are the attributes in the order of their names; `op.name` is still VHLO's.
bool VhloDialect::ReadProperties(BytecodeReader& reader, ByteCursor& bytes, Operation& op) {
  const VhloOp* row = FindVhloOp(NameInDialect(op.name));
  if (row == nullptr) {
    return Unknown(reader, op.offset, absl::StrCat("op '", op.name, "'"));
  }
  for (const VhloAttribute& attribute : row->attributes) {
    const size_t at = bytes.offset();
    const Attribute* value = nullptr;
    if (!reader.ReadAttribute(bytes, &value)) return false;
    if (op.Attr(attribute.name) != nullptr) {
      return reader.Fail(at, absl::StrCat("attribute '", attribute.name, "' is given twice"));
    }
    op.attributes.push_back({attribute.name, value, at});
  }
  return true;
}

bool VhloDialect::FinishOperation(BytecodeReader& reader, Operation& op, const Operation* parent) {
  const VhloOp* row = FindVhloOp(NameInDialect(op.name));
  if (row == nullptr) {
    return Unknown(reader, op.offset, absl::StrCat("op '", op.name, "'"));
  }
  const bool returns = row->target == "stablehlo.return";
  if (!Upgrade(reader, *row, op).Run()) return false;
  // In old versions the padding was an attribute as well; the operand is what counts.
  if (row->name == "dynamic_conv_v1") {
    auto& attributes = op.attributes;
    attributes.erase(
        std::remove_if(attributes.begin(), attributes.end(),
                       [](const NamedAttribute& entry) { return entry.name == "padding"; }),
        attributes.end());
  }
  op.name =
      returns && parent != nullptr && parent->name == "func.func" ? "func.return" : row->target;
  return true;
}

}  // namespace halyard::stablehlo
