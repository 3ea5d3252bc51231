// halyard-rt: the command for machines that have a device but no compiler. It contains the runtime,
// without Halide and LLVM.
//
//   halyard-rt worker --target=x86|vulkan|cuda [--device=N] [--threads=N] [--memory=BYTES]
//     Runs candidates for `halyard tune` (autotuner/measure/worker.h). Its standard input is the
//     socket to the tuner.
//   halyard-rt measure BUNDLE -o RECORDS [--device=N] [--threads=N]
//     Measures candidates that `halyard tune --plan` has compiled on another machine
//     (autotuner/bundle/measure_bundle.h).
//   halyard-rt run|bench|info FILE
//     Runs a program file or a bundle of `halyard compile`, times it, or says what it holds.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "autotuner/measure/worker.h"
#include "frontend/files/address_space.h"
#include "runtime/backends/backends.h"
#include "tools/command_line.h"
#include "tools/measure_command.h"
#include "tools/program_commands.h"

namespace halyard {
namespace {

struct Options {
  std::string target = "x86";
  int device = 0, threads = 0;
  int64_t memory = 0;
};

std::vector<std::string> BackendNames() {
  std::vector<std::string> names;
  for (const runtime::Backend& backend : runtime::kBackends) names.push_back(backend.name());
  return names;
}

int Work(const Options& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a candidate that never ends does not outlive its tuner
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  runtime::Device* device = nullptr;
  const runtime::OpenOptions open = {.threads = static_cast<uint32_t>(options.threads)};
  const runtime::Status status = runtime::BackendNamed(options.target.c_str())
                                     ->open(static_cast<uint32_t>(options.device), open, &device);
  if (!status.ok()) {
    fprintf(stderr, "halyard-rt: error: %s: %s\n", options.target.c_str(), status.message());
    return 1;
  }
  // GPU drivers map far more than they use.
  if (options.memory > 0 && options.target == "x86") LimitAddressSpace(options.memory);
  const int served = autotuner::ServeTrials(device, STDIN_FILENO);
  device->Destroy();
  return served;
}

int Main(int argc, char** argv) {
  CLI::App app("Runs what Halyard has compiled, without the compiler", "halyard-rt");
  app.require_subcommand(1);
  app.fallthrough();
  Options options;
  std::function<int()> action;
  app.add_option("--device", options.device, "Which of several devices")
      ->check(tools::ZeroOrMore());
  app.add_option("--threads", options.threads, "x86: threads; 0: all CPUs")
      ->check(CLI::Range(0, 4096));
  CLI::App* worker = app.add_subcommand("worker", "Run candidates for `halyard tune`");
  worker->add_option("--target", options.target, "x86, vulkan or cuda")
      ->check(CLI::IsMember(BackendNames()))
      ->capture_default_str();
  worker->add_option("--memory", options.memory, "x86: bytes that candidates may map; 0: no limit");
  worker->callback([&] { action = [&options] { return Work(options); }; });
  tools::AddMeasureCommand(app, options.device, options.threads, &action);
  tools::AddProgramCommands(app, options.device, options.threads, &action);
  if (const std::optional<int> end = tools::ParseCommandLine(app, argc, argv)) return *end;
  return action();
}

}  // namespace
}  // namespace halyard

int main(int argc, char** argv) {
  return halyard::tools::RunMain("halyard-rt", [&] { return halyard::Main(argc, argv); });
}
