#include "autotuner/remote/remote_trials.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/worker.h"

namespace halyard::autotuner {

using lowering::EncodeFrame;
using lowering::Frame;
using lowering::FrameReader;
using Clock = std::chrono::steady_clock;

namespace {

double SecondsSince(Clock::time_point time) {
  return std::chrono::duration<double>(Clock::now() - time).count();
}

}  // namespace

struct RemoteTrials::Peer {
  std::string name, host;
  int socket = -1;    // -1: lost
  int64_t width = 0;  // 0: has not said who it is
  FrameReader reader;
  std::string outgoing;
  Clock::time_point heard = Clock::now(), answered = heard;
  uint64_t id = 0;              // of its work; 0: idle
  bool stopping = false;        // it was told to begin no more of its work
  std::vector<int64_t> places;  // in the batch, in the order of its work's schedules
  std::string unfit_for;        // key of a task that it cannot take

  bool connected() const { return socket >= 0 && width > 0; }
  std::string Name() const { return host.empty() ? name : absl::StrCat(name, " (", host, ")"); }
};

// The work that Begin or Run hands out.
struct RemoteTrials::Batch {
  bool alone = false;  // Begin: one candidate, the best itself
  std::vector<std::string> schedules;
  TrialOptions options;
  const TrialDone* done = nullptr;
  std::vector<std::optional<Trial>> trials;
  std::vector<int64_t> order;            // places in the order in which they were answered
  std::vector<std::string> lost_with;    // the process that was lost with each; "" if none
  std::deque<int64_t> waiting, retried;  // places without a process; those lost once
  bool stopped = false;
  absl::Status refused;  // error of the latest process that cannot take the task
};

RemoteTrials::RemoteTrials(std::vector<RemotePeer> peers, RemoteOptions options)
    : options_(std::move(options)) {
  for (RemotePeer& remote : peers) {
    auto peer = std::make_unique<Peer>();
    peer->name = std::move(remote.name);
    peer->socket = remote.socket;
    peers_.push_back(std::move(peer));
  }
  const Clock::time_point start = Clock::now();
  auto silent = [](const auto& peer) { return peer->socket >= 0 && peer->width == 0; };
  while (std::any_of(peers_.begin(), peers_.end(), silent)) {
    if (SecondsSince(start) < options_.hello_seconds) {
      Exchange(0.1);
      continue;
    }
    for (const auto& peer : peers_) {
      if (silent(peer)) Lose(*peer, "it has not said who it is");
    }
  }
}

RemoteTrials::~RemoteTrials() {
  for (const auto& peer : peers_) {
    if (peer->socket < 0) continue;
    Send(*peer, 0, JoinParts({kEnd}));
    // Does not wait for a process that reads no more messages.
    (void)send(peer->socket, peer->outgoing.data(), peer->outgoing.size(),
               MSG_NOSIGNAL | MSG_DONTWAIT);
    close(peer->socket);
  }
}

int64_t RemoteTrials::connected() const {
  return std::count_if(peers_.begin(), peers_.end(),
                       [](const auto& peer) { return peer->connected(); });
}

int64_t RemoteTrials::width() const {
  int64_t sum = 0;
  for (const auto& peer : peers_) sum += peer->connected() ? peer->width : 0;
  return std::max<int64_t>(1, sum);
}

bool RemoteTrials::Fits(const Peer& peer) const {
  return peer.connected() && peer.unfit_for != task_.key;
}

void RemoteTrials::Warn(const Peer& peer, const std::string& what) const {
  if (options_.warn) options_.warn(absl::StrCat(peer.Name(), ": ", what));
}

void RemoteTrials::Send(Peer& peer, uint64_t id, const std::string& message) {
  peer.outgoing += EncodeFrame({id, absl::StatusCode::kOk, message});
}

void RemoteTrials::Exchange(double seconds) {
  std::vector<pollfd> fds;
  std::vector<Peer*> polled;
  for (const auto& peer : peers_) {
    if (peer->socket < 0) continue;
    const short events = static_cast<short>(POLLIN | (peer->outgoing.empty() ? 0 : POLLOUT));
    fds.push_back({peer->socket, events, 0});
    polled.push_back(peer.get());
  }
  if (poll(fds.data(), fds.size(), static_cast<int>(seconds * 1000)) < 0) {
    for (pollfd& fd : fds) fd.revents = 0;
  }
  for (size_t i = 0; i < fds.size(); ++i) {
    Peer& peer = *polled[i];
    if ((fds[i].revents & POLLOUT) != 0) {
      const ssize_t wrote = send(peer.socket, peer.outgoing.data(), peer.outgoing.size(),
                                 MSG_NOSIGNAL | MSG_DONTWAIT);
      if (wrote > 0) peer.outgoing.erase(0, static_cast<size_t>(wrote));
      if (wrote < 0 && errno != EAGAIN && errno != EINTR) Lose(peer, strerror(errno));
    }
    if (peer.socket >= 0 && (fds[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) Read(peer);
    if (peer.socket < 0) continue;
    if (SecondsSince(peer.heard) > options_.silence_seconds) {
      Lose(peer, absl::StrCat("nothing was heard of it for ", options_.silence_seconds, " s"));
    } else if (peer.id != 0 && SecondsSince(peer.answered) > options_.answer_seconds) {
      Lose(peer, absl::StrCat("no answer for ", options_.answer_seconds, " s"));
    }
  }
}

void RemoteTrials::Read(Peer& peer) {
  char buffer[65536];
  const ssize_t got = recv(peer.socket, buffer, sizeof(buffer), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return Lose(peer, got == 0 ? "it has ended" : strerror(errno));
  peer.heard = Clock::now();
  peer.reader.Append(absl::string_view(buffer, static_cast<size_t>(got)));
  while (peer.socket >= 0) {
    std::optional<Frame> frame;
    if (absl::Status s = peer.reader.Next(&frame); !s.ok())
      return Lose(peer, std::string(s.message()));
    if (!frame.has_value()) return;
    Handle(peer, *frame);
  }
}

void RemoteTrials::Handle(Peer& peer, const Frame& frame) {
  if (frame.code != absl::StatusCode::kOk) {
    if (frame.id != peer.id || batch_ == nullptr) return;
    // The process's device or worker cannot take the task, which is not the fault of the
    // candidates.
    Warn(peer, absl::StrCat("takes no part in tuning ", task_.name, ": ", frame.bytes));
    peer.unfit_for = task_.key;
    batch_->refused = absl::Status(frame.code, frame.bytes);
    return Finish(peer);
  }
  absl::StatusOr<std::vector<std::string>> parts = SplitParts(frame.bytes);
  if (!parts.ok()) return Lose(peer, std::string(parts.status().message()));
  const std::string kind = parts->empty() ? "" : (*parts)[0];
  if (kind == kHello) {
    absl::StatusOr<Hello> hello = DecodeHello(*parts);
    if (!hello.ok()) return Lose(peer, std::string(hello.status().message()));
    peer.host = hello->host;
    if (hello->version != RemoteVersion()) return Lose(peer, "it is of another build of Halyard");
    peer.width = hello->width;
  } else if (frame.id == peer.id && frame.id != 0) {
    peer.answered = peer.heard;
    if (kind == kDone) {
      const bool all = std::all_of(peer.places.begin(), peer.places.end(), [this](int64_t place) {
        return batch_->trials[static_cast<size_t>(place)].has_value();
      });
      return all || peer.stopping ? Finish(peer) : Lose(peer, "it has answered too little");
    }
    HandleTrial(peer, *parts);
  }
}

void RemoteTrials::HandleTrial(Peer& peer, const std::vector<std::string>& parts) {
  absl::StatusOr<RemoteTrial> remote = DecodeTrial(parts);
  if (!remote.ok()) return Lose(peer, std::string(remote.status().message()));
  const bool alone = remote->place == kAlone;
  if (alone != batch_->alone ||
      (!alone &&
       (remote->place < 0 || remote->place >= static_cast<int64_t>(peer.places.size())))) {
    return Lose(peer, "it has answered what was not asked");
  }
  remote->trial.record.kernel = task_.key;
  remote->trial.record.device = task_.device;
  Answer(peer.places[alone ? 0 : static_cast<size_t>(remote->place)], std::move(remote->trial));
}

void RemoteTrials::Answer(int64_t place, Trial trial) {
  std::optional<Trial>& slot = batch_->trials[static_cast<size_t>(place)];
  if (slot.has_value()) return;
  NoteSeconds(trial);
  slot = std::move(trial);
  batch_->order.push_back(place);
  if (batch_->done != nullptr && *batch_->done && !batch_->stopped)
    batch_->stopped = !(*batch_->done)(static_cast<size_t>(place), *slot);
}

// Keeps track of the best schedule, by ratios of seconds.
void RemoteTrials::NoteSeconds(const Trial& trial) {
  const Record& record = trial.record;
  if (record.outcome != Outcome::kGood || trial.against.empty() || trial.against_seconds <= 0)
    return;
  const auto against = known_.find(trial.against);
  if (against == known_.end()) return;
  const double ratio = record.seconds / trial.against_seconds;
  const bool faster = trial.verdict == Verdict::kFaster;
  const double seconds = against->second.seconds * (faster ? ratio : std::max(ratio, 1.0));
  known_[record.schedule] = {seconds, trial};
  const auto best = known_.find(best_);
  if (faster && (best == known_.end() || seconds < best->second.seconds)) best_ = record.schedule;
}

void RemoteTrials::GiveWork(Peer& peer) {
  Work work;
  work.name = task_.name;
  work.request = task_.request;
  work.best = best_;
  work.alone = batch_->alone;
  work.options = batch_->options;
  peer.places.clear();
  // After a process was lost with several candidates, they are tried one at a time to find out
  // which of them caused it.
  std::deque<int64_t>& from = batch_->waiting.empty() ? batch_->retried : batch_->waiting;
  int64_t count = 1;
  if (&from == &batch_->waiting) {
    const int64_t share = (static_cast<int64_t>(from.size()) + connected() - 1) / connected();
    count = std::min(peer.width, share);
  }
  for (; count > 0 && !from.empty(); --count) {
    peer.places.push_back(from.front());
    if (!work.alone) work.schedules.push_back(batch_->schedules[static_cast<size_t>(from.front())]);
    from.pop_front();
  }
  peer.id = ++next_id_;
  peer.stopping = false;
  peer.answered = Clock::now();
  Send(peer, peer.id, EncodeWork(work));
}

void RemoteTrials::Finish(Peer& peer) {
  for (auto place = peer.places.rbegin(); place != peer.places.rend(); ++place) {
    if (!batch_->trials[static_cast<size_t>(*place)].has_value())
      batch_->waiting.push_front(*place);
  }
  peer.places.clear();
  peer.id = 0;
}

Trial RemoteTrials::LostTrial(const std::string& schedule, const std::string& with) const {
  Trial trial;
  Record& record = trial.record;
  record.kernel = task_.key;
  record.device = task_.device;
  record.schedule = schedule;
  record.version = VersionOfLine(schedule);
  record.outcome = Outcome::kCrash;
  record.error = absl::StrCat("two processes were lost while they worked on it: ", with);
  record.created = time(nullptr);
  trial.verdict = Verdict::kSlower;
  return trial;
}

void RemoteTrials::Lose(Peer& peer, const std::string& why) {
  close(peer.socket);
  peer.socket = -1;
  int64_t given_again = 0;
  if (peer.id != 0 && batch_ != nullptr) {
    for (const int64_t place : peer.places) {
      const size_t at = static_cast<size_t>(place);
      if (batch_->trials[at].has_value()) continue;
      std::string& before = batch_->lost_with[at];
      if (before.empty()) {
        before = peer.Name();
        batch_->retried.push_back(place);
        ++given_again;
      } else {
        Answer(place, LostTrial(batch_->schedules[at], absl::StrCat(before, ", ", peer.Name())));
      }
    }
  }
  peer.places.clear();
  peer.id = 0;
  std::string message = absl::StrCat("lost: ", why);
  if (given_again > 0)
    absl::StrAppend(&message, "; its ", given_again, " candidates are given to others");
  Warn(peer, message);
}

absl::Status RemoteTrials::RunBatch() {
  Batch& batch = *batch_;
  while (true) {
    bool busy = false, fits = false;
    for (const auto& peer : peers_) {
      if (peer->id == 0 && Fits(*peer) && !batch.stopped &&
          !(batch.waiting.empty() && batch.retried.empty())) {
        GiveWork(*peer);
      }
      if (peer->id != 0 && batch.stopped && !peer->stopping) {
        peer->stopping = true;
        Send(*peer, peer->id, JoinParts({kStop}));
      }
      busy |= peer->id != 0;
      fits |= Fits(*peer);
    }
    if (batch.order.size() == batch.trials.size() && !busy) return absl::OkStatus();
    if (batch.stopped && !busy) return absl::OkStatus();
    if (!busy && !fits) {
      return batch.refused.ok() || connected() == 0
                 ? absl::UnavailableError("all processes that measure are lost")
                 : batch.refused;
    }
    Exchange(0.2);
  }
}

absl::StatusOr<Trial> RemoteTrials::Begin(const KernelTask& task, const std::string& best) {
  // If only the best has changed to another known schedule, the processes are told so with their
  // next work.
  const auto known = task.key == task_.key ? known_.find(best) : known_.end();
  best_ = best;
  if (known != known_.end()) return known->second.trial;
  task_ = task;
  task_.request.schedule.clear();
  known_.clear();
  Batch batch;
  batch.alone = true;
  batch.schedules = {best};
  batch.trials.resize(1);
  batch.lost_with.resize(1);
  batch.waiting = {0};
  batch_ = &batch;
  const absl::Status status = RunBatch();
  batch_ = nullptr;
  if (!status.ok()) return status;
  Trial trial = *std::move(batch.trials[0]);
  best_ = trial.record.schedule;
  if (trial.record.outcome == Outcome::kGood) known_[best_] = {trial.record.seconds, trial};
  return trial;
}

absl::StatusOr<std::vector<Trial>> RemoteTrials::Run(absl::Span<const std::string> schedules,
                                                     const TrialOptions& options,
                                                     const TrialDone& done) {
  Batch batch;
  batch.schedules.assign(schedules.begin(), schedules.end());
  batch.options = options;
  batch.done = &done;
  batch.trials.resize(schedules.size());
  batch.lost_with.resize(schedules.size());
  for (size_t i = 0; i < schedules.size(); ++i) batch.waiting.push_back(static_cast<int64_t>(i));
  batch_ = &batch;
  const absl::Status status = RunBatch();
  batch_ = nullptr;
  if (!status.ok()) return status;
  std::vector<Trial> trials;
  for (std::optional<Trial>& trial : batch.trials) {
    if (trial.has_value()) trials.push_back(*std::move(trial));
  }
  return trials;
}

}  // namespace halyard::autotuner
