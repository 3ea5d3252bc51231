// What a tuning run did, as one HTML file: readable without a network, without scripts, on light
// and dark screens, and on paper.
#ifndef HALYARD_AUTOTUNER_REPORT_H_
#define HALYARD_AUTOTUNER_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "autotuner/record.h"

namespace halyard::autotuner {

// All times in seconds; 0 where something is not known.
struct TuningReport {
  struct Trial {
    // Since the run began; below 0: the database had it from an earlier run.
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
    double uses = 0;              // launches in a run of the program
    double flops = 0, bytes = 0;  // of a launch
    std::string default_schedule, best_schedule;
    double default_seconds = 0, best_seconds = 0;  // of a launch
    lowering::KernelResources default_resources, best_resources;
    std::vector<Trial> trials;                     // in the order in which they were made
    std::string halide_calls;                      // KernelDump::schedule of the best
    std::string why_done;                          // why no more was tried, or why none at all was
  };
  struct OtherTime {  // the same program, by something else
    std::string name;
    double seconds = 0;
  };

  std::string program, target, device, machine;
  std::string date;      // as it is to be printed
  std::string versions;  // of Halyard, Halide, driver, …
  double tuning_seconds = 0;
  // A run of the whole program, measured: by default schedules and by the best ones, in turns.
  double default_seconds = 0, best_seconds = 0;
  std::vector<OtherTime> others;
  // Of the device, measured (client/measured_rates.h) or described.
  double copy_bytes_per_s = 0, flops_per_s = 0;
  bool rates_are_measured = false;
  std::vector<Kernel> kernels;
};

// Kernels come in the order of the time that they take in a run by default, the longest first.
std::string ReportHtml(const TuningReport& report);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REPORT_H_
