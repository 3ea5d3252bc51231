#include "client/processes/grid_ranks.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/processes/rank_frames.h"
#include "ranks/mpi_job.h"
#include "runtime/absl_status.h"
#include "runtime/hash.h"

namespace halyard {
namespace {

using runtime::GridParcel;
using runtime::HostArray;

constexpr uint32_t kMaxArrays = 1 << 16;

std::string FailureText(int code, absl::string_view message) {
  return absl::StrCat(code, " ", message);
}

absl::Status ParseFailure(const std::string& text) {
  const size_t space = text.find(' ');
  int code = 0;
  if (space == std::string::npos || !absl::SimpleAtoi(text.substr(0, space), &code) || code <= 0)
    return absl::InternalError("another rank has failed");
  return absl::Status(static_cast<absl::StatusCode>(code), text.substr(space + 1));
}

}  // namespace

absl::StatusOr<std::unique_ptr<GridRanks>> GridRanks::Join(double timeout_seconds) {
  absl::StatusOr<ranks::MpiJob> job =
      ranks::JoinMpiJob(/*all_cpus=*/false, ranks::RankLinks::kAsTheEnvironmentSays);
  if (!job.ok()) return job.status();
  absl::StatusOr<std::vector<int>> sockets =
      job->links != nullptr ? job->links->TakeSockets() : ranks::ConnectAll(&*job);
  if (!sockets.ok()) return sockets.status();
  absl::StatusOr<ranks::SharedMemoryOptions> shared =
      ranks::SharedMemoryOptions::ForRanks(job->local_size);
  if (!shared.ok()) return shared.status();
  auto made = std::make_unique<GridRanks>(job->rank, *std::move(sockets), timeout_seconds, *shared);
  made->local_rank_ = job->local_rank;
  const std::lock_guard<std::mutex> lock(made->mutex_);
  made->links_ = std::move(job->links);
  if (made->links_ != nullptr && !made->failure_.ok()) made->links_->Fail();
  return made;
}

GridRanks::GridRanks(int rank, std::vector<int> sockets, double timeout_seconds,
                     const ranks::SharedMemoryOptions& shared)
    : timeout_seconds_(timeout_seconds) {
  const size_t size = sockets.size();
  left_.resize(size);
  ended_.resize(size);
  answers_.resize(size);
  last_answers_.resize(size);
  // The threads of the mesh call this object at once. They wait for the mutex until `mesh_` is set.
  const std::lock_guard<std::mutex> lock(mutex_);
  ranks::Mesh::Receiver* const receiver = this;
  mesh_ =
      std::make_unique<ranks::Mesh>(rank, std::move(sockets), timeout_seconds, receiver, shared);
}

GridRanks::~GridRanks() {
  if (failing_.joinable()) failing_.join();
}

std::pair<uint32_t, uint32_t> GridRanks::ProcessesOf(int rank, uint32_t processes) const {
  const auto start = [&](int r) {
    return static_cast<uint32_t>(uint64_t{processes} * static_cast<uint64_t>(r) /
                                 static_cast<uint64_t>(size()));
  };
  return {start(rank), start(rank + 1)};
}

std::string GridRanks::NameOf(int rank) const {
  if (starts_.empty()) return absl::StrCat("rank ", rank);
  const auto process = [&](uint32_t p) {
    return absl::StrCat("(", p / partitions_, ", ", p % partitions_, ")");
  };
  const uint32_t first = starts_[static_cast<size_t>(rank)];
  const uint32_t last = starts_[static_cast<size_t>(rank) + 1] - 1;
  if (first == last) return absl::StrCat("rank ", rank, ", process ", process(first), ",");
  return absl::StrCat("rank ", rank, ", processes ", process(first), " to ", process(last), ",");
}

runtime::Status GridRanks::SendParcel(void* user, const GridParcel& parcel, const HostArray* arrays,
                                      const uint32_t* readers) {
  GridRanks& self = *static_cast<GridRanks*>(user);
  uint64_t bytes = 0;
  std::string sizes;
  for (uint32_t k = 0; k < parcel.num_arrays; ++k) {
    bytes += arrays[k].bytes;
    sizes += BytesOf(arrays[k].bytes);
  }
  std::shared_ptr<uint8_t> body;
  if (bytes != 0) body = self.mesh_->NewBody(bytes);
  if (bytes != 0 && body == nullptr) {
    return runtime::MakeStatus(runtime::Code::kResourceExhausted,
                               "no memory for what goes to other ranks");
  }
  runtime::JoinArrays(body.get(), arrays, parcel.num_arrays);
  // Posts and messages matter only to processes that wait for them.
  const bool urgent = parcel.kind == GridParcel::Kind::kReceiver;
  for (int rank = 0; rank < self.size(); ++rank) {
    if (readers[rank] == 0) continue;
    GridParcel own = parcel;
    own.readers = readers[rank];
    self.mesh_->Send(rank, kParcel, self.run_, BytesOf(own) + sizes, body, bytes, urgent);
  }
  return runtime::Status();
}

absl::Status GridRanks::Begin(const runtime::Program& program, const runtime::GridHost& host,
                              std::function<void()> stop, runtime::Grid** grid) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uint32_t processes = program.num_replicas() * program.num_partitions();
  if (grid_ != nullptr) return absl::FailedPreconditionError("the ranks are busy with another run");
  if (processes < static_cast<uint32_t>(size())) {
    return absl::InvalidArgumentError(absl::StrCat("there are ", size(), " ranks for ", processes,
                                                   processes == 1 ? " process" : " processes"));
  }
  for (int rank = 0; rank < size(); ++rank) {
    // A rank that began this run before this one did, and has left since, has sent the reason.
    const bool was_in_it =
        std::any_of(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
          return waiting.rank == rank && waiting.frame.run == run_ + 1;
        });
    if (failure_.ok() && left_[static_cast<size_t>(rank)] && !was_in_it)
      failure_ = absl::UnavailableError(absl::StrCat("rank ", rank, " has left"));
  }
  if (!failure_.ok()) return failure_;
  starts_.clear();
  for (int rank = 0; rank < size(); ++rank) starts_.push_back(ProcessesOf(rank, processes).first);
  starts_.push_back(processes);
  partitions_ = program.num_partitions();
  runtime::GridRemote remote;
  remote.user = this;
  remote.rank = static_cast<uint32_t>(rank());
  remote.num_ranks = static_cast<uint32_t>(size());
  remote.starts = starts_.data();
  remote.send = SendParcel;
  remote.timeout_ns = static_cast<uint64_t>(timeout_seconds_ * 1e9);
  remote.ended = [](void* user, uint32_t process) {
    GridRanks& self = *static_cast<GridRanks*>(user);
    self.ToAll(kEnded, self.run_, BytesOf(process));
  };
  remote.failed = [](void* user, const runtime::Status& error) {
    GridRanks& self = *static_cast<GridRanks*>(user);
    self.ToAll(kFailed, self.run_, FailureText(static_cast<int>(error.code()), error.message()));
  };
  remote.poll = [](void* user) { (void)static_cast<GridRanks*>(user)->mesh_->Poll(); };
  remote.sleeping = [](void* user, int threads) {
    static_cast<GridRanks*>(user)->mesh_->AddWaiting(threads);
  };
  absl::Status made = ToAbsl(runtime::Grid::Create(program.num_replicas(), partitions_,
                                                   program.num_steps(), host, remote, &grid_));
  if (!made.ok()) return made;
  stop_ = std::move(stop);
  std::fill(ended_.begin(), ended_.end(), 0);
  std::fill(answers_.begin(), answers_.end(), std::nullopt);
  last_answers_ = answers_;
  const runtime::ByteSpan bytes = program.bytes();
  program_ =
      absl::StrFormat("%s, %d x %d processes, %016x", program.name().data, program.num_replicas(),
                      partitions_, runtime::Hash64(bytes.data, bytes.size));
  ++run_;
  told_ = false;
  ToAll(kBegin, run_, program_);
  // Handles what the other ranks have already sent for this run.
  std::vector<Waiting> waiting = std::move(waiting_);
  waiting_.clear();
  for (Waiting& one : waiting) Handle(one.rank, std::move(one.frame));
  for (int rank = 0; rank < size(); ++rank) {
    if (left_[static_cast<size_t>(rank)]) FailIfItLeft(rank);
  }
  *grid = grid_;
  return absl::OkStatus();
}

