// halyard tune: finds faster schedules for a program's kernels, and keeps them in the database.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "autotuner/local_trials.h"
#include "autotuner/ranks.h"
#include "autotuner/run_log.h"
#include "autotuner/shipped_model.h"
#include "autotuner/tune_program.h"
#include "client/client.h"
#include "client/store.h"
#include "nlohmann/json.hpp"
#include "tools/halyard/arrays.h"
#include "tools/halyard/command.h"
#include "tools/halyard/report.h"
#include "tools/halyard/tune_choices.h"
#include "tools/halyard/tune_plan.h"
#include "tools/halyard/tune_ranks.h"
#include "tools/halyard/tune_report.h"

namespace halyard::tools {
namespace {

using autotuner::Database;
using autotuner::History;
using autotuner::KernelTask;
using autotuner::KernelTuner;
using autotuner::Outcome;
using autotuner::ProgramTuner;
using autotuner::Record;
using autotuner::TrialReport;

struct TuneOptions {
  std::string file, target = "auto", arg_shapes, kernel, json, log;
  int64_t trials = 200;
  double minutes = 0;
  uint64_t seed = 1;
  bool cold = false, program = false;
  bool plan = false;
  std::string bundle;  // --plan
  std::string report;  // "": beside the run
  bool no_report = false;
};

// Ctrl-C ends the run after the trial that is being measured; once more, at once. Nothing is lost
// either way: records are in the database as soon as they are made.
std::atomic<bool> interrupted = false;
void OnInterrupt(int signal) {
  if (interrupted.exchange(true)) _exit(128 + signal);
}

std::string Seconds(double seconds) {
  if (seconds <= 0) return "-";
  return seconds < 1e-3 ? absl::StrFormat("%.3g µs", seconds * 1e6)
         : seconds < 1  ? absl::StrFormat("%.3g ms", seconds * 1e3)
                        : absl::StrFormat("%.3g s", seconds);
}

std::string Gain(double before, double after) {
  return before > 0 && after > 0 ? absl::StrFormat("%.2fx", before / after) : "-";
}

// The name alone: "fusion.3" of "fusion.3 (add, exp)".
std::string ShortName(const std::string& name) { return name.substr(0, name.find(' ')); }

// One line that is rewritten on a terminal; elsewhere a line now and then.
class Reporter : public autotuner::TuneObserver {
 public:
  Reporter(const TuneOptions& options, autotuner::RunLog* log)
      : limit_(options.minutes * 60), log_(log), terminal_(isatty(STDERR_FILENO) != 0) {}
  ~Reporter() override { Clear(); }

  void OnKernel(const ProgramTuner& tuner, const KernelTuner& kernel, bool confirming) override {
    kernel_ = &kernel;
    confirming_ = confirming;
    Show(tuner);
  }
  void OnTrial(const ProgramTuner& tuner, const TrialReport& report) override {
    const Record& record = *report.record;
    autotuner::LoggedTrial trial;
    trial.time = tuner.seconds();
    trial.kernel = autotuner::KernelFingerprint(record.kernel);
    trial.name = report.task->name;
    trial.uses = report.task->uses;
    trial.schedule = record.schedule;
    trial.outcome = record.outcome;
    trial.error = record.error;
    trial.seconds = record.seconds;
    trial.default_seconds = report.default_seconds;
    trial.best_seconds = report.best_seconds;
    trial.confirming = confirming_;
    log_->Add(std::move(trial));
    Show(tuner);
  }
  void Clear() {
    if (shown_ && terminal_) fputs("\r\033[K", stderr);
    shown_ = false;
  }

