#include "tools/halyard/tune/tune_plan.h"

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "autotuner/bundle/bundle_writer.h"
#include "client/reports/memory_report.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

void PrintSummary(const TunePlanOptions& options, const autotuner::PlanSummary& plan) {
  printf("%s: %lld kernels, %lld candidates (%lld did not compile), %s\n", options.bundle.c_str(),
         static_cast<long long>(plan.kernels), static_cast<long long>(plan.candidates),
         static_cast<long long>(plan.failed), BytesText(plan.bytes).c_str());
  if (plan.spilled > 0) {
    printf("%lld more spill registers, which others of their templates do not, and are left out\n",
           static_cast<long long>(plan.spilled));
  }
  if (plan.cubins > 0) {
    printf("%lld modules of device code, assembled by ptxas for sm_%d\n",
           static_cast<long long>(plan.cubins), options.target.device.cuda_capability);
  }
  if (plan.ptx > 0) {
    printf("%lld modules of device code are PTX, for the driver to compile: no ptxas was at hand\n",
           static_cast<long long>(plan.ptx));
  }
  printf("to measure it on a machine with %s: halyard-rt measure %s -o records.jsonl\n",
         options.target.device.name, options.bundle.c_str());
}

}  // namespace

absl::Status WriteTunePlan(const TunePlanOptions& options,
                           const std::vector<autotuner::KernelTask>& tasks,
                           autotuner::History& history, lowering::KernelCompiler& compiler) {
  Progress progress(absl::StrCat("planning ", options.file), "candidates");
  autotuner::BundleIndex index;
  index.program = options.file;
  index.target = options.target.text;
  index.versions = absl::StrCat("Halide ", lowering::HalideVersion());
  autotuner::PlanOptions plan;
  plan.trials = options.trials;
  plan.seed = options.seed;
  plan.oracle_folder = options.oracle_folder;
  plan.stopped = options.stopped;
  plan.progress = [&progress](int64_t done, int64_t all) {
    progress.Update(static_cast<int>(done), static_cast<int>(all));
  };
  absl::StatusOr<autotuner::PlanSummary> summary =
      autotuner::WritePlan(tasks, std::move(index), compiler, history, plan, options.bundle);
  if (!summary.ok()) return summary.status();
  PrintSummary(options, *summary);
  return absl::OkStatus();
}

}  // namespace halyard::tools
