// Runs Programs. An Executable is a Program made ready on one Context: kernels are loaded,
// constants are in place, and steps are cut into segments. It is immutable. Any number of threads
// may run it at once, each run on its own Instance (its temporaries and recordings), which is kept
// for the next run. In a steady state, a run allocates nothing.
//
// Runs are asynchronous: Run returns when the work is submitted. On GPUs, the results are still
// being computed then (Buffer::IsReady, Wait). The host itself does some work: on x86 everything;
// on GPUs loops and branches on computed values, custom calls, and small integers. Run does this
// work, or, with RunOptions::asynchronous, a thread of the stream does it. In both cases, runs of
// one stream that share buffers happen in the order of the calls. A buffer may be passed on to
// another Run, also on another stream, and released, at any time. The error of a run that has
// returned comes from Buffer::Wait of its results, with the program's name, and passes on to runs
// that use these results.
#ifndef HALYARD_RUNTIME_EXECUTE_EXECUTOR_H_
#define HALYARD_RUNTIME_EXECUTE_EXECUTOR_H_

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "runtime/backend.h"
#include "runtime/execute/context.h"
#include "runtime/execute/typed_call.h"
#include "runtime/program/program.h"
#include "runtime/status.h"
#include "runtime/x86/halide_abi.h"

namespace halyard::runtime {

// A kernel that the linker has placed in the application, for ahead-of-time programs, whose kernel
// objects hold no code.
struct LinkedKernel {
  const char* name;  // KernelObjectView::name
  x86::KernelEntry entry;
};

class ConstantPool;
class Grid;
class ProgramGroup;

class Executable;

struct ExecutableOptions {
  const LinkedKernel* linked_kernels = nullptr;  // only Create reads it
  uint32_t num_linked_kernels = 0;
  // Has the copies of constants on a device, and outlives the Executable. Null: they are its own.
  ConstantPool* constants = nullptr;
};

// One kernel, copy or custom call of a profiled run, in CLOCK_MONOTONIC time.
struct StepTime {
  uint64_t step;  // of the Program
  const char* label;
  uint64_t begin_ns, end_ns;
  uint64_t waited_ns = 0;  // of this, the time for which it waited for other processes or the host
};

struct RunOptions {
  uint32_t stream = 0;
  // Called after each step. Each step is then submitted and waited for alone, so these are the
  // steps' own times and not those of the run.
  void (*profile)(void* user, const StepTime& time) = nullptr;
  void* profile_user = nullptr;
  // One buffer for each parameter, or null: the parameters that the caller donates. Such a buffer
  // becomes the result that the program names (donated_to_result), if this run holds no other
  // reference to it.
  const bool* donate = nullptr;
  // If true, Run never does much of the work itself: work that takes longer than handing it over is
  // queued for the stream's thread. This has no effect with `profile`, or in a custom call of a
  // queued run.
  bool asynchronous = false;
  // Whether nobody but the caller knows the buffers, which need not be held during the run then.
  bool private_buffers = false;
  // For a program that communicates: where its processes and the host meet, and which process this
  // run is. The caller runs each process in a thread of its own, never asynchronously, and calls
  // Grid::End when it has ended.
  Grid* grid = nullptr;
  uint32_t process = 0;
  // If this is not null, the run ends with kAborted once it points to something other than 0. The
  // run looks before each segment, custom call and round of a loop that the host drives. It is not
  // queued.
  const int32_t* cancel = nullptr;
  // If this is not null, the run's device temporaries lie here: a buffer of this Context of at
  // least arena_bytes(), which nothing else uses meanwhile. On x86, those of the host lie here,
  // too.
  Buffer* temporaries = nullptr;
};

class Instance;

// One process of a grid for Executable::QueueGrid.
struct GridMember {
  Executable* executable;  // of the Context on which the process runs
  uint32_t stream;
  Buffer* const* inputs;  // one for each parameter, as in Executable::Run
  const bool* donate;     // as in RunOptions
  Buffer** outputs;       // one null for each result, which receives a new reference
};

class Executable {
 public:
  // Takes ownership of `program`, even if it fails. Errors: kFailedPrecondition if the Program
  // needs a device or CPU features that the Context lacks; kNotFound for a custom call that is not
  // registered; kResourceExhausted; kDataLoss.
  static Status Create(Context* context, Program* program, const ExecutableOptions& options,
                       Executable** executable);
  void AddRef() { references_.AddRef(); }
  void Release();  // the last call waits for queued runs
  // A reference of a run in its caller's thread, for which AwaitRuns waits. In a custom call of
  // such a run, AwaitRuns does not wait.
  void BeginRun() { references_.Begin(Use::kReads); }
  void EndRun();
  void AwaitRuns() const { references_.Await(Use::kWrites); }

