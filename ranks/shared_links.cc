#include "ranks/shared_links.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ranks/free_memory.h"

namespace halyard::ranks {

struct SharedLinks::Bell {
  std::atomic<uint32_t> rung;    // a futex
  std::atomic<uint32_t> asleep;  // whether a thread waits for `rung` to change
  std::atomic<int32_t> waiting;  // threads of this rank that wait for news
};

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kRingsAt = kPage;  // the bell is before them
constexpr uint64_t kLeastPool = 1 << 20;
enum Where : uint64_t { kInRing = 0, kInPool = 1 };

struct BodyPlace {
  uint64_t where, offset;
};

template <typename T>
absl::string_view BytesOf(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

long Futex(std::atomic<uint32_t>* word, int operation, uint32_t value) {
  return syscall(SYS_futex, reinterpret_cast<uint32_t*>(word), operation, value, nullptr, nullptr,
                 0);
}

void Wake(std::atomic<uint32_t>* word) {
  word->fetch_add(1);
  (void)Futex(word, FUTEX_WAKE, INT_MAX);
}

std::shared_ptr<uint8_t> FromMalloc(uint64_t bytes) {
  auto* memory = static_cast<uint8_t*>(malloc(std::max<uint64_t>(bytes, 1)));
  return memory == nullptr ? nullptr : std::shared_ptr<uint8_t>(memory, free);
}

// The body drops its use of the block in the end, and keeps the memory mapped until then.
std::shared_ptr<uint8_t> FromPool(std::shared_ptr<SharedSegment> segment, uint8_t* block) {
  return std::shared_ptr<uint8_t>(
      block, [kept = std::move(segment)](uint8_t* bytes) { SharedPool::DropUse(bytes); });
}

}  // namespace

absl::StatusOr<SharedMemoryOptions> SharedMemoryOptions::ForRanks(int ranks_here) {
  SharedMemoryOptions options;
  options.ranks_here = ranks_here;
  if (ranks_here > 1) options.most_bytes = ShareOfMemory(OwnMemoryLimits(), ranks_here);
  const char* text = getenv("HALYARD_SHARED_MEMORY");
  if (text == nullptr || *text == '\0') return options;
  uint32_t megabytes = 0;
  if (!absl::SimpleAtoi(text, &megabytes)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "$HALYARD_SHARED_MEMORY is the most MiB that each rank shares, not \"", text, "\""));
  }
  options.most_bytes = std::min(options.most_bytes, uint64_t{megabytes} << 20);
  return options;
}

SharedLinks::Bell& SharedLinks::BellOf(const SharedSegment& segment) {
  return *reinterpret_cast<Bell*>(segment.data() + SharedSegment::kHeaderBytes);
}

uint64_t SharedLinks::RingOffset(int to) const {
  return kRingsAt + static_cast<uint64_t>(to) * SharedRing::kBytes;
}

SharedLinks::SharedLinks(int rank, int size, const SharedMemoryOptions& options)
    : rank_(rank), size_(size) {
  static_assert(SharedSegment::kHeaderBytes + sizeof(Bell) <= kRingsAt);
  static_assert(SharedRing::kBytes % kPage == 0);
  static_assert(std::atomic<uint32_t>::is_always_lock_free);
  for (int i = 0; i < size; ++i) peers_.push_back(std::make_unique<Peer>());
  const uint64_t pool_at = RingOffset(size);
  if (options.most_bytes < pool_at + kLeastPool) return;
  absl::StatusOr<std::shared_ptr<SharedSegment>> made =
      SharedSegment::Create(options.most_bytes / kPage * kPage);
  if (!made.ok() || !(*made)->Commit(0, kRingsAt)) return;  // sockets do without
  own_ = *std::move(made);
  const auto free_memory = [] { return FreeMemory(); };
  pool_ = std::make_unique<SharedPool>(
      own_, pool_at, options.free_memory == nullptr ? free_memory : options.free_memory,
      2 * static_cast<uint64_t>(std::max(options.ranks_here, 1)));
}

std::string SharedLinks::Offer() const { return own_ == nullptr ? "" : own_->Name(); }

bool SharedLinks::Accept(int rank, const std::string& offer) {
  if (own_ == nullptr || offer.empty() || peer(rank).mapped) return false;
  absl::StatusOr<std::shared_ptr<SharedSegment>> opened = SharedSegment::Open(offer);
  if (!opened.ok() || (*opened)->bytes() < RingOffset(size_)) return false;
  // Put needs this memory, and waits until this function has returned true. The other rank takes
  // memory for the ring from there in the same way.
  if (!own_->Commit(RingOffset(rank), SharedRing::kBytes)) return false;
  peer(rank).segment = *std::move(opened);
  peer(rank).from = SharedRing(peer(rank).segment->data() + RingOffset(rank_));
  peer(rank).to = SharedRing(own_->data() + RingOffset(rank));
  peer(rank).mapped = true;
  return true;
}

