// A segment as CUDA graphs.
#ifndef HALYARD_RUNTIME_CUDA_RECORDING_H_
#define HALYARD_RUNTIME_CUDA_RECORDING_H_

#include "runtime/backend.h"
#include "runtime/cuda/api.h"
#include "runtime/cuda/libraries/library.h"
#include "runtime/gpu/segment_plan.h"

namespace halyard::runtime::cuda {

// The context is current in every call.
class CudaRecording {
 public:
  CudaRecording(const Api* api, CUcontext context, Libraries* libraries, uint32_t alignment)
      : api_(api), context_(context), libraries_(libraries), alignment_(alignment) {}
  CudaRecording(const CudaRecording&) = delete;
  CudaRecording& operator=(const CudaRecording&) = delete;
  ~CudaRecording();

  Status Init(const Segment& segment);
  // Abandons the graphs, because the context could not be made current and takes them with it.
  void Abandon();
  // Makes the graphs fit `bindings`: builds them, or replaces the nodes' parameters.
  Status Prepare(const Binding* bindings, uint32_t num_bindings);
  Status Launch(CUstream stream);
  // For a profile: runs the commands one after the other on `stream`, with an event around each,
  // and waits. spans[i] is that of step i, in the last round.
  Status LaunchTimed(CUstream stream, const Binding* bindings, StepSpan* spans);

 private:
  // One graph for several rounds of the line.
  struct Piece {
    uint32_t rounds = 0;
    CUgraph graph = nullptr;
    CUgraphExec executable = nullptr;
    gpu::Array<CUgraphNode> nodes;  // one for each command of each round
    gpu::Array<uint32_t> groups;    // from SegmentPlan::Group; the edges follow from them
  };
  struct Bound {
    uint64_t block = 0, offset = 0;  // the block's address
    Space space = Space::kDevice;
  };
  enum class Change : uint8_t {
    kNone,
    kAddresses,  // addresses of blocks that overlap as before, so the graph's edges remain valid
    kOverlaps,
    kSpaces,  // copies between other kinds of memory, which need other nodes
  };
  // What a library's routine does with these arguments. Programs come back to a few sets of
  // addresses, and capturing calls into the library each time.
  struct Captured {
    uint32_t command, num_arguments;
    uint64_t arguments[kMaxLaunchArguments];
    CUgraph graph;
  };
  static constexpr uint32_t kCapturesPerCommand = 4;
  // The parameters of a kernel node or of a copy.
  struct NodeParameters {
    CUDA_KERNEL_NODE_PARAMS kernel;
    CUDA_MEMCPY3D copy;
    uint64_t values[kMaxLaunchArguments];
    void* pointers[kMaxLaunchArguments];
  };

  // Compares `bindings` with those that the graphs were made for. Also sets changed_.
  Change Compare(const Binding* bindings);
  Status NoteBound(const Binding* bindings);
  Status Update(const Binding* bindings, Change change, Piece* piece);
  bool IsChanged(const gpu::Command& command) const;
  // `refused` says that the node cannot be changed in place, so the graph must be built anew.
  Status SetNode(const gpu::Command& command, const Binding* bindings, CUgraphNode node,
                 CUgraphExec executable, bool* refused);
  static bool IsRefused(CUresult result);
  // Captures a library's routine on these bindings as a graph of its own, which captured_ keeps.
  Status CaptureRoutine(const gpu::Command& command, const Binding* bindings, CUgraph* graph);
  // Takes over the graph, and drops the oldest one of the same command if there are too many.
  Status Keep(const Captured& added);
  Status Build(const Binding* bindings, Piece* piece);
  Status AddNode(const gpu::Command& command, const Binding* bindings,
                 const CUgraphNode* dependencies, size_t num_dependencies, CUgraph graph,
                 CUgraphNode* node);
  void Fill(const gpu::Command& command, const Binding* bindings, NodeParameters* parameters);
  void DestroyPiece(Piece* piece);

  const Api* api_;
  CUcontext context_;
  Libraries* libraries_;
  uint32_t alignment_;
  gpu::SegmentPlan plan_;
  Piece pieces_[2];          // the piece that is launched several times, and the remaining rounds
  gpu::Array<Bound> bound_;  // one for each of SegmentPlan::used_allocations; empty if not built
  gpu::Array<Captured> captured_;  // oldest first
  gpu::Array<bool> changed_;       // one for each allocation, up to the last one that is used
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_RECORDING_H_
