// Versions of StableHLO's portable format (VHLO), "major.minor.patch".
#ifndef HALYARD_FRONTEND_STABLEHLO_VHLO_VERSION_H_
#define HALYARD_FRONTEND_STABLEHLO_VHLO_VERSION_H_

#include <compare>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::stablehlo {

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const Version&) const = default;
};

// The oldest and newest versions that are read and written. Patches of 1.22 count as 1.22.
inline constexpr Version kOldestVersion{0, 9, 0};
inline constexpr Version kNewestVersion{1, 22, 0};

// Returns false unless `text` is three numbers with dots between them.
bool SplitVersion(absl::string_view text, Version* version);
bool IsSupported(const Version& version);
// "0.9.0 to 1.22.0".
std::string SupportedVersions();

// Parses "1.17.0". Returns InvalidArgument for anything else, including versions outside the range
// above.
absl::StatusOr<Version> ParseVersion(absl::string_view text);
std::string ToString(const Version& version);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_VHLO_VERSION_H_
