#include "autotuner/measure/measure.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/worker.h"
#include "codegen/service/child_process.h"
#include "codegen/service/frame.h"

namespace halyard::autotuner {

using lowering::ChildProcess;
using lowering::EncodeFrame;
using lowering::Frame;
using lowering::FrameReader;

class Measurer::Worker {
 public:
  static absl::StatusOr<std::unique_ptr<Worker>> Start(const MeasureOptions& options) {
    absl::StatusOr<std::string> path =
        lowering::FindHelper(options.worker_path, "HALYARD_RT", "halyard-rt");
    if (!path.ok()) return path.status();
    absl::StatusOr<ChildProcess> process =
        ChildProcess::Start(*path,
                            {"worker", absl::StrCat("--target=", options.target),
                             absl::StrCat("--device=", options.device_index),
                             absl::StrCat("--threads=", options.threads),
                             absl::StrCat("--memory=", options.memory_bytes)},
                            /*answers_on_stdout=*/false);
    if (!process.ok()) return process.status();
    auto worker = std::make_unique<Worker>();
    worker->process_ = *std::move(process);
    return worker;
  }

  // Sends the message and returns the answer. Returns kUnavailable if the process ended, and
  // kDeadlineExceeded if the time is up.
  absl::StatusOr<std::string> Ask(const std::string& message, double seconds) {
    const std::string outgoing = EncodeFrame({++id_, absl::StatusCode::kOk, message});
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (size_t sent = 0;;) {
      const double left =
          std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
      if (left <= 0) return absl::DeadlineExceededError("no answer in time");
      pollfd fd = {process_.socket(),
                   static_cast<short>(POLLIN | (sent < outgoing.size() ? POLLOUT : 0)), 0};
      if (poll(&fd, 1, static_cast<int>(left * 1000) + 1) < 0 && errno != EINTR)
        return absl::InternalError(absl::StrCat("poll: ", strerror(errno)));
      if ((fd.revents & POLLOUT) != 0) {
        const ssize_t wrote =
            send(process_.socket(), outgoing.data() + sent, outgoing.size() - sent, MSG_NOSIGNAL);
        if (wrote > 0) sent += static_cast<size_t>(wrote);
        if (wrote < 0 && errno != EAGAIN && errno != EINTR) return Gone();
      }
      if ((fd.revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
      char buffer[65536];
      const ssize_t got = recv(process_.socket(), buffer, sizeof(buffer), 0);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return Gone();
      if (got < 0) continue;
      reader_.Append(absl::string_view(buffer, static_cast<size_t>(got)));
      std::optional<Frame> frame;
      if (absl::Status s = reader_.Next(&frame); !s.ok()) return s;
      if (!frame.has_value() || frame->id != id_) continue;
      if (frame->code != absl::StatusCode::kOk) return absl::Status(frame->code, frame->bytes);
      return std::move(frame->bytes);
    }
  }

  // Stops the process; if `by_itself`, first waits up to 2 s for it to end. Returns its wait
  // status, as waitpid does.
  int End(bool by_itself) { return process_.End(SIGKILL, by_itself ? 2 : 0); }

 private:
  static absl::Status Gone() { return absl::UnavailableError("the worker ended"); }

  ChildProcess process_;
  uint64_t id_ = 0;
  FrameReader reader_;
};

Measurer::Measurer(MeasureOptions options) : options_(std::move(options)) {}
Measurer::~Measurer() = default;
int64_t Measurer::workers_started() const { return started_; }

absl::Status Measurer::CannotRun(absl::string_view what,
                                 const absl::StatusOr<TrialResult>& result) {
  worker_.reset();
  return absl::UnavailableError(
      absl::StrCat("a new worker for ", options_.target, " cannot run the ", what, ": ",
                   result.ok() ? result->error : std::string(result.status().message())));
}

// Starts a new worker, and sends it the data, the reference and the best.
absl::Status Measurer::Restart() {
  worker_.reset();
  absl::StatusOr<std::unique_ptr<Worker>> worker = Worker::Start(options_);
  if (!worker.ok()) return worker.status();
  worker_ = *std::move(worker);
  ++started_;
  trials_ = 0;
  for (const std::string* message : {&data_, &reference_, &best_}) {
    if (message->empty()) continue;
    absl::StatusOr<std::string> answer = worker_->Ask(*message, Limit() + 60);
    if (!answer.ok()) {
      worker_.reset();
      return absl::Status(answer.status().code(),
                          absl::StrCat("a worker for ", options_.target,
                                       " cannot take the kernel: ", answer.status().message()));
    }
    if (message == &data_) continue;
    // Without the reference, a wrong candidate might count as right, and without the best, any
    // candidate as faster than it.
    const absl::StatusOr<TrialResult> result = DecodeResult(*answer);
    if (result.ok() && result->outcome == Outcome::kGood) continue;
    return CannotRun(message == &best_ ? "best schedule so far" : "reference schedule", result);
  }
  return absl::OkStatus();
}

absl::Status Measurer::SetData(const TrialData& data) {
  data_ = EncodeData(data);
  sampled_ = data.IsSampled();
  reference_.clear();
  best_.clear();
  first_seconds_ = 0;
  if (worker_ != nullptr && trials_ < options_.trials_per_worker) {
    if (worker_->Ask(data_, Limit() + 60).ok()) return absl::OkStatus();
  }
  return Restart();
}

// Returns the result of a candidate after which the worker ended (`waited` is 0) or did not answer
// for `waited` seconds.
absl::StatusOr<TrialResult> Measurer::Ended(double waited) {
  TrialResult result;
  result.verdict = Verdict::kSlower;
  const int status = worker_->End(/*by_itself=*/waited == 0);
  worker_.reset();
  if (waited > 0) {
    result.outcome = Outcome::kTimeout;
    result.error = absl::StrCat("stopped after ", waited, " s");
    return result;
  }
  result.outcome = Outcome::kCrash;
  result.error = WIFSIGNALED(status) ? absl::StrCat("ended by signal ", WTERMSIG(status), " (",
                                                    strsignal(WTERMSIG(status)), ")")
                                     : absl::StrCat("ended with status ", WEXITSTATUS(status));
  return result;
}

// Returns the most seconds for a candidate. A large kernel may take long on a slow device, so the
// first candidate has more time, and shows what the others need.
double Measurer::Limit() const {
  return first_seconds_ > 0 ? std::max(options_.seconds_per_trial, 3 * first_seconds_)
                            : 6 * options_.seconds_per_trial;
}

// Sends a candidate to the worker. Returns its result, also if it ends the worker.
absl::StatusOr<TrialResult> Measurer::Ask(const std::string& message) {
  const auto start = std::chrono::steady_clock::now();
  const double limit = Limit();
  absl::StatusOr<std::string> answer = worker_->Ask(message, limit);
  if (answer.status().code() == absl::StatusCode::kUnavailable) return Ended(0);
  if (answer.status().code() == absl::StatusCode::kDeadlineExceeded) return Ended(limit);
  if (!answer.ok()) return answer.status();
  absl::StatusOr<TrialResult> result = DecodeResult(*answer);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (first_seconds_ == 0 && result.ok() && result->outcome == Outcome::kGood)
    first_seconds_ = took.count();
  return result;
}

absl::StatusOr<TrialResult> Measurer::SetReference(absl::string_view object) {
  const MachineLock::Hold hold(options_.lock, /*shared=*/false);
  if (worker_ == nullptr) {
    if (absl::Status s = Restart(); !s.ok()) return s;
  }
  absl::StatusOr<TrialResult> result = Ask(EncodeReference(object));
  if (result.ok() && result->outcome == Outcome::kGood && sampled_)
    reference_ = EncodeReference(object);
  return result;
}

absl::StatusOr<TrialResult> Measurer::Try(absl::string_view object, const TrialOptions& options) {
  const MachineLock::Hold hold(options_.lock, /*shared=*/false);
  if (worker_ == nullptr || trials_ >= options_.trials_per_worker || options.new_process) {
    if (absl::Status s = Restart(); !s.ok()) return s;
  }
  ++trials_;
  absl::StatusOr<TrialResult> result = Ask(EncodeTry(object, options));
  if (!result.ok() || result->outcome != Outcome::kGood) return result;
  // The worker has made it the reference, too.
  if (sampled_ && reference_.empty()) reference_ = EncodeReference(object);
  if (result->verdict == Verdict::kFaster) best_ = EncodeBest(object);
  return result;
}

}  // namespace halyard::autotuner
