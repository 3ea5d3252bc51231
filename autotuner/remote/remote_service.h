// The far end of RemoteTrials: compiles and measures what it is asked to, with the Trials of this
// machine.
#ifndef HALYARD_AUTOTUNER_REMOTE_REMOTE_SERVICE_H_
#define HALYARD_AUTOTUNER_REMOTE_REMOTE_SERVICE_H_

#include <functional>

#include "autotuner/measure/machine_lock.h"
#include "autotuner/measure/trials.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

struct ServiceOptions {
  double alive_seconds = 2;  // time between signs of life, whatever else it does
  // Held while the best is measured alone. Null if no other process tunes on this machine.
  MachineLock* lock = nullptr;
  // Another thread calls this as soon as the tuner is lost, or leaves while something is being
  // measured for it. It may end the process.
  std::function<void()> lost;
};

// Serves the tuner until that says that all work is done (returns true) or is lost (returns false).
// `device` is the one on which `trials` measure. A task for another device is refused. Takes
// ownership of the socket and closes it.
bool ServeRemoteTrials(int socket, Trials& trials, const runtime::DeviceInfo& device,
                       const ServiceOptions& options);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REMOTE_REMOTE_SERVICE_H_
