// Copies between a block and CPU memory that the driver has not pinned, through a ring of pinned
// pieces, so that the host never waits. A second stream runs the CPU's half of each piece's copy
// (by the driver's own thread), which overlaps with the device's half of the piece before.
#ifndef HALYARD_RUNTIME_CUDA_STAGING_H_
#define HALYARD_RUNTIME_CUDA_STAGING_H_

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "runtime/cuda/api.h"

namespace halyard::runtime::cuda {

// The staging of one stream, used between its Begin and End. The context is current.
class Staging {
 public:
  Staging() = default;
  ~Staging() { FreeTasks(false); }  // for cases in which Destroy could not be called
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  void Init(const Api* api, CUstream stream) {
    api_ = api;
    stream_ = stream;
  }
  // Call this when the stream's work is done.
  void Destroy();
  // Waits for what was enqueued, after an error.
  void Synchronize();

  // Enqueues a copy. `host` is read or written until the stream has passed it.
  Status Upload(const void* host, CUdeviceptr device, uint64_t bytes);
  Status Download(CUdeviceptr device, void* host, uint64_t bytes);
  // Enqueues a copy by the CPU, in the order of the stream.
  Status CopyOnHost(void* to, const void* from, uint64_t bytes);

  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kPieceBytes = 2 << 20;
  static constexpr uint32_t kPieces = 4;

  struct Piece {
    CUevent filled = nullptr, freed = nullptr;
    bool used = false;  // whether `freed` was recorded
  };
  // One CPU copy that the driver's thread makes.
  struct Task {
    void* to;
    const void* from;
    size_t bytes;
    std::atomic<bool> done;
    Task* next;
  };
  static void CUDA_CB RunTask(void* task);

  Status Prepare();
  bool IsPinned(const void* host, uint64_t bytes) const;
  Status AddTask(CUstream stream, void* to, const void* from, size_t bytes);
  void FreeTasks(bool all);
  Status After(CUstream stream, CUevent event);
  Status Mark(CUevent event, CUstream stream);
  bool IsFree(const Piece& piece) const;
  uint8_t* PieceMemory(uint32_t index) const {
    return static_cast<uint8_t*>(memory_) + index * kPieceBytes;
  }

  const Api* api_ = nullptr;
  CUstream stream_ = nullptr;  // not owned
  CUstream helper_ = nullptr;
  void* memory_ = nullptr;
  std::atomic<uint64_t> bytes_{0};
  Piece pieces_[kPieces];
  uint32_t next_ = 0;
  Task* tasks_ = nullptr;
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_STAGING_H_
