// The container: header, sections, and their tables.
#include "frontend/mlir/bytecode/reader.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/bytecode/format.h"

namespace halyard::mlir {

using namespace bytecode;  // NOLINT: the format's numbers

bool BytecodeDialect::ReadAttribute(BytecodeReader&, ByteCursor& bytes, const Attribute**) {
  return bytes.Fail("attributes of this dialect have no encoding");
}

bool BytecodeDialect::ReadType(BytecodeReader&, ByteCursor& bytes, const Type**) {
  return bytes.Fail("types of this dialect have no encoding");
}

bool BytecodeDialect::ReadProperties(BytecodeReader&, ByteCursor& bytes, Operation& op) {
  return bytes.Fail(absl::StrCat("the properties of '", op.name, "' are not known"));
}

bool BytecodeDialect::FinishOperation(BytecodeReader&, Operation&, const Operation*) {
  return true;
}

BytecodeReader::BytecodeReader(Document& document, const Syntax& syntax)
    : document_(document),
      syntax_(syntax),
      errors_(document.source),
      file_(document.source.text(), 0, &errors_) {}

void BytecodeReader::AddDialect(absl::string_view name, BytecodeDialect* dialect) {
  hooks_[std::string(name)] = dialect;
}

absl::Status BytecodeReader::ReadHeader() {
  ReadPrologue();
  return errors_.status();
}

absl::Status BytecodeReader::Read() {
  ReadAll();
  return errors_.status();
}

bool BytecodeReader::ReadPrologue() {
  absl::string_view magic;
  absl::string_view producer;
  if (!absl::StartsWith(document_.source.text(), kMagic)) {
    return Fail(0, "not MLIR bytecode: it does not begin with \"ML\\xefR\"");
  }
  if (!file_.Bytes(kMagic.size(), &magic)) return false;
  const size_t at = file_.offset();
  if (!file_.VarInt(&version_) || !file_.CString(&producer)) return false;
  producer_ = std::string(producer);
  if (version_ <= kNewestVersion) return true;
  return Fail(at, absl::StrCat("the file has version ", version_,
                               " of the MLIR bytecode format (written by '", producer_,
                               "'); versions 0 to ", kNewestVersion, " are supported"));
}

bool BytecodeReader::ReadAll() {
  return ReadSections() && ReadStrings() && ReadDialects() && ReadEntryTables() &&
         ReadResources() && ReadPropertyTable() && ReadIr();
}

bool BytecodeReader::ReadSection(ByteCursor& bytes, uint8_t* id, Section* section) {
  uint8_t head = 0;
  uint64_t size = 0;
  if (!bytes.Byte(&head) || !bytes.VarInt(&size)) return false;
  *id = head & 0x7F;
  uint64_t alignment = 0;
  if (head & 0x80 && (!bytes.VarInt(&alignment) || !bytes.Align(alignment))) return false;
  section->present = true;
  section->offset = bytes.offset();
  return bytes.Bytes(size, &section->data);
}

bool BytecodeReader::ReadSections() {
  while (!file_.AtEnd()) {
    const size_t at = file_.offset();
    uint8_t id = 0;
    Section section;
    if (!ReadSection(file_, &id, &section)) return false;
    if (id >= kSectionCount) return Fail(at, absl::StrCat("there is no section number ", id));
    if (sections_[id].present) return Fail(at, absl::StrCat("section ", id, " is given twice"));
    sections_[id] = section;
  }
  for (uint8_t id :
       {kStringSection, kDialectSection, kAttrTypeSection, kAttrTypeOffsetSection, kIrSection}) {
    if (!sections_[id].present) return file_.Fail(absl::StrCat("section ", id, " is missing"));
  }
  return true;
}

// The lengths come in reverse order, each with the zero byte at the end.
bool BytecodeReader::ReadStrings() {
  ByteCursor bytes = SectionCursor(kStringSection);
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  std::vector<uint64_t> lengths(count);
  for (size_t i = count; i-- > 0;) {
    if (!bytes.VarInt(&lengths[i])) return false;
  }
  strings_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (lengths[i] == 0) return bytes.Fail("a string without its zero byte");
    if (!bytes.Bytes(lengths[i], &strings_[i])) return false;
    strings_[i].remove_suffix(1);
  }
  return bytes.End("the strings");
}

bool BytecodeReader::Charge(size_t offset, uint64_t bytes) {
  constexpr uint64_t kFree = uint64_t{1} << 24;
  constexpr uint64_t kFactor = 64;
  charged_ += bytes;
  if (charged_ <= kFree + kFactor * document_.source.text().size()) return true;
  return Fail(offset, "what the file repeats is out of proportion to its size");
}

bool BytecodeReader::Append(size_t offset, absl::string_view part, std::string* text) {
  if (!Charge(offset, part.size())) return false;
  absl::StrAppend(text, part);
  return true;
}

bool BytecodeReader::ReadString(ByteCursor& bytes, std::string* text) {
  const size_t at = bytes.offset();
  uint64_t index = 0;
  if (!bytes.VarInt(&index)) return false;
  if (index >= strings_.size()) return Fail(at, absl::StrCat("there is no string ", index));
  if (!Charge(at, strings_[index].size())) return false;
  *text = std::string(strings_[index]);
  return true;
}

