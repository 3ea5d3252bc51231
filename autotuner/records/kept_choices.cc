#include "autotuner/records/kept_choices.h"

#include "absl/strings/str_cat.h"
#include "lowering/plan/fuse/choices.h"

namespace halyard::autotuner {

std::string ChoicesVersion() { return absl::StrCat("choices ", lowering::kChoicesVersion); }

absl::StatusOr<std::optional<Record>> KeptRecord(const Database& database,
                                                 const std::string& program_key,
                                                 const std::string& device) {
  return database.Best(
      {.kernel = program_key, .device = device, .version = ChoicesVersion(), .good_only = true});
}

std::string ChoicesOf(const Record& record) {
  return record.schedule == kRules ? "" : record.schedule;
}

absl::StatusOr<std::optional<std::string>> KeptChoices(const Database& database,
                                                       const std::string& program_key,
                                                       const std::string& device) {
  absl::StatusOr<std::optional<Record>> best = KeptRecord(database, program_key, device);
  if (!best.ok()) return best.status();
  if (!best->has_value()) return std::nullopt;
  return ChoicesOf(**best);
}

}  // namespace halyard::autotuner
