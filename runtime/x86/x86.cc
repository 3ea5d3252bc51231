#include "runtime/x86/x86.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <atomic>
#include <new>

#include "runtime/byte_reader.h"
#include "runtime/host.h"
#include "runtime/x86/cpu.h"
#include "runtime/x86/kernel_runtime.h"
#include "runtime/x86/object_loader.h"
#include "runtime/x86/recording.h"
#include "runtime/x86/scratch.h"
#include "runtime/x86/thread_pool.h"

namespace halyard::runtime::x86 {
namespace {

constexpr uint64_t kBlockAlignment = 256;
constexpr uint64_t kHugePage = uint64_t{2} << 20;

class X86Device final : public Device {
 public:
  // Makes a device whose pool `make_pool(info, &pool)` makes.
  template <typename MakePool>
  static Status Open(MakePool make_pool, Device** device) {
    void* memory = HeapAllocate(sizeof(X86Device));
    if (memory == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a device");
    X86Device* made = new (memory) X86Device();
    made->info_ = DescribeCpu();
    made->allocator_ = CurrentHost().allocator;
    Status status = make_pool(made->info_, &made->pool_);
    if (!status.ok()) {
      HeapFree(made);
      return status;
    }
    *device = made;
    return Status();
  }

  const DeviceInfo& info() const override { return info_; }

  Status Allocate(uint64_t bytes, Space space, Block* block) override {
    const uint64_t limit = info_.max_allocation_bytes;
    if (limit != 0 && bytes > limit) {
      return MakeStatus(Code::kResourceExhausted, "%llu bytes asked, this machine has %llu",
                        static_cast<unsigned long long>(bytes),
                        static_cast<unsigned long long>(limit));
    }
    const uint64_t alignment = AlignmentOf(bytes);
    const uint64_t padded = PaddedBytes(bytes);
    void* host = nullptr;
    if (allocator_.is_given()) {
      host = allocator_.allocate(allocator_.user, padded, alignment);
    } else if (posix_memalign(&host, alignment, padded) != 0) {
      host = nullptr;
    }
    if (host == nullptr) {
      return MakeStatus(Code::kResourceExhausted, "no memory for %llu bytes",
                        static_cast<unsigned long long>(bytes));
    }
    // Advises whole huge pages only, because the memory behind the block is not ours.
    if (alignment == kHugePage) madvise(host, padded / kHugePage * kHugePage, MADV_HUGEPAGE);
    *block = Block{space, bytes, host, reinterpret_cast<uint64_t>(host), nullptr};
    blocks_.fetch_add(1, std::memory_order_relaxed);
    const uint64_t used = bytes_.fetch_add(padded, std::memory_order_relaxed) + padded;
    uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
    while (peak < used &&
           !peak_bytes_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
    }
    return Status();
  }

  void Free(Block* block) override {
    const uint64_t padded = PaddedBytes(block->bytes);
    if (block->host != nullptr) bytes_.fetch_sub(padded, std::memory_order_relaxed);
    if (!allocator_.is_given()) {
      free(block->host);
    } else if (block->host != nullptr) {
      allocator_.free(allocator_.user, block->host, padded, AlignmentOf(block->bytes));
    }
    *block = Block();
  }

  // Both spaces are the same memory, which counts as the device's. The threads' scratch counts with
  // the size that was asked for, although the system provides its pages only when they are touched.
  MemoryUse memory_use(Space space) const override {
    MemoryUse use;
    if (space == Space::kHost) return use;
    use.bytes = bytes_.load(std::memory_order_relaxed);
    use.peak_bytes = peak_bytes_.load(std::memory_order_relaxed);
    use.own_bytes = recording_scratch_.load(std::memory_order_relaxed) + pool_->scratch_bytes();
    return use;
  }

  Status LoadKernel(const KernelObjectView& object, Kernel** kernel) override {
    if (object.kind != DeviceKind::kX86 || object.x86_object.size == 0) {
      return MakeStatus(Code::kInvalidArgument, "kernel %s holds no x86 code", object.name.data);
    }
    LoadedObject loaded;
    Status status =
        LoadObject(object.x86_object, object.name.data, ResolveKernelImport, nullptr, &loaded);
    if (!status.ok()) {
      return MakeStatus(status.code(), "kernel %s: %s", object.name.data, status.message());
    }
    status = NewKernel(object, reinterpret_cast<KernelEntry>(loaded.entry), kernel);
    if (!status.ok()) {
      UnloadObject(&loaded);
      return status;
    }
    X86Kernel::From(*kernel)->loaded = loaded;
    return Status();
  }

  Status NewKernel(const KernelObjectView& object, KernelEntry entry, Kernel** kernel) {
    X86Kernel* made = nullptr;
    HY_RETURN_IF_ERROR(X86Kernel::Create(object, entry, &made));
    *kernel = made->AsKernel();
    pool_->RequireTaskScratch(object.scratch_bytes_per_task);
    return Status();
  }

  void FreeKernel(Kernel* kernel) override {
    X86Kernel* own = X86Kernel::From(kernel);
    UnloadObject(&own->loaded);
    HeapFree(own);
  }

  Status Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                Recording** recording) override {
    X86Recording* made = nullptr;
    HY_RETURN_IF_ERROR(X86Recording::Create(segment, num_bindings, &made));
    recording_scratch_.fetch_add(made->scratch_size(), std::memory_order_relaxed);
    *recording = made->AsRecording();
    return Status();
  }