absl::Status GridRanks::End() {
  grid_->WaitForAll();
  const std::lock_guard<std::mutex> lock(mutex_);
  absl::Status status = ToAbsl(grid_->TakeError());
  if (!status.ok()) all_know_ = true;
  grid_->Destroy();
  grid_ = nullptr;
  stop_ = nullptr;
  return status;
}

void GridRanks::ToAll(uint32_t kind, uint64_t run, const std::string& head) {
  for (int rank = 0; rank < size(); ++rank) mesh_->Send(rank, kind, run, head);
}

void GridRanks::Receive(int rank, ranks::Frame frame) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (frame.kind == kGiveUp) {
    FailForGood(ParseFailure(frame.head));
  } else if (frame.kind == kBlob) {
    gathered_[{frame.run, rank}].assign(reinterpret_cast<const char*>(frame.body.get()),
                                        frame.body_bytes);
    changed_.notify_all();
  } else if (frame.kind == kProbe) {
    AnswerProbe(rank, frame);
  } else if (frame.run > run_) {
    waiting_.push_back({rank, std::move(frame)});
  } else {
    Handle(rank, std::move(frame));
  }
}

void GridRanks::Handle(int rank, ranks::Frame frame) {
  if (frame.run > run_) {
    waiting_.push_back({rank, std::move(frame)});
    return;
  }
  if (frame.run != run_ || grid_ == nullptr) return;  // the run is over
  absl::string_view head = frame.head;
  uint32_t process = 0;
  switch (frame.kind) {
    case kBegin:
      if (frame.head == program_) return;
      FailRun(absl::InvalidArgumentError(absl::StrCat("rank ", rank, " runs another program (",
                                                      frame.head, ") than rank ", this->rank(),
                                                      " (", program_, ")")));
      return;
    case kParcel:
      DeliverParcel(rank, std::move(frame));
      return;
    case kEnded:
      if (!Take(&head, &process)) return;
      ++ended_[static_cast<size_t>(rank)];
      grid_->EndRemote(process);
      return;
    case kFailed:
      FailRun(ParseFailure(frame.head));
      return;
    default:
      TakeAnswer(rank, frame.head);
  }
}

