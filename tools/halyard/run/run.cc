// halyard run: one program on one target.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "client/api/custom_call.h"
#include "client/reports/profile.h"
#include "client/tuning/measured_rates.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "tools/command_line.h"
#include "tools/halyard/arrays.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/locate_difference.h"
#include "tools/halyard/report.h"
#include "tools/halyard/run/run_grid.h"
#include "tools/halyard/run/run_ranks.h"
#include "tools/halyard/tune/tune_ranks.h"
#include "tools/output_file.h"

namespace halyard::tools {
namespace {

using Literals = std::vector<hlo::Literal>;

struct RunOptions {
  std::string file, target = "auto", outputs, expect, compare;
  ProgramOptions program;
  std::string profile, profile_json;  // files
  bool profile_table = false;
  InputOptions inputs;
  Tolerance tolerance;
  int repeat = 0;  // 0 stands for one run, or kProfiledRuns runs for a table
  std::vector<std::string> libraries;
  int replicas = 0, partitions = 0;
  FeedFiles feeds;
  double collective_timeout = 0;  // 0 stands for the usual time-out
};

// A table shows the fastest of this many runs.
constexpr int kProfiledRuns = 4;

absl::StatusOr<std::unique_ptr<Executable>> CompileProgram(Client& client,
                                                           const RunOptions& options,
                                                           const GlobalOptions& global) {
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program);
  if (!compile.ok()) return compile.status();
  Progress progress(absl::StrCat("compiling ", options.file));
  compile->num_replicas = options.replicas;
  compile->num_partitions = options.partitions;
  compile->progress = [&progress](int done, int total) { progress.Update(done, total); };
  return client.CompileFile(options.file, *compile);
}

bool SameBits(const Literals& a, const Literals& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const hlo::Literal& x, const hlo::Literal& y) { return x.BitwiseEqual(y); });
}

// Runs the program `repeat` times; the results must have the same bits each time.
absl::StatusOr<Literals> RunRepeatedly(const std::function<absl::StatusOr<Literals>()>& run,
                                       int repeat, bool quiet) {
  absl::StatusOr<Literals> first = run();
  if (!first.ok() || repeat <= 1) return first;
  std::vector<double> times;
  for (int i = 1; i < repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    absl::StatusOr<Literals> again = run();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
    if (!again.ok()) return again;
    if (!SameBits(*first, *again)) {
      return absl::InternalError(
          absl::StrCat("run ", i + 1, " of ", repeat, " gave other results than the first"));
    }
  }
  if (!quiet) {
    std::sort(times.begin(), times.end());
    printf("%d runs, the same results each time; median %s ms with copies to and from the device\n",
           repeat, Milliseconds(times[times.size() / 2]).c_str());
  }
  return first;
}

bool IsGridRun(const RunOptions& options) {
  return options.replicas > 0 || options.partitions > 0 || !options.feeds.infeed.empty() ||
         !options.feeds.outfeed.empty();
}

absl::StatusOr<Literals> RunOnReference(const hlo::Module& module, const RunOptions& options,
                                        const std::vector<Literals>& arguments) {
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create({.target = "reference"});
  if (!client.ok()) return client.status();
  absl::StatusOr<std::unique_ptr<Executable>> executable = (*client)->Compile(
      module, {.num_replicas = options.replicas, .num_partitions = options.partitions});
  if (!executable.ok()) return executable.status();
  if (!IsGridRun(options)) return (*executable)->RunLiterals(arguments[0]);
  absl::StatusOr<GridResults> results =
      RunGridOnce(**executable, arguments, {.infeed = options.feeds.infeed});
  if (!results.ok()) return results.status();
  return results->Flattened();
}

