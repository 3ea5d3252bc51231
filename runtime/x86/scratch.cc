#include "runtime/x86/scratch.h"

#include <sys/mman.h>

#include "runtime/host.h"

namespace halyard::runtime::x86 {
namespace {

// The largest alignment that Halide's own runtime gives on x86.
constexpr uint64_t kAlignment = 128;
constexpr uint64_t kReservedPieces = 64;
constexpr uint64_t kMaxPiece = uint64_t{1} << 39;

}  // namespace

// This header lies in the 128 bytes before each piece.
struct ScratchRegion::Header {
  Header* below;   // the piece below it in the region
  uint64_t bytes;  // with this header
  bool is_free;
  bool on_heap;
};

ScratchRegion::~ScratchRegion() { Unmap(); }

void ScratchRegion::Unmap() {
  if (from_heap_) {
    HeapFree(base_);
  } else if (base_ != nullptr) {
    munmap(base_, size_);
  }
}

uint64_t ScratchRegion::SizeFor(uint64_t bytes) {
  return bytes == 0 ? 0 : (bytes + 2 * kAlignment * kReservedPieces + 4095) / 4096 * 4096;
}

Status ScratchRegion::Reserve(uint64_t bytes) {
  const uint64_t wanted = SizeFor(bytes);
  if (wanted <= size_ || used_ != 0) return Status();
  // The new region is made before the old one is freed, so that a failure leaves the old one in
  // use.
  const bool from_heap = CurrentHost().allocator.is_given();
  void* base =
      from_heap ? HeapAllocateAligned(kAlignment, wanted)
                : mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == nullptr || base == MAP_FAILED) {
    return MakeStatus(Code::kResourceExhausted, "no memory for %llu bytes of scratch",
                      static_cast<unsigned long long>(wanted));
  }
  Unmap();
  base_ = static_cast<uint8_t*>(base);
  from_heap_ = from_heap;
  size_ = wanted;
  return Status();
}

void* ScratchRegion::Allocate(uint64_t bytes) {
  if (bytes > kMaxPiece) return nullptr;
  const uint64_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment + kAlignment;
  Header* header;
  if (whole <= size_ - used_) {
    header = reinterpret_cast<Header*>(base_ + used_);
    *header = {top_, whole, false, false};
    top_ = header;
    used_ += whole;
  } else {
    header = static_cast<Header*>(HeapAllocateAligned(kAlignment, whole));
    if (header == nullptr) return nullptr;
    *header = {nullptr, whole, false, true};
    heap_bytes_ += whole;
    ++heap_allocations_;
  }
  if (used_ + heap_bytes_ > peak_) peak_ = used_ + heap_bytes_;
  return reinterpret_cast<uint8_t*>(header) + kAlignment;
}

void ScratchRegion::Free(void* piece) {
  if (piece == nullptr) return;
  Header* header = reinterpret_cast<Header*>(static_cast<uint8_t*>(piece) - kAlignment);
  if (header->on_heap) {
    heap_bytes_ -= header->bytes;
    HeapFree(header);
    return;
  }
  header->is_free = true;
  while (top_ != nullptr && top_->is_free) {
    used_ -= top_->bytes;
    top_ = top_->below;
  }
}

void ScratchRegion::GrowToPeak() {
  // If there is no memory for this, the region stays as it is, which is slower but correct.
  if (peak_ > size_ && used_ == 0 && heap_bytes_ == 0) (void)Reserve(peak_).ok();
}

}  // namespace halyard::runtime::x86
