// Program-level choices that were measured to be faster, as records of the tuning database: the
// record's kernel is the ProgramKey (lowering/passes/choices.h), its schedule the choices on one
// line or kRules, its seconds those of a run of the whole program.
#ifndef HALYARD_AUTOTUNER_KEPT_CHOICES_H_
#define HALYARD_AUTOTUNER_KEPT_CHOICES_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "autotuner/database.h"

namespace halyard::autotuner {

inline constexpr char kRules[] = "rules";

// Record::version of choices that mean what they meant: "choices 1".
std::string ChoicesVersion();

// The fastest that counts; nothing where there is no record.
absl::StatusOr<std::optional<Record>> KeptRecord(const Database& database,
                                                 const std::string& program_key,
                                                 const std::string& device);
// A record's choices, "" for the rules.
std::string ChoicesOf(const Record& record);
// Those of KeptRecord.
absl::StatusOr<std::optional<std::string>> KeptChoices(const Database& database,
                                                       const std::string& program_key,
                                                       const std::string& device);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_KEPT_CHOICES_H_
