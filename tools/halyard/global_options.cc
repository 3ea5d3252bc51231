#include "tools/halyard/global_options.h"

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "tools/command_line.h"
#include "tools/halyard/arrays.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

using Users = std::set<std::string>;

Users With(Users users, const Users& more) {
  users.insert(more.begin(), more.end());
  return users;
}

// Returns the subcommand's name, together with the option that decides which global options it
// uses.
std::string FormOf(const CLI::App& command) {
  const std::string name = command.get_name();
  if (name == "run") {
    const CLI::Option* target = command.get_option("--target");
    if (target->count() > 0 && target->as<std::string>() == "reference")
      return "run --target=reference";
  }
  for (const char* option :
       {"--describe", "--replicas", "--partitions", "--infeed", "--outfeed", "--stage"}) {
    const CLI::Option* there = command.get_option_no_throw(option);
    if (there == nullptr || there->count() == 0) continue;
    if (there->get_name() != "--stage") return absl::StrCat(name, " ", option);
    const std::string stage = there->as<std::string>();
    if (Users{"hlo", "optimized", "choices"}.contains(stage))
      return absl::StrCat(name, " --stage=", stage);
  }
  return name;
}

// Whether all targets are the CPU, of which there is one.
bool IsForCpuOnly(const CLI::App& command) {
  const CLI::Option* target = command.get_option_no_throw("--target");
  if (target == nullptr || target->count() == 0) return false;
  for (const std::string& names : target->results()) {
    for (absl::string_view name : absl::StrSplit(names, ',')) {
      if (name != "x86" && !absl::StartsWith(name, "x86:")) return false;
    }
  }
  return true;
}

}  // namespace

void AddGlobalOptions(CLI::App& app, GlobalOptions* options) {
  ClientOptions& client = options->client;
  CompileOptions& compile = options->compile;
  const auto used_by = [options](const Users& users, CLI::Option* option) {
    options->users.emplace_back(option, users);
    return option;
  };
  const Users grid_runs = {"run --replicas", "run --partitions", "run --infeed", "run --outfeed"};
  const Users runs = With(grid_runs, {"run"});
  const Users uses_schedules = With(runs, {"bench", "check", "compile", "show",
                                           "show --stage=optimized", "show --stage=choices"});
  const Users compiles = With(uses_schedules, {"tune"});
  used_by(With(compiles, {"measure"}),
          app.add_option("--threads", client.threads,
                         "Threads of the CPU's parallel loops (default: one per CPU)"))
      ->check(CLI::Range(1, 4096));
  used_by(With(compiles, {"measure", "devices --describe"}),
          app.add_option("--device", client.device_index,
                         "Which of several devices (see `halyard devices`)"))
      ->check(ZeroOrMore());
  used_by(grid_runs,
          app.add_option("--devices", client.num_devices,
                         "How many logical devices run the processes of a grid, in turn: "
                         "streams of the CPU or GPU, or several GPUs of the same name "
                         "(default: $HALYARD_NUM_DEVICES, else 1)"))
      ->check(CLI::Range(1, Client::kMaxDevices));
  used_by(With(runs, {"check", "compile", "show"}),
          app.add_option("--dump", compile.dump_dir,
                         "Folder for every pass's program, and every kernel's HLO, algorithm, "
                         "schedule, statements and assembly"));
  used_by(compiles, app.add_flag("!--no-libraries", client.use_libraries,
                                 "Let no kernel call a vendor's library (CUDA: cuBLASLt, cuDNN)"));
  used_by(compiles,
          app.add_flag("!--no-attention", compile.attention,
                       "Compile no attention into one kernel: its scores become arrays in memory"));
  // This option is for finding the rewrite that makes a result wrong, so --help does not list it.
  used_by(compiles, app.add_option("--without", compile.without, "Names of rewrites to leave out"))
      ->group("");
  used_by(With(compiles, {"db"}),
          app.add_option("--db", client.tuning_database,
                         "The tuning database, whose best schedules are used (default: "
                         "$HALYARD_TUNING_DB, else in $XDG_DATA_HOME/halyard)"));
  CLI::Option* no_tuning =
      used_by(uses_schedules, app.add_flag("!--no-tuning", client.use_tuning,
                                           "Use default schedules, whatever is recorded"));
  CLI::Option* locked =
      used_by(uses_schedules,
              app.add_flag("--locked", client.locked,
                           "A kernel without a record in the tuning database is an error"))
          ->excludes(no_tuning);
  used_by(uses_schedules,
          app.add_flag("--O0", compile.quick,
                       "Compile every kernel in the least time, however slow it is then; nothing "
                       "of the tuning database is used"))
      ->excludes(locked);
}

absl::Status CheckGlobalOptions(const CLI::App& app, const GlobalOptions& options) {
  const std::string command = FormOf(*app.get_subcommands().front());
  for (const auto& [option, users] : options.users) {
    if (option->count() == 0 || users.contains(command)) continue;
    // If the help does not list an option, its get_name() is empty.
    return absl::InvalidArgumentError(
        absl::StrCat("`halyard ", command, "` does not use --", option->get_lnames().front()));
  }
  if (const int device = options.client.device_index;
      device != 0 && IsForCpuOnly(*app.get_subcommands().front())) {
    return absl::InvalidArgumentError(
        absl::StrCat("--device=", device, " is for GPUs; there is one x86 device"));
  }
  return absl::OkStatus();
}

void AddArgShapes(CLI::App& command, ProgramOptions* options) {
  command.add_option("--arg-shapes", options->arg_shapes,
                     "Shapes of the arguments of a program with dynamic sizes: f32[4,8];s32[2]");
}

void AddProgramOptions(CLI::App& command, ProgramOptions* options) {
  AddArgShapes(command, options);
  command.add_option("--choices", options->choices,
                     "Program-level choices, as `halyard show --stage=choices` prints them");
  command.add_option("--schedules", options->schedules,
                     "Schedules, as `halyard show --stage=schedule` prints them");
}

ClientOptions ClientOptionsFor(const GlobalOptions& global, const std::string& target) {
  ClientOptions client = global.client;
  client.target = target;
  return client;
}

absl::StatusOr<CompileOptions> CompileOptionsFor(const GlobalOptions& global,
                                                 const ProgramOptions& program) {
  CompileOptions compile = global.compile;
  absl::StatusOr<std::vector<hlo::Shape>> shapes = ParseArgumentShapes(program.arg_shapes);
  if (!shapes.ok()) return shapes.status();
  compile.argument_shapes = *std::move(shapes);
  if (!program.choices.empty()) {
    if (absl::Status s = ReadTextFile(program.choices, &compile.choices); !s.ok()) return s;
  }
  if (!program.schedules.empty()) {
    if (absl::Status s = ReadTextFile(program.schedules, &compile.schedules); !s.ok()) return s;
  }
  return compile;
}

}  // namespace halyard::tools
