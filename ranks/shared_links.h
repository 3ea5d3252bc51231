// The memory that a rank shares with the other ranks of its machine, through which it sends frames.
//
// Each rank has a segment: a bell, a ring of frames for each other rank, and a pool of blocks for
// the bodies of frames. A body is written once, however many ranks of the machine read it, and they
// read it where it is. The rank that sends rings the bell of the rank that receives only if the
// latter has said that it sleeps.
#ifndef HALYARD_RANKS_SHARED_LINKS_H_
#define HALYARD_RANKS_SHARED_LINKS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ranks/frame.h"
#include "ranks/shared_pool.h"
#include "ranks/shared_ring.h"
#include "ranks/shared_segment.h"

namespace halyard::ranks {

struct SharedMemoryOptions {
  // The most that this rank takes for what it sends, in bytes. 0 means that it uses sockets.
  uint64_t most_bytes = 0;
  int ranks_here = 1;                     // ranks on this machine, including this one
  std::function<uint64_t()> free_memory;  // null for FreeMemory; serves tests

  // Returns what suits this machine, or less if $HALYARD_SHARED_MEMORY, a number of MiB for each
  // rank, says so. kInvalidArgument if it is not a number.
  static absl::StatusOr<SharedMemoryOptions> ForRanks(int ranks_here);
};

class SharedLinks {
 public:
  // Bodies up to this size are copied into the ring.
  static constexpr uint64_t kMostInRing = 1024;

  SharedLinks(int rank, int size, const SharedMemoryOptions& options);

  // Returns what the other ranks pass to Accept, or "" if this rank shares nothing.
  std::string Offer() const;
  // Maps the memory of another rank, if that is possible. Called at most once for each rank.
  bool Accept(int rank, const std::string& offer);
  // Says that `rank` has mapped this rank's memory. From now on, Put sends through it, if this rank
  // has mapped that of `rank`, too.
  void Confirm(int rank);

  // Returns whether Put can send to this rank.
  bool CanPut(int rank) const { return peer(rank).confirmed && peer(rank).mapped; }

  // Returns a body for `bytes` bytes to write, in shared memory if it is plenty and a frame of that
  // size would go through it, else from malloc. Null if there is no memory.
  std::shared_ptr<uint8_t> NewBody(uint64_t bytes);
  // Sends a frame through shared memory. Returns false if it must take another way. One thread at a
  // time may call this for each rank.
  bool Put(int rank, const FrameHeader& header, const std::string& head,
           const std::shared_ptr<const uint8_t>& body);
  // Wakes the rank if it sleeps. If not `urgent`, only if a thread there waits for news.
  void Ring(int rank, bool urgent);

  // Returns whether `rank` has sent a frame through shared memory that has not been taken.
  bool HasFrame(int rank) const;
  // Reads the header of the oldest frame, which there must be. Returns false if it is not one. One
  // thread at a time may call this function and Take for each rank.
  bool Peek(int rank, FrameHeader* header) const;
  // Takes the oldest frame. Returns false if it is not one.
  bool Take(int rank, Frame* frame);

  // Waits until somebody rings, unless `has_news` returns true after the others have been told that
  // this rank sleeps. Returns at once after Stop.
  void Sleep(const std::function<bool()>& has_news);
  void Stop();
  // Says how many threads of this rank wait for news. The caller must look for news afterwards.
  void AddWaiting(int threads);

 private:
  struct Bell;
  struct Peer {
    std::shared_ptr<SharedSegment> segment;  // set by Accept, and read once `mapped` is true
    SharedRing from;
    SharedRing to;
    std::atomic<bool> mapped = false, confirmed = false;
  };

  static Bell& BellOf(const SharedSegment& segment);
  uint64_t RingOffset(int to) const;
  Peer& peer(int rank) const { return *peers_[static_cast<size_t>(rank)]; }

  const int rank_, size_;
  std::shared_ptr<SharedSegment> own_;  // null if this rank shares nothing
  std::unique_ptr<SharedPool> pool_;
  std::vector<std::unique_ptr<Peer>> peers_;  // by rank
  std::atomic<int> links_ = 0;                // ranks to which Put can send
  std::atomic<bool> stopped_ = false;
};

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_SHARED_LINKS_H_