  const Program& program() const { return *program_; }
  Context* context() const { return context_; }
  // What the application is told about the choice of this program among several targets; "" if
  // there was none. The executable frees the text.
  void set_choice(char* text) { choice_ = text; }
  const char* choice() const { return choice_ == nullptr ? "" : choice_; }
  // The programs among which this one is an entry (c_api/program_group.h), or null; and how many of
  // its parameters, the last ones, are sizes, which callers give in another way.
  void set_group(ProgramGroup* group, uint32_t entry, uint32_t num_sizes) {
    group_ = group;
    entry_ = entry;
    num_sizes_ = num_sizes;
  }
  ProgramGroup* group() const { return group_; }
  uint32_t entry() const { return entry_; }
  uint32_t num_sizes() const { return num_sizes_; }
  // The space in which parameter i is expected, and in which result i is returned.
  Space parameter_space(uint32_t i) const;
  Space result_space(uint32_t i) const;

  // inputs[i] is a buffer of parameter i's size. If it is not in parameter_space(i), it is first
  // copied there. outputs[i] is either null and receives a new reference, or a buffer of result i's
  // size and space, which is written and keeps its reference. On an error, no buffer is handed out,
  // and the contents of given result buffers are undefined.
  Status Run(const RunOptions& options, Buffer* const* inputs, uint32_t num_inputs,
             Buffer** outputs, uint32_t num_outputs);

  // Queues a run of each process of the grid, one on each of as many streams, and returns. All of
  // them enter their queues together, so that grids of several threads do not wait for each other.
  // `end.ended` is called when a process has ended, by the thread of its stream, before its results
  // become ready; the Grid must live until the last of these calls. If a process fails, the results
  // of those that have not ended have its error. An error that is returned hands out no buffer, and
  // `ended` is then not called.
  static Status QueueGrid(Grid* grid, const GridMember* members, const GridEnd& end);

  // The peak of one run beyond parameters, results and constants: temporaries of both spaces.
  uint64_t arena_bytes() const {
    return PaddedArenaBytes(program_->device_arena_bytes()) +
           PaddedArenaBytes(program_->host_arena_bytes());
  }
  uint32_t num_segments() const { return num_segments_; }
  // The number of instances made so far, which is the largest number of runs that were in flight at
  // once.
  uint32_t num_instances() const { return num_instances_.load(std::memory_order_relaxed); }

