// `halyard tune --plan`: compiles candidates here, for measurement on another machine.
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_PLAN_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_PLAN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "autotuner/measure/kernel_task.h"
#include "autotuner/search/history.h"
#include "client/devices/target.h"
#include "codegen/service/kernel_compiler.h"

namespace halyard::tools {

struct TunePlanOptions {
  std::string bundle;  // file to write
  std::string file;    // the program
  Target target;
  int64_t trials = 0;  // for each kernel
  uint64_t seed = 1;
  std::string oracle_folder;
  std::function<bool()> stopped;
};

// Writes the bundle, and says on stdout what it holds and what was checked.
absl::Status WriteTunePlan(const TunePlanOptions& options,
                           const std::vector<autotuner::KernelTask>& tasks,
                           autotuner::History& history, lowering::KernelCompiler& compiler);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_PLAN_H_
