// The loops of template winograd on GPUs: four device kernels. Filters and tiles of the image are
// transformed by a thread for each, all of their places at once. Products are done as those of
// contraction_gpu.cc and contraction_shared.cc, the places of products in place of a batch: a
// register tile of tile_n features × tile_m tiles a thread, group_n × group_m threads a workgroup,
// step_k channels of both factors at a time copied to shared memory, or (step_k = 0) both read
// where they lie, unroll_k channels at a time. At last a thread transforms a tile's sums of one
// feature into outputs.

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "lowering/codegen/pipelined_loops.h"
#include "schedules/loops.h"
#include "schedules/winograd.h"

namespace halyard::schedules {

using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::LoweredKernel;

namespace {

WinogradPlan PlanOf(const WinogradConvolution& conv, const Schedule& schedule) {
  WinogradPlan plan;
  plan.outputs = schedule.Get("outputs");
  plan.tile_n = schedule.Get("tile_n");
  plan.tile_m = schedule.Get("tile_m");
  plan.unroll_k = schedule.Get("unroll_k");
  plan.step_k = conv.channels;
  for (int64_t extent : conv.extents)
    plan.tiles.push_back((extent + plan.outputs - 1) / plan.outputs);
  plan.places = WinogradPlaces(conv, plan.outputs);
  plan.all_tiles = WinogradTiles(conv, plan.outputs) * conv.images;
  plan.block_n = plan.tile_n * schedule.Get("group_n");
  plan.block_m = plan.tile_m * schedule.Get("group_m");
  auto whole = [](int64_t extent, int64_t block) { return (extent + block - 1) / block * block; };
  plan.image_tiles = whole(plan.all_tiles, plan.block_m);
  plan.panel = plan.padded_features = whole(conv.features, plan.block_n);
  return plan;
}

// A thread for each element of (first, second), neighbours along `first`; it computes all places.
void ScheduleTransform(LoweredKernel& kernel, std::vector<Func>& steps,
                       const std::vector<Var>& along, const Var& first, const Var& second,
                       int64_t elements) {
  Func& last = steps.back();
  Var element("element"), block("block"), thread("thread");
  std::vector<VarOrRVar> order(along.begin(), along.end());
  order.insert(order.end(), {VarOrRVar(first), VarOrRVar(second)});
  for (const Var& arg : last.args()) {
    if (std::none_of(order.begin(), order.end(),
                     [&](const VarOrRVar& var) { return var.name() == arg.name(); })) {
      order.push_back(arg);
    }
  }
  const int64_t threads = GpuThreads(kernel, 128);
  last.compute_root().reorder(order).fuse(first, second, element);
  last.split(element, block, thread, static_cast<int>(threads), TailStrategy::GuardWithIf)
      .gpu_threads(thread);
  UnrollWinograd(last, along);
  GpuBlocks(kernel, last, block, (elements + threads - 1) / threads);
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    steps[i].compute_at(last, thread);
    UnrollWinograd(steps[i], along);
  }
}

// What the loops over products are cut into, and mapped to: threads of both kinds, blocks of both,
// places.
void MapProducts(WinogradFuncs& funcs, std::vector<VarOrRVar> inside, const Var& nth,
                 const Var& tth, const Var& nb, const Var& tb) {
  std::vector<Var> batch = {funcs.no};
  batch.insert(batch.end(), funcs.along.begin(), funcs.along.end());
  inside.insert(inside.end(), {VarOrRVar(nth), VarOrRVar(tth), VarOrRVar(nb), VarOrRVar(tb)});
  inside.insert(inside.end(), batch.begin(), batch.end());
  funcs.sums.reorder(inside);
  const Var places = FuseVars(funcs.sums, batch);
  funcs.sums.gpu_threads(nth, tth).gpu_blocks(nb, tb, places);
}

void ScheduleDirectProducts(WinogradFuncs& funcs, const WinogradPlan& plan,
                            const Schedule& schedule) {
  Var nb("nb"), nth("nth"), nt("nt"), nv("nv"), tb("tb"), tth("tth"), tt("tt"), tv("tv");
  const int tile_n = static_cast<int>(plan.tile_n), tile_m = static_cast<int>(plan.tile_m);
  const auto whole = TailStrategy::RoundUp;
  funcs.sums.compute_root()
      .split(funcs.ni, nt, nv, tile_n, whole)
      .split(nt, nb, nth, static_cast<int>(schedule.Get("group_n")), whole)
      .split(funcs.t, tt, tv, tile_m, whole)
      .split(tt, tb, tth, static_cast<int>(schedule.Get("group_m")), whole)
      .unroll(nv)
      .unroll(tv);
  MapProducts(funcs, {nv, tv}, nth, tth, nb, tb);
  funcs.acc.compute_at(funcs.sums, nth).unroll(funcs.ni).unroll(funcs.t);
  Halide::Stage update = funcs.acc.update();
  update.reorder({funcs.ni, funcs.t, funcs.r}).unroll(funcs.ni).unroll(funcs.t);
  if (plan.unroll_k > 1) update.unroll(funcs.r, static_cast<int>(plan.unroll_k));
}

int VectorOf(int64_t extent) { return extent % 4 == 0 ? 4 : extent % 2 == 0 ? 2 : 1; }

// Rows of tiles lie a vector more than a block apart, as in contraction_shared.cc.
int64_t RowElements(const WinogradPlan& plan) { return plan.block_m + VectorOf(plan.block_m); }

// A factor's copy in shared memory: its `own` elements of a block, `step` channels of them; in
// memory `fastest` is the fastest.
void ScheduleCopy(Func copy, const Func& acc, const RVar& at, const Var& own, int64_t extent,
                  const Var& channel, int64_t step, const Var& fastest, const Schedule& schedule) {
  copy.compute_at(acc, at)
      .store_in(Halide::MemoryType::GPUShared)
      .bound_extent(own, static_cast<int>(extent))
      .bound_extent(channel, static_cast<int>(step));
  const bool along_k = fastest.name() == channel.name();
  const Var& other = along_k ? own : channel;
  const int vector = VectorOf(along_k ? step : extent);
  const int64_t group_n = schedule.Get("group_n"), group_m = schedule.Get("group_m");
  Var quad("quad"), lane("lane"), fused("fused"), x("x"), y("y"), again("again"), rest("rest");
  copy.split(fastest, quad, lane, vector, TailStrategy::RoundUp)
      .reorder(lane, quad, other)
      .vectorize(lane)
      .fuse(quad, other, fused);
  const bool whole = extent * step / vector % (group_n * group_m) == 0;
  const TailStrategy tail = whole ? TailStrategy::RoundUp : TailStrategy::GuardWithIf;
  copy.split(fused, rest, x, static_cast<int>(group_n), tail)
      .split(rest, again, y, static_cast<int>(group_m), tail)
      .reorder(lane, again, x, y)
      .unroll(again)
      .gpu_threads(x, y);
}

// The loops of a stage over a block: vectors and what a thread repeats innermost, then threads.
struct BlockVars {
  Var nv{"nv"}, nq{"nq"}, nth{"nth"}, mi{"mi"}, mth{"mth"};
};

template <typename Stage>
void SplitBlock(Stage& stage, const BlockVars& v, const Var& n, const Var& m,
                const WinogradPlan& plan, TailStrategy tail) {
  const int vector = VectorOf(plan.tile_n);
  Var rest("rest");
  stage.split(n, v.nq, rest, vector * static_cast<int>(plan.block_n / plan.tile_n), tail)
      .split(rest, v.nth, v.nv, vector, tail)
      .split(m, v.mth, v.mi, static_cast<int>(plan.tile_m), tail);
}

// The loops of contraction_shared.cc.
void ScheduleSharedProducts(WinogradFuncs& funcs, const WinogradPlan& plan,
                            const Schedule& schedule) {
  const int64_t step = schedule.Get("step_k");
  const BlockVars v, first, next;
  Var nb("nb"), tb("tb"), in_n("in_n"), in_m("in_m");
  const auto whole = TailStrategy::RoundUp;
  Func &sums = funcs.sums, &acc = funcs.acc;
  sums.compute_root()
      .split(funcs.ni, nb, in_n, static_cast<int>(plan.block_n), whole)
      .split(funcs.t, tb, in_m, static_cast<int>(plan.block_m), whole);
  SplitBlock(sums, v, in_n, in_m, plan, whole);
  sums.vectorize(v.nv).unroll(v.nq).unroll(v.mi);
  MapProducts(funcs, {v.nv, v.nq, v.mi}, v.nth, v.mth, nb, tb);
  acc.compute_at(sums, nb)
      .store_in(Halide::MemoryType::Register)
      .bound_extent(funcs.ni, static_cast<int>(plan.block_n))
      .bound_extent(funcs.t, static_cast<int>(plan.block_m));
  SplitBlock(acc, first, funcs.ni, funcs.t, plan, whole);
  acc.reorder(first.nv, first.nq, first.mi, first.nth, first.mth)
      .unroll(first.nv)
      .unroll(first.nq)
      .unroll(first.mi)
      .gpu_threads(first.nth, first.mth);
  Halide::Stage update = acc.update();
  SplitBlock(update, next, funcs.ni, funcs.t, plan, TailStrategy::GuardWithIf);
  RVar ko(lowering::kPipelinedLoop), ki("ki");
  update.split(funcs.r, ko, ki, static_cast<int>(step), TailStrategy::GuardWithIf)
      .reorder(next.nv, next.nq, next.mi, ki, next.nth, next.mth, ko)
      .unroll(next.nv)
      .unroll(next.nq)
      .unroll(next.mi)
      .unroll(ki)
      .gpu_threads(next.nth, next.mth);
  Func filter = funcs.filter.back().in(acc), image = funcs.image.back().in(acc);
  ScheduleCopy(filter, acc, ko, funcs.ni, plan.block_n, funcs.c, step, funcs.ni, schedule);
  ScheduleCopy(image, acc, ko, funcs.t, plan.block_m, funcs.c, step, funcs.c, schedule);
  image.reorder_storage(funcs.t, funcs.c)
      .align_storage(funcs.t, static_cast<int>(RowElements(plan)));
}

// Why the line does not fit the device; empty if it does.
std::string Refusal(const LoweredKernel& kernel, const WinogradPlan& plan,
                    const Schedule& schedule) {
  const int64_t group_n = schedule.Get("group_n"), group_m = schedule.Get("group_m");
  const runtime::DeviceInfo& device = kernel.device;
  if (group_n * group_m > device.max_threads_per_group || group_n > device.max_group[0] ||
      group_m > device.max_group[1]) {
    return absl::StrCat("a group of ", group_n, "x", group_m,
                        " threads is more than the device takes");
  }
  const int64_t shared = 4 * (plan.block_n + RowElements(plan)) * schedule.Get("step_k");
  if (shared > device.max_shared_bytes) {
    return absl::StrCat(shared, " bytes of shared memory; the device has ",
                        device.max_shared_bytes);
  }
  return "";
}

// A thread for each tile and feature.
void ScheduleOutput(LoweredKernel& kernel, WinogradFuncs& funcs, const WinogradConvolution& conv,
                    const WinogradPlan& plan) {
  Func& out = kernel.output;
  std::vector<Var> inside, elements = {kernel.axes[conv.feature].var};
  std::vector<VarOrRVar> order;
  for (size_t s = 0; s < conv.spatial.size(); ++s) {
    const std::string digit = std::to_string(s);
    Var tile("tile" + digit), in("in" + digit);
    out.split(kernel.axes[conv.spatial[s]].var, tile, in, static_cast<int>(plan.outputs),
              TailStrategy::GuardWithIf);
    inside.push_back(in);
    elements.push_back(tile);
  }
  elements.push_back(kernel.axes[conv.batch].var);
  order.insert(order.end(), inside.begin(), inside.end());
  order.insert(order.end(), elements.begin(), elements.end());
  out.reorder(order);
  UnrollWinograd(out, inside);
  Var element = FuseVars(out, elements), block("block"), thread("thread");
  const int64_t threads = GpuThreads(kernel, 128), all = plan.all_tiles * conv.features;
  out.split(element, block, thread, static_cast<int>(threads), TailStrategy::GuardWithIf)
      .gpu_threads(thread);
  GpuBlocks(kernel, out, block, (all + threads - 1) / threads);
  const int size = static_cast<int>(plan.outputs) + kWinogradTaps - 1;
  for (size_t d = 0; d < funcs.outputs.size(); ++d) {
    Func& step = funcs.outputs[d];
    step.compute_at(out, thread).bound_extent(funcs.f, 1).bound_extent(funcs.t, 1);
    for (size_t s = 0; s < funcs.along.size(); ++s)
      step.bound(funcs.along[s], 0, s < d ? static_cast<int>(plan.outputs) : size);
    UnrollWinograd(step, funcs.along);
  }
}

// Channels that are copied to shared memory at a time; 0: none.
std::vector<int64_t> StepsOf(const WinogradConvolution& conv) {
  std::vector<int64_t> steps = {0};
  for (int64_t step : {4, 8, 16}) {
    if (conv.channels % step == 0) steps.push_back(step);
  }
  return steps;
}

}  // namespace

