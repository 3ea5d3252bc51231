#include "codegen/service/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/files/own_folders.h"
#include "frontend/files/system_error.h"

extern char** environ;

namespace halyard::lowering {

namespace {

// Two ends of a stream. Where this process has closed its standard streams, they would be those,
// and what it prints would go to the other end.
absl::Status MakeSockets(int* sockets) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return absl::ResourceExhaustedError(absl::StrCat("socketpair: ", SystemErrorText(errno)));
  for (int end = 0; end < 2; ++end) {
    if (sockets[end] > STDERR_FILENO) continue;
    const int moved = fcntl(sockets[end], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    close(sockets[end]);
    sockets[end] = moved;
    if (moved >= 0) continue;
    close(sockets[1 - end]);
    return absl::ResourceExhaustedError(absl::StrCat("socketpair: ", SystemErrorText(error)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> FindHelper(const std::string& asked, const char* variable,
                                       absl::string_view name) {
  if (!asked.empty()) return asked;
  if (const char* path = getenv(variable); path != nullptr && *path != '\0')
    return std::string(path);
  for (const std::string& folder : OwnFolders()) {
    for (const char* beside : {"", "/../bin"}) {
      std::string path = absl::StrCat(folder, beside, "/", name);
      if (access(path.c_str(), X_OK) == 0) return path;
    }
  }
  // An application that is linked with the client lies in a folder of its own.
  const char* search = getenv("PATH");
  for (absl::string_view folder : absl::StrSplit(search == nullptr ? "" : search, ':')) {
    std::string path = absl::StrCat(folder, "/", name);
    if (absl::StartsWith(path, "/") && access(path.c_str(), X_OK) == 0) return path;
  }
  return absl::NotFoundError(
      absl::StrCat(name,
                   " is neither beside this program nor in $PATH; name it in the environment "
                   "variable ",
                   variable));
}

absl::StatusOr<ChildProcess> ChildProcess::Start(const std::string& path,
                                                 const std::vector<std::string>& arguments,
                                                 bool answers_on_stdout) {
  int sockets[2];
  if (absl::Status s = MakeSockets(sockets); !s.ok()) return s;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
  if (answers_on_stdout) {
    posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ChildProcess child;
  const int error =
      posix_spawn(&child.pid_, path.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(sockets[1]);
  child.socket_ = sockets[0];
  if (error != 0) {
    child.pid_ = -1;  // whatever posix_spawn has left there
    return absl::NotFoundError(absl::StrCat(path, " cannot be started: ", SystemErrorText(error)));
  }
  fcntl(child.socket_, F_SETFL, O_NONBLOCK);
  return child;
}

ChildProcess ChildProcess::Connected(int socket) {
  ChildProcess helper;
  helper.socket_ = socket;
  fcntl(socket, F_SETFL, O_NONBLOCK);
  return helper;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(socket_, other.socket_);
  return *this;
}

ChildProcess::~ChildProcess() { End(SIGKILL); }

int ChildProcess::End(int signal, double grace) {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  int status = 0;
  if (pid_ <= 0) return status;
  for (double waited = 0; waited < grace; waited += 0.001) {
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return status;
    }
    usleep(1000);
  }
  kill(pid_, signal);
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

}  // namespace halyard::lowering
