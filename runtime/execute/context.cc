#include "runtime/execute/context.h"

#include <string.h>

#include <new>

#include "runtime/host.h"

namespace halyard::runtime {
namespace {

// Sizes are rounded up to a multiple of this, so that the cache finds equal ones.
constexpr uint64_t kRounding = 256;
// No address space holds more, and more could not be rounded up.
constexpr uint64_t kMostBytes = uint64_t{1} << 62;

Status NoMemory(const char* what) {
  return MakeStatus(Code::kResourceExhausted, "no memory for %s", what);
}

class Lock {
 public:
  explicit Lock(pthread_mutex_t* mutex) : mutex_(mutex) { pthread_mutex_lock(mutex_); }
  ~Lock() { pthread_mutex_unlock(mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pthread_mutex_t* mutex_;
};

}  // namespace

struct Context::NamedCall {
  NamedCall* next;
  CustomCall call;
  char name[];
};

Status Context::Create(Device* device, Device* host, Context** context) {
  void* memory = HeapAllocate(sizeof(Context));
  if (memory == nullptr) {
    device->Destroy();
    if (host != nullptr) host->Destroy();
    return NoMemory("a context");
  }
  Context* made = new (memory) Context();
  made->device_ = device;
  made->host_ = host == nullptr ? device : host;
  made->application_ = CurrentHost();
  *context = made;
  return Status();
}

void Context::Release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) DestroySelf();
}

void Context::DestroySelf() {
  const Host application = application_;
  const HostScope scope(&application);
  TaskQueue* tasks = tasks_.load(std::memory_order_acquire);
  if (tasks != nullptr) tasks->Close();
  DestroyList(cached_);
  DestroyList(shells_);
  while (calls_ != nullptr) {
    NamedCall* next = calls_->next;
    HeapFree(calls_);
    calls_ = next;
  }
  device_->Destroy();
  if (host_ != device_) host_->Destroy();
  pthread_mutex_destroy(&mutex_);
  this->~Context();
  HeapFree(this);
}

void Context::DestroyList(Buffer* list) {
  while (list != nullptr) {
    Buffer* next = list->next_;
    if (list->block_.host != nullptr || list->block_.device_address != 0 ||
        list->block_.backend != nullptr) {
      (void)list->WaitUntilIdle().ok();  // a lost device has nothing to wait for
      device_->Free(&list->block_);
    }
    list->~Buffer();
    HeapFree(list);
    list = next;
  }
}

// The end of the list was freed longest ago.
Buffer* Context::Evict(uint64_t limit) {
  uint64_t kept = 0;
  Buffer** at = &cached_;
  while (*at != nullptr && kept + (*at)->block_.bytes <= limit) {
    kept += (*at)->block_.bytes;
    at = &(*at)->next_;
  }
  Buffer* evicted = *at;
  *at = nullptr;
  cached_bytes_ = kept;
  return evicted;
}

void Context::SetCacheLimit(uint64_t bytes) {
  Buffer* evicted;
  {
    Lock lock(&mutex_);
    cache_limit_ = bytes;
    evicted = Evict(bytes);
  }
  DestroyList(evicted);
}

Buffer* Context::TakeCached(uint64_t capacity, Space space) {
  Lock lock(&mutex_);
  for (Buffer** at = &cached_; *at != nullptr; at = &(*at)->next_) {
    Buffer* buffer = *at;
    if (buffer->block_.bytes != capacity || buffer->block_.space != space || !buffer->IsIdle()) {
      continue;
    }
    *at = buffer->next_;
    cached_bytes_ -= capacity;
    return buffer;
  }
  return nullptr;
}

Status Context::TakeShell(Buffer** buffer) {
  {
    Lock lock(&mutex_);
    if (shells_ != nullptr) {
      *buffer = shells_;
      shells_ = shells_->next_;
    } else {
      *buffer = nullptr;
    }
  }
  if (*buffer == nullptr) {
    void* memory = HeapAllocate(sizeof(Buffer));
    if (memory == nullptr) return NoMemory("a buffer");
    *buffer = new (memory) Buffer();
  }
  (*buffer)->references_.Reset();
  (*buffer)->owners_.store(1, std::memory_order_relaxed);
  (*buffer)->context_ = this;
  AddRef();
  return Status();
}

Status Context::NewBuffer(uint64_t bytes, Space space, Buffer** buffer) {
  if (bytes > kMostBytes) {
    return MakeStatus(Code::kResourceExhausted, "no memory for %llu bytes",
                      static_cast<unsigned long long>(bytes));
  }
  const uint64_t capacity =
      (bytes == 0 ? kRounding : (bytes + kRounding - 1) / kRounding * kRounding) + guard_bytes_;
  Buffer* made = TakeCached(capacity, space);
  if (made != nullptr) {
    made->references_.Reset();
    made->owners_.store(1, std::memory_order_relaxed);
    AddRef();
  } else {
    HY_RETURN_IF_ERROR(TakeShell(&made));
    Status status = device_->Allocate(capacity, space, &made->block_);
    // Before this fails, the blocks that are kept for reuse are freed, and those that queued runs
    // hold are waited for.
    for (int attempt = 0; attempt < 2 && status.code() == Code::kResourceExhausted; ++attempt) {
      if (attempt == 1) queue_.WaitUntilIdle();
      Buffer* evicted;
      {
        Lock lock(&mutex_);
        evicted = Evict(0);
      }
      DestroyList(evicted);
      status = device_->Allocate(capacity, space, &made->block_);
    }
    if (!status.ok()) {
      made->donated_ = true;  // a shell: holds nothing
      made->Release();
      return status;
    }
    blocks_allocated_.fetch_add(1, std::memory_order_relaxed);
  }
  made->bytes_ = bytes;
  if (guard_bytes_ != 0) {
    Status status = FillWithGuard(made);
    if (!status.ok()) {
      made->Release();
      return status;
    }
  }
  *buffer = made;
  return Status();
}

Status Context::FillWithGuard(Buffer* buffer) {
  void* bytes = HeapAllocate(buffer->block_.bytes);
  if (bytes == nullptr) return NoMemory("a guarded buffer");
  memset(bytes, kGuardByte, buffer->block_.bytes);
  memset(bytes, kUnwritten, buffer->bytes_);
  Event done;
  Status status =
      device_->Upload(bytes, buffer->block_, 0, buffer->block_.bytes, kUploadStream, &done);
  if (status.ok()) status = device_->Wait(done);
  HeapFree(bytes);
  return status;
}

// Checks that the guard's contents are intact.
Status Buffer::CheckGuard() const {
  if (context_->guard_bytes_ == 0 || wraps_) return Status();
  uint8_t bytes[Context::kGuardBytes + kRounding];
  const uint64_t behind = block_.bytes - bytes_;
  Event done;
  HY_RETURN_IF_ERROR(
      context_->device_->Download(block_, bytes_, behind, bytes, Context::kDownloadStream, &done));
  HY_RETURN_IF_ERROR(context_->device_->Wait(done));
  for (uint64_t i = 0; i < behind; ++i) {
    if (bytes[i] == Context::kGuardByte) continue;
    return MakeStatus(Code::kInternal, "%s%smemory behind an array of %llu bytes was written",
                      program_.text, program_.text[0] == '\0' ? "" : ": ",
                      static_cast<unsigned long long>(bytes_));
  }
  return Status();
}

Status Context::CopyFromHost(const void* data, uint64_t bytes, Space space, Buffer** buffer) {
  Buffer* made = nullptr;
  HY_RETURN_IF_ERROR(NewBuffer(bytes, space, &made));
  Status status = made->CopyFromHost(data, 0, bytes);
  if (!status.ok()) {
    made->Release();
    return status;
  }
  *buffer = made;
  return Status();
}

Status Context::WrapHost(void* data, uint64_t bytes, void (*release)(void*), void* argument,
                         Buffer** buffer) {
  if (!is_x86())
    return MakeStatus(Code::kInvalidArgument, "%s does not reach the application's memory",
                      device_->info().name);
  if (data == nullptr || reinterpret_cast<uintptr_t>(data) % kHostAlignment != 0) {
    return MakeStatus(Code::kInvalidArgument, "memory at %p is not %u-aligned", data,
                      static_cast<unsigned>(kHostAlignment));
  }
  Buffer* made = nullptr;
  HY_RETURN_IF_ERROR(TakeShell(&made));
  made->block_ = Block{Space::kDevice, bytes, data, reinterpret_cast<uint64_t>(data), nullptr};
  made->bytes_ = bytes;
  made->wraps_ = true;
  made->release_ = release;
  made->release_argument_ = argument;
  *buffer = made;
  return Status();
}

Status Context::WrapMemory(uint64_t handle, uint64_t offset, uint64_t bytes, bool read_only,
                           void (*release)(void*), void* argument, Buffer** buffer) {
  Buffer* made = nullptr;
  if (handle + bytes < handle) {
    return MakeStatus(Code::kInvalidArgument, "%llu bytes at %#llx end behind the last address",
                      static_cast<unsigned long long>(bytes),
                      static_cast<unsigned long long>(handle));
  }
  if (is_x86()) {
    if (offset != 0)
      return MakeStatus(Code::kInvalidArgument, "an offset of %llu in memory of the CPU",
                        static_cast<unsigned long long>(offset));
    HY_RETURN_IF_ERROR(WrapHost(reinterpret_cast<void*>(handle), bytes, release, argument, &made));
  } else {
    Block block;
    HY_RETURN_IF_ERROR(device_->Wrap(handle, offset, bytes, &block));
    Status status = TakeShell(&made);
    if (!status.ok()) {
      device_->Free(&block);
      return status;
    }
    made->block_ = block;
    made->bytes_ = bytes;
    made->wraps_ = made->unwraps_ = true;
    made->release_ = release;
    made->release_argument_ = argument;
  }
  made->read_only_ = read_only;
  *buffer = made;
  return Status();
}

void Context::Recycle(Buffer* buffer) {
  // The device may still work on memory that goes back to the application.
  if (buffer->wraps_ && (buffer->release_ != nullptr || buffer->unwraps_))
    (void)buffer->WaitUntilIdle().ok();  // a lost device has nothing to wait for
  if (buffer->unwraps_) device_->Free(&buffer->block_);
  if (buffer->release_ != nullptr) buffer->release_(buffer->release_argument_);
  const bool is_shell = buffer->wraps_ || buffer->donated_;
  if (is_shell) {
    buffer->block_ = Block();
    buffer->uses_[0] = BufferUse();
    buffer->num_uses_ = 1;
    buffer->marks_.store(0, std::memory_order_relaxed);
  }
  buffer->error_ = Status();
  buffer->marks_.fetch_and(Buffer::kUsed, std::memory_order_relaxed);
  buffer->wraps_ = buffer->donated_ = buffer->read_only_ = buffer->unwraps_ = false;
  buffer->release_ = nullptr;
  Buffer* evicted = nullptr;
  {
    Lock lock(&mutex_);
    Buffer** list = is_shell ? &shells_ : &cached_;
    buffer->next_ = *list;
    *list = buffer;
    if (!is_shell) cached_bytes_ += buffer->block_.bytes;
    if (cached_bytes_ > cache_limit_) evicted = Evict(cache_limit_);
  }
  DestroyList(evicted);
}

Status Context::RegisterCustomCall(const char* name, const CustomCall& call) {
  if ((call.plain != nullptr) + (call.full != nullptr) + (call.typed != nullptr) != 1) {
    return MakeStatus(Code::kInvalidArgument, "custom call %s: give one function", name);
  }
  Lock lock(&mutex_);
  for (NamedCall* at = calls_; at != nullptr; at = at->next) {
    if (strcmp(at->name, name) != 0) continue;
    at->call = call;
    return Status();
  }
  const size_t size = strlen(name) + 1;
  NamedCall* made = static_cast<NamedCall*>(HeapAllocate(sizeof(NamedCall) + size));
  if (made == nullptr) return NoMemory("a custom call");
  made->call = call;
  memcpy(made->name, name, size);
  made->next = calls_;
  calls_ = made;
  return Status();
}

bool Context::FindCustomCall(const char* name, CustomCall* call) {
  Lock lock(&mutex_);
  for (NamedCall* at = calls_; at != nullptr; at = at->next) {
    if (strcmp(at->name, name) != 0) continue;
    *call = at->call;
    return true;
  }
  return false;
}

Status Context::Tasks(TaskQueue** queue) {
  *queue = tasks_.load(std::memory_order_acquire);
  if (*queue != nullptr) return Status();
  if (!tasks_allowed_) {
    return MakeStatus(Code::kFailedPrecondition,
                      "the device's hy_pool has no submit, so no thread can run this");
  }
  Lock lock(&mutex_);
  *queue = tasks_.load(std::memory_order_relaxed);
  if (*queue != nullptr) return Status();
  HY_RETURN_IF_ERROR(TaskQueue::Create(task_threads_, queue));
  tasks_.store(*queue, std::memory_order_release);
  return Status();
}

void Context::WaitForTasks(const void* owner) {
  TaskQueue* queue = tasks_.load(std::memory_order_acquire);
  if (queue != nullptr) queue->WaitFor(owner);
}

Status Context::WaitFor(Event event) {
  if (RunQueue::IsTicket(event)) event = queue_.WaitUntilSubmitted(event);
  return event.id == 0 ? Status() : device_->Wait(event);
}

bool Context::IsDone(Event event) {
  if (RunQueue::IsTicket(event) && !queue_.IsSubmitted(event, &event)) return false;
  return event.id == 0 || device_->IsDone(event);
}

Status Context::OrderAfter(Event event, uint32_t stream) {
  if (RunQueue::IsTicket(event)) event = queue_.WaitUntilSubmitted(event);
  return event.id == 0 ? Status() : device_->Order(event, stream);
}

}  // namespace halyard::runtime
