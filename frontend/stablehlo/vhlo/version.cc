#include "frontend/stablehlo/vhlo/version.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace halyard::stablehlo {
namespace {

bool ParseNumber(absl::string_view text, int* number) {
  for (char c : text) {
    if (!absl::ascii_isdigit(c)) return false;
  }
  return text.size() <= 6 && absl::SimpleAtoi(text, number);
}

}  // namespace

bool SplitVersion(absl::string_view text, Version* version) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '.');
  return parts.size() == 3 && ParseNumber(parts[0], &version->major) &&
         ParseNumber(parts[1], &version->minor) && ParseNumber(parts[2], &version->patch);
}

bool IsSupported(const Version& version) {
  return version >= kOldestVersion && Version{version.major, version.minor, 0} <= kNewestVersion;
}

std::string SupportedVersions() {
  return absl::StrCat(ToString(kOldestVersion), " to ", ToString(kNewestVersion));
}

absl::StatusOr<Version> ParseVersion(absl::string_view text) {
  Version version;
  if (!SplitVersion(text, &version)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is no version; expected numbers like 1.17.0"));
  }
  if (!IsSupported(version)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "StableHLO version ", text, " is not supported; supported are ", SupportedVersions()));
  }
  return version;
}

std::string ToString(const Version& version) {
  return absl::StrCat(version.major, ".", version.minor, ".", version.patch);
}

}  // namespace halyard::stablehlo
