#include "ranks/shared_ring.h"

#include <atomic>
#include <cstring>

namespace halyard::ranks {

// Counts of bytes since the beginning.
struct SharedRing::Ends {
  alignas(64) std::atomic<uint64_t> written;
  alignas(64) std::atomic<uint64_t> read;
};

namespace {

using Length = uint64_t;              // comes before each message, and keeps it aligned
constexpr Length kSkip = ~Length{0};  // the next message is at the beginning
constexpr uint64_t kCapacity = SharedRing::kBytes - 128;

uint64_t Rounded(uint64_t bytes) {
  return (bytes + sizeof(Length) - 1) / sizeof(Length) * sizeof(Length);
}

}  // namespace

SharedRing::Ends& SharedRing::ends() const { return *reinterpret_cast<Ends*>(memory_); }

uint8_t* SharedRing::messages() const { return memory_ + sizeof(Ends); }

bool SharedRing::Put(std::initializer_list<absl::string_view> parts) {
  static_assert(sizeof(Ends) == 128 && std::atomic<uint64_t>::is_always_lock_free);
  Length length = 0;
  for (const absl::string_view part : parts) length += part.size();
  if (length > kMostMessage) return false;
  const uint64_t size = sizeof(Length) + Rounded(length);
  uint64_t written = ends().written.load(std::memory_order_relaxed);
  const uint64_t at = written % kCapacity;
  // A message is in one piece.
  const uint64_t skipped = at + size > kCapacity ? kCapacity - at : 0;
  const uint64_t used = written - ends().read.load(std::memory_order_acquire);
  if (used + skipped + size > kCapacity) return false;
  if (skipped > 0) {
    memcpy(messages() + at, &kSkip, sizeof(kSkip));
    written += skipped;
  }
  uint8_t* to = messages() + written % kCapacity;
  memcpy(to, &length, sizeof(length));
  to += sizeof(length);
  for (const absl::string_view part : parts) {
    if (!part.empty()) memcpy(to, part.data(), part.size());
    to += part.size();
  }
  ends().written.store(written + size);
  return true;
}

bool SharedRing::empty() const {
  return memory_ == nullptr || ends().written.load() == ends().read.load(std::memory_order_relaxed);
}

absl::string_view SharedRing::Front(bool* broken) const {
  const uint64_t read = ends().read.load(std::memory_order_relaxed);
  uint64_t at = read % kCapacity;
  Length length = 0;
  memcpy(&length, messages() + at, sizeof(length));
  if (length == kSkip) {
    at = 0;
    memcpy(&length, messages(), sizeof(length));
  }
  *broken = length > kMostMessage || at + sizeof(length) + Rounded(length) > kCapacity;
  if (*broken) return {};
  return {reinterpret_cast<const char*>(messages() + at + sizeof(length)), length};
}

void SharedRing::Pop() {
  uint64_t read = ends().read.load(std::memory_order_relaxed);
  Length length = 0;
  memcpy(&length, messages() + read % kCapacity, sizeof(length));
  if (length == kSkip) {
    read += kCapacity - read % kCapacity;
    memcpy(&length, messages(), sizeof(length));
  }
  ends().read.store(read + sizeof(length) + Rounded(length), std::memory_order_release);
}

}  // namespace halyard::ranks
