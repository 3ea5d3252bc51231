// A device in use: the device itself, the CPU beside it, the buffers on them, and the application's
// custom calls.
#ifndef HALYARD_RUNTIME_CONTEXT_H_
#define HALYARD_RUNTIME_CONTEXT_H_

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "runtime/backend.h"
#include "runtime/run_queue.h"
#include "runtime/status.h"

namespace halyard::runtime {

class Buffer;

// XLA's form of custom call (api_version 1): `in[i]` points to operand i, dense; `out` to the
// result, or with several results to an array of pointers to them.
using PlainCustomCall = void (*)(void* out, const void** in);
// With everything: 0 is success; otherwise a message of up to `error_bytes` with its zero may be
// left in `error`.
using FullCustomCall = int (*)(void* user, const void* const* in, void* const* out,
                               const char* config, uint64_t config_bytes, char* error,
                               uint64_t error_bytes);
struct CustomCall {
  PlainCustomCall plain = nullptr;  // one of the two is set
  FullCustomCall full = nullptr;
  void* user = nullptr;
};

// Reference-counted, and used from any thread. Buffers and Executables hold a reference, so it may
// be released first.
class Context {
 public:
  // Takes both devices over. `host` is the x86 device that runs host steps beside a GPU; null when
  // `device` is itself x86.
  static Status Create(Device* device, Device* host, Context** context);
  void AddRef() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Release();

  Device* device() const { return device_; }
  Device* host_device() const { return host_; }  // == device() on x86
  bool is_x86() const { return device_ == host_; }

  // A buffer of unspecified contents, from the cache when one of that size is there.
  Status NewBuffer(uint64_t bytes, Space space, Buffer** buffer);
  // A buffer with a copy of `data`, which may be reused on return.
  Status CopyFromHost(const void* data, uint64_t bytes, Space space, Buffer** buffer);
  // x86: the application's memory as a buffer, without a copy. kInvalidArgument unless `data` is
  // kHostAlignment-aligned. `release(argument)`, if not null, is called when the buffer is no
  // longer used.
  Status WrapHost(void* data, uint64_t bytes, void (*release)(void*), void* argument,
                  Buffer** buffer);
  static constexpr uint64_t kHostAlignment = 64;

  // Replaces one of the same name. Executables look names up when they are made.
  Status RegisterCustomCall(const char* name, const CustomCall& call);
  bool FindCustomCall(const char* name, CustomCall* call);

  // Freed buffers are kept for reuse up to this many bytes; 1 GiB at first.
  void SetCacheLimit(uint64_t bytes);
  // The streams' queues of runs.
  RunQueue& queue() { return queue_; }
  // Of the device's work and of queued runs alike.
  Status WaitFor(Event event);
  bool IsDone(Event event);
  // Work submitted on `stream` from now on starts after `event`. A queued run is waited for until
  // it has been submitted.
  Status OrderAfter(Event event, uint32_t stream);

  // Copies to and from the device run on streams of their own, beside the programs'.
  static constexpr uint32_t kUploadStream = 30, kDownloadStream = 31;

  // For tests: new buffers are followed by bytes that nothing may write. CopyToHost looks at them,
  // and is kInternal where they are not kGuardByte any more. The buffer itself is filled with
  // kUnwritten, which makes NaN of every float that is not written. Called before buffers are made.
  void GuardBuffers() { guard_bytes_ = kGuardBytes; }
  static constexpr uint64_t kGuardBytes = 256;
  static constexpr uint8_t kGuardByte = 0xa5, kUnwritten = 0xff;

  // Blocks asked of the devices for buffers so far, for tests and reports.
  uint64_t blocks_allocated() const { return blocks_allocated_.load(std::memory_order_relaxed); }

 private:
  friend class Buffer;
  struct NamedCall;
  Context() = default;
  ~Context() = default;
  void Recycle(Buffer* buffer);
  Buffer* Evict(uint64_t limit);   // with mutex_ held: a list of what is over the limit
  void DestroyList(Buffer* list);  // with its memory
  Buffer* TakeCached(uint64_t capacity, Space space);
  Status TakeShell(Buffer** buffer);
  Status FillWithGuard(Buffer* buffer);
  void DestroySelf();

