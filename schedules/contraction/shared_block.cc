#include "schedules/contraction/shared_block.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "schedules/pipelined_loop.h"

namespace halyard::schedules {

using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

int64_t SharedBlock::VectorOf(int64_t extent) const {
  int64_t lanes = std::max<int64_t>(1, 16 / element_bytes);
  while (extent % lanes != 0) lanes /= 2;
  return lanes;
}

SharedBlock BlockOf(const Schedule& schedule) {
  return {schedule.Get("tile_n"), schedule.Get("tile_m"), schedule.Get("group_n"),
          schedule.Get("group_m"), schedule.Get("step_k")};
}

std::string RefusalOf(const SharedBlock& block, const runtime::DeviceInfo& device) {
  if (block.threads() > device.max_threads_per_group || block.group_n > device.max_group[0] ||
      block.group_m > device.max_group[1]) {
    return absl::StrCat("a group of ", block.group_n, "x", block.group_m,
                        " threads is more than the device takes");
  }
  if (block.SharedBytes() > device.max_shared_bytes) {
    return absl::StrCat(block.SharedBytes(), " bytes of shared memory; the device has ",
                        device.max_shared_bytes);
  }
  return "";
}

RVar ScheduleSums(Func& sums, const SharedBlock& block, const Var& n, const Var& m,
                  const std::vector<RVar>& r, const Func& target, const Var& at) {
  sums.compute_at(target, at)
      .store_in(Halide::MemoryType::Register)
      .bound_extent(n, static_cast<int>(block.block_n()))
      .bound_extent(m, static_cast<int>(block.block_m()));
  const BlockVars first, next;
  SplitBlock(sums, block, first, n, m, TailStrategy::RoundUp);
  // Computes with scalars, because pairs of f32 in one register would have to be taken apart for
  // each multiply-add. Loads of neighbours become vectors all the same.
  sums.reorder(first.nv, first.nq, first.mi, first.nth, first.mth)
      .unroll(first.nv)
      .unroll(first.nq)
      .unroll(first.mi)
      .gpu_threads(first.nth, first.mth);
  Halide::Stage update = sums.update();
  // All tiles are whole.
  SplitBlock(update, block, next, n, m, TailStrategy::GuardWithIf);
  RVar ko(block.slots == 2 ? kTwoSlotLoop : kPipelinedLoop), ki("ki");
  update.split(r[0], ko, ki, static_cast<int>(block.step_k), TailStrategy::GuardWithIf);
  std::vector<VarOrRVar> order = {next.nv, next.nq, next.mi, ki, next.nth, next.mth, ko};
  order.insert(order.end(), r.begin() + 1, r.end());
  update.reorder(order).unroll(next.nv).unroll(next.nq).unroll(next.mi).unroll(ki).gpu_threads(
      next.nth, next.mth);
  return ko;
}

void ScheduleCopy(SharedCopy& copy, const SharedBlock& block, const Func& sums, const RVar& at) {
  const Var& fastest = copy.along_k ? copy.k : copy.own;
  const Var& other = copy.along_k ? copy.own : copy.k;
  const int64_t vector = block.VectorOf(copy.along_k ? block.step_k : copy.extent);
  Var quad("quad"), lane("lane"), fused("fused"), x("x"), y("y"), again("again"), rest("rest");
  copy.func.compute_at(sums, at)
      .store_in(Halide::MemoryType::GPUShared)
      .bound_extent(copy.own, static_cast<int>(copy.extent))
      .bound_extent(copy.k, static_cast<int>(block.step_k))
      .split(fastest, quad, lane, static_cast<int>(vector), TailStrategy::RoundUp)
      .reorder(lane, quad, other)
      .vectorize(lane)
      .fuse(quad, other, fused);
  const bool whole = copy.extent * block.step_k / vector % block.threads() == 0;
  const TailStrategy tail = whole ? TailStrategy::RoundUp : TailStrategy::GuardWithIf;
  copy.func.split(fused, rest, x, static_cast<int>(block.group_n), tail)
      .split(rest, again, y, static_cast<int>(block.group_m), tail)
      .reorder(lane, again, x, y)
      .unroll(again)
      .gpu_threads(x, y);
}

}  // namespace halyard::schedules
