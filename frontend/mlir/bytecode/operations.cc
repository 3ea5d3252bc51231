// The IR section: operations, regions, values.
#include "absl/strings/str_cat.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/mlir/bytecode/reader.h"

namespace halyard::mlir {

using namespace bytecode;  // NOLINT: the format's numbers

namespace {

constexpr int kMaxRegionDepth = 200;

}  // namespace

// The top is a block without arguments and without a region's header.
bool BytecodeReader::ReadIr() {
  ByteCursor bytes = SectionCursor(kIrSection);
  uint64_t count = 0;
  bool arguments = false;
  if (!bytes.FlaggedVarInt(&count, &arguments)) return false;
  if (arguments) return bytes.Fail("the top of a file cannot have arguments");
  if (count > bytes.remaining()) return bytes.Fail("more operations than bytes");
  Values values;
  for (uint64_t i = 0; i < count; ++i) {
    if (!ReadOperation(bytes, values, nullptr, 0, &document_.operations)) return false;
  }
  return bytes.End("the operations");
}

bool BytecodeReader::Define(ByteCursor& bytes, Value* value, Values& values) {
  if (next_value_ >= values.size()) return bytes.Fail("more values than the region has");
  values[next_value_++] = value;
  return true;
}

bool BytecodeReader::ReadAttributesOf(ByteCursor& bytes, uint8_t mask, const OpName& name,
                                      Operation& op) {
  if (mask & kHasAttributes) {
    const size_t at = bytes.offset();
    const Attribute* dictionary = nullptr;
    if (!ReadAttribute(bytes, &dictionary)) return false;
    if (!dictionary->Is(AttributeKind::kDictionary)) {
      return Fail(at, "expected a dictionary of attributes");
    }
    for (const NamedAttribute& entry : dictionary->entries) {
      if (!Charge(at, sizeof(entry) + entry.name.size())) return false;
    }
    op.attributes = dictionary->entries;
  }
  return !(mask & kHasProperties) || ReadPropertiesOf(bytes, name, op);
}

bool BytecodeReader::ReadPropertiesOf(ByteCursor& bytes, const OpName& name, Operation& op) {
  const size_t at = bytes.offset();
  uint64_t index = 0;
  if (version_ < kProperties) return Fail(at, "properties in a file of a version without them");
  if (!bytes.VarInt(&index)) return false;
  if (index >= properties_.size()) return Fail(at, absl::StrCat("there are no properties ", index));
  ByteCursor properties = Cursor(properties_[index].first, properties_[index].second);
  auto add = [&](absl::string_view key, const Attribute* value) {
    if (value == nullptr) return true;
    if (op.Attr(key) != nullptr) {
      return Fail(at, absl::StrCat("attribute '", key, "' is given twice"));
    }
    op.attributes.push_back({std::string(key), value, at});
    return Charge(at, key.size());
  };
  if (!name.registered) {  // they are a dictionary
    const Attribute* dictionary = nullptr;
    if (!ReadAttribute(properties, &dictionary)) return false;
    if (!dictionary->Is(AttributeKind::kDictionary)) return Fail(at, "expected a dictionary");
    for (const NamedAttribute& entry : dictionary->entries) {
      if (!add(entry.name, entry.value)) return false;
    }
    return properties.End("the properties");
  }
  if (op.name == "builtin.module") {
    for (absl::string_view key : {"sym_name", "sym_visibility"}) {
      const Attribute* value = nullptr;
      if (!ReadOptionalAttribute(properties, &value) || !add(key, value)) return false;
    }
    return properties.End("the properties");
  }
  const Dialect& dialect = dialects_[name.dialect];
  if (dialect.hooks == nullptr) {
    return Fail(at, absl::StrCat("the properties of '", op.name, "' are not known"));
  }
  return dialect.hooks->ReadProperties(*this, properties, op) && properties.End("the properties");
}

bool BytecodeReader::ReadValuesOf(ByteCursor& bytes, uint8_t mask, Values& values, Operation& op) {
  std::vector<const Type*> types;
  if (mask & kHasResults && !ReadTypes(bytes, &types)) return false;
  for (const Type* type : types) {
    auto value = std::make_unique<Value>();
    value->type = type;
    value->owner = &op;
    value->index = static_cast<int64_t>(op.results.size());
    value->offset = op.offset;
    op.results.push_back(std::move(value));
  }
  if (!(mask & kHasOperands)) return true;
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t at = bytes.offset();
    uint64_t index = 0;
    if (!bytes.VarInt(&index)) return false;
    if (index >= values.size() || values[index] == nullptr) {
      return Fail(at, absl::StrCat("value ", index, " is used before it is defined"));
    }
    op.operands.push_back(values[index]);
  }
  return true;
}

