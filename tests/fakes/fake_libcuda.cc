// The fake driver: initialization, devices, contexts and memory.
#include "tests/fakes/fake_libcuda.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tests/fakes/fake_driver.h"

using halyard::testing::FakeCuda;
using namespace halyard::testing::fake_driver;  // NOLINT: one library in several files

namespace halyard::testing::fake_driver {

thread_local std::vector<CUcontext> context_stack;

Driver& D() {
  static Driver* driver = new Driver;
  return *driver;
}

CUcontext Current() { return context_stack.empty() ? nullptr : context_stack.back(); }

void Violation(const std::string& text) { D().fake.violations.push_back(text); }

namespace {

// Codes that break a context. The documentation of each says that the process must be ended.
bool IsSticky(CUresult code) {
  static constexpr int kCodes[] = {214, 220, 226, 700, 702, 709, 710, 714, 715,
                                   716, 717, 718, 719, 721, 810, 911, 999};
  return std::find(std::begin(kCodes), std::end(kCodes), static_cast<int>(code)) !=
         std::end(kCodes);
}

bool Inside(const std::map<uint64_t, Driver::Memory>& memory, uint64_t address, uint64_t bytes) {
  auto it = memory.upper_bound(address);
  if (it == memory.begin()) return false;
  --it;
  return address >= it->first && address + bytes <= it->first + it->second.bytes;
}

}  // namespace

CUresult Enter(const char* name, bool needs_context) {
  Driver& d = D();
  const int index = static_cast<int>(d.fake.calls.size());
  d.fake.calls.push_back(name);
  if (!d.initialized && std::strcmp(name, "cuInit") != 0) {
    Violation(std::string(name) + " before cuInit");
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  if (needs_context && Current() == nullptr) {
    Violation(std::string(name) + " without a context");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  const bool fails =
      d.fake.fail_code != CUDA_SUCCESS &&
      (d.fake.fail_index == index || (d.fake.fail_function == name && d.fake.fail_skip-- == 0));
  if (fails) {
    const CUresult code = std::exchange(d.fake.fail_code, CUDA_SUCCESS);
    if (IsSticky(code)) {
      for (auto& [device, context] : d.contexts) {
        if (Current() == nullptr || Current() == context.get()) context->sticky = code;
      }
      DropWork();
    }
    if (std::strcmp(name, "cuCtxPushCurrent_v2") == 0) d.push_failed = true;
    return code;
  }
  return needs_context ? Current()->sticky : CUDA_SUCCESS;
}

bool Live(const void* handle, const char* what) {
  const auto found = D().live.find(handle);
  if (found == D().live.end()) {
    Violation(std::string("use of a dead ") + what);
    return false;
  }
  if (found->second == Current()) return true;
  Violation(std::string("use of a ") + what + " of another context");
  return false;
}

void AddLive(const void* handle) { D().live[handle] = Current(); }

bool IsHost(uint64_t address, uint64_t bytes) { return Inside(D().host_memory, address, bytes); }
bool IsDeviceOf(CUcontext context, uint64_t address, uint64_t bytes) {
  auto it = D().device_memory.upper_bound(address);
  return it != D().device_memory.begin() && (--it)->second.context == context &&
         address + bytes <= it->first + it->second.bytes;
}
bool IsDevice(uint64_t address, uint64_t bytes) {
  return Inside(D().device_memory, address, bytes) || IsHost(address, bytes);
}

}  // namespace halyard::testing::fake_driver

FakeCuda* HalyardFakeCuda() { return &D().fake; }

void HalyardResetFakeCuda() {
  Driver& d = D();
  d.fake = FakeCuda();
  d.initialized = d.push_failed = false;
  for (auto& [device, context] : d.contexts) context->sticky = CUDA_SUCCESS;
}

void HalyardFakeLock(int locked) { locked != 0 ? D().mutex.lock() : D().mutex.unlock(); }

void HalyardFakePinOnly(const void* host, uint64_t bytes) {
  FAKE_LOCK();
  D().host_memory.at(reinterpret_cast<uint64_t>(host)).bytes = bytes;
}

int HalyardFakeOwnsMemory(CUcontext context, uint64_t address, uint64_t bytes) {
  FAKE_LOCK();
  const auto& memory = D().device_memory;
  auto it = memory.upper_bound(address);
  if (it == memory.begin()) return 0;
  --it;
  return it->second.context == context && address + bytes <= it->first + it->second.bytes;
}

CUresult cuInit(unsigned) {
  ENTER(cuInit, false);
  if (D().fake.devices == 0) return CUDA_ERROR_NO_DEVICE;
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
  if (index < 0 || index >= D().fake.devices) return CUDA_ERROR_INVALID_DEVICE;
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
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  ENTER(cuDeviceGetUuid, false);
  std::memset(uuid->bytes, 0, sizeof(uuid->bytes));
  uuid->bytes[0] = static_cast<char>(device + 1);
  return CUDA_SUCCESS;
}
CUresult cuDeviceCanAccessPeer(int* reaches, CUdevice device, CUdevice peer) {
  ENTER(cuDeviceCanAccessPeer, false);
  if (device == peer) return CUDA_ERROR_INVALID_DEVICE;
  *reaches = 1;
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
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 228 << 10},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 2619000},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 5120},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
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
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  ENTER(cuDevicePrimaryCtxRetain, false);
  std::unique_ptr<CUctx_st>& primary = D().contexts[device];
  if (primary == nullptr) primary = std::make_unique<CUctx_st>();
  primary->device = device;
  ++primary->retained;
  *context = primary.get();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  FAKE_LOCK();
  const CUresult entered = Enter("cuDevicePrimaryCtxRelease_v2", false);
  Driver& d = D();
  CUctx_st* context = d.contexts[device].get();
  if (context == nullptr || context->retained == 0) {
    Violation("the context is released too often");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (--context->retained > 0) return entered;
  if (Current() != nullptr) Violation("a context stays current");
  // If the context could not be made current, nobody could free what it holds, so that is no leak.
  const bool leaks_count = !d.push_failed;
  for (auto* memory : {&d.device_memory, &d.host_memory}) {
    for (auto it = memory->begin(); it != memory->end();) {
      if (it->second.context != context) {
        ++it;
        continue;
      }
      if (leaks_count) Violation("memory is leaked");
      std::free(reinterpret_cast<void*>(it->first));
      it = memory->erase(it);
    }
  }
  for (auto it = d.live.begin(); it != d.live.end();) {
    if (it->second == context && leaks_count) {
      Violation("a stream, event, module, graph or pool is leaked");
    }
    it = it->second == context ? d.live.erase(it) : std::next(it);
  }
  for (auto it = d.functions.begin(); it != d.functions.end();) {
    it = d.live.count((*it)->module) == 0 ? d.functions.erase(it) : std::next(it);
  }
  context->sticky = CUDA_SUCCESS;
  return entered;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ENTER(cuCtxPushCurrent_v2, false);
  if (context == nullptr || context->retained == 0) {
    Violation("a dead context is made current");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  context_stack.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  ENTER(cuCtxGetDevice, true);
  *device = Current()->device;
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  FAKE_LOCK();
  const CUresult entered = Enter("cuCtxPopCurrent_v2", false);
  if (context_stack.empty()) {
    Violation("no context to pop");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  *context = context_stack.back();
  context_stack.pop_back();
  return entered;
}

namespace {

CUresult AllocateMemory(CUdeviceptr* address, size_t bytes) {
  Driver& d = D();
  uint64_t used = 0;
  for (const auto& [begin, memory] : d.device_memory) {
    if (memory.context == Current()) used += memory.bytes;
  }
  if (used + bytes > d.fake.memory_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(512, (bytes + 511) / 512 * 512));
  std::memset(reinterpret_cast<void*>(*address), 0xcd, bytes);
  d.device_memory[*address] = {bytes, Current()};
  return CUDA_SUCCESS;
}

CUresult FreeMemory(std::map<uint64_t, Driver::Memory>* memory, uint64_t address) {
  const auto found = memory->find(address);
  if (found == memory->end()) {
    Violation("memory that is not allocated is freed");
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (found->second.context != Current()) Violation("memory of another context is freed");
  memory->erase(found);
  std::free(reinterpret_cast<void*>(address));
  return CUDA_SUCCESS;
}

CUresult FirstOf(CUresult entered, CUresult done) {
  return entered != CUDA_SUCCESS ? entered : done;
}

}  // namespace

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  ENTER(cuMemGetInfo_v2, true);
  uint64_t used = 0;
  for (const auto& [begin, memory] : D().device_memory) used += memory.bytes;
  *total = D().fake.memory_bytes;
  *free_bytes = *total - used;
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  ENTER(cuMemAlloc_v2, true);
  if (D().fake.memory_pools) Violation("cuMemAlloc where there are pools");
  return AllocateMemory(address, bytes);
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  ENTER_RELEASE(cuMemFree_v2);
  return FirstOf(entered, FreeMemory(&D().device_memory, address));
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  ENTER(cuMemAllocFromPoolAsync, true);
  if (!Live(stream, "stream") || !Live(pool, "pool")) return CUDA_ERROR_INVALID_HANDLE;
  const CUresult result = AllocateMemory(address, bytes);
  if (result == CUDA_SUCCESS) D().device_memory[*address].of_pool = true;
  return result;
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  ENTER_RELEASE(cuMemFreeAsync);
  if (!Live(stream, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  return FirstOf(entered, FreeMemory(&D().device_memory, address));
}
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  ENTER(cuMemPoolCreate, true);
  if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      properties->location.id != Current()->device) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *pool = reinterpret_cast<CUmemoryPool>(new char);
  AddLive(*pool);
  return CUDA_SUCCESS;
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  ENTER_RELEASE(cuMemPoolDestroy);
  if (!Live(pool, "pool")) return CUDA_ERROR_INVALID_HANDLE;
  D().live.erase(pool);
  delete reinterpret_cast<char*>(pool);
  return entered;
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  ENTER(cuMemPoolTrimTo, true);
  return Live(pool, "pool") ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute, void*) {
  ENTER(cuMemPoolSetAttribute, true);
  return Live(pool, "pool") ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* access, size_t count) {
  ENTER(cuMemPoolSetAccess, true);
  if (!Live(pool, "pool")) return CUDA_ERROR_INVALID_HANDLE;
  for (size_t i = 0; i < count; ++i) {
    if (access[i].location.id == Current()->device || access[i].location.id >= D().fake.devices)
      return CUDA_ERROR_INVALID_DEVICE;
  }
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void** host, size_t bytes, unsigned) {
  ENTER(cuMemHostAlloc, true);
  *host = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  D().host_memory[reinterpret_cast<uint64_t>(*host)] = {bytes, Current()};
  return CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* host, unsigned) {
  ENTER(cuMemHostGetDevicePointer_v2, true);
  *address = reinterpret_cast<CUdeviceptr>(host);
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void* host) {
  ENTER_RELEASE(cuMemFreeHost);
  return FirstOf(entered, FreeMemory(&D().host_memory, reinterpret_cast<uint64_t>(host)));
}
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  ENTER(cuPointerGetAttribute, true);
  // The real driver says the same for memory that it does not know.
  if (!IsDevice(address, 1)) return CUDA_ERROR_INVALID_VALUE;
  const bool host = IsHost(address, 1);
  const auto& all = host ? D().host_memory : D().device_memory;
  const auto& [begin, memory] = *std::prev(all.upper_bound(address));
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(value) = memory.of_pool ? nullptr : memory.context;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = memory.context->device;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr*>(value) = begin;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t*>(value) = memory.bytes;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}
// Memory that is not known is no error here: its attributes are 0.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr address) {
  ENTER(cuPointerGetAttributes, true);
  const bool host = IsHost(address, 1), known = IsDevice(address, 1);
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE) return CUDA_ERROR_INVALID_VALUE;
    *static_cast<unsigned*>(values[i]) = !known ? 0
                                         : host ? CU_MEMORYTYPE_HOST
                                                : CU_MEMORYTYPE_DEVICE;
  }
  return CUDA_SUCCESS;
}
