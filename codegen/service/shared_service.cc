#include "codegen/service/shared_service.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/files/system_error.h"

extern char** environ;

namespace halyard::lowering {

namespace {

// The folder that holds the sockets, made if need be.
absl::StatusOr<std::string> SocketFolder() {
  const char* runtime = getenv("XDG_RUNTIME_DIR");
  const std::string folder = runtime != nullptr && *runtime == '/'
                                 ? absl::StrCat(runtime, "/halyard")
                                 : absl::StrCat("/tmp/halyard-", geteuid());
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return absl::FailedPreconditionError(absl::StrCat(
        "folder ", folder, " of shared services cannot be made: ", SystemErrorText(errno),
        "; unset HALYARD_CODEGEN_SERVICE to do without"));
  }
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
      (info.st_mode & 077) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("folder ", folder,
                     " of shared services must be a folder of yours alone (mode 700), for who can "
                     "write there could give you code; unset HALYARD_CODEGEN_SERVICE to do "
                     "without"));
  }
  return folder;
}

// What the service reads of its environment: its own variables, Halide's, the loader's, and where
// tools and temporary files are.
bool ServiceReads(absl::string_view entry) {
  for (const absl::string_view name : {"PATH=", "TMPDIR=", "HALYARD_PTXAS=", "HALYARD_NVDISASM=",
                                       "HALYARD_CODEGEN_FAULT=", "HL_", "LD_", "GLIBC_TUNABLES="}) {
    if (absl::StartsWith(entry, name)) return true;
  }
  return false;
}

// All that decides what a service would do, in one text.
std::string Circumstances(const std::string& path, const std::vector<std::string>& arguments) {
  std::string text = path;
  struct stat info = {};
  stat(path.c_str(), &info);
  absl::StrAppend(&text, "\n", info.st_dev, " ", info.st_ino, " ", info.st_size, " ",
                  info.st_mtim.tv_sec, ".", info.st_mtim.tv_nsec);
  for (const std::string& argument : arguments) absl::StrAppend(&text, "\n", argument);
  std::vector<std::string> read;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (ServiceReads(*entry)) read.emplace_back(*entry);
  }
  std::sort(read.begin(), read.end());
  for (const std::string& entry : read) absl::StrAppend(&text, "\n", entry);
  for (const int limit : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CPU, RLIMIT_FSIZE,
                          RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_CORE}) {
    rlimit value = {};
    getrlimit(static_cast<__rlimit_resource>(limit), &value);
    absl::StrAppend(&text, "\n", value.rlim_cur, " ", value.rlim_max);
  }
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof(cpus), &cpus);
  text.append(reinterpret_cast<const char*>(&cpus), sizeof(cpus));
  absl::StrAppend(&text, "\n", getpriority(PRIO_PROCESS, 0));
  return text;
}

absl::StatusOr<std::string> SocketPath(const std::string& path,
                                       const std::vector<std::string>& arguments) {
  absl::StatusOr<std::string> folder = SocketFolder();
  if (!folder.ok()) return folder;
  const std::string all = Circumstances(path, arguments);
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  std::string socket = absl::StrCat(*folder, "/codegen-", absl::Hex(hash.high64, absl::kZeroPad16),
                                    absl::Hex(hash.low64, absl::kZeroPad16));
  if (socket.size() >= sizeof(sockaddr_un::sun_path)) {
    return absl::FailedPreconditionError(
        absl::StrCat("the path of a shared service's socket is too long: ", socket,
                     "; unset HALYARD_CODEGEN_SERVICE or name a shorter XDG_RUNTIME_DIR"));
  }
  return socket;
}

sockaddr_un Address(const std::string& socket_path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, socket_path.data(), socket_path.size());
  return address;
}

absl::Status SocketError(absl::string_view what) {
  return absl::UnavailableError(
      absl::StrCat("shared halyard-codegen: ", what, ": ", SystemErrorText(errno)));
}

// Returns a socket, or kNotFound where nobody listens.
absl::StatusOr<int> Connect(const std::string& socket_path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return SocketError("socket");
  const sockaddr_un address = Address(socket_path);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    if (IsOurs(fd)) return fd;
    close(fd);
    return absl::FailedPreconditionError(
        absl::StrCat("the shared service at ", socket_path, " is another user's"));
  }
  const int error = errno;
  close(fd);
  errno = error;
  if (error == ENOENT || error == ECONNREFUSED) return absl::NotFoundError("nobody listens");
  return SocketError("connect");
}