// A cast between what is the same type to us: its results are its operands.
bool BytecodeReader::ReplaceCast(ByteCursor& bytes, Values& values, const Operation& op) {
  if (op.operands.size() != op.results.size()) {
    return Fail(op.offset,
                "'builtin.unrealized_conversion_cast' between different numbers of values");
  }
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (!SameType(*op.operands[i]->type, *op.results[i]->type)) {
      return Fail(op.offset, absl::StrCat("'builtin.unrealized_conversion_cast' from ",
                                          ToString(*op.operands[i]->type), " to ",
                                          ToString(*op.results[i]->type)));
    }
    if (!Define(bytes, op.operands[i], values)) return false;
  }
  return true;
}

bool BytecodeReader::ReadOperation(ByteCursor& bytes, Values& values, const Operation* parent,
                                   int depth, std::vector<std::unique_ptr<Operation>>* operations) {
  auto op = std::make_unique<Operation>();
  op->offset = bytes.offset();
  uint64_t name_index = 0;
  uint8_t mask = 0;
  if (!bytes.VarInt(&name_index)) return false;
  if (name_index >= op_names_.size()) {
    return Fail(op->offset, absl::StrCat("there is no operation name ", name_index));
  }
  const OpName& name = op_names_[name_index];
  if (!Charge(op->offset, name.name.size())) return false;
  op->name = name.name;
  if (!bytes.Byte(&mask) || !ReadLocationOf(bytes, &op->location) ||
      !ReadAttributesOf(bytes, mask, name, *op) || !ReadValuesOf(bytes, mask, values, *op)) {
    return false;
  }
  if (mask & kHasSuccessors) {
    return Fail(op->offset, absl::StrCat("'", op->name,
                                         "' has successors: control flow is in "
                                         "regions here"));
  }
  if (mask & kHasUseListOrders && !SkipUseListOrders(bytes, op->results.size())) return false;
  if (op->name == "builtin.unrealized_conversion_cast") return ReplaceCast(bytes, values, *op);
  for (const auto& result : op->results) {
    if (!Define(bytes, result.get(), values)) return false;
  }
  BytecodeDialect* hooks = dialects_[name.dialect].hooks;
  if (hooks != nullptr && !hooks->FinishOperation(*this, *op, parent)) return false;
  if (mask & kHasRegions && !ReadRegions(bytes, values, depth, *op)) return false;
  operations->push_back(std::move(op));
  return true;
}

