#include "runtime/execute/context.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "runtime/byte_reader.h"

namespace halyard::runtime {
namespace {

// Sizes are rounded up to it, so that the cache meets equal ones.
constexpr uint64_t kRounding = 256;
// More is in no address space, and could not be rounded up.
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
  void* memory = malloc(sizeof(Context));
  if (memory == nullptr) {
    device->Destroy();
    if (host != nullptr) host->Destroy();
    return NoMemory("a context");
  }
  Context* made = new (memory) Context();
  made->device_ = device;
  made->host_ = host == nullptr ? device : host;
  *context = made;
  return Status();
}

void Context::Release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) DestroySelf();
}

void Context::DestroySelf() {
  DestroyList(cached_);
  DestroyList(shells_);
  while (calls_ != nullptr) {
    NamedCall* next = calls_->next;
    free(calls_);
    calls_ = next;
  }
  device_->Destroy();
  if (host_ != device_) host_->Destroy();
  pthread_mutex_destroy(&mutex_);
  this->~Context();
  free(this);
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
    free(list);
    list = next;
  }
}

// The list's end is what was freed longest ago.
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
    void* memory = malloc(sizeof(Buffer));
    if (memory == nullptr) return NoMemory("a buffer");
    *buffer = new (memory) Buffer();
  }
  (*buffer)->references_.store(1, std::memory_order_relaxed);
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
    made->references_.store(1, std::memory_order_relaxed);
    AddRef();
  } else {
    HY_RETURN_IF_ERROR(TakeShell(&made));
    Status status = device_->Allocate(capacity, space, &made->block_);
    // What is kept for reuse must not be what is missing, nor what queued runs hold.
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
  void* bytes = malloc(buffer->block_.bytes);
  if (bytes == nullptr) return NoMemory("a guarded buffer");
  memset(bytes, kGuardByte, buffer->block_.bytes);
  memset(bytes, kUnwritten, buffer->bytes_);
  Event done;
  Status status =
      device_->Upload(bytes, buffer->block_, 0, buffer->block_.bytes, kUploadStream, &done);
  if (status.ok()) status = device_->Wait(done);
  free(bytes);
  return status;
}

// The contents are there.
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

