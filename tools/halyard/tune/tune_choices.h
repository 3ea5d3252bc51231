// The part of `halyard tune` that chooses between plans of the program.
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_CHOICES_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_CHOICES_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "autotuner/measure/trials.h"
#include "autotuner/records/database.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"

namespace halyard::tools {

// Searches plans by the kernel times that `database` holds and `trials` measure. Runs the best plan
// beside the present one, keeps it if it is faster, and prints the outcome. Returns true if other
// choices are in effect now, so that the program has other kernels.
absl::StatusOr<bool> TuneChoices(const std::string& file, const ProgramOptions& program,
                                 const std::string& target, const GlobalOptions& global,
                                 autotuner::Database* database, autotuner::Trials* trials,
                                 const std::function<bool()>& stopped);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_CHOICES_H_
