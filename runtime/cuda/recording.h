// A segment as CUDA graphs.
#ifndef HALYARD_RUNTIME_CUDA_RECORDING_H_
#define HALYARD_RUNTIME_CUDA_RECORDING_H_

#include "runtime/backend.h"
#include "runtime/cuda/api.h"
#include "runtime/gpu/segment_plan.h"

namespace halyard::runtime::cuda {

// The context is current in every call.
class CudaRecording {
 public:
  CudaRecording(const Api* api, CUcontext context, uint32_t alignment)
      : api_(api), context_(context), alignment_(alignment) {}
  CudaRecording(const CudaRecording&) = delete;
  CudaRecording& operator=(const CudaRecording&) = delete;
  ~CudaRecording();

  Status Init(const Segment& segment);
  // Makes the graphs fit `bindings`: builds them, or replaces the nodes' parameters.
  Status Prepare(const Binding* bindings, uint32_t num_bindings);
  Status Launch(CUstream stream);

 private:
  // Rounds of the line as one graph.
  struct Piece {
    uint32_t rounds = 0;
    CUgraph graph = nullptr;
    CUgraphExec executable = nullptr;
    gpu::Array<CUgraphNode> nodes;  // one for each command of each round
    gpu::Array<uint32_t> groups;    // SegmentPlan::Group: what the edges were made from
  };
  struct Bound {
    uint64_t address = 0;
    Space space = Space::kDevice;
  };
  // A kernel node's parameters, or a copy's.
  struct NodeParameters {
    CUDA_KERNEL_NODE_PARAMS kernel;
    CUDA_MEMCPY3D copy;
    uint64_t values[kMaxLaunchArguments];
    void* pointers[kMaxLaunchArguments];
  };

  bool Matches(const Binding* bindings, uint32_t num_bindings) const;
  Status Update(const Binding* bindings, Piece* piece);
  Status Build(const Binding* bindings, Piece* piece);
  Status AddNode(const gpu::Command& command, const Binding* bindings,
                 const CUgraphNode* dependencies, size_t num_dependencies, Piece* piece);
  void Fill(const gpu::Command& command, const Binding* bindings, NodeParameters* parameters);
  void DestroyPiece(Piece* piece);
  bool SameSpaces(const Binding* bindings) const;

  const Api* api_;
  CUcontext context_;
  uint32_t alignment_;
  gpu::SegmentPlan plan_;
  Piece pieces_[2];          // the piece that is launched several times, and the rounds left over
  gpu::Array<Bound> bound_;  // for each of SegmentPlan::used_allocations; empty: not built
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_RECORDING_H_
