#include "tests/fakes/ptx/memory.h"

#include <algorithm>
#include <cstdio>

#include "tests/fakes/ptx/order.h"

namespace halyard::testing::ptx {

std::string Tag::Describe() const {
  if (bits_ == kManyBlocks) return "several blocks";
  const std::string where = "block " + std::to_string(block());
  if (thread() == kMany) return "several threads of " + where;
  return "thread " + std::to_string(thread()) + " of " + where;
}

Tag Tag::With(Tag next) const {
  if (none() || bits_ == next.bits_) return next;
  if (bits_ == kManyBlocks || bits_ >> 36 != next.bits_ >> 36) return Tag(kManyBlocks);
  if ((bits_ >> 10 & 0x7fff) != (next.bits_ >> 10 & 0x7fff)) return next;
  if (thread() == next.thread()) return next;
  return Tag((next.bits_ & ~(uint64_t{0x7ff} << 25)) | uint64_t{kMany} << 25);
}

namespace {

bool IsUnordered(Tag tag, Tag earlier, const BlockOrder* order) {
  if (!tag.Unordered(earlier)) return false;
  return order == nullptr || tag.block() == earlier.block() || !order->Knows(tag.thread(), earlier);
}

}  // namespace

std::string CheckRead(Shadow* shadow, uint32_t bytes, Tag tag, const BlockOrder* order) {
  for (uint32_t i = 0; i < bytes; ++i) {
    const Tag writer(shadow[i].writer.load(std::memory_order_relaxed));
    if (IsUnordered(tag, writer, order)) {
      return "reads what " + writer.Describe() + " writes, with no barrier between";
    }
    const Tag reader(shadow[i].reader.load(std::memory_order_relaxed));
    if (reader.bits() != tag.bits()) {
      shadow[i].reader.store(reader.With(tag).bits(), std::memory_order_relaxed);
    }
  }
  return "";
}

std::string CheckWrite(Shadow* shadow, uint32_t bytes, Tag tag, uint8_t* old, const uint8_t* fresh,
                       const BlockOrder* order) {
  for (uint32_t i = 0; i < bytes; ++i) {
    const Tag writer(shadow[i].writer.load(std::memory_order_acquire));
    if (IsUnordered(tag, writer, order) && old[i] != fresh[i]) {
      return "writes what " + writer.Describe() + " writes differently, with no barrier between";
    }
    const Tag reader(shadow[i].reader.load(std::memory_order_relaxed));
    const bool many = reader.bits() == Tag::kManyBlocks;
    if ((many || IsUnordered(tag, reader, order)) && old[i] != fresh[i]) {
      return "writes what " + reader.Describe() + " read, with no barrier between";
    }
    // The byte is written before its tag. A block on another host thread that sees the tag then
    // compares with the byte just written, not with the one before.
    old[i] = fresh[i];
    shadow[i].writer.store(tag.bits(), std::memory_order_release);
  }
  return "";
}

void SharedMemory::Reset(size_t size, bool check) {
  epoch = 0;
  bytes.assign(size, 0xff);
  pending.assign(size, 0);
  proxies.assign(tracks_proxies ? size : 0, 0);
  if (!check) {
    shadow = nullptr;
    return;
  }
  if (shadow == nullptr || shadow_bytes != size) {
    shadow = std::make_unique<Shadow[]>(size);
    shadow_bytes = size;
    return;
  }
  for (size_t i = 0; i < size; ++i) {
    shadow[i].writer.store(0, std::memory_order_relaxed);
    shadow[i].reader.store(0, std::memory_order_relaxed);
  }
}

void GlobalMemory::Add(uint64_t begin, uint64_t bytes, bool writable) {
  Range range;
  range.begin = begin;
  range.bytes = bytes;
  range.writable = writable;
  ranges_.push_back(std::move(range));
}

void GlobalMemory::Finish(bool check) {
  check_ = check;
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  // Every four bytes of memory need 64 bytes of shadow. Memory beyond this limit is not checked for
  // races.
  pages_left_ = (size_t{256} << 20) / (kPage * sizeof(Shadow));
  if (!check) return;
  for (Range& range : ranges_) {
    range.pages = std::make_unique<std::atomic<Shadow*>[]>((range.bytes + kPage - 1) / kPage);
  }
}

GlobalMemory::~GlobalMemory() {
  for (Range& range : ranges_) {
    if (range.pages == nullptr) continue;
    for (uint64_t i = 0; i < (range.bytes + kPage - 1) / kPage; ++i) delete[] range.pages[i].load();
  }
}

const GlobalMemory::Range* GlobalMemory::Find(uint64_t address, uint64_t bytes) const {
  auto it = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                             [](uint64_t a, const Range& range) { return a < range.begin; });
  if (it == ranges_.begin()) return nullptr;
  --it;
  const uint64_t at = address - it->begin;
  return at <= it->bytes && bytes <= it->bytes - at ? &*it : nullptr;
}

