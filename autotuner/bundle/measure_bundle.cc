#include "autotuner/bundle/measure_bundle.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/bundle/device_fit.h"
#include "autotuner/measure/trial_rules.h"
#include "autotuner/records/record_lines.h"

namespace halyard::autotuner {

namespace {

// Measures one kernel of the bundle.
class KernelRun {
 public:
  KernelRun(const Bundle& bundle, const BundleKernel& kernel, const MeasureBundleOptions& options,
            Measurer* measurer, RecordLines* lines)
      : bundle_(bundle), kernel_(kernel), options_(options), measurer_(*measurer), lines_(*lines) {
    lowering::KernelRequest request = kernel.request;
    planned_key_ = request.KernelKey();
    request.device = options.device;
    key_ = request.KernelKey();
    default_ = kernel.candidates.front().schedule;
    std::map<std::string, std::string> versions;
    for (const BundleCandidate& candidate : kernel.candidates)
      versions[candidate.schedule] = candidate.version;
    for (const Record& record : lines->found()) {
      if (record.kernel != key_ || record.device != options.device.name) continue;
      const auto version = versions.find(record.schedule);
      if (version != versions.end() && version->second == record.version)
        records_[record.schedule] = record;
    }
    known_ = records_.size();
  }

  absl::Status Run(BundleProgress* progress, BundleSummary* summary) {
    summary->known += static_cast<int64_t>(known_);
    progress->candidates = kernel_.candidates.size();
    progress->done = records_.size();
    Tell(*progress);
    absl::Status status;
    if (!Settled()) status = Measure(progress, summary);
    const double seconds = SecondsOf(default_);
    summary->default_seconds += kernel_.uses * seconds;
    summary->best_seconds += kernel_.uses * (seconds > 0 ? SecondsOf(Best()) : 0);
    return status;
  }

 private:
  double SecondsOf(const std::string& schedule) const {
    const auto record = records_.find(schedule);
    return record == records_.end() || record->second.outcome != Outcome::kGood
               ? 0
               : record->second.seconds;
  }

  // Returns the fastest schedule: the default if nothing is faster, "" if nothing is good.
  std::string Best() const {
    std::string best = SecondsOf(default_) > 0 ? default_ : "";
    for (const auto& [schedule, record] : records_) {
      if (SecondsOf(schedule) > 0 && (best.empty() || record.seconds < SecondsOf(best)))
        best = schedule;
    }
    return best;
  }

  bool IsConfirmed(const std::string& schedule) const {
    return schedule.empty() || schedule == default_ || confirmed_.count(schedule) != 0 ||
           SecondsOf(default_) == 0 || records_.at(schedule).rounds >= options_.confirm_rounds;
  }
  bool Settled() const {
    return records_.size() == kernel_.candidates.size() && IsConfirmed(Best());
  }

  void Tell(BundleProgress& progress) const {
    progress.default_seconds = SecondsOf(default_);
    progress.best_seconds = SecondsOf(Best());
    if (options_.progress) options_.progress(progress);
  }

  // Keeps a result for the device at hand and, if that differs, for the planned one, too: for the
  // latter first, because a run that goes on measures what is not there for the device at hand. So
  // a kill between the two loses nothing.
  absl::Status Keep(Record record) {
    record.kernel = planned_key_;
    record.device = kernel_.request.device.name;
    record.created = time(nullptr);
    record.machine = options_.machine;
    if (key_ != planned_key_ || record.device != options_.device.name) {
      if (absl::Status s = lines_.Append(record); !s.ok()) return s;
    }
    record.kernel = key_;
    record.device = options_.device.name;
    records_[record.schedule] = record;
    return lines_.Append(record);
  }

  absl::StatusOr<Record> Try(const BundleCandidate& candidate, const std::string& against,
                             const TrialOptions& trial) {
    Record record;
    record.schedule = candidate.schedule;
    record.version = candidate.version;
    record.outcome = candidate.outcome;
    record.error = candidate.error;
    if (candidate.outcome != Outcome::kGood) return record;
    absl::StatusOr<std::string> object = bundle_.Object(candidate);
    if (!object.ok()) return object.status();
    absl::StatusOr<TrialResult> result = measurer_.Try(*object, trial);
    if (!result.ok()) return result.status();
    Fill(*result, candidate.resources, &record);
    PutOnScale(SecondsOf(against), result->against_seconds(), result->verdict, &record);
    return record;
  }

