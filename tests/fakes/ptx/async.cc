// cp.async and its groups (PTX ISA 9.7.9.25.3): copies from global to shared memory that are
// complete once their thread has waited for them. Until then nobody may read or write their bytes,
// and after that other threads still need a barrier. A block must not end before its copies are
// complete.
#include <algorithm>

#include "tests/fakes/ptx/access.h"
#include "tests/fakes/ptx/ops.h"
#include "tests/fakes/ptx/proxy.h"

namespace halyard::testing::ptx {
namespace {

enum Size : uint8_t {
  kWhole,
  kBytes,
  kIgnore
};  // bytes of the source: all, `d` bytes, or none if predicate `c`

uint32_t SourceBytes(Warp& warp, const Instruction& i, int lane) {
  if (i.mode == kIgnore) {
    const bool ignore = (warp.Predicate(i.c) >> lane & 1) != (i.negated ? 1u : 0u);
    return ignore ? 0 : i.count;
  }
  if (i.mode == kWhole) return i.count;
  const uint32_t bytes = warp.Lanes<uint32_t>(i.d)[lane];
  if (bytes > i.count) throw Fault{Fault::Kind::kOther, lane, "cp.async reads more than it writes"};
  return bytes;
}

void CopyAsync(Warp& warp, const Instruction& i, uint32_t mask) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    uint8_t values[16] = {};
    Access access;
    access.bytes = i.count;
    access.address = AddressOf(warp, i, lane);
    if ((access.address & (i.count - 1u)) != 0)
      throw Fault{Fault::Kind::kMisaligned, lane, "cp.async from a place that is not aligned"};
    const uint32_t given = SourceBytes(warp, i, lane);
    if (given != 0) {
      // The size of a part need not be a power of two, so such a part is read byte by byte.
      access.bytes = given == i.count ? given : 1;
      for (uint32_t at = 0; at < given; at += access.bytes, access.address += access.bytes)
        std::memcpy(values + at, Place(warp, i, access, lane), access.bytes);
    }
    Instruction to;
    to.space = Space::kShared;
    to.a = i.b;
    to.offset = static_cast<int32_t>(i.list[0]);
    to.narrow_base = i.list[1] != 0;
    access.kind = Access::Kind::kWrite;
    access.bytes = i.count;
    access.address = AddressOf(warp, to, lane);
    access.fresh = values;
    std::memcpy(Place(warp, to, access, lane), values, i.count);
    SharedMemory& shared = warp.block->shared;
    const auto at = static_cast<uint32_t>(access.address - kSharedBase);
    std::fill_n(shared.pending.begin() + at, i.count, uint8_t{1});
    warp.copies[lane].push_back({at, i.count, warp.copy_group[lane]});
  }
}

void Commit(Warp& warp, const Instruction&, uint32_t mask) {
  for (int lane = 0; lane < kLanes; ++lane) warp.copy_group[lane] += mask >> lane & 1;
}

// Waits for all committed groups but the last `offset`, or for all copies if it is -1.
void Wait(Warp& warp, const Instruction& i, uint32_t mask) {
  SharedMemory& shared = warp.block->shared;
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    std::vector<AsyncCopy>& copies = warp.copies[lane];
    const int64_t done = i.offset < 0 ? INT64_MAX : int64_t{warp.copy_group[lane]} - i.offset;
    for (const AsyncCopy& copy : copies) {
      if (copy.group >= done) continue;
      std::fill_n(shared.pending.begin() + copy.at, copy.bytes, uint8_t{0});
      // To other threads, and to a fence of proxies, the bytes are written at this point.
      if (shared.tracks_proxies) NoteGenericWrite(warp, lane, copy.at, copy.bytes);
      for (uint32_t k = 0; shared.shadow != nullptr && k < copy.bytes; ++k)
        shared.shadow[copy.at + k].writer.store(TagOf(warp, lane).bits(),
                                                std::memory_order_relaxed);
    }
    std::erase_if(copies, [done](const AsyncCopy& copy) { return copy.group < done; });
  }
}

void DecodeCopy(Decoder& d, Instruction* out) {
  const int cache = d.TakeOneOf({"ca", "cg"});
  const int shared = d.TakeOneOf({"shared", "shared::cta"});
  if (cache < 0 || shared < 0 || !d.Take("global")) d.Fail("unknown cp.async");
  d.TakeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  Instruction to;
  to.space = Space::kShared;
  d.Address(&to);
  out->space = Space::kGlobal;
  d.Address(out);
  out->b = to.a;
  out->list = {static_cast<uint32_t>(to.offset), to.narrow_base ? 1u : 0u};
  const int64_t bytes = d.Immediate();
  if (bytes != 16 && (cache == 1 || (bytes != 4 && bytes != 8))) d.Fail("unknown size");
  out->count = static_cast<uint8_t>(bytes);
  out->mode = kWhole;
  if (d.HasOperand()) {
    const std::string& text = d.PeekOperand();
    const Scope::Register* found = d.FindRegister(text[0] == '!' ? text.substr(1) : text);
    if (found != nullptr && found->bits == 1) {
      out->c = d.Predicate(&out->negated);
      out->mode = kIgnore;
    } else {
      out->d = d.Source(Type{'u', 32});
      out->mode = kBytes;
    }
  }
  out->run = CopyAsync;
}

}  // namespace

bool DecodeAsync(Decoder& d, Instruction* out) {
  if (d.name() != "cp" || !d.Take("async")) return false;
  if (d.Take("commit_group")) {
    out->run = Commit;
  } else if (d.Take("wait_group")) {
    out->offset = d.Immediate();
    if (out->offset < 0) d.Fail("unknown number of groups");
    out->run = Wait;
  } else if (d.Take("wait_all")) {
    out->offset = -1;
    out->run = Wait;
  } else {
    DecodeCopy(d, out);
  }
  return true;
}

}  // namespace halyard::testing::ptx
