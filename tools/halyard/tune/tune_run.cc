#include "tools/halyard/tune/tune_run.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "autotuner/model/shipped_model.h"
#include "client/api/program_compiler.h"
#include "client/cache/store.h"
#include "runtime/device_class.h"
#include "tools/command_line.h"
#include "tools/halyard/report.h"
#include "tools/halyard/tune/tune_choices.h"
#include "tools/halyard/tune/tune_ranks.h"
#include "tools/halyard/tune/tune_report.h"
#include "tools/output_file.h"

namespace halyard::tools {

using autotuner::Database;
using autotuner::History;
using autotuner::KernelTask;
using autotuner::ProgramTuneOptions;
using autotuner::ProgramTuner;

namespace {

// The part of --minutes that the first kernels may take if the plan is searched after them.
constexpr double kKernelShare = 0.8;

std::atomic<bool> interrupted = false;
void OnInterrupt(int signal) {
  if (interrupted.exchange(true)) _exit(128 + signal);
}

// Returns "model.tuning.html" for "programs/model.mlir".
std::string ReportPath(const TuneOptions& options) {
  if (!options.report.empty()) return options.report;
  std::string name = options.file.substr(options.file.rfind('/') + 1);
  name = name.substr(0, std::max<size_t>(1, name.rfind('.')));
  return absl::StrCat(name, ".tuning.html");
}

std::unique_ptr<autotuner::Trials> LocalTrialsFor(const Target& target, const GlobalOptions& global,
                                                  const ranks::MpiJob& job,
                                                  lowering::KernelCompiler* compiler) {
  return std::make_unique<autotuner::LocalTrials>(compiler, WorkersFor(target, global, job),
                                                  OracleFolder());
}

}  // namespace

void EndOnInterrupt() {
  signal(SIGINT, OnInterrupt);
  signal(SIGTERM, OnInterrupt);
}

bool Interrupted() { return interrupted; }

absl::StatusOr<std::vector<KernelTask>> FindTasks(const TuneOptions& options,
                                                  const GlobalOptions& global, const Target& target,
                                                  lowering::KernelCompiler& compiler) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(options.file);
  if (!module.ok()) return module.status();
  ProgramCompiler planner;
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program_options);
  if (!compile.ok()) return compile.status();
  planner.client = ClientOptionsFor(global, target.text);
  planner.compile = *std::move(compile);
  absl::StatusOr<ProgramSpec> program = planner.Plan(**module, target);
  if (!program.ok()) return program.status();
  absl::StatusOr<std::vector<KernelTask>> tasks = autotuner::TasksOf(*program, compiler);
  if (!tasks.ok() || options.kernel.empty()) return tasks;
  std::vector<std::string> names;
  for (KernelTask& task : *tasks) {
    const bool named = task.name == options.kernel || ShortName(task.name) == options.kernel ||
                       (options.kernel.size() >= 8 &&
                        absl::StartsWith(autotuner::KernelFingerprint(task.key), options.kernel));
    if (named) return std::vector<KernelTask>{std::move(task)};
    names.push_back(ShortName(task.name));
  }
  return absl::NotFoundError(absl::StrCat("--kernel: the program has no kernel ", options.kernel,
                                          "; it has ", absl::StrJoin(names, ", ")));
}

autotuner::MeasureOptions WorkersFor(const Target& target, const GlobalOptions& global,
                                     const ranks::MpiJob& job) {
  autotuner::MeasureOptions options;
  options.target = runtime::KindName(target.device.kind);
  options.device_index = DeviceOfRank(job.local_index, target, global.client.device_index);
  options.threads = global.client.threads;
  return options;
}

std::string OracleFolder() {
  const absl::StatusOr<Store> store = Store::Open("");
  return store.ok() ? absl::StrCat(store->folder(), "/oracle") : "";
}

std::string DatabaseOf(const GlobalOptions& global) {
  const std::string& given = global.client.tuning_database;
  return given.empty() ? Database::DefaultPath() : given;
}

void AddShippedModel(runtime::DeviceKind kind, History* history) {
  absl::StatusOr<autotuner::CostModel> model = autotuner::ShippedModel(kind);
  if (model.ok()) history->SetModel(*std::move(model));
}

absl::Status TuneRun::CheckFiles() const {
  if (!options_.json.empty()) {
    if (absl::Status s = CheckWritable(options_.json); !s.ok()) return s;
  }
  if (options_.no_report) return absl::OkStatus();
  const absl::Status report = CheckWritable(ReportPath(options_));
  if (report.ok() || !options_.report.empty()) return report;
  return absl::Status(report.code(), absl::StrCat("the report: ", report.message(),
                                                  "; --report=FILE writes it elsewhere, "
                                                  "--no-report none"));
}

