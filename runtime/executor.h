// Runs Programs. An Executable is a Program made ready on one Context: kernels loaded, constants in
// place, steps cut into segments. It is immutable; any number of threads may run it at once, each
// run on an Instance of its own (its temps and recordings), which is kept for the next run. In a
// steady state a run allocates nothing.
//
// Asynchronous: Run returns when the work is submitted, and on GPUs the results are still being
// computed then (Buffer::IsReady, Wait). What the host does itself (on x86 everything; on GPUs
// loops and branches on what was computed, custom calls, small integers) is done in Run, or, with
// RunOptions::asynchronous, by a thread of the stream. Either way runs of one stream that share
// buffers happen in the order of the calls; a buffer may be passed on to another Run, also on
// another stream, and released, at any time. The error of a run that has returned comes from
// Buffer::Wait of its results, with the program's name, and passes on to runs that use them.
#ifndef HALYARD_RUNTIME_EXECUTOR_H_
#define HALYARD_RUNTIME_EXECUTOR_H_

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "runtime/backend.h"
#include "runtime/context.h"
#include "runtime/program.h"
#include "runtime/status.h"
#include "runtime/x86/halide_abi.h"

namespace halyard::runtime {

// A kernel that the linker has placed in the application: ahead-of-time programs, whose kernel
// objects hold no code.
struct LinkedKernel {
  const char* name;  // KernelObjectView::name
  x86::KernelEntry entry;
};

struct ExecutableOptions {
  const LinkedKernel* linked_kernels = nullptr;  // only read by Create
  uint32_t num_linked_kernels = 0;
};

// One kernel, copy or custom call of a profiled run; CLOCK_MONOTONIC.
struct StepTime {
  uint64_t step;  // of the Program
  const char* label;
  uint64_t begin_ns, end_ns;
};

struct RunOptions {
  uint32_t stream = 0;
  // Called after each step, which is then submitted and waited for alone: the steps' own times, not
  // the run's.
  void (*profile)(void* user, const StepTime& time) = nullptr;
  void* profile_user = nullptr;
  // One for each parameter, or null: parameters that the caller gives up. Its buffer then becomes
  // the result that the program says (donated_to_result), if no other reference to it is held by
  // this run.
  const bool* donate = nullptr;
  // Run never does much of the work itself: what takes longer than handing it over is queued for
  // the stream's thread. Not with `profile`, and not in a custom call of a queued run.
  bool asynchronous = false;
};

class Instance;

class Executable {
 public:
  // Takes `program` over (also when it fails). Errors: kFailedPrecondition when the Program needs a
  // device, or CPU features, that the Context lacks; kNotFound for a custom call that is not
  // registered; kResourceExhausted; kDataLoss.
  static Status Create(Context* context, Program* program, const ExecutableOptions& options,
                       Executable** executable);
  void AddRef() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Release();  // the last one waits for runs in flight

  const Program& program() const { return *program_; }
  Context* context() const { return context_; }
  // Where parameter i is wanted and result i is given.
  Space parameter_space(uint32_t i) const;
  Space result_space(uint32_t i) const;

  // inputs[i]: a buffer of parameter i's size; one that is not in parameter_space(i) is copied
  // there first. outputs[i]: null, and receives a new reference; or a buffer of result i's size and
  // space, which is written (and keeps its reference). On error nothing is handed out, and results
  // given are undefined.
  Status Run(const RunOptions& options, Buffer* const* inputs, uint32_t num_inputs,
             Buffer** outputs, uint32_t num_outputs);

  // Peak of one run beyond parameters, results and constants: temps of both spaces.
  uint64_t arena_bytes() const {
    return program_->device_arena_bytes() + program_->host_arena_bytes();
  }
  uint32_t num_segments() const { return num_segments_; }
  // Instances made so far: the largest number of runs that were in flight at once.
  uint32_t num_instances() const { return num_instances_.load(std::memory_order_relaxed); }

