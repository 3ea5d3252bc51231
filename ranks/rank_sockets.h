// Sockets between the ranks of a job.
#ifndef HALYARD_RANKS_RANK_SOCKETS_H_
#define HALYARD_RANKS_RANK_SOCKETS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace halyard::ranks {

// How to reach a rank that listens, and the secrets by which the two sides know each other. It
// tells the others by other means.
struct Contact {
  std::string host, to_listener, from_listener;
  int port = 0;
  std::vector<std::string> addresses;  // numeric

  std::string Text() const;
  static absl::StatusOr<Contact> Parse(const std::string& text);
};

// Listens at a port that the system picks, on the loopback interface only if all ranks are on this
// machine. The caller closes `*listener`.
absl::StatusOr<Contact> OfferContact(bool only_here, int* listener);
// On the rank that listens: waits until the ranks from `first` up to `size` have come, for at most
// a minute. Returns the sockets by rank, -1 where a rank has not come, and for those before
// `first`. Strangers who do not know the secret are turned away.
std::vector<int> AcceptRanks(int listener, const Contact& contact, int size, int first = 1);
// On `rank`; `listening` is whose contact it is. kUnavailable says what was tried.
absl::StatusOr<int> ConnectToRank(const Contact& contact, int rank, int listening = 0);
// The lines of Contact::Text and all that is sent before a mesh exists: a number of bytes, then
// they. False if the other side is gone, or silent for a minute.
bool SendText(int socket, const std::string& text);
bool ReceiveText(int socket, std::string* text);

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_RANK_SOCKETS_H_
