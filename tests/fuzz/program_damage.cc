// DamageProgramHead: damage to one Program of a bundle.
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>

#include "runtime/byte_reader.h"
#include "tests/fuzz/bundle_mutator.h"

namespace halyard {
namespace {

using namespace runtime::program_format;  // NOLINT: this file damages that format
using Random = std::mt19937_64;

// Where the header describes a table, and the size of the table's records.
struct TableInfo {
  size_t at, record;
};
constexpr TableInfo kTables[] = {
    {offsetof(Header, parameters), sizeof(ValueRecord)},
    {offsetof(Header, results), sizeof(ValueRecord)},
    {offsetof(Header, allocations), sizeof(AllocationRecord)},
    {offsetof(Header, constants), sizeof(ConstantRecord)},
    {offsetof(Header, kernels), sizeof(KernelRecord)},
    {offsetof(Header, steps), sizeof(StepRecord)},
    {offsetof(Header, sequences), sizeof(SequenceRecord)},
    {offsetof(Header, slices), sizeof(SliceRecord)},
    {offsetof(Header, children), sizeof(uint32_t)},
    {offsetof(Header, numbers), sizeof(int64_t)},
};
constexpr size_t kParameters = 0, kAllocations = 2, kSteps = 5, kSequences = 6, kSlices = 7,
                 kChildren = 8;

class HeadDamage {
 public:
  HeadDamage(std::string* head, Random& random) : head_(*head), random_(random) {}

  void Damage() {
    using Kind = void (HeadDamage::*)();
    static constexpr Kind kKinds[] = {
        &HeadDamage::SetField,    &HeadDamage::SetField,    &HeadDamage::SetField,
        &HeadDamage::SetHeader,   &HeadDamage::CopyRecord,  &HeadDamage::GrowTable,
        &HeadDamage::ChangeText,  &HeadDamage::ChangeStep,  &HeadDamage::ChangeStep,
        &HeadDamage::ChangeSlice, &HeadDamage::ChangeSlice, &HeadDamage::ChangeAllocation,
        &HeadDamage::FlipBit};
    if (head_.size() >= sizeof(Header)) (this->*kKinds[Below(std::size(kKinds))])();
  }

 private:
  uint64_t Below(uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }
  template <typename T>
  T Load(size_t at) const {
    T value;
    memcpy(&value, head_.data() + at, sizeof(T));
    return value;
  }
  template <typename T>
  void Store(size_t at, const T& value) {
    memcpy(head_.data() + at, &value, sizeof(T));
  }
  // Earlier damage may have moved the table out of the file. Its count is 0 then.
  Table TableAt(size_t index) const {
    const auto table = Load<Table>(kTables[index].at);
    const bool inside =
        table.count <= head_.size() &&
        runtime::InRange(table.offset, table.count * kTables[index].record, head_.size());
    return inside ? table : Table{0, 0};
  }
  // A random record of the table, or false if there is none.
  bool AnyRecord(size_t index, size_t* at) {
    const Table table = TableAt(index);
    *at = table.offset + Below(table.count) * kTables[index].record;
    return table.count != 0;
  }

  uint64_t Number(uint64_t old) {
    const uint64_t values[] = {0,
                               1,
                               2,
                               4,
                               8,
                               24,
                               255,
                               256,
                               old + 1,
                               old - 1,
                               old + 8,
                               old - 8,
                               old * 2,
                               old / 2,
                               old ^ uint64_t{1} << Below(64),
                               ~uint64_t{0},
                               ~uint64_t{1},
                               uint64_t{INT32_MAX},
                               uint64_t{UINT32_MAX},
                               uint64_t{1} << 28,
                               uint64_t{1} << 32,
                               uint64_t{1} << 60,
                               uint64_t{1} << 63,
                               INT64_MAX,
                               head_.size(),
                               Load<Header>(0).constants_begin,
                               Load<uint64_t>(Below(sizeof(Header) / 8) * 8),
                               random_()};
    return values[Below(std::size(values))];
  }

  void SetNumber(size_t at, size_t bytes) {
    if (bytes == 4) {
      Store(at, static_cast<uint32_t>(Number(Load<uint32_t>(at))));
    } else {
      Store(at, Number(Load<uint64_t>(at)));
    }
  }

  void SetField() {
    const size_t index = Below(std::size(kTables));
    size_t at;
    if (!AnyRecord(index, &at)) return;
    const size_t words = kTables[index].record / 4, word = Below(words);
    // Most fields have eight bytes.
    if (words % 2 == 0 && Below(4) != 0) {
      SetNumber(at + word / 2 * 8, 8);
    } else {
      SetNumber(at + word * 4, 4);
    }
  }

  void SetHeader() {
    const size_t at = Below(3) == 0 ? offsetof(Header, device) + 128 + 8 * Below(40)
                                    : Below(sizeof(Header) / 8) * 8;
    if (at + 8 <= sizeof(Header)) SetNumber(at, 8);
  }

  void CopyRecord() {
    const size_t index = Below(std::size(kTables));
    size_t from, to;
    if (!AnyRecord(index, &from) || !AnyRecord(index, &to)) return;
    const size_t size = kTables[index].record;
    const std::string first = head_.substr(from, size), second = head_.substr(to, size);
    head_.replace(to, size, first);
    if (Below(2) == 0) head_.replace(from, size, second);  // swaps them
  }

