// Ahead-of-time programs with several entries, and with sizes that runs choose.
#ifndef HALYARD_CLIENT_AOT_SIZED_ENTRY_H_
#define HALYARD_CLIENT_AOT_SIZED_ENTRY_H_

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/aot/declared_sizes.h"
#include "frontend/hlo/ir/module.h"
#include "runtime/program/bundle/catalogue_spec.h"

namespace halyard {

// One entry, as static modules: one for each combination of the bounds of its variables, in the
// order of the catalogue. Each takes the arguments for its largest sizes, and then the sizes.
struct SizedEntry {
  CatalogueSpec::Entry catalogue;
  std::set<std::string> places;  // ArgumentSizes::places
  std::vector<std::unique_ptr<hlo::Module>> modules;
};

// At most so many combinations of sizes are served by one program. Each is looked at when the
// program is compiled.
inline constexpr int64_t kMaxSizeCombinations = 1 << 14;

// `module` may be dynamic; its sizes must be among `declared`. Errors have the place of an
// instruction where one is at fault: kUnimplemented if there is no way to serve a range of sizes by
// one program there (a list of sizes has a program for each, for which everything goes).
absl::StatusOr<SizedEntry> MakeSizedEntry(const std::string& name, const hlo::Module& module,
                                          absl::Span<const DeclaredSize> declared);

}  // namespace halyard

#endif  // HALYARD_CLIENT_AOT_SIZED_ENTRY_H_
