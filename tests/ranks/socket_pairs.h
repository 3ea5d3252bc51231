// Connects ranks within one process.
#ifndef HALYARD_TESTS_RANKS_SOCKET_PAIRS_H_
#define HALYARD_TESTS_RANKS_SOCKET_PAIRS_H_

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <vector>

namespace halyard::testing {

// Returns the sockets: [a][b] is rank a's socket to rank b, or -1 if a is b.
inline std::vector<std::vector<int>> SocketPairs(int ranks) {
  const size_t count = static_cast<size_t>(ranks);
  std::vector<std::vector<int>> sockets(count, std::vector<int>(count, -1));
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = a + 1; b < count; ++b) {
      int pair[2] = {-1, -1};
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
      sockets[a][b] = pair[0];
      sockets[b][a] = pair[1];
    }
  }
  return sockets;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_RANKS_SOCKET_PAIRS_H_
