// Keeps a Buffer's users: which runs read and write it, and who waits for them.
#include "runtime/byte_reader.h"
#include "runtime/execute/context.h"

namespace halyard::runtime {

void Buffer::Release() {
  if (references_.Release()) Recycle();
}

void Buffer::EndUse(Use use) {
  if (references_.End(use)) Recycle();
}

void Buffer::Recycle() {
  Context* context = context_;
  context->Recycle(this);
  context->Release();
}

// In a child of fork(), the runs of other threads do not end.
void Buffer::AwaitOthers(Use use) const {
  if (!context_->queue().HasForked()) references_.Await(use);
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
  if (references_.InWayOf(Use::kReads)) return false;
  if ((marks_.load(std::memory_order_acquire) & kUsed) == 0) return true;
  BufferUse use;
  CopyUses(false, &use);
  return context_->IsDone(use.event);
}

Status Buffer::Wait() const {
  AwaitRuns(Use::kReads);
  if (marks_.load(std::memory_order_acquire) == 0) return Status();
  BufferUse use;
  CopyUses(false, &use);
  Status status = context_->WaitFor(use.event);
  Spin spin(this);
  if (!error_.ok()) return MakeStatus(error_.code(), "%s", error_.message());
  if (status.ok() || program_.text[0] == '\0') return status;
  return MakeStatus(status.code(), "%s: %s", program_.text, status.message());
}

bool Buffer::NotifyWhenReady(RunNotice* notice) const {
  BufferUse use;
  CopyUses(false, &use);
  return context_->is_x86() && RunQueue::IsTicket(use.event) &&
         context_->queue().Notify(use.event, notice);
}

bool Buffer::IsIdle() const {
  if (references_.InWayOf(Use::kWrites)) return false;
  if ((marks_.load(std::memory_order_acquire) & kUsed) == 0) return true;
  BufferUse uses[kMaxUses];
  const uint32_t count = CopyUses(true, uses);
  for (uint32_t i = 0; i < count; ++i) {
    if (!context_->IsDone(uses[i].event)) return false;
  }
  return true;
}

Status Buffer::WaitUntilIdle() const {
  AwaitRuns(Use::kWrites);
  BufferUse uses[kMaxUses];
  const uint32_t count = CopyUses(true, uses);
  Status status;
  for (uint32_t i = 0; i < count; ++i) {
    Status waited = context_->WaitFor(uses[i].event);
    if (status.ok()) status = static_cast<Status&&>(waited);
  }
  return status;
}

// There is one entry for the tickets of each queue, and one for the device's events of each stream,
// because only their numbers can be compared. There is always room for tickets, so adding one never
// waits. Returns false if there is no room for a device's event; `*in_the_way` is then the event to
// wait for.
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

// Adds the device's event before it removes the ticket, so that the buffer does not look unused
// in between.
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

Status Buffer::CheckRange(const char* direction, uint64_t offset, uint64_t bytes) const {
  if (!donated_ && InRange(offset, bytes, bytes_)) return Status();
  return MakeStatus(Code::kInvalidArgument, "copy of %llu bytes at %llu %s %s buffer of %llu",
                    static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(offset),
                    direction, donated_ ? "a donated" : "a",
                    static_cast<unsigned long long>(bytes_));
}

Status Buffer::CopyToHost(void* data, uint64_t offset, uint64_t bytes) const {
  HY_RETURN_IF_ERROR(CheckRange("from", offset, bytes));
  HY_RETURN_IF_ERROR(Wait());
  HY_RETURN_IF_ERROR(CheckGuard());
  if (bytes == 0) return Status();
  Event done;
  HY_RETURN_IF_ERROR(
      context_->device()->Download(block_, offset, bytes, data, Context::kDownloadStream, &done));
  return done.id == 0 ? Status() : context_->device()->Wait(done);
}

Status Buffer::CopyFromHost(const void* data, uint64_t offset, uint64_t bytes) {
  HY_RETURN_IF_ERROR(CheckRange("to", offset, bytes));
  if (read_only_) return MakeStatus(Code::kInvalidArgument, "the buffer is read-only");
  HY_RETURN_IF_ERROR(WaitUntilIdle());
  if (bytes == 0) return Status();
  Event done;
  HY_RETURN_IF_ERROR(
      context_->device()->Upload(data, block_, offset, bytes, Context::kUploadStream, &done));
  return done.id == 0 ? Status() : context_->device()->Wait(done);
}

}  // namespace halyard::runtime
