#include "autotuner/remote/ranks.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/measure/machine_lock.h"
#include "autotuner/remote/remote_service.h"
#include "autotuner/remote/remote_trials.h"
#include "runtime/device_class.h"

namespace halyard::autotuner {

namespace {

// Ctrl-C reaches all ranks at once. Rank 0 then waits for the trials that are being measured; the
// others run until rank 0 ends, but no longer than ten seconds.
void OnInterrupt(int) { alarm(10); }

}  // namespace

absl::StatusOr<std::unique_ptr<Trials>> TrialsOfRanks(const ranks::MpiJob& job) {
  RemoteOptions options;
  options.warn = [](const std::string& message) {
    fprintf(stderr, "halyard: %s\n", message.c_str());
  };
  std::vector<RemotePeer> peers;
  for (size_t rank = 1; rank < job.sockets.size(); ++rank) {
    if (job.sockets[rank] >= 0) {
      peers.push_back({absl::StrCat("rank ", rank), job.sockets[rank]});
    } else {
      options.warn(absl::StrCat("rank ", rank, ": has not come"));
    }
  }
  auto trials = std::make_unique<RemoteTrials>(std::move(peers), std::move(options));
  if (trials->connected() > 0) return trials;
  return absl::UnavailableError("no rank is there to compile and measure");
}

int ServeRank(const ranks::MpiJob& job, lowering::KernelCompiler* compiler,
              const runtime::DeviceInfo& device, MeasureOptions measure,
              const std::string& oracle_folder) {
  const int rank = job.rank;
  signal(SIGINT, OnInterrupt);
  signal(SIGTERM, OnInterrupt);
  std::unique_ptr<MachineLock> lock;
  std::unique_ptr<lowering::KernelCompiler> sharing;
  if (job.local_count > 1) {
    const std::string name = MachineLockName(device, measure.device_index);
    absl::StatusOr<std::unique_ptr<MachineLock>> opened = MachineLock::Open(name);
    if (!opened.ok()) {
      fprintf(stderr, "halyard: error: rank %d: %s\n", rank,
              std::string(opened.status().message()).c_str());
      return 1;
    }
    lock = *std::move(opened);
    // Compiling on the CPU does not disturb measurements on a GPU.
    if (runtime::RunsOnCpu(device)) sharing = CompilerBesideOthers(compiler, lock.get());
  }
  measure.lock = lock.get();
  LocalTrials trials(sharing != nullptr ? sharing.get() : compiler, measure, oracle_folder);
  ServiceOptions options;
  options.lock = lock.get();
  options.lost = [rank] {
    fprintf(stderr, "halyard: rank %d: ends, as rank 0 has\n", rank);
    fflush(stderr);
    _exit(1);
  };
  return ServeRemoteTrials(job.sockets.front(), trials, device, options) ? 0 : 1;
}

}  // namespace halyard::autotuner
