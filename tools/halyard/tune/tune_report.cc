#include "tools/halyard/tune/tune_report.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/measure/paired_rounds.h"
#include "autotuner/report/run_report.h"
#include "client/api/client.h"
#include "client/tuning/measured_rates.h"
#include "tools/halyard/arrays.h"
#include "tools/halyard/report.h"
#include "tools/output_file.h"

namespace halyard::tools {
namespace {

using autotuner::ProgramTuner;
using autotuner::TuningReport;

ClientOptions ClientOf(const TuneReportOptions& options, const GlobalOptions& global, bool tuned) {
  ClientOptions client = ClientOptionsFor(global, options.target.text);
  client.use_tuning = tuned;
  return client;
}

// The program, compiled with the schedules of the database or without them.
struct Contender {
  std::unique_ptr<Client> client;
  std::unique_ptr<Executable> program;
  std::vector<Buffer> arguments;
};

absl::StatusOr<Contender> MakeContender(const TuneReportOptions& options,
                                        const GlobalOptions& global, bool tuned) {
  Contender made;
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(ClientOf(options, global, tuned));
  if (!client.ok()) return client.status();
  made.client = *std::move(client);
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program);
  if (!compile.ok()) return compile.status();
  absl::StatusOr<std::unique_ptr<Executable>> program =
      made.client->CompileFile(options.file, *compile);
  if (!program.ok()) return program.status();
  made.program = *std::move(program);
  absl::StatusOr<std::vector<hlo::Literal>> literals =
      ReadArguments({.seed = 0}, options.file, made.program->parameter_shapes());
  if (!literals.ok()) return literals.status();
  for (const hlo::Literal& literal : *literals) {
    absl::StatusOr<Buffer> buffer = made.client->BufferFromLiteral(literal);
    if (!buffer.ok()) return buffer.status();
    made.arguments.push_back(*std::move(buffer));
  }
  return made;
}

absl::StatusOr<double> SecondsOfRun(Contender& contender) {
  const auto start = std::chrono::steady_clock::now();
  absl::StatusOr<std::vector<Buffer>> results =
      contender.program->Run(contender.arguments, {.asynchronous = false});
  if (!results.ok()) return results.status();
  for (const Buffer& result : *results) {
    if (absl::Status s = result.Wait(); !s.ok()) return s;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Runs both in turns until the medians are known or three seconds are over.
absl::Status TimeProgram(const TuneReportOptions& options, const GlobalOptions& global,
                         TuningReport* report) {
  absl::StatusOr<Contender> tuned = MakeContender(options, global, true);
  if (!tuned.ok()) return tuned.status();
  absl::StatusOr<Contender> plain = MakeContender(options, global, false);
  if (!plain.ok()) return plain.status();
  autotuner::PairedRounds rounds;
  const auto start = std::chrono::steady_clock::now();
  for (int round = -1; round < 100; ++round) {  // the first is not counted
    double seconds[2];
    for (int turn = 0; turn < 2; ++turn) {
      const int which = (turn + round + 2) % 2;
      absl::StatusOr<double> run = SecondsOfRun(which == 0 ? *tuned : *plain);
      if (!run.ok()) return run.status();
      seconds[which] = *run;
    }
    if (round >= 0) rounds.Add(seconds[0], seconds[1]);
    if (round >= 4 && std::chrono::steady_clock::now() - start > std::chrono::seconds(3)) break;
  }
  report->best_seconds = rounds.candidate();
  report->default_seconds = rounds.best();
  return absl::OkStatus();
}

void FindRates(const TuneReportOptions& options, const GlobalOptions& global,
               TuningReport* report) {
  absl::StatusOr<MeasuredRates> rates = MeasureRates(ClientOf(options, global, false));
  if (rates.ok() && rates->copy_bytes_per_s > 0 && rates->f32_flops_per_s > 0) {
    report->copy_bytes_per_s = rates->copy_bytes_per_s;
    report->flops_per_s = rates->f32_flops_per_s;
    report->rates_are_measured = true;
    return;
  }
  if (!rates.ok()) PrintError(rates.status());
  report->copy_bytes_per_s = static_cast<double>(options.target.device.memory_bandwidth);
  report->flops_per_s = static_cast<double>(options.target.device.f32_flops);
}

// Prints the best schedules as Halide calls.
void FindCalls(const ProgramTuner& tuner, lowering::KernelCompiler& compiler,
               TuningReport* report) {
  std::vector<lowering::KernelRequest> requests;
  for (const auto& kernel : tuner.kernels()) {
    requests.push_back(kernel->task().request);
    requests.back().schedule = kernel->best_schedule();
    requests.back().dump = true;
  }
  const std::vector<absl::StatusOr<lowering::KernelReply>> replies = compiler.Compile(requests);
  for (size_t k = 0; k < replies.size(); ++k) {
    if (replies[k].ok()) report->kernels[k].halide_calls = replies[k]->dump.schedule;
  }
}

std::string Now() {
  const time_t now = time(nullptr);
  tm parts;
  char text[40] = "";
  if (gmtime_r(&now, &parts) != nullptr) strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

}  // namespace

absl::Status WriteTuneReport(const TuneReportOptions& options, const GlobalOptions& global,
                             const ProgramTuner& tuner, const autotuner::RunLog& log,
                             lowering::KernelCompiler& compiler) {
  TuningReport report;
  report.program = options.file;
  report.target = options.target.text;
  report.device = options.target.device.name;
  report.machine = autotuner::MachineName(options.target.device);
  report.date = Now();
  report.versions = absl::StrCat("Halyard " HALYARD_VERSION ", Halide ", lowering::HalideVersion());
  report.tuning_seconds = options.seconds;
  report.kernels = autotuner::ReportKernels(tuner, log.trials());
  FindCalls(tuner, compiler, &report);
  if (options.quick) return WriteFile(options.path, autotuner::ReportHtml(report));
  FindRates(options, global, &report);
  if (absl::Status s = TimeProgram(options, global, &report); !s.ok()) {
    fprintf(stderr, "halyard: note: the whole program is not timed: %s\n",
            std::string(s.message()).c_str());
  }
  return WriteFile(options.path, autotuner::ReportHtml(report));
}

}  // namespace halyard::tools
