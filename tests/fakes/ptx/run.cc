// Runs grids, blocks and warps.
//
// Lanes of a warp run together as long as they are at the same instruction. Where they diverge, the
// group at the lowest address runs first, and groups that meet are merged. With the code layout of
// compilers, they meet at the immediate post-dominator. Warps of a block run one after the other,
// each up to its next barrier.
#include "tests/fakes/ptx/run.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

#include "tests/fakes/ptx/warp.h"

namespace halyard::testing::ptx {
namespace {

constexpr uint32_t kMaxSharedBytes = 227 << 10;

void Insert(std::vector<LaneGroup>* groups, LaneGroup group) {
  if (group.mask == 0) return;
  auto it = groups->begin();
  while (it != groups->end() && it->pc > group.pc) ++it;  // highest first
  if (it != groups->end() && it->pc == group.pc) {
    it->mask |= group.mask;
  } else {
    groups->insert(it, group);
  }
}

class Runner {
 public:
  Runner(const Function& function, const Launch& launch, GlobalMemory* global,
         const RunOptions& options, Released* released, std::atomic<uint64_t>* steps)
      : function_(function), options_(options), steps_(*steps) {
    block_.function = &function;
    block_.parameters = launch.parameters.data();
    block_.dynamic_shared = launch.shared_bytes;
    block_.global = global;
    block_.released = released;
    block_.shared.check_uninitialised = options.check_uninitialised;
    block_.shared.tracks_proxies = function.wgmma_line != 0;
    for (int d = 0; d < 3; ++d) {
      block_.size[d] = launch.block[d];
      block_.grid[d] = launch.grid[d];
    }
    shared_bytes_ = function.uses_dynamic_shared
                        ? function.dynamic_shared - kSharedBase + launch.shared_bytes
                        : function.shared_bytes;
    threads_ = launch.block[0] * launch.block[1] * launch.block[2];
    warps_.resize((threads_ + kLanes - 1) / kLanes);
    for (size_t w = 0; w < warps_.size(); ++w) {
      Warp& warp = warps_[w];
      warp.block = &block_;
      warp.first_thread = static_cast<uint32_t>(w) * kLanes;
      warp.registers.assign(function.register_bytes, 0xab);
      warp.local.resize(size_t{function.local_bytes} * kLanes);
      for (const Initial& initial : function.initial) Initialise(initial, w);
    }
  }

  // Throws Fault, and sets `at` to where it happened.
  void RunBlock(uint32_t linear) {
    block_.linear = linear;
    block_.index[0] = linear % block_.grid[0];
    block_.index[1] = linear / block_.grid[0] % block_.grid[1];
    block_.index[2] = linear / block_.grid[0] / block_.grid[1];
    block_.shared.Reset(shared_bytes_, options_.check_races);
    block_.order.Reset();
    if (function_.wgmma_line != 0) block_.arrivals.assign((warps_.size() + 3) / 4, {});
    for (size_t w = 0; w < warps_.size(); ++w) {
      Warp& warp = warps_[w];
      const uint32_t lanes = std::min<uint32_t>(kLanes, threads_ - warp.first_thread);
      warp.live = lanes == kLanes ? kAllLanes : (1u << lanes) - 1;
      warp.groups = {{0, warp.live}};
      warp.blocked.clear();
      warp.warp_epoch = 0;
      for (std::vector<AsyncCopy>& copies : warp.copies) copies.clear();
      if (function_.wgmma_line != 0) warp.products.Reset(function_);
      for (const Initial& initial : function_.initial) {
        if (initial.what == Initial::What::kBlock) Initialise(initial, w);
      }
    }
    while (RunToBarrier()) {
      ++block_.shared.epoch;
      block_.order.Barrier();
    }
    CheckEnd();
  }

  const Warp* current = nullptr;
  const Block& block() const { return block_; }

 private:
  void CheckEnd() {
    for (const Warp& warp : warps_) {
      current = &warp;
      CheckProductsDone(warp);
      for (int lane = 0; lane < kLanes; ++lane) {
        if (!warp.copies[lane].empty())
          throw Fault{Fault::Kind::kOther, lane, "ends before its asynchronous copies"};
      }
    }
  }