// Returns false if the results differ, and says where the first difference is.
absl::StatusOr<bool> CompareWithReference(Client& client, const RunOptions& options,
                                          const std::vector<Literals>& arguments,
                                          const Literals& results) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(options.file);
  if (!module.ok()) return module.status();
  absl::StatusOr<Literals> wanted = RunOnReference(**module, options, arguments);
  if (!wanted.ok()) return wanted.status();
  int64_t wrong = -1;
  for (size_t i = 0; i < results.size(); ++i) {
    absl::StatusOr<hlo::Difference> d = CompareWithin(results[i], (*wanted)[i], options.tolerance);
    if (!d.ok()) return d.status();
    if (!d->within && wrong < 0) wrong = static_cast<int64_t>(i);
    printf("out%zu: %s the reference, %s\n", i, d->within ? "agrees with" : "DIFFERS from",
           Describe(*d, results[i].shape()).c_str());
  }
  if (wrong < 0) return true;
  if (IsGridRun(options)) {
    PrintError(absl::InternalError(absl::StrCat(options.file, ": the results differ")));
    return false;
  }
  if (hlo::NeedsSpecialization(**module)) {
    std::vector<hlo::Shape> shapes;
    for (const hlo::Literal& argument : arguments[0]) shapes.push_back(argument.shape());
    absl::StatusOr<std::unique_ptr<hlo::Module>> made = hlo::SpecializeForShapes(**module, shapes);
    if (!made.ok()) {
      PrintError(absl::InternalError(
          absl::StrCat(options.file,
                       ": the results differ; where that begins is found only in programs whose "
                       "sizes follow from their arguments' shapes")));
      return false;
    }
    *module = *std::move(made);
  }
  absl::StatusOr<std::string> where =
      LocateDifference(client, **module, arguments[0], wrong, options.tolerance);
  if (!where.ok()) return where.status();
  PrintError(absl::InternalError(absl::StrCat(options.file, ": ", *where)));
  return false;
}

// Refuses options that would do nothing.
absl::Status CheckUseful(const RunOptions& options) {
  const bool plans = options.target != "reference";
  if (!plans && !(options.program.choices.empty() && options.program.schedules.empty())) {
    return absl::InvalidArgumentError(
        "--target=reference evaluates the program op by op; there are no kernels for --choices and "
        "--schedules");
  }
  const Tolerance& tolerance = options.tolerance;
  const bool compares = !options.compare.empty() || !options.expect.empty();
  if (!compares && (tolerance.rtol || tolerance.atol || tolerance.of_largest)) {
    return absl::InvalidArgumentError(
        "--rtol, --atol and --of-largest are for --expect and --compare");
  }
  return absl::OkStatus();
}

bool WantsTable(const RunOptions& options) {
  return options.profile_table || !options.profile_json.empty();
}

// Checks, before the run, the files that it will write.
absl::Status CheckOutputFiles(const RunOptions& options) {
  for (const std::string* file : {&options.profile, &options.profile_json}) {
    if (file->empty()) continue;
    if (absl::Status s = CheckWritable(*file); !s.ok()) return s;
  }
  for (const std::string* file : {&options.outputs, &options.feeds.outfeed}) {
    if (file->empty()) continue;
    if (absl::Status s = CheckArrayFile(*file); !s.ok()) return s;
  }
  const auto place = [](const std::string& file) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
  };
  if (!options.profile.empty() && !options.profile_json.empty() &&
      place(options.profile) == place(options.profile_json)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--profile and --profile-json name the same file, ", options.profile));
  }
  return absl::OkStatus();
}

absl::Status WriteProfile(const RunOptions& options, const ClientOptions& client,
                          const Executable& executable) {
  if (!options.profile.empty()) {
    absl::Status status = WriteFile(options.profile, TraceJson(*client.profile));
    if (!status.ok()) return status;
  }
  if (!WantsTable(options)) return absl::OkStatus();
  ClientOptions plain = client;
  plain.profile = nullptr;
  absl::StatusOr<MeasuredRates> rates = MeasureRates(plain);
  if (!rates.ok()) return rates.status();
  const ProfileTable table = Tabulate(*client.profile, *rates);
  if (options.profile_table) {
    const MemoryPlan memory = executable.memory_plan();
    fputs(TableText(*client.profile, table, *rates).c_str(), stdout);
    printf("%s\n", memory.total() == 0 ? "" : absl::StrCat(MemoryLine(memory), "\n").c_str());
  }
  if (options.profile_json.empty()) return absl::OkStatus();
  return WriteFile(options.profile_json, TableJson(*client.profile, table, *rates));
}

