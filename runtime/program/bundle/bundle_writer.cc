#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/hash.h"
#include "runtime/program/bundle/bundle_format.h"
#include "runtime/program/program_spec.h"
#include "runtime/program/program_writer.h"

namespace halyard {
namespace {

namespace layout = runtime::bundle_format;
using runtime::program_format::ConstantRecord;
using runtime::program_format::kConstantAlignment;

// Collects constants so that equal ones are there once.
class ConstantBlock {
 public:
  ConstantRecord Add(const ProgramSpec::Constant& constant) {
    const size_t before = bytes_.size();
    ConstantRecord record = AppendConstant(constant, &bytes_);
    const auto [first, last] = known_.equal_range({record.checksum, record.data.bytes});
    for (auto it = first; it != last; ++it) {
      const ConstantRecord& known = records_[it->second];
      if (memcmp(bytes_.data() + known.data.offset, constant.data, record.data.bytes) != 0)
        continue;
      bytes_.resize(before);
      return known;
    }
    known_.emplace(std::pair(record.checksum, record.data.bytes), records_.size());
    records_.push_back(record);
    return record;
  }
  const std::string& bytes() const { return bytes_; }
  const std::vector<ConstantRecord>& records() const { return records_; }

 private:
  std::string bytes_;
  std::vector<ConstantRecord> records_;
  std::multimap<std::pair<uint64_t, uint64_t>, size_t> known_;  // by checksum and size
};

template <typename T>
void Append(const std::vector<T>& records, std::string* out) {
  out->append(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T));
}

void Pad(std::string* out) {
  out->resize((out->size() + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment);
}

}  // namespace

std::string WriteBundle(absl::Span<const ProgramSpec> targets) {
  return WriteBundleWith(targets, "");
}

std::string WriteBundleWith(absl::Span<const ProgramSpec> targets, const std::string& catalogue) {
  ConstantBlock block;
  std::vector<std::vector<ConstantRecord>> places(targets.size());
  for (size_t i = 0; i < targets.size(); ++i) {
    for (const ProgramSpec::Constant& constant : targets[i].constants)
      places[i].push_back(block.Add(constant));
  }
  std::vector<std::string> heads;
  for (size_t i = 0; i < targets.size(); ++i)
    heads.push_back(WriteProgramHead(targets[i], std::move(places[i]), block.bytes().size()));

  layout::Header header{};
  header.magic = layout::kMagic;
  header.version = runtime::program_format::kVersion;
  header.maker = runtime::kVersionNumber;
  header.parts = {sizeof(header), targets.size()};
  header.constants = {sizeof(header) + targets.size() * sizeof(layout::PartRecord),
                      block.records().size()};
  header.catalogue = {header.constants.offset + block.records().size() * sizeof(ConstantRecord),
                      catalogue.size()};
  std::string out(header.catalogue.offset, '\0');
  out += catalogue;
  Pad(&out);
  const size_t tables_end = out.size();
  std::vector<layout::PartRecord> parts;
  for (const std::string& head : heads) {
    parts.push_back({out.size(), head.size()});
    out += head;
  }
  header.constants_begin = out.size();
  header.total_bytes = out.size() + block.bytes().size();
  std::vector<ConstantRecord> constants = block.records();
  for (ConstantRecord& constant : constants) constant.data.offset += header.constants_begin;
  std::string tables;
  Append(parts, &tables);
  Append(constants, &tables);
  memcpy(out.data() + sizeof(header), tables.data(), tables.size());
  memcpy(out.data(), &header, sizeof(header));
  header.checksum =
      runtime::Hash64(out.data() + layout::kChecksumEnd, tables_end - layout::kChecksumEnd);
  memcpy(out.data(), &header, sizeof(header));
  return out + block.bytes();
}

}  // namespace halyard
