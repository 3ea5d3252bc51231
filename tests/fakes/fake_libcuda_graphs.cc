// The fake driver: modules, functions, graphs.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "tests/fakes/fake_driver.h"
#include "tests/fakes/fake_interpret.h"

using halyard::testing::FakeLaunch;
namespace ptx = halyard::testing::ptx;
using namespace halyard::testing::fake_driver;  // NOLINT: one library in several files

namespace halyard::testing::fake_driver {
namespace {

void RunCopy(const CUDA_MEMCPY3D& copy) {
  if (!IsDevice(copy.srcDevice, copy.WidthInBytes) ||
      !IsDevice(copy.dstDevice, copy.WidthInBytes)) {
    Violation("a graph copies outside its buffers");
    return;
  }
  const bool host_source = IsHost(copy.srcDevice, copy.WidthInBytes);
  if (host_source != (copy.srcMemoryType == CU_MEMORYTYPE_HOST)) Violation("wrong memory type");
  std::memcpy(reinterpret_cast<void*>(copy.dstDevice),
              reinterpret_cast<const void*>(copy.srcDevice), copy.WidthInBytes);
}

void RunKernel(const FakeLaunch& launch, ptx::Footprint* accessed) {
  if (D().live.count(launch.module) == 0) {
    Violation("use of a dead module");
    return;
  }
  D().fake.launches.push_back(launch);
  if (D().fake.kernel != nullptr) return D().fake.kernel(launch);
  if (D().fake.interpret) Interpret(launch, accessed);
}

}  // namespace

void RunNodes(const std::vector<CUgraphNode_st>& nodes, ptx::Footprint* accessed) {
  const bool check = D().fake.interpret && D().fake.check_races;
  std::vector<ptx::Footprint> footprints(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    RunNode(nodes[i], check ? &footprints[i] : nullptr);
    // The context is broken, so nothing else runs.
    if (Current() != nullptr && Current()->sticky != CUDA_SUCCESS) return;
  }
  if (!check) return;
  CheckOrder(nodes, footprints);
  if (accessed == nullptr) return;
  for (const ptx::Footprint& footprint : footprints) ptx::AddTo(footprint, accessed);
}

void RunNode(const CUgraphNode_st& node, ptx::Footprint* accessed) {
  switch (node.kind) {
    case CUgraphNode_st::Kind::kKernel:
      return RunKernel(node.launch, accessed);
    case CUgraphNode_st::Kind::kCopy:
      if (accessed != nullptr) {
        const uint64_t from = node.copy.srcDevice, to = node.copy.dstDevice;
        accessed->reads = {{from, from + node.copy.WidthInBytes}};
        accessed->writes = {{to, to + node.copy.WidthInBytes}};
      }
      return RunCopy(node.copy);
    case CUgraphNode_st::Kind::kEvent:
      if (D().live.count(node.event) == 0) return Violation("use of a dead event");
      return Reach(node.event->state.get(), ++node.event->state->recorded);
    case CUgraphNode_st::Kind::kHost:
      return node.host(node.host_data);
    case CUgraphNode_st::Kind::kEmpty:
      return;
    case CUgraphNode_st::Kind::kChild:
      return RunNodes(node.child, accessed);
  }
}

}  // namespace halyard::testing::fake_driver