  void Initialise(const Initial& initial, size_t index) {
    using What = Initial::What;
    Warp& warp = warps_[index];
    if (initial.bits == 1) {
      warp.Predicate(initial.offset) = initial.value != 0 ? kAllLanes : 0;
      return;
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      const uint32_t thread = warp.first_thread + static_cast<uint32_t>(lane);
      const uint32_t place[3] = {thread % block_.size[0], thread / block_.size[0] % block_.size[1],
                                 thread / block_.size[0] / block_.size[1]};
      uint64_t value = initial.value;
      switch (initial.what) {
        case What::kConstant:
          break;
        case What::kThread:
          value = place[initial.value];
          break;
        case What::kThreads:
          value = block_.size[initial.value];
          break;
        case What::kBlock:
          value = block_.index[initial.value];
          break;
        case What::kBlocks:
          value = block_.grid[initial.value];
          break;
        case What::kLane:
          value = static_cast<uint64_t>(lane);
          break;
        case What::kWarp:
          value = index;
          break;
        case What::kWarps:
          value = warps_.size();
          break;
        case What::kDynamicShared:
          value = block_.dynamic_shared;
          break;
        case What::kTotalShared:
          value = shared_bytes_;
          break;
      }
      if (initial.bits <= 16) {
        warp.Lanes<uint16_t>(initial.offset)[lane] = static_cast<uint16_t>(value);
      } else if (initial.bits == 32) {
        warp.Lanes<uint32_t>(initial.offset)[lane] = static_cast<uint32_t>(value);
      } else {
        warp.Lanes<uint64_t>(initial.offset)[lane] = value;
      }
    }
  }

  // Runs every warp up to its next barrier or its end. Returns false when all have ended.
  bool RunToBarrier() {
    bool waiting = false;
    int32_t barrier = -1;
    for (Warp& warp : warps_) {
      current = &warp;
      while (!warp.groups.empty()) RunGroup(&warp);
      if (warp.blocked.empty()) continue;
      const Instruction& first = function_.code[static_cast<size_t>(warp.blocked[0].pc)];
      if (warp.blocked.size() > 1) {
        warp.pc = warp.blocked[0].pc;
        throw Fault{
            Fault::Kind::kOther, __builtin_ctz(warp.blocked[0].mask),
            "lanes of a warp wait at different barriers; another is in line " +
                std::to_string(function_.code[static_cast<size_t>(warp.blocked[1].pc)].line)};
      }
      if (barrier >= 0 && first.target != barrier) {
        warp.pc = warp.blocked[0].pc;
        throw Fault{Fault::Kind::kEndless, 0, "warps wait at different barriers"};
      }
      barrier = first.target;
      waiting = true;
    }
    for (Warp& warp : warps_) {
      for (const LaneGroup& group : warp.blocked) Insert(&warp.groups, {group.pc + 1, group.mask});
      warp.blocked.clear();
    }
    return waiting;
  }

  // Runs the lowest group until it ends, waits, or is no longer the lowest.
  void RunGroup(Warp* warp) {
    LaneGroup group = warp->groups.back();
    warp->groups.pop_back();
    const Instruction* code = function_.code.data();
    uint64_t steps = 0;
    while (group.mask != 0) {
      if (!warp->groups.empty() && group.pc >= warp->groups.back().pc) {
        Insert(&warp->groups, group);
        break;
      }
      if (++steps == 65536) {
        Count(warp, &steps);
      }
      const Instruction& i = code[group.pc];
      warp->pc = group.pc;
      uint32_t mask = group.mask;
      if (i.guard != 0) {
        const uint32_t guard = warp->Predicate(i.guard);
        mask &= i.guard_negated ? ~guard : guard;
      }
      switch (i.flow) {
        case Flow::kNext:
          if (mask != 0) i.run(*warp, i, mask);
          ++group.pc;
          break;
        case Flow::kBranch:
          if (mask == group.mask) {
            group.pc = i.target;
          } else if (mask == 0) {
            ++group.pc;
          } else {
            Insert(&warp->groups, {i.target, mask});
            group = {group.pc + 1, group.mask & ~mask};
          }
          break;
        case Flow::kTable:
          Jump(warp, i, mask);
          group = {group.pc + 1, group.mask & ~mask};
          break;
        case Flow::kExit:
          warp->live &= ~mask;
          group = {group.pc + 1, group.mask & ~mask};
          break;
        case Flow::kBarrier:
          Insert(&warp->blocked, {group.pc, mask});
          group = {group.pc + 1, group.mask & ~mask};
          break;
      }
    }
    Count(warp, &steps);
  }

  void Count(Warp* warp, uint64_t* steps) {
    if (steps_.fetch_add(*steps, std::memory_order_relaxed) > options_.max_steps) {
      throw Fault{Fault::Kind::kEndless, __builtin_ctz(warp->live | 0x80000000u),
                  "runs longer than " + std::to_string(options_.max_steps) + " steps"};
    }
    *steps = 0;
  }

  void Jump(Warp* warp, const Instruction& i, uint32_t mask) {
    const uint32_t* index = warp->Lanes<uint32_t>(i.a);
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      if (index[lane] >= i.list.size()) {
        throw Fault{Fault::Kind::kOther, lane, "brx.idx beyond its list"};
      }
      Insert(&warp->groups, {static_cast<int32_t>(i.list[index[lane]]), 1u << lane});
    }
  }