absl::Status TuneRun::Open(const ranks::MpiJob& job) {
  if (absl::Status s = CheckFiles(); !s.ok()) return s;
  if (!options_.log.empty()) {
    absl::StatusOr<autotuner::RunLog> file = autotuner::RunLog::OpenFile(options_.log);
    if (!file.ok()) return file.status();
    log_ = *std::move(file);
  }
  absl::StatusOr<Database> database =
      Database::Open(DatabaseOf(global_), Database::Mode::kReadWrite);
  if (!database.ok()) return database.status();
  database_ = std::make_unique<Database>(*std::move(database));
  AddShippedModel(target_.device.kind, &history_);
  if (absl::Status s = history_.Load(*database_); !s.ok()) return s;
  if (job.size == 1) {
    trials_ = LocalTrialsFor(target_, global_, job, &compiler_);
    return absl::OkStatus();
  }
  absl::StatusOr<std::unique_ptr<autotuner::Trials>> ranks = autotuner::TrialsOfRanks(job);
  if (!ranks.ok()) return ranks.status();
  trials_ = *std::move(ranks);
  return absl::OkStatus();
}

absl::Status TuneRun::TuneKernels(std::vector<KernelTask> tasks, std::set<std::string> settled,
                                  double seconds, TuneProgress* progress) {
  ProgramTuneOptions tune;
  tune.kernel.most_trials = options_.trials;
  tune.kernel.search.seed = options_.seed;
  tune.kernel.trial.cold_caches = options_.cold;
  tune.seconds = seconds;
  tune.settled = std::move(settled);
  tune.stopped = [] { return Interrupted(); };
  tuner_ = std::make_unique<ProgramTuner>(std::move(tasks), database_.get(), &history_, tune);
  const absl::Status status = tuner_->Run(*trials_, progress);
  progress->Clear();
  totals_.trials += tuner_->measured();
  totals_.seconds += tuner_->seconds();
  return status;
}

absl::Status TuneRun::ChoosePlan(TuneProgress* progress, absl::Status* kernels) {
  const double begin = progress->seconds(), limit = options_.minutes * 60;
  // Without --minutes, the search takes half as long as the kernels took, or a minute.
  const double end = limit > 0 ? limit : begin + std::max(60.0, tuner_->seconds() / 2);
  const auto stopped = [progress, end] { return Interrupted() || progress->seconds() > end; };
  const absl::StatusOr<bool> changed =
      TuneChoices(options_.file, options_.program_options, target_.text, global_, database_.get(),
                  trials_.get(), stopped);
  if (!changed.ok()) return changed.status();
  if (!*changed || Interrupted()) return absl::OkStatus();
  absl::StatusOr<std::vector<KernelTask>> tasks = FindTasks(options_, global_, target_, compiler_);
  if (!tasks.ok()) return tasks.status();
  std::set<std::string> settled;
  for (const auto& kernel : tuner_->kernels()) settled.insert(kernel->task().key);
  // At least the defaults are measured, which takes about a second.
  const double left = limit > 0 ? std::max(limit - progress->seconds(), 1.0) : 0;
  *kernels = TuneKernels(*std::move(tasks), std::move(settled), left, progress);
  return absl::OkStatus();
}

absl::Status TuneRun::Report() {
  if (options_.no_report) return absl::OkStatus();
  const TuneReportOptions report = {.path = ReportPath(options_),
                                    .file = options_.file,
                                    .program = options_.program_options,
                                    .target = target_,
                                    .seconds = totals_.seconds,
                                    .quick = Interrupted()};
  if (absl::Status s = WriteTuneReport(report, global_, *tuner_, log_, compiler_); !s.ok())
    return s;
  printf("the report is in %s\n", report.path.c_str());
  return absl::OkStatus();
}

int TuneRun::ExitStatus(const absl::Status& plan) const {
  int result = Interrupted() ? 130 : kFine;
  if (!plan.ok()) result = Fail(plan);
  for (const auto& kernel : tuner_->kernels()) {
    if (kernel->status().ok()) continue;
    result = Fail(absl::Status(kernel->status().code(),
                               absl::StrCat("kernel ", kernel->task().name,
                                            " is not tuned: ", kernel->status().message())));
  }
  return result;
}

int TuneRun::Run(std::vector<KernelTask> tasks) {
  const bool plan = options_.program && options_.kernel.empty();
  const double limit = options_.minutes * 60;
  TuneProgress progress(limit, options_.trials, &log_);
  absl::Status status =
      TuneKernels(std::move(tasks), {}, plan ? limit * kKernelShare : limit, &progress);
  absl::Status plan_status;
  if (status.ok() && plan && !Interrupted()) plan_status = ChoosePlan(&progress, &status);
  PrintTuneTable(*tuner_, totals_);
  printf("records are in %s\n", database_->path().c_str());
  absl::Status json, report;
  if (status.ok() && !options_.json.empty())
    json = WriteTuneJson(options_.json, options_.file, target_.text, *tuner_, totals_);
  if (status.ok()) report = Report();
  int result = status.ok() ? ExitStatus(plan_status) : kFine;
  for (const absl::Status& s : {status, json, report, log_.status()}) {
    if (!s.ok()) result = Fail(s);
  }
  return result;
}

}  // namespace halyard::tools
