#include "codegen/service/kernel_compiler.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "codegen/service/child_process.h"
#include "codegen/service/frame.h"
#include "codegen/service/shared_service.h"
#include "frontend/files/system_error.h"

namespace halyard::lowering {

namespace {

absl::StatusOr<double> UsualSecondsPerKernel() {
  const char* text = getenv(kCompileSecondsVariable);
  if (text == nullptr || *text == '\0') return 120;
  double seconds = 0;
  if (absl::SimpleAtod(text, &seconds) && seconds > 0 && seconds <= 86400) return seconds;
  return absl::InvalidArgumentError(
      absl::StrCat(kCompileSecondsVariable, " is \"", text,
                   "\"; it must be a number of seconds, greater than 0 and at most 86400"));
}

// One service answers the requests of all callers, which take turns: each has requests with the
// service, however many another has. One of the callers talks to the service, for all of them.
class ProcessCompiler : public KernelCompiler {
 public:
  explicit ProcessCompiler(KernelCompilerOptions options) : options_(std::move(options)) {
    if (options_.jobs <= 0)
      options_.jobs = static_cast<int>(std::max<long>(1, sysconf(_SC_NPROCESSORS_ONLN)));
  }
  ~ProcessCompiler() override {
    Stop();
    if (wake_ >= 0) close(wake_);
  }

  absl::Status Start() override {
    std::lock_guard<std::mutex> lock(mutex_);
    return talking_ ? absl::OkStatus() : Connect();
  }

  std::vector<absl::StatusOr<KernelReply>> Compile(
      absl::Span<const KernelRequest> requests, const std::function<void(size_t)>& done) override {
    Call call(requests);
    std::unique_lock<std::mutex> lock(mutex_);
    const Registered registered(this, &call, &lock);
    while (call.left > 0 || !call.finished.empty()) {
      if (!call.finished.empty()) {
        const size_t index = call.finished.front();
        call.finished.pop_front();
        if (!done) continue;
        lock.unlock();
        done(index);
        lock.lock();
      } else if (talking_) {
        changed_.wait(lock);
      } else {
        talking_ = true;
        const absl::Status status = Talk(lock);
        talking_ = false;
        if (!status.ok()) Fail(status);
        changed_.notify_all();
      }
    }
    return std::move(call.replies);
  }

 private:
  struct Call {
    explicit Call(absl::Span<const KernelRequest> asked)
        : requests(asked),
          replies(asked.size(), absl::UnknownError("not answered")),
          answered(asked.size(), false),
          left(asked.size()) {}
    const absl::Span<const KernelRequest> requests;
    std::vector<absl::StatusOr<KernelReply>> replies;
    std::vector<bool> answered;
    std::deque<size_t> finished;  // of which `done` has not been told
    size_t sent = 0;
    size_t left;
  };

  // A call is known while it lasts, however it ends. Then another caller talks to the service.
  class Registered {
   public:
    Registered(ProcessCompiler* compiler, Call* call, std::unique_lock<std::mutex>* lock)
        : compiler_(*compiler), call_(call), lock_(*lock) {
      compiler_.calls_.push_back(call);
      compiler_.Wake();
    }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;
    ~Registered() {
      if (!lock_.owns_lock()) lock_.lock();
      compiler_.calls_.remove(call_);
      absl::erase_if(compiler_.waiting_,
                     [this](const auto& entry) { return entry.second.first == call_; });
      compiler_.changed_.notify_all();
    }

   private:
    ProcessCompiler& compiler_;
    Call* const call_;
    std::unique_lock<std::mutex>& lock_;
  };

