// halyard bench: measures how long programs take to compile, to load from the cache, and to run.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/api/client.h"
#include "frontend/files/system_error.h"
#include "nlohmann/json.hpp"
#include "tools/command_line.h"
#include "tools/halyard/arrays.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"
#include "tools/output_file.h"

namespace halyard::tools {
namespace {

struct BenchOptions {
  std::vector<std::string> files, targets = {"auto"};
  InputOptions inputs;
  int repeat = 0;  // number of runs; 0: until min_seconds are over
  bool no_fuse = false;
  double min_seconds = 1;
  std::string json;
  ProgramOptions program;
};

struct Row {
  std::string file, target, device;
  double compile_cold_ms = 0, load_warm_ms = 0, first_run_ms = 0;
  std::vector<double> runs_ms;  // sorted
  int64_t arena_bytes = 0, memory_bytes = 0;

  double Quantile(double q) const {
    return runs_ms[static_cast<size_t>(q * static_cast<double>(runs_ms.size() - 1) + 0.5)];
  }
};

class Stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

char folder_to_remove[4096] = "";  // of the TemporaryCache; "": none

// Removes the folder, whose entries are files, and lets the signal end the process. A signal may
// come at any time, so this only makes system calls.
void OnEndingSignal(int signal) {
  const int folder = open(folder_to_remove, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  alignas(dirent64) char entries[8192];
  ssize_t bytes = 0;
  while (folder >= 0 && (bytes = getdents64(folder, entries, sizeof(entries))) > 0) {
    for (ssize_t at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      unlinkat(folder, entry->d_name, 0);
      at += entry->d_reclen;
    }
  }
  rmdir(folder_to_remove);
  raise(signal);
}

void RemoveAtEndingSignals(const std::string& folder) {
  if (folder.size() >= sizeof(folder_to_remove)) return;
  memcpy(folder_to_remove, folder.c_str(), folder.size() + 1);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = OnEndingSignal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

// An empty cache, which is deleted afterwards, so that the first compile is cold.
class TemporaryCache {
 public:
  static absl::StatusOr<std::unique_ptr<TemporaryCache>> Create() {
    std::error_code error;
    const std::filesystem::path base = std::filesystem::temp_directory_path(error);
    std::string path = (error ? std::filesystem::path("/tmp") : base) / "halyard-bench-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat("cannot make a folder ", path));
    }
    return std::make_unique<TemporaryCache>(path);
  }
  explicit TemporaryCache(std::string path) : path_(std::move(path)) {
    RemoveAtEndingSignals(path_);
  }
  ~TemporaryCache() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    folder_to_remove[0] = '\0';
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Compiles or loads the program in a new client; `*ms` is the time that CompileFile takes.
struct Loaded {
  std::unique_ptr<Client> client;
  std::unique_ptr<Executable> executable;
};
absl::StatusOr<Loaded> Load(const std::string& file, const ClientOptions& options,
                            const CompileOptions& compile, double* ms) {
  Loaded loaded;
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(options);
  if (!client.ok()) return client.status();
  loaded.client = *std::move(client);
  const Stopwatch watch;
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      loaded.client->CompileFile(file, compile);
  *ms = watch.ms();
  if (!executable.ok()) return executable.status();
  loaded.executable = *std::move(executable);
  return loaded;
}

absl::StatusOr<double> TimeRun(Executable& executable, const std::vector<Buffer>& arguments) {
  const Stopwatch watch;
  absl::StatusOr<std::vector<Buffer>> results = executable.Run(arguments, {.asynchronous = false});
  if (!results.ok()) return results.status();
  for (const Buffer& result : *results) {
    if (absl::Status s = result.Wait(); !s.ok()) return s;
  }
  return watch.ms();
}

absl::Status TimeRuns(const Loaded& loaded, const BenchOptions& options, Row* row) {
  InputOptions inputs = options.inputs;
  if (inputs.file.empty() && !inputs.seed.has_value()) inputs.seed = 0;
  absl::StatusOr<std::vector<hlo::Literal>> literals =
      ReadArguments(inputs, row->file, loaded.executable->parameter_shapes());
  if (!literals.ok()) return literals.status();
  std::vector<Buffer> arguments;
  for (const hlo::Literal& literal : *literals) {
    absl::StatusOr<Buffer> buffer = loaded.client->BufferFromLiteral(literal);
    if (!buffer.ok()) return buffer.status();
    if (absl::Status s = buffer->Wait(); !s.ok()) return s;
    arguments.push_back(*std::move(buffer));
  }
  absl::StatusOr<double> ms = TimeRun(*loaded.executable, arguments);
  if (!ms.ok()) return ms.status();
  row->first_run_ms = *ms;
  constexpr size_t kFewest = 3, kMost = 1000000;
  const size_t fewest = options.repeat > 0 ? static_cast<size_t>(options.repeat) : kFewest;
  const Stopwatch watch;
  while (row->runs_ms.size() < fewest ||
         (options.repeat == 0 && watch.ms() < options.min_seconds * 1e3 &&
          row->runs_ms.size() < kMost)) {
    ms = TimeRun(*loaded.executable, arguments);
    if (!ms.ok()) return ms.status();
    row->runs_ms.push_back(*ms);
  }
  std::sort(row->runs_ms.begin(), row->runs_ms.end());
  return absl::OkStatus();
}

absl::Status Measure(const BenchOptions& options, const GlobalOptions& global, Row* row) {
  absl::StatusOr<std::unique_ptr<TemporaryCache>> cache = TemporaryCache::Create();
  if (!cache.ok()) return cache.status();
  ClientOptions client = ClientOptionsFor(global, row->target);
  client.cache_dir = (*cache)->path();
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program);
  if (!compile.ok()) return compile.status();
  compile->fuse = !options.no_fuse;
  {
    Progress progress(absl::StrCat("compiling ", row->file, " for ", row->target));
    CompileOptions cold_options = *compile;
    cold_options.progress = [&progress](int done, int total) { progress.Update(done, total); };
    absl::StatusOr<Loaded> cold = Load(row->file, client, cold_options, &row->compile_cold_ms);
    if (!cold.ok()) return cold.status();
  }
  absl::StatusOr<Loaded> warm = Load(row->file, client, *compile, &row->load_warm_ms);
  if (!warm.ok()) return warm.status();
  row->device = warm->client->target().device.name;
  row->arena_bytes = warm->executable->arena_bytes();
  row->memory_bytes = warm->executable->memory_plan().total();
  return TimeRuns(*warm, options, row);
}

std::string JsonLine(const Row& row) {
  nlohmann::ordered_json line;
  line["file"] = row.file;
  line["target"] = row.target;
  line["device"] = row.device;
  line["compile_cold_ms"] = row.compile_cold_ms;
  line["load_warm_ms"] = row.load_warm_ms;
  line["first_run_ms"] = row.first_run_ms;
  line["median_ms"] = row.Quantile(0.5);
  line["min_ms"] = row.runs_ms.front();
  line["p90_ms"] = row.Quantile(0.9);
  line["runs"] = row.runs_ms.size();
  line["arena_bytes"] = row.arena_bytes;
  line["memory_bytes"] = row.memory_bytes;
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

absl::Status AppendLines(const std::string& path, const std::string& lines) {
  FILE* file = fopen(path.c_str(), "ab");
  const bool good = file != nullptr && fputs(lines.c_str(), file) >= 0;
  int error = good ? 0 : errno;
  if (file != nullptr && fclose(file) != 0 && error == 0) error = errno;
  if (error == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("cannot write ", path, ": ", SystemErrorText(error)));
}

int Bench(const BenchOptions& options, const GlobalOptions& global) {
  std::vector<std::vector<std::string>> table = {{"file", "target", "compile cold", "load warm",
                                                  "first run", "median", "min", "p90", "runs",
                                                  "arena bytes", "memory", "device"}};
  for (const std::string& target : options.targets) {
    absl::StatusOr<Target> known = ParseTarget(target, global.client.device_index);
    if (!known.ok()) return FailTarget(known.status());
  }
  if (!options.json.empty()) {
    if (absl::Status s = CheckWritable(options.json); !s.ok()) return Fail(s);
  }
  std::string lines;
  int status = kFine;
  for (const std::string& file : options.files) {
    for (const std::string& target : options.targets) {
      Row row;
      row.file = file;
      row.target = target;
      if (absl::Status s = Measure(options, global, &row); !s.ok()) {
        PrintError(s);
        status = kWrong;
        continue;
      }
      table.push_back({file, target, Milliseconds(row.compile_cold_ms),
                       Milliseconds(row.load_warm_ms), Milliseconds(row.first_run_ms),
                       Milliseconds(row.Quantile(0.5)), Milliseconds(row.runs_ms.front()),
                       Milliseconds(row.Quantile(0.9)), absl::StrCat(row.runs_ms.size()),
                       absl::StrCat(row.arena_bytes), BytesText(row.memory_bytes), row.device});
      lines += JsonLine(row);
    }
  }
  if (table.size() > 1) {
    fputs(Columns(table).c_str(), stdout);
    puts("Times in ms.");
  }
  if (!options.json.empty()) {
    if (absl::Status s = AppendLines(options.json, lines); !s.ok()) return Fail(s);
  }
  return status;
}

}  // namespace

void AddBench(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand(
      "bench", "Time programs: compiling, loading from the cache, running with inputs in place");
  command->add_option("FILE", options->files, "HLO text or proto, or StableHLO text")->required();
  command->add_option("--target", options->targets, "Targets, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  CLI::Option* inputs = command->add_option("--inputs", options->inputs.file,
                                            ".npz file with the arguments arg0, arg1, ...");
  command
      ->add_option("--random-inputs", options->inputs.seed,
                   "Make the arguments up, from this seed (default: 0)")
      ->excludes(inputs);
  command->add_option("--repeat", options->repeat, "Run this often, however long it takes")
      ->check(AboveZero());
  command->add_option("--min-time", options->min_seconds, "Seconds to go on running")
      ->check(ZeroOrMore())
      ->capture_default_str();
  AddProgramOptions(*command, &options->program);
  command->add_option("--json", options->json, "File to append a JSON line per row to");
  command->add_flag("--no-fuse", options->no_fuse,
                    "A kernel per instruction: what fusion is worth");
  command->callback([options, &global, action] {
    *action = [options, &global] { return Bench(*options, global); };
  });
}

}  // namespace halyard::tools
