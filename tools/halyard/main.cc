// halyard: compiles and runs HLO and StableHLO programs.
#include <optional>

#include "CLI/CLI.hpp"
#include "tools/command_line.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"
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
  AddGlobalOptions(app, &global);
  app.fallthrough();
  app.require_subcommand(1);
  AddRun(app, global, &action);
  AddBench(app, global, &action);
  AddCheck(app, global, &action);
  AddVerify(app, &action);
  AddCompile(app, global, &action);
  AddConvert(app, &action);
  AddShow(app, global, &action);
  AddTune(app, global, &action);
  AddDb(app, global, &action);
  AddMeasureCommand(app, global.client.device_index, global.client.threads, &action);
  AddDevices(app, global, &action);
  if (const std::optional<int> end = ParseCommandLine(app, argc, argv)) return *end;
  if (absl::Status s = CheckGlobalOptions(app, global); !s.ok()) return Fail(s);
  return action();
}

}  // namespace
}  // namespace halyard::tools

int main(int argc, char** argv) {
  return halyard::tools::RunMain("halyard", [&] { return halyard::tools::Main(argc, argv); });
}
