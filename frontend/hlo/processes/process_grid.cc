#include "frontend/hlo/processes/process_grid.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/ir/located_error.h"
#include "frontend/hlo/processes/process.h"
#include "frontend/hlo/processes/transfer_pairs.h"

namespace halyard::hlo {
namespace {

constexpr size_t kMaxListed = 8;  // processes in a message

// Returns data in the shape that the program states: an array may stand for a tuple of it.
absl::StatusOr<Literal> Fitted(Literal data, const Shape& wanted) {
  if (Shape::SameIgnoringLayout(data.shape(), wanted)) return data;
  if (wanted.IsTuple() && wanted.elements().size() == 1 &&
      Shape::SameIgnoringLayout(data.shape(), wanted.elements()[0])) {
    return Literal::Tuple({std::move(data)});
  }
  return absl::InvalidArgumentError(absl::StrCat("the host gives ", data.shape().ToString(),
                                                 ", the program takes ", wanted.ToString()));
}

class Grid {
 public:
  Grid(const GridShape& shape, absl::Span<const Module* const> modules, const GridOptions& options)
      : modules_(modules),
        options_(options),
        shape_(shape),
        waits_(shape_.size()),
        live_(shape_.size()) {}

  absl::StatusOr<std::vector<Literal>> Run(absl::Span<const std::vector<Literal>> arguments);

 private:
  class Member;
  using Operands = std::vector<Literal>;
  // The instruction, how often it has been executed before, and by which process.
  using PostKey = std::tuple<const Instruction*, int64_t, int64_t>;
  struct Post {
    Operands operands;
    int64_t readers;
  };
  struct Channel {
    std::deque<Literal> data;
    int64_t sender = -1, receiver = -1;
  };
  struct Wait {
    const std::function<bool()>* ready = nullptr;  // null: not waiting
    std::string what;
  };

  void RunProcess(int64_t index, const std::vector<Literal>& arguments);
  // The caller of all of these holds the turn.
  absl::Status WaitUntil(int64_t index, std::string what, const std::function<bool()>& ready);
  void CheckDeadlock();

  const absl::Span<const Module* const> modules_;  // of each process
  const GridOptions& options_;
  const GridShape shape_;
  std::mutex turn_;  // held by the process that runs
  std::condition_variable changed_;
  std::map<PostKey, Post> posts_;
  // By id, and with source_target_pairs by the process that receives; else -1.
  std::map<std::pair<int64_t, int64_t>, Channel> channels_;
  std::vector<Wait> waits_;
  int64_t live_;
  int64_t waiting_ = 0;
  absl::Status stopped_;  // why all processes end
  std::vector<absl::StatusOr<Literal>> results_;
};

class Grid::Member : public Process {
 public:
  Member(Grid* grid, int64_t index, std::unique_lock<std::mutex>* turn)
      : grid_(grid), index_(index), turn_(turn) {}

  ProcessId id() const override { return grid_->shape_.At(index_); }
  GridShape grid() const override { return grid_->shape_; }
  std::unique_lock<std::mutex>* turn() { return turn_; }

  absl::StatusOr<std::vector<Operands>> Exchange(const Instruction& inst,
                                                 absl::Span<const Literal> operands,
                                                 int64_t readers,
                                                 absl::Span<const ProcessId> sources) override {
    int64_t time = times_[&inst]++;
    if (readers > 0) {
      grid_->posts_[{&inst, time, index_}] = {{operands.begin(), operands.end()}, readers};
      grid_->changed_.notify_all();
    }
    std::vector<Operands> found;
    for (ProcessId source : sources) {
      PostKey key = {&inst, time, grid_->shape_.IndexOf(source)};
      auto ready = [&] { return grid_->posts_.contains(key); };
      absl::Status status =
          Wait(absl::StrCat("at ", Named(inst), " for ", source.ToString()), ready);
      if (!status.ok()) return status;
      auto post = grid_->posts_.find(key);
      found.push_back(post->second.operands);
      if (--post->second.readers == 0) grid_->posts_.erase(post);
    }
    return found;
  }

  absl::StatusOr<Literal> Infeed(const Instruction& inst) override {
    ProcessHost* host = Host();
    if (host == nullptr || host->infeed.empty()) {
      return absl::OutOfRangeError("the infeed is empty");
    }
    Literal data = std::move(host->infeed.front());
    host->infeed.pop_front();
    return Fitted(std::move(data), inst.shape.elements()[0]);
  }

