// Where the processes of one run meet. A Program of several processes (replicas × partitions) is
// run by one thread for each; all of them use one Executable, and one Grid for this run. They may
// be spread over several operating-system processes, called ranks, each with a Grid of its own:
// what a process brings for those of another rank is a parcel (GridRemote), which that rank's Grid
// takes as if the process were here. So all that follows holds there, too.
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
#include <stddef.h>
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

// What goes from rank to rank, with its arrays.
struct GridParcel {
  enum class Kind : uint32_t {
    kPost = 0,      // what `process` brings to an exchange
    kMessage = 1,   // what it sends on a channel
    kReceiver = 2,  // that it is the one who receives on a channel
  };
  static constexpr uint32_t kNumKinds = 3;
  Kind kind;
  uint32_t process;
  uint32_t num_arrays;
  int64_t channel;
  // Of a post: who of that rank reads it. If there is one only who may, it has that one's blocks.
  uint32_t readers;
  int64_t only_reader;  // -1: all of them may
  uint64_t step, time;  // `time`: how often the process has executed the step before
};

// The other ranks. Rank r runs the processes from starts[r] up to starts[r + 1]. The functions are
// called by any thread, with the Grid's mutex held or not; they may neither wait nor call the Grid.
struct GridRemote {
  void* user = nullptr;
  uint32_t rank = 0, num_ranks = 1;
  const uint32_t* starts = nullptr;
  // Sends the parcel to each rank r for which readers[r] is not 0, with this as `readers`. The
  // arrays are the caller's again afterwards.
  Status (*send)(void* user, const GridParcel& parcel, const HostArray* arrays,
                 const uint32_t* readers) = nullptr;
  // A process of this rank has ended well.
  void (*ended)(void* user, uint32_t process) = nullptr;
  // The run has failed here first.
  void (*failed)(void* user, const Status& error) = nullptr;
};

class Grid {
 public:
  // For one run of a Program of `num_steps` steps. Processes are numbered replica by replica.
  static Status Create(uint32_t replicas, uint32_t partitions, uint64_t num_steps,
                       const GridHost& host, const GridRemote& remote, Grid** grid);
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

  // What other ranks say. Deliver takes over `owned` (from malloc), where the arrays are.
  void Deliver(const GridParcel& parcel, const HostArray* arrays, uint8_t* owned);
  void EndRemote(uint32_t process);
  void Fail(Status error);
  // Waits until the processes of all ranks have ended, or the run has failed.
  void WaitForAll();

  // To find out whether all ranks wait for each other: nothing does more if all processes that have
  // not ended wait, and all parcels that were sent have come.
  struct Progress {
    uint32_t live;  // processes of this rank that have not ended
    bool stuck;     // all of them wait
    uint64_t sent, received;
  };
  Progress progress();
  // "process (0, 1) waits at all-reduce x (p.hlo:3:1) for (1, 1); …", or "".
  void DescribeWaits(char* text, size_t size);

 private:
  struct Post;
  struct Message;
  struct Channel;
  struct Member;
  struct Place;
  Grid() = default;
  ~Grid() = default;

  Place PlaceOf(uint32_t process, const ExchangeStep& step) const;
  Post* FindPost(uint32_t owner, uint64_t step, uint64_t time, uint32_t reader) const;
  Status AddPost(const GridParcel& parcel, const HostArray* arrays, uint8_t* owned);
  Status ReadPost(uint32_t process, uint32_t source, const ExchangeStep& step, uint64_t time,
                  const Place& place, uint32_t from, const HostArray* operands,
                  const HostArray* results);
  Status PostRemotely(uint32_t process, const ExchangeStep& step, uint64_t time, const Place& place,
                      const HostArray* operands);
  Status PostBlocks(const GridParcel& parcel, const Place& place, const HostArray* operands);
  Status SendParcel(const GridParcel& parcel, const HostArray* arrays, const uint32_t* readers);
  Status AddMessage(Channel* channel, const HostArray* arrays, uint32_t num_arrays, uint8_t* owned);
  Status FlushTo(Channel* channel);
  Status TellReceiver(const Channel& channel);
  Status DeliverLocked(const GridParcel& parcel, const HostArray* arrays, uint8_t** owned);
  Status LeavePost(uint32_t process, const ExchangeStep& step, uint64_t time,
                   bool members_are_here);
  void RemovePost(uint32_t owner, Post* post);
  Channel* ChannelOf(int64_t channel);
  Status Claim(int64_t* end, uint32_t process, int64_t channel, const char* name);

  uint32_t RankOf(uint32_t process) const;
  bool IsHere(uint32_t process) const { return RankOf(process) == remote_.rank; }
  bool IsReady(const Member& member) const;
  Status WaitUntilReady(uint32_t process);
  void CheckDeadlock();
  bool WriteWaits(char* text, size_t size) const;
  void Stop(Status error, bool tell);

  uint32_t replicas_ = 1, partitions_ = 1;
  uint64_t num_steps_ = 0;
  GridHost host_;
  GridRemote remote_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Member* members_ = nullptr;  // one for each process
  Channel* channels_ = nullptr;
  pthread_cond_t all_ended_ = PTHREAD_COND_INITIALIZER;
  uint32_t live_ = 0, live_here_ = 0, waiting_ = 0;
  uint64_t sent_ = 0, received_ = 0;  // parcels
  bool stopped_ = false;
  Status error_;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_COLLECTIVES_GRID_H_
