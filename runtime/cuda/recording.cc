#include "runtime/cuda/recording.h"

#include <string.h>

#include "runtime/cuda/kernel.h"

namespace halyard::runtime::cuda {

using gpu::Command;
using gpu::PlannedSlice;
using gpu::SegmentPlan;

namespace {

const gpu::KernelPlan* PlanOf(Kernel* kernel) {
  return &reinterpret_cast<CudaKernel*>(kernel)->plan;
}

uint64_t AddressOf(const PlannedSlice& slice, const Binding* bindings) {
  const Block* block;
  uint64_t offset;
  SegmentPlan::Locate(slice, bindings, &block, &offset);
  return block->device_address + offset;
}

CUmemorytype MemoryTypeOf(const PlannedSlice& slice, const Binding* bindings) {
  return bindings[slice.allocation].block->space == Space::kHost ? CU_MEMORYTYPE_HOST
                                                                 : CU_MEMORYTYPE_DEVICE;
}

// Returns the library routine that the command calls, or null for device code and for copies.
LibraryRoutine* RoutineOf(const Command& command) {
  if (command.kernel == nullptr) return nullptr;
  return static_cast<const CudaKernel*>(command.kernel)->routines[command.launch];
}

}  // namespace

CudaRecording::~CudaRecording() {
  for (Piece& piece : pieces_) DestroyPiece(&piece);
  for (const Captured& captured : captured_) api_->cuGraphDestroy(captured.graph);
}

void CudaRecording::DestroyPiece(Piece* piece) {
  if (piece->executable != nullptr) api_->cuGraphExecDestroy(piece->executable);
  if (piece->graph != nullptr) api_->cuGraphDestroy(piece->graph);
  piece->executable = nullptr;
  piece->graph = nullptr;
  piece->nodes.Clear();
  piece->groups.Clear();
}

Status CudaRecording::Init(const Segment& segment) {
  HY_RETURN_IF_ERROR(plan_.Build(segment, PlanOf));
  uint32_t allocations = 0;
  for (uint32_t used : plan_.used_allocations()) {
    if (used >= allocations) allocations = used + 1;
  }
  if (!changed_.Resize(allocations)) return gpu::OutOfHostMemory("a recording");
  pieces_[0].rounds = plan_.repeat() == 0 ? 0 : plan_.RoundsPerPiece();
  pieces_[1].rounds = plan_.repeat() % plan_.RoundsPerPiece();
  return Status();
}

void CudaRecording::Abandon() {
  for (Piece& piece : pieces_) {
    piece.executable = nullptr;
    piece.graph = nullptr;
  }
  captured_.Clear();
}

// Other steps may overlap if two blocks change places, or if a block is bound twice. The edges stay
// valid if new blocks take the place of old ones.
CudaRecording::Change CudaRecording::Compare(const Binding* bindings) {
  const gpu::Array<uint32_t>& used = plan_.used_allocations();
  if (bound_.size() != used.size()) return Change::kSpaces;
  Change change = Change::kNone;
  for (size_t i = 0; i < used.size(); ++i) {
    const Binding& binding = bindings[used[i]];
    const uint64_t block = binding.block->device_address;
    changed_[used[i]] = block != bound_[i].block || binding.offset != bound_[i].offset;
    if (binding.block->space != bound_[i].space) return Change::kSpaces;
    if (!changed_[used[i]]) continue;
    bool same = binding.offset == bound_[i].offset;
    for (size_t j = 0; same && j < used.size(); ++j) {
      same = (bindings[used[j]].block->device_address == block) ==
             (bound_[j].block == bound_[i].block);
    }
    if (!same) {
      change = Change::kOverlaps;
    } else if (change == Change::kNone) {
      change = Change::kAddresses;
    }
  }
  return change;
}

Status CudaRecording::NoteBound(const Binding* bindings) {
  const gpu::Array<uint32_t>& used = plan_.used_allocations();
  if (!bound_.Resize(used.size())) return gpu::OutOfHostMemory("a recording");
  for (size_t i = 0; i < used.size(); ++i) {
    const Binding& binding = bindings[used[i]];
    bound_[i].block = binding.block->device_address;
    bound_[i].offset = binding.offset;
    bound_[i].space = binding.block->space;
  }
  return Status();
}

Status CudaRecording::Prepare(const Binding* bindings, uint32_t num_bindings) {
  if (plan_.commands().empty()) return Status();
  HY_RETURN_IF_ERROR(plan_.CheckBindings(bindings, num_bindings, alignment_));
  const Change change = Compare(bindings);
  if (change == Change::kNone) return Status();
  bound_.Clear();  // stays empty if an update fails
  for (Piece& piece : pieces_) {
    if (piece.rounds != 0) HY_RETURN_IF_ERROR(Update(bindings, change, &piece));
  }
  return NoteBound(bindings);
}

bool CudaRecording::IsChanged(const Command& command) const {
  for (uint32_t i = 0; i < command.num_slices; ++i) {
    if (changed_[plan_.slices()[command.first_slice + i].allocation]) return true;
  }
  return false;
}

Status CudaRecording::CaptureRoutine(const Command& command, const Binding* bindings,
                                     CUgraph* graph) {
  uint64_t arguments[kMaxLaunchArguments];
  for (uint32_t i = 0; i < command.num_slices; ++i) {
    arguments[i] = AddressOf(plan_.slices()[command.first_slice + i], bindings);
  }
  const auto index = static_cast<uint32_t>(&command - plan_.commands().data());
  for (const Captured& captured : captured_) {
    if (captured.command == index && captured.num_arguments == command.num_slices &&
        memcmp(captured.arguments, arguments, command.num_slices * sizeof(uint64_t)) == 0) {
      *graph = captured.graph;
      return Status();
    }
  }
  Captured added = {};
  const Status status = libraries_->Capture(RoutineOf(command), arguments, &added.graph);
  if (!status.ok()) return MakeStatus(status.code(), "%s: %s", command.label, status.message());
  added.command = index;
  added.num_arguments = command.num_slices;
  memcpy(added.arguments, arguments, command.num_slices * sizeof(uint64_t));
  *graph = added.graph;
  return Keep(added);
}

Status CudaRecording::Keep(const Captured& added) {
  uint32_t same = 0;
  size_t oldest = 0;
  for (size_t i = captured_.size(); i-- > 0;) {
    if (captured_[i].command != added.command) continue;
    ++same;
    oldest = i;
  }
  if (same == kCapturesPerCommand) {
    api_->cuGraphDestroy(captured_[oldest].graph);
    captured_.Remove(oldest);
  }
  if (captured_.Append(added)) return Status();
  api_->cuGraphDestroy(added.graph);
  return gpu::OutOfHostMemory("a recording");
}

// Drivers differ in what they let a node change; what one refuses is built anew.
bool CudaRecording::IsRefused(CUresult result) {
  return result == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE || result == CUDA_ERROR_INVALID_VALUE ||
         result == CUDA_ERROR_NOT_SUPPORTED;
}

Status CudaRecording::SetNode(const Command& command, const Binding* bindings, CUgraphNode node,
                              CUgraphExec executable, bool* refused) {
  CUresult result;
  const char* call;
  if (RoutineOf(command) != nullptr) {
    CUgraph graph = nullptr;
    HY_RETURN_IF_ERROR(CaptureRoutine(command, bindings, &graph));
    result = api_->cuGraphExecChildGraphNodeSetParams(executable, node, graph);
    call = "cuGraphExecChildGraphNodeSetParams";
  } else {
    NodeParameters parameters;
    Fill(command, bindings, &parameters);
    if (command.kernel != nullptr) {
      result = api_->cuGraphExecKernelNodeSetParams(executable, node, &parameters.kernel);
      call = "cuGraphExecKernelNodeSetParams";
    } else {
      result = api_->cuGraphExecMemcpyNodeSetParams(executable, node, &parameters.copy, context_);
      call = "cuGraphExecMemcpyNodeSetParams";
    }
  }
  *refused = IsRefused(result);
  return *refused ? Status() : ToStatus(*api_, result, call);
}

Status CudaRecording::Update(const Binding* bindings, Change change, Piece* piece) {
  if (change == Change::kSpaces || piece->executable == nullptr) return Build(bindings, piece);
  if (change == Change::kOverlaps) {
    // With other bindings, other steps may overlap, so other edges are needed.
    gpu::Array<uint32_t> groups;
    HY_RETURN_IF_ERROR(plan_.Group(bindings, piece->rounds, &groups));
    if (groups.size() != piece->groups.size() ||
        memcmp(groups.data(), piece->groups.data(), groups.size() * sizeof(uint32_t)) != 0) {
      return Build(bindings, piece);
    }
  }
  const size_t count = plan_.commands().size();
  for (size_t i = 0; i < piece->nodes.size(); ++i) {
    const Command& command = plan_.commands()[i % count];
    if (!IsChanged(command)) continue;
    bool refused = false;
    HY_RETURN_IF_ERROR(SetNode(command, bindings, piece->nodes[i], piece->executable, &refused));
    if (refused) return Build(bindings, piece);
  }
  return Status();
}

Status CudaRecording::Build(const Binding* bindings, Piece* piece) {
  DestroyPiece(piece);
  HY_RETURN_IF_ERROR(plan_.Group(bindings, piece->rounds, &piece->groups));
  HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuGraphCreate(&piece->graph, 0), "cuGraphCreate"));
  const size_t count = plan_.commands().size();
  size_t before = 0;  // the previous group is nodes [before, begin)
  for (size_t begin = 0, end; begin < piece->groups.size(); before = begin, begin = end) {
    end = begin + 1;
    while (end < piece->groups.size() && piece->groups[end] == piece->groups[begin]) ++end;
    const CUgraphNode* dependencies = piece->nodes.data() + before;
    size_t num_dependencies = begin - before;
    CUgraphNode join = nullptr;
    // A node that joins m nodes and is waited for by n needs m + n edges instead of m * n.
    if (num_dependencies * (end - begin) > num_dependencies + (end - begin)) {
      HY_RETURN_IF_ERROR(ToStatus(
          *api_, api_->cuGraphAddEmptyNode(&join, piece->graph, dependencies, num_dependencies),
          "cuGraphAddEmptyNode"));
      dependencies = &join;
      num_dependencies = 1;
    }
    // Space first, because `dependencies` points into the array.
    if (!piece->nodes.Resize(end)) return gpu::OutOfHostMemory("a recording");
    if (join == nullptr) dependencies = piece->nodes.data() + before;
    for (size_t i = begin; i < end; ++i) {
      HY_RETURN_IF_ERROR(AddNode(plan_.commands()[i % count], bindings, dependencies,
                                 num_dependencies, piece->graph, &piece->nodes[i]));
    }
  }
  return ToStatus(*api_, api_->cuGraphInstantiate(&piece->executable, piece->graph, 0),
                  "cuGraphInstantiate");
}

