// Exchanges of arrays that are in the memory of devices.
#ifndef HALYARD_RUNTIME_EXECUTE_DEVICE_EXCHANGE_H_
#define HALYARD_RUNTIME_EXECUTE_DEVICE_EXCHANGE_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/collectives/grid.h"
#include "runtime/device_links.h"
#include "runtime/status.h"

namespace halyard::runtime {

struct DeviceArray {
  const Block* block;
  uint64_t offset, bytes;
};

// The part of one process in the exchanges of one run, one after the other. The members of an
// exchange first meet in the Grid, where nothing hangs and everything is checked. When all have
// come, each puts its half on its stream by the device's links, and goes on. If two members have
// the same device, the bytes go through host memory and the Grid. Used by the thread of the
// process.
class DeviceExchange {
 public:
  DeviceExchange() = default;
  ~DeviceExchange() { End(/*failed=*/true); }
  DeviceExchange(const DeviceExchange&) = delete;
  DeviceExchange& operator=(const DeviceExchange&) = delete;

  // `arrays` holds the operands and then the results. `*last` is the run's last work on `stream`
  // before, and then that of the exchange.
  Status Exchange(Device* device, Grid* grid, uint32_t process, const ExchangeStep& step,
                  const DeviceArray* arrays, uint32_t stream, Event* last);
  // Waits for work of the run. Ends the exchanges that are under way, and then returns an error, if
  // the run fails elsewhere or a link fails.
  Status Wait(Device* device, Grid* grid, Event event);
  // Gives links back: for later runs if this run has not failed, and its work is done.
  void End(bool failed);
  bool uses_links() const { return groups_ != nullptr; }

 private:
  struct Group;
  // Arguments of Exchange that all parts of it need.
  struct Call;
  Status GroupOf(const Call& call, Group** group);
  Status Meet(const Call& call, const Group& group, ExchangePattern pattern, const void* own,
              uint64_t own_bytes, void* all, uint64_t all_bytes);
  Status Connect(const Call& call, Group* group);
  Status ConnectByNames(const Call& call, Group* group, const DeviceId* ids);
  Status ByLinks(const Call& call, Group* group, Event* last);
  Status Staged(const Call& call, Event* last);
  Status StagedIn(const Call& call, uint8_t* memory, HostArray* arrays, Event* last);

  DeviceLinks* links_ = nullptr;
  Group* groups_ = nullptr;  // those that this run has met in
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTE_DEVICE_EXCHANGE_H_
