// Has candidates compiled and measured by other processes, on this machine or others
// (remote_service.h). Each is at the other end of a socket.
//
// A batch is handed out in chunks, each with as many candidates as a process works on at once. A
// process that is done gets the next chunk. Before each chunk, it is told the best that any process
// has found. Each process times candidates beside the best on its own device. So machines of one
// kind that are not equally fast, or are loaded, still agree on ratios: compare the seconds of a
// trial with its `against_seconds`, those of the best in the same rounds.
//
// A process is lost when its stream ends, when it says nothing for `silence_seconds`, or when it
// answers nothing for `answer_seconds`. Other processes then get the candidates that it had not
// answered, one at a time. A candidate with which two processes were lost is recorded as a crash. A
// process whose device cannot take a task gets no more work on that task.
#ifndef HALYARD_AUTOTUNER_REMOTE_REMOTE_TRIALS_H_
#define HALYARD_AUTOTUNER_REMOTE_REMOTE_TRIALS_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "autotuner/measure/trials.h"
#include "autotuner/remote/remote_messages.h"
#include "codegen/service/frame.h"

namespace halyard::autotuner {

struct RemotePeer {
  std::string name;  // in messages: "rank 3"
  int socket = -1;   // connected; RemoteTrials closes it
};

struct RemoteOptions {
  double hello_seconds = 60;    // time limit until all have said who they are
  double silence_seconds = 30;  // they give a sign of life every few seconds, whatever they do
  // Time limit between two answers, which includes compiling, an oracle's evaluation and a trial.
  double answer_seconds = 1200;
  // Called for processes that are lost or left out.
  std::function<void(const std::string&)> warn;
};

class RemoteTrials : public Trials {
 public:
  // Waits until all have said who they are. Leaves out processes of another version of Halyard.
  RemoteTrials(std::vector<RemotePeer> peers, RemoteOptions options);
  // Tells all of them that the work is done.
  ~RemoteTrials() override;

  // Begin and Run return kUnavailable if all processes are lost.
  absl::StatusOr<Trial> Begin(const KernelTask& task, const std::string& best) override;
  absl::StatusOr<std::vector<Trial>> Run(absl::Span<const std::string> schedules,
                                         const TrialOptions& options,
                                         const TrialDone& done) override;
  int64_t width() const override;  // the sum of their widths
  int64_t connected() const;

 private:
  struct Peer;
  struct Batch;
  // Sends the messages that wait, and handles those that have come. Waits up to `seconds` for
  // either.
  void Exchange(double seconds);
  void Read(Peer& peer);
  void Handle(Peer& peer, const lowering::Frame& frame);
  void HandleTrial(Peer& peer, const std::vector<std::string>& parts);
  void Send(Peer& peer, uint64_t id, const std::string& message);
  void GiveWork(Peer& peer);
  void Finish(Peer& peer);  // ends its work; what it has not answered waits again
  void Lose(Peer& peer, const std::string& why);
  void Answer(int64_t place, Trial trial);
  void NoteSeconds(const Trial& trial);
  void Warn(const Peer& peer, const std::string& what) const;
  absl::Status RunBatch();
  bool Fits(const Peer& peer) const;
  Trial LostTrial(const std::string& schedule, const std::string& with) const;

  const RemoteOptions options_;
  std::vector<std::unique_ptr<Peer>> peers_;
  uint64_t next_id_ = 0;
  KernelTask task_;
  std::string best_;  // candidates are timed beside it
  struct Known {
    double seconds;  // on the scale of the trial with which the task began
    Trial trial;
  };
  std::map<std::string, Known> known_;  // good schedules of the task
  Batch* batch_ = nullptr;              // set while Begin or Run is at work
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REMOTE_REMOTE_TRIALS_H_
