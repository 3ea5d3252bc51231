// The one backend abstraction: a Backend finds Devices; a Device has memory, loads kernels, and
// records and submits straight lines of steps (segments). x86, CUDA and Vulkan each implement it in
// one folder. No globals: everything hangs on a Device. Thread safety: every Device method may be
// called from several threads at once, but one Recording is used by one thread at a time.
#ifndef HALYARD_RUNTIME_BACKEND_H_
#define HALYARD_RUNTIME_BACKEND_H_

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <atomic>

#include "runtime/device_info.h"
#include "runtime/kernel_object.h"
#include "runtime/status.h"

namespace halyard::runtime {

enum class Space : uint8_t { kDevice = 0, kHost = 1 };

// A piece of memory. Freed by the Device that made it.
struct Block {
  Space space = Space::kDevice;
  uint64_t bytes = 0;           // as asked; the backend pads, see PaddedBlockBytes
  void* host = nullptr;         // CPU address when the CPU can reach it (x86: always), else null
  uint64_t device_address = 0;  // CUDA: CUdeviceptr; Vulkan: VkBuffer
  void* backend = nullptr;      // backend's own record
};

// What a block of `bytes` takes, on every backend: so plans know what will be allocated.
inline constexpr uint64_t kBlockPadding = 256;
constexpr uint64_t PaddedBlockBytes(uint64_t bytes) {
  return bytes == 0 ? kBlockPadding : (bytes + kBlockPadding - 1) / kBlockPadding * kBlockPadding;
}

// Where an allocation of the program lies in this run.
struct Binding {
  const Block* block = nullptr;
  uint64_t offset = 0;
};

class Kernel;     // loaded code, made and freed by a Device
class Recording;  // a segment made ready to run

// Slices name allocations by index; a run's Bindings say where these are.
struct SliceRef {
  uint32_t allocation = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};
struct SegmentStep {
  enum class Kind : uint8_t { kKernel, kCopy } kind = Kind::kKernel;
  Kernel* kernel = nullptr;  // kKernel
  const SliceRef* slices =
      nullptr;  // kernel arguments (inputs then outputs), or {source, destination}
  uint32_t num_slices = 0;
  uint32_t num_inputs = 0;
  SliceRef scratch;  // GPU kernels: their device scratch (bytes 0: none). x86: see Device::Record
  const char* label = "";
};
struct Segment {
  const SegmentStep* steps = nullptr;
  uint32_t num_steps = 0;
  uint32_t repeat = 1;  // the whole line is run this often (loops of known trip count)
};

// Completion of submitted work. Value type; `id` 0 is "already done".
struct Event {
  uint64_t id = 0;
};

// When a step ran, by the device's own clock where it has one, as CLOCK_MONOTONIC nanoseconds.
struct StepSpan {
  uint64_t begin_ns = 0, end_ns = 0;
};

// What Allocate has given out and Free not yet taken back (PaddedBlockBytes of each), and the most
// that this has been. Device memory that the backend holds for itself (staging, kernels' scalars,
// parts of pools that are free) counts as `own`.
struct MemoryUse {
  uint64_t bytes = 0, peak_bytes = 0;
  uint64_t own_bytes = 0;
};

// Counts the first two; from any thread.
class MemoryCounter {
 public:
  void Add(uint64_t bytes) {
    const uint64_t now = bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    uint64_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < now && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void Subtract(uint64_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  MemoryUse use() const {
    return {bytes_.load(std::memory_order_relaxed), peak_.load(std::memory_order_relaxed), 0};
  }

 private:
  std::atomic<uint64_t> bytes_{0}, peak_{0};
};

inline uint64_t MonotonicNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

class Device {
 public:
  virtual const DeviceInfo& info() const = 0;

  // kResourceExhausted names the bytes asked and the limit. Space::kHost on a GPU is pinned memory
  // that the device can copy.
  virtual Status Allocate(uint64_t bytes, Space space, Block* block) = 0;
  virtual void Free(Block* block) = 0;  // waits for nothing: the caller has

  virtual Status LoadKernel(const KernelObjectView& object, Kernel** kernel) = 0;
  virtual void FreeKernel(Kernel* kernel) = 0;

  // Prepares `segment` for these bindings (indexed by allocation). Both arrays may be freed
  // afterwards.
  virtual Status Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                        Recording** recording) = 0;
  // Runs it after all work submitted before on `stream`. Bindings that differ from the recorded
  // ones are updated (re-recorded or patched) first. On x86 the work is done when this returns.
  virtual Status Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                        uint32_t stream, Event* done) = 0;
  // The same for a profile: the steps run one after the other, each timed, and the call waits.
  // spans[i] is that of step i (in the last round of a repeated segment).
  virtual Status SubmitTimed(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                             uint32_t stream, StepSpan* spans) = 0;
  virtual void FreeRecording(Recording* recording) = 0;

  // Between CPU memory and a block; ordered on the stream. `host` must stay valid until `done`.
  virtual Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                        uint32_t stream, Event* done) = 0;
  virtual Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                          uint32_t stream, Event* done) = 0;
  // Work submitted on `stream` from now on starts after `event`, of any stream. The default waits
  // for it here.
  virtual Status Order(Event event, uint32_t stream) {
    (void)stream;
    return Wait(event);
  }
  virtual Status Wait(Event event) = 0;
  virtual bool IsDone(Event event) = 0;

  // Of one space of this device.
  virtual MemoryUse memory_use(Space space) const = 0;

  virtual void Destroy() = 0;  // waits for its work; frees itself

 protected:
  ~Device() = default;
};

// Each backend's door (x86/x86.h, cuda/cuda.h, vulkan/vulkan.h):
//   Status CountDevices(uint32_t* count);  // 0 with OK where there is no driver
//   const char* DescribeAbsence();         // why: "libcuda.so.1 not found", …; "" if there are some
//   Status OpenDevice(uint32_t index, Device** device);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_BACKEND_H_
