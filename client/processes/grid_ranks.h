// Grids whose processes are spread over the ranks of an mpirun: what the ranks' Grids send each
// other, and how the loss or failure of one rank becomes an error of all.
#ifndef HALYARD_CLIENT_PROCESSES_GRID_RANKS_H_
#define HALYARD_CLIENT_PROCESSES_GRID_RANKS_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ranks/mesh.h"
#include "runtime/collectives/grid.h"
#include "runtime/program/program.h"

namespace halyard {

// All ranks run the same programs in the same order, one run at a time. If a rank is lost, every
// later call returns an error that says so. Thread-safe.
class GridRanks : private ranks::Mesh::Receiver {
 public:
  static constexpr double kTimeoutSeconds = 60;

  // Meets the other processes that mpirun or srun has started. Every one of them calls this.
  static absl::StatusOr<std::unique_ptr<GridRanks>> Join(double timeout_seconds);
  // `sockets` is indexed by rank, with -1 for this rank.
  GridRanks(int rank, std::vector<int> sockets, double timeout_seconds);
  ~GridRanks() override;

  int rank() const { return mesh_->rank(); }
  int size() const { return mesh_->size(); }
  // Returns this rank's place among the ranks on its machine.
  int local_rank() const { return local_rank_; }
  // Returns the processes [first, second) that rank `rank` runs, of a grid of `processes`.
  std::pair<uint32_t, uint32_t> ProcessesOf(int rank, uint32_t processes) const;
  std::pair<uint32_t, uint32_t> Processes(uint32_t processes) const {
    return ProcessesOf(rank(), processes);
  }

  // For RunProcesses: begins a run and makes a Grid for it. `stop` is called, perhaps by another
  // thread, when the run fails elsewhere.
  absl::Status Begin(const runtime::Program& program, const runtime::GridHost& host,
                     std::function<void()> stop, runtime::Grid** grid);
  // Call this when all processes of this rank have ended. Waits for the other ranks, and destroys
  // the grid.
  absl::Status End();

  // Gives rank 0 the bytes of all ranks, indexed by rank; the others get nothing. Every rank calls
  // it.
  absl::StatusOr<std::vector<std::string>> Gather(const std::string& bytes);
  // Tells the others that this rank gives up, unless a run has failed, because all ranks know that
  // already. Nothing can be run afterwards.
  void GiveUp(const absl::Status& why);
  // `handler` is called at most once, in a thread of its own, when a rank is lost or gives up while
  // no run and no Gather is under way. By then, this rank has left, so the handler may end the
  // process.
  void OnFailure(std::function<void(const absl::Status&)> handler);

 private:
  struct Waiting {  // a frame of a run that has not begun here
    int rank;
    ranks::Frame frame;
  };
  struct Answer {
    uint32_t live = 0;
    bool stuck = false;
    uint64_t sent = 0, received = 0;
    std::string waits;
  };

  void Receive(int rank, ranks::Frame frame) override;
  void Lost(int rank, const std::string& why) override;
  void Left(int rank) override;
  void Tick() override;

  // Handle and all functions below need the mutex.
  void Handle(int rank, ranks::Frame frame);
  void DeliverParcel(int rank, ranks::Frame frame);
  void FailRun(const absl::Status& status);
  // Fails the run if it still needs this rank, which has left.
  void FailIfItLeft(int rank);
  void FailForGood(const absl::Status& status);
  void CallOnFailure();
  Answer OwnAnswer() const;
  void AnswerProbe(int rank, const ranks::Frame& frame);
  void TakeAnswer(int rank, const std::string& head);
  void JudgeAnswers();
  std::string NameOf(int rank) const;

  // ToAll and SendParcel do not need the mutex.
  void ToAll(uint32_t kind, uint64_t run, const std::string& head);
  static runtime::Status SendParcel(void* user, const runtime::GridParcel& parcel,
                                    const runtime::HostArray* arrays, const uint32_t* readers);

  int local_rank_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<uint64_t> run_ = 0;  // the number of the last run that has begun here
  runtime::Grid* grid_ = nullptr;  // null if no run is under way
  std::vector<uint32_t> starts_;   // of this run
  uint32_t partitions_ = 1;
  bool told_ = false;    // the others, why this run fails
  std::string program_;  // of this run, for comparison
  std::function<void()> stop_;
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> ended_;  // by rank: how many of its processes have ended in this run
  std::vector<bool> left_;
  absl::Status failure_;  // permanent
  std::function<void(const absl::Status&)> on_failure_;
  std::thread failing_;  // calls on_failure_
  uint64_t gathers_ = 0;
  bool all_know_ = false;  // whether all ranks know that a run has failed
  bool gathering_ = false;
  std::map<std::pair<uint64_t, int>, std::string> gathered_;  // by number and rank
  // Rank 0 asks all ranks repeatedly whether they only wait.
  uint64_t round_ = 0;
  std::vector<std::optional<Answer>> answers_, last_answers_;
  std::unique_ptr<ranks::Mesh> mesh_;  // declared last, because its threads use the fields above
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_PROCESSES_GRID_RANKS_H_
