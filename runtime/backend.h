// The one backend abstraction. A Backend finds Devices. A Device has memory, loads kernels, and
// records and submits straight lines of steps (segments). x86, CUDA and Vulkan each implement it in
// one folder. There are no globals; all state belongs to a Device. Thread safety: every Device
// method may be called from several threads at once, but one Recording is used by one thread at a
// time.
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

// A piece of memory. The Device that made it frees it.
struct Block {
  Space space = Space::kDevice;
  uint64_t bytes = 0;           // as asked; the backend adds padding, see PaddedBlockBytes
  void* host = nullptr;         // address if the CPU reaches it (on x86 always), else null
  uint64_t device_address = 0;  // CUDA: CUdeviceptr; Vulkan: VkBuffer
  void* backend = nullptr;      // the backend's own record
  uint64_t handle_offset = 0;   // Vulkan: where the block begins in the VkBuffer
};

// The size of a block on every backend is a multiple of this, so that plans know what will be
// allocated.
inline constexpr uint64_t kBlockPadding = 256;
constexpr uint64_t PaddedBlockBytes(uint64_t bytes) {
  return bytes == 0 ? kBlockPadding : (bytes + kBlockPadding - 1) / kBlockPadding * kBlockPadding;
}

// Where an allocation of the program lies in this run.
struct Binding {
  const Block* block = nullptr;
  uint64_t offset = 0;
};

class DeviceLinks;  // device_links.h
class Kernel;       // loaded code, which a Device makes and frees
class Recording;    // a segment that is ready to run

// Slices name allocations by index. A run's Bindings say where these allocations are.
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
  SliceRef scratch;  // GPU kernels: their device scratch (0 bytes if they have none). Not used on
                     // x86, where each recording has its own
  const char* label = "";
};
struct Segment {
  const SegmentStep* steps = nullptr;
  uint32_t num_steps = 0;
  uint32_t repeat = 1;  // how often the whole line runs (loops of known trip count)
};

// The completion of submitted work. A value type; `id` 0 means that the work is already done.
struct Event {
  uint64_t id = 0;
};

// When a step ran, in CLOCK_MONOTONIC nanoseconds, by the device's own clock if it has one.
struct StepSpan {
  uint64_t begin_ns = 0, end_ns = 0;
};

// The blocks that Allocate has given out and Free has not taken back (PaddedBlockBytes of each),
// and the most that this has been. Device memory that the backend holds for itself (staging,
// kernels' scalars, free parts of pools) counts as `own`.
struct MemoryUse {
  uint64_t bytes = 0, peak_bytes = 0;
  uint64_t own_bytes = 0;
};

// Counts the first two fields of MemoryUse, from any thread.
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
  // The number that other libraries know the device by.
  virtual int32_t ordinal() const { return 0; }

  // The message of kResourceExhausted names the bytes asked for and the limit. On a GPU,
  // Space::kHost is pinned memory that the device can copy.
  virtual Status Allocate(uint64_t bytes, Space space, Block* block) = 0;
  virtual void Free(Block* block) = 0;  // does not wait, because the caller has waited

  // Makes a block of the application's memory, which is freed with Free: CUDA: CUdeviceptr; Vulkan:
  // VkBuffer. On x86, every address is a block without this.
  virtual Status Wrap(uint64_t handle, uint64_t offset, uint64_t bytes, Block* block) {
    (void)handle, (void)offset, (void)bytes, (void)block;
    return MakeStatus(Code::kUnimplemented, "%s takes no memory of the application", info().name);
  }

  virtual Status LoadKernel(const KernelObjectView& object, Kernel** kernel) = 0;
  virtual void FreeKernel(Kernel* kernel) = 0;

  // Prepares `segment` for these bindings, which are indexed by allocation. Both arrays may be
  // freed afterwards.
  virtual Status Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                        Recording** recording) = 0;
  // Runs the recording after all work that was submitted before on `stream`. Bindings that differ
  // from the recorded ones are first updated (recorded again or patched). On x86, the work is done
  // when this returns.
  virtual Status Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                        uint32_t stream, Event* done) = 0;
  // Runs the recording for a profile: the steps run one after the other, each is timed, and the
  // call waits. spans[i] receives the times of step i (in the last round of a repeated segment).
  virtual Status SubmitTimed(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                             uint32_t stream, StepSpan* spans) = 0;
  virtual void FreeRecording(Recording* recording) = 0;

  // Copies between CPU memory and a block, in the order of the stream. `host` must stay valid until
  // `done`.
  virtual Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                        uint32_t stream, Event* done) = 0;
  virtual Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                          uint32_t stream, Event* done) = 0;
  // Copies from a block of `peer`, another device of the same kind, in the order of the stream.
  // `from` must stay as it is until `done`. Returns kUnimplemented, which is the default, if these
  // devices cannot; the bytes then have to go through the CPU's memory.
  virtual Status CopyFromPeer(Device* peer, const Block& from, const Block& to, uint64_t bytes,
                              uint32_t stream, Event* done) {
    (void)peer, (void)from, (void)to, (void)bytes, (void)stream, (void)done;
    return MakeStatus(Code::kUnimplemented, "no copies between devices");
  }
  // Makes work that is submitted on `stream` from now on start after `event`, of any stream. The
  // default implementation waits for the event here.
  virtual Status Order(Event event, uint32_t stream) {
    (void)stream;
    return Wait(event);
  }
  virtual Status Wait(Event event) = 0;
  virtual bool IsDone(Event event) = 0;

  // Returns what exchanges bytes with other devices, or null if the device has no library for it.
  virtual DeviceLinks* links() { return nullptr; }

  // Returns the memory use of one space of this device.
  virtual MemoryUse memory_use(Space space) const = 0;

  virtual void Destroy() = 0;  // waits for the device's work, and frees the device

 protected:
  ~Device() = default;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_BACKEND_H_
