// Runs grids that are spread over the ranks of an mpirun. Carries what their Grids send each other,
// and turns the loss or the failure of one rank into an error of all ranks.
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
#include "ranks/mpi_links.h"
#include "runtime/collectives/grid.h"
#include "runtime/program/program.h"

namespace halyard {

// All ranks run the same programs, in the same order, one run at a time. After a rank is lost or
// gives up, every further call returns the error. Thread-safe.
class GridRanks : private ranks::Mesh::Receiver {
 public:
  static constexpr double kTimeoutSeconds = 60;

  // Connects to the other processes that mpirun or srun has started. All of them must call this.
  static absl::StatusOr<std::unique_ptr<GridRanks>> Join(double timeout_seconds);
  // `sockets` holds the socket to each rank, and -1 for this rank. `shared` says how much memory
  // this rank shares with those of its machine, which by default is none.
  GridRanks(int rank, std::vector<int> sockets, double timeout_seconds,
            const ranks::SharedMemoryOptions& shared = {});
  ~GridRanks() override;

  int rank() const { return mesh_->rank(); }
  int size() const { return mesh_->size(); }
  // Returns whether what goes to this rank can go through shared memory. It may not yet be known
  // before a run has ended.
  bool Shares(int rank) const { return mesh_->Shares(rank); }
  // Returns this rank's number among the ranks on its machine.
  int local_rank() const { return local_rank_; }
  // Returns the processes [first, second) that `rank` runs of a grid of `processes`.
  std::pair<uint32_t, uint32_t> ProcessesOf(int rank, uint32_t processes) const;
  std::pair<uint32_t, uint32_t> Processes(uint32_t processes) const {
    return ProcessesOf(rank(), processes);
  }

  // Makes a Grid for one run of RunProcesses. Calls `stop`, perhaps from another thread, when
  // something outside this rank's processes makes the run fail.
  absl::Status Begin(const runtime::Program& program, const runtime::GridHost& host,
                     std::function<void()> stop, runtime::Grid** grid);
  // Ends the run when all processes of this rank have ended: waits for the other ranks, destroys
  // the grid, and returns the error of the run, if any.
  absl::Status End();

  // Returns on rank 0 what each rank passed, by rank, and nothing on the other ranks. Every rank
  // must call it.
  absl::StatusOr<std::vector<std::string>> Gather(const std::string& bytes);
  // Tells the other ranks that this rank gives up, unless a run has failed, because then all ranks
  // know. Nothing can be run afterwards.
  void GiveUp(const absl::Status& why);
  // Sets a handler that is called at most once, from its own thread, when a rank is lost or gives
  // up while neither a run nor a Gather is under way. This rank has left the job by then, so the
  // handler may end the process.
  void OnFailure(std::function<void(const absl::Status&)> handler);

 private:
  struct Waiting {  // a frame of a run that has not begun on this rank
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

  // The caller of these functions holds the mutex.
  void Handle(int rank, ranks::Frame frame);
  void DeliverParcel(int rank, ranks::Frame frame);
  void FailRun(const absl::Status& status);
  // Fails the run if `rank`, which has left, still has processes in it.
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

  const double timeout_seconds_;
  int local_rank_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<uint64_t> run_ = 0;  // number of the last run that has begun on this rank
  runtime::Grid* grid_ = nullptr;  // null while no run is under way
  std::vector<uint32_t> starts_;   // the first process of each rank in this run
  uint32_t partitions_ = 1;
  bool told_ = false;    // whether this rank has told the others why the run fails
  std::string program_;  // the program of this run, which must be the same on all ranks
  std::function<void()> stop_;
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> ended_;  // by rank, how many of its processes have ended in this run
  std::vector<bool> left_;
  absl::Status failure_;  // the error that ends all further runs
  std::function<void(const absl::Status&)> on_failure_;
  std::thread failing_;  // calls on_failure_
  uint64_t gathers_ = 0;
  bool all_know_ = false;  // whether all ranks know that a run has failed
  bool gathering_ = false;
  std::map<std::pair<uint64_t, int>, std::string> gathered_;  // by Gather's number and rank
  // Rank 0 repeatedly asks all ranks whether they do nothing but wait.
  uint64_t round_ = 0;
  std::vector<std::optional<Answer>> answers_, last_answers_;
  std::unique_ptr<ranks::MpiLinks> links_;  // outlives the mesh, whose sockets may lead to it
  std::unique_ptr<ranks::Mesh> mesh_;  // last, to be destroyed first: its threads call this object
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_PROCESSES_GRID_RANKS_H_
