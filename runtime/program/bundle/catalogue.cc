#include "runtime/program/bundle/catalogue.h"

#include <stdio.h>

#include "runtime/byte_reader.h"

namespace halyard::runtime {

using namespace catalogue_format;  // NOLINT: this file reads that format

namespace {

Status Wrong(const char* what, uint64_t index) {
  return MakeStatus(Code::kDataLoss, "bundle: catalogue: %s (%llu)", what,
                    static_cast<unsigned long long>(index));
}

bool Holds(const Table& table, uint64_t first, uint64_t count) {
  return InRange(first, count, table.count);
}

}  // namespace

Status Catalogue::Read(ByteSpan bytes) {
  if (bytes.size < sizeof(Header)) return Wrong("shorter than its header", bytes.size);
  bytes_ = bytes;
  const Header& h = header();
  if (h.bytes != bytes.size) return Wrong("size", h.bytes);
  const Table* const tables[] = {&h.entries, &h.variables, &h.arrays, &h.sizes, &h.numbers};
  const uint64_t each[] = {sizeof(EntryRecord), sizeof(VariableRecord), sizeof(ArrayRecord),
                           sizeof(SizeRecord), sizeof(int64_t)};
  for (uint64_t i = 0; i < 5; ++i) {
    if (tables[i]->offset % 8 != 0 || tables[i]->count > bytes.size / each[i] ||
        !InRange(tables[i]->offset, tables[i]->count * each[i], bytes.size))
      return Wrong("a table lies outside", i);
  }
  if (h.num_entries == 0 || h.num_entries != h.entries.count || h.num_targets == 0)
    return Wrong("number of entries", h.num_entries);
  for (uint32_t i = 0; i < h.num_entries; ++i) HY_RETURN_IF_ERROR(CheckEntry(entry(i)));
  return Status();
}

Status Catalogue::CheckName(const Range& range) const {
  if (!InRange(range.offset, range.bytes, bytes_.size) ||
      range.offset + range.bytes == bytes_.size || bytes_.data[range.offset + range.bytes] != 0)
    return Wrong("a name lies outside", range.offset);
  return Status();
}

Status Catalogue::CheckEntry(const Entry& entry) const {
  HY_RETURN_IF_ERROR(CheckName(entry.name));
  if (entry.num_variables > kMaxVariables ||
      !Holds(header().variables, entry.first_variable, entry.num_variables))
    return Wrong("variables of an entry", entry.first_variable);
  for (uint64_t i = 0; i < entry.num_variables; ++i)
    HY_RETURN_IF_ERROR(CheckVariable(variable(entry, i)));
  const uint64_t arrays = header().arrays.count;
  if (entry.num_arguments > arrays || entry.num_results > arrays ||
      !Holds(header().arrays, entry.first_array, entry.num_arguments + entry.num_results))
    return Wrong("arrays of an entry", entry.first_array);
  for (uint64_t i = 0; i < entry.num_arguments + entry.num_results; ++i)
    HY_RETURN_IF_ERROR(CheckArray(entry, i));
  return Status();
}

Status Catalogue::CheckVariable(const Variable& variable) const {
  HY_RETURN_IF_ERROR(CheckName(variable.name));
  if (variable.num_bounds == 0 ||
      !Holds(header().numbers, variable.first_bound, variable.num_bounds))
    return Wrong("bounds of a variable", variable.first_bound);
  const int64_t* all = bounds(variable);
  for (uint64_t i = 0; i < variable.num_bounds; ++i) {
    const int64_t before = i == 0 ? -1 : all[i - 1];
    if (all[i] <= before || all[i] > INT32_MAX) return Wrong("a bound of a variable", i);
  }
  if (variable.least < 0 || variable.least > all[0] || variable.exact > 1)
    return Wrong("least size of a variable", static_cast<uint64_t>(variable.least));
  return Status();
}

Status Catalogue::CheckArray(const Entry& entry, uint64_t array) const {
  const ArrayRecord& record = At<ArrayRecord>(header().arrays, entry.first_array + array);
  if (record.rank > kMaxRank || !Holds(header().sizes, record.first_size, record.rank))
    return Wrong("sizes of an array", array);
  for (uint64_t d = 0; d < record.rank; ++d) {
    const SizeRecord& size = At<SizeRecord>(header().sizes, record.first_size + d);
    const uint64_t numbers = size.kind == kLinear ? 1 + entry.num_variables : Combinations(entry);
    if (size.kind > kTable || numbers > kMaxTable ||
        !Holds(header().numbers, size.first_number, numbers))
      return Wrong("numbers of a size", size.first_number);
  }
  return Status();
}

uint64_t Catalogue::NumSizes(const Variable& variable) const {
  return variable.exact != 0 ? variable.num_bounds
                             : static_cast<uint64_t>(most(variable) - variable.least) + 1;
}

uint64_t Catalogue::Combinations(const Entry& entry) const {
  uint64_t combinations = 1;
  for (uint64_t i = 0; i < entry.num_variables && combinations <= kMaxTable; ++i)
    combinations *= NumSizes(variable(entry, i));  // below 2^52
  return combinations;
}

uint64_t Catalogue::num_parts(const Entry& entry) const {
  uint64_t parts = 1;
  for (uint64_t i = 0; i < entry.num_variables && parts < uint64_t{1} << 32; ++i)
    parts *= variable(entry, i).num_bounds;
  return parts;
}

uint64_t Catalogue::parts_of_target() const {
  uint64_t parts = 0;
  for (uint32_t i = 0; i < num_entries() && parts < uint64_t{1} << 48; ++i)
    parts += num_parts(entry(i));
  return parts;
}

Status Catalogue::FindPart(const Entry& entry, const int64_t* sizes, uint64_t* part) const {
  uint64_t found = 0;
  for (uint64_t i = 0; i < entry.num_variables; ++i) {
    const Variable& v = variable(entry, i);
    const int64_t* all = bounds(v);
    uint64_t at = 0;
    while (at < v.num_bounds && all[at] < sizes[i]) ++at;
    if (v.exact != 0 && (at == v.num_bounds || all[at] != sizes[i])) {
      char list[128] = "";
      for (uint64_t k = 0, end = 0; k < v.num_bounds && end + 32 < sizeof(list); ++k) {
        const int written = snprintf(list + end, sizeof(list) - end, "%s%lld", k == 0 ? "" : ", ",
                                     static_cast<long long>(all[k]));
        end += static_cast<uint64_t>(written);
        if (end + 32 >= sizeof(list) && k + 1 < v.num_bounds)
          snprintf(list + end, sizeof(list) - end, ", ...");
      }
      return MakeStatus(Code::kInvalidArgument, "%s is %lld; it is one of %s", name(v.name),
                        static_cast<long long>(sizes[i]), list);
    }
    if (sizes[i] < v.least || at == v.num_bounds) {
      return MakeStatus(Code::kInvalidArgument, "%s is %lld; it is in %lld..%lld", name(v.name),
                        static_cast<long long>(sizes[i]), static_cast<long long>(v.least),
                        static_cast<long long>(most(v)));
    }
    found = found * v.num_bounds + at;
  }
  *part = found;
  return Status();
}

void Catalogue::PartSizes(const Entry& entry, uint64_t part, int64_t* sizes) const {
  for (uint64_t i = entry.num_variables; i-- > 0;) {
    const Variable& v = variable(entry, i);
    sizes[i] = bounds(v)[part % v.num_bounds];
    part /= v.num_bounds;
  }
}

uint32_t Catalogue::rank(const Entry& entry, uint64_t array) const {
  return static_cast<uint32_t>(At<ArrayRecord>(header().arrays, entry.first_array + array).rank);
}

void Catalogue::Dims(const Entry& entry, uint64_t array, const int64_t* sizes,
                     int64_t* dims) const {
  const ArrayRecord& record = At<ArrayRecord>(header().arrays, entry.first_array + array);
  uint64_t combination = 0;
  for (uint64_t i = 0; i < entry.num_variables; ++i) {
    const Variable& v = variable(entry, i);
    uint64_t at = static_cast<uint64_t>(sizes[i] - v.least);
    if (v.exact != 0) {
      for (at = 0; at + 1 < v.num_bounds && bounds(v)[at] != sizes[i];) ++at;
    }
    combination = combination * NumSizes(v) + at;
  }
  for (uint64_t d = 0; d < record.rank; ++d) {
    const SizeRecord& size = At<SizeRecord>(header().sizes, record.first_size + d);
    const int64_t* numbers = &At<int64_t>(header().numbers, size.first_number);
    if (size.kind == kTable) {
      dims[d] = numbers[combination];
      continue;
    }
    uint64_t sum = static_cast<uint64_t>(numbers[0]);  // a damaged file may make it overflow
    for (uint64_t i = 0; i < entry.num_variables; ++i)
      sum += static_cast<uint64_t>(numbers[1 + i]) * static_cast<uint64_t>(sizes[i]);
    dims[d] = static_cast<int64_t>(sum);
  }
}

}  // namespace halyard::runtime