// For each value that has an order, the order of its uses. They have no meaning here.
bool BytecodeReader::SkipUseListOrders(ByteCursor& bytes, uint64_t values) {
  uint64_t count = 1;
  uint64_t index = 0;
  if (values > 1 && !bytes.Count(&count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t uses = 0;
    bool pairs = false;
    if (values > 1 && !bytes.VarInt(&index)) return false;
    if (!bytes.FlaggedVarInt(&uses, &pairs)) return false;
    if (uses > bytes.remaining()) return bytes.Fail("more uses than bytes");
    for (uint64_t use = 0; use < uses; ++use) {
      if (!bytes.VarInt(&index)) return false;
    }
  }
  return true;
}

bool BytecodeReader::ReadRegions(ByteCursor& bytes, Values& values, int depth, Operation& op) {
  uint64_t count = 0;
  bool isolated = false;
  if (depth >= kMaxRegionDepth) return bytes.Fail("regions nested too deeply");
  if (!bytes.FlaggedVarInt(&count, &isolated)) return false;
  if (count > bytes.remaining()) return bytes.Fail("more regions than bytes");
  op.regions.resize(count);
  if (!isolated) return ReadRegionList(bytes, values, depth, op);
  // Isolated regions count their values from zero, and are in a section of their own.
  Values inner;
  const size_t next = next_value_;
  next_value_ = 0;
  bool read = false;
  if (version_ < kIsolatedSections) {
    read = ReadRegionList(bytes, inner, depth, op);
  } else {
    const size_t at = bytes.offset();
    uint8_t id = 0;
    Section section;
    if (!ReadSection(bytes, &id, &section)) return false;
    if (id != kIrSection) return Fail(at, "expected regions in a section of their own");
    ByteCursor cursor = Cursor(section.data, section.offset);
    read = ReadRegionList(cursor, inner, depth, op) && cursor.End("the regions");
  }
  next_value_ = next;
  return read;
}

bool BytecodeReader::ReadRegionList(ByteCursor& bytes, Values& values, int depth, Operation& op) {
  for (Region& region : op.regions) {
    region.offset = bytes.offset();
    if (!ReadRegion(bytes, values, depth, op, &region)) return false;
  }
  return true;
}

// The values of a region come after those of the regions around it.
bool BytecodeReader::ReadRegion(ByteCursor& bytes, Values& values, int depth, const Operation& op,
                                Region* region) {
  uint64_t blocks = 0;
  uint64_t count = 0;
  if (!bytes.Count(&blocks)) return false;
  if (blocks == 0) return true;
  if (!bytes.Count(&count)) return false;
  const size_t outer = values.size();
  const size_t next = next_value_;
  values.resize(outer + count);
  next_value_ = outer;
  for (uint64_t i = 0; i < blocks; ++i) {
    region->blocks.push_back(std::make_unique<Block>());
    if (!ReadBlock(bytes, values, depth, op, region->blocks.back().get())) return false;
  }
  values.resize(outer);
  next_value_ = next;
  return true;
}

bool BytecodeReader::ReadBlockArguments(ByteCursor& bytes, Values& values, Block* block) {
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    auto argument = std::make_unique<Value>();
    argument->offset = bytes.offset();
    argument->index = static_cast<int64_t>(i);
    uint64_t type = 0;
    bool located = true;
    if (version_ < kOptionalArgLocations) {
      if (!ReadType(bytes, &argument->type)) return false;
    } else if (!bytes.FlaggedVarInt(&type, &located) || !ResolveType(type, argument.get())) {
      return false;
    }
    if (located && !ReadLocationOf(bytes, &argument->location)) return false;
    if (!Define(bytes, argument.get(), values)) return false;
    block->arguments.push_back(std::move(argument));
  }
  uint8_t ordered = 0;
  if (version_ >= kUseListOrders && !bytes.Byte(&ordered)) return false;
  return ordered == 0 || SkipUseListOrders(bytes, count);
}

bool BytecodeReader::ReadBlock(ByteCursor& bytes, Values& values, int depth, const Operation& op,
                               Block* block) {
  block->offset = bytes.offset();
  uint64_t count = 0;
  bool arguments = false;
  if (!bytes.FlaggedVarInt(&count, &arguments)) return false;
  if (arguments && !ReadBlockArguments(bytes, values, block)) return false;
  if (count > bytes.remaining()) return bytes.Fail("more operations than bytes");
  for (uint64_t i = 0; i < count; ++i) {
    if (!ReadOperation(bytes, values, &op, depth + 1, &block->operations)) return false;
  }
  return true;
}

}  // namespace halyard::mlir
