#include "tests/fuzz/bundle_mutator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/byte_reader.h"
#include "runtime/hash.h"
#include "runtime/program/bundle/bundle_format.h"
#include "runtime/program/weights_file.h"

namespace halyard {
namespace {

namespace layout = runtime::bundle_format;
using runtime::Hash64;
using runtime::program_format::ConstantRecord;
using runtime::program_format::Header;
using runtime::program_format::kConstantAlignment;
using Random = std::mt19937_64;

uint64_t Below(Random& random, uint64_t limit) { return limit == 0 ? 0 : random() % limit; }

void Pad(std::string* bytes) {
  bytes->resize((bytes->size() + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment);
}

template <typename T>
T Load(const std::string& bytes, size_t at) {
  T value;
  memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}
template <typename T>
void Store(std::string* bytes, size_t at, const T& value) {
  memcpy(bytes->data() + at, &value, sizeof(T));
}

void MendBundle(std::string* bundle) {
  if (bundle->size() < sizeof(layout::Header)) return;
  auto header = Load<layout::Header>(*bundle, 0);
  const uint64_t most = bundle->size();
  if (header.parts.count > most || header.constants.count > most || header.catalogue.bytes > most)
    return;
  uint64_t end = sizeof(header) + header.parts.count * sizeof(layout::PartRecord) +
                 header.constants.count * sizeof(ConstantRecord) + header.catalogue.bytes;
  end = (end + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
  if (end > most) return;
  header.checksum = Hash64(bundle->data() + layout::kChecksumEnd, end - layout::kChecksumEnd);
  Store(bundle, 0, header);
}

// Damages what describes the bundle itself.
void DamageFrame(std::string* bundle, Random& random) {
  const auto header = Load<layout::Header>(*bundle, 0);
  const uint64_t tables = header.constants.offset + header.constants.count * sizeof(ConstantRecord);
  switch (Below(random, 6)) {
    case 0:
      bundle->resize(Below(random, bundle->size()));
      return;
    case 1:
      bundle->resize(bundle->size() + (Below(random, 2) == 0 ? 256 : Below(random, 1000)), 'x');
      return;
    default: {
      const uint64_t at =
          layout::kChecksumEnd + Below(random, tables - layout::kChecksumEnd) / 8 * 8;
      const auto old = Load<uint64_t>(*bundle, at);
      const uint64_t values[] = {
          0,       1,         old + 1,        old - 1,        old * 2,
          old / 2, ~old,      old + 256,      old - 256,      uint64_t{1} << 60,
          65,      INT64_MAX, bundle->size(), uint64_t(-256), random()};
      Store(bundle, at, values[Below(random, std::size(values))]);
    }
  }
}

// Changes which parts there are, and what the constants are.
void DamagePieces(const std::vector<BundlePieces>& all, BundlePieces* pieces, Random& random) {
  std::vector<std::string>& heads = pieces->heads;
  const BundlePieces& other = all[Below(random, all.size())];
  switch (Below(random, 5)) {
    case 0:
      heads.insert(heads.begin() + static_cast<int64_t>(Below(random, heads.size() + 1)),
                   other.heads[Below(random, other.heads.size())]);
      return;
    case 1:
      heads.erase(heads.begin() + static_cast<int64_t>(Below(random, heads.size())));
      return;
    case 2:
      while (heads.size() < 63 + Below(random, 4)) heads.push_back(heads[0]);
      return;
    case 3:
      if (pieces->table.size() < 2) return;
      std::swap(pieces->table[0], pieces->table[Below(random, pieces->table.size())]);
      return;
    default:
      if (pieces->constants.empty()) return;
      pieces->constants[Below(random, pieces->constants.size())] ^= static_cast<char>(random());
  }
}

}  // namespace

void MendProgramHead(std::string* head) {
  if (head->size() < sizeof(Header)) return;
  auto header = Load<Header>(*head, 0);
  constexpr uint64_t kEnd = runtime::program_format::kChecksumEnd;
  if (header.constants_begin < kEnd || header.constants_begin > head->size()) return;
  header.checksum = Hash64(head->data() + kEnd, header.constants_begin - kEnd);
  Store(head, 0, header);
}

BundlePieces::BundlePieces(const std::string& bundle) {
  const auto header = Load<layout::Header>(bundle, 0);
  for (uint64_t i = 0; i < header.parts.count; ++i) {
    const auto part = Load<layout::PartRecord>(
        bundle, static_cast<size_t>(header.parts.offset + i * sizeof(layout::PartRecord)));
    heads.push_back(bundle.substr(part.offset, part.bytes));
  }
  for (uint64_t i = 0; i < header.constants.count; ++i) {
    table.push_back(Load<ConstantRecord>(
        bundle, static_cast<size_t>(header.constants.offset + i * sizeof(ConstantRecord))));
    table.back().data.offset -= header.constants_begin;
  }
  constants = bundle.substr(header.constants_begin);
  catalogue = bundle.substr(header.catalogue.offset, header.catalogue.bytes);
}

std::string BundlePieces::Join() const {
  layout::Header header{};
  header.magic = layout::kMagic;
  header.version = runtime::program_format::kVersion;
  header.maker = runtime::kVersionNumber;
  header.parts = {sizeof(header), heads.size()};
  header.constants = {sizeof(header) + heads.size() * sizeof(layout::PartRecord), table.size()};
  header.catalogue = {header.constants.offset + table.size() * sizeof(ConstantRecord),
                      catalogue.size()};
  std::string out(header.catalogue.offset, '\0');
  out += catalogue;
  Pad(&out);
  for (size_t i = 0; i < heads.size(); ++i) {
    Store(&out, header.parts.offset + i * sizeof(layout::PartRecord),
          layout::PartRecord{out.size(), heads[i].size()});
    out += heads[i];
    Pad(&out);
  }
  header.constants_begin = out.size();
  header.total_bytes = out.size() + constants.size();
  for (size_t i = 0; i < table.size(); ++i) {
    ConstantRecord record = table[i];
    record.data.offset += header.constants_begin;
    Store(&out, header.constants.offset + i * sizeof(record), record);
  }
  Store(&out, 0, header);
  out += constants;
  MendBundle(&out);
  return out;
}

void SplitWeights(const std::string& bytes, std::string* head, std::string* weights) {
  namespace format = runtime::program_format;
  *head = bytes;
  format::WeightsHeader header = {};
  header.magic = format::kWeightsMagic;
  header.version = format::kVersion;
  header.maker = runtime::kVersionNumber;
  // Both headers begin with the same fields.
  uint64_t begin = bytes.size();
  format::Table table = {};
  if (bytes.size() >= sizeof(Header)) {
    const bool is_program = Load<uint64_t>(bytes, 0) == format::kMagic;
    begin = Load<layout::Header>(bytes, 0).constants_begin;
    table =
        is_program ? Load<Header>(bytes, 0).constants : Load<layout::Header>(bytes, 0).constants;
  }
  if (begin < bytes.size()) head->resize(begin);
  if (table.offset % 8 == 0 && table.count <= head->size() &&
      runtime::InRange(table.offset, table.count * sizeof(ConstantRecord), head->size())) {
    header.identity = format::WeightsIdentity(
        reinterpret_cast<const ConstantRecord*>(head->data() + table.offset), table.count);
  }
  header.bytes = bytes.size() - head->size();
  weights->assign(reinterpret_cast<const char*>(&header), sizeof(header));
  weights->resize(format::kWeightsBegin);
  *weights += bytes.substr(head->size());
}

BundleMutator::BundleMutator(const std::vector<std::string>& bundles)
    : bundles_(bundles.begin(), bundles.end()) {}

std::string BundleMutator::Damaged(uint64_t seed) const {
  Random random(seed * 0x9e3779b97f4a7c15 + 7);
  BundlePieces pieces = bundles_[Below(random, bundles_.size())];
  // 0: the frame, 1: the pieces, 2 to 4: the catalogue if there is one, others: a program
  const uint64_t kind = Below(random, 8);
  if (kind == 1) DamagePieces(bundles_, &pieces, random);
  const bool of_catalogue = kind >= 2 && kind <= 4 && !pieces.catalogue.empty();
  for (uint64_t i = 0, count = 1 + Below(random, 3); of_catalogue && i < count; ++i)
    DamageCatalogue(&pieces.catalogue, random);
  // Half get a single piece of damage, because much damage is found at once.
  uint64_t left = kind < 2 || of_catalogue || pieces.heads.empty() ? 0
                  : Below(random, 2) == 0                          ? 1
                                                                   : 1 + Below(random, 6);
  const bool mend = Below(random, 16) != 0;
  for (; left > 0; --left) {
    std::string& head = pieces.heads[Below(random, pieces.heads.size())];
    DamageProgramHead(&head, random);
    if (mend) MendProgramHead(&head);
  }
  if (kind == 7 && !pieces.heads.empty()) return pieces.heads[0] + pieces.constants;
  std::string bundle = pieces.Join();
  if (kind == 0) DamageFrame(&bundle, random);
  if (mend) MendBundle(&bundle);
  return bundle;
}

}  // namespace halyard
