// What the C API's hy_host is made of.
#ifndef HALYARD_RUNTIME_C_API_PROCESSES_HOST_PORTS_H_
#define HALYARD_RUNTIME_C_API_PROCESSES_HOST_PORTS_H_

#include <pthread.h>
#include <stdint.h>

#include "runtime/c_api/halyard_rt.h"
#include "runtime/collectives/grid.h"
#include "runtime/status.h"

// The arrays of an item and their bytes are in the memory behind it.
struct hy_item {
  hy_item* next;
  const char* shapes;  // "" if nobody has said
  int num_arrays;
  hy_array arrays[];
};

namespace halyard::runtime {

struct HostPort {
  HostPort* next;
  int kind;  // HY_INFEED, …
  int64_t channel;
  hy_item* first;
  hy_item* last;
  int count;
  bool closed;
  hy_transfer transfer;  // in place of the queue, or null
  void* user;
};

inline bool GivesToProgram(int kind) { return kind == HY_INFEED || kind == HY_TO_PROGRAM; }

inline Status NoQueueMemory() {
  return MakeStatus(Code::kResourceExhausted, "no memory for what a program and its host exchange");
}

// Returns an item with copies of all arrays, which HeapFree frees, or null if there is no memory.
hy_item* NewItem(const char* shapes, const HostArray* arrays, int num_arrays);

class HostLock {
 public:
  explicit HostLock(pthread_mutex_t* mutex) : mutex_(mutex) { pthread_mutex_lock(mutex_); }
  ~HostLock() { pthread_mutex_unlock(mutex_); }
  HostLock(const HostLock&) = delete;
  HostLock& operator=(const HostLock&) = delete;

 private:
  pthread_mutex_t* mutex_;
};

}  // namespace halyard::runtime

struct hy_host {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed;  // by CLOCK_MONOTONIC
  halyard::runtime::HostPort* ports = nullptr;
  int capacity = 0;     // items of each queue; 0: no limit
  bool used = false;    // whether a run has this host or has had it
  bool closed = false;  // whether that run has ended
};

// The callers of these functions hold the mutex. They are no members, because the C API's header
// makes the members of its types visible to others.
namespace halyard::runtime {

// Returns null if there is no memory.
HostPort* FindPort(hy_host* host, int kind, int64_t channel);
inline bool IsClosed(const hy_host& host, const HostPort& port) {
  return host.closed || port.closed;
}
// Both wait, until the run is cancelled (*cancel is not 0) if `cancel` is not null. PushItem takes
// the item over if it succeeds.
Status PushItem(hy_host* host, HostPort* port, hy_item* item, const int32_t* cancel);
Status PopItem(hy_host* host, HostPort* port, const int32_t* cancel, hy_item** item);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_PROCESSES_HOST_PORTS_H_