// A process in a session of its own, which is no child of this one: who embeds Halyard does not
// find it among its children. The listening socket is its standard input, and it has no other file
// of ours. Between the forks only what POSIX calls safe in signal handlers is called.
absl::Status StartDetached(const std::string& path, const std::vector<std::string>& arguments,
                           int listening) {
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t between = _Fork();
  if (between < 0) return SocketError("fork");
  if (between == 0) {
    setsid();
    const pid_t service = _Fork();
    if (service != 0) _exit(service < 0 ? 1 : 0);
    const int null = open("/dev/null", O_RDWR);
    if (chdir("/") != 0 || dup2(listening, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
        dup2(null, STDERR_FILENO) < 0) {
      _exit(127);
    }
    close_range(STDERR_FILENO + 1, ~0U, 0);
    execv(path.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0 ? absl::OkStatus() : SocketError("fork");
}

// Who connects at once waits in the socket's queue until the service has loaded Halide.
absl::Status StartService(const std::string& path, const std::vector<std::string>& arguments,
                          const std::string& socket_path, double idle_seconds) {
  unlink(socket_path.c_str());  // left by a service that was killed
  const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening < 0) return SocketError("socket");
  const sockaddr_un address = Address(socket_path);
  absl::Status status;
  if (bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(listening, 64) != 0) {
    status = SocketError("bind");
  } else {
    std::vector<std::string> all = arguments;
    all.push_back(absl::StrCat("--share=", socket_path));
    all.push_back(absl::StrCat("--idle=", idle_seconds));
    status = StartDetached(path, all, listening);
  }
  close(listening);
  return status;
}

absl::StatusOr<int> ConnectOrStart(const std::string& path,
                                   const std::vector<std::string>& arguments,
                                   const std::string& socket_path, double idle_seconds) {
  {
    absl::StatusOr<ServiceLock> lock = ServiceLock::Take(socket_path, /*alone=*/false, true);
    if (!lock.ok()) return lock.status();
    absl::StatusOr<int> connected = Connect(socket_path);
    if (!absl::IsNotFound(connected.status())) return connected;
  }
  absl::StatusOr<ServiceLock> lock = ServiceLock::Take(socket_path, /*alone=*/true, true);
  if (!lock.ok()) return lock.status();
  absl::StatusOr<int> connected = Connect(socket_path);  // somebody may have been faster
  if (!absl::IsNotFound(connected.status())) return connected;
  if (absl::Status s = StartService(path, arguments, socket_path, idle_seconds); !s.ok()) return s;
  return Connect(socket_path);
}

// Waits until a process serves this connection. Returns false if the service ends instead.
bool IsServed(int connection) {
  pollfd wanted = {connection, POLLIN, 0};
  while (true) {
    const int ready = poll(&wanted, 1, 60000);
    if (ready < 0 && errno == EINTR) continue;
    char byte = 0;
    return ready > 0 && recv(connection, &byte, 1, 0) == 1 && byte == kServed;
  }
}

}  // namespace

absl::StatusOr<std::optional<double>> SharedServiceSeconds(const char* text) {
  if (text == nullptr || *text == '\0') return std::nullopt;
  double seconds = 0;
  if (!absl::SimpleAtod(text, &seconds) || !std::isfinite(seconds) || seconds < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("HALYARD_CODEGEN_SERVICE is for how many seconds a code generator that nobody "
                     "uses stays (0: none is shared), not ",
                     text));
  }
  if (seconds == 0) return std::nullopt;
  return seconds;
}

absl::StatusOr<ChildProcess> ConnectToSharedService(const std::string& path,
                                                    const std::vector<std::string>& arguments,
                                                    double idle_seconds) {
  // The service runs elsewhere, so a relative path would mean another file there.
  char real[PATH_MAX];
  if (realpath(path.c_str(), real) == nullptr || access(real, X_OK) != 0) {
    return absl::NotFoundError(absl::StrCat(path, " cannot be started: ", SystemErrorText(errno)));
  }
  const std::string whole = real;
  const absl::StatusOr<std::string> socket_path = SocketPath(whole, arguments);
  if (!socket_path.ok()) return socket_path.status();
  // A service that is killed may still take connections for a moment.
  for (int tries = 0; tries < 5; ++tries) {
    const absl::StatusOr<int> connected =
        ConnectOrStart(whole, arguments, *socket_path, idle_seconds);
    if (!connected.ok() && !absl::IsNotFound(connected.status())) return connected.status();
    if (connected.ok() && IsServed(*connected)) return ChildProcess::Connected(*connected);
    if (connected.ok()) close(*connected);
    usleep(20000);
  }
  return absl::UnavailableError(absl::StrCat(whole, " ends as soon as it is started as a shared ",
                                             "service; unset HALYARD_CODEGEN_SERVICE to see why"));
}

absl::StatusOr<ServiceLock> ServiceLock::Take(const std::string& socket_path, bool alone,
                                              bool wait) {
  const std::string path = absl::StrCat(socket_path, ".lock");
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return SocketError(path);
  ServiceLock lock(fd);
  while (flock(fd, (alone ? LOCK_EX : LOCK_SH) | (wait ? 0 : LOCK_NB)) != 0) {
    if (errno != EINTR) return SocketError(path);
  }
  return lock;
}

ServiceLock::ServiceLock(ServiceLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

ServiceLock::~ServiceLock() {
  if (fd_ >= 0) close(fd_);
}

bool IsOurs(int socket) {
  ucred peer = {};
  socklen_t size = sizeof(peer);
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

}  // namespace halyard::lowering