  absl::Status Connect() {
    // A service that was killed while it had nothing to do is replaced.
    char byte;
    if (process_.running() && waiting_.empty() &&
        recv(process_.socket(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) {
      Stop();
    }
    if (process_.running()) return absl::OkStatus();
    if (wake_ < 0) wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (wake_ < 0) return absl::InternalError(absl::StrCat("eventfd: ", SystemErrorText(errno)));
    absl::StatusOr<std::string> path =
        FindHelper(options_.codegen_path, "HALYARD_CODEGEN", "halyard-codegen");
    if (!path.ok()) return path.status();
    const auto shared_seconds = SharedServiceSeconds(getenv("HALYARD_CODEGEN_SERVICE"));
    if (!shared_seconds.ok()) return shared_seconds.status();
    absl::StatusOr<double> seconds = options_.seconds_per_kernel;
    if (*seconds == 0) seconds = UsualSecondsPerKernel();
    if (!seconds.ok()) return seconds.status();
    std::vector<std::string> arguments = {
        absl::StrCat("--jobs=", options_.jobs), absl::StrCat("--seconds=", *seconds),
        absl::StrCat("--memory=", options_.memory_bytes_per_kernel)};
    absl::StatusOr<ChildProcess> process;
    if (shared_seconds->has_value()) {
      process = ConnectToSharedService(*path, arguments, **shared_seconds);
    } else {
      arguments.emplace_back("--serve");
      process = ChildProcess::Start(*path, arguments, /*answers_on_stdout=*/true);
    }
    if (!process.ok()) return process.status();
    process_ = *std::move(process);
    reader_ = FrameReader();
    return absl::OkStatus();
  }

  // The service ends its processes once it sees that the socket is closed.
  void Stop() {
    process_.End(SIGTERM, /*grace=*/0.5);
    waiting_.clear();
    outgoing_.clear();
  }

  // The caller that talks may be waiting for answers; there is more to send.
  void Wake() {
    const uint64_t one = 1;
    if (wake_ >= 0) (void)!write(wake_, &one, sizeof(one));
  }

  // Sends and receives what can be, after waiting for it without the lock.
  absl::Status Talk(std::unique_lock<std::mutex>& lock) {
    if (absl::Status started = Connect(); !started.ok()) {
      for (Call* call : calls_) call->sent = std::max<size_t>(call->sent, 1);  // fail all
      return started;
    }
    Enqueue();
    const short wanted = static_cast<short>(POLLIN | (outgoing_.empty() ? 0 : POLLOUT));
    pollfd fds[2] = {{process_.socket(), wanted, 0}, {wake_, POLLIN, 0}};
    lock.unlock();
    const int ready = poll(fds, 2, -1);
    const int error = errno;
    lock.lock();
    if (ready < 0)
      return error == EINTR ? absl::OkStatus()
                            : absl::InternalError(absl::StrCat("poll: ", SystemErrorText(error)));
    uint64_t count;
    if (fds[1].revents != 0) (void)!read(wake_, &count, sizeof(count));
    if ((fds[0].revents & POLLOUT) != 0) {
      const ssize_t wrote =
          send(process_.socket(), outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL);
      if (wrote > 0) outgoing_.erase(0, static_cast<size_t>(wrote));
      if (wrote < 0 && errno != EAGAIN && errno != EINTR) return Died();
    }
    return (fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0 ? Receive() : absl::OkStatus();
  }

  // Callers in turn, until the service has enough to do.
  void Enqueue() {
    const size_t enough = 2 * static_cast<size_t>(options_.jobs);
    for (size_t idle = 0; idle < calls_.size() && waiting_.size() < enough;) {
      Call* const call = calls_.front();
      calls_.splice(calls_.end(), calls_, calls_.begin());
      if (call->sent == call->requests.size() || call->left == 0) {
        ++idle;
        continue;
      }
      idle = 0;
      waiting_[next_id_] = {call, call->sent};
      outgoing_ +=
          EncodeFrame({next_id_++, absl::StatusCode::kOk, call->requests[call->sent].Serialize()});
      ++call->sent;
    }
  }

  absl::Status Receive() {
    char buffer[65536];
    const ssize_t got = recv(process_.socket(), buffer, sizeof(buffer), 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return Died();
    if (got < 0) return absl::OkStatus();
    reader_.Append(absl::string_view(buffer, static_cast<size_t>(got)));
    while (true) {
      std::optional<Frame> frame;
      absl::Status status = reader_.Next(&frame);
      if (!status.ok()) return status;
      if (!frame.has_value()) return absl::OkStatus();
      const auto found = waiting_.find(frame->id);
      if (found == waiting_.end()) continue;
      const auto [call, index] = found->second;
      waiting_.erase(found);
      call->replies[index] =
          frame->code == absl::StatusCode::kOk
              ? KernelReply::Parse(frame->bytes)
              : absl::StatusOr<KernelReply>(absl::Status(frame->code, frame->bytes));
      call->answered[index] = true;
      call->finished.push_back(index);
      --call->left;
    }
  }

  // Ends the service, and the calls that it had begun to work on.
  void Fail(const absl::Status& status) {
    Stop();
    for (Call* call : calls_) {
      if (call->sent == 0) continue;
      for (size_t i = 0; i < call->replies.size(); ++i) {
        if (!call->answered[i]) call->replies[i] = status;
      }
      call->left = 0;
    }
  }

  absl::Status Died() {
    return absl::UnavailableError(
        absl::StrCat("halyard-codegen ended before it had answered; the next compile starts a new "
                     "one",
                     LowLimitsNote()));
  }

  KernelCompilerOptions options_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool talking_ = false;
  std::list<Call*> calls_;
  absl::flat_hash_map<uint64_t, std::pair<Call*, size_t>> waiting_;  // by frame
  std::string outgoing_;
  ChildProcess process_;
  int wake_ = -1;
  uint64_t next_id_ = 1;
  FrameReader reader_;
};

}  // namespace

std::unique_ptr<KernelCompiler> KernelCompiler::Create(KernelCompilerOptions options) {
  return std::make_unique<ProcessCompiler>(std::move(options));
}

}  // namespace halyard::lowering
