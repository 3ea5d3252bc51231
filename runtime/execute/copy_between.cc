// Copies buffers from one Context to another.

#include "runtime/execute/context.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

// Neither device reaches the other's memory, so the bytes go through pinned memory.
Status CopyThroughHost(Device* from_device, const Block& from, Device* to_device, const Block& to,
                       uint64_t bytes, uint32_t stream) {
  Block staging;
  HY_RETURN_IF_ERROR(to_device->Allocate(bytes, Space::kHost, &staging));
  Event done;
  Status status =
      from_device->Download(from, 0, bytes, staging.host, Context::kDownloadStream, &done);
  if (status.ok()) status = from_device->Wait(done);
  if (status.ok()) status = to_device->Upload(staging.host, to, 0, bytes, stream, &done);
  if (status.ok()) status = to_device->Wait(done);
  to_device->Free(&staging);
  return status;
}

}  // namespace

struct Context::CopyWork : QueuedWork {
  Buffer* source;
  Buffer* copy;
};

// Waits for all of it, because the source's Context does not know who reads the source here.
Status Context::CopyNow(Buffer* source, Buffer* to, uint32_t stream) {
  HY_RETURN_IF_ERROR(source->Wait());
  const uint64_t bytes = source->bytes();
  if (bytes == 0) return Status();
  Device* peer = source->context()->device();
  Event done;
  Status status;
  if (source->host() != nullptr) {
    status = device_->Upload(source->host(), to->block(), 0, bytes, stream, &done);
  } else {
    status = device_->CopyFromPeer(peer, source->block(), to->block(), bytes, stream, &done);
    if (status.code() == Code::kUnimplemented)
      return CopyThroughHost(peer, source->block(), device_, to->block(), bytes, stream);
  }
  return status.ok() ? device_->Wait(done) : static_cast<Status&&>(status);
}

Status Context::CopyBuffer(Buffer* source, uint32_t stream, Buffer** copy) {
  if (source->is_donated())
    return MakeStatus(Code::kInvalidArgument, "a donated buffer cannot be copied");
  Buffer* made = nullptr;
  HY_RETURN_IF_ERROR(NewBuffer(source->bytes(), Space::kDevice, &made));
  CopyWork* work = nullptr;
  Status status;
  if (RunQueue::InQueuedRun() || queue_.HasForked()) {
    status = CopyNow(source, made, stream);
  } else if ((work = static_cast<CopyWork*>(HeapAllocateZeroed(1, sizeof(CopyWork)))) == nullptr) {
    status = MakeStatus(Code::kResourceExhausted, "no memory for a copy");
  } else {
    work->queue = &queue_;
    work->stream = stream;
    work->source = source;
    work->copy = made;
    work->mark = [](QueuedWork* self) {
      CopyWork* own = static_cast<CopyWork*>(self);
      own->source->AddRef();
      own->source->AddOwner();
      own->copy->AddRef();
      own->copy->SetReady(own->ticket, own->stream, Buffer::ProgramName());
    };
    work->run = [](QueuedWork* self) {
      CopyWork* own = static_cast<CopyWork*>(self);
      Status done = own->copy->context()->CopyNow(own->source, own->copy, own->stream);
      if (!done.ok()) own->copy->Fail(done);
      own->copy->Resolve(own->ticket, Event(), own->stream);
      return Event();
    };
    work->end = [](QueuedWork* self) {
      CopyWork* own = static_cast<CopyWork*>(self);
      own->source->DropOwner();
      own->source->Release();
      own->copy->Release();
      HeapFree(own);
    };
    status = queue_.Push(work);
    if (!status.ok()) HeapFree(work);
  }
  if (!status.ok()) {
    made->Release();
    return status;
  }
  *copy = made;
  return Status();
}

}  // namespace halyard::runtime