  absl::Status Outfeed(const Instruction&, Literal data) override {
    if (Host() != nullptr) Host()->outfeed.push_back(std::move(data));
    return absl::OkStatus();
  }

  absl::Status Send(const Instruction& inst, Literal data) override {
    int64_t id = inst.GetInt(Attr::kChannelId);
    if (IsForHost(inst)) {
      if (Host() != nullptr) Host()->to_host[id].push_back(std::move(data));
      return absl::OkStatus();
    }
    Channel& channel = ChannelOf(inst);
    if (absl::Status status = Claim(&channel.sender, id, "sender"); !status.ok()) return status;
    channel.data.push_back(std::move(data));
    grid_->changed_.notify_all();
    return absl::OkStatus();
  }

  absl::StatusOr<Literal> Receive(const Instruction& inst) override {
    int64_t id = inst.GetInt(Attr::kChannelId);
    const Shape& shape = inst.shape.elements()[0];
    if (IsForHost(inst)) {
      ProcessHost* host = Host();
      if (host == nullptr || host->to_device[id].empty()) {
        return absl::OutOfRangeError(absl::StrCat("the host has nothing for channel ", id));
      }
      Literal data = std::move(host->to_device[id].front());
      host->to_device[id].pop_front();
      return Fitted(std::move(data), shape);
    }
    Channel& channel = ChannelOf(inst);
    if (absl::Status status = Claim(&channel.receiver, id, "receiver"); !status.ok()) return status;
    auto ready = [&] { return !channel.data.empty(); };
    absl::Status status =
        Wait(absl::StrCat("at ", Named(inst), " for a send on channel ", id), ready);
    if (!status.ok()) return status;
    Literal data = std::move(channel.data.front());
    channel.data.pop_front();
    if (!Shape::SameIgnoringLayout(data.shape(), shape)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "channel ", id, " has ", data.shape().ToString(), ", must have ", shape.ToString()));
    }
    return data;
  }

 private:
  bool IsForHost(const Instruction& inst) const {
    return inst.GetBool(Attr::kIsHostTransfer) && !grid_->options_.hosts_pass_on;
  }

  Channel& ChannelOf(const Instruction& transfer) {
    const std::optional<ProcessId> receiver = ReceiverOf(transfer, grid_->shape_, id());
    return grid_->channels_[{transfer.GetInt(Attr::kChannelId),
                             receiver.has_value() ? grid_->shape_.IndexOf(*receiver) : -1}];
  }

  ProcessHost* Host() {
    return grid_->options_.hosts == nullptr ? nullptr : &(*grid_->options_.hosts)[index_];
  }

  // Each end of a channel is one process.
  absl::Status Claim(int64_t* end, int64_t channel, absl::string_view name) {
    if (*end < 0) *end = index_;
    if (*end == index_) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("process ", grid_->shape_.At(*end).ToString(),
                                                   " is the ", name, " of channel ", channel));
  }

  absl::Status Wait(std::string what, const std::function<bool()>& ready) {
    if (ready()) return absl::OkStatus();
    Grid::Wait& wait = grid_->waits_[index_];
    wait = {&ready, std::move(what)};
    ++grid_->waiting_;
    grid_->CheckDeadlock();
    grid_->changed_.wait(*turn_, [&] { return !grid_->stopped_.ok() || ready(); });
    --grid_->waiting_;
    wait.ready = nullptr;
    return ready() ? absl::OkStatus() : grid_->stopped_;
  }

  Grid* grid_;
  int64_t index_;
  std::unique_lock<std::mutex>* turn_;
  std::map<const Instruction*, int64_t> times_;  // executions so far
};

void Grid::CheckDeadlock() {
  if (waiting_ < live_ || live_ == 0 || !stopped_.ok()) return;
  std::vector<std::string> stuck;
  for (size_t i = 0; i < waits_.size(); ++i) {
    if (waits_[i].ready == nullptr) continue;
    if ((*waits_[i].ready)()) return;
    stuck.push_back(absl::StrCat("process ", shape_.At(static_cast<int64_t>(i)).ToString(),
                                 " waits ", waits_[i].what));
  }
  size_t more = stuck.size() > kMaxListed ? stuck.size() - kMaxListed : 0;
  stuck.resize(stuck.size() - more);
  stopped_ = absl::DeadlineExceededError(
      absl::StrCat("deadlock: ", absl::StrJoin(stuck, "; "),
                   more > 0 ? absl::StrCat("; and ", more, " more") : "",
                   live_ < shape_.size() ? "; the others have ended" : ""));
  changed_.notify_all();
}

