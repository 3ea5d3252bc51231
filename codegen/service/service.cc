#include "codegen/service/service.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/compile_kernel.h"
#include "codegen/service/frame.h"
#include "frontend/files/system_error.h"

namespace halyard::lowering {

namespace {

using Clock = std::chrono::steady_clock;

// Who has asked for so many kernels is expected to ask for as many again.
constexpr int kManyKernels = 12;

struct Child {
  uint64_t id = 0;
  pid_t pid = -1;
  int reply_fd = -1, error_fd = -1;
  FrameReader reply;
  std::string errors;  // the last of its stderr
  Clock::time_point deadline;
  bool timed_out = false;
  std::string label;
};

class Service {
 public:
  Service(int in, int out, const ServiceOptions& options, const KernelProcess& spare)
      : in_(in), out_(out), options_(options), spare_(spare) {
    struct stat stat = {};
    in_is_socket_ = fstat(in, &stat) == 0 && S_ISSOCK(stat.st_mode);
  }

  int Run() {
    Prepare();
    while (open_ || !waiting_.empty() || !children_.empty()) {
      while (static_cast<int>(children_.size()) < options_.jobs && !waiting_.empty()) {
        Start(std::move(waiting_.front()));
        waiting_.pop_front();
      }
      if (!Poll()) return 1;
    }
    return 0;
  }

 private:
  void Reply(uint64_t id, absl::StatusCode code, std::string bytes) {
    if (!WriteAll(out_, EncodeFrame(Frame{id, code, std::move(bytes)})))
      _exit(1);  // the asker is gone
  }

  // A process for the next request, which then does not wait for the fork.
  void Prepare() {
    if (spare_.pid > 0) return;
    absl::StatusOr<KernelProcess> forked = ForkKernelProcess({in_, out_}, options_);
    if (!forked.ok()) return;
    spare_ = *forked;
    spare_is_warm_ = false;
  }

  bool IsIdle() const { return open_ && children_.empty() && waiting_.empty(); }

  // Nobody waits for it. If the process has ended, the next request finds out.
  void WarmUpSpare() {
    if (spare_.pid > 0) WarmUpProcess(spare_);
    spare_is_warm_ = true;
  }

  void Start(Frame request) {
    KernelProcess process = std::exchange(spare_, KernelProcess());
    // A spare one that was killed is replaced.
    if (process.pid > 0 && !SendRequest(process, request.bytes)) {
      CloseAll(process);
      waitpid(process.pid, nullptr, 0);
      process = KernelProcess();
    }
    if (process.pid < 0) {
      absl::StatusOr<KernelProcess> forked = ForkKernelProcess({in_, out_}, options_);
      if (!forked.ok()) {
        Reply(request.id, forked.status().code(), std::string(forked.status().message()));
        return;
      }
      process = *forked;
      SendRequest(process, request.bytes);  // whether it has read this, its end tells
    }
    close(process.request_fd);
    if (++started_ == kManyKernels) WarmUpLlvm();
    Child child;
    child.id = request.id;
    child.pid = process.pid;
    child.reply_fd = process.reply_fd;
    child.error_fd = process.error_fd;
    child.deadline = Clock::now() + std::chrono::microseconds(
                                        static_cast<int64_t>(options_.seconds_per_kernel * 1e6));
    child.label = KernelLabel(request.bytes);
    children_.push_back(std::move(child));
    Prepare();
  }

  static void CloseAll(const KernelProcess& process) {
    for (const int fd : {process.request_fd, process.reply_fd, process.error_fd}) close(fd);
  }

  // Reads once from the child's stderr. Returns false at its end.
  bool KeepErrors(Child& child) {
    char buffer[4096];
    const ssize_t got = read(child.error_fd, buffer, sizeof(buffer));
    if (got <= 0) return false;
    child.errors.append(buffer, static_cast<size_t>(got));
    if (child.errors.size() > 2000) child.errors.erase(0, child.errors.size() - 2000);
    return true;
  }

