#include "autotuner/kept_choices.h"

#include "absl/strings/str_cat.h"
#include "lowering/passes/choices.h"

namespace halyard::autotuner {

std::string ChoicesVersion() { return absl::StrCat("choices ", lowering::kChoicesVersion); }

absl::StatusOr<std::optional<std::string>> KeptChoices(const Database& database,
                                                       const std::string& program_key,
                                                       const std::string& device) {
  std::optional<std::string> choices;
  absl::StatusOr<std::optional<Record>> best = database.Best(
      {.kernel = program_key, .device = device, .version = ChoicesVersion(), .good_only = true});
  if (!best.ok()) return best.status();
  if (best->has_value()) choices = (*best)->schedule == kRules ? "" : (*best)->schedule;
  return choices;
}

}  // namespace halyard::autotuner
