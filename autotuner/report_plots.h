// A tuning report's plots, each from what the report holds, as HTML.
#ifndef HALYARD_AUTOTUNER_REPORT_PLOTS_H_
#define HALYARD_AUTOTUNER_REPORT_PLOTS_H_

#include <string>

#include "autotuner/report.h"

namespace halyard::autotuner {

// Two plots of one kernel: trials and the best so far, against the number of the trial and against
// time. "" where nothing good was measured.
std::string ConvergencePlots(const TuningReport::Kernel& kernel);

// Operational intensity against rate for all kernels, before and after, below the device's roof
// (Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009). "" where the roof is not known or no
// kernel computes.
std::string RooflinePlot(const TuningReport& report);

// Of the kernel's good trials: for each knob of the best one's template, the fastest trial of each
// value, as a multiple of the fastest of all; the knobs that matter most come first. "" where no
// knob had two values.
std::string KnobTable(const TuningReport::Kernel& kernel);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REPORT_PLOTS_H_
