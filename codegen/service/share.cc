#include "codegen/service/share.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <utility>

#include "codegen/service/shared_service.h"

namespace halyard::lowering {

namespace {

using Clock = std::chrono::steady_clock;

// Sends an open file to the process at the other end of a socket, with one byte.
bool SendFile(int socket, int file) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &file, sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

// Returns the file, or -1 if the other end was closed.
int ReceiveFile(int socket) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  ssize_t got = -1;
  do {
    got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* header = got == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  memcpy(&file, CMSG_DATA(header), sizeof(int));
  return file;
}

class Sharer {
 public:
  Sharer(int listening, const std::string& socket_path, double idle_seconds,
         const ServiceOptions& options)
      : listening_(listening),
        socket_path_(socket_path),
        idle_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(std::min(idle_seconds, 1e7)))),
        options_(options) {
    fcntl(listening_, F_SETFL, O_NONBLOCK);
    struct stat info = {};
    if (stat(socket_path_.c_str(), &info) == 0) inode_ = info.st_ino;
  }

  int Run() {
    Clock::time_point used = Clock::now();
    while (true) {
      pollfd wanted = {listening_, POLLIN, 0};
      // The end of a connection is seen at the next turn.
      if (poll(&wanted, 1, 200) < 0 && errno != EINTR) return 1;
      const bool any = AcceptAll();
      for (pid_t ended; (ended = waitpid(-1, nullptr, WNOHANG)) > 0;) connected_.erase(ended);
      Prepare();
      if (any || !connected_.empty()) used = Clock::now();
      if (connected_.empty() && (Clock::now() - used >= idle_ || IsReplaced()) && MayEnd())
        return 0;
    }
  }

 private:
  // Returns whether anybody has connected.
  bool AcceptAll() {
    bool any = false;
    while (true) {
      const int connection = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) return any;
      any = true;
      if (IsOurs(connection)) Serve(connection);
      close(connection);
    }
  }

  // Gives the connection to the process that waits for one. Where there is none because no process
  // can be had, the connection is closed, and its user is told so.
  void Serve(int connection) {
    for (int tries = 0; tries < 2; ++tries) {
      Prepare();
      if (spare_ < 0) return;
      const bool sent = SendFile(spare_, connection);
      close(std::exchange(spare_, -1));
      if (!sent) continue;  // it was killed
      connected_.insert(spare_pid_);
      return;
    }
  }

  // Forks a process that waits for a connection, so that who connects does not wait for the fork,
  // nor for that of its first kernel's process.
  void Prepare() {
    if (spare_ >= 0) return;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    const pid_t pid = fork();
    if (pid == 0) {
      // Not only closed: what is opened next would be the standard input.
      const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (null < 0 || dup2(null, listening_) < 0) _exit(1);
      close(ends[0]);
      signal(SIGPIPE, SIG_IGN);
      const auto kernel = ForkKernelProcess({ends[1]}, options_);
      pollfd wanted = {ends[1], POLLIN, 0};
      if (poll(&wanted, 1, kIdleMilliseconds) == 0 && kernel.ok()) WarmUpProcess(*kernel);
      const int connection = ReceiveFile(ends[1]);
      close(ends[1]);
      if (connection < 0) _exit(0);  // the service ends
      if (!WriteAll(connection, absl::string_view(&kServed, 1))) _exit(0);
      const int out = fcntl(connection, F_DUPFD_CLOEXEC, 3);
      _exit(ServeKernels(connection, out, options_, kernel.ok() ? *kernel : KernelProcess()));
    }
    close(ends[1]);
    if (pid < 0) {
      close(ends[0]);
    } else {
      spare_ = ends[0];
      spare_pid_ = pid;
    }
  }

  // Whether somebody has put another socket in this one's place, or taken it away.
  bool IsReplaced() const {
    struct stat info = {};
    return stat(socket_path_.c_str(), &info) != 0 || info.st_ino != inode_;
  }

  // Nobody connects while the lock is held. Who has connected before is served.
  bool MayEnd() {
    const auto lock = ServiceLock::Take(socket_path_, /*alone=*/true, /*wait=*/false);
    if (!lock.ok() && !IsReplaced()) return false;
    if (AcceptAll()) return false;
    if (!IsReplaced()) unlink(socket_path_.c_str());
    if (spare_ >= 0) close(spare_);
    return true;
  }

  const int listening_;
  const std::string socket_path_;
  const Clock::duration idle_;
  const ServiceOptions options_;
  ino_t inode_ = 0;
  std::set<pid_t> connected_;
  int spare_ = -1;  // leads to the process that waits for a connection
  pid_t spare_pid_ = -1;
};

}  // namespace

int ShareKernels(int listening, const std::string& socket_path, double idle_seconds,
                 const ServiceOptions& options) {
  return Sharer(listening, socket_path, idle_seconds, options).Run();
}

}  // namespace halyard::lowering
