// Streams of bytes between ranks by MPI's point-to-point messages, for networks that sockets do not
// reach.
//
// To a Mesh, a stream looks like a socket to the other rank: it is one of a pair of local sockets.
// A thread, the only one that calls MPI, carries the bytes between the other of the pair and MPI.
// It costs two more copies than a socket between the ranks. While nothing comes or goes, the thread
// sleeps for up to a millisecond at a time, because MPI cannot wake it.
//
// MPI does not say that a rank has died. If it runs on this machine, its process is watched, so its
// stream ends at once, as a socket's does. On other machines, an error of MPI ends it, or else the
// Mesh's time-out.
#ifndef HALYARD_RANKS_MPI_LINKS_H_
#define HALYARD_RANKS_MPI_LINKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace halyard::ranks {

// MPI's calls, each by the thread of the links. A string says what is wrong, or is "".
class MpiTransport {
 public:
  struct Transfer;  // a message that is under way
  virtual ~MpiTransport() = default;
  // The bytes belong to the transfer until it is done. A message may be empty. Messages between two
  // ranks keep their order.
  virtual std::string Send(int rank, const uint8_t* bytes, int size, Transfer** transfer) = 0;
  virtual std::string Receive(int rank, uint8_t* bytes, int most, Transfer** transfer) = 0;
  // Sets `*transfer` to null if it is done, and `*size` to the bytes that a receive has got.
  virtual std::string Test(Transfer** transfer, int* size) = 0;
  // Ends MPI, together with all other ranks.
  virtual void End() = 0;
};

// How to recognise a process of this machine.
struct ProcessName {
  uint64_t machine = 0, space = 0;  // of process numbers
  int64_t number = 0;

  static ProcessName Own();
};

class MpiLinks {
 public:
  static constexpr int kMostBytes = 1 << 20;  // of a message

  // `processes` holds the processes of all ranks, by rank.
  static absl::StatusOr<std::unique_ptr<MpiLinks>> Create(
      std::unique_ptr<MpiTransport> transport, int rank, const std::vector<ProcessName>& processes);
  // Waits until all streams have ended on both sides, for a few seconds, and ends MPI if no rank is
  // lost. The sockets must be closed.
  ~MpiLinks();
  MpiLinks(const MpiLinks&) = delete;
  MpiLinks& operator=(const MpiLinks&) = delete;

  // Says that the job has failed, so that some rank may not end MPI. Then this one does not either.
  void Fail();

  // Returns the sockets by rank, with -1 for this rank. They belong to the caller.
  std::vector<int> TakeSockets();

 private:
  // What the thread uses. MPI may keep it from ending, and then it outlives this object.
  struct Pump;
  MpiLinks() = default;

  std::shared_ptr<Pump> pump_;
  std::vector<int> sockets_;
};

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_MPI_LINKS_H_
