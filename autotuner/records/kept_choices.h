// Program-level choices that were measured to be faster, as records of the tuning database. The
// kernel of such a record is the ProgramKey (lowering/plan/fuse/choices.h), its schedule is the
// choices on one line or kRules, and its seconds are those of a run of the whole program.
#ifndef HALYARD_AUTOTUNER_RECORDS_KEPT_CHOICES_H_
#define HALYARD_AUTOTUNER_RECORDS_KEPT_CHOICES_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "autotuner/records/database.h"

namespace halyard::autotuner {

inline constexpr char kRules[] = "rules";

// Returns the Record::version for the current meaning of choices: "choices 1".
std::string ChoicesVersion();

// Returns the fastest good record of ChoicesVersion(), if there is one.
absl::StatusOr<std::optional<Record>> KeptRecord(const Database& database,
                                                 const std::string& program_key,
                                                 const std::string& device);
// Returns a record's choices, or "" for the rules.
std::string ChoicesOf(const Record& record);
// Returns the choices of KeptRecord.
absl::StatusOr<std::optional<std::string>> KeptChoices(const Database& database,
                                                       const std::string& program_key,
                                                       const std::string& device);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_KEPT_CHOICES_H_