void Context::Recycle(Buffer* buffer) {
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
  buffer->wraps_ = buffer->donated_ = false;
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
  if ((call.plain == nullptr) == (call.full == nullptr)) {
    return MakeStatus(Code::kInvalidArgument, "custom call %s: give one function", name);
  }
  const size_t size = strlen(name) + 1;
  NamedCall* made = static_cast<NamedCall*>(malloc(sizeof(NamedCall) + size));
  if (made == nullptr) return NoMemory("a custom call");
  made->call = call;
  memcpy(made->name, name, size);
  Lock lock(&mutex_);
  made->next = calls_;  // in front of an older one of the same name
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

void Buffer::Release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  Context* context = context_;
  context->Recycle(this);
  context->Release();
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

class Buffer::Spin {
 public:
  explicit Spin(const Buffer* buffer) : flag_(buffer->spinning_) {
    while (flag_.test_and_set(std::memory_order_acquire)) __builtin_ia32_pause();
  }
  ~Spin() { flag_.clear(std::memory_order_release); }
  Spin(const Spin&) = delete;
  Spin& operator=(const Spin&) = delete;

 private:
  std::atomic_flag& flag_;
};

uint32_t Buffer::CopyUses(bool writes, BufferUse* uses) const {
  uses[0] = BufferUse();
  if ((marks_.load(std::memory_order_acquire) & kUsed) == 0) return 0;
  Spin spin(this);
  const uint32_t count = writes ? num_uses_ : 1;
  for (uint32_t i = 0; i < count; ++i) uses[i] = uses_[i];
  return count;
}

bool Buffer::IsReady() const {
  if ((marks_.load(std::memory_order_acquire) & kUsed) == 0) return true;
  BufferUse use;
  CopyUses(false, &use);
  return context_->IsDone(use.event);
}

Status Buffer::Wait() const {
  if (marks_.load(std::memory_order_acquire) == 0) return Status();
  BufferUse use;
  CopyUses(false, &use);
  Status status = context_->WaitFor(use.event);
  Spin spin(this);
  if (!error_.ok()) return MakeStatus(error_.code(), "%s", error_.message());
  if (status.ok() || program_.text[0] == '\0') return status;
  return MakeStatus(status.code(), "%s: %s", program_.text, status.message());
}

bool Buffer::IsIdle() const {
  if ((marks_.load(std::memory_order_acquire) & kUsed) == 0) return true;
  BufferUse uses[kMaxUses];
  const uint32_t count = CopyUses(true, uses);
  for (uint32_t i = 0; i < count; ++i) {
    if (!context_->IsDone(uses[i].event)) return false;
  }
  return true;
}

Status Buffer::WaitUntilIdle() const {
  BufferUse uses[kMaxUses];
  const uint32_t count = CopyUses(true, uses);
  Status status;
  for (uint32_t i = 0; i < count; ++i) {
    Status waited = context_->WaitFor(uses[i].event);
    if (status.ok()) status = static_cast<Status&&>(waited);
  }
  return status;
}

// An entry for each queue, of tickets, and for each stream, of the device's events: only such
// numbers compare. There is always room for tickets, so that they are added without waiting.
bool Buffer::InsertRead(Event event, uint32_t stream, Event* in_the_way) {
  const bool is_ticket = RunQueue::IsTicket(event);
  Spin spin(this);
  uint32_t streams = 0;
  for (uint32_t i = 1; i < num_uses_; ++i) {
    BufferUse& use = uses_[i];
    if (RunQueue::IsTicket(use.event) != is_ticket) continue;
    const bool same = is_ticket ? RunQueue::QueueNumber(use.event) == RunQueue::QueueNumber(event)
                                : use.stream == stream;
    if (same) {
      if (use.event.id < event.id) use.event = event;
      return true;
    }
    if (streams++ == 0) *in_the_way = use.event;
  }
  if (!is_ticket && streams == kMaxStreams) return false;
  uses_[num_uses_++] = {event, stream};
  marks_.fetch_or(kUsed, std::memory_order_release);
  return true;
}

void Buffer::RemoveUse(Event event) {
  Spin spin(this);
  if (uses_[0].event.id == event.id) uses_[0].event = Event();
  for (uint32_t i = 1; i < num_uses_; ++i) {
    if (uses_[i].event.id != event.id) continue;
    uses_[i] = uses_[--num_uses_];
    return;
  }
}

void Buffer::AddRead(Event event, uint32_t stream) {
  if (event.id == 0) return;
  Event in_the_way;
  while (!InsertRead(event, stream, &in_the_way)) {
    (void)context_->WaitFor(in_the_way).ok();  // a lost device has nothing to wait for
    RemoveUse(in_the_way);
  }
}

void Buffer::SetReady(Event event, uint32_t stream, const ProgramName& program) {
  if (event.id == 0 && marks_.load(std::memory_order_acquire) == 0) return;
  Spin spin(this);
  uses_[0] = {event, stream};
  num_uses_ = 1;
  error_ = Status();
  program_ = program;
  marks_.store(event.id == 0 ? 0 : kUsed, std::memory_order_release);
}

// The device's event is there before the ticket goes.
void Buffer::Resolve(Event ticket, Event event, uint32_t stream) {
  bool reads = false;
  {
    Spin spin(this);
    if (uses_[0].event.id == ticket.id) uses_[0] = {event, stream};
    for (uint32_t i = 1; i < num_uses_; ++i) reads = reads || uses_[i].event.id == ticket.id;
  }
  if (reads) {
    AddRead(event, stream);
    RemoveUse(ticket);
  }
  Spin spin(this);
  if (num_uses_ == 1 && uses_[0].event.id == 0)
    marks_.fetch_and(kFailed, std::memory_order_release);
}

Status Buffer::error() const {
  if ((marks_.load(std::memory_order_acquire) & kFailed) == 0) return Status();
  Spin spin(this);
  return error_.ok() ? Status() : MakeStatus(error_.code(), "%s", error_.message());
}

void Buffer::Fail(const Status& status) {
  Status copy = MakeStatus(status.code(), "%s", status.message());
  Spin spin(this);
  error_ = static_cast<Status&&>(copy);
  marks_.fetch_or(kFailed, std::memory_order_release);
}

Status Buffer::Donate(Buffer** taker) {
  HY_RETURN_IF_ERROR(context_->TakeShell(taker));
  Buffer* to = *taker;
  to->block_ = block_;
  to->bytes_ = bytes_;
  {
    Spin spin(this);
    for (uint32_t i = 0; i < num_uses_; ++i) to->uses_[i] = uses_[i];
    to->num_uses_ = num_uses_;
    if (!error_.ok()) to->error_ = MakeStatus(error_.code(), "%s", error_.message());
    to->program_ = program_;
    to->marks_.store(marks_.load(std::memory_order_relaxed), std::memory_order_release);
  }
  to->wraps_ = wraps_;
  to->release_ = release_;
  to->release_argument_ = release_argument_;
  block_ = Block();
  release_ = nullptr;
  donated_ = true;
  return Status();
}

Status Buffer::CopyToHost(void* data, uint64_t offset, uint64_t bytes) const {
  if (donated_ || !InRange(offset, bytes, bytes_)) {
    return MakeStatus(Code::kInvalidArgument, "copy of %llu bytes at %llu from %s buffer of %llu",
                      static_cast<unsigned long long>(bytes),
                      static_cast<unsigned long long>(offset), donated_ ? "a donated" : "a",
                      static_cast<unsigned long long>(bytes_));
  }
  HY_RETURN_IF_ERROR(Wait());
  HY_RETURN_IF_ERROR(CheckGuard());
  if (bytes == 0) return Status();
  Event done;
  HY_RETURN_IF_ERROR(
      context_->device()->Download(block_, offset, bytes, data, Context::kDownloadStream, &done));
  return done.id == 0 ? Status() : context_->device()->Wait(done);
}

Status Buffer::CopyFromHost(const void* data, uint64_t offset, uint64_t bytes) {
  if (donated_ || !InRange(offset, bytes, bytes_)) {
    return MakeStatus(Code::kInvalidArgument, "copy of %llu bytes at %llu to %s buffer of %llu",
                      static_cast<unsigned long long>(bytes),
                      static_cast<unsigned long long>(offset), donated_ ? "a donated" : "a",
                      static_cast<unsigned long long>(bytes_));
  }
  HY_RETURN_IF_ERROR(WaitUntilIdle());
  if (bytes == 0) return Status();
  Event done;
  HY_RETURN_IF_ERROR(
      context_->device()->Upload(data, block_, offset, bytes, Context::kUploadStream, &done));
  return done.id == 0 ? Status() : context_->device()->Wait(done);
}

}  // namespace halyard::runtime