Shadow* GlobalMemory::Page(const Range& range, uint64_t index) {
  std::atomic<Shadow*>& page = range.pages[index];
  Shadow* found = page.load(std::memory_order_acquire);
  if (found != nullptr) return found;
  if (pages_left_.load(std::memory_order_relaxed) == 0) return nullptr;
  Shadow* fresh = new Shadow[kPage];
  if (page.compare_exchange_strong(found, fresh, std::memory_order_acq_rel)) {
    pages_left_.fetch_sub(1, std::memory_order_relaxed);
    return fresh;
  }
  delete[] fresh;
  return found;
}

namespace {

void Append(std::vector<Interval>* intervals, uint64_t address) {
  if (!intervals->empty() && intervals->back().end == address) {
    ++intervals->back().end;
  } else {
    intervals->push_back({address, address + 1});
  }
}

uint64_t FirstCommon(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const uint64_t begin = std::max(a[i].begin, b[j].begin);
    if (begin < std::min(a[i].end, b[j].end)) return begin;
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return 0;
}

}  // namespace

void AddTo(const Footprint& footprint, Footprint* sum) {
  const auto add = [](const std::vector<Interval>& from, std::vector<Interval>* to) {
    to->insert(to->end(), from.begin(), from.end());
    std::sort(to->begin(), to->end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    size_t kept = 0;
    for (const Interval& interval : *to) {
      if (kept > 0 && interval.begin <= (*to)[kept - 1].end) {
        (*to)[kept - 1].end = std::max((*to)[kept - 1].end, interval.end);
      } else {
        (*to)[kept++] = interval;
      }
    }
    to->resize(kept);
  };
  add(footprint.reads, &sum->reads);
  add(footprint.writes, &sum->writes);
}

uint64_t FindConflict(const Footprint& a, const Footprint& b) {
  if (const uint64_t at = FirstCommon(a.writes, b.writes)) return at;
  if (const uint64_t at = FirstCommon(a.writes, b.reads)) return at;
  return FirstCommon(a.reads, b.writes);
}

Footprint GlobalMemory::Accessed() const {
  Footprint footprint;
  for (const Range& range : ranges_) {
    for (uint64_t p = 0; range.pages != nullptr && p * kPage < range.bytes; ++p) {
      const Shadow* page = range.pages[p].load(std::memory_order_relaxed);
      const uint64_t begin = range.begin + p * kPage;
      for (uint64_t i = 0; page != nullptr && i < kPage; ++i) {
        if (page[i].reader.load(std::memory_order_relaxed) != 0) {
          Append(&footprint.reads, begin + i);
        }
        if (page[i].writer.load(std::memory_order_relaxed) != 0) {
          Append(&footprint.writes, begin + i);
        }
      }
    }
  }
  return footprint;
}

std::string GlobalMemory::Describe(uint64_t address) const {
  char text[160];
  auto it = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                             [](uint64_t a, const Range& range) { return a < range.begin; });
  if (it == ranges_.begin()) {
    std::snprintf(text, sizeof(text), "0x%llx, below all allocations",
                  static_cast<unsigned long long>(address));
    return text;
  }
  --it;
  std::snprintf(text, sizeof(text), "0x%llx, %lld bytes behind the start of one of %llu",
                static_cast<unsigned long long>(address),
                static_cast<long long>(address - it->begin),
                static_cast<unsigned long long>(it->bytes));
  return text;
}

}  // namespace halyard::testing::ptx
