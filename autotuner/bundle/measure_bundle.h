// Measures a bundle (autotuner/bundle/bundle.h) on the machine that has the device. It needs only
// the runtime and halyard-rt: no Halide, no LLVM, no database.
//
// For each kernel, worker processes measure the default alone, then each candidate beside the best
// so far in paired rounds, and at the end the best beside the default once more, as KernelTuner
// does. Records are lines of JSON, as `halyard db export` writes them. They are appended and
// flushed one by one, so a run that was stopped can be continued.
#ifndef HALYARD_AUTOTUNER_BUNDLE_MEASURE_BUNDLE_H_
#define HALYARD_AUTOTUNER_BUNDLE_MEASURE_BUNDLE_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "autotuner/bundle/bundle.h"
#include "autotuner/measure/measure.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

struct BundleProgress {
  size_t kernel = 0, kernels = 0;  // index of this kernel, and number of all
  std::string name;
  size_t done = 0, candidates = 0;               // of this kernel
  double default_seconds = 0, best_seconds = 0;  // of a launch; 0 if not known yet
  int64_t measured = 0;                          // candidates that this run has measured
};

struct MeasureBundleOptions {
  MeasureOptions worker;
  runtime::DeviceInfo device;  // the device that the workers open
  std::string machine;         // Record::machine
  int64_t confirm_rounds = 30;
  std::function<void(const BundleProgress&)> progress;
  // Asked between candidates. If it returns true, the run ends and keeps all results.
  std::function<bool()> stopped;
};

struct BundleSummary {
  int64_t measured = 0, failed = 0;  // by this run
  int64_t known = 0;                 // records that the file had already
  bool stopped = false;
  // Seconds of one run of the program, counting kernels only, with the defaults and with the best
  // schedules.
  double default_seconds = 0, best_seconds = 0;
};

// If the device differs from the planned one in its name or in a field that is in keys, each record
// is written twice, once for each device. Returns kFailedPrecondition if the device cannot run the
// bundle, kInvalidArgument if `records` is the bundle, and kDataLoss if the bundle is damaged or
// `records` holds anything but records. In the last case, `records` is left as it is.
absl::StatusOr<BundleSummary> MeasureBundle(const Bundle& bundle, const std::string& records,
                                            const MeasureBundleOptions& options);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_BUNDLE_MEASURE_BUNDLE_H_
