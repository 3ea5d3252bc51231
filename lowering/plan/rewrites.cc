#include "lowering/plan/rewrites.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace halyard::lowering {

std::vector<std::string> RewriteNames() {
  return {
#define HALYARD_LISTED(constant, name) name,
      HALYARD_REWRITES(HALYARD_LISTED)
#undef HALYARD_LISTED
  };
}

absl::StatusOr<RewriteSet> ParseRewrites(absl::string_view names) {
  RewriteSet set;
  const std::vector<std::string> known = RewriteNames();
  for (absl::string_view name : absl::StrSplit(names, ',', absl::SkipWhitespace())) {
    name = absl::StripAsciiWhitespace(name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", name, "` is no rewrite; there are ", absl::StrJoin(known, ", ")));
    }
    set.Add(static_cast<Rewrite>(found - known.begin()));
  }
  return set;
}

}  // namespace halyard::lowering