void SharedLinks::Confirm(int rank) {
  if (own_ == nullptr || peer(rank).confirmed.exchange(true)) return;
  ++links_;
}

std::shared_ptr<uint8_t> SharedLinks::NewBody(uint64_t bytes) {
  if (links_ > 0 && bytes > kMostInRing) {
    if (uint8_t* block = pool_->Allocate(bytes); block != nullptr) return FromPool(own_, block);
  }
  return FromMalloc(bytes);
}

bool SharedLinks::Put(int rank, const FrameHeader& header, const std::string& head,
                      const std::shared_ptr<const uint8_t>& body) {
  Peer& to = peer(rank);
  if (!CanPut(rank)) return false;
  const bool in_pool = body != nullptr && pool_->Owns(body.get());
  if (!in_pool && header.body_bytes > kMostInRing) return false;
  if (!in_pool) {
    const absl::string_view bytes(reinterpret_cast<const char*>(body.get()),
                                  body == nullptr ? 0 : header.body_bytes);
    return to.to.Put({BytesOf(header), BytesOf(BodyPlace{kInRing, 0}), head, bytes});
  }
  auto* block = const_cast<uint8_t*>(body.get());
  SharedPool::AddUse(block);
  if (to.to.Put({BytesOf(header), BytesOf(BodyPlace{kInPool, pool_->OffsetOf(block)}), head}))
    return true;
  SharedPool::DropUse(block);
  return false;
}

void SharedLinks::Ring(int rank, bool urgent) {
  Bell& bell = BellOf(*peer(rank).segment);
  // SharedRing::Put and these are sequentially consistent, as are Sleep and SharedRing::empty. So
  // either this sees that the other sleeps, or the other sees what was put.
  if (bell.asleep != 0 && (urgent || bell.waiting > 0)) Wake(&bell.rung);
}

bool SharedLinks::HasFrame(int rank) const { return peer(rank).mapped && !peer(rank).from.empty(); }

bool SharedLinks::Peek(int rank, FrameHeader* header) const {
  bool broken = false;
  const absl::string_view message = peer(rank).from.Front(&broken);
  if (broken || message.size() < sizeof(FrameHeader) + sizeof(BodyPlace)) return false;
  memcpy(header, message.data(), sizeof(*header));
  return header->IsGood();
}

bool SharedLinks::Take(int rank, Frame* frame) {
  FrameHeader header;
  if (!Peek(rank, &header)) return false;
  Peer& from = peer(rank);
  bool broken = false;
  absl::string_view message = from.from.Front(&broken);
  message.remove_prefix(sizeof(header));
  BodyPlace place;
  memcpy(&place, message.data(), sizeof(place));
  message.remove_prefix(sizeof(place));
  if (broken || message.size() < header.head_bytes) return false;
  frame->kind = header.kind;
  frame->run = header.run;
  frame->head = std::string(message.substr(0, header.head_bytes));
  message.remove_prefix(header.head_bytes);
  frame->body = nullptr;
  frame->body_bytes = header.body_bytes;
  if (place.where == kInPool) {
    uint8_t* block = SharedPool::BlockAt(*from.segment, place.offset, header.body_bytes);
    if (block == nullptr) return false;
    frame->body = FromPool(from.segment, block);
  } else if (message.size() != header.body_bytes) {
    return false;
  } else if (!message.empty()) {
    frame->body = FromMalloc(message.size());
    if (frame->body == nullptr) return false;
    memcpy(frame->body.get(), message.data(), message.size());
  }
  from.from.Pop();
  return true;
}

void SharedLinks::Sleep(const std::function<bool()>& has_news) {
  if (own_ == nullptr || stopped_) return;
  Bell& bell = BellOf(*own_);
  const uint32_t rung = bell.rung;
  bell.asleep = 1;
  if (!has_news() && !stopped_) (void)Futex(&bell.rung, FUTEX_WAIT, rung);
  bell.asleep = 0;
}

void SharedLinks::Stop() {
  stopped_ = true;
  if (own_ != nullptr) Wake(&BellOf(*own_).rung);
}

void SharedLinks::AddWaiting(int threads) {
  if (own_ != nullptr) BellOf(*own_).waiting += threads;
}

}  // namespace halyard::ranks
