#include "tools/halyard/tune/tune_ranks.h"

#include <algorithm>
#include <string>
#include <vector>

namespace halyard::tools {

absl::StatusOr<ranks::MpiJob> JoinRanks() {
  if (ranks::LaunchedProcesses() == 1) return ranks::MpiJob();
  return ranks::JoinMpiJob(/*all_cpus=*/true);
}

int DeviceOfRank(int local_rank, const Target& target, int device_index) {
  if (target.device.kind == runtime::DeviceKind::kX86) return device_index;
  std::vector<int> alike;
  for (const LiveDevice& device : ListDevices().devices) {
    if (device.info.kind == target.device.kind &&
        std::string(device.info.name) == target.device.name) {
      alike.push_back(device.index);
    }
  }
  if (alike.empty()) return device_index;
  // Counts from the device that was asked for.
  const auto first = std::find(alike.begin(), alike.end(), device_index);
  const size_t start = first == alike.end() ? 0 : static_cast<size_t>(first - alike.begin());
  return alike[(start + static_cast<size_t>(local_rank)) % alike.size()];
}

}  // namespace halyard::tools
