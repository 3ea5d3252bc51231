// What a tuning run did, as one HTML file. It needs no network and no scripts, and is readable on
// light and dark screens and on paper.
#ifndef HALYARD_AUTOTUNER_REPORT_REPORT_H_
#define HALYARD_AUTOTUNER_REPORT_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "autotuner/records/record.h"

namespace halyard::autotuner {

// All times are in seconds, and 0 if they are not known.
struct TuningReport {
  struct Trial {
    // Time since the run began. If it is below 0, the database had the trial from an earlier run.
    double at = 0;
    std::string schedule;
    Outcome outcome = Outcome::kGood;
    std::string error;
    double seconds = 0;  // of one launch
  };
  struct Kernel {
    std::string name;
    std::string ops;     // its HLO instructions' opcodes, "dot add maximum"
    std::string places;  // in the program's file, and in the user's source
    std::string hlo;
    double uses = 0;              // launches in one run of the program
    double flops = 0, bytes = 0;  // of a launch
    std::string default_schedule, best_schedule;
    double default_seconds = 0, best_seconds = 0;  // of a launch
    lowering::KernelResources default_resources, best_resources;
    std::vector<Trial> trials;  // in the order in which they were made
    std::string halide_calls;   // KernelDump::schedule of the best
    std::string why_done;       // why no more schedules were tried, or why none
                                // was
  };
  struct OtherTime {  // the same program, run by something else
    std::string name;
    double seconds = 0;
  };

  std::string program, target, device, machine;
  std::string date;      // as it should be printed
  std::string versions;  // of Halyard, Halide, driver, …
  double tuning_seconds = 0;
  // Measured times of a run of the whole program, by default schedules and by the best ones, in
  // turns.
  double default_seconds = 0, best_seconds = 0;
  std::vector<OtherTime> others;
  // Rates of the device, measured (client/tuning/measured_rates.h) or described.
  double copy_bytes_per_s = 0, flops_per_s = 0;
  bool rates_are_measured = false;
  std::vector<Kernel> kernels;
};

// Kernels are in the order of the time that they take in a run by default, the longest first.
std::string ReportHtml(const TuningReport& report);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REPORT_REPORT_H_