namespace {

// Returns the size of a parameter in bytes, from its declaration: ".param .u64 name" or ".param
// .align 8 .b8 name[16]".
int ParameterBytes(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  int bytes = 0;
  while (words >> word) {
    if (word.size() > 2 && word[0] == '.' && std::strchr("usfb", word[1]) != nullptr) {
      bytes = std::atoi(word.c_str() + 2) / 8;
    }
    const size_t bracket = word.find('[');
    if (bracket != std::string::npos) bytes *= std::atoi(word.c_str() + bracket + 1);
  }
  return bytes;
}

// Finds the entries of PTX text and their parameters.
void ParseModule(const char* text, CUmod_st* module) {
  module->is_text = std::memcmp(text, "\177ELF", 4) != 0;
  if (!module->is_text) return;
  module->text = text;
  std::istringstream lines(module->text);
  std::string line, entry;
  while (std::getline(lines, line)) {
    if (line.find(".target ") == 0) {
      std::istringstream(line.substr(8, line.find(',') - 8)) >> module->target;
    }
    const size_t at = line.find(".entry ");
    if (at != std::string::npos) {
      entry = line.substr(at + 7, line.find('(', at) - at - 7);
      module->entries[entry].clear();
    } else if (!entry.empty() && line.find("\t.param ") == 0) {
      module->entries[entry].push_back(ParameterBytes(line));
    }
    if (line.find('{') != std::string::npos) entry.clear();
  }
}

// Returns "", or why the device cannot run the text. Code for "sm_90a" runs on devices of
// capability 9.0 only, not on later ones.
std::string WrongTarget(const std::string& target) {
  const std::string device = "sm_" + std::to_string(D().fake.capability);
  if (target.empty() || target.back() != 'a' || target == device + "a") return "";
  return "PTX with .target " + target + " does not run on " + device;
}

CUresult FillNode(const CUDA_KERNEL_NODE_PARAMS* params, CUgraphNode_st* node) {
  if (!Live(params->func->module, "module")) return CUDA_ERROR_INVALID_HANDLE;
  FakeLaunch& launch = node->launch;
  launch.function = params->func;
  launch.module = params->func->module;
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
  launch.parameters.clear();
  const auto known = params->func->module->entries.find(launch.entry);
  if (known == params->func->module->entries.end()) return CUDA_SUCCESS;
  for (size_t i = 0; i < known->second.size(); ++i) {
    const auto* bytes = static_cast<const uint8_t*>(params->kernelParams[i]);
    launch.parameters.emplace_back(bytes, bytes + known->second[i]);
    void* value = nullptr;
    std::memcpy(&value, bytes, std::min<size_t>(sizeof(value), launch.parameters.back().size()));
    launch.arguments.push_back(value);
  }
  return CUDA_SUCCESS;
}

// Records the dependencies of a node. They must be nodes of the same graph.
void NoteDependencies(CUgraph graph, const CUgraphNode* dependencies, size_t count,
                      std::vector<size_t>* before) {
  for (size_t i = 0; i < count; ++i) {
    const size_t known = before->size();
    for (size_t n = 0; n < graph->nodes.size(); ++n) {
      if (graph->nodes[n].get() == dependencies[i]) before->push_back(n);
    }
    if (before->size() == known) Violation("a node depends on one that is not in its graph");
  }
  D().fake.node_dependencies.push_back(static_cast<int>(count));
}

CUresult AddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                 CUgraphNode_st made) {
  NoteDependencies(graph, dependencies, count, &made.before);
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(std::move(made)));
  *node = graph->nodes.back().get();
  return CUDA_SUCCESS;
}