Schedule GpuWinogradDefaults(const LoweredKernel& kernel, const WinogradConvolution& conv) {
  const int64_t tiles = WinogradTiles(conv, 4) * conv.images;
  // A software device's threads are lanes of a CPU's vectors, whose loads are one for each lane;
  // its shared memory is memory like any other.
  const bool software = kernel.device.software;
  auto tile = [software](int64_t extent) {
    return extent >= (software ? 64 : 128) ? 8 : extent >= 32 ? 4 : extent >= 16 ? 2 : 1;
  };
  const int64_t tile_n = tile(conv.features), tile_m = tile(tiles);
  const int64_t most = GpuThreads(kernel, software ? 8 : 128);
  int64_t group_n = 1, group_m = 1;
  while (group_n * 2 <= std::min<int64_t>(most, 16) && group_n * tile_n < conv.features)
    group_n *= 2;
  while (group_n * group_m * 2 <= most && group_m * tile_m < tiles) group_m *= 2;
  const int64_t step_k = software || group_n * group_m < 32 ? 0 : StepsOf(conv).back();
  Schedule schedule("winograd");
  return schedule.Set("outputs", 4)
      .Set("tile_n", tile_n)
      .Set("tile_m", tile_m)
      .Set("group_n", group_n)
      .Set("group_m", group_m)
      .Set("step_k", std::min<int64_t>(step_k, 8))
      .Set("unroll_k", 1);
}

