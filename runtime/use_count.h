// The references to an object, and which of them belong to runs in progress. A run that works in
// its caller's thread leaves no event that others could wait for, so they wait for its reference.
#ifndef HALYARD_RUNTIME_USE_COUNT_H_
#define HALYARD_RUNTIME_USE_COUNT_H_

#include <stdint.h>

#include <atomic>

namespace halyard::runtime {

enum class Use : uint8_t { kReads, kWrites };

// May be used from any thread. It begins with one reference.
class UseCount {
 public:
  void Reset() { count_.store(1, std::memory_order_relaxed); }
  void AddRef() { count_.fetch_add(1, std::memory_order_relaxed); }
  // Returns whether this was the last reference.
  [[nodiscard]] bool Release() { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  // A reference of a run that reads or writes the object.
  void Begin(Use use) { count_.fetch_add(UnitOf(use), std::memory_order_seq_cst); }
  // Returns whether this was the last reference. Otherwise, the object may be gone on return.
  [[nodiscard]] bool End(Use use) {
    const bool last = count_.fetch_sub(UnitOf(use), std::memory_order_seq_cst) == UnitOf(use);
    if (waiting_.load(std::memory_order_seq_cst) != 0) WakeAll();
    return last;
  }

  // Returns whether a run writes the object or, with kWrites (what the caller would do), uses it.
  bool InWayOf(Use use) const {
    return count_.load(std::memory_order_seq_cst) >= (use == Use::kReads ? kWriter : kReader);
  }
  // Waits until no run is in the way. In a run of this thread (a custom call), which may be that
  // one, it does not wait. Nor may it be called in a child of fork(), where runs do not end.
  void Await(Use use) const {
    if (InWayOf(use)) AwaitOthers(use);
  }

 private:
  // References are counted in the lower 32 bits, readers in the next 16, and writers above.
  static constexpr int64_t kReader = int64_t{1} << 32, kWriter = int64_t{1} << 48;
  static constexpr int64_t UnitOf(Use use) { return (use == Use::kReads ? kReader : kWriter) + 1; }
  void AwaitOthers(Use use) const;
  static void WakeAll();

  static std::atomic<uint32_t> waiting_;  // threads
  std::atomic<int64_t> count_{1};
};

// While this exists, the thread is in a run.
class InRun {
 public:
  InRun();
  ~InRun();
  InRun(const InRun&) = delete;
  InRun& operator=(const InRun&) = delete;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_USE_COUNT_H_
