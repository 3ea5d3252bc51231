// halyard-rt: what runs on a machine that has a device but no compiler. It holds the runtime alone:
// no Halide, no LLVM.
//
//   halyard-rt worker --target=x86|vulkan|cuda [--device=N] [--threads=N] [--memory=BYTES]
//     Runs candidates for `halyard tune` (autotuner/worker.h), over the socket that is its standard
//     input.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

#include "CLI/CLI.hpp"
#include "autotuner/worker.h"
#include "runtime/cuda/cuda.h"
#include "runtime/vulkan/vulkan.h"
#include "runtime/x86/x86.h"

namespace halyard {
namespace {

struct Options {
  std::string target = "x86";
  uint32_t device = 0, threads = 0;
  int64_t memory = 0;
};

runtime::Status Open(const Options& options, runtime::Device** device) {
  if (options.target == "vulkan") return runtime::vulkan::OpenDevice(options.device, device);
  if (options.target == "cuda") return runtime::cuda::OpenDevice(options.device, device);
  return options.threads == 0 ? runtime::x86::OpenDevice(0, device)
                              : runtime::x86::OpenDeviceWithThreads(options.threads, device);
}

int Work(const Options& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a candidate that never ends does not outlive its tuner
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  runtime::Device* device = nullptr;
  const runtime::Status status = Open(options, &device);
  if (!status.ok()) {
    fprintf(stderr, "halyard-rt: error: %s: %s\n", options.target.c_str(), status.message());
    return 1;
  }
  // GPU drivers map far more than they use.
  if (options.memory > 0 && options.target == "x86") {
    const rlimit memory = {static_cast<rlim_t>(options.memory),
                           static_cast<rlim_t>(options.memory)};
    setrlimit(RLIMIT_AS, &memory);
  }
  const int served = autotuner::ServeTrials(device, STDIN_FILENO);
  device->Destroy();
  return served;
}

int Main(int argc, char** argv) {
  CLI::App app("Runs what Halyard has compiled, without the compiler", "halyard-rt");
  app.require_subcommand(1);
  Options options;
  CLI::App* worker = app.add_subcommand("worker", "Run candidates for `halyard tune`");
  worker->add_option("--target", options.target, "x86, vulkan or cuda")
      ->check(CLI::IsMember({"x86", "vulkan", "cuda"}))
      ->capture_default_str();
  worker->add_option("--device", options.device, "Which of several devices");
  worker->add_option("--threads", options.threads, "x86: threads; 0: all CPUs");
  worker->add_option("--memory", options.memory, "x86: bytes of address space; 0: no limit");
  CLI11_PARSE(app, argc, argv);
  return Work(options);
}

}  // namespace
}  // namespace halyard

int main(int argc, char** argv) {
  try {
    return halyard::Main(argc, argv);
  } catch (const std::exception& error) {
    fprintf(stderr, "halyard-rt: error: %s\n", error.what());
    return 1;
  }
}
