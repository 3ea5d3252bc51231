// halyard tune: finds faster schedules for a program's kernels, and keeps them in the database.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/model/shipped_model.h"
#include "autotuner/remote/ranks.h"
#include "autotuner/report/run_log.h"
#include "autotuner/search/tune_program.h"
#include "client/api/client.h"
#include "client/api/store.h"
#include "runtime/device_class.h"
#include "tools/command_line.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"
#include "tools/halyard/tune/tune_choices.h"
#include "tools/halyard/tune/tune_plan.h"
#include "tools/halyard/tune/tune_progress.h"
#include "tools/halyard/tune/tune_ranks.h"
#include "tools/halyard/tune/tune_report.h"
#include "tools/halyard/tune/tune_table.h"

namespace halyard::tools {
namespace {

using autotuner::Database;
using autotuner::History;
using autotuner::KernelTask;
using autotuner::ProgramTuneOptions;
using autotuner::ProgramTuner;

struct TuneOptions {
  std::string file, target = "auto", kernel, json, log;
  ProgramOptions program_options;  // argument shapes alone
  int64_t trials = 200;
  double minutes = 0;
  uint64_t seed = 1;
  bool cold = false;
  bool program = true;  // choose between plans of the program, too
  bool plan = false;
  std::string bundle;  // --plan
  std::string report;  // "": beside the run
  bool no_report = false;
};

// Ctrl-C ends the run after the trial that is being measured; a second one ends it at once. Nothing
// is lost in either case, because each record goes into the database as soon as it is made.
std::atomic<bool> interrupted = false;
void OnInterrupt(int signal) {
  if (interrupted.exchange(true)) _exit(128 + signal);
}

// Returns the program's kernels, or the one that --kernel names.
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
                                     const autotuner::MpiJob& job) {
  autotuner::MeasureOptions options;
  options.target = runtime::KindName(target.device.kind);
  options.device_index = DeviceOfRank(job, target, global.client.device_index);
  options.threads = global.client.threads;
  return options;
}

// Outputs for which the evaluator took long are kept in this folder.
std::string OracleFolder() {
  const absl::StatusOr<Store> store = Store::Open("");
  return store.ok() ? absl::StrCat(store->folder(), "/oracle") : "";
}

std::string DatabaseOf(const GlobalOptions& global) {
  const std::string& given = global.client.tuning_database;
  return given.empty() ? Database::DefaultPath() : given;
}

// Without a model, the records and the roofline must do.
void AddShippedModel(runtime::DeviceKind kind, History* history) {
  absl::StatusOr<autotuner::CostModel> model = autotuner::ShippedModel(kind);
  if (model.ok()) history->SetModel(*std::move(model));
}

// Compiles candidates for a device that need not be present.
int Plan(const TuneOptions& options, const GlobalOptions& global, const Target& target,
         const std::vector<KernelTask>& tasks, lowering::KernelCompiler& compiler) {
  History history(target.device.kind);
  AddShippedModel(target.device.kind, &history);
  absl::StatusOr<Database> database = Database::Open(DatabaseOf(global), Database::Mode::kReadOnly);
  if (database.ok()) {
    if (absl::Status s = history.Load(*database); !s.ok()) return Fail(s);
  } else if (!absl::IsNotFound(database.status())) {
    return Fail(database.status());
  }
  const absl::Status status = WriteTunePlan({.bundle = options.bundle,
                                             .file = options.file,
                                             .target = target,
                                             .trials = options.trials,
                                             .seed = options.seed,
                                             .oracle_folder = OracleFolder(),
                                             .stopped = [] { return interrupted.load(); }},
                                            tasks, history, compiler);
  if (absl::IsCancelled(status)) return 130;
  return status.ok() ? kFine : Fail(status);
}

// Returns "model.tuning.html" for "programs/model.mlir".
std::string ReportPath(const TuneOptions& options) {
  if (!options.report.empty()) return options.report;
  std::string name = options.file.substr(options.file.rfind('/') + 1);
  name = name.substr(0, std::max<size_t>(1, name.rfind('.')));
  return absl::StrCat(name, ".tuning.html");
}

std::unique_ptr<autotuner::Trials> LocalTrialsFor(const Target& target, const GlobalOptions& global,
                                                  const autotuner::MpiJob& job,
                                                  lowering::KernelCompiler* compiler) {
  return std::make_unique<autotuner::LocalTrials>(compiler, WorkersFor(target, global, job),
                                                  OracleFolder());
}

// One run of the command for a device of this machine: first the kernels, then the plan, then those
// kernels that only the new plan has.
class TuneRun {
 public:
  TuneRun(const TuneOptions& options, const GlobalOptions& global, const Target& target,
          lowering::KernelCompiler& compiler)
      : options_(options),
        global_(global),
        target_(target),
        compiler_(compiler),
        history_(target.device.kind) {}