 private:
  void Show(const ProgramTuner& tuner) {
    const double now = tuner.seconds();
    if (now < next_) return;
    next_ = now + (terminal_ ? 0.1 : 5);
    shown_ = true;
    fprintf(stderr, terminal_ ? "\r%s\033[K" : "%s\n", Line(tuner, now).c_str());
    fflush(stderr);
  }
  std::string Line(const ProgramTuner& tuner, double now) const {
    std::string line =
        absl::StrFormat("%d of %d kernels done, %d trials, %.1f/s; program %s -> %s (%s)",
                        tuner.done(), tuner.kernels().size(), tuner.measured(),
                        now > 0 ? static_cast<double>(tuner.measured()) / now : 0.0,
                        Seconds(tuner.default_seconds()), Seconds(tuner.best_seconds()),
                        Gain(tuner.default_seconds(), tuner.best_seconds()));
    if (limit_ > 0) {
      const int left = static_cast<int>(std::max(0.0, limit_ - now));
      absl::StrAppendFormat(&line, "; %d:%02d left", left / 60, left % 60);
    }
    if (kernel_ != nullptr) {
      absl::StrAppend(&line, "; ", confirming_ ? "confirming " : "",
                      ShortName(kernel_->task().name), " ",
                      Gain(kernel_->default_seconds(), kernel_->best_seconds()));
    }
    return line;
  }

