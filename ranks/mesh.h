// Sends frames of bytes between all ranks of a job, and reports which ranks are lost.
//
// Two threads serve each other rank. One reads everything that comes, so that no rank's sending
// depends on what another waits for. One writes what is queued, so that no sender waits, and a rank
// that takes nothing holds up nobody else. Every rank sends a beat from time to time, so a rank
// that only computes is not silent, but a rank that is stopped is.
#ifndef HALYARD_RANKS_MESH_H_
#define HALYARD_RANKS_MESH_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace halyard::ranks {

struct FreeBytes {
  void operator()(uint8_t* bytes) const { free(bytes); }
};
// The bytes come from malloc, because the free-standing runtime takes them over.
using Bytes = std::unique_ptr<uint8_t, FreeBytes>;

struct Frame {
  uint32_t kind = 0;  // the user's, below Mesh::kFirstOwnKind
  uint64_t run = 0;
  std::string head;  // small
  Bytes body;        // null if it has no bytes
  uint64_t body_bytes = 0;
};

class Mesh {
 public:
  static constexpr uint32_t kFirstOwnKind = 0xffff0000;

  // The mesh's threads call these functions. Calls about one rank come one after the other.
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
  // nothing comes for `timeout_seconds` is lost. `receiver` must outlive the mesh.
  Mesh(int rank, std::vector<int> sockets, double timeout_seconds, Receiver* receiver);
  ~Mesh();  // calls Leave
  // Leaves the others, who do not count this rank as lost. Waits until they have read all frames,
  // for at most 15 s, or `timeout_seconds` if that is less: others may be busy for seconds on a
  // loaded machine. Receives nothing afterwards. The mesh's own threads must not call it.
  void Leave();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(peers_.size()); }

  // Queues a frame without waiting. Drops frames to a lost rank. Ranks may share a body.
  void Send(int rank, uint32_t kind, uint64_t run, std::string head,
            std::shared_ptr<const uint8_t> body = nullptr, uint64_t body_bytes = 0);

 private:
  struct Outgoing {
    std::string head;  // with the frame's own header
    std::shared_ptr<const uint8_t> body;
    uint64_t body_bytes = 0;
  };
  struct Peer {
    int socket = -1;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Outgoing> queue;
    bool writing = false, broken = false, ending = false, read = false;
    std::thread reader, writer;
  };

  void Read(int rank);
  void Write(int rank);
  void Beat();
  // Returns "" once all bytes are there, and otherwise what is wrong.
  std::string ReadAll(int socket, void* bytes, uint64_t size) const;
  std::string ReadFrame(int socket, Frame* frame) const;
  bool WriteAll(Peer* peer, const void* bytes, uint64_t size) const;
  void ReadFrames(int rank);

  const int rank_;
  const double timeout_seconds_;
  Receiver* const receiver_;
  std::vector<std::unique_ptr<Peer>> peers_;  // by rank
  std::atomic<bool> leaving_ = false;
  std::mutex beat_mutex_;
  std::condition_variable beat_ended_;
  bool beat_over_ = false;
  std::thread beat_;
};

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_MESH_H_