  // Appends bytes to what lies before the constants, which move. Returns where they are.
  uint64_t Append(const std::string& bytes) {
    const uint64_t at = head_.size();
    head_ += bytes;
    head_.resize((head_.size() + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment);
    const uint64_t grown = head_.size() - at;
    auto header = Load<Header>(0);
    header.constants_begin += grown;
    header.total_bytes += grown;
    Store(0, header);
    const Table constants = TableAt(3);
    for (uint64_t i = 0; i < constants.count; ++i) {
      const size_t record = constants.offset + i * sizeof(ConstantRecord);
      Store(record, Load<uint64_t>(record) + grown);
    }
    return at;
  }

  // Moves a table to the end, with a few of its records again behind the others, and lets somebody
  // use them.
  void GrowTable() {
    const size_t index = Below(std::size(kTables)), size = kTables[index].record;
    const Table table = TableAt(index);
    if (table.count == 0) return;
    std::string records = head_.substr(table.offset, table.count * size);
    const uint64_t more = 1 + Below(4);
    for (uint64_t i = 0; i < more; ++i) {
      const uint64_t copied = Below(table.count);
      records += head_.substr(table.offset + copied * size, size);
    }
    Store(kTables[index].at, Table{Append(records), table.count + more});
    size_t at;
    if (index == kSteps && AnyRecord(kSequences, &at)) {
      Store(at, SequenceRecord{table.count, more});
    } else if (index == kSlices && AnyRecord(kSteps, &at)) {
      auto step = Load<StepRecord>(at);
      step.first_slice = table.count;
      step.num_slices = static_cast<uint32_t>(more);
      Store(at, step);
    } else if (index == kChildren && AnyRecord(kSteps, &at)) {
      auto step = Load<StepRecord>(at);
      step.first_child = table.count;
      step.num_children = static_cast<uint32_t>(more);
      Store(at, step);
    }
  }

  void ChangeText() {
    const std::string texts[] = {
        "",      "x86",     "x86:v2",   "x86:v9", "vulkan",   "cuda:sm_90", "pred",
        "s4",    "f32",     "f4e2m1fn", "%s%n%d", "nonsense", "copy_all",   std::string(300, 'x'),
        "a,b,:", "\xff\xfe"};
    const std::string& text = texts[Below(std::size(texts))];
    size_t at = Below(2) == 0 ? offsetof(Header, target) : offsetof(Header, name);
    size_t record;
    switch (Below(5)) {
      case 0:
        if (AnyRecord(kParameters + Below(2), &record))
          at = record +
               (Below(2) == 0 ? offsetof(ValueRecord, name) : offsetof(ValueRecord, element_type));
        break;
      case 1:
        if (AnyRecord(kSteps, &record))
          at =
              record + (Below(2) == 0 ? offsetof(StepRecord, target) : offsetof(StepRecord, label));
        break;
      case 2:
        if (AnyRecord(kAllocations, &record)) at = record + offsetof(AllocationRecord, label);
        break;
      default:
        break;
    }
    const bool ends = Below(8) != 0;  // with a zero
    const uint64_t begin = Append(text + (ends ? std::string(1, '\0') : "x"));
    // The append may have moved nothing before `at`.
    Store(at, Range{begin, text.size() - (text.empty() ? 0 : Below(8) == 0)});
  }

  void ChangeStep() {
    size_t at;
    if (!AnyRecord(kSteps, &at)) return;
    auto step = Load<StepRecord>(at);
    switch (Below(8)) {
      case 0:
        step.kind = static_cast<uint32_t>(Below(12));
        break;
      case 1:
      case 2:
        step.trip_count = static_cast<int64_t>(Number(static_cast<uint64_t>(step.trip_count)));
        break;
      case 3:
        step.kernel = static_cast<int32_t>(Below(4));
        break;
      case 4:
        step.num_inputs = static_cast<uint32_t>(Below(4));
        break;
      case 5:
        step.num_slices = static_cast<uint32_t>(Below(4));
        break;
      case 6:
        step.num_children = static_cast<uint32_t>(Below(3));
        break;
      default: {
        size_t child;
        if (AnyRecord(kChildren, &child)) Store(child, static_cast<uint32_t>(Below(8)));
      }
    }
    Store(at, step);
  }

  void ChangeSlice() {
    size_t at;
    if (!AnyRecord(kSlices, &at)) return;
    auto slice = Load<SliceRecord>(at);
    const uint64_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 23, 24, 25, 100, 256};
    switch (Below(3)) {
      case 0:
        slice.allocation = Below(12);
        break;
      case 1:
        slice.offset = sizes[Below(std::size(sizes))];
        break;
      default:
        slice.bytes = sizes[Below(std::size(sizes))];
    }
    Store(at, slice);
  }

  void ChangeAllocation() {
    size_t at;
    if (!AnyRecord(kAllocations, &at)) return;
    auto allocation = Load<AllocationRecord>(at);
    const int64_t sizes[] = {0, 1, 4, 24, 256, 512, 1024, 4096, int64_t{1} << 32};
    switch (Below(5)) {
      case 0:
        allocation.kind = static_cast<uint32_t>(Below(5));
        break;
      case 1:
        allocation.space = static_cast<uint32_t>(Below(3));
        break;
      case 2:
        allocation.number = static_cast<int64_t>(Below(4));
        break;
      case 3:
        allocation.offset = sizes[Below(std::size(sizes))];
        break;
      default:
        allocation.bytes = sizes[Below(std::size(sizes))];
    }
    Store(at, allocation);
  }

  void FlipBit() {
    const size_t index = Below(std::size(kTables));
    size_t at;
    if (!AnyRecord(index, &at)) return;
    at += Below(kTables[index].record);
    head_[at] = static_cast<char>(head_[at] ^ 1 << Below(8));
  }

  std::string& head_;
  Random& random_;
};

}  // namespace

void DamageProgramHead(std::string* head, std::mt19937_64& random) {
  HeadDamage(head, random).Damage();
}

}  // namespace halyard