std::vector<Knob> GpuWinogradSpace(const LoweredKernel& kernel, const WinogradConvolution& conv) {
  const Schedule defaults = GpuWinogradDefaults(kernel, conv);
  const int64_t tiles = WinogradTiles(conv, 2) * conv.images;
  const int64_t threads = GpuThreads(kernel, 1024);
  std::vector<int64_t> steps = {1};
  for (int64_t k : {2, 4}) {
    if (conv.channels % k == 0) steps.push_back(k);
  }
  return {{"outputs", {2, 4}},
          {"tile_n", Choices({1, 2, 4, 8, 16}, conv.features, defaults.Get("tile_n"))},
          {"tile_m", Choices({1, 2, 3, 4, 6, 8}, tiles, defaults.Get("tile_m"))},
          {"group_n", Choices(PowersOfTwo(1, 32), threads, defaults.Get("group_n"))},
          {"group_m", Choices(PowersOfTwo(1, 32), threads, defaults.Get("group_m"))},
          {"step_k", StepsOf(conv)},
          {"unroll_k", steps}};
}

void ApplyWinogradOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  const WinogradConvolution conv = WinogradConvolutionOf(*kernel.heroes[0]);
  const WinogradPlan plan = PlanOf(conv, schedule);
  const std::string refusal = Refusal(kernel, plan, schedule);
  if (!refusal.empty()) throw lowering::LimitError(refusal);
  WinogradFuncs funcs = DefineWinograd(kernel, conv, plan);
  const int size = static_cast<int>(plan.outputs) + kWinogradTaps - 1;
  Func &image = funcs.image.back(), &filter = funcs.filter.back();
  for (Func* func : {&image, &filter, &funcs.sums}) {
    for (const Var& var : funcs.along) func->bound(var, 0, size);
  }
  for (Func* func : {&image, &filter}) func->bound(funcs.c, 0, static_cast<int>(conv.channels));
  for (Func* func : {&image, &funcs.sums})
    func->bound(funcs.t, 0, static_cast<int>(plan.image_tiles));
  for (Func* func : {&filter, &funcs.sums})
    func->bound(funcs.ni, 0, static_cast<int>(plan.panel)).bound(funcs.no, 0, 1);
  ScheduleTransform(kernel, funcs.image, funcs.along, funcs.c, funcs.t,
                    conv.channels * plan.image_tiles);
  ScheduleTransform(kernel, funcs.filter, funcs.along, funcs.ni, funcs.c,
                    plan.panel * conv.channels);
  if (schedule.Get("step_k") > 0) {
    ScheduleSharedProducts(funcs, plan, schedule);
  } else {
    ScheduleDirectProducts(funcs, plan, schedule);
  }
  ScheduleOutput(kernel, funcs, conv, plan);
}

}  // namespace halyard::schedules
