// The host's side of a running program in the C API: queues and callbacks.
#ifndef HALYARD_RUNTIME_C_API_PROCESSES_HOST_QUEUES_H_
#define HALYARD_RUNTIME_C_API_PROCESSES_HOST_QUEUES_H_

#include <stdint.h>

#include "runtime/c_api/halyard_rt.h"
#include "runtime/collectives/grid.h"
#include "runtime/status.h"

namespace halyard::runtime {

// The hosts of all processes of a run; `hosts` may be null, and so may each of them. Pass it as
// GridHost::user.
struct HostsOfRun {
  hy_host* const* hosts;
  uint32_t num_hosts;
  const int32_t* cancel;  // RunOptions::cancel

  // kFailedPrecondition if one of the hosts has served a run before. Then none is in use.
  Status Begin();
  // Closes all queues, so that nobody waits for them any longer.
  void CloseAll();
  GridHost ForGrid();
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_PROCESSES_HOST_QUEUES_H_