  void Finish(Child& child) {
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    while (KeepErrors(child)) {
    }
    close(child.reply_fd);
    close(child.error_fd);
    std::optional<Frame> frame;
    if (!child.timed_out && child.reply.Next(&frame).ok() && frame.has_value()) {
      Reply(child.id, frame->code, std::move(frame->bytes));
      return;
    }
    std::string what;
    if (child.timed_out) {
      what = absl::StrCat("compiling took more than ", options_.seconds_per_kernel,
                          " s and was stopped");
    } else if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      what =
          absl::StrCat("the code generator died of signal ", signal, " (", strsignal(signal), ")");
      if (signal == SIGSEGV) absl::StrAppend(&what, ": a stack overflow, or a bug in Halide");
    } else if (WEXITSTATUS(status) == kNoThread) {
      what = "no memory for the code generator's stack";
    } else {
      what = absl::StrCat("the code generator ended with status ", WEXITSTATUS(status),
                          " and no answer");
    }
    if (!child.timed_out) what += LowLimitsNote();
    if (!child.errors.empty()) absl::StrAppend(&what, "; it said: ", child.errors);
    Reply(child.id,
          child.timed_out ? absl::StatusCode::kDeadlineExceeded : absl::StatusCode::kInternal,
          absl::StrCat(child.label, ": ", what));
  }

  // Returns false if the stream of requests is damaged.
  bool Poll() {
    std::vector<pollfd> fds;
    if (open_) fds.push_back({in_, POLLIN, 0});
    for (const Child& child : children_) {
      fds.push_back({child.reply_fd, POLLIN, 0});
      fds.push_back({child.error_fd, POLLIN, 0});
    }
    int64_t wait_ms = -1;
    for (const Child& child : children_) {
      const int64_t left =
          std::chrono::duration_cast<std::chrono::milliseconds>(child.deadline - Clock::now())
              .count() +
          1;
      wait_ms = std::max<int64_t>(0, wait_ms < 0 ? left : std::min(wait_ms, left));
    }
    if (IsIdle() && !spare_is_warm_) wait_ms = kIdleMilliseconds;
    const int ready = poll(fds.data(), fds.size(), static_cast<int>(wait_ms));
    if (ready < 0 && errno != EINTR) return false;
    if (ready == 0 && IsIdle()) WarmUpSpare();

    size_t next = 0;
    if (open_) {
      // The stream is closed in both directions, so nobody waits for the answers.
      if ((fds[next].revents & POLLHUP) != 0 && in_is_socket_) return GiveUp();
      if (fds[next++].revents != 0 && !ReadRequests()) return false;
    }
    // There are two descriptors per child, in the order of the children above.
    for (size_t c = 0; c < children_.size(); next += 2) {
      Child& child = children_[c];
      const bool reply_ready = fds[next].revents != 0, errors_ready = fds[next + 1].revents != 0;
      char buffer[65536];
      if (errors_ready) KeepErrors(child);
      bool ended = false;
      if (reply_ready) {
        const ssize_t got = read(child.reply_fd, buffer, sizeof(buffer));
        if (got > 0) child.reply.Append(absl::string_view(buffer, static_cast<size_t>(got)));
        ended = got == 0;
      }
      if (!ended && Clock::now() >= child.deadline) {
        kill(child.pid, SIGKILL);
        child.timed_out = true;
        ended = true;
      }
      if (!ended) {
        ++c;
        continue;
      }
      Finish(child);
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(c));
    }
    return true;
  }

  bool GiveUp() {
    for (const Child& child : children_) kill(child.pid, SIGKILL);
    return false;
  }

  bool ReadRequests() {
    char buffer[65536];
    const ssize_t got = read(in_, buffer, sizeof(buffer));
    if (got < 0) return errno == EINTR;
    if (got == 0) {
      open_ = false;
      return true;
    }
    reader_.Append(absl::string_view(buffer, static_cast<size_t>(got)));
    while (true) {
      std::optional<Frame> frame;
      if (!reader_.Next(&frame).ok()) return false;
      if (!frame.has_value()) return true;
      waiting_.push_back(*std::move(frame));
    }
  }

  int in_, out_;
  ServiceOptions options_;
  bool open_ = true, in_is_socket_ = false;
  int started_ = 0;
  FrameReader reader_;
  std::deque<Frame> waiting_;
  std::vector<Child> children_;
  KernelProcess spare_;
  bool spare_is_warm_ = false;
};

}  // namespace

int ServeKernels(int in, int out, const ServiceOptions& options, const KernelProcess& spare) {
  signal(SIGPIPE, SIG_IGN);
  return Service(in, out, options, spare).Run();
}

}  // namespace halyard::lowering
