#include "autotuner/measure/local_trials.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/trial_rules.h"
#include "runtime/device_class.h"

namespace halyard::autotuner {

using lowering::KernelReply;
using lowering::KernelRequest;

namespace {

// Compiles the candidates. If halyard-codegen ended before it answered some of them, compiles those
// again one by one.
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
                         std::string oracle_folder, double most_oracle_work)
    : compiler_(compiler),
      oracle_folder_(std::move(oracle_folder)),
      most_oracle_work_(most_oracle_work),
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
  Fill(*result, reply.resources, &record);
  trial.verdict = result->verdict;
  trial.against = result->best_seconds > 0 ? best_.record.schedule : "";
  trial.against_seconds = result->against_seconds();
  if (record.outcome == Outcome::kGood && trial.verdict == Verdict::kFaster) best_ = trial;
  return trial;
}

Trial LocalTrials::NotCompiled(const std::string& schedule, const absl::Status& why) const {
  Trial trial;
  trial.record = NewRecord(schedule);
  trial.record.outcome = OutcomeOfCompile(why);
  trial.record.error = std::string(why.message());
  trial.verdict = Verdict::kSlower;
  return trial;
}

absl::StatusOr<Trial> LocalTrials::Begin(const KernelTask& task, const std::string& best) {
  const bool same_task = task_.key == task.key && measurer_.workers_started() > 0;
  if (same_task && !best.empty() && best_.record.schedule == best) return best_;
  if (!same_task) {
    absl::StatusOr<TrialData> data =
        MakeTrialData(task.request, oracle_folder_, 0.3, most_oracle_work_);
    if (!data.ok()) return data.status();
    task_ = task;
    data_ = *std::move(data);
  }
  best_ = Trial();
  if (absl::Status s = measurer_.SetData(data_); !s.ok()) return s;
  if (absl::Status s = SetReference(best); !s.ok()) return s;
  KernelRequest request = task.request;
  request.schedule = best;
  absl::StatusOr<KernelReply> reply = CompileAll(*compiler_, {request})[0];
  if (reply.ok()) return Measure(*reply, best, TrialOptions());
  return NotCompiled(best, reply.status());
}

// If the oracle has computed only samples, the default gives the other elements, also when
// candidates are timed beside another schedule. If it fails, the first one that is right gives
// them.
absl::Status LocalTrials::SetReference(const std::string& best) {
  if (!data_.IsSampled() || best.empty()) return absl::OkStatus();
  KernelRequest request = task_.request;
  request.schedule.clear();
  const absl::StatusOr<KernelReply> reply = CompileAll(*compiler_, {request})[0];
  if (!reply.ok() || reply->schedule == best) return absl::OkStatus();
  return measurer_.SetReference(reply->object).status();
}

std::string LocalTrials::KeyOf(const std::string& schedule) const {
  return absl::StrCat(schedule, "\n", task_.key);
}

void LocalTrials::CompileMissing(absl::Span<const std::string> schedules) {
  std::vector<KernelRequest> requests;
  for (const std::string& schedule : schedules) {
    if (kept_.count(KeyOf(schedule)) != 0) continue;
    requests.push_back(task_.request);
    requests.back().schedule = schedule;
  }
  std::vector<Reply> replies = CompileAll(*compiler_, requests);
  for (size_t i = 0; i < replies.size(); ++i)
    kept_.insert_or_assign(KeyOf(requests[i].schedule), std::move(replies[i]));
}

double LocalTrials::compiled_for_each() const {
  const runtime::DeviceInfo& device = task_.request.device;
  return !runtime::RunsOnCpu(device) && width_ >= 8 ? 1.5 : 1;
}

std::vector<absl::StatusOr<lowering::KernelResources>> LocalTrials::Compile(
    absl::Span<const std::string> schedules) {
  // Objects that were never chosen stay in kept_, at about 50 KB each, until there are too many.
  constexpr size_t kMostKept = 2048;
  if (kept_.size() > kMostKept) kept_.clear();
  CompileMissing(schedules);
  std::vector<absl::StatusOr<lowering::KernelResources>> resources;
  for (const std::string& schedule : schedules) {
    const Reply& reply = kept_.at(KeyOf(schedule));
    if (reply.ok()) {
      resources.push_back(reply->resources);
    } else {
      resources.push_back(reply.status());
    }
  }
  return resources;
}

absl::StatusOr<std::vector<Trial>> LocalTrials::Run(absl::Span<const std::string> schedules,
                                                    const TrialOptions& options,
                                                    const TrialDone& done) {
  CompileMissing(schedules);
  absl::StatusOr<std::vector<Trial>> trials = MeasureAll(schedules, options, done);
  for (const std::string& schedule : schedules) kept_.erase(KeyOf(schedule));
  return trials;
}

absl::StatusOr<std::vector<Trial>> LocalTrials::MeasureAll(absl::Span<const std::string> schedules,
                                                           const TrialOptions& options,
                                                           const TrialDone& done) {
  std::vector<Trial> trials;
  for (size_t i = 0; i < schedules.size(); ++i) {
    const Reply& reply = kept_.at(KeyOf(schedules[i]));
    if (reply.ok()) {
      absl::StatusOr<Trial> trial = Measure(*reply, schedules[i], options);
      if (!trial.ok()) return trial.status();
      trials.push_back(*std::move(trial));
    } else {
      trials.push_back(NotCompiled(schedules[i], reply.status()));
    }
    if (done && !done(i, trials.back())) break;
  }
  return trials;
}

}  // namespace halyard::autotuner
