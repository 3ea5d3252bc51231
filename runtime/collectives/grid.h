// A Grid is where the processes of one run meet. One thread runs each process of a Program
// (replicas × partitions). All threads use one Executable, and one Grid for this run. The processes
// may be spread over several operating-system processes, called ranks, each with a Grid of its own.
// What a process has for those of another rank travels as a parcel (GridRemote), and that rank's
// Grid treats it as if the process were there. So everything below also holds across ranks.
//
// Processes exchange bytes in host memory. The Program itself computes with them
// (lowering/plan/expand/communication.cc). An exchange is identified by its step and by how often
// the process has executed that step before, so loops and branches need no numbers of their own.
// Members copy directly from each other's memory: a process that has posted its arrays stays in the
// exchange until all readers have them. If a reader has not come yet and need not come soon, the
// arrays are kept as a copy instead.
//
// An exchange may also be executed in two parts, with other steps in between. What a process gives
// is there for the others from the beginning on, so nobody waits for it while it does something
// else.
//
// Nothing hangs. An error of one process ends the waits of all others (kAborted). If every process
// that has not ended waits for another one, the run ends with an error that says who waits for
// whom.
#ifndef HALYARD_RUNTIME_COLLECTIVES_GRID_H_
#define HALYARD_RUNTIME_COLLECTIVES_GRID_H_

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "runtime/copy.h"
#include "runtime/status.h"

namespace halyard::runtime {

// Who gives what to whom. A group is a list of processes. `k` counts arrays.
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

// Copies the arrays to `to`, one after the other.
inline void JoinArrays(uint8_t* to, const HostArray* arrays, uint32_t num_arrays) {
  for (uint32_t k = 0; k < num_arrays; ++k) {
    CopyArray(to, arrays[k].data, arrays[k].bytes);
    to += arrays[k].bytes;
  }
}

struct ExchangeStep {
  uint64_t step;      // of the Program
  const char* label;  // op, name and place, for messages
  ExchangePattern pattern;
  // `num_groups` sizes, and then the members of one group after the other. The verifier has checked
  // them (program.h).
  const int64_t* groups;
  uint32_t num_groups;
  uint32_t num_arrays;  // the number of operands, and of results
};

// The host's side. Each function returns a Status that ends the run if it is not OK. If a function
// is null, what the program gives is dropped, and what it takes is an error. The functions may
// block. `shapes` describes what the program gives or takes, as in HLO text.
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

// Memory that whoever takes it over gives back by release(owner).
struct GridOwned {
  void* owner = nullptr;
  void (*release)(void* owner) = nullptr;  // null if there is nothing to give back
};

// What one rank sends another, with its arrays.
struct GridParcel {
  enum class Kind : uint32_t {
    kPost = 0,      // what `process` brings to an exchange
    kMessage = 1,   // what it sends on a channel
    kReceiver = 2,  // which process receives on a channel
  };
  static constexpr uint32_t kNumKinds = 3;
  Kind kind;
  uint32_t process;
  uint32_t num_arrays;
  int64_t channel;
  // For a post: the number of readers on that rank. If it has only one possible reader, the parcel
  // holds that reader's blocks.
  uint32_t readers;
  int64_t only_reader;  // -1 if all of them may read
  uint64_t step, time;  // `time`: how often the process has executed the step before
};

// The other ranks. Rank r runs the processes from starts[r] up to starts[r + 1]. Any thread calls
// `send`, `ended` and `failed`, whether or not it holds the Grid's mutex. They must neither wait
// nor call the Grid.
struct GridRemote {
  void* user = nullptr;
  uint32_t rank = 0, num_ranks = 1;
  const uint32_t* starts = nullptr;
  // Sends the parcel to each rank r for which readers[r] is not 0, with this as `readers`.
  // Afterwards, the arrays belong to the caller again.
  Status (*send)(void* user, const GridParcel& parcel, const HostArray* arrays,
                 const uint32_t* readers) = nullptr;
  // Says that a process of this rank has ended well.
  void (*ended)(void* user, uint32_t process) = nullptr;
  // Says that the run has failed here first.
  void (*failed)(void* user, const Status& error) = nullptr;
  // Threads that wait for other ranks call these two without the mutex, so they may call the Grid.
  // `poll` delivers what has come, without waiting. A thread that has polled in vain for some
  // hundreds of microseconds sleeps: `sleeping` says that one more thread does (1), and then
  // delivers what has come. Afterwards, Deliver is called as soon as something comes, until
  // `sleeping` says that the thread is awake (-1). If they are null, Deliver is always called as
  // soon as something comes.
  void (*poll)(void* user) = nullptr;
  void (*sleeping)(void* user, int threads) = nullptr;
  // How long a process that has met the others waits for their devices to be connected.
  uint64_t timeout_ns = uint64_t{60} * 1000000000;
};

class Device;

// Where a process runs: the streams of one device are its logical devices. `device` is null for the
// processes of other ranks, and if the caller of the run did not say.
struct GridPlace {
  Device* device = nullptr;
  uint32_t stream = 0;
};

class Grid {
 public:
  // Makes a Grid for one run of a Program of `num_steps` steps. Processes are numbered replica by
  // replica.
  static Status Create(uint32_t replicas, uint32_t partitions, uint64_t num_steps,
                       const GridHost& host, const GridRemote& remote, Grid** grid);
  // All processes must have ended before.
  void Destroy();

