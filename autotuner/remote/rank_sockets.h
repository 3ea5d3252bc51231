// Sockets between rank 0 and the other ranks of a job.
#ifndef HALYARD_AUTOTUNER_REMOTE_RANK_SOCKETS_H_
#define HALYARD_AUTOTUNER_REMOTE_RANK_SOCKETS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace halyard::autotuner {

// How to reach rank 0, and the secrets by which the two sides know each other. Rank 0 tells the
// others by other means.
struct Contact {
  std::string host, to_zero, from_zero;
  int port = 0;
  std::vector<std::string> addresses;  // numeric

  std::string Text() const;
  static absl::StatusOr<Contact> Parse(const std::string& text);
};

// Listens at a port that the system picks, on the loopback interface only if all ranks are on this
// machine. The caller closes `*listener`.
absl::StatusOr<Contact> OfferContact(bool only_here, int* listener);
// On rank 0: waits until all others of the job have come, for at most a minute. Returns the sockets
// by rank, -1 where a rank has not come, and for 0. Strangers who do not know the secret are turned
// away.
std::vector<int> AcceptRanks(int listener, const Contact& contact, int size);
// On the other ranks. kUnavailable says what was tried.
absl::StatusOr<int> ConnectToRankZero(const Contact& contact, int rank);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REMOTE_RANK_SOCKETS_H_
