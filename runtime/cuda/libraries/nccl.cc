#include "runtime/cuda/libraries/nccl.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "runtime/hash.h"
#include "runtime/host.h"

namespace halyard::runtime::cuda {

using namespace nccl_abi;  // NOLINT: the library's names

namespace {

constexpr int kYields = 1000;  // how often a thread that waits for NCCL yields before it sleeps
constexpr useconds_t kSleepMicroseconds = 100;

bool NeedsOthers(const DeviceMove& move) {
  return move.kind != DeviceMove::Kind::kCopy && move.kind != DeviceMove::Kind::kZero;
}

}  // namespace

Status Nccl::Open(const char* path) {
  HY_RETURN_IF_ERROR(file_.Open(path));
  HY_RETURN_IF_ERROR(file_.Find(path, "ncclGetErrorString", &describe_));
  HY_RETURN_IF_ERROR(file_.Find(path, "ncclGetVersion", &ncclGetVersion));
  int version = 0;
  HY_RETURN_IF_ERROR(Check(ncclGetVersion(&version), "ncclGetVersion"));
  if (version < static_cast<int>(kOldestVersion)) {
    return MakeStatus(Code::kFailedPrecondition,
                      "%s is version %d, older than 2.14: update it, or compile with "
                      "--no-libraries",
                      path, version);
  }
#define X(name, parameters) HY_RETURN_IF_ERROR(file_.Find(path, #name, &name));
  HY_NCCL_FUNCTIONS(X)
#undef X
  return Status();
}

Status Nccl::Check(int result, const char* call) const {
  if (result == kSuccess || result == kInProgress) return Status();
  const bool elsewhere = result == kRemoteError || result == kSystemError;
  return MakeStatus(elsewhere ? Code::kUnavailable : Code::kFailedPrecondition,
                    "NCCL: %s: %s (%d): $NCCL_DEBUG=WARN says more; update the library or the "
                    "driver, or compile with --no-libraries",
                    call, describe_(result), result);
}

Status NcclLinks::Open() {
  const Nccl* opened = nullptr;
  HY_RETURN_IF_ERROR(libraries_->OpenNccl(&opened));
  nccl_.store(opened, std::memory_order_release);
  return Status();
}

void NcclLinks::Close() {
  while (kept_ != nullptr) {
    DeviceLink* link = kept_;
    kept_ = link->next;
    Abort(link);
  }
}

Status NcclLinks::Identify(DeviceId* id) {
  static_assert(sizeof(CUuuid) == sizeof(DeviceId));
  CUuuid uuid;
  HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuDeviceGetUuid(&uuid, device_), "cuDeviceGetUuid"));
  memcpy(id->bytes, uuid.bytes, sizeof(id->bytes));
  return Status();
}

