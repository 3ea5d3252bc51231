#include "codegen/service/kernel_compiler.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>

#include "absl/strings/str_cat.h"
#include "codegen/service/child_process.h"
#include "codegen/service/frame.h"
#include "frontend/files/system_error.h"

namespace halyard::lowering {

namespace {

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
    if (process_.running()) return absl::OkStatus();
    absl::StatusOr<std::string> path =
        FindHelper(options_.codegen_path, "HALYARD_CODEGEN", "halyard-codegen");
    if (!path.ok()) return path.status();
    absl::StatusOr<ChildProcess> process =
        ChildProcess::Start(*path,
                            {"--serve", absl::StrCat("--jobs=", options_.jobs),
                             absl::StrCat("--seconds=", options_.seconds_per_kernel),
                             absl::StrCat("--memory=", options_.memory_bytes_per_kernel)},
                            /*answers_on_stdout=*/true);
    if (!process.ok()) return process.status();
    process_ = *std::move(process);
    reader_ = FrameReader();
    return absl::OkStatus();
  }

  // The service ends its processes once it sees that the socket is closed.
  void Stop() { process_.End(SIGTERM, /*grace=*/0.5); }

  absl::Status Exchange(absl::Span<const KernelRequest> requests,
                        std::vector<absl::StatusOr<KernelReply>>* replies,
                        std::vector<bool>* answered, const std::function<void(size_t)>& done) {
    std::string outgoing;
    const uint64_t first = next_id_;
    for (const KernelRequest& request : requests)
      outgoing += EncodeFrame({next_id_++, absl::StatusCode::kOk, request.Serialize()});
    size_t sent = 0, left = requests.size();
    while (left > 0) {
      pollfd fd = {process_.socket(),
                   static_cast<short>(POLLIN | (sent < outgoing.size() ? POLLOUT : 0)), 0};
      if (poll(&fd, 1, -1) < 0 && errno != EINTR)
        return absl::InternalError(absl::StrCat("poll: ", strerror(errno)));
      if (fd.revents & POLLOUT) {
        const ssize_t wrote =
            send(process_.socket(), outgoing.data() + sent, outgoing.size() - sent, MSG_NOSIGNAL);
        if (wrote > 0) sent += static_cast<size_t>(wrote);
        if (wrote < 0 && errno != EAGAIN && errno != EINTR) return Died();
      }
      if (!(fd.revents & (POLLIN | POLLHUP | POLLERR))) continue;
      char buffer[65536];
      const ssize_t got = recv(process_.socket(), buffer, sizeof(buffer), 0);
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
        absl::StrCat("halyard-codegen ended before it had answered; the next compile starts a new "
                     "one",
                     LowLimitsNote()));
  }

  KernelCompilerOptions options_;
  std::mutex mutex_;
  ChildProcess process_;
  uint64_t next_id_ = 1;
  FrameReader reader_;
};

}  // namespace

std::unique_ptr<KernelCompiler> KernelCompiler::Create(KernelCompilerOptions options) {
  return std::make_unique<ProcessCompiler>(std::move(options));
}

}  // namespace halyard::lowering
