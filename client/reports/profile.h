// What a client did and when: compile phases, copies, runs and their steps, on one time line
// (CLOCK_MONOTONIC). A profile can be written as a trace to look at and as a table of kernels.
#ifndef HALYARD_CLIENT_REPORTS_PROFILE_H_
#define HALYARD_CLIENT_REPORTS_PROFILE_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace halyard {

// A kernel of a loaded program.
struct ProfileKernel {
  std::string program, name;
  std::vector<std::string> ops;     // op_names of the HLO instructions from which it came
  std::vector<std::string> places;  // file:line:col of these instructions
  int64_t flops = 0, bytes = 0;     // of one call (lowering/plan/steps/kernel_cost.h)
  bool on_host = false;             // a kernel of a GPU's program that the CPU runs
};

struct ProfileEvent {
  enum class Kind : uint8_t {
    kCompile,  // a compile phase; phases nest
    kCodegen,  // a kernel's code is generated, in one of several processes (`lane`)
    kUpload,
    kDownload,
    kRun,     // one run of a program
    kKernel,  // a kernel, by the device's own times
    kCopy,    // a step that copies
    kCustomCall,
    kCommunication,  // a step that meets other processes or the host
  } kind = Kind::kCompile;
  std::string name;
  int64_t begin_ns = 0, end_ns = 0;
  int kernel = -1;    // kKernel: number in Profile::kernels()
  int64_t bytes = 0;  // kUpload, kDownload, kCopy; kCommunication: what it takes and what it gives
  int64_t waited_ns = 0;  // kCommunication: of its time, how long it waited for others
  int lane = 0;           // kCodegen
  int run = -1;           // for steps, the number of their run, from 0
};

// Thread-safe.
class Profile {
 public:
  static int64_t Now();
  void Add(ProfileEvent event);
  // Adds an event that lasted from `begin_ns` until now.
  void AddSince(ProfileEvent::Kind kind, absl::string_view name, int64_t begin_ns,
                int64_t bytes = 0);
  // Returns the kernel's number.
  int AddKernel(ProfileKernel kernel);
  int StartRun();  // returns the run's number
  void SetDevice(std::string name);

  std::vector<ProfileEvent> events() const;
  std::vector<ProfileKernel> kernels() const;
  std::string device() const;
  int runs() const;

 private:
  mutable std::mutex mutex_;
  std::vector<ProfileEvent> events_;
  std::vector<ProfileKernel> kernels_;
  std::string device_;
  int runs_ = 0;
};

// Splits a Program's kernel provenance (program_spec.h) into op names and places.
void SplitProvenance(absl::string_view text, std::vector<std::string>* ops,
                     std::vector<std::string>* places);

// Returns the profile in Chrome's trace event format (a JSON object with traceEvents), which
// Perfetto and chrome://tracing open. It has complete events ("X"), in microseconds from the first
// event on, with tracks for the compile phases, each codegen process, runs, copies, the device, and
// the host's steps.
std::string TraceJson(const Profile& profile);

// The best that the device does, as measured (measured_rates.h). 0 means not measured.
struct MeasuredRates {
  double copy_bytes_per_s = 0;  // bytes read and written, together
  double f32_flops_per_s = 0;
};

// All calls of one kernel, or of the copies, custom calls or communication with one name, in the
// program's fastest run.
struct ProfileRow {
  std::string name;
  int kernel = -1;  // -1 for what is no kernel
  int calls = 0;
  double ms = 0;
  double waited_ms = 0;                  // of this, how long it waited for others
  double megabytes = 0;                  // communication: what it takes and what it gives
  double share = 0;                      // share of the rows' time, in [0, 1]
  double gb_per_s = 0, gflop_per_s = 0;  // 0 if not known
  double of_copy = 0, of_peak = 0;       // fractions of the measured rates; 0 if not known
};
struct ProfileTable {
  std::vector<ProfileRow> rows;  // the longest first
  double steps_ms = 0;           // sum of the rows
  double run_ms = 0;             // from the beginning to the end of a profiled run
  int runs = 0;                  // number of profiled runs
};
ProfileTable Tabulate(const Profile& profile, const MeasuredRates& rates);
std::string TableText(const Profile& profile, const ProfileTable& table,
                      const MeasuredRates& rates);
std::string TableJson(const Profile& profile, const ProfileTable& table,
                      const MeasuredRates& rates);

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_PROFILE_H_