 private:
  friend class Instance;
  friend class RunQueue;
  enum class NodeKind : uint8_t { kSegment, kWhile, kCase, kCustomCall, kCommunication };
  // One thing to do. A sequence is a range of nodes.
  struct Node {
    NodeKind kind;
    bool on_host;         // kSegment: steps of the host device
    bool waits;           // for the device, whose work touches memory that the host uses here
    uint32_t repeat;      // kSegment: rounds of a recording
    uint64_t times;       // kSegment: how often the recording runs; a run may end between two
    uint32_t segment;     // kSegment: its number, which is also that of its recording
    uint64_t first_step;  // kSegment: the first step, in step order
    uint64_t num_steps;
    uint64_t step;            // other kinds: the step
    uint64_t begin;           // of the end of an exchange: the step with which it begins
    CustomCall call;          // kCustomCall
    const CallValue* values;  // kCustomCall of the typed form: of its slices
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
  Status PlaceConstants(ConstantPool* pool);
  Status FindValues();
  bool OnHost(const program_format::StepRecord& step) const;
  bool IsSegmentStep(const program_format::StepRecord& step) const;
  Status PlanSteps();
  Status PlanSequence(uint32_t sequence, uint32_t* num_nodes);
  Status PairExchanges();
  void AddSegment(uint64_t first_step, uint64_t num_steps, uint32_t repeat, uint64_t times,
                  uint32_t* num_nodes);
  uint64_t LineEnd(uint64_t from, uint64_t to) const;
  void AddLoop(uint64_t first_step, uint64_t num_steps, uint64_t rounds, uint32_t* num_nodes);
  uint64_t EstimateSteps(uint64_t first_step, uint64_t num_steps) const;  // in ns
  Status PlanWaits(uint32_t num_nodes);
  void EstimateTime(uint32_t num_nodes);
  Status CheckGrid(const RunOptions& options) const;
  Status CheckInputs(Buffer* const* inputs, uint32_t num_inputs) const;
  Status CheckOutputs(Buffer* const* outputs, uint32_t num_outputs) const;
  Status CheckSharing(Buffer* const* inputs, Buffer* const* outputs) const;
  Status CheckTemporaries(const Buffer* given, Buffer* const* inputs, Buffer* const* outputs) const;
  static uint64_t PaddedArenaBytes(uint64_t bytes) {
    return bytes == 0 ? 0 : PaddedBlockBytes(bytes);
  }
  Status NewRecord(RunRecord** record);
  void FreeRecord(RunRecord* record);
  Status Fill(const RunOptions& options, bool may_queue, Buffer* const* inputs, Buffer** outputs,
              RunRecord* record);
  Status MakeOutputs(const RunOptions& options, bool may_queue, Buffer* const* inputs,
                     Buffer** outputs, RunRecord* record) const;
  void TakeBack(RunRecord* record, Buffer** outputs);
  Status PrepareMember(Grid* grid, uint32_t process, const GridMember& member, const GridEnd& end,
                       RunRecord** record);
  bool MayQueue(const RunOptions& options) const;
  Status AddDependencies(const Buffer* buffer, bool writes, bool may_queue,
                         RunRecord* record) const;
  Status AddUses(const Buffer* buffer, const BufferUse* uses, uint32_t count, bool may_queue,
                 RunRecord* record) const;
  bool ShouldQueue(const RunOptions& options, const RunRecord& record) const;
  Status Begin(RunRecord* record) const;
  Status Stage(uint32_t parameter, const RunRecord& record, Instance* instance) const;
  Status RunOnInstance(const RunOptions& options, RunRecord* record, Event* done);
  void BeginUses(const RunOptions& options, const RunRecord& record) const;
  void EndUses(const RunOptions& options, const RunRecord& record) const;
  Status RunNow(const RunOptions& options, RunRecord* record);
  // For the queue.
  void MarkQueued(RunRecord* record);
  Event RunQueued(RunRecord* record);
  void EndQueued(RunRecord* record);
  Status AcquireInstance(Instance** instance);
  void ReturnInstance(Instance* instance);
  void DestroyAll();

  UseCount references_;
  Context* context_ = nullptr;
  Program* program_ = nullptr;
  char* choice_ = nullptr;
  ProgramGroup* group_ = nullptr;
  uint32_t entry_ = 0, num_sizes_ = 0;
  bool shares_constants_ = false;
  struct LoadedKernel {
    Kernel* kernel;
    uint32_t num_inputs, num_outputs;
    uint64_t scratch_bytes;  // GPU
    uint32_t counter_bytes;
  };
  LoadedKernel* kernels_ = nullptr;  // one for each kernel of the Program
  Block* constants_ = nullptr;       // one for each allocation that is a constant
  // GPU: scratch of the kernel that needs most, and before it the counters of the kernel that has
  // most, which are 0 whenever no kernel runs.
  uint64_t scratch_bytes_ = 0, counter_bytes_ = 0;
  Node* nodes_ = nullptr;
  NodeRange* sequences_ = nullptr;        // the nodes of each sequence of the Program
  SegmentStep* segment_steps_ = nullptr;  // one for each step of the Program (kernels and copies)
  SliceRef* slice_refs_ = nullptr;
  CallValue* call_values_ = nullptr;          // of all custom calls
  CallValue* next_call_values_ = nullptr;     // while they are planned
  uint32_t* result_allocations_ = nullptr;    // the allocation of each result
  int64_t* parameter_allocations_ = nullptr;  // the allocation of each parameter; -1 if it is not
                                              // used
  uint32_t num_segments_ = 0;
  uint32_t max_call_slices_ = 0;  // most slices of a custom call or a step that communicates
  std::atomic<uint32_t> num_instances_{0};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t none_queued_ = PTHREAD_COND_INITIALIZER;
  uint32_t num_queued_ = 0;
  RunRecord* records_ = nullptr;                   // records to use again
  std::atomic<RunRecord*> spare_record_{nullptr};  // one of them, which needs no mutex
  Buffer::ProgramName name_;
  Instance* idle_ = nullptr;
  bool host_drives_ = false;   // whether the host has parts of a run to do between those of the
                               // device
  uint64_t estimated_ns_ = 0;  // x86: time of a run; right to an order of magnitude
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTE_EXECUTOR_H_