void GridRanks::DeliverParcel(int rank, ranks::Frame frame) {
  absl::string_view head = frame.head;
  GridParcel parcel;
  std::vector<HostArray> arrays;
  bool fine = Take(&head, &parcel) && parcel.num_arrays <= kMaxArrays &&
              head.size() == parcel.num_arrays * sizeof(uint64_t) &&
              static_cast<uint32_t>(parcel.kind) < GridParcel::kNumKinds;
  uint64_t at = 0;
  for (uint32_t k = 0; fine && k < parcel.num_arrays; ++k) {
    uint64_t bytes = 0;
    fine = Take(&head, &bytes) && bytes <= frame.body_bytes - at;
    arrays.push_back({frame.body.get() + at, bytes});
    at += bytes;
  }
  if (!fine || at != frame.body_bytes) {
    FailRun(absl::InternalError(absl::StrCat("rank ", rank, " sends what is no parcel")));
    return;
  }
  using Body = std::shared_ptr<uint8_t>;
  grid_->Deliver(parcel, arrays.data(), {new Body(std::move(frame.body)), [](void* body) {
                                           delete static_cast<Body*>(body);
                                         }});
}

void GridRanks::FailRun(const absl::Status& status) {
  if (grid_ == nullptr) return;
  // Ranks that were told of the failure pass it on, too. They will leave soon, and no rank may take
  // that for the reason of the failure.
  if (!told_ && failure_.ok()) {
    told_ = true;
    ToAll(kFailed, run_, FailureText(static_cast<int>(status.code()), status.message()));
  }
  grid_->Fail(ToRuntime(status));
  if (stop_) stop_();
}

