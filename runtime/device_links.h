// How a device exchanges bytes with the devices of other processes by a vendor's library (NCCL),
// from memory to memory, in the order of its streams.
#ifndef HALYARD_RUNTIME_DEVICE_LINKS_H_
#define HALYARD_RUNTIME_DEVICE_LINKS_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/status.h"

namespace halyard::runtime {

// The identity of a device, which no other device of any machine has.
struct DeviceId {
  uint8_t bytes[16];
};

// What the first member of a group makes, and all members need to join it.
struct DeviceGroupId {
  uint8_t bytes[128];
};

// One member's end of a group of devices. It belongs to its DeviceLinks.
struct DeviceLink {
  uint64_t key;     // of the devices of the group, in order, and of this member's number
  uint64_t serial;  // not 0, and the same for all members; another for each time that they join
  DeviceLink* next;
};

// One thing that a member does in an exchange. Addresses are those of its own device's memory
// (Block::device_address and an offset).
struct DeviceMove {
  enum class Kind : uint8_t {
    kSend,       // from → member `peer`, which receives as many bytes
    kReceive,    // member `peer` → to
    kGather,     // `from` of each member → to, one after the other; `bytes` of each
    kBroadcast,  // `from` of member `peer` → `to` of all
    kCopy,       // from → to, on this device
    kZero,       // zeros → to
  } kind;
  uint32_t peer;
  uint64_t from, to, bytes;
};

// Says when it is of no use to wait for other members any longer.
struct DeviceWatch {
  void* user = nullptr;
  Status (*check)(void* user) = nullptr;  // not OK: stop waiting, and return this
  uint64_t timeout_ns = 0;
};

// Thread-safe, but one thread at a time uses a link. Every function whose error is not
// kDeadlineExceeded or the watch's names the library and the call that failed. A link that such an
// error concerns can only be aborted.
class DeviceLinks {
 public:
  virtual Status Identify(DeviceId* id) = 0;
  // Makes a number for a new group. kFailedPrecondition if the library is not usable.
  virtual Status NewGroup(DeviceGroupId* id) = 0;
  // Joins a group of `size` devices as its member `index`, and waits for the others. `key` is
  // DeviceLink::key.
  virtual Status Join(const DeviceGroupId& id, uint32_t index, uint32_t size, uint64_t key,
                      const DeviceWatch& watch, DeviceLink** link) = 0;
  // Puts the moves on the stream, after the work that is there. The moves of all members happen
  // together; sends and receives between two members match in their order. The link may be null if
  // the moves need no other member. Waits until the library has put everything there, but not for
  // the device.
  virtual Status Exchange(DeviceLink* link, const DeviceMove* moves, uint32_t num_moves,
                          uint32_t stream, const DeviceWatch& watch, Event* done) = 0;
  // Returns the error of the link, if any, that the device or the network has found meanwhile.
  virtual Status Check(DeviceLink* link) = 0;
  // Ends what is under way on the link, at once and without the other members, and frees it.
  virtual void Abort(DeviceLink* link) = 0;

  // Keeps a link whose work is done for later runs. Take returns one with this key, or null. What
  // is left when the device is destroyed is aborted.
  virtual void Keep(DeviceLink* link) = 0;
  virtual DeviceLink* Take(uint64_t key) = 0;

 protected:
  ~DeviceLinks() = default;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_DEVICE_LINKS_H_
