// Reads the catalogue of a bundle: its entries, and the sizes that they take (catalogue_format.h).
// It is read in place and verified once.
#ifndef HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_H_
#define HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_H_

#include <stdint.h>

#include "runtime/program/bundle/catalogue_format.h"
#include "runtime/program/program.h"
#include "runtime/status.h"

namespace halyard::runtime {

class Catalogue {
 public:
  using Entry = catalogue_format::EntryRecord;
  using Variable = catalogue_format::VariableRecord;

  // `bytes` begin at a multiple of 8 and outlive the catalogue. Returns kDataLoss for whatever is
  // wrong in them.
  Status Read(ByteSpan bytes);

  uint32_t num_targets() const { return header().num_targets; }
  uint32_t num_entries() const { return header().num_entries; }
  const Entry& entry(uint32_t i) const { return At<Entry>(header().entries, i); }
  const Variable& variable(const Entry& entry, uint64_t i) const {
    return At<Variable>(header().variables, entry.first_variable + i);
  }
  const char* name(const program_format::Range& range) const {
    return reinterpret_cast<const char*>(bytes_.data + range.offset);
  }
  const int64_t* bounds(const Variable& variable) const {
    return &At<int64_t>(header().numbers, variable.first_bound);
  }
  int64_t most(const Variable& variable) const { return bounds(variable)[variable.num_bounds - 1]; }
  uint64_t num_parts(const Entry& entry) const;
  uint64_t parts_of_target() const;

  // Finds the part of an entry that serves these sizes, one for each variable. Returns
  // kInvalidArgument, with the variable's name, if it does not take one of them.
  Status FindPart(const Entry& entry, const int64_t* sizes, uint64_t* part) const;
  // Writes the sizes for which a part is compiled.
  void PartSizes(const Entry& entry, uint64_t part, int64_t* sizes) const;

  // Argument i, or result i - num_arguments.
  uint32_t rank(const Entry& entry, uint64_t array) const;
  // Writes `rank` sizes. `sizes` are those of FindPart.
  void Dims(const Entry& entry, uint64_t array, const int64_t* sizes, int64_t* dims) const;

 private:
  const catalogue_format::Header& header() const {
    return *reinterpret_cast<const catalogue_format::Header*>(bytes_.data);
  }
  template <typename T>
  const T& At(const program_format::Table& table, uint64_t i) const {
    return reinterpret_cast<const T*>(bytes_.data + table.offset)[i];
  }
  Status CheckEntry(const Entry& entry) const;
  Status CheckVariable(const Variable& variable) const;
  Status CheckName(const program_format::Range& name) const;
  Status CheckArray(const Entry& entry, uint64_t array) const;
  uint64_t NumSizes(const Variable& variable) const;  // how many values it has
  uint64_t Combinations(const Entry& entry) const;    // at most kMaxTable + 1

  ByteSpan bytes_;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_H_
