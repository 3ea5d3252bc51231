#include "ranks/rank_sockets.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace halyard::ranks {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSecretBytes = 16;  // there are twice as many hexadecimal digits
constexpr double kConnectSeconds = 60;
// An address may lead nowhere, and there may be others to try. A rank that has been reached may be
// busy.
constexpr double kReachSeconds = 5, kGreetingSeconds = 20;

double SecondsUntil(Clock::time_point end) {
  return std::chrono::duration<double>(end - Clock::now()).count();
}
Clock::time_point After(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

std::string HostName() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return host;
}

absl::StatusOr<std::string> NewSecret() {
  char bytes[kSecretBytes];
  if (getrandom(bytes, sizeof(bytes), 0) != static_cast<ssize_t>(sizeof(bytes)))
    return absl::UnavailableError(absl::StrCat("getrandom: ", strerror(errno)));
  return absl::BytesToHexString(absl::string_view(bytes, sizeof(bytes)));
}

// Returns this machine's addresses on its networks.
std::vector<std::string> Addresses() {
  std::vector<std::string> addresses;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return addresses;
  for (const ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || (i->ifa_flags & IFF_UP) == 0 ||
        (i->ifa_flags & IFF_LOOPBACK) != 0) {
      continue;
    }
    const int family = i->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    if (family == AF_INET6 &&
        IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(i->ifa_addr)->sin6_addr)) {
      continue;
    }
    char text[NI_MAXHOST];
    const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (getnameinfo(i->ifa_addr, size, text, sizeof(text), nullptr, 0, NI_NUMERICHOST) == 0)
      addresses.push_back(text);
  }
  freeifaddrs(list);
  // The broadcast has room for this many addresses only.
  if (addresses.size() > 64) addresses.resize(64);
  return addresses;
}

