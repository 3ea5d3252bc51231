#include "autotuner/bundle/device_fit.h"

#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/device_class.h"
#include "runtime/device_fields.h"

namespace halyard::autotuner {

using runtime::DeviceInfo;
using runtime::DeviceKind;

namespace {

struct Field {
  const char* name;
  uint64_t value;
  bool in_key;
};
std::vector<Field> FieldsOf(DeviceInfo device) {
  std::vector<Field> fields;
  device.libraries &= runtime::kKernelLibraries;
  runtime::VisitDeviceFields(device, [&fields](const char* name, auto value, bool in_key) {
    fields.push_back({name, static_cast<uint64_t>(value), in_key});
  });
  return fields;
}

// Returns whether kernels need all bits that the field has.
bool IsSet(absl::string_view name) { return name == "x86_features" || name == "float_controls"; }

// Returns whether a device with a larger number serves kernels that were made for a smaller one.
// The sizes of caches and the number of cores affect schedules, but not whether kernels run.
bool IsLimit(absl::string_view name) {
  return absl::StartsWith(name, "max_") || absl::StartsWith(name, "has_") ||
         name == "keeps_denormals" || name == "cuda_capability";
}

}  // namespace

absl::Status RunsOn(const DeviceInfo& planned, const DeviceInfo& live) {
  if (planned.kind != live.kind) {
    return absl::FailedPreconditionError(
        absl::StrCat("it was compiled for ", runtime::KindName(planned.kind), " (", planned.name,
                     "), and the device is ", live.name));
  }
  std::vector<std::string> lacking;
  // Machine code runs on later devices of the same major version only.
  if (planned.kind == DeviceKind::kCuda &&
      planned.cuda_capability / 10 != live.cuda_capability / 10) {
    lacking.push_back(absl::StrCat("cuda_capability is ", live.cuda_capability, ", not ",
                                   planned.cuda_capability));
  }
  if (planned.kind != DeviceKind::kX86 && planned.subgroup_size != live.subgroup_size) {
    lacking.push_back(
        absl::StrCat("subgroup_size is ", live.subgroup_size, ", not ", planned.subgroup_size));
  }
  const std::vector<Field> wanted = FieldsOf(planned), there = FieldsOf(live);
  for (size_t f = 0; f < wanted.size(); ++f) {
    const char* name = wanted[f].name;
    const uint64_t want = wanted[f].value, have = there[f].value;
    // An allocation that is too large fails when it is made.
    if (absl::string_view(name) == "max_allocation_bytes") continue;
    // Only GPUs have limits. A limit of 0 is unknown.
    const bool unknown = absl::StartsWith(name, "max_") && have == 0;
    const bool limit = planned.kind != DeviceKind::kX86 && IsLimit(name) && !unknown;
    if (IsSet(name) ? (want & ~have) != 0 : limit && have < want)
      lacking.push_back(absl::StrCat(name, " is ", have, ", not ", want));
  }
  if (lacking.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(live.name, " cannot run what was compiled for ", planned.name, ": ",
                   absl::StrJoin(lacking, "; "),
                   "; plan with a description of this device (`halyard devices --describe=",
                   absl::AsciiStrToLower(runtime::KindName(live.kind)), "`)"));
}

std::vector<std::string> DifferencesOf(const DeviceInfo& planned, const DeviceInfo& live) {
  std::vector<std::string> differences;
  if (absl::string_view(planned.name) != live.name)
    differences.push_back(absl::StrCat("it is ", live.name, ", planned for ", planned.name));
  const std::vector<Field> wanted = FieldsOf(planned), there = FieldsOf(live);
  for (size_t f = 0; f < wanted.size(); ++f) {
    if (wanted[f].in_key && wanted[f].value != there[f].value) {
      differences.push_back(
          absl::StrCat(wanted[f].name, " is ", there[f].value, ", planned for ", wanted[f].value));
    }
  }
  return differences;
}

}  // namespace halyard::autotuner
