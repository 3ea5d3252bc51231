#include "lowering/codegen/kernel_compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <optional>

#include "absl/strings/str_cat.h"
#include "lowering/codegen/frame.h"

extern char** environ;

namespace halyard::lowering {

namespace {

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// Beside the executable, or beside the library that holds this code (then also ../bin, where an
// installation has it).
std::string FindCodegen(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const char* path = getenv("HALYARD_CODEGEN"); path != nullptr && *path != '\0') return path;
  std::vector<std::string> folders;
  char buffer[4096];
  if (const ssize_t size = readlink("/proc/self/exe", buffer, sizeof(buffer)); size > 0) {
    folders.push_back(DirectoryOf(std::string(buffer, static_cast<size_t>(size))));
  }
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&FindCodegen), &info) != 0 && info.dli_fname != nullptr) {
    folders.push_back(DirectoryOf(info.dli_fname));
  }
  for (const std::string& folder : folders) {
    for (const char* beside : {"", "/../bin"}) {
      std::string path = absl::StrCat(folder, beside, "/halyard-codegen");
      if (access(path.c_str(), X_OK) == 0) return path;
    }
  }
  return "";
}

class ProcessCompiler : public KernelCompiler {
 public:
  explicit ProcessCompiler(KernelCompilerOptions options) : options_(std::move(options)) {
    if (options_.jobs <= 0)
      options_.jobs = static_cast<int>(std::max<long>(1, sysconf(_SC_NPROCESSORS_ONLN)));
  }
  ~ProcessCompiler() override { Stop(); }

  std::vector<absl::StatusOr<KernelReply>> Compile(
      absl::Span<const KernelRequest> requests, const std::function<void(size_t)>& done) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<absl::StatusOr<KernelReply>> replies(requests.size(),
                                                     absl::UnknownError("not answered"));
    std::vector<bool> answered(requests.size(), false);
    absl::Status status = Start();
    if (status.ok()) status = Exchange(requests, &replies, &answered, done);
    if (!status.ok()) {
      Stop();
      for (size_t i = 0; i < replies.size(); ++i) {
        if (!answered[i]) replies[i] = status;
      }
    }
    return replies;
  }

 private:
  absl::Status Start() {
    if (pid_ > 0) return absl::OkStatus();
    const std::string path = FindCodegen(options_.codegen_path);
    if (path.empty()) {
      return absl::NotFoundError(
          "halyard-codegen is not beside this program; name it in the environment variable "
          "HALYARD_CODEGEN");
    }
    // A socket pair: writing to a service that died is then an error, not a signal.
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
      return absl::ResourceExhaustedError(absl::StrCat("socketpair: ", strerror(errno)));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
    const std::string jobs = absl::StrCat("--jobs=", options_.jobs),
                      seconds = absl::StrCat("--seconds=", options_.seconds_per_kernel),
                      memory = absl::StrCat("--memory=", options_.memory_bytes_per_kernel);
    const char* argv[] = {path.c_str(),    "--serve",      jobs.c_str(),
                          seconds.c_str(), memory.c_str(), nullptr};
    const int error =
        posix_spawn(&pid_, path.c_str(), &actions, nullptr, const_cast<char**>(argv), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(sockets[1]);
    if (error != 0) {
      close(sockets[0]);
      pid_ = -1;
      return absl::NotFoundError(absl::StrCat(path, " cannot be started: ", strerror(error)));
    }
    socket_ = sockets[0];
    fcntl(socket_, F_SETFL, O_NONBLOCK);
    reader_ = FrameReader();
    return absl::OkStatus();
  }

  void Stop() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
    if (pid_ > 0) {
      int status = 0;
      kill(pid_, SIGTERM);
      while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
      }
    }
    pid_ = -1;
  }

  absl::Status Exchange(absl::Span<const KernelRequest> requests,
                        std::vector<absl::StatusOr<KernelReply>>* replies,
                        std::vector<bool>* answered, const std::function<void(size_t)>& done) {
    std::string outgoing;
    const uint64_t first = next_id_;
    for (const KernelRequest& request : requests)
      outgoing += EncodeFrame({next_id_++, absl::StatusCode::kOk, request.Serialize()});
    size_t sent = 0, left = requests.size();
    while (left > 0) {
      pollfd fd = {socket_, static_cast<short>(POLLIN | (sent < outgoing.size() ? POLLOUT : 0)), 0};
      if (poll(&fd, 1, -1) < 0 && errno != EINTR)
        return absl::InternalError(absl::StrCat("poll: ", strerror(errno)));
      if (fd.revents & POLLOUT) {
        const ssize_t wrote =
            send(socket_, outgoing.data() + sent, outgoing.size() - sent, MSG_NOSIGNAL);
        if (wrote > 0) sent += static_cast<size_t>(wrote);
        if (wrote < 0 && errno != EAGAIN && errno != EINTR) return Died();
      }
      if (!(fd.revents & (POLLIN | POLLHUP | POLLERR))) continue;
      char buffer[65536];
      const ssize_t got = recv(socket_, buffer, sizeof(buffer), 0);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return Died();
      if (got < 0) continue;
      reader_.Append(absl::string_view(buffer, static_cast<size_t>(got)));
      while (true) {
        std::optional<Frame> frame;
        absl::Status status = reader_.Next(&frame);
        if (!status.ok()) return status;
        if (!frame.has_value()) break;
        if (frame->id < first || frame->id >= next_id_) continue;  // of a call that was given up
        const size_t index = frame->id - first;
        (*replies)[index] =
            frame->code == absl::StatusCode::kOk
                ? KernelReply::Parse(frame->bytes)
                : absl::StatusOr<KernelReply>(absl::Status(frame->code, frame->bytes));
        (*answered)[index] = true;
        --left;
        if (done) done(index);
      }
    }
    return absl::OkStatus();
  }

  absl::Status Died() {
    return absl::UnavailableError(
        "halyard-codegen ended before it had answered; the next compile starts a new one");
  }

  KernelCompilerOptions options_;
  std::mutex mutex_;
  pid_t pid_ = -1;
  int socket_ = -1;
  uint64_t next_id_ = 1;
  FrameReader reader_;
};

}  // namespace

std::unique_ptr<KernelCompiler> KernelCompiler::Create(KernelCompilerOptions options) {
  return std::make_unique<ProcessCompiler>(std::move(options));
}

}  // namespace halyard::lowering
