// Where the processes of one run meet. A Program of several processes (replicas × partitions) is
// run by one thread for each; all of them use one Executable, and one Grid for this run.
//
// Processes exchange bytes, in host memory: what is computed from them is the Program's own
// (lowering/plan/expand/communication.cc). An exchange is named by its step and by how often the
// process has executed that step before, so loops and branches need no numbers of their own.
// Members copy from each other's memory without an array in between: who has posted its arrays
// stays in the exchange until all readers have them, unless a reader has not come yet and need not
// come soon; then the arrays are kept as a copy.
//
// Nothing hangs: an error of one process ends the waits of all others (kAborted), and when every
// process that has not ended waits for another one, the run ends with who waits for whom.
#ifndef HALYARD_RUNTIME_COLLECTIVES_GRID_H_
#define HALYARD_RUNTIME_COLLECTIVES_GRID_H_

#include <pthread.h>
#include <stdint.h>

#include "runtime/status.h"

namespace halyard::runtime {

// Who brings what to whom. A group is a list of processes. `k` counts arrays.
enum class ExchangePattern : uint32_t {
  kGather = 0,     // result k: operand k of each member of the group, in its order; then zeros
  kAllToAll = 1,   // operand k and result k have a block for each member: block j of member i's
                   // result is block i of member j's operand
  kPermute = 2,    // groups are pairs: the second's result is the first's operand; zeros for others
  kBroadcast = 3,  // result k: operand k of the group's first; zeros for processes in no group
};
inline constexpr uint32_t kNumExchangePatterns = 4;

// Arrays in host memory that a step reads or writes.
struct HostArray {
  void* data;
  uint64_t bytes;
};

struct ExchangeStep {
  uint64_t step;      // of the Program
  const char* label;  // op, name and place, for messages
  ExchangePattern pattern;
  // `num_groups` sizes, and then the members of one group after the other. Verified (program.h).
  const int64_t* groups;
  uint32_t num_groups;
  uint32_t num_arrays;  // operands, and as many results
};

// The host's side. Each function returns a Status that ends the run if it is not OK. Without a
// function, what the program gives is dropped, and what it takes is an error. They may block;
// `shapes` says in HLO's words what the program gives or takes.
struct GridHost {
  void* user = nullptr;
  Status (*infeed)(void* user, uint32_t process, const char* shapes, const HostArray* arrays,
                   uint32_t num_arrays) = nullptr;
  Status (*outfeed)(void* user, uint32_t process, const char* shapes, const HostArray* arrays,
                    uint32_t num_arrays) = nullptr;
  // Transfers between a process and its host, by channel.
  Status (*send)(void* user, uint32_t process, int64_t channel, const char* shapes,
                 const HostArray* arrays, uint32_t num_arrays) = nullptr;
  Status (*receive)(void* user, uint32_t process, int64_t channel, const char* shapes,
                    const HostArray* arrays, uint32_t num_arrays) = nullptr;
};

class Grid {
 public:
  // For one run of a Program of `num_steps` steps. Processes are numbered replica by replica.
  static Status Create(uint32_t replicas, uint32_t partitions, uint64_t num_steps,
                       const GridHost& host, Grid** grid);
  // All processes must have ended.
  void Destroy();

  uint32_t replicas() const { return replicas_; }
  uint32_t partitions() const { return partitions_; }
  uint32_t size() const { return replicas_ * partitions_; }

  // The process has ended, well or with `error`. The first error becomes the grid's.
  void End(uint32_t process, const Status& error);
  // The error of the first process that failed, with the process's name, or what a deadlock is.
  Status TakeError();

  // Called by the process's own thread.
  Status Exchange(uint32_t process, const ExchangeStep& step, const HostArray* operands,
                  const HostArray* results);
  // From process to process. Sending does not wait.
  Status Send(uint32_t process, int64_t channel, const char* label, const HostArray* arrays,
              uint32_t num_arrays);
  Status Receive(uint32_t process, int64_t channel, const char* label, const HostArray* arrays,
                 uint32_t num_arrays);
  const GridHost& host() const { return host_; }

 private:
  struct Post;
  struct Message;
  struct Channel;
  struct Member;
  struct Place;
  Grid() = default;
  ~Grid() = default;

  Place PlaceOf(uint32_t process, const ExchangeStep& step) const;
  Post* FindPost(uint32_t owner, uint64_t step, uint64_t time) const;
  Status AddPost(uint32_t process, const ExchangeStep& step, uint64_t time,
                 const HostArray* operands, uint32_t readers);
  Status ReadPost(uint32_t process, uint32_t source, const ExchangeStep& step, uint64_t time,
                  const Place& place, uint32_t from, const HostArray* results);
  Status LeavePost(uint32_t process, const ExchangeStep& step, uint64_t time,
                   bool members_are_here);
  void RemovePost(uint32_t owner, Post* post);
  Channel* ChannelOf(int64_t channel);
  Status Claim(int64_t* end, uint32_t process, int64_t channel, const char* name);

  bool IsReady(const Member& member) const;
  Status WaitUntilReady(uint32_t process);
  void CheckDeadlock();
  void Stop(Status error);

  uint32_t replicas_ = 1, partitions_ = 1;
  uint64_t num_steps_ = 0;
  GridHost host_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Member* members_ = nullptr;  // one for each process
  Channel* channels_ = nullptr;
  uint32_t live_ = 0, waiting_ = 0;
  bool stopped_ = false;
  Status error_;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_COLLECTIVES_GRID_H_
