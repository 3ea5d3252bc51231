// The catalogue of a bundle (bundle_format.h): which of its parts serves which entry and sizes. All
// offsets count from the catalogue's start; tables are 8-aligned.
//
//   Header | entries | variables | arrays | sizes | numbers | names, each with a zero behind it
//
// The parts of one target are those of entry 0, then those of entry 1 and so on. An entry has a
// part for each combination of its variables' bounds; the last variable's bound changes fastest.
#ifndef HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_FORMAT_H_
#define HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_FORMAT_H_

#include <stdint.h>

#include "runtime/program/program_format.h"

namespace halyard::runtime::catalogue_format {

using program_format::Range;
using program_format::Table;

struct Header {
  uint64_t bytes;  // of the catalogue, a multiple of 8
  uint32_t num_targets, num_entries;
  Table entries, variables, arrays, sizes;  // records
  Table numbers;                            // int64_t
};

struct EntryRecord {
  Range name;
  uint64_t first_variable, num_variables;
  uint64_t first_array;  // the arguments, then the results
  uint64_t num_arguments, num_results;
};

// A size that runs choose. With `exact`, it is one of the bounds. Otherwise it is at least `least`
// and at most the last bound, and the part for the next bound serves it. Bounds ascend.
struct VariableRecord {
  Range name;
  int64_t least;
  uint64_t first_bound, num_bounds;  // in `numbers`
  uint64_t exact;
};

// The sizes of an argument or a result: one SizeRecord for each dimension.
struct ArrayRecord {
  uint64_t first_size, rank;
};

enum SizeKind : uint64_t {
  kLinear = 0,  // numbers: a constant, then a factor for each variable
  kTable = 1,   // numbers: the size of each combination of the variables' sizes, last fastest
};
struct SizeRecord {
  uint64_t kind, first_number;
};

inline constexpr uint64_t kMaxVariables = 8, kMaxRank = 32, kMaxTable = 1 << 20;

static_assert(sizeof(Header) == 96 && sizeof(EntryRecord) == 56 && sizeof(VariableRecord) == 48 &&
              sizeof(ArrayRecord) == 16 && sizeof(SizeRecord) == 16);

}  // namespace halyard::runtime::catalogue_format

#endif  // HALYARD_RUNTIME_PROGRAM_BUNDLE_CATALOGUE_FORMAT_H_