bool BytecodeReader::ReadDialects() {
  ByteCursor bytes = SectionCursor(kDialectSection);
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t at = bytes.offset();
    uint64_t name = 0;
    bool has_version = false;
    bool read = version_ >= kDialectVersions ? bytes.FlaggedVarInt(&name, &has_version)
                                             : bytes.VarInt(&name);
    if (!read) return false;
    if (name >= strings_.size()) return Fail(at, absl::StrCat("there is no string ", name));
    if (!Charge(at, strings_[name].size())) return false;
    Dialect& dialect = dialects_.emplace_back();
    dialect.name = std::string(strings_[name]);
    auto hooks = hooks_.find(dialect.name);
    if (hooks != hooks_.end()) dialect.hooks = hooks->second;
    uint8_t id = 0;
    Section unused;
    if (has_version && !ReadSection(bytes, &id, &unused)) return false;
  }
  return ReadOpNames(bytes);
}

bool BytecodeReader::ReadOpNames(ByteCursor& bytes) {
  uint64_t total = 0;
  if (version_ >= kOptionalArgLocations && !bytes.VarInt(&total)) return false;
  while (!bytes.AtEnd()) {
    const size_t at = bytes.offset();
    uint64_t dialect = 0;
    uint64_t count = 0;
    if (!bytes.VarInt(&dialect) || !bytes.Count(&count)) return false;
    if (dialect >= dialects_.size()) return Fail(at, absl::StrCat("there is no dialect ", dialect));
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t name = 0;
      bool registered = true;
      if (!(version_ >= kProperties ? bytes.FlaggedVarInt(&name, &registered)
                                    : bytes.VarInt(&name))) {
        return false;
      }
      if (name >= strings_.size()) return Fail(at, absl::StrCat("there is no string ", name));
      if (!Charge(at, dialects_[dialect].name.size() + strings_[name].size())) return false;
      op_names_.push_back(
          {dialect, absl::StrCat(dialects_[dialect].name, ".", strings_[name]), registered});
    }
  }
  return true;
}

template <typename Node>
bool BytecodeReader::ReadEntryTable(ByteCursor& offsets, ByteCursor& data,
                                    std::vector<Entry<Node>>* entries) {
  size_t next = 0;
  while (next < entries->size()) {
    const size_t at = offsets.offset();
    uint64_t dialect = 0;
    uint64_t count = 0;
    if (!offsets.VarInt(&dialect) || !offsets.Count(&count)) return false;
    if (dialect >= dialects_.size()) return Fail(at, absl::StrCat("there is no dialect ", dialect));
    if (count > entries->size() - next) return Fail(at, "more entries than the table says");
    for (uint64_t i = 0; i < count; ++i) {
      Entry<Node>& entry = (*entries)[next++];
      uint64_t size = 0;
      entry.dialect = dialect;
      entry.offset = data.offset();
      if (!offsets.FlaggedVarInt(&size, &entry.custom) || !data.Bytes(size, &entry.data)) {
        return false;
      }
    }
  }
  return true;
}

bool BytecodeReader::ReadEntryTables() {
  ByteCursor offsets = SectionCursor(kAttrTypeOffsetSection);
  ByteCursor data = SectionCursor(kAttrTypeSection);
  uint64_t attributes = 0;
  uint64_t types = 0;
  if (!offsets.Count(&attributes) || !offsets.Count(&types)) return false;
  attributes_.resize(attributes);
  types_.resize(types);
  return ReadEntryTable(offsets, data, &attributes_) && ReadEntryTable(offsets, data, &types_) &&
         offsets.End("the offsets") && data.End("the attributes and types");
}

bool BytecodeReader::ReadResourceGroup(ByteCursor& offsets, ByteCursor& data, bool keep) {
  uint64_t owner = 0;  // the key of an external group, or a dialect
  uint64_t count = 0;
  if (!offsets.VarInt(&owner) || !offsets.Count(&count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    Resource resource;
    uint64_t size = 0;
    if (!ReadString(offsets, &resource.key) || !offsets.VarInt(&size) ||
        !offsets.Byte(&resource.kind)) {
      return false;
    }
    resource.offset = data.offset();
    if (!data.Bytes(size, &resource.data)) return false;
    if (keep) resources_.push_back(std::move(resource));
  }
  return true;
}

bool BytecodeReader::ReadResources() {
  if (!sections_[kResourceOffsetSection].present) return true;
  ByteCursor offsets = SectionCursor(kResourceOffsetSection);
  ByteCursor data = SectionCursor(kResourceSection);
  uint64_t external = 0;
  if (!offsets.Count(&external)) return false;
  for (uint64_t i = 0; i < external; ++i) {
    if (!ReadResourceGroup(offsets, data, false)) return false;
  }
  while (!offsets.AtEnd()) {
    if (!ReadResourceGroup(offsets, data, true)) return false;
  }
  return true;
}

bool BytecodeReader::ReadPropertyTable() {
  if (!sections_[kPropertiesSection].present) return true;
  ByteCursor bytes = SectionCursor(kPropertiesSection);
  uint64_t count = 0;
  if (!bytes.Count(&count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    absl::string_view data;
    if (!bytes.Blob(&data)) return false;
    properties_.emplace_back(data, bytes.offset() - data.size());
  }
  return bytes.End("the properties");
}

}  // namespace halyard::mlir
