#include "ranks/shared_pool.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <new>
#include <utility>

namespace halyard::ranks {
namespace {

using Uses = std::atomic<uint32_t>;
static_assert(Uses::is_always_lock_free, "processes share it");

constexpr uint64_t kHeader = SharedPool::kAlignment;  // holds the block's Uses
constexpr uint64_t kLeastGrowth = 1 << 20;

Uses& UsesOf(uint8_t* block) { return *reinterpret_cast<Uses*>(block - kHeader); }

}  // namespace

SharedPool::SharedPool(std::shared_ptr<SharedSegment> segment, uint64_t begin,
                       std::function<uint64_t()> free_memory, uint64_t divisor)
    : segment_(std::move(segment)),
      begin_((begin + kAlignment - 1) / kAlignment * kAlignment),
      free_memory_(std::move(free_memory)),
      divisor_(std::max<uint64_t>(divisor, 1)),
      end_(begin_) {}

uint8_t* SharedPool::Allocate(uint64_t bytes) {
  if (bytes > segment_->bytes()) return nullptr;
  const uint64_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment + kHeader;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto fits = [size](const std::pair<const uint64_t, uint64_t>& gap) {
    return gap.second >= size;
  };
  auto gap = std::find_if(free_.begin(), free_.end(), fits);
  if (gap == free_.end()) {
    Collect();
    gap = std::find_if(free_.begin(), free_.end(), fits);
  }
  if (gap == free_.end()) {
    if (!Grow(size)) return nullptr;
    gap = std::prev(free_.end());
  }
  const uint64_t offset = gap->first, rest = gap->second - size;
  free_.erase(gap);
  if (rest > 0) free_[offset + size] = rest;
  in_use_[offset] = size;
  uint8_t* block = segment_->data() + offset + kHeader;
  new (&UsesOf(block)) Uses(1);
  return block;
}

void SharedPool::Collect() {
  for (auto one = in_use_.begin(); one != in_use_.end();) {
    // Acquires what the readers have done, who must not see what the block holds next.
    if (UsesOf(segment_->data() + one->first + kHeader).load(std::memory_order_acquire) != 0) {
      ++one;
      continue;
    }
    Free(one->first, one->second);
    one = in_use_.erase(one);
  }
}

void SharedPool::Free(uint64_t offset, uint64_t bytes) {
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && offset + bytes == next->first) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      before->second += bytes;
      return;
    }
  }
  free_[offset] = bytes;
}

// Makes the last gap at least `bytes` long.
bool SharedPool::Grow(uint64_t bytes) {
  uint64_t last = 0;  // bytes of the gap at the end
  if (!free_.empty() && std::prev(free_.end())->first + std::prev(free_.end())->second == end_)
    last = std::prev(free_.end())->second;
  const uint64_t needed = bytes - last, left = segment_->bytes() - end_;
  if (needed > left) return false;
  const uint64_t more = std::min(std::max(needed, kLeastGrowth), left);
  if (more > free_memory_() / divisor_ || !segment_->Commit(end_, more)) return false;
  Free(end_, more);
  end_ += more;
  return true;
}

bool SharedPool::Owns(const uint8_t* block) const {
  return block >= segment_->data() && block < segment_->data() + segment_->bytes();
}

uint64_t SharedPool::OffsetOf(const uint8_t* block) const {
  return static_cast<uint64_t>(block - segment_->data());
}

uint64_t SharedPool::taken() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return end_ - begin_;
}

void SharedPool::AddUse(uint8_t* block) { UsesOf(block).fetch_add(1, std::memory_order_relaxed); }

void SharedPool::DropUse(uint8_t* block) { UsesOf(block).fetch_sub(1, std::memory_order_release); }

uint8_t* SharedPool::BlockAt(const SharedSegment& segment, uint64_t offset, uint64_t bytes) {
  if (offset % kAlignment != 0 || offset < SharedSegment::kHeaderBytes + kHeader ||
      offset > segment.bytes() || bytes > segment.bytes() - offset)
    return nullptr;
  return segment.data() + offset;
}

}  // namespace halyard::ranks