 private:
  friend class Instance;
  friend class RunQueue;
  enum class NodeKind : uint8_t { kSegment, kWhile, kCase, kCustomCall };
  // One thing to do; a sequence is a range of these.
  struct Node {
    NodeKind kind;
    bool on_host;         // kSegment: steps of the host device
    bool waits;           // for the device: its work touches memory that the host does here
    uint32_t repeat;      // kSegment
    uint32_t segment;     // kSegment: its number, and so its recording's
    uint64_t first_step;  // kSegment: in step order
    uint64_t num_steps;
    uint64_t step;    // others: the step
    CustomCall call;  // kCustomCall
  };
  struct NodeRange {
    uint32_t first, count;
  };

  Executable() = default;
  ~Executable() = default;
  Status Prepare(const ExecutableOptions& options);
  Status AllocateTables();
  Status CheckDevice() const;
  Status CheckMemory() const;
  Status LoadKernels(const ExecutableOptions& options);
  Status LoadKernel(uint32_t index, const ExecutableOptions& options);
  Status PlaceConstants();
  Status FindValues();
  bool OnHost(const program_format::StepRecord& step) const;
  bool IsSegmentStep(const program_format::StepRecord& step) const;
  Status PlanSteps();
  Status PlanSequence(uint32_t sequence, uint32_t* num_nodes);
  void AddSegment(uint64_t first_step, uint64_t num_steps, uint32_t repeat, uint32_t* num_nodes);
  Status PlanWaits(uint32_t num_nodes);
  void EstimateTime(uint32_t num_nodes);
  Status CheckInputs(Buffer* const* inputs, uint32_t num_inputs) const;
  Status CheckOutputs(Buffer* const* outputs, uint32_t num_outputs) const;
  Status NewRecord(RunRecord** record);
  void FreeRecord(RunRecord* record);
  Status Fill(const RunOptions& options, Buffer* const* inputs, Buffer** outputs,
              RunRecord* record);
  Status MakeOutputs(const RunOptions& options, Buffer* const* inputs, Buffer** outputs,
                     RunRecord* record) const;
  static bool MayQueue(const RunOptions& options);
  Status AddDependencies(const Buffer* buffer, bool writes, bool may_queue,
                         RunRecord* record) const;
  bool ShouldQueue(const RunOptions& options, const RunRecord& record) const;
  Status Begin(RunRecord* record) const;
  Status Stage(uint32_t parameter, const RunRecord& record, Instance* instance) const;
  Status RunOnInstance(const RunOptions& options, RunRecord* record, Event* done);
  // For the queue.
  void MarkQueued(RunRecord* record, Event ticket);
  Event RunQueued(RunRecord* record);
  void EndQueued(RunRecord* record);
  Status AcquireInstance(Instance** instance);
  void ReturnInstance(Instance* instance);
  void DestroyAll();

  std::atomic<int64_t> references_{1};
  Context* context_ = nullptr;
  Program* program_ = nullptr;
  struct LoadedKernel {
    Kernel* kernel;
    uint32_t num_inputs, num_outputs;
    uint64_t scratch_bytes;  // GPU
  };
  LoadedKernel* kernels_ = nullptr;  // of each Program kernel
  Block* constants_ = nullptr;       // of each allocation that is a constant
  uint64_t scratch_bytes_ = 0;       // GPU: the most that any kernel wants
  Node* nodes_ = nullptr;
  NodeRange* sequences_ = nullptr;        // the nodes of each Program sequence
  SegmentStep* segment_steps_ = nullptr;  // of each Program step (kernels and copies)
  SliceRef* slice_refs_ = nullptr;
  uint32_t* result_allocations_ = nullptr;    // of each result
  int64_t* parameter_allocations_ = nullptr;  // of each parameter; -1: not used
  uint32_t num_segments_ = 0;
  uint32_t max_call_slices_ = 0;  // most slices of a custom call
  std::atomic<uint32_t> num_instances_{0};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t none_queued_ = PTHREAD_COND_INITIALIZER;
  uint32_t num_queued_ = 0;
  RunRecord* records_ = nullptr;  // to be used again
  std::atomic<RunRecord*> spare_record_{nullptr};  // one of them, without the mutex
  Buffer::ProgramName name_;
  Instance* idle_ = nullptr;
  bool host_drives_ = false;   // the host has parts of a run to do between the device's
  uint64_t estimated_ns_ = 0;  // x86: of a run; not more than an order of magnitude
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTOR_H_
