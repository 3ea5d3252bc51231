// Sockets between the ranks of a job.
#ifndef HALYARD_RANKS_RANK_SOCKETS_H_
#define HALYARD_RANKS_RANK_SOCKETS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace halyard::ranks {

// How to reach a rank that listens, and the secrets by which the two sides recognise each other.
// Other means carry it to the other ranks.
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
// Called on the rank that listens. Waits for at most a minute until the ranks from `first` up to
// `size` have come. Returns the sockets by rank, with -1 for ranks that have not come and for those
// before `first`. Turns away strangers who do not know the secret.
std::vector<int> AcceptRanks(int listener, const Contact& contact, int size, int first = 1);
// Connects `rank` to the rank `listening`, whose contact is given. kUnavailable says what was
// tried.
absl::StatusOr<int> ConnectToRank(const Contact& contact, int rank, int listening = 0);
// Sends the lines of Contact::Text, and everything else before a mesh exists, as a number of bytes
// followed by the bytes. Returns false if the other side is gone, or silent for a minute.
bool SendText(int socket, const std::string& text);
bool ReceiveText(int socket, std::string* text);

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_RANK_SOCKETS_H_
