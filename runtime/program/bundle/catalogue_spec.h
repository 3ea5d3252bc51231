// The catalogue of a bundle as its builders see it (catalogue_format.h).
#ifndef HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_SPEC_H_
#define HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_SPEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/program/program_spec.h"

namespace halyard {

struct CatalogueSpec {
  // A size that runs choose: one of `bounds` if `exact`, else one of [least, last bound].
  struct Variable {
    std::string name;
    int64_t least = 0;
    std::vector<int64_t> bounds;
    bool exact = false;

    std::vector<int64_t> Values() const;  // all of them
  };
  // A dimension: a constant and a factor for each variable, or, if these are empty, the size of
  // each combination of the variables' values, the last variable fastest.
  struct Size {
    std::vector<int64_t> linear, table;
  };
  struct Entry {
    std::string name;
    std::vector<Variable> variables;
    std::vector<std::vector<Size>> arguments, results;  // by array and dimension
  };
  uint32_t num_targets = 1;
  std::vector<Entry> entries;
};

// Returns the dimension with these sizes, as a linear function if it is one.
CatalogueSpec::Size SizeFrom(const CatalogueSpec::Entry& entry, std::vector<int64_t> table);

// Returns the bytes of a bundle with this catalogue. `parts` are those of the first target, then
// those of the second and so on, in the catalogue's order.
std::string WriteBundle(absl::Span<const ProgramSpec> parts, const CatalogueSpec& catalogue);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_SPEC_H_