// Listens on a port that the system picks; on the loopback interface if all ranks are on this
// machine.
absl::StatusOr<int> Listen(bool only_here, int* port) {
  int last = 0;
  for (const int family : {AF_INET6, AF_INET}) {
    if (only_here && family == AF_INET6) continue;
    const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_storage address = {};
    socklen_t size = sizeof(sockaddr_in);
    address.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET6) {
      const int both = 0;
      (void)setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof(both));
      size = sizeof(sockaddr_in6);
    } else if (only_here) {
      reinterpret_cast<sockaddr_in*>(&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    if (socket >= 0 && bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
        listen(socket, 1024) == 0 &&
        getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
      *port = ntohs(family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                       : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
      return socket;
    }
    last = errno;
    if (socket >= 0) close(socket);
  }
  return absl::UnavailableError(absl::StrCat("cannot listen: ", strerror(last)));
}

bool WaitFor(int socket, short events, Clock::time_point end) {
  pollfd fd = {socket, events, 0};
  while (true) {
    const double left = SecondsUntil(end);
    if (left <= 0) return false;
    const int ready = poll(&fd, 1, static_cast<int>(left * 1000) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool ReadAll(int socket, char* bytes, size_t size, Clock::time_point end) {
  while (size > 0) {
    if (!WaitFor(socket, POLLIN, end)) return false;
    const ssize_t got = recv(socket, bytes, size, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (got > 0) bytes += got, size -= static_cast<size_t>(got);
  }
  return true;
}

bool WriteAll(int socket, const std::string& bytes) {
  return send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

void SetUp(int socket) {
  const int one = 1, milliseconds = 30000;
  (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  // After this time, a machine that disappeared is reported as an error of the socket.
  (void)setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof(milliseconds));
}

// Rank N sends "<secret> <rank, 8 digits>". The listening side answers with the other secret.
std::string Greeting(const Contact& contact, int rank) {
  char digits[16];
  snprintf(digits, sizeof(digits), " %08d", rank);
  return contact.to_listener + digits;
}

// A process that has connected and has not yet said who it is.
struct Guest {
  int socket = -1;
  Clock::time_point end;  // the time limit for that
  std::string greeting;
};

constexpr size_t kGreetingBytes = 2 * kSecretBytes + 9;

// Returns the rank of a complete greeting, or -1 for a stranger.
int RankOf(const std::string& greeting, const Contact& contact, int first, int size) {
  int rank = -1;
  if (greeting.compare(0, 2 * kSecretBytes, contact.to_listener) != 0 ||
      !absl::SimpleAtoi(greeting.substr(2 * kSecretBytes), &rank) || rank < first || rank >= size) {
    return -1;
  }
  return rank;
}

// The listening side. It reads from all new connections at once, so that a silent connection keeps
// nobody waiting.
class Door {
 public:
  Door(int listener, const Contact& contact, int size, int first)
      : listener_(listener),
        contact_(contact),
        first_(first),
        sockets_(static_cast<size_t>(size), -1) {}
  ~Door() {
    for (const Guest& guest : guests_) close(guest.socket);
  }

  std::vector<int> Open() {
    const Clock::time_point end = After(kConnectSeconds);
    const int wanted = static_cast<int>(sockets_.size()) - first_;
    while (come_ < wanted && SecondsUntil(end) > 0) {
      if (!Wait(end)) break;
    }
    return sockets_;
  }

 private:
  // At most this many may wait; beyond that, the one that has waited longest is closed.
  size_t Most() const { return sockets_.size() + 256; }

  bool Wait(Clock::time_point end) {
    std::vector<pollfd> fds = {{listener_, POLLIN, 0}};
    for (const Guest& guest : guests_) {
      fds.push_back({guest.socket, POLLIN, 0});
      end = std::min(end, guest.end);
    }
    const double left = std::max(0.0, SecondsUntil(end));
    if (poll(fds.data(), fds.size(), static_cast<int>(left * 1000) + 1) < 0) return errno == EINTR;
    std::vector<Guest> guests;
    std::swap(guests, guests_);
    for (size_t i = 0; i < guests.size(); ++i) Hear(std::move(guests[i]), fds[i + 1].revents != 0);
    if (fds[0].revents != 0) LetStand();
    return true;
  }

  void LetStand() {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    if (guests_.size() >= Most()) {
      close(guests_.front().socket);
      guests_.erase(guests_.begin());
    }
    guests_.push_back({socket, After(kGreetingSeconds), ""});
  }

  // Reads what a new connection has said. It is then accepted, closed, or left to wait.
  void Hear(Guest guest, bool speaks) {
    bool gone = SecondsUntil(guest.end) <= 0;
    if (speaks) {
      char bytes[kGreetingBytes];
      const ssize_t got =
          recv(guest.socket, bytes, kGreetingBytes - guest.greeting.size(), MSG_DONTWAIT);
      gone |= got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
      if (got > 0) guest.greeting.append(bytes, static_cast<size_t>(got));
    }
    const bool whole = guest.greeting.size() == kGreetingBytes;
    if (whole && LetIn(guest)) return;
    if (whole || gone) {
      close(guest.socket);
    } else {
      guests_.push_back(std::move(guest));
    }
  }

  bool LetIn(const Guest& guest) {
    const int rank = RankOf(guest.greeting, contact_, first_, static_cast<int>(sockets_.size()));
    if (rank < 0 || sockets_[static_cast<size_t>(rank)] >= 0 ||
        !WriteAll(guest.socket, contact_.from_listener)) {
      return false;
    }
    SetUp(guest.socket);
    sockets_[static_cast<size_t>(rank)] = guest.socket;
    ++come_;
    return true;
  }

  const int listener_;
  const Contact& contact_;
  const int first_;
  std::vector<int> sockets_;  // by rank
  int come_ = 0;
  std::vector<Guest> guests_;
};

// Returns -1 on an error, and the reason in `why`.
int ConnectTo(const std::string& address, const Contact& contact, int rank, std::string* why) {
  addrinfo hints = {};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (int code = getaddrinfo(address.c_str(), absl::StrCat(contact.port).c_str(), &hints, &found);
      code != 0) {
    *why = gai_strerror(code);
    return -1;
  }
  const int socket = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  int error = 0;
  socklen_t size = sizeof(error);
  if (socket < 0 ||
      (connect(socket, found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS)) {
    error = errno;
  } else if (!WaitFor(socket, POLLOUT, After(kReachSeconds))) {
    error = ETIMEDOUT;
  } else {
    (void)getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  }
  freeaddrinfo(found);
  std::string answer(2 * kSecretBytes, '\0');
  if (error != 0) {
    *why = strerror(error);
  } else if (!WriteAll(socket, Greeting(contact, rank)) ||
             !ReadAll(socket, answer.data(), answer.size(), After(kGreetingSeconds)) ||
             answer != contact.from_listener) {
    *why = "something else answers there";
  } else {
    SetUp(socket);
    return socket;
  }
  if (socket >= 0) close(socket);
  return -1;
}

}  // namespace

std::string Contact::Text() const {
  std::vector<std::string> lines = {host, to_listener, from_listener, absl::StrCat(port)};
  lines.insert(lines.end(), addresses.begin(), addresses.end());
  return absl::StrJoin(lines, "\n");
}

absl::StatusOr<Contact> Contact::Parse(const std::string& text) {
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  Contact contact;
  if (lines.size() < 5 || !absl::SimpleAtoi(lines[3], &contact.port))
    return absl::UnavailableError("rank 0 has not said how it is reached");
  contact.host = lines[0];
  contact.to_listener = lines[1];
  contact.from_listener = lines[2];
  contact.addresses.assign(lines.begin() + 4, lines.end());
  return contact;
}

absl::StatusOr<Contact> OfferContact(bool only_here, int* listener) {
  Contact contact;
  absl::StatusOr<std::string> to_listener = NewSecret(), from_listener = NewSecret();
  if (!to_listener.ok()) return to_listener.status();
  if (!from_listener.ok()) return from_listener.status();
  absl::StatusOr<int> socket = Listen(only_here, &contact.port);
  if (!socket.ok()) return socket.status();
  *listener = *socket;
  contact.host = HostName();
  contact.to_listener = *std::move(to_listener);
  contact.from_listener = *std::move(from_listener);
  contact.addresses = only_here ? std::vector<std::string>{"127.0.0.1"} : Addresses();
  return contact;
}

std::vector<int> AcceptRanks(int listener, const Contact& contact, int size, int first) {
  return Door(listener, contact, size, first).Open();
}

absl::StatusOr<int> ConnectToRank(const Contact& contact, int rank, int listening) {
  std::vector<std::string> addresses = contact.addresses;
  if (contact.host == HostName()) addresses.insert(addresses.begin(), "127.0.0.1");
  std::string tried;
  for (const std::string& address : addresses) {
    std::string why;
    if (const int socket = ConnectTo(address, contact, rank, &why); socket >= 0) return socket;
    absl::StrAppend(&tried, tried.empty() ? "" : "; ", address, ": ", why);
  }
  return absl::UnavailableError(absl::StrCat("rank ", rank, " on ", HostName(),
                                             " cannot reach rank ", listening, " on ", contact.host,
                                             ", port ", contact.port, ": ", tried));
}

bool SendText(int socket, const std::string& text) {
  char digits[16];
  snprintf(digits, sizeof(digits), "%08zu", text.size());
  const std::string bytes = digits + text;
  const Clock::time_point end = After(kConnectSeconds);
  for (size_t sent = 0; sent < bytes.size();) {
    if (!WaitFor(socket, POLLOUT, end)) return false;
    const ssize_t some =
        send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (some < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (some > 0) sent += static_cast<size_t>(some);
  }
  return true;
}

bool ReceiveText(int socket, std::string* text) {
  const Clock::time_point end = After(kConnectSeconds);
  std::string digits(8, '\0');
  size_t size = 0;
  if (!ReadAll(socket, digits.data(), digits.size(), end) || !absl::SimpleAtoi(digits, &size))
    return false;
  text->assign(size, '\0');
  return ReadAll(socket, text->data(), size, end);
}

}  // namespace halyard::ranks