  const double limit_;
  autotuner::RunLog* const log_;
  const bool terminal_;
  const KernelTuner* kernel_ = nullptr;
  bool confirming_ = false, shown_ = false;
  double next_ = 0;
};

// "2 timeout, 1 crash"; "-": none failed.
std::string Failures(const KernelTuner& kernel) {
  std::map<Outcome, int> counts;
  for (const auto& [schedule, record] : kernel.records()) {
    if (record.outcome != Outcome::kGood) ++counts[record.outcome];
  }
  std::vector<std::string> parts;
  for (const auto& [outcome, count] : counts)
    parts.push_back(absl::StrCat(count, " ", autotuner::OutcomeName(outcome)));
  return parts.empty() ? "-" : absl::StrJoin(parts, ", ");
}

void PrintTable(const ProgramTuner& tuner, const Database& database) {
  std::vector<std::vector<std::string>> table = {
      {"kernel", "uses", "default", "best", "gain", "trials", "failed", "schedule"}};
  for (const auto& kernel : tuner.kernels()) {
    table.push_back({ShortName(kernel->task().name), absl::StrCat(kernel->task().uses),
                     Seconds(kernel->default_seconds()), Seconds(kernel->best_seconds()),
                     Gain(kernel->default_seconds(), kernel->best_seconds()),
                     absl::StrCat(kernel->trials()), Failures(*kernel),
                     kernel->best_schedule().empty() ? "-" : kernel->best_schedule()});
  }
  fputs(Columns(table).c_str(), stdout);
  printf("kernels of one run: %s by default, %s now (%s); %lld trials in %.0f s, %.1f/s: %s\n",
         Seconds(tuner.default_seconds()).c_str(), Seconds(tuner.best_seconds()).c_str(),
         Gain(tuner.default_seconds(), tuner.best_seconds()).c_str(),
         static_cast<long long>(tuner.measured()), tuner.seconds(),
         static_cast<double>(tuner.measured()) / std::max(tuner.seconds(), 1e-3),
         tuner.why_done().c_str());
  printf("records are in %s\n", database.path().c_str());
}

absl::Status WriteJson(const TuneOptions& options, const ProgramTuner& tuner,
                       const std::string& target) {
  nlohmann::ordered_json json;
  json["file"] = options.file;
  json["target"] = target;
  json["default_seconds"] = tuner.default_seconds();
  json["best_seconds"] = tuner.best_seconds();
  json["trials"] = tuner.measured();
  json["seconds"] = tuner.seconds();
  json["why_done"] = tuner.why_done();
  json["kernels"] = nlohmann::ordered_json::array();
  for (const auto& kernel : tuner.kernels()) {
    nlohmann::ordered_json row;
    row["kernel"] = autotuner::KernelFingerprint(kernel->task().key);
    row["name"] = kernel->task().name;
    row["uses"] = kernel->task().uses;
    row["default_seconds"] = kernel->default_seconds();
    row["best_seconds"] = kernel->best_seconds();
    row["default_schedule"] = kernel->default_schedule();
    row["best_schedule"] = kernel->best_schedule();
    row["confirmed"] = kernel->confirmed();
    row["trials"] = kernel->trials();
    row["why_done"] = kernel->why_done();
    row["error"] = std::string(kernel->status().message());
    nlohmann::ordered_json failed = nlohmann::ordered_json::object();
    for (const auto& [schedule, record] : kernel->records()) {
      if (record.outcome == Outcome::kGood) continue;
      auto& count = failed[std::string(autotuner::OutcomeName(record.outcome))];
      count = count.is_null() ? 1 : count.get<int>() + 1;
    }
    row["failed"] = failed;
    json["kernels"].push_back(row);
  }
  return WriteFile(options.json,
                   json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

// The program's kernels, or the one that --kernel names.
absl::StatusOr<std::vector<KernelTask>> FindTasks(const TuneOptions& options,
                                                  const GlobalOptions& global, const Target& target,
                                                  lowering::KernelCompiler& compiler) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(options.file);
  if (!module.ok()) return module.status();
  ProgramCompiler planner;
  planner.client.tuning_database = global.database;
  planner.compile.attention = global.attention;
  absl::StatusOr<std::vector<hlo::Shape>> shapes = ParseArgumentShapes(options.arg_shapes);
  if (!shapes.ok()) return shapes.status();
  planner.compile.argument_shapes = *std::move(shapes);
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
  options.target = target.device.kind == runtime::DeviceKind::kCuda     ? "cuda"
                   : target.device.kind == runtime::DeviceKind::kVulkan ? "vulkan"
                                                                        : "x86";
  options.device_index = DeviceOfRank(job, target, global.device);
  options.threads = global.threads;
  return options;
}

// Where outputs that the evaluator took long for are kept.
std::string OracleFolder() {
  const absl::StatusOr<Store> store = Store::Open("");
  return store.ok() ? absl::StrCat(store->folder(), "/oracle") : "";
}

std::string DatabaseOf(const GlobalOptions& global) {
  return global.database.empty() ? Database::DefaultPath() : global.database;
}

// Without one, records and the roofline must do.
void AddShippedModel(runtime::DeviceKind kind, History* history) {
  absl::StatusOr<autotuner::CostModel> model = autotuner::ShippedModel(kind);
  if (model.ok()) history->SetModel(*std::move(model));
}

// Compiles candidates for a device that need not be here.
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

// "model.tuning.html" of "programs/model.mlir".
std::string ReportPath(const TuneOptions& options) {
  if (!options.report.empty()) return options.report;
  std::string name = options.file.substr(options.file.rfind('/') + 1);
  name = name.substr(0, std::max<size_t>(1, name.rfind('.')));
  return absl::StrCat(name, ".tuning.html");
}

absl::Status Report(const TuneOptions& options, const GlobalOptions& global, const Target& target,
                    const ProgramTuner& tuner, const autotuner::RunLog& log,
                    lowering::KernelCompiler& compiler) {
  if (options.no_report) return absl::OkStatus();
  absl::StatusOr<std::vector<hlo::Shape>> shapes = ParseArgumentShapes(options.arg_shapes);
  if (!shapes.ok()) return shapes.status();
  const TuneReportOptions report = {.path = ReportPath(options),
                                    .file = options.file,
                                    .argument_shapes = *std::move(shapes),
                                    .target = target,
                                    .quick = interrupted.load()};
  if (absl::Status s = WriteTuneReport(report, global, tuner, log, compiler); !s.ok()) return s;
  printf("the report is in %s\n", report.path.c_str());
  return absl::OkStatus();
}

int Tune(const TuneOptions& options, const GlobalOptions& global) {
  if (options.plan && autotuner::LaunchedProcesses() > 1) {
    fprintf(stderr, "halyard: error: --plan compiles in one process: start it without mpirun\n");
    return kUsage;
  }
  const absl::StatusOr<autotuner::MpiJob> job = JoinRanks();
  if (!job.ok()) return Fail(job.status());
  absl::StatusOr<Target> target = ParseTarget(options.target, global.device);
  if (!target.ok()) return FailTarget(target.status());
  if (global.no_libraries) target->device.libraries = 0;
  if (options.plan && options.bundle.empty()) {
    fprintf(stderr, "halyard: error: --plan needs -o BUNDLE, the file to write\n");
    return kUsage;
  }
  if (!target->live && !options.plan) {
    return Fail(absl::InvalidArgumentError(absl::StrCat(
        "--target=", options.target,
        ": candidates are measured on a device of this machine; --plan -o BUNDLE compiles them for "
        "one that is elsewhere")));
  }
  // A schedule that takes longer to compile is worth less than those tried meanwhile.
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
  absl::StatusOr<Database> database =
      Database::Open(DatabaseOf(global), Database::Mode::kReadWrite);
  if (!database.ok()) return Fail(database.status());
  autotuner::RunLog log;
  if (!options.log.empty()) {
    absl::StatusOr<autotuner::RunLog> file = autotuner::RunLog::OpenFile(options.log);
    if (!file.ok()) return Fail(file.status());
    log = *std::move(file);
  }
  History history(target->device.kind);
  AddShippedModel(target->device.kind, &history);
  if (absl::Status s = history.Load(*database); !s.ok()) return Fail(s);
  std::unique_ptr<autotuner::Trials> trials;
  if (job->size > 1) {
    absl::StatusOr<std::unique_ptr<autotuner::Trials>> ranks = autotuner::TrialsOfRanks(*job);
    if (!ranks.ok()) return Fail(ranks.status());
    trials = *std::move(ranks);
  } else {
    trials = std::make_unique<autotuner::LocalTrials>(
        compiler.get(), WorkersFor(*target, global, *job), OracleFolder());
  }
  autotuner::ProgramTuneOptions tune;
  tune.kernel.most_trials = options.trials;
  tune.kernel.search.seed = options.seed;
  tune.kernel.trial.cold_caches = options.cold;
  tune.seconds = options.minutes * 60;
  tune.stopped = [] { return interrupted.load(); };

  ProgramTuner tuner(*std::move(tasks), &*database, &history, tune);
  Reporter reporter(options, &log);
  const absl::Status status = tuner.Run(*trials, &reporter);
  reporter.Clear();
  PrintTable(tuner, *database);
  if (!options.json.empty()) {
    if (absl::Status s = WriteJson(options, tuner, target->text); !s.ok()) return Fail(s);
  }
  if (!status.ok()) return Fail(status);
  if (options.program && options.kernel.empty() && !interrupted) {
    // Half as long as the kernels took, or a minute.
    const auto begin = std::chrono::steady_clock::now();
    const double most = std::max(60.0, tuner.seconds() / 2);
    const auto stopped = [&] {
      return interrupted.load() ||
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > most;
    };
    absl::StatusOr<bool> changed = TuneChoices(options.file, options.arg_shapes, options.target,
                                               global, &*database, trials.get(), stopped);
    if (!changed.ok()) return Fail(changed.status());
    if (*changed) {
      printf("The program has other kernels now; the same command tunes them.\n");
    }
  }
  if (absl::Status s = Report(options, global, *target, tuner, log, *compiler); !s.ok())
    return Fail(s);
  int result = interrupted ? 130 : kFine;
  for (const auto& kernel : tuner.kernels()) {
    if (kernel->status().ok()) continue;
    PrintError(absl::Status(kernel->status().code(),
                            absl::StrCat("kernel ", kernel->task().name,
                                         " is not tuned: ", kernel->status().message())));
    result = kWrong;
  }
  return result;
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
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--minutes", options->minutes,
                   "End after so long (default: when little more is to be gained)")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", options->seed, "Of what is proposed")->capture_default_str();
  command->add_option("--kernel", options->kernel,
                      "Only this one, by its name or its fingerprint's first 8 digits");
  command->add_flag("--program", options->program,
                    "Then also choose which kernels there are: cuts, what is computed again");
  command->add_flag("--cold", options->cold, "x86: empty the caches before each run");
  command->add_option("--arg-shapes", options->arg_shapes, kArgShapesHelp);
  command->add_option("--report", options->report,
                      "HTML file that shows what was done (default: PROGRAM.tuning.html, here)");
  command->add_flag("--no-report", options->no_report, "Write no HTML file");
  command->add_flag(
      "--plan", options->plan,
      "Measure nothing: compile candidates into a bundle, for `halyard-rt measure` on "
      "the device's machine");
  command->add_option("-o", options->bundle, "The bundle that --plan writes");
  command->add_option("--json", options->json, "File for the table as JSON");
  command->add_option("--log", options->log, "File to append a JSON line per trial to");
  command->callback([options, &global, action] {
    *action = [options, &global] { return Tune(*options, global); };
  });
}

}  // namespace halyard::tools