Status NcclLinks::NewGroup(DeviceGroupId* id) {
  ContextScope scope(*api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  HY_RETURN_IF_ERROR(Open());
  UniqueId unique = {};
  static_assert(sizeof(unique) == sizeof(*id));
  HY_RETURN_IF_ERROR(nccl()->Check(nccl()->ncclGetUniqueId(&unique), "ncclGetUniqueId"));
  memcpy(id->bytes, unique.bytes, sizeof(id->bytes));
  return Status();
}

// Waits until the library has done what was asked of the communicator.
Status NcclLinks::Await(Communicator* communicator, const char* call,
                        const DeviceWatch& watch) const {
  const uint64_t begin = MonotonicNanoseconds();
  for (int i = 0;; ++i) {
    int state = kSuccess;
    HY_RETURN_IF_ERROR(nccl()->Check(nccl()->ncclCommGetAsyncError(communicator, &state),
                                     "ncclCommGetAsyncError"));
    HY_RETURN_IF_ERROR(nccl()->Check(state, call));
    if (state == kSuccess) return Status();
    if (watch.check != nullptr) HY_RETURN_IF_ERROR(watch.check(watch.user));
    if (watch.timeout_ns != 0 && MonotonicNanoseconds() - begin > watch.timeout_ns) {
      return MakeStatus(Code::kDeadlineExceeded, "NCCL: %s has not ended within %llu s", call,
                        static_cast<unsigned long long>(watch.timeout_ns / 1000000000));
    }
    if (i < kYields) {
      sched_yield();
    } else {
      usleep(kSleepMicroseconds);
    }
  }
}

Status NcclLinks::Join(const DeviceGroupId& id, uint32_t index, uint32_t size, uint64_t key,
                       const DeviceWatch& watch, DeviceLink** link) {
  ContextScope scope(*api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  HY_RETURN_IF_ERROR(Open());
  HY_RETURN_IF_ERROR(memory_->ShareWithPeers());
  Link* made = static_cast<Link*>(HeapAllocateZeroed(1, sizeof(Link)));
  if (made == nullptr) return gpu::OutOfHostMemory("a link of devices");
  made->key = key;
  made->serial = Hash64(id.bytes, sizeof(id.bytes)) | 1;
  UniqueId unique;
  memcpy(unique.bytes, id.bytes, sizeof(id.bytes));
  Config config = kNonBlocking;
  Status status =
      nccl()->Check(nccl()->ncclCommInitRankConfig(&made->communicator, static_cast<int>(size),
                                                   unique, static_cast<int>(index), &config),
                    "ncclCommInitRankConfig");
  if (status.ok()) status = Await(made->communicator, "ncclCommInitRankConfig", watch);
  if (!status.ok()) {
    Abort(made);
    return status;
  }
  *link = made;
  return Status();
}

Status NcclLinks::Move(const DeviceMove& move, Communicator* communicator, CUstream stream) const {
  const auto* from = reinterpret_cast<const void*>(move.from);
  auto* to = reinterpret_cast<void*>(move.to);
  const int peer = static_cast<int>(move.peer);
  switch (move.kind) {
    case DeviceMove::Kind::kSend:
      return nccl()->Check(nccl()->ncclSend(from, move.bytes, kUint8, peer, communicator, stream),
                           "ncclSend");
    case DeviceMove::Kind::kReceive:
      return nccl()->Check(nccl()->ncclRecv(to, move.bytes, kUint8, peer, communicator, stream),
                           "ncclRecv");
    case DeviceMove::Kind::kGather:
      return nccl()->Check(
          nccl()->ncclAllGather(from, to, move.bytes, kUint8, communicator, stream),
          "ncclAllGather");
    case DeviceMove::Kind::kBroadcast:
      return nccl()->Check(
          nccl()->ncclBroadcast(from, to, move.bytes, kUint8, peer, communicator, stream),
          "ncclBroadcast");
    case DeviceMove::Kind::kCopy:
      return ToStatus(*api_, api_->cuMemcpyDtoDAsync(move.to, move.from, move.bytes, stream),
                      "cuMemcpyDtoDAsync");
    case DeviceMove::Kind::kZero:
      return ToStatus(*api_, api_->cuMemsetD8Async(move.to, 0, move.bytes, stream),
                      "cuMemsetD8Async");
  }
  return Status();
}

// One group of calls, because sends and receives that are called one after the other would wait for
// each other.
Status NcclLinks::Enqueue(Link* link, const DeviceMove* moves, uint32_t num_moves, CUstream stream,
                          const DeviceWatch& watch) const {
  bool any = false;
  for (uint32_t i = 0; i < num_moves; ++i) {
    any |= NeedsOthers(moves[i]);
    if (!NeedsOthers(moves[i])) HY_RETURN_IF_ERROR(Move(moves[i], nullptr, stream));
  }
  if (!any) return Status();
  if (link == nullptr) return MakeStatus(Code::kInternal, "an exchange without a link");
  Communicator* communicator = link->communicator;
  HY_RETURN_IF_ERROR(nccl()->Check(nccl()->ncclGroupStart(), "ncclGroupStart"));
  Status status;
  for (uint32_t i = 0; i < num_moves && status.ok(); ++i) {
    if (NeedsOthers(moves[i])) status = Move(moves[i], communicator, stream);
  }
  Status ended = nccl()->Check(nccl()->ncclGroupEnd(), "ncclGroupEnd");
  if (status.ok()) status = static_cast<Status&&>(ended);
  return status.ok() ? Await(communicator, "ncclGroupEnd", watch) : static_cast<Status&&>(status);
}

Status NcclLinks::Exchange(DeviceLink* link, const DeviceMove* moves, uint32_t num_moves,
                           uint32_t stream, const DeviceWatch& watch, Event* done) {
  ContextScope scope(*api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  Streams::Work work;
  HY_RETURN_IF_ERROR(streams_->Begin(stream, &work));
  Status status = Enqueue(static_cast<Link*>(link), moves, num_moves, work.handle, watch);
  // The end of a work that has failed waits for the stream, where a part of an exchange may wait
  // for other members for ever.
  if (!status.ok() && link != nullptr) {
    Link* failed = static_cast<Link*>(link);
    (void)nccl()->ncclCommAbort(failed->communicator);
    failed->communicator = nullptr;
  }
  return streams_->End(stream, static_cast<Status&&>(status), &done->id);
}

Status NcclLinks::Check(DeviceLink* link) {
  Communicator* communicator = static_cast<Link*>(link)->communicator;
  if (communicator == nullptr) return MakeStatus(Code::kAborted, "the link has failed before");
  ContextScope scope(*api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  int state = kSuccess;
  HY_RETURN_IF_ERROR(
      nccl()->Check(nccl()->ncclCommGetAsyncError(communicator, &state), "ncclCommGetAsyncError"));
  return nccl()->Check(state, "the exchange with other devices");
}

void NcclLinks::Abort(DeviceLink* given) {
  Link* link = static_cast<Link*>(given);
  if (link->communicator != nullptr) {
    ContextScope scope(*api_, context_);
    if (scope.current()) (void)nccl()->ncclCommAbort(link->communicator);
  }
  HeapFree(link);
}

void NcclLinks::Keep(DeviceLink* link) {
  gpu::MutexLock lock(&mutex_);
  link->next = kept_;
  kept_ = link;
}

DeviceLink* NcclLinks::Take(uint64_t key) {
  gpu::MutexLock lock(&mutex_);
  for (DeviceLink** at = &kept_; *at != nullptr; at = &(*at)->next) {
    if ((*at)->key != key) continue;
    DeviceLink* found = *at;
    *at = found->next;
    return found;
  }
  return nullptr;
}

}  // namespace halyard::runtime::cuda
