// Sends frames of bytes between all ranks of a job, and reports which ranks are lost.
//
// Two threads serve each other rank. One reads everything that comes, so that no rank's sending
// depends on what another waits for. One writes what is queued, so that no sender waits, and a rank
// that takes nothing holds up nobody else. Every rank sends a beat from time to time, so a rank
// that only computes is not silent, but a rank that is stopped is.
//
// Ranks of one machine also send through shared memory (SharedLinks). A frame for which there is no
// room goes over the socket, as all frames to other machines do. Frames are numbered and are taken
// in that order, whichever way they come. Beats and the ends of ranks are always noticed by the
// sockets.
#ifndef HALYARD_RANKS_MESH_H_
#define HALYARD_RANKS_MESH_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ranks/frame.h"
#include "ranks/shared_links.h"

namespace halyard::ranks {

class Mesh {
 public:
  static constexpr uint32_t kFirstOwnKind = 0xffff0000;

  // The mesh's threads, and those that call Poll, call these functions. Calls about one rank come
  // one after the other.
  class Receiver {
   public:
    virtual ~Receiver() = default;
    virtual void Receive(int rank, Frame frame) = 0;
    // Says that nothing more will come from this rank. Called at most once for each rank, and not
    // for a rank that has left.
    virtual void Lost(int rank, const std::string& why) = 0;
    // Says that a rank has left on purpose.
    virtual void Left(int rank) = 0;
    // Called several times in a second, by a thread of its own.
    virtual void Tick() = 0;
  };

  // Takes over the sockets, which are indexed by rank, with -1 for this rank. A rank from which
  // nothing comes for `timeout_seconds` is lost. `receiver` must outlive the mesh. `shared` says
  // how much memory this rank shares with others, which by default is none.
  Mesh(int rank, std::vector<int> sockets, double timeout_seconds, Receiver* receiver,
       const SharedMemoryOptions& shared = {});
  ~Mesh();  // calls Leave
  // Leaves the others, who do not count this rank as lost. Waits until they have read all frames,
  // for at most 15 s, or `timeout_seconds` if that is less: others may be busy for seconds on a
  // loaded machine. Receives nothing afterwards. The mesh's own threads must not call it.
  void Leave();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(peers_.size()); }

  // Returns memory for a body that may be sent to several ranks, or null if there is none.
  std::shared_ptr<uint8_t> NewBody(uint64_t bytes) { return links_.NewBody(bytes); }
  // Sends a frame without waiting. Drops frames to a lost rank. The body, if any, may be any
  // memory, and must not change any more. A frame that is not `urgent` may lie in shared memory
  // until a thread of the other rank waits (Poll, AddWaiting) or another frame comes.
  void Send(int rank, uint32_t kind, uint64_t run, std::string head,
            std::shared_ptr<const uint8_t> body = nullptr, uint64_t body_bytes = 0,
            bool urgent = true);

  // Receives what has come through shared memory, in the calling thread, which must hold no lock
  // that the receiver takes. Returns whether anything has come.
  bool Poll();
  // Says that `threads` threads of this rank, or fewer of them if it is negative, sleep until
  // something is received. Then receives what has come already.
  void AddWaiting(int threads);
  // Returns whether frames to this rank can go through shared memory.
  bool Shares(int rank) const { return links_.CanPut(rank); }

 private:
  struct Outgoing {
    std::string head;  // with the frame's header
    std::shared_ptr<const uint8_t> body;
    uint64_t body_bytes = 0;
  };
  struct Peer {
    int socket = -1;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Outgoing> queue;
    bool writing = false, broken = false, ending = false, read = false;
    uint64_t sent = 0;  // frames
    std::thread reader, writer;
    std::mutex receiving;   // taken before the receiver is called
    uint64_t received = 0;  // frames; needs `receiving`
    bool over = false;      // whether nothing more may be received; needs `receiving`
  };

  void Read(int rank);
  void ReadFrames(int rank);
  void Write(int rank);
  void Beat();
  void WatchMemory();
  // These functions return "" if all is well, and otherwise what is wrong.
  std::string ReadAll(int socket, void* bytes, uint64_t size) const;
  std::string ReadFrame(int socket, FrameHeader* header, Frame* frame) const;
  std::string TakeFromSocket(int rank, const FrameHeader& header, Frame frame);
  // The callers of these two functions hold the peer's `receiving`.
  std::string TakeShared(int rank);
  void Deliver(int rank, Frame frame);
  bool WriteAll(Peer* peer, const void* bytes, uint64_t size) const;
  bool HasShared();

  const int rank_;
  const double timeout_seconds_;
  Receiver* const receiver_;
  SharedLinks links_;
  std::vector<std::unique_ptr<Peer>> peers_;  // by rank
  std::atomic<bool> leaving_ = false;
  std::mutex beat_mutex_;
  std::condition_variable beat_ended_;
  bool beat_over_ = false;
  std::thread beat_;
  std::atomic<bool> watch_over_ = false;
  std::thread watch_;  // receives what comes through shared memory if nobody else does
};

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_MESH_H_