// Creates a client for this rank's device: GPUs of the same name are shared out among the ranks of
// a machine.
absl::StatusOr<std::unique_ptr<Client>> CreateClient(ClientOptions* options,
                                                     const GridRanks* ranks) {
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(*options);
  if (!client.ok() || ranks == nullptr || ranks->local_rank() == 0 ||
      (*client)->target().device.kind == runtime::DeviceKind::kReference) {
    return client;
  }
  const int device = DeviceOfRank(ranks->local_rank(), (*client)->target(), options->device_index);
  if (device == options->device_index) return client;
  options->device_index = device;
  return Client::Create(*options);
}

// Writes, prints and compares the results.
absl::StatusOr<bool> ReportResults(const RunOptions& options, Client& client,
                                   const std::vector<Literals>& arguments, const Literals& results,
                                   const GridResults& grid) {
  if (!options.outputs.empty()) {
    if (absl::Status s = WriteResults(options.outputs, results); !s.ok()) return s;
  } else if (options.expect.empty() && options.compare.empty()) {
    if (IsGridRun(options)) PrintGrid(grid);
    for (size_t i = 0; !IsGridRun(options) && i < results.size(); ++i)
      puts(Summary(absl::StrCat("out", i), results[i]).c_str());
  }
  bool good = true;
  if (!options.expect.empty()) {
    std::string report;
    absl::StatusOr<bool> same =
        CompareWithFile(results, options.expect, options.tolerance, &report);
    if (!same.ok()) return same;
    fputs(report.c_str(), stdout);
    if (!*same) {
      PrintError(absl::InternalError(
          absl::StrCat(options.file, ": the results are not those of ", options.expect)));
    }
    good = *same;
  }
  if (!options.compare.empty()) {
    absl::StatusOr<bool> same = CompareWithReference(client, options, arguments, results);
    if (!same.ok()) return same;
    good = good && *same;
  }
  return good;
}

// `ranks` is null unless the processes are spread over several ranks, of which rank 0 reports.
int RunHere(const RunOptions& options, const GlobalOptions& global, GridRanks* ranks) {
  const bool reports = ranks == nullptr || ranks->rank() == 0;
  // Tells the other ranks of an error of this rank alone, so that they do not wait for it.
  const auto tell = [&](const absl::Status& status) {
    if (ranks != nullptr) ranks->GiveUp(status);
    return status;
  };
  for (const std::string& library : options.libraries) {
    if (absl::Status s = LoadCustomCalls(library); !s.ok()) return Fail(tell(s));
  }
  if (reports) {
    if (absl::Status s = CheckOutputFiles(options); !s.ok()) return Fail(tell(s));
  }
  ClientOptions client_options = ClientOptionsFor(global, options.target);
  client_options.guard_results = !options.compare.empty();
  const bool profiled = !options.profile.empty() || WantsTable(options);
  if (profiled) client_options.profile = std::make_shared<Profile>();
  absl::StatusOr<std::unique_ptr<Client>> client = CreateClient(&client_options, ranks);
  if (!client.ok()) return FailTarget(tell(client.status()));
  if (profiled && (*client)->target().device.kind == runtime::DeviceKind::kReference) {
    return Fail(tell(absl::InvalidArgumentError(
        "--target=reference evaluates the program op by op; there are no kernels to profile")));
  }
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      CompileProgram(**client, options, global);
  if (!executable.ok()) return Fail(tell(executable.status()));
  const int64_t processes = IsGridRun(options) ? (*executable)->grid().size() : 1;
  absl::StatusOr<std::vector<Literals>> arguments =
      ReadGridArguments(options.inputs, options.file, (*executable)->parameter_shapes(), processes);
  if (!arguments.ok()) return Fail(tell(arguments.status()));
  const int repeat = options.repeat > 0 ? options.repeat : WantsTable(options) ? kProfiledRuns : 1;
  GridResults grid;
  const auto run = [&]() -> absl::StatusOr<Literals> {
    if (!IsGridRun(options)) return (*executable)->RunLiterals((*arguments)[0]);
    absl::StatusOr<GridResults> results =
        RunGridOnce(**executable, *arguments, options.feeds, ranks);
    if (!results.ok()) return results.status();
    grid = *std::move(results);
    return grid.Flattened();
  };
  absl::StatusOr<Literals> results = RunRepeatedly(run, repeat, profiled || !reports);
  if (!results.ok()) return Fail(tell(results.status()));
  if (!reports) return kFine;
  if (ranks != nullptr) ranks->OnFailure(nullptr);  // all have done their part
  if (profiled) {
    if (absl::Status s = WriteProfile(options, client_options, **executable); !s.ok())
      return Fail(s);
  }
  absl::StatusOr<bool> good = ReportResults(options, **client, *arguments, *results, grid);
  if (!good.ok()) return Fail(good.status());
  return *good ? kFine : kWrong;
}