void Grid::RunProcess(int64_t index, const std::vector<Literal>& arguments) {
  std::unique_lock<std::mutex> turn(turn_);
  if (stopped_.ok()) {
    Member member(this, index, &turn);
    Evaluator evaluator;
    evaluator.process = &member;
    evaluator.custom_call = options_.custom_call;
    evaluator.max_loop_iterations = options_.max_loop_iterations;
    results_[index] = evaluator.Run(*modules_[index], arguments);
  }
  --live_;
  if (!results_[index].ok() && stopped_.ok()) {
    const absl::Status& status = results_[index].status();
    stopped_ = absl::Status(status.code(), absl::StrCat("process ", shape_.At(index).ToString(),
                                                        ": ", status.message()));
    changed_.notify_all();
  }
  CheckDeadlock();
}

absl::StatusOr<std::vector<Literal>> Grid::Run(absl::Span<const std::vector<Literal>> arguments) {
  results_.assign(shape_.size(), absl::CancelledError("another process failed"));
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < shape_.size(); ++i) {
    const std::vector<Literal>& own = arguments[arguments.size() == 1 ? 0 : i];
    try {
      threads.emplace_back([this, i, &own] { RunProcess(i, own); });
    } catch (const std::system_error& error) {
      std::unique_lock<std::mutex> turn(turn_);
      stopped_ = absl::ResourceExhaustedError(
          absl::StrCat("no thread for process ", shape_.At(i).ToString(), ": ", error.what()));
      changed_.notify_all();
      break;
    }
  }
  for (std::thread& thread : threads) thread.join();
  if (!stopped_.ok()) return stopped_;
  std::vector<Literal> results;
  for (absl::StatusOr<Literal>& result : results_) results.push_back(*std::move(result));
  return results;
}

absl::Status CheckCommunications(const Module& module, const GridShape& shape) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (!IsCommunication(inst->opcode)) continue;
      absl::Status status = CheckCommunication(*inst, shape);
      if (!status.ok()) {
        return absl::Status(status.code(), absl::StrCat(Named(*inst), ": ", status.message()));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool NeedsGrid(const Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (IsCommunication(inst->opcode)) return true;
    }
  }
  return false;
}

absl::StatusOr<std::vector<Literal>> RunGrid(const Module& module,
                                             absl::Span<const std::vector<Literal>> arguments,
                                             const GridOptions& options) {
  const GridShape shape{module.num_replicas, module.num_partitions};
  if (absl::Status status = CheckGrid(shape); !status.ok()) return status;
  const std::vector<const Module*> modules(static_cast<size_t>(shape.size()), &module);
  return RunGrid(shape, modules, arguments, options);
}

absl::StatusOr<std::vector<Literal>> RunGrid(const GridShape& shape,
                                             absl::Span<const Module* const> modules,
                                             absl::Span<const std::vector<Literal>> arguments,
                                             const GridOptions& options) {
  if (absl::Status status = CheckGrid(shape); !status.ok()) return status;
  size_t size = static_cast<size_t>(shape.size());
  if (modules.size() != size) {
    return absl::InvalidArgumentError(
        absl::StrCat("needs programs for ", size, " processes, has ", modules.size()));
  }
  if (arguments.size() != 1 && arguments.size() != size) {
    return absl::InvalidArgumentError(
        absl::StrCat("needs arguments for ", size, " processes, has ", arguments.size()));
  }
  if (options.hosts != nullptr && options.hosts->size() != size) {
    return absl::InvalidArgumentError(
        absl::StrCat("needs ", size, " hosts, has ", options.hosts->size()));
  }
  for (const Module* module : std::set<const Module*>(modules.begin(), modules.end())) {
    if (absl::Status status = CheckCommunications(*module, shape); !status.ok()) return status;
  }
  return Grid(shape, modules, options).Run(arguments);
}

}  // namespace halyard::hlo
