// halyard tune: finds faster schedules for a program's kernels, and keeps them in the database.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/remote/ranks.h"
#include "autotuner/search/tune_program.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "runtime/device_class.h"
#include "tools/command_line.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"
#include "tools/halyard/tune/tune_plan.h"
#include "tools/halyard/tune/tune_ranks.h"
#include "tools/halyard/tune/tune_run.h"

namespace halyard::tools {
namespace {

using autotuner::Database;
using autotuner::History;
using autotuner::KernelTask;

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
                                             .stopped = [] { return Interrupted(); }},
                                            tasks, history, compiler);
  if (absl::IsCancelled(status)) return 130;
  return status.ok() ? kFine : Fail(status);
}

int Usage(const char* message) {
  fprintf(stderr, "halyard: error: %s\n", message);
  return kUsage;
}

int Tune(const TuneOptions& options, const GlobalOptions& global) {
  if (options.plan && ranks::LaunchedProcesses() > 1)
    return Usage("--plan compiles in one process: start it without mpirun");
  const absl::StatusOr<ranks::MpiJob> job = JoinRanks();
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
  EndOnInterrupt();
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
