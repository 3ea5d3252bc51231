// Prints the table at the end of `halyard tune`, and writes the same as JSON.
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_TABLE_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_TABLE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "autotuner/search/tune_program.h"

namespace halyard::tools {

// The sums over all tuners of the command.
struct TuneTotals {
  int64_t trials = 0;
  double seconds = 0;
};

void PrintTuneTable(const autotuner::ProgramTuner& tuner, const TuneTotals& totals);

// `file` and `target` are as the user wrote them.
absl::Status WriteTuneJson(const std::string& path, const std::string& file,
                           const std::string& target, const autotuner::ProgramTuner& tuner,
                           const TuneTotals& totals);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_TABLE_H_