  std::atomic<int64_t> references_{1};
  std::atomic<uint64_t> blocks_allocated_{0};
  Device* device_ = nullptr;
  Device* host_ = nullptr;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Buffer* cached_ = nullptr;  // most recently freed first
  Buffer* shells_ = nullptr;  // without memory, for WrapHost
  uint64_t cached_bytes_ = 0;
  uint64_t cache_limit_ = uint64_t{1} << 30;
  uint64_t guard_bytes_ = 0;  // behind each buffer; 0: none
  NamedCall* calls_ = nullptr;
  RunQueue queue_;
};

// Memory on a device (or in host space), reference-counted. Its shape is its owner's business:
// Executable::program() says what each parameter and result is.
class Buffer {
 public:
  // Of who makes the contents, for errors; as much as fits.
  struct ProgramName {
    char text[40] = {};
  };

  void AddRef() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Release();

  uint64_t bytes() const { return bytes_; }
  Space space() const { return block_.space; }
  const Block& block() const { return block_; }
  // CPU address, or null when the CPU does not reach it. Wait() first.
  void* host() const { return block_.host; }
  Context* context() const { return context_; }

  // Whether the contents are there. Wait also gives the error of the run that should have made
  // them, with the program's name. Runs that only read the buffer are not waited for.
  bool IsReady() const;
  Status Wait() const;
  // Waits, then copies. kInvalidArgument unless [offset, offset + bytes) is within.
  Status CopyToHost(void* data, uint64_t offset, uint64_t bytes) const;
  // Waits until nobody uses the buffer, then copies.
  Status CopyFromHost(const void* data, uint64_t offset, uint64_t bytes);

  // A run has taken the memory over for one of its results: it can only be released.
  bool is_donated() const { return donated_; }
  // The application's memory (Context::WrapHost), which no run may write.
  bool is_wrapped() const { return wraps_; }

  // For the executor. Work that reads the contents (waits, of device work only, when kMaxStreams
  // others do); work that makes them, and starts after all uses so far.
  void AddRead(Event event, uint32_t stream);
  void SetReady(Event event, uint32_t stream, const ProgramName& program);
  // A queued run has become the device's work.
  void Resolve(Event ticket, Event event, uint32_t stream);
  // The run that should have made the contents has failed.
  void Fail(const Status& status);
  Status error() const;
  // What a run waits for that reads the buffer (the first use), or writes it (all). At most
  // kMaxUses.
  static constexpr uint32_t kMaxStreams = 16;  // of the device, that read a buffer at a time
  static constexpr uint32_t kMaxUses = 1 + RunQueue::kQueues + kMaxStreams;
  uint32_t CopyUses(bool writes, BufferUse* uses) const;
  // Nobody reads or writes it.
  bool IsIdle() const;
  Status WaitUntilIdle() const;
  // For the executor: moves the memory into a new buffer; this one becomes donated.
  Status Donate(Buffer** taker);

 private:
  friend class Context;
  class Spin;
  Status CheckGuard() const;
  bool InsertRead(Event event, uint32_t stream, Event* in_the_way);
  void RemoveUse(Event event);
  Buffer() = default;
  ~Buffer() = default;

  std::atomic<int64_t> references_{1};
  Context* context_ = nullptr;
  Block block_;
  uint64_t bytes_ = 0;
  // Whether there are uses, or an error, to look at: runs that are done when they return leave none,
  // and cost no lock.
  enum Mark : uint8_t { kUsed = 1, kFailed = 2 };
  std::atomic<uint8_t> marks_{0};
  // Guards what is used by whom; held for a few instructions.
  mutable std::atomic_flag spinning_ = ATOMIC_FLAG_INIT;
  BufferUse uses_[kMaxUses];  // the first makes the contents, the others read them
  uint32_t num_uses_ = 1;
  Status error_;
  ProgramName program_;
  bool donated_ = false;
  bool wraps_ = false;  // the application's memory
  void (*release_)(void*) = nullptr;
  void* release_argument_ = nullptr;
  Buffer* next_ = nullptr;  // in the Context's lists
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_CONTEXT_H_
