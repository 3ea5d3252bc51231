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

// Returns an item with copies of all arrays, which free() frees, or null if there is no memory.
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
  using Port = halyard::runtime::HostPort;
  using Status = halyard::runtime::Status;

  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed;  // by CLOCK_MONOTONIC
  Port* ports = nullptr;
  int capacity = 0;     // items of each queue; 0: no limit
  bool used = false;    // whether a run has this host or has had it
  bool closed = false;  // whether that run has ended

  // These functions need the mutex. Find returns null if there is no memory.
  Port* Find(int kind, int64_t channel);
  bool IsClosed(const Port& port) const { return closed || port.closed; }
  // Both wait, until the run is cancelled (*cancel is not 0) if `cancel` is not null. Push takes
  // the item over if it succeeds.
  Status Push(Port* port, hy_item* item, const int32_t* cancel);
  Status Pop(Port* port, const int32_t* cancel, hy_item** item);

 private:
  // Waits until something changes. Returns kAborted if the run is cancelled.
  Status Wait(const int32_t* cancel);
};

#endif  // HALYARD_RUNTIME_C_API_PROCESSES_HOST_PORTS_H_
