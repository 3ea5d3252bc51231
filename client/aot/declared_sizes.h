// Sizes that are declared when a program is compiled, and that runs choose.
#ifndef HALYARD_CLIENT_AOT_DECLARED_SIZES_H_
#define HALYARD_CLIENT_AOT_DECLARED_SIZES_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard {

// A size as `--dim` declares it: NAME:LEAST..MOST, with @B,B,... for the sizes for which programs
// are compiled; or NAME:N,N,..., the only sizes. `=ARGUMENT.DIMENSION`s after the name say what has
// the size, in programs that do not name their sizes.
struct DeclaredSize {
  std::string name;
  std::vector<std::string> places;  // "x.0"
  int64_t least = 0;
  std::vector<int64_t> bounds;  // ascending; the last is the largest size
  bool exact = false;           // only the bounds are sizes
};

// Without bounds, these are powers of two. Sizes of 0 and 1 always have programs of their own,
// because the ops of a program for them may be others: an array of one element is broadcast.
absl::StatusOr<DeclaredSize> ParseDeclaredSize(absl::string_view text);

// A dimension of an argument: `constant` plus the sum of factors[i] times variable i.
struct SizeSum {
  int64_t constant = 0;
  std::vector<int64_t> factors;

  int64_t At(absl::Span<const int64_t> sizes) const;
};

// The sizes that a program's arguments have.
struct ArgumentSizes {
  std::vector<DeclaredSize> variables;      // those of the declared ones that the program has
  std::vector<std::vector<SizeSum>> sizes;  // by leaf and dimension
  std::set<std::string> places;             // those of the declared ones that arguments have
  // Returns the shapes of the leaves for these values of the variables.
  std::vector<hlo::Shape> Shapes(const hlo::Module& module, absl::Span<const int64_t> values) const;
};

// Finds out what the declared sizes are in this program. Programs that JAX exports name their sizes
// ("b" in jax.export.symbolic_shape("b, 8")). Returns kInvalidArgument, with the names that there
// are, for a size that is not declared, and for an argument's size that is no sum of multiples of
// named ones.
absl::StatusOr<ArgumentSizes> FindArgumentSizes(const hlo::Module& module,
                                                absl::Span<const DeclaredSize> declared);

}  // namespace halyard

#endif  // HALYARD_CLIENT_AOT_DECLARED_SIZES_H_
