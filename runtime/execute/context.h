// A device in use: the device itself, the CPU beside it, the buffers on them, and the application's
// custom calls.
#ifndef HALYARD_RUNTIME_EXECUTE_CONTEXT_H_
#define HALYARD_RUNTIME_EXECUTE_CONTEXT_H_

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "runtime/backend.h"
#include "runtime/execute/run_queue.h"
#include "runtime/execute/task_queue.h"
#include "runtime/host.h"
#include "runtime/status.h"
#include "runtime/use_count.h"

namespace halyard::runtime {

class Buffer;

// XLA's form of custom call (api_version 1). `in[i]` points to operand i, which is dense. `out`
// points to the result; if there are several, it points to an array of pointers to them.
using PlainCustomCall = void (*)(void* out, const void** in);
// The form with everything. It returns 0 for success. Otherwise, it may leave a message in `error`,
// of up to `error_bytes` including its zero.
using FullCustomCall = int (*)(void* user, const void* const* in, void* const* out,
                               const char* config, uint64_t config_bytes, char* error,
                               uint64_t error_bytes);
// The form that tells types and shapes. Instance::RunTypedCall fills a TypedCall.
struct TypedCall;
using TypedCustomCall = Status (*)(const TypedCall& call);
struct CustomCall {
  PlainCustomCall plain = nullptr;  // one of the three is set
  FullCustomCall full = nullptr;
  TypedCustomCall typed = nullptr;
  void* user = nullptr;
  void (*function)() = nullptr;  // for `typed`, which may forward to it
};

// Reference-counted, and used from any thread. Buffers and Executables hold a reference, so it may
// be released before them.
class Context {
 public:
  // Takes ownership of both devices. `host` is the x86 device that runs host steps beside a GPU; it
  // is null if `device` is itself x86. The application's Host is that of this thread.
  static Status Create(Device* device, Device* host, Context** context);
  void AddRef() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Release();

  Device* device() const { return device_; }
  Device* host_device() const { return host_; }  // == device() on x86
  bool is_x86() const { return device_ == host_; }
  const Host& host() const { return application_; }

  // Makes a buffer with unspecified contents, from the cache if that has one of the same size.
  Status NewBuffer(uint64_t bytes, Space space, Buffer** buffer);
  // Makes a buffer with a copy of `data`, which may be reused on return.
  Status CopyFromHost(const void* data, uint64_t bytes, Space space, Buffer** buffer);
  // x86: makes a buffer of the application's memory, without a copy. Returns kInvalidArgument
  // unless `data` is kHostAlignment-aligned. If `release` is not null, `release(argument)` is
  // called when the buffer is no longer used.
  Status WrapHost(void* data, uint64_t bytes, void (*release)(void*), void* argument,
                  Buffer** buffer);
  static constexpr uint64_t kHostAlignment = 64;

  // Makes a buffer of memory that belongs to the application, by the handle that the backend's
  // Device::Wrap takes. `release(argument)` is called when the buffer is no longer used, but not if
  // this fails.
  Status WrapMemory(uint64_t handle, uint64_t offset, uint64_t bytes, bool read_only,
                    void (*release)(void*), void* argument, Buffer** buffer);
  // Makes a buffer in device space with the contents of `source`, which may belong to another
  // Context. The thread of `stream` copies when the contents are there; their error becomes the
  // copy's. That thread releases both buffers after it has told whoever waits for the copy, and it
  // cannot end its own Context: before the last references to the two Contexts are released, wait
  // for both with queue().WaitUntilIdle().
  Status CopyBuffer(Buffer* source, uint32_t stream, Buffer** copy);

  // Replaces a custom call of the same name. Executables look names up when they are made.
  Status RegisterCustomCall(const char* name, const CustomCall& call);
  bool FindCustomCall(const char* name, CustomCall* call);

