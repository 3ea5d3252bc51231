#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/program/bundle/catalogue_format.h"
#include "runtime/program/bundle/catalogue_spec.h"
#include "runtime/program/program_writer.h"

namespace halyard {
namespace {

namespace catalogue_layout = runtime::catalogue_format;

class CatalogueWriter {
 public:
  std::string Write(const CatalogueSpec& spec) {
    for (const CatalogueSpec::Entry& entry : spec.entries) AddEntry(entry);
    catalogue_layout::Header header{};
    header.num_targets = spec.num_targets;
    header.num_entries = static_cast<uint32_t>(spec.entries.size());
    std::string out(sizeof(header), '\0');
    const auto append = [&](const auto& records, runtime::program_format::Table* table) {
      *table = {out.size(), records.size()};
      out.append(reinterpret_cast<const char*>(records.data()),
                 records.size() * sizeof(records[0]));
    };
    const uint64_t names_begin = sizeof(header) + entries_.size() * sizeof(entries_[0]) +
                                 variables_.size() * sizeof(variables_[0]) +
                                 arrays_.size() * sizeof(arrays_[0]) +
                                 sizes_.size() * sizeof(sizes_[0]) + numbers_.size() * 8;
    for (catalogue_layout::EntryRecord& entry : entries_) entry.name.offset += names_begin;
    for (catalogue_layout::VariableRecord& variable : variables_)
      variable.name.offset += names_begin;
    append(entries_, &header.entries);
    append(variables_, &header.variables);
    append(arrays_, &header.arrays);
    append(sizes_, &header.sizes);
    append(numbers_, &header.numbers);
    out += names_;
    out.resize((out.size() + 7) / 8 * 8);
    header.bytes = out.size();
    memcpy(out.data(), &header, sizeof(header));
    return out;
  }

 private:
  runtime::program_format::Range Name(const std::string& name) {
    const runtime::program_format::Range range{names_.size(), name.size()};
    names_.append(name.c_str(), name.size() + 1);
    return range;
  }
  uint64_t Numbers(const std::vector<int64_t>& numbers) {
    const uint64_t first = numbers_.size();
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    return first;
  }
  void AddArray(const std::vector<CatalogueSpec::Size>& sizes) {
    arrays_.push_back({sizes_.size(), sizes.size()});
    for (const CatalogueSpec::Size& size : sizes) {
      const bool linear = !size.linear.empty();
      sizes_.push_back({linear ? catalogue_layout::kLinear : catalogue_layout::kTable,
                        Numbers(linear ? size.linear : size.table)});
    }
  }
  void AddEntry(const CatalogueSpec::Entry& entry) {
    catalogue_layout::EntryRecord record{};
    record.name = Name(entry.name);
    record.first_variable = variables_.size();
    record.num_variables = entry.variables.size();
    for (const CatalogueSpec::Variable& variable : entry.variables) {
      variables_.push_back({Name(variable.name), variable.least, Numbers(variable.bounds),
                            variable.bounds.size(), variable.exact ? uint64_t{1} : 0});
    }
    record.first_array = arrays_.size();
    record.num_arguments = entry.arguments.size();
    record.num_results = entry.results.size();
    for (const auto& array : entry.arguments) AddArray(array);
    for (const auto& array : entry.results) AddArray(array);
    entries_.push_back(record);
  }

  std::vector<catalogue_layout::EntryRecord> entries_;
  std::vector<catalogue_layout::VariableRecord> variables_;
  std::vector<catalogue_layout::ArrayRecord> arrays_;
  std::vector<catalogue_layout::SizeRecord> sizes_;
  std::vector<int64_t> numbers_;
  std::string names_;
};

}  // namespace

std::vector<int64_t> CatalogueSpec::Variable::Values() const {
  if (exact) return bounds;
  std::vector<int64_t> values;
  for (int64_t value = least; value <= bounds.back(); ++value) values.push_back(value);
  return values;
}

CatalogueSpec::Size SizeFrom(const CatalogueSpec::Entry& entry, std::vector<int64_t> table) {
  std::vector<std::vector<int64_t>> values;
  for (const CatalogueSpec::Variable& variable : entry.variables)
    values.push_back(variable.Values());
  std::vector<size_t> strides(values.size(), 1);
  for (size_t i = values.size(); i-- > 1;) strides[i - 1] = strides[i] * values[i].size();
  // The first two values of a variable give its factor.
  std::vector<int64_t> linear = {table[0]};
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t factor = 0;
    if (values[i].size() > 1) {
      const int64_t step = values[i][1] - values[i][0], rise = table[strides[i]] - table[0];
      if (rise % step != 0) return {{}, std::move(table)};
      factor = rise / step;
    }
    linear.push_back(factor);
    linear[0] -= factor * values[i][0];
  }
  for (size_t k = 0; k < table.size(); ++k) {
    int64_t sum = linear[0];
    for (size_t i = 0; i < values.size(); ++i)
      sum += linear[i + 1] * values[i][k / strides[i] % values[i].size()];
    if (sum != table[k]) return {{}, std::move(table)};
  }
  return {std::move(linear), {}};
}

std::string WriteBundle(absl::Span<const ProgramSpec> parts, const CatalogueSpec& catalogue) {
  return WriteBundleWith(parts, CatalogueWriter().Write(catalogue));
}

}  // namespace halyard
