// Measures a bundle (autotuner/bundle.h) on the machine that has the device. Needs the runtime and
// halyard-rt alone: no Halide, no LLVM, no database.
//
// Kernel after kernel: the default alone, then each candidate beside the best so far in paired
// rounds, in worker processes, and at the end the best beside the default once more, as
// KernelTuner does. Records are lines of JSON, as `halyard db export` writes them, appended and
// flushed one by one: a run that was stopped goes on where it was.
#ifndef HALYARD_AUTOTUNER_MEASURE_BUNDLE_H_
#define HALYARD_AUTOTUNER_MEASURE_BUNDLE_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "autotuner/bundle.h"
#include "autotuner/measure.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

struct BundleProgress {
  size_t kernel = 0, kernels = 0;  // which; of how many
  std::string name;
  size_t done = 0, candidates = 0;               // of this kernel
  double default_seconds = 0, best_seconds = 0;  // of a launch; 0: not known yet
  int64_t measured = 0;                          // candidates, by this run
};

struct MeasureBundleOptions {
  MeasureOptions worker;
  runtime::DeviceInfo device;  // the one that the workers open
  std::string machine;         // Record::machine
  int64_t confirm_rounds = 30;
  std::function<void(const BundleProgress&)> progress;
  // Asked between candidates: true ends the run, keeping all that there is.
  std::function<bool()> stopped;
};

struct BundleSummary {
  int64_t measured = 0, failed = 0;  // by this run
  int64_t known = 0;                 // the file had them already
  bool stopped = false;
  // Of one run of the program, kernels only, by defaults and by the best.
  double default_seconds = 0, best_seconds = 0;
};

// Where the device differs from the planned one in what keys are made of, each record is there
// twice: under the key of either.
// kFailedPrecondition: the device cannot run the bundle; kInvalidArgument: `records` is the bundle;
// kDataLoss: the bundle is damaged, or `records` holds something else, and is left as it is.
absl::StatusOr<BundleSummary> MeasureBundle(const Bundle& bundle, const std::string& records,
                                            const MeasureBundleOptions& options);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_BUNDLE_H_
