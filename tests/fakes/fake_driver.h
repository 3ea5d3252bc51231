// The state that the source files of the fake driver share.
#ifndef HALYARD_TESTS_FAKES_FAKE_DRIVER_H_
#define HALYARD_TESTS_FAKES_FAKE_DRIVER_H_

#include <cuda.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/fake_libcuda.h"
#include "tests/fakes/ptx/memory.h"
#include "tests/fakes/ptx/module.h"

struct CUctx_st {
  int device = 0;
  int retained = 0;
  CUresult sticky = CUDA_SUCCESS;
};
struct CUmod_st {
  CUcontext context = nullptr;
  bool is_text = false;
  std::string text;                                     // PTX; empty for cubins
  std::string target;                                   // ".target" of the text
  std::map<std::string, std::vector<int>> entries;      // name → bytes of each parameter
  std::unique_ptr<halyard::testing::ptx::Module> code;  // what the interpreter runs
};
struct CUfunc_st {
  CUmodule module = nullptr;
  std::string entry;
  int shared_limit = 48 << 10;
};
struct CUgraphNode_st {
  enum class Kind { kKernel, kCopy, kEvent, kHost, kEmpty, kChild } kind = Kind::kKernel;
  CUDA_MEMCPY3D copy = {};
  halyard::testing::FakeLaunch launch;
  CUevent event = nullptr;
  CUhostFn host = nullptr;
  void* host_data = nullptr;
  std::vector<CUgraphNode_st> child;
  std::vector<size_t> before;  // indices of the nodes of the same graph on which it depends
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};
struct CUgraphExec_st {
  std::map<CUgraphNode, CUgraphNode_st> nodes;  // copies, replaced by SetParams
  std::vector<CUgraphNode> order;
};

namespace halyard::testing::fake_driver {

// These outlive their handles, because work in flight may still name them.
struct StreamState {
  std::deque<std::function<void()>> work;
  CUgraph capture = nullptr;
  bool blocked = false;  // whether its work waits for something that does not come
};
struct EventState {
  bool timing = false;
  uint64_t recorded = 0, reached = 0;  // how often the event was
  int64_t time_ns = 0;                 // on the device's clock
  std::shared_ptr<StreamState> stream;
};

struct Driver {
  std::recursive_mutex mutex;
  FakeCuda fake;
  bool initialized = false;
  bool push_failed = false;
  std::map<int, std::unique_ptr<CUctx_st>> contexts;  // by device
  struct Memory {
    uint64_t bytes = 0;
    CUcontext context = nullptr;
    bool of_pool = false;
  };
  std::map<uint64_t, Memory> device_memory, host_memory;  // by address
  std::map<const void*, CUcontext> live;  // streams, events, modules, graphs, executables, pools
  std::vector<std::unique_ptr<CUfunc_st>> functions;
};

Driver& D();
CUcontext Current();  // Returns null if there is none.
void Violation(const std::string& text);
// Checks what holds for every call, and injects errors.
CUresult Enter(const char* name, bool needs_context);
// Returns whether `handle` is live and belongs to the current context.
bool Live(const void* handle, const char* what);
void AddLive(const void* handle);
bool IsDevice(uint64_t address, uint64_t bytes);
bool IsDeviceOf(CUcontext context, uint64_t address, uint64_t bytes);
bool IsHost(uint64_t address, uint64_t bytes);
void RunOne(StreamState* stream);
void RunAll(StreamState* stream);
void Reach(EventState* event, uint64_t record);
// If `accessed` is not null, it receives what the node's kernels and copies accessed.
void RunNode(const CUgraphNode_st& node, halyard::testing::ptx::Footprint* accessed = nullptr);
// Runs a whole graph, and checks that its edges order everything that must be ordered.
void RunNodes(const std::vector<CUgraphNode_st>& nodes,
              halyard::testing::ptx::Footprint* accessed = nullptr);
// Puts work on a stream, or adds a node to the graph to which the stream is being captured.
void Enqueue(CUstream stream, CUgraphNode_st node);
// Drops all work, because nothing runs any more in a broken context.
void DropWork();

}  // namespace halyard::testing::fake_driver

struct CUstream_st {
  std::shared_ptr<halyard::testing::fake_driver::StreamState> state;
};
struct CUevent_st {
  std::shared_ptr<halyard::testing::fake_driver::EventState> state;
};

#define FAKE_LOCK() \
  std::lock_guard<std::recursive_mutex> lock(halyard::testing::fake_driver::D().mutex)
#define ENTER(name, needs_context)                                                         \
  FAKE_LOCK();                                                                             \
  if (const CUresult entered = halyard::testing::fake_driver::Enter(#name, needs_context)) \
  return entered
// A call that returns a value does so even if it reports an error: the error is then one of an
// earlier call.
#define ENTER_RELEASE(name)                                                   \
  FAKE_LOCK();                                                                \
  const CUresult entered = halyard::testing::fake_driver::Enter(#name, true); \
  if (entered == CUDA_ERROR_NOT_INITIALIZED || entered == CUDA_ERROR_INVALID_CONTEXT) return entered

#endif  // HALYARD_TESTS_FAKES_FAKE_DRIVER_H_