  // Freed buffers are kept for reuse up to this many bytes; the initial limit is 1 GiB.
  void SetCacheLimit(uint64_t bytes);
  // The streams' queues of runs.
  RunQueue& queue() { return queue_; }
  // Says where the tasks of Tasks() run. Call this before the first of them.
  void SetTaskThreads(bool allowed, const TaskQueue::Application& application) {
    tasks_allowed_ = allowed;
    task_threads_ = application;
  }
  void SetTaskThreadsOf(const Context& other) {
    SetTaskThreads(other.tasks_allowed_, other.task_threads_);
  }
  // Finds the queue of the runs that the application does not wait for, or makes it. Returns
  // kFailedPrecondition if no thread may be started for it.
  Status Tasks(TaskQueue** queue);
  // Waits for tasks of the owner, or of all if it is null.
  void WaitForTasks(const void* owner);
  // Waits for an event of the device's work or of a queued run.
  Status WaitFor(Event event);
  bool IsDone(Event event);
  // Work that is submitted on `stream` from now on starts after `event`. If this is the event of a
  // queued run, waits until the run has been submitted.
  Status OrderAfter(Event event, uint32_t stream);

  // Copies to and from the device run on their own streams, beside the programs' streams.
  static constexpr uint32_t kUploadStream = 30, kDownloadStream = 31;

  // For tests: new buffers are followed by bytes that nothing may write. CopyToHost checks them,
  // and returns kInternal if they are no longer kGuardByte. The buffer itself is filled with
  // kUnwritten, which turns every float that is not written into NaN. Call this before buffers are
  // made.
  void GuardBuffers() { guard_bytes_ = kGuardBytes; }
  static constexpr uint64_t kGuardBytes = 256;
  static constexpr uint8_t kGuardByte = 0xa5, kUnwritten = 0xff;

  // The number of blocks that buffers have asked of the devices so far, for tests and reports.
  uint64_t blocks_allocated() const { return blocks_allocated_.load(std::memory_order_relaxed); }

 private:
  friend class Buffer;
  struct NamedCall;
  struct CopyWork;
  Context() = default;
  ~Context() = default;
  void Recycle(Buffer* buffer);
  Buffer* Evict(uint64_t limit);   // call with mutex_ held; returns a list of the buffers that
                                   // exceed the limit
  void DestroyList(Buffer* list);  // also frees the memory
  Buffer* TakeCached(uint64_t capacity, Space space);
  Status TakeShell(Buffer** buffer);
  Status FillWithGuard(Buffer* buffer);
  Status CopyNow(Buffer* source, Buffer* to, uint32_t stream);
  void DestroySelf();

  std::atomic<int64_t> references_{1};
  std::atomic<uint64_t> blocks_allocated_{0};
  Device* device_ = nullptr;
  Device* host_ = nullptr;
  Host application_;
  bool tasks_allowed_ = true;
  TaskQueue::Application task_threads_;
  std::atomic<TaskQueue*> tasks_{nullptr};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Buffer* cached_ = nullptr;  // the most recently freed comes first
  Buffer* shells_ = nullptr;  // buffers without memory, for WrapHost
  uint64_t cached_bytes_ = 0;
  uint64_t cache_limit_ = uint64_t{1} << 30;
  uint64_t guard_bytes_ = 0;  // behind each buffer; 0 for none
  NamedCall* calls_ = nullptr;
  RunQueue queue_;
};

// Reference-counted memory on a device or in host space. A buffer does not know its shape:
// Executable::program() says what each parameter and result is.
class Buffer {
 public:
  // The name of the program that makes the contents, as much of it as fits, for errors.
  struct ProgramName {
    char text[40] = {};
  };

  void AddRef() { references_.AddRef(); }
  void Release();
  // A run that works in its caller's thread holds the buffer. Others wait for it like for work that
  // AddRead and SetReady record.
  void BeginUse(Use use) { references_.Begin(use); }
  void EndUse(Use use);
  // Waits until no such run is in the way of whoever reads or writes the buffer. In a custom call
  // of such a run, this does not wait.
  void AwaitRuns(Use use) const {
    if (references_.InWayOf(use)) AwaitOthers(use);
  }

  // How many handles outside the runtime count on the contents; at first one. While there are
  // others, no run takes over the memory of a donated buffer.
  void AddOwner() { owners_.fetch_add(1, std::memory_order_relaxed); }
  void DropOwner() { owners_.fetch_sub(1, std::memory_order_release); }
  bool has_other_owners() const { return owners_.load(std::memory_order_acquire) > 1; }

