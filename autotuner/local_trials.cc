#include "autotuner/local_trials.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "autotuner/oracle.h"
#include "autotuner/trial_rules.h"

namespace halyard::autotuner {

using lowering::KernelReply;
using lowering::KernelRequest;

namespace {

// What a compile that failed says of its candidate: halyard-codegen compiles in a process of its
// own with limits of time and memory, and tells how that has ended.
Outcome OutcomeOf(const absl::Status& status) {
  const absl::string_view message = status.message();
  if (absl::IsDeadlineExceeded(status)) return Outcome::kTimeout;
  if (absl::StrContains(message, "std::bad_alloc")) return Outcome::kOutOfMemory;
  if (absl::IsUnavailable(status) || absl::StrContains(message, "code generator died of signal"))
    return Outcome::kCrash;
  return Outcome::kCompileError;
}

// Those that halyard-codegen has not answered, as it ended itself, are compiled alone.
std::vector<absl::StatusOr<KernelReply>> CompileAll(lowering::KernelCompiler& compiler,
                                                    absl::Span<const KernelRequest> requests) {
  std::vector<absl::StatusOr<KernelReply>> replies = compiler.Compile(requests);
  for (size_t i = 0; i < replies.size(); ++i) {
    if (absl::IsUnavailable(replies[i].status())) replies[i] = compiler.Compile({requests[i]})[0];
  }
  return replies;
}

}  // namespace

std::string MachineName(const runtime::DeviceInfo& device) {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return absl::StrCat(host, ", ", device.name);
}

LocalTrials::LocalTrials(lowering::KernelCompiler* compiler, const MeasureOptions& options,
                         std::string oracle_folder)
    : compiler_(compiler),
      oracle_folder_(std::move(oracle_folder)),
      width_(std::max<long>(1, sysconf(_SC_NPROCESSORS_ONLN))),
      measurer_(options) {}

Record LocalTrials::NewRecord(const std::string& schedule) const {
  Record record;
  record.kernel = task_.key;
  record.device = task_.device;
  record.schedule = schedule;
  record.version = VersionOfLine(schedule);
  record.created = time(nullptr);
  record.machine = MachineName(task_.request.device);
  return record;
}

absl::StatusOr<Trial> LocalTrials::Measure(const KernelReply& reply, const std::string& asked,
                                           const TrialOptions& options) {
  Trial trial;
  trial.record = NewRecord(asked.empty() ? reply.schedule : asked);
  absl::StatusOr<TrialResult> result = measurer_.Try(reply.object, options);
  if (!result.ok()) return result.status();
  Record& record = trial.record;
  Fill(*result, &record);
  trial.verdict = result->verdict;
  trial.against = result->best_seconds > 0 ? best_.record.schedule : "";
  trial.against_seconds = result->against_seconds();
  if (record.outcome == Outcome::kGood && trial.verdict == Verdict::kFaster) best_ = trial;
  return trial;
}

absl::StatusOr<Trial> LocalTrials::Begin(const KernelTask& task, const std::string& best) {
  const bool same_task = task_.key == task.key && measurer_.workers_started() > 0;
  if (same_task && !best.empty() && best_.record.schedule == best) return best_;
  if (!same_task) {
    absl::StatusOr<TrialData> data = MakeTrialData(task.request, oracle_folder_);
    if (!data.ok()) return data.status();
    task_ = task;
    data_ = *std::move(data);
  }
  best_ = Trial();
  if (absl::Status s = measurer_.SetData(data_); !s.ok()) return s;
  KernelRequest request = task.request;
  request.schedule = best;
  absl::StatusOr<KernelReply> reply = CompileAll(*compiler_, {request})[0];
  if (reply.ok()) return Measure(*reply, best, TrialOptions());
  Trial trial;
  trial.record = NewRecord(best);
  trial.record.outcome = OutcomeOf(reply.status());
  trial.record.error = std::string(reply.status().message());
  trial.verdict = Verdict::kSlower;
  return trial;
}

absl::StatusOr<std::vector<Trial>> LocalTrials::Run(absl::Span<const std::string> schedules,
                                                    const TrialOptions& options,
                                                    const TrialDone& done) {
  std::vector<KernelRequest> requests;
  for (const std::string& schedule : schedules) {
    requests.push_back(task_.request);
    requests.back().schedule = schedule;
  }
  const std::vector<absl::StatusOr<KernelReply>> replies = CompileAll(*compiler_, requests);
  std::vector<Trial> trials;
  for (size_t i = 0; i < replies.size(); ++i) {
    if (replies[i].ok()) {
      absl::StatusOr<Trial> trial = Measure(*replies[i], schedules[i], options);
      if (!trial.ok()) return trial.status();
      trials.push_back(*std::move(trial));
    } else {
      Trial trial;
      trial.record = NewRecord(schedules[i]);
      trial.record.outcome = OutcomeOf(replies[i].status());
      trial.record.error = std::string(replies[i].status().message());
      trial.verdict = Verdict::kSlower;
      trials.push_back(std::move(trial));
    }
    if (done && !done(i, trials.back())) break;
  }
  return trials;
}

}  // namespace halyard::autotuner
