// Finds a faster schedule of one kernel: proposes candidates, has them measured, and keeps records.
//
// The seconds of a kernel's records are on one scale, that of the default's first measurement. A
// candidate is timed beside the best so far, in turns. Its record gets the best's seconds times the
// ratio, and no less than the best's unless it is known to be faster (PairedRounds). So the order
// of records follows from comparisons, whatever else the machine did meanwhile, and a lucky sample
// gains nothing.
//
// A kernel is done when
// - every schedule of its space was tried,
// - as many were tried as asked, including those that the database held before,
// - templates have refused so many schedules that too few fit, or
// - `patience` trials in a row have together made the best less than `min_gain` faster.
// Then Confirm times the best beside the default in at least `confirm_rounds` rounds. If it is not
// faster, its record says so, and the next best is confirmed, until one is faster or the default
// stays.
#ifndef HALYARD_AUTOTUNER_SEARCH_TUNE_KERNEL_H_
#define HALYARD_AUTOTUNER_SEARCH_TUNE_KERNEL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "autotuner/measure/kernel_task.h"
#include "autotuner/measure/trial_rules.h"
#include "autotuner/measure/trials.h"
#include "autotuner/records/database.h"
#include "autotuner/search/history.h"
#include "autotuner/search/search.h"

namespace halyard::autotuner {

struct KernelTuneOptions {
  SearchOptions search;
  int64_t most_trials = 200;
  int64_t batches_of = 4;  // a batch has this times Trials::width() candidates
  double min_gain = 0.01;
  int64_t patience = 64;
  int64_t warm_starts = 6;  // schedules of similar kernels that are tried first
  int64_t confirm_rounds = 30;
  TrialOptions trial = ShortTrials();
};

// Passed to the sink as each trial ends, with `record` as it is in the database.
struct TrialReport {
  const KernelTask* task = nullptr;
  const Record* record = nullptr;
  double default_seconds = 0, best_seconds = 0;  // after the trial
};
// Returns false to stop with the results so far.
using TrialSink = std::function<bool(const TrialReport&)>;

class KernelTuner {
 public:
  // `database` and `history` must outlive it.
  KernelTuner(KernelTask task, Database* database, History* history,
              const KernelTuneOptions& options);

  // Reads the kernel's records from the database. Step does not measure their schedules again.
  absl::Status Resume();
  // Ends the trials if at least the default's time is known.
  void Settle();
  // Tries the next batch and keeps its records. The first step measures the default alone.
  // Candidates that fail have records, too. An error status says that nothing can be measured.
  absl::Status Step(Trials& trials, const TrialSink& sink = nullptr);
  // Confirms the best. Does nothing if it is confirmed already or is the default.
  absl::Status Confirm(Trials& trials, const TrialSink& sink = nullptr);

  const KernelTask& task() const { return task_; }
  bool done() const { return !why_done_.empty(); }
  const std::string& why_done() const { return why_done_; }
  // Why the kernel cannot be tuned: its default does not compile, or gives wrong results.
  const absl::Status& status() const { return status_; }

  // These are 0 if they are not measured yet.
  double default_seconds() const { return SecondsOf(default_); }
  double best_seconds() const { return SecondsOf(best_); }
  const std::string& default_schedule() const { return default_; }
  const std::string& best_schedule() const { return best_; }
  bool confirmed() const;
  int64_t trials() const;  // including those of earlier runs, but not unfit schedules
  int64_t measured() const { return measured_; }  // those of them that this object has measured
  const std::map<std::string, Record>& records() const { return records_; }  // by schedule

  // Returns how many seconds of one launch the next batch may save: half of what the latest 32
  // trials have saved or, if that is more, a share of the best time that falls with each batch.
  double ExpectedGain() const;
  // Returns the seconds that the latest batch took, or 0 if there was none.
  double BatchSeconds() const { return batch_seconds_; }

 private:
  double SecondsOf(const std::string& schedule) const;
  // Puts the trial's record on the kernel's scale and into the database. Returns false if the sink
  // says stop.
  absl::StatusOr<bool> Keep(Trial trial, const TrialSink& sink);
  absl::Status MeasureDefault(Trials& trials, const TrialSink& sink);
  absl::Status MeasureDefaultBesideBest(Trial alone, Trials& trials, const TrialSink& sink);
  std::vector<std::string> NextBatch(Trials& trials);
  // Compiles the proposed schedules and returns the `count` of them that are the most worth
  // measuring. The others may be proposed again.
  std::vector<schedules::Schedule> Compiled(Trials& trials,
                                            std::vector<schedules::Schedule> proposed,
                                            const std::vector<bool>& drawn, int64_t count);
  absl::Status Begin(Trials& trials, const std::string& schedule, const TrialSink& sink);
  void FindBest();
  void NoteTrial(const Record& record);
  void CheckDone();

  const KernelTask task_;
  Database* const database_;
  History* const history_;
  const KernelTuneOptions options_;
  Search search_;
  std::map<std::string, Record> records_;
  std::string default_, best_;
  std::set<std::string> confirmed_;  // by this object, in as many rounds as there was time for
  std::vector<double> best_after_;   // the best seconds after each trial
  int64_t measured_ = 0, batches_ = 0;
  double batch_seconds_ = 0;
  bool space_left_ = true;
  std::string why_done_;
  absl::Status status_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_TUNE_KERNEL_H_