  uint64_t bytes() const { return bytes_; }
  Space space() const { return block_.space; }
  const Block& block() const { return block_; }
  // The CPU address, or null if the CPU does not reach the memory. Call Wait() first.
  void* host() const { return block_.host; }
  Context* context() const { return context_; }

  // IsReady returns whether the contents are there. Wait also returns the error of the run that
  // should have made them, with the program's name. Neither waits for runs that only read the
  // buffer.
  bool IsReady() const;
  Status Wait() const;
  // x86, where what has been submitted is done: has the queue's thread call the notice when the
  // contents are there. Returns false, and leaves the notice alone, if no queued run makes them.
  bool NotifyWhenReady(RunNotice* notice) const;
  // Waits, then copies. Returns kInvalidArgument unless [offset, offset + bytes) lies within the
  // buffer.
  Status CopyToHost(void* data, uint64_t offset, uint64_t bytes) const;
  // Waits until nobody uses the buffer, then copies. Returns kInvalidArgument if it is read-only.
  Status CopyFromHost(const void* data, uint64_t offset, uint64_t bytes);

  // True if a run has taken the memory over for one of its results. The buffer can then only be
  // released.
  bool is_donated() const { return donated_; }
  // The application's memory (Context::WrapHost), which no run may write.
  bool is_wrapped() const { return wraps_; }
  bool is_read_only() const { return read_only_; }

  // For the executor. AddRead records work that reads the contents; if kMaxStreams others do, it
  // waits, but only for device work. SetReady records work that makes the contents and starts after
  // all uses so far.
  void AddRead(Event event, uint32_t stream);
  void SetReady(Event event, uint32_t stream, const ProgramName& program);
  // Says that a queued run has become work of the device.
  void Resolve(Event ticket, Event event, uint32_t stream);
  // Says that the run that should have made the contents has failed.
  void Fail(const Status& status);
  Status error() const;
  // What a run waits for that reads the buffer (the first use) or writes it (all uses). There are
  // at most kMaxUses.
  static constexpr uint32_t kMaxStreams = 16;  // streams of the device that read a buffer at the
                                               // same time
  static constexpr uint32_t kMaxUses = 1 + RunQueue::kQueues + kMaxStreams;
  uint32_t CopyUses(bool writes, BufferUse* uses) const;
  // Returns whether nobody reads or writes the buffer.
  bool IsIdle() const;
  Status WaitUntilIdle() const;
  // For the executor: moves the memory into a new buffer. This buffer becomes donated.
  Status Donate(Buffer** taker);

 private:
  friend class Context;
  class Spin;
  void Recycle();  // when there is no reference any more
  void AwaitOthers(Use use) const;
  Status CheckGuard() const;
  // Returns kInvalidArgument unless the range lies within the buffer. `direction` is that of the
  // copy, "from" or "to" the buffer.
  Status CheckRange(const char* direction, uint64_t offset, uint64_t bytes) const;
  bool InsertRead(Event event, uint32_t stream, Event* in_the_way);
  void RemoveUse(Event event);
  Buffer() = default;
  ~Buffer() = default;

  UseCount references_;
  std::atomic<int64_t> owners_{1};
  Context* context_ = nullptr;
  Block block_;
  uint64_t bytes_ = 0;
  // Says whether there are uses or an error. Runs that are done when they return leave neither, and
  // need no lock.
  enum Mark : uint8_t { kUsed = 1, kFailed = 2 };
  std::atomic<uint8_t> marks_{0};
  // Guards the uses. It is held for a few instructions.
  mutable std::atomic_flag spinning_ = ATOMIC_FLAG_INIT;
  BufferUse uses_[kMaxUses];  // the first makes the contents, the others read them
  uint32_t num_uses_ = 1;
  Status error_;
  ProgramName program_;
  bool donated_ = false;
  bool wraps_ = false;  // whether the memory belongs to the application
  bool read_only_ = false;
  bool unwraps_ = false;  // whether the device must be told that it is no longer used
  void (*release_)(void*) = nullptr;
  void* release_argument_ = nullptr;
  Buffer* next_ = nullptr;  // in the Context's lists
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTE_CONTEXT_H_
