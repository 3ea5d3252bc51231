#include "ranks/mpi_links.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace halyard::ranks {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kYields = 2000;  // how often the thread yields in vain before it sleeps
constexpr long kShortSleepNs = 50'000, kLongSleepNs = 1'000'000;
constexpr milliseconds kBusyFor{100};   // after the last message, sleeps are short for so long
constexpr milliseconds kLookAfter{20};  // how often processes are looked at
constexpr milliseconds kDrainFor{150};  // what a dead process has sent may still come
constexpr milliseconds kLeaveFor{10000}, kLeaveLostFor{500};

}  // namespace

ProcessName ProcessName::Own() {
  ProcessName name;
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  name.machine = std::hash<std::string>()(boot);
  struct stat space = {};
  if (stat("/proc/self/ns/pid", &space) == 0) name.space = space.st_ino;
  name.number = getpid();
  return name;
}

// Everything except `closing` and what `mutex` guards belongs to the thread.
struct MpiLinks::Pump {
  struct Stream {
    int local = -1;      // our end of the pair; -1 for the own rank
    int process = -1;    // a descriptor of the other rank's process, if it is here and has one
    int64_t number = 0;  // of that process; 0 if it is elsewhere
    std::vector<uint8_t> out, in;
    MpiTransport::Transfer* sending = nullptr;
    MpiTransport::Transfer* receiving = nullptr;
    int in_bytes = 0, in_at = 0;
    bool out_over = false, in_over = false;
    bool dead = false;  // whether the process is seen to be gone
    Clock::time_point drained;

    bool over() const { return out_over && in_over && sending == nullptr && in_bytes == in_at; }
  };

  ~Pump() {
    for (const Stream& stream : streams) {
      if (stream.local >= 0) close(stream.local);
      if (stream.process >= 0) close(stream.process);
    }
  }

  void Run();
  bool Step(int rank);
  bool StepOut(int rank, Stream& stream);
  bool StepIn(int rank, Stream& stream);
  void Lose(Stream& stream);
  void LookAtProcesses(Clock::time_point now);
  void Sleep(bool busy);
  bool AllOver() const {
    return std::all_of(streams.begin(), streams.end(),
                       [](const Stream& s) { return s.local < 0 || s.over(); });
  }

  std::unique_ptr<MpiTransport> transport;
  std::vector<Stream> streams;  // by rank
  bool lost = false;
  std::atomic<bool> closing = false, failed = false;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  std::thread thread;
};

absl::StatusOr<std::unique_ptr<MpiLinks>> MpiLinks::Create(
    std::unique_ptr<MpiTransport> transport, int rank, const std::vector<ProcessName>& processes) {
  auto links = std::unique_ptr<MpiLinks>(new MpiLinks);
  links->pump_ = std::make_shared<Pump>();
  Pump& pump = *links->pump_;
  pump.transport = std::move(transport);
  pump.streams.resize(processes.size());
  links->sockets_.assign(processes.size(), -1);
  const ProcessName& own = processes[static_cast<size_t>(rank)];
  for (size_t other = 0; other < processes.size(); ++other) {
    if (static_cast<int>(other) == rank) continue;
    Pump::Stream& stream = pump.streams[other];
    int pair[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
      return absl::ResourceExhaustedError(absl::StrCat("socketpair: ", strerror(errno)));
    links->sockets_[other] = pair[0];
    stream.local = pair[1];
    (void)fcntl(stream.local, F_SETFL, O_NONBLOCK);
    stream.out.resize(kMostBytes);
    stream.in.resize(kMostBytes);
    if (processes[other].machine != own.machine || processes[other].space != own.space) continue;
    stream.number = processes[other].number;
    stream.process = static_cast<int>(syscall(SYS_pidfd_open, stream.number, 0));
  }
  pump.thread = std::thread([kept = links->pump_] { kept->Run(); });
  return links;
}

std::vector<int> MpiLinks::TakeSockets() { return std::exchange(sockets_, {}); }

void MpiLinks::Fail() { pump_->failed = true; }

MpiLinks::~MpiLinks() {
  for (const int socket : sockets_) {
    if (socket >= 0) close(socket);
  }
  if (pump_ == nullptr || !pump_->thread.joinable()) return;
  pump_->closing = true;
  std::unique_lock<std::mutex> lock(pump_->mutex);
  // A call of MPI may wait for a rank that is gone.
  const bool ended = pump_->changed.wait_for(lock, 2 * kLeaveFor, [this] { return pump_->ended; });
  lock.unlock();
  if (ended) {
    pump_->thread.join();
  } else {
    pump_->thread.detach();
  }
  if (ended && !pump_->lost) return;
  // MPI may still write to the buffers of what it has not ended.
  static std::mutex kept_mutex;
  static auto* kept = new std::vector<std::shared_ptr<Pump>>;
  const std::lock_guard<std::mutex> kept_lock(kept_mutex);
  kept->push_back(std::move(pump_));
}

void MpiLinks::Pump::Run() {
  Clock::time_point moved = Clock::now(), looked = moved, closed;
  bool was_closing = false;
  for (int idle = 0; !AllOver();) {
    bool any = false;
    for (size_t rank = 0; rank < streams.size(); ++rank) any = Step(static_cast<int>(rank)) || any;
    const Clock::time_point now = Clock::now();
    if (now - looked >= kLookAfter) {
      looked = now;
      LookAtProcesses(now);
    }
    if (closing && !was_closing) closed = now;
    was_closing = closing;
    if (was_closing && now - closed > (lost || failed ? kLeaveLostFor : kLeaveFor)) {
      lost = true;  // MPI cannot end without this rank
      break;
    }
    if (any) moved = now;
    idle = any ? 0 : idle + 1;
    if (idle == 0) continue;
    if (idle < kYields) {
      sched_yield();
    } else {
      Sleep(now - moved < kBusyFor);
    }
  }
  if (!lost && !failed) transport->End();
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ended = true;
  }
  changed.notify_all();
}

