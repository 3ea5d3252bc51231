// NCCL, which moves bytes between the memories of several devices.
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_NCCL_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_NCCL_H_

#include <atomic>

#include "runtime/cuda/libraries/library.h"
#include "runtime/cuda/libraries/nccl_abi.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/streams.h"
#include "runtime/device_links.h"
#include "runtime/status.h"

namespace halyard::runtime::cuda {

class Nccl {
 public:
  Nccl() = default;
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  // kFailedPrecondition if the library is older than 2.14, which has no calls that do not wait.
  Status Open(const char* path);
  // Returns OK for success and for kInProgress.
  Status Check(int result, const char* call) const;

  using Communicator = nccl_abi::Communicator;
  using UniqueId = nccl_abi::UniqueId;
  using Config = nccl_abi::Config;
#define X(name, parameters) int(*name) parameters = nullptr;
  HY_NCCL_FUNCTIONS(X)
#undef X

 private:
  const char* (*describe_)(int) = nullptr;
  SharedObject file_;
};

// A device's part in groups of devices. A link is a communicator. No call waits inside of NCCL: the
// communicators are of the kind that does not block, so a member that never comes ends nothing but
// the watch's patience. They are freed by ncclCommAbort alone, because ncclCommDestroy may wait for
// others.
class NcclLinks final : public DeviceLinks {
 public:
  NcclLinks() = default;
  NcclLinks(const NcclLinks&) = delete;
  NcclLinks& operator=(const NcclLinks&) = delete;

  void Init(const Api* api, CUdevice device, CUcontext context, Libraries* libraries,
            Memory* memory, Streams* streams) {
    api_ = api;
    device_ = device;
    context_ = context;
    libraries_ = libraries;
    memory_ = memory;
    streams_ = streams;
  }
  void Close();  // the context is current; aborts what is kept

  Status Identify(DeviceId* id) override;
  Status NewGroup(DeviceGroupId* id) override;
  Status Join(const DeviceGroupId& id, uint32_t index, uint32_t size, uint64_t key,
              const DeviceWatch& watch, DeviceLink** link) override;
  Status Exchange(DeviceLink* link, const DeviceMove* moves, uint32_t num_moves, uint32_t stream,
                  const DeviceWatch& watch, Event* done) override;
  Status Check(DeviceLink* link) override;
  void Abort(DeviceLink* link) override;
  void Keep(DeviceLink* link) override;
  DeviceLink* Take(uint64_t key) override;

 private:
  struct Link : DeviceLink {
    nccl_abi::Communicator* communicator;
  };

  Status Open();
  const Nccl* nccl() const { return nccl_.load(std::memory_order_acquire); }
  Status Move(const DeviceMove& move, nccl_abi::Communicator* communicator, CUstream stream) const;
  Status Enqueue(Link* link, const DeviceMove* moves, uint32_t num_moves, CUstream stream,
                 const DeviceWatch& watch) const;
  Status Await(nccl_abi::Communicator* communicator, const char* call,
               const DeviceWatch& watch) const;

  const Api* api_ = nullptr;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  Libraries* libraries_ = nullptr;
  Memory* memory_ = nullptr;
  Streams* streams_ = nullptr;
  // Set by the first NewGroup or Join. Whoever has a link has called one of them.
  std::atomic<const Nccl*> nccl_ = nullptr;
  gpu::Mutex mutex_;  // guards the next member
  DeviceLink* kept_ = nullptr;
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_NCCL_H_