  uint32_t replicas() const { return replicas_; }
  uint32_t partitions() const { return partitions_; }
  uint32_t size() const { return replicas_ * partitions_; }

  // Says where a process runs. Call this before any process begins.
  void SetPlace(uint32_t process, GridPlace place);
  GridPlace place(uint32_t process) const;

  // Says that the process has ended, well or with `error`. The first error becomes the grid's.
  void End(uint32_t process, const Status& error);
  // Returns the error of the first process that failed, with its name, or the description of a
  // deadlock.
  Status TakeError();
  // Returns the same, and keeps it.
  Status CopyError();

  // The process's own thread calls this.
  Status Exchange(uint32_t process, const ExchangeStep& step, const HostArray* operands,
                  const HostArray* results);
  // The same in two parts. BeginExchange does not wait. Until EndExchange has returned, the
  // operands must keep their place and their bytes. A process whose run fails in between must call
  // Withdraw, after which nobody reads its memory.
  Status BeginExchange(uint32_t process, const ExchangeStep& step, const HostArray* operands);
  Status EndExchange(uint32_t process, const ExchangeStep& step, const HostArray* operands,
                     const HostArray* results);
  void Withdraw(uint32_t process);
  // Messages from one process to another. Sending does not wait.
  Status Send(uint32_t process, int64_t channel, const char* label, const HostArray* arrays,
              uint32_t num_arrays);
  Status Receive(uint32_t process, int64_t channel, const char* label, const HostArray* arrays,
                 uint32_t num_arrays);
  const GridHost& host() const { return host_; }
  // For profiles: for how long the process has waited so far, for others or for its host.
  uint64_t waited_ns(uint32_t process) const;
  void AddWaited(uint32_t process, uint64_t ns);

  // Returns kAborted if the run has failed, also on another rank. For a process that waits for
  // something else than the Grid.
  Status CheckRunning();
  uint64_t timeout_ns() const { return remote_.timeout_ns; }

  // Called with what other ranks send. Deliver takes over `owned`, which holds the arrays, one
  // after the other.
  void Deliver(const GridParcel& parcel, const HostArray* arrays, const GridOwned& owned);
  void EndRemote(uint32_t process);
  void Fail(Status error);
  // Waits until the processes of all ranks have ended, or the run has failed.
  void WaitForAll();

  // Serves to find out whether all ranks wait for each other: they do if all processes that have
  // not ended wait, and all parcels that were sent have arrived.
  struct Progress {
    uint32_t live;  // processes of this rank that have not ended
    bool stuck;     // all of them wait
    uint64_t sent, received;
  };
  Progress progress();
  // Writes "process (0, 1) waits at all-reduce x (p.hlo:3:1) for (1, 1); …", or "".
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
  Status AddPost(const GridParcel& parcel, const HostArray* arrays, const GridOwned& owned);
  Status ReadPost(uint32_t process, uint32_t source, const ExchangeStep& step, uint64_t time,
                  const Place& place, uint32_t from, const HostArray* operands,
                  const HostArray* results);
  Status CheckSizes(const Post& post, uint32_t source, const ExchangeStep& step, const Place& place,
                    const HostArray* operands) const;
  Status PostRemotely(uint32_t process, const ExchangeStep& step, uint64_t time, const Place& place,
                      const HostArray* operands);
  Status PostBlocks(const GridParcel& parcel, const Place& place, const HostArray* operands);
  Status SendParcel(const GridParcel& parcel, const HostArray* arrays, const uint32_t* readers);
  Status AddMessage(Channel* channel, const HostArray* arrays, uint32_t num_arrays, uint8_t* data,
                    const GridOwned& owned);
  Status FlushTo(Channel* channel);
  Status TellReceiver(const Channel& channel);
  Status DeliverLocked(const GridParcel& parcel, const HostArray* arrays, GridOwned* owned);
  Status TakeParts(uint32_t process, const ExchangeStep& step, bool at_once,
                   const HostArray* operands, const HostArray* results);
  Status LeavePost(uint32_t process, Post* post, const char* label, bool members_are_here);
  bool ReadersHaveCome(const Place& place, uint64_t step, uint64_t time) const;
  void RemovePost(uint32_t owner, Post* post);
  Channel* ChannelOf(int64_t channel);
  Status Claim(int64_t* end, uint32_t process, int64_t channel, const char* name);

  uint32_t RankOf(uint32_t process) const;
  bool IsHere(uint32_t process) const { return RankOf(process) == remote_.rank; }
  bool IsReady(const Member& member) const;
  Status WaitUntilReady(uint32_t process);
  void PollUntilReady(const Member& member);
  void WakeUp(Member* member);
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
  std::atomic<uint64_t> wake_ups_ = 0;
  std::atomic<bool> polled_ = false;  // whether a thread polls
  bool stopped_ = false;
  Status error_;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_COLLECTIVES_GRID_H_