void CopyNodes(CUgraph graph, std::vector<CUgraphNode_st>* nodes) {
  nodes->clear();
  for (const auto& node : graph->nodes) nodes->push_back(*node);
}

}  // namespace

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned num_options,
                            CUjit_option* options, void** values) {
  ENTER(cuModuleLoadDataEx, true);
  D().fake.jit_options.assign(options, options + num_options);
  auto loaded = std::make_unique<CUmod_st>();
  ParseModule(static_cast<const char*>(image), loaded.get());
  char* log = nullptr;
  size_t log_bytes = 0;
  for (unsigned i = 0; i < num_options; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) log = static_cast<char*>(values[i]);
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
      log_bytes = reinterpret_cast<size_t>(values[i]);
    }
  }
  std::string wrong = WrongTarget(loaded->target);
  if (loaded->is_text && loaded->entries.empty()) wrong = "no entry";
  if (!wrong.empty()) {
    if (log != nullptr && log_bytes > 0) std::snprintf(log, log_bytes, "%s", wrong.c_str());
    return CUDA_ERROR_INVALID_PTX;
  }
  if (D().fake.interpret) {
    if (const CUresult decoded = Decode(loaded.get(), log, log_bytes)) return decoded;
  }
  *module = loaded.release();
  (*module)->context = Current();
  AddLive(*module);
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  ENTER_RELEASE(cuModuleUnload);
  if (!Live(module, "module")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(module);
  auto& functions = D().functions;
  std::erase_if(functions, [module](const auto& known) { return known->module == module; });
  delete module;
  return entered;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  ENTER(cuModuleGetFunction, true);
  if (!Live(module, "module")) return CUDA_ERROR_INVALID_HANDLE;
  if (module->is_text && module->entries.count(name) == 0) return CUDA_ERROR_NOT_FOUND;
  for (const auto& known : D().functions) {
    if (known->module != module || known->entry != name) continue;
    *function = known.get();
    return CUDA_SUCCESS;
  }
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
  AddLive(*graph);
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  ENTER_RELEASE(cuGraphDestroy);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(graph);
  delete graph;
  return entered;
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS* params) {
  ENTER(cuGraphAddKernelNode_v2, true);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  CUgraphNode_st added;
  if (const CUresult filled = FillNode(params, &added)) return filled;
  return AddNode(node, graph, dependencies, count, std::move(added));
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMCPY3D* copy, CUcontext) {
  ENTER(cuGraphAddMemcpyNode, true);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  CUgraphNode_st added;
  added.kind = CUgraphNode_st::Kind::kCopy;
  added.copy = *copy;
  return AddNode(node, graph, dependencies, count, std::move(added));
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count, CUevent event) {
  ENTER(cuGraphAddEventRecordNode, true);
  if (!Live(graph, "graph") || !Live(event, "event")) return CUDA_ERROR_INVALID_HANDLE;
  CUgraphNode_st added;
  added.kind = CUgraphNode_st::Kind::kEvent;
  added.event = event;
  return AddNode(node, graph, dependencies, count, std::move(added));
}
CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
  ENTER(cuGraphAddEmptyNode, true);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  CUgraphNode_st added;
  added.kind = CUgraphNode_st::Kind::kEmpty;
  return AddNode(node, graph, dependencies, count, std::move(added));
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child) {
  ENTER(cuGraphAddChildGraphNode, true);
  if (!Live(graph, "graph") || !Live(child, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  CUgraphNode_st added;
  added.kind = CUgraphNode_st::Kind::kChild;
  CopyNodes(child, &added.child);
  return AddNode(node, graph, dependencies, count, std::move(added));
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  ENTER(cuGraphInstantiateWithFlags, true);
  if (!Live(graph, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  *executable = new CUgraphExec_st;
  for (const auto& node : graph->nodes) {
    (*executable)->nodes[node.get()] = *node;
    (*executable)->order.push_back(node.get());
  }
  AddLive(*executable);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  ENTER_RELEASE(cuGraphExecDestroy);
  if (!Live(executable, "executable graph")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(executable);
  delete executable;
  return entered;
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
  // The real driver refuses this, too.
  if (old.srcMemoryType != copy->srcMemoryType || old.dstMemoryType != copy->dstMemoryType) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  old = *copy;
  return CUDA_SUCCESS;
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  ENTER(cuGraphExecChildGraphNodeSetParams, true);
  if (!Live(executable, "executable graph") || !Live(child, "graph")) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  const auto found = executable->nodes.find(node);
  if (found == executable->nodes.end() || found->second.kind != CUgraphNode_st::Kind::kChild) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (found->second.child.size() != child->nodes.size()) {
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;  // the topology must be the same
  }
  CopyNodes(child, &found->second.child);
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  ENTER(cuGraphLaunch, true);
  if (!Live(executable, "executable graph") || !Live(stream, "stream")) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  // The launch uses the parameters as they are now. Later changes only affect later launches.
  std::vector<CUgraphNode_st> nodes;
  for (CUgraphNode node : executable->order) nodes.push_back(executable->nodes[node]);
  stream->state->work.push_back([nodes] { RunNodes(nodes); });
  return CUDA_SUCCESS;
}