  Status Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                uint32_t stream, Event* done) override {
    if (done != nullptr) *done = Event();
    return Run(recording, bindings, num_bindings, nullptr);
  }

  Status SubmitTimed(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                     uint32_t stream, StepSpan* spans) override {
    return Run(recording, bindings, num_bindings, spans);
  }

  void FreeRecording(Recording* recording) override {
    X86Recording* own = X86Recording::From(recording);
    recording_scratch_.fetch_sub(own->scratch_size(), std::memory_order_relaxed);
    own->Destroy();
  }

  Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                uint32_t stream, Event* done) override {
    if (done != nullptr) *done = Event();
    if (!InRange(offset, bytes, block.bytes)) return OutsideBlock(offset, bytes, block);
    if (bytes != 0) memcpy(static_cast<uint8_t*>(block.host) + offset, host, bytes);
    return Status();
  }

  Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host, uint32_t stream,
                  Event* done) override {
    if (done != nullptr) *done = Event();
    if (!InRange(offset, bytes, block.bytes)) return OutsideBlock(offset, bytes, block);
    if (bytes != 0) memcpy(host, static_cast<const uint8_t*>(block.host) + offset, bytes);
    return Status();
  }

  Status Wait(Event event) override { return Status(); }
  bool IsDone(Event event) override { return true; }

  void Destroy() override {
    pool_->Destroy();
    HeapFree(this);
  }

  ThreadPool* pool() const { return pool_; }
  Counters counters() const {
    return {blocks_.load(std::memory_order_relaxed),
            scratch_heap_.load(std::memory_order_relaxed) + pool_->heap_allocations()};
  }

 private:
  X86Device() = default;
  ~X86Device() = default;

  static Status OutsideBlock(uint64_t offset, uint64_t bytes, const Block& block) {
    return MakeStatus(Code::kInvalidArgument, "copy of %llu bytes at %llu of a block of %llu",
                      static_cast<unsigned long long>(bytes),
                      static_cast<unsigned long long>(offset),
                      static_cast<unsigned long long>(block.bytes));
  }

  static uint64_t AlignmentOf(uint64_t bytes) {
    return bytes >= kHugePage ? kHugePage : kBlockAlignment;
  }
  static uint64_t PaddedBytes(uint64_t bytes) {
    const uint64_t padded = (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
    return padded == 0 ? kBlockAlignment : padded;
  }

  Status Run(Recording* recording, const Binding* bindings, uint32_t num_bindings,
             StepSpan* spans) {
    X86Recording* own = X86Recording::From(recording);
    uint64_t heap_allocations = 0;
    const uint64_t scratch = own->scratch_size();
    Status status = own->Run(pool_, bindings, num_bindings, spans, &heap_allocations);
    // The scratch grows when a kernel needs more than it declared.
    recording_scratch_.fetch_add(own->scratch_size() - scratch, std::memory_order_relaxed);
    scratch_heap_.fetch_add(heap_allocations, std::memory_order_relaxed);
    return status;
  }

  DeviceInfo info_;
  Allocator allocator_;  // of blocks
  ThreadPool* pool_ = nullptr;
  std::atomic<uint64_t> blocks_{0};
  std::atomic<uint64_t> bytes_{0}, peak_bytes_{0}, recording_scratch_{0};
  std::atomic<uint64_t> scratch_heap_{0};
};

}  // namespace

Status CountDevices(uint32_t* count) {
  *count = 1;
  return Status();
}

Status DescribeDevice(uint32_t index, DeviceInfo* info) {
  if (index != 0) return MakeStatus(Code::kNotFound, "there is one x86 device, 0; not %u", index);
  *info = DescribeCpu();
  return Status();
}

Status OpenDevice(uint32_t index, Device** device) {
  if (index != 0) return MakeStatus(Code::kNotFound, "there is one x86 device, 0; not %u", index);
  return OpenDeviceWithThreads(0, device);
}

const char* DescribeAbsence() { return ""; }

Status OpenDeviceWithThreads(uint32_t threads, Device** device) {
  return X86Device::Open(
      [threads](const DeviceInfo& info, ThreadPool** pool) {
        const uint32_t cpus = info.compute_units, wanted = threads == 0 ? cpus : threads;
        return ThreadPool::Create(wanted, /*spin=*/wanted <= cpus, pool);
      },
      device);
}

Status OpenDeviceWithApplicationThreads(const ApplicationThreads& threads, Device** device) {
  return X86Device::Open(
      [&threads](const DeviceInfo&, ThreadPool** pool) {
        return ThreadPool::Create(threads, pool);
      },
      device);
}

Status OpenDeviceWithThreadsOf(const Device* other, Device** device) {
  return X86Device::Open(
      [other](const DeviceInfo&, ThreadPool** pool) {
        *pool = static_cast<const X86Device*>(other)->pool();
        (*pool)->AddRef();
        return Status();
      },
      device);
}

uint32_t ThreadCount(const Device* device) {
  return static_cast<const X86Device*>(device)->pool()->threads();
}

Status LoadLinkedKernel(Device* device, const KernelObjectView& object, KernelEntry entry,
                        Kernel** kernel) {
  return static_cast<X86Device*>(device)->NewKernel(object, entry, kernel);
}

Counters GetCounters(const Device* device) {
  return static_cast<const X86Device*>(device)->counters();
}

}  // namespace halyard::runtime::x86