  absl::Status Open(const autotuner::MpiJob& job) {
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

  // Returns the exit status.
  int Run(std::vector<KernelTask> tasks) {
    const bool plan = options_.program && options_.kernel.empty();
    const double limit = options_.minutes * 60;
    TuneProgress progress(limit, options_.trials, &log_);
    absl::Status status =
        TuneKernels(std::move(tasks), {}, plan ? limit * kKernelShare : limit, &progress);
    absl::Status plan_status;
    if (status.ok() && plan && !interrupted) plan_status = ChoosePlan(&progress, &status);
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

 private:
  // Checks before the run, and not hours later, that its results can be written.
  absl::Status CheckFiles() const {
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

  // The part of --minutes that the first kernels may take if the plan is searched after them.
  static constexpr double kKernelShare = 0.8;

  absl::Status TuneKernels(std::vector<KernelTask> tasks, std::set<std::string> settled,
                           double seconds, TuneProgress* progress) {
    ProgramTuneOptions tune;
    tune.kernel.most_trials = options_.trials;
    tune.kernel.search.seed = options_.seed;
    tune.kernel.trial.cold_caches = options_.cold;
    tune.seconds = seconds;
    tune.settled = std::move(settled);
    tune.stopped = [] { return interrupted.load(); };
    tuner_ = std::make_unique<ProgramTuner>(std::move(tasks), database_.get(), &history_, tune);
    const absl::Status status = tuner_->Run(*trials_, progress);
    progress->Clear();
    totals_.trials += tuner_->measured();
    totals_.seconds += tuner_->seconds();
    return status;
  }

  // Returns what is wrong with the plan; the kernels are tuned in any case. Sets `*kernels` to
  // those of the new plan.
  absl::Status ChoosePlan(TuneProgress* progress, absl::Status* kernels) {
    const double begin = progress->seconds(), limit = options_.minutes * 60;
    // Without --minutes, the search takes half as long as the kernels took, or a minute.
    const double end = limit > 0 ? limit : begin + std::max(60.0, tuner_->seconds() / 2);
    const auto stopped = [progress, end] { return interrupted || progress->seconds() > end; };
    const absl::StatusOr<bool> changed =
        TuneChoices(options_.file, options_.program_options, target_.text, global_, database_.get(),
                    trials_.get(), stopped);
    if (!changed.ok()) return changed.status();
    if (!*changed || interrupted) return absl::OkStatus();
    absl::StatusOr<std::vector<KernelTask>> tasks =
        FindTasks(options_, global_, target_, compiler_);
    if (!tasks.ok()) return tasks.status();
    std::set<std::string> settled;
    for (const auto& kernel : tuner_->kernels()) settled.insert(kernel->task().key);
    // At least the defaults are measured, which takes about a second.
    const double left = limit > 0 ? std::max(limit - progress->seconds(), 1.0) : 0;
    *kernels = TuneKernels(*std::move(tasks), std::move(settled), left, progress);
    return absl::OkStatus();
  }

  absl::Status Report() {
    if (options_.no_report) return absl::OkStatus();
    const TuneReportOptions report = {.path = ReportPath(options_),
                                      .file = options_.file,
                                      .program = options_.program_options,
                                      .target = target_,
                                      .seconds = totals_.seconds,
                                      .quick = interrupted.load()};
    if (absl::Status s = WriteTuneReport(report, global_, *tuner_, log_, compiler_); !s.ok())
      return s;
    printf("the report is in %s\n", report.path.c_str());
    return absl::OkStatus();
  }

  int ExitStatus(const absl::Status& plan) const {
    int result = interrupted ? 130 : kFine;
    if (!plan.ok()) result = Fail(plan);
    for (const auto& kernel : tuner_->kernels()) {
      if (kernel->status().ok()) continue;
      result = Fail(absl::Status(kernel->status().code(),
                                 absl::StrCat("kernel ", kernel->task().name,
                                              " is not tuned: ", kernel->status().message())));
    }
    return result;
  }

  const TuneOptions& options_;
  const GlobalOptions& global_;
  const Target& target_;
  lowering::KernelCompiler& compiler_;
  std::unique_ptr<Database> database_;
  History history_;
  autotuner::RunLog log_;
  std::unique_ptr<autotuner::Trials> trials_;
  std::unique_ptr<ProgramTuner> tuner_;  // of the plan that counts now
  TuneTotals totals_;
};

int Usage(const char* message) {
  fprintf(stderr, "halyard: error: %s\n", message);
  return kUsage;
}

int Tune(const TuneOptions& options, const GlobalOptions& global) {
  if (options.plan && autotuner::LaunchedProcesses() > 1)
    return Usage("--plan compiles in one process: start it without mpirun");
  const absl::StatusOr<autotuner::MpiJob> job = JoinRanks();
  if (!job.ok()) return Fail(job.status());
  absl::StatusOr<Target> target = TargetFor(ClientOptionsFor(global, options.target));
  if (!target.ok()) return FailTarget(target.status());
  if (target->device.kind == runtime::DeviceKind::kReference)
    return Usage("reference evaluates programs as they are: it has no schedules to tune");
  if (options.cold && target->device.kind != runtime::DeviceKind::kX86)
    return Usage("--cold empties the caches of x86: it does nothing on GPUs");
  if (options.plan && options.bundle.empty())
    return Usage("--plan needs -o BUNDLE, the file to write");
  if (!target->live && !options.plan) {
    return Fail(absl::InvalidArgumentError(absl::StrCat(
        "--target=", options.target,
        ": candidates are measured on a device of this machine; --plan -o BUNDLE compiles them for "
        "one that is elsewhere")));
  }
  // A schedule that takes longer to compile is worth less than the schedules that could be tried
  // meanwhile.
  std::unique_ptr<lowering::KernelCompiler> compiler =
      lowering::KernelCompiler::Create({.seconds_per_kernel = 60});
  if (job->rank > 0) {
    return autotuner::ServeRank(*job, compiler.get(), target->device,
                                WorkersFor(*target, global, *job), OracleFolder());
  }
  absl::StatusOr<std::vector<KernelTask>> tasks = FindTasks(options, global, *target, *compiler);
  if (!tasks.ok()) return Fail(tasks.status());
  if (tasks->empty()) {
    printf("%s has no kernels on this target: nothing to tune\n", options.file.c_str());
    return kFine;
  }
  signal(SIGINT, OnInterrupt);
  signal(SIGTERM, OnInterrupt);
  if (options.plan) return Plan(options, global, *target, *tasks, *compiler);
  TuneRun run(options, global, *target, *compiler);
  if (absl::Status s = run.Open(*job); !s.ok()) return Fail(s);
  return run.Run(*std::move(tasks));
}

}  // namespace

void AddTune(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command = app.add_subcommand(
      "tune", "Find faster schedules for a program's kernels, and keep them in the database");
  command->add_option("FILE", options->file, "HLO text or proto, or StableHLO text")->required();
  command->add_option("--target", options->target,
                      "auto, x86, cuda or vulkan: a device of this machine; with --plan any");
  command
      ->add_option("--trials", options->trials,
                   "Schedules to try of each kernel, those of earlier runs among them")
      ->check(AboveZero())
      ->capture_default_str();
  CLI::Option* minutes =
      command
          ->add_option("--minutes", options->minutes,
                       "End after so long (default: when little more is to be gained)")
          ->check(AboveZero());
  command->add_option("--seed", options->seed, "Of what is proposed")->capture_default_str();
  command->add_option("--kernel", options->kernel,
                      "Only this one, by its name or its fingerprint's first 8 digits");
  command->add_flag("--program,!--no-program", options->program,
                    "Then also choose which kernels there are: cuts, what is computed again "
                    "(default, but with --kernel)");
  CLI::Option* cold =
      command->add_flag("--cold", options->cold, "x86: empty the caches before each run");
  AddArgShapes(*command, &options->program_options);
  CLI::Option* report = command->add_option(
      "--report", options->report,
      "HTML file that shows what was done (default: PROGRAM.tuning.html, here)");
  command->add_flag("--no-report", options->no_report, "Write no HTML file")->excludes(report);
  CLI::Option* json = command->add_option("--json", options->json, "File for the table as JSON");
  CLI::Option* log =
      command->add_option("--log", options->log, "File to append a JSON line per trial to");
  CLI::Option* plan = command->add_flag(
      "--plan", options->plan,
      "Measure nothing: compile candidates into a bundle, for `halyard-rt measure` on "
      "the device's machine");
  for (CLI::Option* of_measuring : {minutes, cold, report, json, log}) plan->excludes(of_measuring);
  command->add_option("-o", options->bundle, "The bundle that --plan writes")->needs(plan);
  command->callback([options, &global, action] {
    *action = [options, &global] { return Tune(*options, global); };
  });
}

}  // namespace halyard::tools
