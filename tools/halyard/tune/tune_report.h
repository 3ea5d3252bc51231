// Writes the page that `halyard tune` leaves (autotuner/report/report.h).
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_REPORT_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_REPORT_H_

#include <string>

#include "absl/status/status.h"
#include "autotuner/report/run_log.h"
#include "autotuner/search/tune_program.h"
#include "client/devices/target.h"
#include "codegen/service/kernel_compiler.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"

namespace halyard::tools {

struct TuneReportOptions {
  std::string path;  // the page to write
  std::string file;  // the program
  ProgramOptions program;
  Target target;
  double seconds = 0;  // how long tuning took
  bool quick = false;  // do not time anything else
};

// For some seconds, also times the whole program without the database and with it, in turns, and
// measures the device's rates. What cannot be timed is left out, with a note on stderr.
absl::Status WriteTuneReport(const TuneReportOptions& options, const GlobalOptions& global,
                             const autotuner::ProgramTuner& tuner, const autotuner::RunLog& log,
                             lowering::KernelCompiler& compiler);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_REPORT_H_
