// Control flow, barriers and fences (PTX ISA 9.7.12, 9.7.13).
#include "tests/fakes/ptx/access.h"
#include "tests/fakes/ptx/ops.h"
#include "tests/fakes/ptx/proxy.h"

namespace halyard::testing::ptx {
namespace {

void Nothing(Warp&, const Instruction&, uint32_t) {}

void Trap(Warp&, const Instruction&, uint32_t mask) {
  throw Fault{Fault::Kind::kOther, __builtin_ctz(mask), "trap"};
}

// bar.warp.sync orders the accesses of its lanes.
void SyncWarp(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint32_t* members = warp.Lanes<uint32_t>(i.a);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) != 0 && (members[lane] & warp.live) != mask) {
      throw Fault{Fault::Kind::kOther, lane, "bar.warp.sync waits for lanes that are elsewhere"};
    }
  }
  ++warp.warp_epoch;
}

// A fence of the device or the system.
void Fence(Warp& warp, const Instruction&, uint32_t mask) {
  Block& block = *warp.block;
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const Tag tag = TagOf(warp, lane);
    block.order.Fence(tag.block(), tag.epoch(), tag.thread());
  }
}

void DecodeBarrier(Decoder& d, Instruction* out) {
  if (d.Take("warp")) {
    if (!d.Take("sync")) d.Fail("unknown barrier");
    out->a = d.Source(Type{'b', 32});
    out->run = SyncWarp;
    return;
  }
  d.Take("cta");
  if (!d.Take("sync")) d.Fail("unknown barrier");
  if (d.name() == "barrier" && !d.Take("aligned")) d.Fail("only aligned barriers are known here");
  out->flow = Flow::kBarrier;
  out->target = static_cast<int32_t>(d.Immediate());
  if (out->target < 0 || out->target > 15 || d.HasOperand()) d.Fail("unknown barrier");
}

}  // namespace

bool DecodeControl(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  if (name == "bra") {
    d.Take("uni");
    out->flow = Flow::kBranch;
    d.scope().Branch(d.TakeText());
  } else if (name == "brx") {
    if (!d.Take("idx")) d.Fail("unknown branch");
    d.Take("uni");
    out->flow = Flow::kTable;
    out->a = d.Source(Type{'u', 32});
    d.scope().Table(d.TakeText());
  } else if (name == "ret" || name == "exit") {
    d.Take("uni");
    out->flow = Flow::kExit;
  } else if (name == "trap") {
    out->run = Trap;
  } else if (name == "bar" || name == "barrier") {
    DecodeBarrier(d, out);
  } else if (name == "fence" && d.Take("proxy")) {
    if (!d.Take("async")) d.Fail("unknown proxy");
    d.Take("shared::cta");
    out->run = FenceProxy;
  } else if (name == "membar" || name == "fence") {
    // Blocks see each other's writes at once here. Fences are for the checks (order.h).
    d.TakeOneOf({"sc", "acq_rel"});
    const int scope = d.TakeOneOf({"cta", "cluster", "gl", "gpu", "sys"});
    if (scope < 0) d.Fail("unknown fence");
    out->run = scope < 2 ? Nothing : Fence;
  } else if (name == "nanosleep") {
    d.TakeType();
    d.TakeText();
    out->run = Nothing;
  } else if (name == "call") {
    d.Fail("a call: only device code that is complete runs here");
  } else {
    return false;
  }
  return true;
}

}  // namespace halyard::testing::ptx
