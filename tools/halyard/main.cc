// halyard: compiles and runs HLO and StableHLO programs.
#include <optional>

#include "CLI/CLI.hpp"
#include "tools/command_line.h"
#include "tools/halyard/command.h"
#include "tools/measure_command.h"

namespace halyard::tools {
namespace {

constexpr char kDescription[] =
    "Halyard compiles HLO and StableHLO programs to Halide kernels, and runs them on x86, CUDA and "
    "Vulkan.";

int Main(int argc, char** argv) {
  GlobalOptions global;
  Action action;
  CLI::App app(kDescription, "halyard");
  app.set_version_flag("--version", "halyard " HALYARD_VERSION);
  app.add_option("--threads", global.threads,
                 "Threads of the CPU's parallel loops (default: one per CPU)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--device", global.device, "Which of several devices (see `halyard devices`)")
      ->check(ZeroOrMore());
  app.add_option("--dump", global.dump,
                 "Folder for every pass's program, and every kernel's HLO, algorithm, schedule, "
                 "statements and assembly");
  app.add_flag("--no-libraries", global.no_libraries,
               "Let no kernel call a vendor's library (CUDA: cuBLASLt, cuDNN)");
  app.add_flag("!--no-attention", global.attention,
               "Compile no attention into one kernel: its scores become arrays in memory");
  // For whoever looks for the rewrite that makes a result wrong; in no help.
  app.add_option("--without", global.without, "Names of rewrites to leave out")->group("");
  app.add_option("--db", global.database,
                 "The tuning database, whose best schedules are used (default: $HALYARD_TUNING_DB, "
                 "else in $XDG_DATA_HOME/halyard)");
  CLI::Option* no_tuning =
      app.add_flag("--no-tuning", global.no_tuning, "Use default schedules, whatever is recorded");
  app.add_flag("--locked", global.locked,
               "A kernel without a record in the tuning database is an error")
      ->excludes(no_tuning);
  app.fallthrough();
  app.require_subcommand(1);
  AddRun(app, global, &action);
  AddBench(app, global, &action);
  AddCheck(app, global, &action);
  AddVerify(app, global, &action);
  AddCompile(app, global, &action);
  AddConvert(app, global, &action);
  AddShow(app, global, &action);
  AddTune(app, global, &action);
  AddDb(app, global, &action);
  AddMeasureCommand(app, global.device, global.threads, &action);
  AddDevices(app, global, &action);
  if (const std::optional<int> end = ParseCommandLine(app, argc, argv)) return *end;
  return action();
}

}  // namespace
}  // namespace halyard::tools

int main(int argc, char** argv) {
  return halyard::tools::RunMain("halyard", [&] { return halyard::tools::Main(argc, argv); });
}