// Returns whether anything has moved.
bool MpiLinks::Pump::Step(int rank) {
  Stream& stream = streams[static_cast<size_t>(rank)];
  if (stream.local < 0 || stream.over()) return false;
  const bool out = StepOut(rank, stream);
  const bool in = StepIn(rank, stream);
  if (out || in) stream.drained = Clock::now();
  return out || in;
}

bool MpiLinks::Pump::StepOut(int rank, Stream& stream) {
  int size = 0;
  bool any = false;
  if (stream.sending != nullptr) {
    if (!transport->Test(&stream.sending, &size).empty()) return Lose(stream), true;
    if (stream.sending != nullptr) return false;
    any = true;
  }
  if (stream.out_over) return any;
  const ssize_t got = recv(stream.local, stream.out.data(), stream.out.size(), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return any;
  // The end of the stream, which an empty message says.
  if (got <= 0) stream.out_over = true;
  if (!transport
           ->Send(rank, stream.out.data(), static_cast<int>(std::max<ssize_t>(got, 0)),
                  &stream.sending)
           .empty())
    Lose(stream);
  return true;
}

bool MpiLinks::Pump::StepIn(int rank, Stream& stream) {
  bool any = false;
  if (stream.in_at < stream.in_bytes) {
    const ssize_t sent =
        send(stream.local, stream.in.data() + stream.in_at,
             static_cast<size_t>(stream.in_bytes - stream.in_at), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    // If the mesh has closed its side, nobody wants the bytes.
    stream.in_at = sent < 0 ? stream.in_bytes : stream.in_at + static_cast<int>(sent);
    if (stream.in_at < stream.in_bytes) return true;
    any = true;
  }
  if (stream.in_over) return any;
  if (stream.receiving == nullptr) {
    if (!transport->Receive(rank, stream.in.data(), kMostBytes, &stream.receiving).empty())
      return Lose(stream), true;
  }
  int size = 0;
  if (!transport->Test(&stream.receiving, &size).empty()) return Lose(stream), true;
  if (stream.receiving != nullptr) return any;
  stream.in_at = 0;
  stream.in_bytes = size;
  if (size == 0) {
    stream.in_over = true;
    (void)shutdown(stream.local, SHUT_WR);
  }
  return true;
}

// The mesh sees the end of its socket.
void MpiLinks::Pump::Lose(Stream& stream) {
  lost = true;
  stream.out_over = stream.in_over = true;
  stream.sending = stream.receiving = nullptr;  // MPI keeps them; the buffers stay
  stream.in_at = stream.in_bytes = 0;
  (void)shutdown(stream.local, SHUT_RDWR);
}

void MpiLinks::Pump::LookAtProcesses(Clock::time_point now) {
  for (Stream& stream : streams) {
    if (stream.number == 0 || stream.over()) continue;
    pollfd fd = {stream.process, POLLIN, 0};
    const bool gone = stream.process >= 0
                          ? poll(&fd, 1, 0) > 0
                          : kill(static_cast<pid_t>(stream.number), 0) != 0 && errno == ESRCH;
    if (!gone) continue;
    if (!stream.dead) stream.drained = now;
    stream.dead = true;
    if (now - stream.drained > kDrainFor) Lose(stream);
  }
}

// Until the mesh has something to send, but not for long.
void MpiLinks::Pump::Sleep(bool busy) {
  std::vector<pollfd> sockets;
  for (const Stream& stream : streams) {
    if (stream.local >= 0 && !stream.out_over && stream.sending == nullptr)
      sockets.push_back({stream.local, POLLIN, 0});
  }
  const timespec time = {0, busy ? kShortSleepNs : kLongSleepNs};
  (void)ppoll(sockets.data(), sockets.size(), &time, nullptr);
}

}  // namespace halyard::ranks
