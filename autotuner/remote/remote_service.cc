#include "autotuner/remote/remote_service.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/worker.h"
#include "autotuner/remote/remote_messages.h"
#include "codegen/service/frame.h"

namespace halyard::autotuner {

using lowering::EncodeFrame;
using lowering::Frame;
using lowering::FrameReader;

namespace {

std::string HostName() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return host;
}

// The connection to the tuner. A thread reads the stream, so that its end is noticed during a
// trial. The thread also reports now and then that this process is alive.
class Connection {
 public:
  Connection(int socket, const ServiceOptions& options)
      : socket_(socket), options_(options), thread_([this] { Listen(); }) {}
  ~Connection() {
    leaving_ = true;
    (void)shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }

  // Returns the next piece of work, or nothing if this process was told to end or the stream is
  // lost.
  std::optional<Frame> Next() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return over_ || !work_.empty(); });
    if (over_) return std::nullopt;
    busy_ = true;
    Frame frame = std::move(work_.front());
    work_.pop_front();
    return frame;
  }
  // Sends the last message about a piece of work. A tuner that has read it may end this process.
  void Answer(uint64_t id, const absl::Status& status) {
    busy_ = false;
    if (status.ok()) {
      Send(id, JoinParts({kDone}));
    } else {
      Send({id, status.code(), std::string(status.message())});
    }
  }
  void Send(const Frame& frame) {
    const std::string bytes = EncodeFrame(frame);
    std::lock_guard<std::mutex> lock(send_mutex_);
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t wrote =
          send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (wrote > 0) sent += static_cast<size_t>(wrote);
      if (wrote >= 0 || errno == EINTR) continue;
      if (errno != EAGAIN) return;  // Listen notices this, too
      pollfd fd = {socket_, POLLOUT, 0};
      (void)poll(&fd, 1, 1000);
    }
  }
  void Send(uint64_t id, const std::string& bytes) { Send({id, absl::StatusCode::kOk, bytes}); }
  bool told_to_stop(uint64_t id) const { return stopped_ == id; }
  bool told_to_end() const { return end_; }

 private:
  void Listen() {
    FrameReader reader;
    char buffer[65536];
    const int milliseconds = static_cast<int>(options_.alive_seconds * 1000);
    while (!end_) {
      pollfd fd = {socket_, POLLIN, 0};
      const int ready = poll(&fd, 1, milliseconds);
      if (ready == 0) Send(0, JoinParts({kAlive}));
      if (ready <= 0) continue;
      const ssize_t got = recv(socket_, buffer, sizeof(buffer), MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0) break;
      reader.Append(absl::string_view(buffer, static_cast<size_t>(got)));
      if (!Take(reader)) break;
    }
    if (!leaving_ && (!end_ || busy_) && options_.lost) options_.lost();
    std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }
  bool Take(FrameReader& reader) {
    while (true) {
      std::optional<Frame> frame;
      if (!reader.Next(&frame).ok()) return false;
      if (!frame.has_value()) return true;
      absl::StatusOr<std::vector<std::string>> parts = SplitParts(frame->bytes);
      if (!parts.ok() || parts->empty()) return false;
      if ((*parts)[0] == kStop) stopped_ = frame->id;
      if ((*parts)[0] == kEnd) {
        end_ = true;
        return true;
      }
      if ((*parts)[0] != kWork) continue;
      std::lock_guard<std::mutex> lock(mutex_);
      work_.push_back(*std::move(frame));
      changed_.notify_all();
    }
  }

  const int socket_;
  const ServiceOptions& options_;
  std::mutex mutex_, send_mutex_;
  std::condition_variable changed_;
  std::deque<Frame> work_;
  bool over_ = false;
  std::atomic<bool> end_ = false, leaving_ = false, busy_ = false;
  std::atomic<uint64_t> stopped_ = 0;
  std::thread thread_;
};

class Service {
 public:
  Service(Connection& connection, Trials& trials, const runtime::DeviceInfo& device,
          MachineLock* lock)
      : connection_(connection), trials_(trials), device_(device), lock_(lock) {}

  absl::Status Do(uint64_t id, const std::string& bytes) {
    absl::StatusOr<std::vector<std::string>> parts = SplitParts(bytes);
    if (!parts.ok()) return parts.status();
    absl::StatusOr<Work> work = DecodeWork(*parts);
    if (!work.ok()) return work.status();
    const std::string key = work->request.KernelKey();
    if (absl::Status s = CheckDevice(work->request, key); !s.ok()) return s;
    if (work->alone || key != key_ || work->best != best_) {
      if (absl::Status s = Begin(id, *work, key); !s.ok()) return s;
    }
    return work->alone ? absl::OkStatus() : Run(id, *work);
  }

 private:
  absl::Status CheckDevice(const lowering::KernelRequest& request, const std::string& key) {
    lowering::KernelRequest here = request;
    here.device = device_;
    if (here.KernelKey() == key && std::string(device_.name) == request.device.name)
      return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(
        "its device, ", device_.name, ", is not like that of rank 0, ", request.device.name));
  }

  absl::Status Begin(uint64_t id, const Work& work, const std::string& key) {
    KernelTask task;
    task.name = work.name;
    task.request = work.request;
    task.key = key;
    task.device = work.request.device.name;
    key_.clear();
    MachineLock::Hold hold(lock_, /*shared=*/false);
    absl::StatusOr<Trial> trial = trials_.Begin(task, work.best);
    if (!trial.ok()) return trial.status();
    const Record& record = trial->record;
    if (record.outcome == Outcome::kGood) {
      key_ = key;
      best_ = record.schedule;
    } else if (!work.alone) {
      return absl::FailedPreconditionError(
          absl::StrCat("schedule \"", work.best, "\", the best elsewhere, fails: ", record.error));
    }
    if (work.alone) connection_.Send(id, EncodeTrial({kAlone, *std::move(trial)}));
    return absl::OkStatus();
  }

  absl::Status Run(uint64_t id, const Work& work) {
    return trials_
        .Run(work.schedules, work.options,
             [&](size_t i, const Trial& trial) {
               if (trial.record.outcome == Outcome::kGood && trial.verdict == Verdict::kFaster)
                 best_ = trial.record.schedule;
               connection_.Send(id, EncodeTrial({static_cast<int64_t>(i), trial}));
               return !connection_.told_to_stop(id);
             })
        .status();
  }

  Connection& connection_;
  Trials& trials_;
  const runtime::DeviceInfo device_;
  MachineLock* const lock_;
  std::string key_, best_;  // task and best with which trials_ has begun; "" if none
};

}  // namespace

bool ServeRemoteTrials(int socket, Trials& trials, const runtime::DeviceInfo& device,
                       const ServiceOptions& options) {
  Connection connection(socket, options);
  connection.Send(0, EncodeHello({RemoteVersion(), HostName(), trials.width()}));
  Service service(connection, trials, device, options.lock);
  while (std::optional<Frame> frame = connection.Next()) {
    connection.Answer(frame->id, service.Do(frame->id, frame->bytes));
  }
  return connection.told_to_end();
}

}  // namespace halyard::autotuner
