// The loops of template winograd on GPUs: four device kernels. One thread transforms each filter
// and each tile of the image, all of its places at once. Products are the blocks of shared_block.h,
// with the places of products instead of a batch. A thread has a register tile of tile_n features ×
// tile_m tiles, and a workgroup has group_n × group_m threads. step_k channels of both factors at a
// time are copied to shared memory, or, with step_k = 0, both are read where they lie, unroll_k
// channels at a time. Finally, a thread transforms a tile's sums of one feature into outputs.

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "schedules/contraction/shared_block.h"
#include "schedules/loops.h"
#include "schedules/winograd/template.h"

namespace halyard::schedules {

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

void ScheduleSharedProducts(WinogradFuncs& funcs, const SharedBlock& block) {
  const BlockVars v;
  Var nb("nb"), tb("tb"), in_n("in_n"), in_m("in_m");
  const auto whole = TailStrategy::RoundUp;
  Func &sums = funcs.sums, &acc = funcs.acc;
  const int64_t block_n = block.block_n(), block_m = block.block_m();
  sums.compute_root()
      .split(funcs.ni, nb, in_n, static_cast<int>(block_n), whole)
      .split(funcs.t, tb, in_m, static_cast<int>(block_m), whole);
  SplitBlock(sums, block, v, in_n, in_m, whole);
  sums.vectorize(v.nv).unroll(v.nq).unroll(v.mi);
  MapProducts(funcs, {v.nv, v.nq, v.mi}, v.nth, v.mth, nb, tb);
  const RVar step = ScheduleSums(acc, block, funcs.ni, funcs.t, {funcs.r}, sums, nb);
  SharedCopy filter = {funcs.filter.back().in(acc), funcs.ni, funcs.c, block_n, false};
  SharedCopy image = {funcs.image.back().in(acc), funcs.t, funcs.c, block_m, true};
  image.func.reorder_storage(funcs.t, funcs.c)
      .align_storage(funcs.t, static_cast<int>(block.RowElements()));
  ScheduleCopy(filter, block, acc, step);
  ScheduleCopy(image, block, acc, step);
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

Schedule GpuWinogradDefaults(const LoweredKernel& kernel) {
  const WinogradConvolution conv = WinogradConvolutionOf(*kernel.heroes[0]);
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
  Schedule schedule(kWinograd.name);
  return schedule.Set("outputs", 4)
      .Set("tile_n", tile_n)
      .Set("tile_m", tile_m)
      .Set("group_n", group_n)
      .Set("group_m", group_m)
      .Set("step_k", std::min<int64_t>(step_k, 8))
      .Set("unroll_k", 1);
}

std::vector<Knob> GpuWinogradSpace(const LoweredKernel& kernel) {
  const WinogradConvolution conv = WinogradConvolutionOf(*kernel.heroes[0]);
  const Schedule defaults = GpuWinogradDefaults(kernel);
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
  const SharedBlock block = BlockOf(schedule);
  const std::string refusal = RefusalOf(block, kernel.device);
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
  if (block.step_k > 0) {
    ScheduleSharedProducts(funcs, block);
  } else {
    ScheduleDirectProducts(funcs, plan, schedule);
  }
  ScheduleOutput(kernel, funcs, conv, plan);
}

}  // namespace halyard::schedules
