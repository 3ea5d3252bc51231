#include "tests/fakes/fake_libcuda.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>

using halyard::testing::FakeCuda;
using halyard::testing::FakeLaunch;

struct CUmod_st {
  std::map<std::string, int> parameters;  // entry → parameters; empty for cubins: anything goes
  bool is_text = false;
};
struct CUfunc_st {
  CUmodule module = nullptr;
  std::string entry;
  int shared_limit = 48 << 10;
};
struct CUgraphNode_st {
  bool is_copy = false;
  CUDA_MEMCPY3D copy = {};
  CUfunction function = nullptr;
  FakeLaunch launch;
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};
struct CUgraphExec_st {
  std::map<CUgraphNode, CUgraphNode_st> nodes;  // copies, replaced by SetParams
  std::vector<CUgraphNode> order;
};
struct CUevent_st {
  bool reached = true;
  CUstream stream = nullptr;
};
struct CUstream_st {
  std::deque<std::function<void()>> work;
};

namespace {

struct Driver {
  std::recursive_mutex mutex;
  FakeCuda fake;
  bool initialized = false;
  CUresult sticky = CUDA_SUCCESS;
  int retained = 0;
  std::map<uint64_t, uint64_t> device_memory, host_memory;  // address → bytes
  std::set<const void*> live;  // streams, events, modules, graphs, executables
  std::vector<std::unique_ptr<CUfunc_st>> functions;
};

Driver& D() {
  static Driver* driver = new Driver;
  return *driver;
}
thread_local std::vector<CUcontext> context_stack;
CUcontext const kContext = reinterpret_cast<CUcontext>(0x1000);

void Violation(const std::string& text) { D().fake.violations.push_back(text); }

bool IsSticky(CUresult code) {
  return code == CUDA_ERROR_ILLEGAL_ADDRESS || code == CUDA_ERROR_LAUNCH_FAILED ||
         code == CUDA_ERROR_LAUNCH_TIMEOUT || code == CUDA_ERROR_MISALIGNED_ADDRESS;
}

// Checks what holds for every call, and injects errors.
CUresult Enter(const char* name, bool needs_context) {
  Driver& d = D();
  d.fake.calls.push_back(name);
  if (!d.initialized && std::strcmp(name, "cuInit") != 0) {
    Violation(std::string(name) + " before cuInit");
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  if (needs_context && context_stack.empty()) {
    Violation(std::string(name) + " without a context");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (d.fake.fail_function == name && d.fake.fail_code != CUDA_SUCCESS && d.fake.fail_skip-- == 0) {
    const CUresult code = std::exchange(d.fake.fail_code, CUDA_SUCCESS);
    if (IsSticky(code)) d.sticky = code;
    return code;
  }
  return needs_context ? d.sticky : CUDA_SUCCESS;
}

#define ENTER(name, needs_context)                       \
  std::lock_guard<std::recursive_mutex> lock(D().mutex); \
  if (const CUresult entered = Enter(#name, needs_context)) return entered

bool Live(const void* handle, const char* what) {
  if (D().live.count(handle) != 0) return true;
  Violation(std::string("use of a dead ") + what);
  return false;
}

bool Inside(const std::map<uint64_t, uint64_t>& memory, uint64_t address, uint64_t bytes) {
  auto it = memory.upper_bound(address);
  if (it == memory.begin()) return false;
  --it;
  return address >= it->first && address + bytes <= it->first + it->second;
}

bool IsDevice(uint64_t address, uint64_t bytes) {
  return Inside(D().device_memory, address, bytes) || Inside(D().host_memory, address, bytes);
}

void RunCopy(const CUDA_MEMCPY3D& copy) {
  if (!IsDevice(copy.srcDevice, copy.WidthInBytes) ||
      !IsDevice(copy.dstDevice, copy.WidthInBytes)) {
    Violation("a graph copies outside its buffers");
    return;
  }
  const bool host_source = Inside(D().host_memory, copy.srcDevice, copy.WidthInBytes);
  if (host_source != (copy.srcMemoryType == CU_MEMORYTYPE_HOST)) Violation("wrong memory type");
  std::memcpy(reinterpret_cast<void*>(copy.dstDevice),
              reinterpret_cast<const void*>(copy.srcDevice), copy.WidthInBytes);
}

void RunNode(const CUgraphNode_st& node) {
  if (node.is_copy) {
    RunCopy(node.copy);
    return;
  }
  if (!Live(node.function->module, "module")) return;
  D().fake.launches.push_back(node.launch);
  if (D().fake.kernel != nullptr) D().fake.kernel(node.launch);
}

void RunUntil(CUstream stream, const std::function<bool()>& done) {
  while (!done() && !stream->work.empty()) {
    auto work = std::move(stream->work.front());
    stream->work.pop_front();
    work();
  }
}

// Entries and parameter counts of PTX text.
void ParseModule(const char* text, CUmod_st* module) {
  module->is_text = std::memcmp(text, "\177ELF", 4) != 0;
  if (!module->is_text) return;
  std::istringstream lines(text);
  std::string line, entry;
  while (std::getline(lines, line)) {
    const size_t at = line.find(".entry ");
    if (at != std::string::npos) {
      entry = line.substr(at + 7, line.find('(', at) - at - 7);
      module->parameters[entry] = 0;
    } else if (!entry.empty() && line.find("\t.param ") == 0) {
      ++module->parameters[entry];
    }
  }
}

CUresult FillNode(const CUDA_KERNEL_NODE_PARAMS* params, CUgraphNode_st* node) {
  if (!Live(params->func->module, "module")) return CUDA_ERROR_INVALID_HANDLE;
  node->function = params->func;
  FakeLaunch& launch = node->launch;
  launch.entry = params->func->entry;
  const unsigned grid[3] = {params->gridDimX, params->gridDimY, params->gridDimZ};
  const unsigned block[3] = {params->blockDimX, params->blockDimY, params->blockDimZ};
  std::memcpy(launch.grid, grid, sizeof(grid));
  std::memcpy(launch.block, block, sizeof(block));
  launch.shared_bytes = params->sharedMemBytes;
  if (static_cast<int>(params->sharedMemBytes) > params->func->shared_limit) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  launch.arguments.clear();
  const auto known = params->func->module->parameters.find(launch.entry);
  const int count = known == params->func->module->parameters.end() ? 0 : known->second;
  for (int i = 0; i < count; ++i) {
    void* value = nullptr;
    std::memcpy(&value, params->kernelParams[i], sizeof(value));
    launch.arguments.push_back(value);
  }
  return CUDA_SUCCESS;
}

}  // namespace

FakeCuda* HalyardFakeCuda() { return &D().fake; }

void HalyardResetFakeCuda() {
  Driver& d = D();
  d.fake = FakeCuda();
  d.initialized = false;
  d.sticky = CUDA_SUCCESS;
}

CUresult cuInit(unsigned) {
  ENTER(cuInit, false);
  D().initialized = true;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  *version = D().fake.driver_version;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** text) {
  *text = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "what the driver says";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  ENTER(cuDeviceGetCount, false);
  *count = D().fake.devices;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int index) {
  ENTER(cuDeviceGet, false);
  *device = index;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  ENTER(cuDeviceGetName, false);
  std::strncpy(name, "a fake GPU", static_cast<size_t>(size));
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) {
  ENTER(cuDeviceTotalMem_v2, false);
  *bytes = D().fake.memory_bytes;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  ENTER(cuDeviceGetAttribute, false);
  static const std::map<CUdevice_attribute, int> kValues = {
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 50 << 20},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 << 10},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
  };
  const FakeCuda& fake = D().fake;
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) {
    *value = fake.capability / 10;
  } else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) {
    *value = fake.capability % 10;
  } else if (attribute == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) {
    *value = fake.memory_pools;
  } else if (kValues.count(attribute) != 0) {
    *value = kValues.at(attribute);
  } else {
    Violation("an attribute that the fake does not know");
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  ENTER(cuDevicePrimaryCtxRetain, false);
  *context = kContext;
  ++D().retained;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  ENTER(cuDevicePrimaryCtxRelease_v2, false);
  Driver& d = D();
  if (--d.retained > 0) return CUDA_SUCCESS;
  if (d.retained < 0) Violation("the context is released too often");
  if (!d.device_memory.empty() || !d.host_memory.empty()) Violation("memory is leaked");
  if (!d.live.empty()) Violation("streams, events, modules or graphs are leaked");
  if (!context_stack.empty()) Violation("a context stays current");
  for (const auto& [address, bytes] : d.device_memory) std::free(reinterpret_cast<void*>(address));
  for (const auto& [address, bytes] : d.host_memory) std::free(reinterpret_cast<void*>(address));
  d.device_memory.clear();
  d.host_memory.clear();
  d.live.clear();
  d.functions.clear();
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ENTER(cuCtxPushCurrent_v2, false);
  context_stack.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  ENTER(cuCtxPopCurrent_v2, false);
  if (context_stack.empty()) {
    Violation("no context to pop");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  *context = context_stack.back();
  context_stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* stream, unsigned) {
  ENTER(cuStreamCreate, true);
  *stream = new CUstream_st;
  D().live.insert(*stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
  ENTER(cuStreamSynchronize, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  RunUntil(stream, [] { return false; });
  return D().sticky;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  ENTER(cuStreamDestroy_v2, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  if (!stream->work.empty()) Violation("a stream is destroyed with work on it");
  D().live.erase(stream);
  delete stream;
  return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  ENTER(cuEventCreate, true);
  *event = new CUevent_st;
  D().live.insert(*event);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  ENTER(cuEventDestroy_v2, true);
  if (!Live(event, "event")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(event);
  delete event;
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  ENTER(cuEventRecord, true);
  if (!Live(event, "event") || !Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  event->reached = false;
  event->stream = stream;
  stream->work.push_back([event] { event->reached = true; });
  return CUDA_SUCCESS;
}
CUresult cuEventQuery(CUevent event) {
  ENTER(cuEventQuery, true);
  if (!Live(event, "event")) return CUDA_ERROR_INVALID_HANDLE;
  if (event->reached) return CUDA_SUCCESS;
  bool once = false;
  RunUntil(event->stream, [&once] { return std::exchange(once, true); });
  return CUDA_ERROR_NOT_READY;
}
CUresult cuEventSynchronize(CUevent event) {
  ENTER(cuEventSynchronize, true);
  if (!Live(event, "event")) return CUDA_ERROR_INVALID_HANDLE;
  if (!event->reached) RunUntil(event->stream, [event] { return event->reached; });
  return D().sticky;
}

namespace {

CUresult AllocateMemory(CUdeviceptr* address, size_t bytes) {
  Driver& d = D();
  uint64_t used = 0;
  for (const auto& [begin, size] : d.device_memory) used += size;
  if (used + bytes > d.fake.memory_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(512, (bytes + 511) / 512 * 512));
  std::memset(reinterpret_cast<void*>(*address), 0xcd, bytes);
  d.device_memory[*address] = bytes;
  return CUDA_SUCCESS;
}

CUresult FreeMemory(std::map<uint64_t, uint64_t>* memory, uint64_t address) {
  if (memory->erase(address) == 0) {
    Violation("memory that is not allocated is freed");
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::free(reinterpret_cast<void*>(address));
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  ENTER(cuMemAlloc_v2, true);
  if (D().fake.memory_pools) Violation("cuMemAlloc where there are pools");
  return AllocateMemory(address, bytes);
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  ENTER(cuMemFree_v2, true);
  return FreeMemory(&D().device_memory, address);
}
CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  ENTER(cuMemAllocAsync, true);
  if (!D().fake.memory_pools || !Live(stream, "stream")) return CUDA_ERROR_NOT_SUPPORTED;
  return AllocateMemory(address, bytes);
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  ENTER(cuMemFreeAsync, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  return FreeMemory(&D().device_memory, address);
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice) {
  ENTER(cuDeviceGetDefaultMemPool, false);
  *pool = reinterpret_cast<CUmemoryPool>(0x2000);
  return CUDA_SUCCESS;
}
CUresult cuMemPoolSetAttribute(CUmemoryPool, CUmemPool_attribute, void*) {
  ENTER(cuMemPoolSetAttribute, false);
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void** host, size_t bytes, unsigned) {
  ENTER(cuMemHostAlloc, true);
  *host = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  D().host_memory[reinterpret_cast<uint64_t>(*host)] = bytes;
  return CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* host, unsigned) {
  ENTER(cuMemHostGetDevicePointer_v2, true);
  *address = reinterpret_cast<CUdeviceptr>(host);
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void* host) {
  ENTER(cuMemFreeHost, true);
  return FreeMemory(&D().host_memory, reinterpret_cast<uint64_t>(host));
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  ENTER(cuMemcpyHtoDAsync_v2, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  stream->work.push_back([=] {
    if (!IsDevice(to, bytes))
      return Violation("an upload leaves its buffer, or comes after its end");
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  });
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ENTER(cuMemcpyDtoHAsync_v2, true);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  stream->work.push_back([=] {
    if (!IsDevice(from, bytes))
      return Violation("a download leaves its buffer, or comes after its end");
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  });
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned num_options,
                            CUjit_option* options, void** values) {
  ENTER(cuModuleLoadDataEx, true);
  auto* loaded = new CUmod_st;
  ParseModule(static_cast<const char*>(image), loaded);
  if (loaded->is_text && loaded->parameters.empty()) {
    delete loaded;
    for (unsigned i = 0; i < num_options; ++i) {
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
        std::strcpy(static_cast<char*>(values[i]), "no entry");
    }
    return CUDA_ERROR_INVALID_PTX;
  }
  D().live.insert(loaded);
  *module = loaded;
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  ENTER(cuModuleUnload, true);
  if (!Live(module, "module")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(module);
  delete module;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  ENTER(cuModuleGetFunction, true);
  if (!Live(module, "module")) return CUDA_ERROR_INVALID_HANDLE;
  if (module->is_text && module->parameters.count(name) == 0) return CUDA_ERROR_NOT_FOUND;
  D().functions.push_back(std::make_unique<CUfunc_st>());
  *function = D().functions.back().get();
  (*function)->module = module;
  (*function)->entry = name;
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction) {
  ENTER(cuFuncGetAttribute, true);
  *value = D().fake.max_threads_per_function;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  ENTER(cuFuncSetAttribute, true);
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) function->shared_limit = value;
  return CUDA_SUCCESS;
}

CUresult cuGraphCreate(CUgraph* graph, unsigned) {
  ENTER(cuGraphCreate, true);
  *graph = new CUgraph_st;
  D().live.insert(*graph);
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  ENTER(cuGraphDestroy, true);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(graph);
  delete graph;
  return CUDA_SUCCESS;
}

namespace {

// Nodes may only depend on nodes of the same graph.
void NoteDependencies(CUgraph graph, const CUgraphNode* dependencies, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    bool found = false;
    for (const auto& node : graph->nodes) found |= node.get() == dependencies[i];
    if (!found) Violation("a node depends on one that is not in its graph");
  }
  D().fake.node_dependencies.push_back(static_cast<int>(count));
}

}  // namespace

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS* params) {
  ENTER(cuGraphAddKernelNode_v2, true);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  NoteDependencies(graph, dependencies, count);
  auto added = std::make_unique<CUgraphNode_st>();
  if (const CUresult filled = FillNode(params, added.get())) return filled;
  *node = added.get();
  graph->nodes.push_back(std::move(added));
  return CUDA_SUCCESS;
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMCPY3D* copy, CUcontext) {
  ENTER(cuGraphAddMemcpyNode, true);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  NoteDependencies(graph, dependencies, count);
  auto added = std::make_unique<CUgraphNode_st>();
  added->is_copy = true;
  added->copy = *copy;
  *node = added.get();
  graph->nodes.push_back(std::move(added));
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  ENTER(cuGraphInstantiateWithFlags, true);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  *executable = new CUgraphExec_st;
  for (const auto& node : graph->nodes) {
    (*executable)->nodes[node.get()] = *node;
    (*executable)->order.push_back(node.get());
  }
  D().live.insert(*executable);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  ENTER(cuGraphExecDestroy, true);
  if (!Live(executable, "executable graph")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(executable);
  delete executable;
  return CUDA_SUCCESS;
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* params) {
  ENTER(cuGraphExecKernelNodeSetParams_v2, true);
  if (!Live(executable, "executable graph")) return CUDA_ERROR_INVALID_HANDLE;
  if (executable->nodes.count(node) == 0) return CUDA_ERROR_INVALID_VALUE;
  return FillNode(params, &executable->nodes[node]);
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D* copy, CUcontext) {
  ENTER(cuGraphExecMemcpyNodeSetParams, true);
  if (!Live(executable, "executable graph")) return CUDA_ERROR_INVALID_HANDLE;
  if (executable->nodes.count(node) == 0) return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D& old = executable->nodes[node].copy;
  // As the real driver has it.
  if (old.srcMemoryType != copy->srcMemoryType || old.dstMemoryType != copy->dstMemoryType) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  old = *copy;
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  ENTER(cuGraphLaunch, true);
  if (!Live(executable, "executable graph") || !Live(stream, "stream")) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  // The parameters count as they are now: later changes are for later launches.
  std::vector<CUgraphNode_st> nodes;
  for (CUgraphNode node : executable->order) nodes.push_back(executable->nodes[node]);
  stream->work.push_back([nodes] {
    for (const CUgraphNode_st& node : nodes) RunNode(node);
  });
  return CUDA_SUCCESS;
}
