// Memory as kernels see it, with checks that a GPU does not make: bounds, initialization, and
// unordered accesses of several threads.
#ifndef HALYARD_TESTS_FAKES_PTX_MEMORY_H_
#define HALYARD_TESTS_FAKES_PTX_MEMORY_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace halyard::testing::ptx {

// States who accessed a byte last, and when: the block, the thread of the block, the number of
// barriers that the block has passed, and of bar.warp.syncs that the warp has passed. 0 means
// nobody.
class Tag {
 public:
  Tag() = default;
  explicit Tag(uint64_t bits) : bits_(bits) {}
  Tag(uint32_t block, uint32_t thread, uint32_t epoch, uint32_t warp_epoch)
      : bits_((uint64_t{block} + 1) << 36 | uint64_t{thread & 0x7ff} << 25 |
              uint64_t{epoch & 0x7fff} << 10 | (warp_epoch & 0x3ff)) {}

  uint64_t bits() const { return bits_; }
  bool none() const { return bits_ == 0; }
  uint32_t block() const { return static_cast<uint32_t>(bits_ >> 36) - 1; }
  uint32_t thread() const { return bits_ >> 25 & 0x7ff; }
  uint32_t epoch() const { return bits_ >> 10 & 0x7fff; }
  std::string Describe() const;

  // Returns whether the two accesses are unordered: they come from different blocks, or from
  // different threads without a barrier between them.
  bool Unordered(Tag other) const {
    if (bits_ == other.bits_ || none() || other.none()) return false;
    if (bits_ >> 36 != other.bits_ >> 36) return true;
    if (thread() == other.thread() && thread() != kMany) return false;
    if ((bits_ >> 10 & 0x7fff) != (other.bits_ >> 10 & 0x7fff)) return false;
    const bool same_warp = thread() / 32 == other.thread() / 32;
    return !same_warp || (bits_ & 0x3ff) == (other.bits_ & 0x3ff);
  }
  // Merges this tag with `next`, for bytes that several threads read.
  Tag With(Tag next) const;

  static constexpr uint32_t kMany = 0x7ff;  // several threads of a block
  static constexpr uint64_t kManyBlocks = ~uint64_t{0};

 private:
  uint64_t bits_ = 0;
};

struct Shadow {
  std::atomic<uint64_t> writer{0}, reader{0};
};

// Checks one access to bytes whose shadows start at `shadow`. Returns "" or an error message. For
// writes, `old` and `fresh` are the bytes before and after: threads may write the same byte without
// order if they write equal values. CheckWrite writes the bytes that pass.
// `order`, if not null, knows which accesses of other blocks come before.
class BlockOrder;
std::string CheckRead(Shadow* shadow, uint32_t bytes, Tag tag, const BlockOrder* order = nullptr);
std::string CheckWrite(Shadow* shadow, uint32_t bytes, Tag tag, uint8_t* old, const uint8_t* fresh,
                       const BlockOrder* order = nullptr);

// The shared memory of a block. Its first byte is at kSharedBase of the window.
struct SharedMemory {
  std::vector<uint8_t> bytes;
  std::unique_ptr<Shadow[]> shadow;  // null if there are no checks
  std::vector<uint8_t> pending;      // 1: an asynchronous copy is under way to this byte
  bool tracks_proxies = false;
  std::vector<uint16_t> proxies;  // how far wgmma sees each byte (proxy.h), if it tracks them
  size_t shadow_bytes = 0;
  uint32_t epoch = 0;  // barriers passed
  bool check_uninitialised = false;

  void Reset(size_t size, bool check);
};

struct Interval {
  uint64_t begin = 0, end = 0;  // addresses
};
// What a launch read and wrote, by ascending address.
struct Footprint {
  std::vector<Interval> reads, writes;
};
void AddTo(const Footprint& footprint, Footprint* sum);
// Returns an address that one of the two writes and the other accesses, or 0 if there is none.
uint64_t FindConflict(const Footprint& a, const Footprint& b);

// The live allocations of a device, and their shadows during one launch.
class GlobalMemory {
 public:
  struct Range {
    uint64_t begin = 0, bytes = 0;
    bool writable = true;
    std::unique_ptr<std::atomic<Shadow*>[]> pages;  // each page is allocated when first accessed
  };

  void Add(uint64_t begin, uint64_t bytes, bool writable);
  void Finish(bool check);  // after the last Add
  ~GlobalMemory();

  // Returns null if the bytes are not in one live allocation.
  const Range* Find(uint64_t address, uint64_t bytes) const;
  // Calls `check(shadow, bytes, begin)` for each part of the access that lies in one page. Stops at
  // a message.
  template <typename Check>
  std::string ForShadow(const Range& range, uint64_t address, uint32_t bytes, const Check& check);
  bool checks() const { return check_; }
  Footprint Accessed() const;                    // names the allocation before it
  std::string Describe(uint64_t address) const;  // names the allocations nearby

  std::mutex atomics;

 private:
  static constexpr uint64_t kPage = 4096;
  Shadow* Page(const Range& range, uint64_t index);

  std::vector<Range> ranges_;
  bool check_ = false;
  std::atomic<uint64_t> pages_left_{0};
};

template <typename Check>
std::string GlobalMemory::ForShadow(const Range& range, uint64_t address, uint32_t bytes,
                                    const Check& check) {
  uint64_t at = address - range.begin;
  uint32_t done = 0;
  while (done < bytes) {
    const uint64_t in_page = at % kPage;
    const uint32_t part = static_cast<uint32_t>(std::min<uint64_t>(bytes - done, kPage - in_page));
    if (Shadow* page = Page(range, at / kPage)) {
      std::string wrong = check(page + in_page, part, done);
      if (!wrong.empty()) return wrong;
    }
    at += part;
    done += part;
  }
  return "";
}

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_MEMORY_H_