Status CudaRecording::AddNode(const Command& command, const Binding* bindings,
                              const CUgraphNode* dependencies, size_t num_dependencies,
                              CUgraph graph, CUgraphNode* node) {
  CUresult result;
  if (RoutineOf(command) != nullptr) {
    CUgraph child = nullptr;
    HY_RETURN_IF_ERROR(CaptureRoutine(command, bindings, &child));
    // The node gets a copy.
    result = api_->cuGraphAddChildGraphNode(node, graph, dependencies, num_dependencies, child);
  } else {
    NodeParameters parameters;
    Fill(command, bindings, &parameters);
    result = command.kernel != nullptr
                 ? api_->cuGraphAddKernelNode(node, graph, dependencies, num_dependencies,
                                              &parameters.kernel)
                 : api_->cuGraphAddMemcpyNode(node, graph, dependencies, num_dependencies,
                                              &parameters.copy, context_);
  }
  if (result == CUDA_SUCCESS) return Status();
  const Status status = ToStatus(*api_, result, "adding to a CUDA graph");
  return MakeStatus(status.code(), "%s: %s", command.label, status.message());
}

void CudaRecording::Fill(const Command& command, const Binding* bindings,
                         NodeParameters* parameters) {
  const PlannedSlice* slices = plan_.slices().data() + command.first_slice;
  if (command.kernel == nullptr) {
    CUDA_MEMCPY3D& copy = parameters->copy;
    memset(&copy, 0, sizeof(copy));
    copy.srcMemoryType = MemoryTypeOf(slices[0], bindings);
    copy.dstMemoryType = MemoryTypeOf(slices[1], bindings);
    copy.srcDevice = AddressOf(slices[0], bindings);
    copy.dstDevice = AddressOf(slices[1], bindings);
    copy.srcHost = reinterpret_cast<const void*>(copy.srcDevice);
    copy.dstHost = reinterpret_cast<void*>(copy.dstDevice);
    copy.WidthInBytes = slices[0].bytes;
    copy.Height = 1;
    copy.Depth = 1;
    return;
  }
  const CudaKernel& kernel = *static_cast<const CudaKernel*>(command.kernel);
  const gpu::PlannedLaunch& launch = kernel.plan.launches[command.launch];
  uint32_t slice = 0;
  for (uint32_t a = 0; a < launch.num_arguments; ++a) {
    const LaunchArgument& argument = kernel.plan.arguments[launch.first_argument + a];
    // Scalars are little-endian: their bytes come first.
    parameters->values[a] = argument.kind == LaunchArgument::Kind::kScalar
                                ? argument.scalar_bits
                                : AddressOf(slices[slice++], bindings);
    parameters->pointers[a] = &parameters->values[a];
  }
  CUDA_KERNEL_NODE_PARAMS& node = parameters->kernel;
  memset(&node, 0, sizeof(node));
  node.func = kernel.functions[command.launch];
  node.gridDimX = launch.grid[0];
  node.gridDimY = launch.grid[1];
  node.gridDimZ = launch.grid[2];
  node.blockDimX = launch.block[0];
  node.blockDimY = launch.block[1];
  node.blockDimZ = launch.block[2];
  node.sharedMemBytes = launch.shared_bytes;
  node.kernelParams = parameters->pointers;
}

Status CudaRecording::Launch(CUstream stream) {
  if (plan_.commands().empty() || plan_.repeat() == 0) return Status();
  const uint32_t times = plan_.repeat() / pieces_[0].rounds;
  for (uint32_t i = 0; i < times; ++i) {
    HY_RETURN_IF_ERROR(
        ToStatus(*api_, api_->cuGraphLaunch(pieces_[0].executable, stream), "cuGraphLaunch"));
  }
  if (pieces_[1].rounds == 0) return Status();
  return ToStatus(*api_, api_->cuGraphLaunch(pieces_[1].executable, stream), "cuGraphLaunch");
}

}  // namespace halyard::runtime::cuda
