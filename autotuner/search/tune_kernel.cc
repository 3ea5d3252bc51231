#include "autotuner/search/tune_kernel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/search/choose_compiled.h"

namespace halyard::autotuner {

using schedules::Schedule;

namespace {

// How many schedules may be proposed for each allowed trial. In some spaces, templates refuse many
// schedules, each within a few milliseconds.
constexpr int64_t kMostProposed = 8;

absl::Status DefaultFails(const Record& record) {
  return absl::FailedPreconditionError(absl::StrCat(
      "its default schedule fails: ", OutcomeName(record.outcome), ": ", record.error));
}

}  // namespace

KernelTuner::KernelTuner(KernelTask task, Database* database, History* history,
                         const KernelTuneOptions& options)
    : task_(std::move(task)),
      database_(database),
      history_(history),
      options_(options),
      search_(task_.space, options.search, history->Nearest(task_, options.warm_starts)) {}

double KernelTuner::SecondsOf(const std::string& schedule) const {
  const auto record = records_.find(schedule);
  return record == records_.end() ? 0 : record->second.seconds;
}

bool KernelTuner::confirmed() const {
  const auto best = records_.find(best_);
  return best_ == default_ || confirmed_.count(best_) != 0 ||
         (best != records_.end() && best->second.rounds >= options_.confirm_rounds);
}

// Sets best_ to the fastest schedule, or to the default if none is faster.
void KernelTuner::FindBest() {
  best_ = SecondsOf(default_) > 0 ? default_ : "";
  for (const auto& [schedule, record] : records_) {
    if (record.outcome != Outcome::kGood) continue;
    if (best_.empty() || record.seconds < SecondsOf(best_)) best_ = schedule;
  }
  if (best_.empty()) best_ = default_;
}

int64_t KernelTuner::trials() const {
  return std::count_if(records_.begin(), records_.end(),
                       [](const auto& record) { return record.second.outcome != Outcome::kUnfit; });
}

void KernelTuner::NoteTrial(const Record& record) {
  if (record.outcome == Outcome::kUnfit) return;
  const bool good = record.outcome == Outcome::kGood;
  const double before =
      best_after_.empty() ? std::numeric_limits<double>::infinity() : best_after_.back();
  best_after_.push_back(good ? std::min(before, record.seconds) : before);
}

void KernelTuner::CheckDone() {
  if (!status_.ok()) {
    why_done_ = "cannot be tuned";
  } else if (!space_left_ || search_.proposed() >= search_.size()) {
    why_done_ = "every schedule was tried";
  } else if (trials() >= options_.most_trials) {
    why_done_ = "all trials are used";
  } else if (static_cast<int64_t>(records_.size()) >= kMostProposed * options_.most_trials) {
    why_done_ = "too few schedules fit";
  } else if (static_cast<int64_t>(best_after_.size()) > options_.patience) {
    const double before = *(best_after_.end() - 1 - options_.patience);
    if (std::isfinite(before) && best_after_.back() > before * (1 - options_.min_gain))
      why_done_ = absl::StrCat(options_.patience, " trials have gained too little");
  }
}

absl::Status KernelTuner::Resume() {
  std::vector<Record> found;
  absl::Status status = database_->ForEach({.kernel = task_.key, .device = task_.device},
                                           [&found](const Record& record) {
                                             if (record.version == VersionOfLine(record.schedule))
                                               found.push_back(record);
                                             return true;
                                           });
  if (!status.ok()) return status;
  // Among records of the same second, the default's comes first, because it was measured first.
  const std::string line = task_.space.empty() ? "" : task_.space.front().defaults.ToString();
  std::stable_sort(found.begin(), found.end(), [&line](const Record& a, const Record& b) {
    return std::make_tuple(a.created, a.schedule != line) <
           std::make_tuple(b.created, b.schedule != line);
  });
  for (Record& record : found) {
    const absl::StatusOr<Schedule> schedule = Schedule::Parse(record.schedule);
    if (!schedule.ok()) continue;
    search_.Report(*schedule, record.outcome == Outcome::kGood ? record.seconds : -1);
    NoteTrial(record);
    records_[record.schedule] = std::move(record);
  }
  // The default is the first of the space, unless that is known not to compile.
  const auto record = records_.find(line);
  if (record != records_.end() && record->second.outcome == Outcome::kGood) {
    default_ = line;
    CheckDone();
  }
  FindBest();
  return absl::OkStatus();
}

void KernelTuner::Settle() {
  if (!default_.empty() && !done()) why_done_ = "tuned before";
}

// Begins trials beside the best, or beside `schedule` if it is not empty. If that has a good record
// but fails now, because the compiler has changed, it gets a failed record, and the next best takes
// its place.
absl::Status KernelTuner::Begin(Trials& trials, const std::string& schedule,
                                const TrialSink& sink) {
  while (true) {
    const std::string line = schedule.empty() ? best_ : schedule;
    absl::StatusOr<Trial> trial = trials.Begin(task_, line);
    if (!trial.ok()) return trial.status();
    if (trial->record.outcome == Outcome::kGood) return absl::OkStatus();
    if (line == default_) {
      status_ = DefaultFails(trial->record);
      return absl::OkStatus();
    }
    if (absl::Status s = Keep(*std::move(trial), sink).status(); !s.ok()) return s;
  }
}

absl::Status KernelTuner::MeasureDefault(Trials& trials, const TrialSink& sink) {
  absl::StatusOr<Trial> trial = trials.Begin(task_, "");
  if (!trial.ok()) return trial.status();
  default_ = trial->record.schedule;
  if (trial->record.outcome != Outcome::kGood) {
    status_ = DefaultFails(trial->record);
    best_ = default_;
    if (default_.empty()) return absl::OkStatus();
  } else if (records_.count(default_) != 0) {
    FindBest();
    return absl::OkStatus();  // its seconds are the scale of the other records
  } else if (SecondsOf(best_) > 0) {
    return MeasureDefaultBesideBest(*std::move(trial), trials, sink);
  }
  return Keep(*std::move(trial), sink).status();
}

// Brings the default onto the scale of the records at hand. They refer to another default, that of
// an older Halyard, or the default's record was deleted.
absl::Status KernelTuner::MeasureDefaultBesideBest(Trial alone, Trials& trials,
                                                   const TrialSink& sink) {
  if (absl::Status s = Begin(trials, "", sink); !s.ok()) return s;
  if (best_ == default_) return Keep(std::move(alone), sink).status();  // no other works now
  absl::StatusOr<std::vector<Trial>> results =
      trials.Run({default_}, ConfirmingTrials(options_.trial, options_.confirm_rounds));
  if (!results.ok()) return results.status();
  if (results->size() != 1) return absl::InternalError("one candidate has one result");
  return Keep(std::move(results->front()), sink).status();
}

absl::StatusOr<bool> KernelTuner::Keep(Trial trial, const TrialSink& sink) {
  Record& record = trial.record;
  PutOnScale(SecondsOf(trial.against), trial.against_seconds, trial.verdict, &record);
  if (absl::Status s = database_->Put({record}); !s.ok()) return s;
  const absl::StatusOr<Schedule> schedule = Schedule::Parse(record.schedule);
  const bool good = record.outcome == Outcome::kGood;
  if (schedule.ok()) search_.Report(*schedule, good ? record.seconds : -1);
  history_->Add(record);
  NoteTrial(record);
  if (record.outcome != Outcome::kUnfit) ++measured_;
  records_[record.schedule] = record;
  FindBest();
  return sink == nullptr || sink({&task_, &record, default_seconds(), best_seconds()});
}

std::vector<Schedule> KernelTuner::Compiled(Trials& trials, std::vector<Schedule> proposed,
                                            const std::vector<bool>& drawn, int64_t count) {
  std::vector<std::string> lines;
  for (const Schedule& schedule : proposed) lines.push_back(schedule.ToString());
  const auto replies = trials.Compile(lines);
  std::vector<CompiledCandidate> candidates;
  for (size_t i = 0; i < proposed.size(); ++i) {
    candidates.push_back({proposed[i], !replies[i].ok(), drawn[i], {}});
    if (replies[i].ok()) candidates.back().resources = *replies[i];
  }
  const absl::StatusOr<CompiledRanker> ranker = history_->CompiledRankerOf(task_.key);
  const std::vector<size_t> chosen =
      ChooseCompiled(candidates, static_cast<size_t>(count), options_.search.explore,
                     ranker.ok() ? *ranker : nullptr);
  std::vector<Schedule> schedules;
  for (size_t i = 0, next = 0; i < proposed.size(); ++i) {
    if (next < chosen.size() && chosen[next] == i) {
      schedules.push_back(std::move(proposed[i]));
      ++next;
    } else {
      search_.Withdraw(proposed[i]);
    }
  }
  return schedules;
}

std::vector<std::string> KernelTuner::NextBatch(Trials& trials) {
  const absl::StatusOr<Ranker> ranker = history_->RankerOf(task_.key);
  const int64_t count =
      std::min(options_.batches_of * trials.width(), options_.most_trials - this->trials());
  // Defaults, and schedules that were fast elsewhere, are measured whatever compiling them reveals.
  const double compiled = search_.has_waiting() ? 1 : trials.compiled_for_each();
  const int64_t most = std::max(count, static_cast<int64_t>(compiled * static_cast<double>(count)));
  std::vector<bool> drawn;
  std::vector<Schedule> proposed = search_.Propose(most, ranker.ok() ? *ranker : nullptr, &drawn);
  space_left_ = static_cast<int64_t>(proposed.size()) >= count;
  if (static_cast<int64_t>(proposed.size()) > count)
    proposed = Compiled(trials, std::move(proposed), drawn, count);
  std::vector<std::string> lines;
  for (const Schedule& schedule : proposed) lines.push_back(schedule.ToString());
  return lines;
}

absl::Status KernelTuner::Step(Trials& trials, const TrialSink& sink) {
  if (done()) return absl::OkStatus();
  if (default_.empty()) {
    absl::Status status = MeasureDefault(trials, sink);
    CheckDone();
    return status;
  }
  const auto start = std::chrono::steady_clock::now();
  if (absl::Status s = Begin(trials, "", sink); !s.ok()) return s;
  if (!status_.ok()) {
    CheckDone();
    return absl::OkStatus();
  }
  absl::StatusOr<bool> go_on = true;
  absl::StatusOr<std::vector<Trial>> results =
      trials.Run(NextBatch(trials), options_.trial, [&](size_t, const Trial& trial) {
        go_on = Keep(trial, sink);
        return go_on.ok() && *go_on;
      });
  if (!go_on.ok()) return go_on.status();
  if (!results.ok()) return results.status();
  ++batches_;
  batch_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CheckDone();
  return absl::OkStatus();
}

absl::Status KernelTuner::Confirm(Trials& trials, const TrialSink& sink) {
  if (!status_.ok() || default_.empty()) return absl::OkStatus();
  const TrialOptions options = ConfirmingTrials(options_.trial, options_.confirm_rounds);
  while (!confirmed()) {
    if (absl::Status s = Begin(trials, default_, sink); !s.ok()) return s;
    if (!status_.ok()) return absl::OkStatus();
    const std::string line = best_;
    absl::StatusOr<std::vector<Trial>> results = trials.Run({line}, options);
    if (!results.ok()) return results.status();
    if (results->size() != 1) return absl::InternalError("one candidate has one result");
    Trial& trial = results->front();
    confirmed_.insert(line);
    absl::StatusOr<bool> go_on = Keep(std::move(trial), sink);
    if (!go_on.ok()) return go_on.status();
    if (!*go_on) break;
  }
  return absl::OkStatus();
}

double KernelTuner::ExpectedGain() const {
  if (done()) return 0;
  const double best = best_seconds();
  // Little is known of a kernel at first. Each batch makes a large gain from the next one less
  // likely.
  const double prior = 0.25 / (1 + static_cast<double>(batches_));
  constexpr size_t kLast = 32;
  double recent = 0;
  if (best_after_.size() > 1) {
    const size_t back = std::min(kLast, best_after_.size() - 1);
    const double before = *(best_after_.end() - 1 - static_cast<int64_t>(back));
    if (std::isfinite(before) && before > 0) recent = 1 - best_after_.back() / before;
  }
  return best * std::max(prior, recent / 2);
}

}  // namespace halyard::autotuner