  const BundleCandidate& Find(const std::string& schedule) const {
    return *std::find_if(kernel_.candidates.begin(), kernel_.candidates.end(),
                         [&](const BundleCandidate& c) { return c.schedule == schedule; });
  }

  // As in LocalTrials::Begin: the default gives what the oracle has not computed.
  absl::Status SetReference(const std::string& best) {
    const BundleCandidate& first = kernel_.candidates.front();
    if (!data_.IsSampled() || first.schedule == best || first.outcome != Outcome::kGood)
      return absl::OkStatus();
    absl::StatusOr<std::string> object = bundle_.Object(first);
    if (!object.ok()) return object.status();
    return measurer_.SetReference(*object).status();
  }

  // Makes `schedule` the one beside which the next candidates are timed.
  absl::Status Begin(const std::string& schedule) {
    if (absl::Status s = measurer_.SetData(data_); !s.ok()) return s;
    if (schedule.empty()) return absl::OkStatus();
    if (absl::Status s = SetReference(schedule); !s.ok()) return s;
    absl::StatusOr<Record> alone = Try(Find(schedule), "", TrialOptions());
    if (!alone.ok()) return alone.status();
    if (alone->outcome == Outcome::kGood) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("kernel ", kernel_.name, ": schedule \"", schedule,
                     "\", which has a good record, now fails: ", alone->error,
                     "; write to another file of records"));
  }

  absl::Status Measure(BundleProgress* progress, BundleSummary* summary) {
    absl::StatusOr<TrialData> data = bundle_.Data(kernel_);
    if (!data.ok()) return data.status();
    data_ = *std::move(data);
    if (absl::Status s = Begin(Best()); !s.ok()) return s;
    for (const BundleCandidate& candidate : kernel_.candidates) {
      if (records_.count(candidate.schedule) != 0) continue;
      if (options_.stopped && options_.stopped()) {
        summary->stopped = true;
        return absl::OkStatus();
      }
      absl::StatusOr<Record> record = Try(candidate, Best(), ShortTrials());
      if (!record.ok()) return record.status();
      ++summary->measured;
      if (record->outcome != Outcome::kGood) ++summary->failed;
      if (absl::Status s = Keep(*std::move(record)); !s.ok()) return s;
      progress->measured = summary->measured;
      ++progress->done;
      Tell(*progress);
    }
    return Confirm(progress);
  }

  absl::Status Confirm(BundleProgress* progress) {
    for (std::string best = Best(); !IsConfirmed(best); best = Best()) {
      if (absl::Status s = Begin(default_); !s.ok()) return s;
      absl::StatusOr<Record> record =
          Try(Find(best), default_, ConfirmingTrials(TrialOptions(), options_.confirm_rounds));
      if (!record.ok()) return record.status();
      confirmed_.insert(best);
      if (absl::Status s = Keep(*std::move(record)); !s.ok()) return s;
      Tell(*progress);
    }
    return absl::OkStatus();
  }

  const Bundle& bundle_;
  const BundleKernel& kernel_;
  const MeasureBundleOptions& options_;
  Measurer& measurer_;
  RecordLines& lines_;
  std::string key_, planned_key_, default_;
  TrialData data_;
  std::map<std::string, Record> records_;  // by schedule
  std::set<std::string> confirmed_;        // in as many rounds as there was time for
  size_t known_ = 0;
};

}  // namespace

absl::StatusOr<BundleSummary> MeasureBundle(const Bundle& bundle, const std::string& records,
                                            const MeasureBundleOptions& options) {
  const BundleIndex& index = bundle.index();
  if (absl::Status s = RunsOn(index.device(), options.device); !s.ok()) return s;
  std::error_code error;
  if (std::filesystem::equivalent(bundle.path(), records, error)) {
    return absl::InvalidArgumentError(
        absl::StrCat(records, " is the bundle; name another file for the records"));
  }
  absl::StatusOr<RecordLines> lines = RecordLines::Open(records);
  if (!lines.ok()) return lines.status();
  Measurer measurer(options.worker);
  BundleSummary summary;
  BundleProgress progress;
  progress.kernels = index.kernels.size();
  for (const BundleKernel& kernel : index.kernels) {
    progress.name = kernel.name;
    KernelRun run(bundle, kernel, options, &measurer, &*lines);
    if (absl::Status s = run.Run(&progress, &summary); !s.ok()) return s;
    if (summary.stopped) break;
    ++progress.kernel;
  }
  return summary;
}

}  // namespace halyard::autotuner
