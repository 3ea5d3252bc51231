#include "frontend/mlir/bytecode/writer.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "frontend/mlir/bytecode/format.h"

namespace halyard::mlir {

using namespace bytecode;  // NOLINT: the format's numbers

namespace {

std::pair<std::string, std::string> SplitName(absl::string_view name) {
  const size_t dot = name.find('.');
  if (dot == absl::string_view::npos) return {"builtin", std::string(name)};
  return {std::string(name.substr(0, dot)), std::string(name.substr(dot + 1))};
}

}  // namespace

// As many zero bits at the bottom of the first byte as bytes follow.
void ByteBuffer::VarInt(uint64_t value) {
  const int bits = std::bit_width(value);
  if (bits > 56) {
    Byte(0);
    for (int i = 0; i < 8; ++i) Byte(static_cast<uint8_t>(value >> (8 * i)));
    return;
  }
  const int count = bits <= 7 ? 1 : (bits + 6) / 7;
  uint64_t encoded = (value << 1 | 1) << (count - 1);
  for (int i = 0; i < count; ++i, encoded >>= 8) Byte(static_cast<uint8_t>(encoded));
}

void ByteBuffer::SignedVarInt(int64_t value) {
  VarInt(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

void ByteBuffer::SignedVarInts(const std::vector<int64_t>& values) {
  VarInt(values.size());
  for (int64_t value : values) SignedVarInt(value);
}

void ByteBuffer::Blob(absl::string_view bytes) {
  VarInt(bytes.size());
  Append(bytes);
}

void ByteBuffer::CString(absl::string_view text) {
  Append(text);
  Byte(0);
}

void ByteBuffer::Bits(int width, uint64_t bits) {
  if (width < 64) bits &= (uint64_t{1} << width) - 1;
  if (width <= 8) {
    Byte(static_cast<uint8_t>(bits));
  } else {
    SignedVarInt(static_cast<int64_t>(bits));
  }
}

void ByteBuffer::Section(uint8_t id, absl::string_view data) {
  Byte(id);
  VarInt(data.size());
  Append(data);
}

uint64_t BytecodeWriter::String(absl::string_view text) {
  auto [found, added] = string_ids_.try_emplace(std::string(text), strings_.size());
  if (added) strings_.emplace_back(text);
  return found->second;
}

uint64_t BytecodeWriter::Dialect(absl::string_view name) {
  for (size_t i = 0; i < dialects_.size(); ++i) {
    if (dialects_[i] == name) return i;
  }
  dialects_.emplace_back(name);
  String(name);
  return dialects_.size() - 1;
}

uint64_t BytecodeWriter::AddEntry(Table& table, absl::string_view dialect, absl::string_view bytes,
                                  bool text) {
  std::string key = absl::StrCat(text ? "t" : "c", dialect, ":", bytes);
  auto [found, added] = table.ids.try_emplace(std::move(key), table.entries.size());
  if (added) {
    Entry& entry = table.entries.emplace_back(Entry{Dialect(dialect), std::string(bytes), text});
    if (text) entry.bytes.push_back('\0');
  }
  return found->second;
}

uint64_t BytecodeWriter::Attribute(absl::string_view dialect, absl::string_view bytes, bool text) {
  return AddEntry(attributes_, dialect, bytes, text);
}

uint64_t BytecodeWriter::Type(absl::string_view dialect, absl::string_view bytes, bool text) {
  return AddEntry(types_, dialect, bytes, text);
}

uint64_t BytecodeWriter::Properties(absl::string_view bytes) {
  auto [found, added] = property_ids_.try_emplace(std::string(bytes), properties_.size());
  if (added) properties_.emplace_back(bytes);
  return found->second;
}

void BytecodeWriter::CollectNames(const OutOperation& op) {
  const auto [dialect, name] = SplitName(op.name);
  names_[dialect][name] = 0;
  for (const OutRegion& region : op.regions) {
    for (const OutBlock& block : region.blocks) {
      for (const auto& inner : block.operations) CollectNames(*inner);
    }
  }
}

void BytecodeWriter::NumberNames() {
  uint64_t next = 0;
  for (auto& [dialect, names] : names_) {
    Dialect(dialect);
    for (auto& [name, number] : names) {
      number = next++;
      String(name);
    }
  }
}

void BytecodeWriter::NumberRegions(OutOperation& op, uint64_t first) {
  for (OutRegion& region : op.regions) NumberValues(region, op.isolated ? 0 : first);
}

// All values of a region first, then those of the regions inside: each of these begins anew.
void BytecodeWriter::NumberValues(OutRegion& region, uint64_t first) {
  uint64_t next = first;
  for (OutBlock& block : region.blocks) {
    for (const OutArgument& argument : block.arguments) argument.value->number = next++;
    for (const auto& op : block.operations) {
      for (OutValue* result : op->results) result->number = next++;
    }
  }
  region.values = next - first;
  for (OutBlock& block : region.blocks) {
    for (const auto& op : block.operations) NumberRegions(*op, next);
  }
}

void BytecodeWriter::WriteBlock(const OutBlock& block, ByteBuffer* out) const {
  const bool arguments = !block.arguments.empty();
  out->FlaggedVarInt(block.operations.size(), arguments);
  if (arguments) {
    out->VarInt(block.arguments.size());
    for (const OutArgument& argument : block.arguments) {
      if (version_ >= kOptionalArgLocations) {
        out->FlaggedVarInt(argument.type, true);
      } else {
        out->VarInt(argument.type);
      }
      out->VarInt(argument.location);
    }
    if (version_ >= kUseListOrders) out->Byte(0);
  }
  for (const auto& op : block.operations) WriteOperation(*op, out);
}

void BytecodeWriter::WriteRegion(const OutRegion& region, ByteBuffer* out) const {
  out->VarInt(region.blocks.size());
  if (region.blocks.empty()) return;
  out->VarInt(region.values);
  for (const OutBlock& block : region.blocks) WriteBlock(block, out);
}

void BytecodeWriter::WriteOperation(const OutOperation& op, ByteBuffer* out) const {
  const auto [dialect, name] = SplitName(op.name);
  out->VarInt(names_.at(dialect).at(name));
  uint8_t mask = 0;
  if (op.attributes != kNoId) mask |= kHasAttributes;
  if (op.properties != kNoId) mask |= kHasProperties;
  if (!op.results.empty()) mask |= kHasResults;
  if (!op.operands.empty()) mask |= kHasOperands;
  if (!op.regions.empty()) mask |= kHasRegions;
  out->Byte(mask);
  out->VarInt(op.location);
  if (op.attributes != kNoId) out->VarInt(op.attributes);
  if (op.properties != kNoId) out->VarInt(op.properties);
  if (!op.results.empty()) {
    out->VarInt(op.types.size());
    for (uint64_t type : op.types) out->VarInt(type);
  }
  if (!op.operands.empty()) {
    out->VarInt(op.operands.size());
    for (const OutValue* operand : op.operands) out->VarInt(operand->number);
  }
  if (op.regions.empty()) return;
  out->FlaggedVarInt(op.regions.size(), op.isolated);
  if (!op.isolated || version_ < kIsolatedSections) {
    for (const OutRegion& region : op.regions) WriteRegion(region, out);
    return;
  }
  ByteBuffer inner;
  for (const OutRegion& region : op.regions) WriteRegion(region, &inner);
  out->Section(kIrSection, inner.bytes());
}

std::string BytecodeWriter::StringSection() const {
  ByteBuffer out;
  out.VarInt(strings_.size());
  for (size_t i = strings_.size(); i-- > 0;) out.VarInt(strings_[i].size() + 1);
  for (const std::string& text : strings_) out.CString(text);
  return out.bytes();
}

std::string BytecodeWriter::DialectSection() {
  ByteBuffer out;
  out.VarInt(dialects_.size());
  for (const std::string& dialect : dialects_) {
    if (version_ >= kDialectVersions) {
      out.FlaggedVarInt(String(dialect), false);
    } else {
      out.VarInt(String(dialect));
    }
  }
  uint64_t total = 0;
  for (const auto& [dialect, names] : names_) total += names.size();
  if (version_ >= kOptionalArgLocations) out.VarInt(total);
  for (const auto& [dialect, names] : names_) {
    out.VarInt(Dialect(dialect));
    out.VarInt(names.size());
    for (const auto& [name, number] : names) {
      if (version_ >= kProperties) {
        out.FlaggedVarInt(String(name), true);
      } else {
        out.VarInt(String(name));
      }
    }
  }
  return out.bytes();
}

// Runs of entries of one dialect.
void BytecodeWriter::WriteOffsets(const Table& table, ByteBuffer* offsets, ByteBuffer* data) {
  const auto& entries = table.entries;
  for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    while (end < entries.size() && entries[end].dialect == entries[begin].dialect) ++end;
    offsets->VarInt(entries[begin].dialect);
    offsets->VarInt(end - begin);
    for (size_t i = begin; i < end; ++i) {
      offsets->FlaggedVarInt(entries[i].bytes.size(), !entries[i].text);
      data->Append(entries[i].bytes);
    }
  }
}

std::string BytecodeWriter::Finish(absl::string_view producer, OutOperation& top) {
  CollectNames(top);
  NumberNames();
  NumberRegions(top, 0);
  ByteBuffer ir;
  ir.FlaggedVarInt(1, false);
  WriteOperation(top, &ir);
  ByteBuffer offsets;
  ByteBuffer data;
  offsets.VarInt(attributes_.entries.size());
  offsets.VarInt(types_.entries.size());
  WriteOffsets(attributes_, &offsets, &data);
  WriteOffsets(types_, &offsets, &data);
  ByteBuffer resources;
  resources.VarInt(0);
  const std::string dialects = DialectSection();
  ByteBuffer out;
  out.Append(kMagic);
  out.VarInt(version_);
  out.CString(producer);
  out.Section(kDialectSection, dialects);
  out.Section(kAttrTypeOffsetSection, offsets.bytes());
  out.Section(kAttrTypeSection, data.bytes());
  out.Section(kIrSection, ir.bytes());
  out.Section(kResourceOffsetSection, resources.bytes());
  out.Section(kResourceSection, "");
  out.Section(kStringSection, StringSection());
  if (version_ >= kProperties) {
    ByteBuffer properties;
    properties.VarInt(properties_.size());
    for (const std::string& bytes : properties_) properties.Blob(bytes);
    out.Section(kPropertiesSection, properties.bytes());
  }
  return out.bytes();
}

}  // namespace halyard::mlir
