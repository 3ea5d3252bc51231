// One run of an Executable in flight: its temporaries, its recordings, and where its allocations
// lie. Instances are kept and used again.
#ifndef HALYARD_RUNTIME_EXECUTE_INSTANCE_H_
#define HALYARD_RUNTIME_EXECUTE_INSTANCE_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/collectives/grid.h"
#include "runtime/execute/device_exchange.h"
#include "runtime/execute/executor.h"
#include "runtime/status.h"

namespace halyard::runtime {

class Instance {
 public:
  static Status Create(Executable* executable, Instance** instance);
  void Destroy();  // waits for its work

  // Sets where parameter i lies in the next run.
  void BindParameter(uint32_t i, const Block* block);
  // Keeps a buffer that was made for this run only. EndRun() releases all of them.
  void KeepStaged(uint32_t parameter, Buffer* buffer) { staged_[parameter] = buffer; }
  void EndRun(uint32_t stream);
  // Records that work for the next run was submitted on its stream. Nothing has waited for it.
  void SetSubmitted(Event event);
  // Runs the program. The run ends with last_event().
  Status Run(const RunOptions& options, const Block* results);
  Event last_event() const { return last_; }

  Instance* next = nullptr;  // in the Executable's list

 private:
  using Node = Executable::Node;
  Instance() = default;
  ~Instance() = default;
  Status Prepare();
  Status ClearCounters();
  Status PlaceTemporaries(Buffer* given);
  Status CheckCancelled() const;
  Status RunSequence(uint32_t sequence);
  Status RunSegment(const Node& node);
  // run_in_pieces.cc
  // Whether a GPU gets little work at a time, so that the run can be cancelled.
  bool RunsInPieces() const;
  Status RunInPieces(const Node& node);
  Status RunLoopInPieces(const Node& node);
  Status RunRoundInParts(const Node& node, Event* before);
  Status RecordPiece(const Node& node, uint32_t rounds, Recording** recording);
  Status RecordPart(const Node& node, uint32_t part, uint32_t num_parts, Recording** recording);
  Status SubmitPiece(Recording* recording);
  Status WaitFor(Event event);
  void FreePieces();
  Status ProfileSegment(const Node& node, Device* device);
  Status RunWhile(const Node& node);
  Status RunCase(const Node& node);
  Status RunCustomCall(const Node& node);
  // communicate.cc
  Status RunCommunication(const Node& node);
  Status Communicate(const Node& node);
  bool IsOnDevice(const program_format::StepRecord& step) const;
  Status ExchangeOnDevice(const Node& node);
  Status Sync();  // waits until host memory holds what the device was told to write there
  uint8_t* HostAddress(const program_format::SliceRecord& slice) const;

  // A segment on a GPU, in runs that may be cancelled.
  struct Pieces {
    Recording* loop[2];  // some rounds
    uint32_t rounds_of_loop[2];
    uint32_t rounds;     // that take about as long as they should; 0: not known yet
    bool round_is_long;  // so that a round is cut into parts
    Recording** parts;   // of one round
    uint32_t num_parts;  // 0: not known yet
  };

  Executable* executable_ = nullptr;
  Block arenas_[2];              // by space: the run's temporaries
  Block own_arenas_[2];          // made for the first run that is given no memory for them
  Block scratch_;                // GPU: shared by all kernels, which run one after the other
  Binding* bindings_ = nullptr;  // one for each allocation, then one for the scratch
  uint32_t num_bindings_ = 0;
  Buffer** staged_ = nullptr;         // one for each parameter
  Recording** recordings_ = nullptr;  // one for each segment, made on first use
  const void** call_inputs_ = nullptr;
  Pieces* pieces_ = nullptr;  // GPUs: one for each segment
  void** call_outputs_ = nullptr;
  HostArray* arrays_ = nullptr;           // of a step that communicates
  DeviceArray* device_arrays_ = nullptr;  // of an exchange in the device's memory
  DeviceExchange exchange_;
  const RunOptions* options_ = nullptr;  // options of the run
  Event last_;                           // of the work that was last submitted to the device
  bool synced_ = true;                   // whether the host has waited for it
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTE_INSTANCE_H_
