// Declarations that the files of Grid share.
#ifndef HALYARD_RUNTIME_COLLECTIVES_GRID_STATE_H_
#define HALYARD_RUNTIME_COLLECTIVES_GRID_STATE_H_

#include <string.h>

#include "runtime/collectives/grid.h"
#include "runtime/host.h"

namespace halyard::runtime {

inline Status NoExchangeMemory() {
  return MakeStatus(Code::kResourceExhausted, "no memory for what processes exchange");
}

inline Status Aborted() { return MakeStatus(Code::kAborted, "another process of the run failed"); }

class GridLock {
 public:
  explicit GridLock(pthread_mutex_t* mutex) : mutex_(mutex) { pthread_mutex_lock(mutex_); }
  ~GridLock() { pthread_mutex_unlock(mutex_); }
  GridLock(const GridLock&) = delete;
  GridLock& operator=(const GridLock&) = delete;

 private:
  pthread_mutex_t* mutex_;
};

inline void Release(const GridOwned& owned) {
  if (owned.release != nullptr) owned.release(owned.owner);
}

// Returns one piece of memory from malloc with copies of all arrays, in order.
inline uint8_t* CopyOf(const HostArray* arrays, uint32_t num_arrays) {
  uint64_t bytes = 1;
  for (uint32_t k = 0; k < num_arrays; ++k) bytes += arrays[k].bytes;
  uint8_t* copy = static_cast<uint8_t*>(HeapAllocate(bytes));
  if (copy == nullptr) return nullptr;
  JoinArrays(copy, arrays, num_arrays);
  return copy;
}

// What a process has given to an exchange.
struct Grid::Post {
  Post* next;
  uint64_t step, time;
  uint32_t readers_left;  // those that have not copied it yet
  uint32_t reading;       // those that copy it now
  int64_t only_reader;    // the only process whose blocks it holds, or -1
  bool is_kept;           // whether the arrays are the post's own, because the owner has gone on
  GridOwned owned;        // their memory
  uint32_t num_arrays;
  HostArray arrays[];
};

struct Grid::Message {
  Message* next;
  uint8_t* data;  // all arrays, one after the other
  GridOwned owned;
  uint32_t num_arrays;
  uint64_t bytes[];
};

struct Grid::Channel {
  Channel* next;
  int64_t id, sender, receiver;  // -1 if not known yet
  Message* first;
  Message* last;
};

struct Grid::Member {
  Post* posts;      // of exchanges that not all readers have left
  uint64_t* times;  // how often the process has begun to execute each step
  uint64_t* ends;   // how often it has come to the end of each exchange
  pthread_cond_t changed;
  bool ended;
  // What the process waits for: a post of `source`, its own readers, or a message.
  enum class Wait : uint8_t { kNothing, kPost, kReaders, kMessage } wait;
  const char* label;
  uint32_t source;
  uint64_t step, time;
  uint32_t process;  // this process
  GridPlace place;
  uint64_t waited_ns;  // only its own thread uses it
  const Post* own;
  const Channel* channel;
};

// The place of a process in an exchange.
struct Grid::Place {
  const int64_t* sources = nullptr;  // the processes whose arrays it reads, in order
  uint32_t num_sources = 0;
  const int64_t* readers = nullptr;  // the processes that read its arrays, perhaps including itself
  uint32_t num_readers = 0;
  uint32_t index = 0;  // in its group
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_COLLECTIVES_GRID_STATE_H_