int Run(const RunOptions& options, const GlobalOptions& global) {
  if (absl::Status s = CheckUseful(options); !s.ok()) return Fail(s);
  std::unique_ptr<GridRanks> ranks;
  if (IsGridRun(options)) {
    absl::StatusOr<std::unique_ptr<GridRanks>> joined = JoinGridRanks(
        options.collective_timeout > 0 ? options.collective_timeout : GridRanks::kTimeoutSeconds);
    if (!joined.ok()) return Fail(joined.status());
    ranks = *std::move(joined);
  }
  if (options.collective_timeout > 0 && ranks == nullptr) {
    return Fail(absl::InvalidArgumentError(
        "--collective-timeout is for processes that mpirun spreads over several ranks: mpirun -n N "
        "halyard run --replicas=R --partitions=P"));
  }
  return RunHere(options, global, ranks.get());
}

}  // namespace

void AddRun(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a program");
  command->add_option("FILE", options->file, "HLO text or proto, or StableHLO text")->required();
  command->add_option("--target", options->target,
                      "auto, reference, x86, cuda or vulkan; see `halyard devices`");
  CLI::Option* inputs = command->add_option("--inputs", options->inputs.file,
                                            ".npz file with the arguments arg0, arg1, ...");
  command
      ->add_option("--random-inputs", options->inputs.seed, "Make the arguments up, from this seed")
      ->excludes(inputs);
  command->add_option("--outputs", options->outputs,
                      ".npz file to write the results to: out0, out1, ...");
  command->add_option("--expect", options->expect, ".npz file with the results that are right");
  command
      ->add_option("--rtol", options->tolerance.rtol,
                   "Tolerance relative to each element (default: by type)")
      ->check(ZeroOrMore());
  command->add_option("--atol", options->tolerance.atol, "Absolute tolerance (default: by type)")
      ->check(ZeroOrMore());
  command
      ->add_option("--of-largest", options->tolerance.of_largest,
                   "Tolerance of floats relative to the largest of each result, in place of these; "
                   "other types must be equal")
      ->check(ZeroOrMore())
      ->excludes("--rtol")
      ->excludes("--atol");
  command
      ->add_option("--compare", options->compare,
                   "Compare the results with the reference's, and name what differs first")
      ->check(CLI::IsMember({"reference"}));
  command->add_option("--repeat", options->repeat, "Run this often")->check(AboveZero());
  command->add_option("--profile", options->profile,
                      "File for a trace of compiling, copies and kernels, which Perfetto "
                      "(ui.perfetto.dev) and chrome://tracing open");
  command->add_flag("--profile-table", options->profile_table,
                    "Print what each kernel takes, beside what the device can do");
  command->add_option("--profile-json", options->profile_json, "File for that table as JSON");
  command->add_option("--load", options->libraries,
                      "Library with functions that the program calls (custom-call)");
  command
      ->add_option("--replicas", options->replicas,
                   "Run this many replicas, with the same arguments, or with what --inputs has "
                   "as process0.arg0, ...; `mpirun -n N` spreads them over N ranks")
      ->check(CLI::Range(1, 1024));
  command->add_option("--partitions", options->partitions, "The same for partitions")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option(
          "--collective-timeout", options->collective_timeout,
          "Under mpirun, which spreads the processes over its ranks: seconds after which a "
          "rank that says nothing is lost (60)")
      ->check(CLI::Range(0.1, 1e6));
  command->add_option("--infeed", options->feeds.infeed,
                      ".npz file with what every process reads from its infeed: in0, in1, ..., or "
                      "in0.0, in0.1, ... for an item of several arrays");
  command->add_option("--outfeed", options->feeds.outfeed,
                      ".npz file to write the outfeeds to: process0.out0.0, ...");
  AddProgramOptions(*command, &options->program);
  command->callback([options, &global, action] {
    *action = [options, &global] { return Run(*options, global); };
  });
}

}  // namespace halyard::tools