void GridRanks::FailForGood(const absl::Status& status) {
  if (!failure_.ok()) return;
  failure_ = status;
  if (links_ != nullptr) links_->Fail();
  // The others are told at once. This rank may end soon, and they must not take that for the
  // reason.
  ToAll(kGiveUp, 0, FailureText(static_cast<int>(status.code()), status.message()));
  changed_.notify_all();
  if (grid_ != nullptr) {
    FailRun(status);
  } else if (!gathering_ && on_failure_) {
    CallOnFailure();
  }
}

// The handler may end the process at once. What was sent to the others must be out before then, or
// they would take the end of this rank for the reason.
void GridRanks::CallOnFailure() {
  failing_ = std::thread([this, handler = std::exchange(on_failure_, nullptr), failure = failure_] {
    mesh_->Leave();
    handler(failure);
  });
}

void GridRanks::Lost(int rank, const std::string& why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string waits = grid_ == nullptr ? "" : WaitsOf(grid_);
  FailForGood(absl::UnavailableError(
      absl::StrCat(NameOf(rank), " is lost: ", why, waits.empty() ? "" : "; ", waits)));
}

void GridRanks::Left(int rank) {
  const std::lock_guard<std::mutex> lock(mutex_);
  left_[static_cast<size_t>(rank)] = true;
  changed_.notify_all();
  FailIfItLeft(rank);
}

void GridRanks::FailIfItLeft(int rank) {
  const size_t r = static_cast<size_t>(rank);
  if (grid_ == nullptr || ended_[r] == starts_[r + 1] - starts_[r]) return;
  FailRun(absl::UnavailableError(absl::StrCat(NameOf(rank), " has left during the run")));
}

void GridRanks::GiveUp(const absl::Status& why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  on_failure_ = nullptr;
  if (!all_know_)
    FailForGood(absl::Status(why.code(), absl::StrCat("rank ", rank(), ": ", why.message())));
}

void GridRanks::OnFailure(std::function<void(const absl::Status&)> handler) {
  const std::lock_guard<std::mutex> lock(mutex_);
  on_failure_ = std::move(handler);
  if (!failure_.ok() && on_failure_ && !failing_.joinable()) CallOnFailure();
}

absl::StatusOr<std::vector<std::string>> GridRanks::Gather(const std::string& bytes) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!failure_.ok()) return failure_;
  const uint64_t number = ++gathers_;
  std::vector<std::string> all;
  if (rank() != 0) {
    const std::shared_ptr<uint8_t> copy = mesh_->NewBody(bytes.size());
    if (copy == nullptr) return absl::ResourceExhaustedError("no memory for what rank 0 gets");
    memcpy(copy.get(), bytes.data(), bytes.size());
    mesh_->Send(0, kBlob, number, "", copy, bytes.size());
    return all;
  }
  all.push_back(bytes);
  gathering_ = true;
  for (int rank = 1; rank < size() && failure_.ok(); ++rank) {
    const std::pair<uint64_t, int> key = {number, rank};
    changed_.wait(lock, [&] {
      return !failure_.ok() || left_[static_cast<size_t>(rank)] || gathered_.contains(key);
    });
    if (!failure_.ok()) break;
    if (!gathered_.contains(key)) {
      failure_ = absl::UnavailableError(absl::StrCat(NameOf(rank), " has left without results"));
      break;
    }
    all.push_back(std::move(gathered_[key]));
    gathered_.erase(key);
  }
  gathering_ = false;
  if (!failure_.ok()) return failure_;
  return all;
}

}  // namespace halyard
