// Records for reports what a run of the tuner does, trial by trial: in memory and, if there is a
// file, as lines of JSON in it.
#ifndef HALYARD_AUTOTUNER_REPORT_RUN_LOG_H_
#define HALYARD_AUTOTUNER_REPORT_RUN_LOG_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/records/record.h"

namespace halyard::autotuner {

struct LoggedTrial {
  double time = 0;     // seconds since the run began
  std::string kernel;  // KernelFingerprint of its key; the database has the rest
  std::string name;    // in the program
  double uses = 0;
  std::string schedule;
  Outcome outcome = Outcome::kGood;
  std::string error;
  double seconds = 0;                            // as in the database
  double default_seconds = 0, best_seconds = 0;  // of the kernel, after this trial
  bool confirming = false;                       // the best is timed beside the default, at the end
  lowering::KernelResources resources;           // kGood

  bool operator==(const LoggedTrial&) const = default;
};
std::string ToJson(const LoggedTrial& trial);
absl::StatusOr<LoggedTrial> LoggedTrialFromJson(absl::string_view line);

class RunLog {
 public:
  // Keeps the trials in memory only.
  RunLog() = default;
  // Also appends them to the file.
  static absl::StatusOr<RunLog> OpenFile(const std::string& path);
  void Add(LoggedTrial trial);
  // The error because of which a trial could not be written to the file. Nothing is written to it
  // after that.
  const absl::Status& status() const { return status_; }
  const std::vector<LoggedTrial>& trials() const { return trials_; }

 private:
  struct Close {
    void operator()(FILE* file) const { fclose(file); }
  };
  std::vector<LoggedTrial> trials_;
  std::string path_;
  std::unique_ptr<FILE, Close> file_;
  absl::Status status_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REPORT_RUN_LOG_H_
