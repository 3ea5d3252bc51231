// The plots of a tuning report, as HTML, each made from what the report holds.
#ifndef HALYARD_AUTOTUNER_REPORT_REPORT_PLOTS_H_
#define HALYARD_AUTOTUNER_REPORT_REPORT_PLOTS_H_

#include <string>

#include "autotuner/report/report.h"

namespace halyard::autotuner {

// Returns two plots of one kernel: trials and the best so far, against the number of the trial and
// against time. Returns "" if nothing good was measured.
std::string ConvergencePlots(const TuningReport::Kernel& kernel);

// Plots operational intensity against rate for all kernels, before and after, below the device's
// roof (Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009). Returns "" if the roof is not
// known or no kernel computes.
std::string RooflinePlot(const TuningReport& report);

// For each knob of the best trial's template, lists the fastest good trial of each value, as a
// multiple of the fastest of all. The knobs that matter most come first. Returns "" if no knob had
// two values and no second template was tried.
std::string KnobTable(const TuningReport::Kernel& kernel);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REPORT_REPORT_PLOTS_H_