  const Function& function_;
  const RunOptions& options_;
  std::atomic<uint64_t>& steps_;
  Block block_;
  uint32_t shared_bytes_ = 0, threads_ = 0;
  std::vector<Warp> warps_;
};

std::string CheckLaunch(const Function& function, const Launch& launch) {
  const uint64_t threads = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  const uint64_t blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  if (threads == 0 || threads > 1024 || launch.block[2] > 64) return "a block of impossible size";
  if (blocks == 0 || blocks >= (uint64_t{1} << 28) || launch.grid[1] > 65535 ||
      launch.grid[2] > 65535) {
    return "a grid of impossible size";
  }
  // 11.4.2: the limit applies to the product.
  const uint32_t* most = function.max_threads;
  if (most[0] != 0 && threads > uint64_t{most[0]} * most[1] * most[2]) {
    return "more threads than .maxntid";
  }
  const uint32_t* exact = function.required_threads;
  for (int d = 0; d < 3 && exact[0] != 0; ++d) {
    if (launch.block[d] != exact[d]) return "other threads than .reqntid";
  }
  if (function.dynamic_shared - kSharedBase + launch.shared_bytes > kMaxSharedBytes) {
    return "too much shared memory";
  }
  if (function.shared_bytes > (48u << 10)) return "more than 48 KiB of static shared memory";
  if (launch.parameters.size() != function.parameter_bytes) return "other parameters";
  return "";
}

// Returns the block that runs as number `i`.
uint32_t BlockAt(uint32_t order, uint32_t i, uint32_t blocks) {
  if (order == 0) return i;
  if (order == 1) return blocks - 1 - i;
  uint64_t step = order % blocks;
  while (std::gcd(step, uint64_t{blocks}) != 1) ++step;
  return static_cast<uint32_t>((i * step + order) % blocks);
}

Outcome OutcomeOf(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::kAddress:
      return Outcome::kBadAddress;
    case Fault::Kind::kMisaligned:
      return Outcome::kMisaligned;
    case Fault::Kind::kEndless:
      return Outcome::kEndless;
    default:
      return Outcome::kFailed;
  }
}

}  // namespace

Outcome RunGrid(const Module& module, const Function& function, const Launch& launch,
                const std::vector<std::pair<uint64_t, uint64_t>>& memory, const RunOptions& options,
                std::string* message, Footprint* footprint) {
  *message = CheckLaunch(function, launch);
  if (!message->empty()) {
    *message = "kernel " + function.name + ": " + *message;
    return Outcome::kBadLaunch;
  }
  GlobalMemory global;
  for (const auto& [address, bytes] : memory) global.Add(address, bytes, true);
  for (const auto& variable : module.variables) {
    global.Add(reinterpret_cast<uint64_t>(variable->bytes.data()), variable->bytes.size(),
               !variable->constant);
  }
  global.Finish(options.check_races);
  const uint32_t blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  std::atomic<uint32_t> next{0};
  std::atomic<uint64_t> steps{0};
  Released released;
  std::mutex mutex;
  Outcome outcome = Outcome::kDone;
  const auto work = [&] {
    Runner runner(function, launch, &global, options, &released, &steps);
    for (uint32_t block; (block = next.fetch_add(1)) < blocks;) {
      try {
        runner.RunBlock(BlockAt(options.block_order, block, blocks));
      } catch (const Fault& fault) {
        next = blocks;
        std::lock_guard<std::mutex> lock(mutex);
        if (outcome != Outcome::kDone) return;
        outcome = OutcomeOf(fault.kind);
        const Warp& warp = *runner.current;
        const uint32_t thread = warp.first_thread + static_cast<uint32_t>(fault.lane);
        const Block& at = runner.block();
        const auto triple = [](uint32_t x, uint32_t y, uint32_t z) {
          return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) +
                 ")";
        };
        *message = "kernel " + function.name + ", block " +
                   triple(at.index[0], at.index[1], at.index[2]) + ", thread " +
                   triple(thread % at.size[0], thread / at.size[0] % at.size[1],
                          thread / at.size[0] / at.size[1]) +
                   ", line " + std::to_string(function.code[static_cast<size_t>(warp.pc)].line) +
                   ": " + fault.text;
        return;
      }
    }
  };
  const int workers = std::min<int>(options.threads, static_cast<int>(std::min(blocks / 4, 64u)));
  std::vector<std::thread> threads;
  for (int i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (footprint != nullptr) *footprint = global.Accessed();
  return outcome;
}

}  // namespace halyard::testing::ptx
