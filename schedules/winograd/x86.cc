// The loops of template winograd on x86. The products (define.cc) are computed as those of
// schedules/contraction/x86.cc, by register tiles of tile_n features × tile_m tiles. A block is
// block_m tiles × block_n features. Its sums stay in cache until they are transformed into outputs,
// where the epilogue is. Blocks of tiles are parts of a row of tiles, rows, or images.

#include <algorithm>
#include <string>

#include "schedules/loops.h"
#include "schedules/winograd/template.h"

namespace halyard::schedules {

namespace {

// The loops of the output around a tile's vector of features, in which a block's sums and its
// transforms are computed.
struct Loops {
  Var tile{"tile"}, block{"block"}, task{"task"};
};

Loops ScheduleOutput(LoweredKernel& kernel, const WinogradConvolution& conv,
                     const WinogradPlan& plan) {
  Loops loops;
  Func& out = kernel.output;
  const auto guarded = TailStrategy::GuardWithIf;
  Var vector("vector"), features("features"), feature_block("feature_block");
  out.split(kernel.axes[conv.feature].var, feature_block, features, static_cast<int>(plan.block_n),
            guarded)
      .split(features, loops.tile, vector, static_cast<int>(plan.lanes_n), guarded);
  std::vector<VarOrRVar> order, tiles;
  std::vector<Var> inside, blocks;
  for (size_t s = 0; s < conv.spatial.size(); ++s) {
    const std::string digit = std::to_string(s);
    Var rest("rest" + digit), block("block" + digit), tile("tile" + digit), in("in" + digit);
    out.split(kernel.axes[conv.spatial[s]].var, block, rest,
              static_cast<int>(plan.block[s] * plan.outputs), guarded)
        .split(rest, tile, in, static_cast<int>(plan.outputs), guarded);
    inside.push_back(in);
    tiles.push_back(tile);
    blocks.push_back(block);
  }
  Var images("images"), image("image_in_block");
  out.split(kernel.axes[conv.batch].var, images, image, static_cast<int>(plan.block_images),
            guarded);
  tiles.push_back(image);
  blocks.push_back(images);
  order.insert(order.end(), inside.begin(), inside.end());
  // If features are not neighbours in memory, the outputs of each are stored in turn.
  const bool neighbours = conv.feature == 0;
  order.insert(neighbours ? order.begin() : order.end(), VarOrRVar(vector));
  order.push_back(loops.tile);
  order.insert(order.end(), tiles.begin(), tiles.end());
  if (plan.share != kShareImage) order.push_back(feature_block);
  order.insert(order.end(), blocks.begin(), blocks.end());
  if (plan.share == kShareImage) order.push_back(feature_block);
  out.reorder(order);
  if (neighbours) out.vectorize(vector);
  UnrollWinograd(out, inside);
  if (plan.share == kShareBoth) blocks.insert(blocks.begin(), feature_block);
  Var fused = FuseVars(out, blocks);
  if (plan.share == kShareImage) {
    loops.block = fused;
    loops.task = feature_block;
  } else {
    loops.block = plan.share == kShareBoth ? fused : feature_block;
    loops.task = fused;
  }
  out.parallel(loops.task);
  return loops;
}

// Transforms along each dimension, unrolled; vectors of `lanes` along `vector`. The steps before
// the last are computed for each of its vectors. The loops `outside` are around them.
void ScheduleTransform(std::vector<Func>& steps, const std::vector<Var>& along, const Var& vector,
                       int64_t lanes, int64_t extent, const std::vector<Var>& outside) {
  Func& last = steps.back();
  Var outer("vectors"), inner("lane");
  last.split(vector, outer, inner, static_cast<int>(lanes), WholeOrShifted(extent, lanes))
      .vectorize(inner);
  std::vector<VarOrRVar> order = {inner};
  order.insert(order.end(), along.begin(), along.end());
  order.push_back(outer);
  order.insert(order.end(), outside.begin(), outside.end());
  last.reorder(order);
  UnrollWinograd(last, along);
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    steps[i].compute_at(last, outer).vectorize(vector, static_cast<int>(lanes));
    UnrollWinograd(steps[i], along);
  }
}

// Places of products are stored so far apart that their rows spread over the sets of the first
// cache: an odd number of rows, and channels of a tile not a multiple of 1 KiB.
int OddRows(int64_t rows) { return static_cast<int>(rows | 1); }
int64_t ChannelStride(const WinogradConvolution& conv) {
  constexpr int64_t kLine = 16, kKibibyte = 16;
  const int64_t lines = (conv.channels + kLine - 1) / kLine;
  return (lines % kKibibyte == 0 ? lines + 1 : lines) * kLine;
}

void ScheduleSums(WinogradFuncs& funcs, const WinogradPlan& plan, bool several) {
  Var to("to"), ti("ti");
  std::vector<VarOrRVar> order = {funcs.ni, ti, to, funcs.no};
  order.insert(order.end(), funcs.along.begin(), funcs.along.end());
  const int lanes = static_cast<int>(plan.lanes_n), tile_m = static_cast<int>(plan.tile_m);
  const int tile_n = static_cast<int>(plan.tile_n);
  funcs.sums.bound(funcs.ni, 0, tile_n)
      .bound_extent(funcs.no, static_cast<int>(plan.block_n / plan.tile_n))
      .bound_extent(funcs.t, static_cast<int>(plan.block_m))
      .align_storage(funcs.t, OddRows(plan.block_m));
  auto tiles = [&](auto stage) {
    stage.split(funcs.t, to, ti, tile_m, TailStrategy::RoundUp)
        .reorder(order)
        .vectorize(funcs.ni, lanes)
        .unroll(funcs.ni)
        .unroll(ti);
  };
  if (several) {
    funcs.sums.vectorize(funcs.ni, lanes);
    order.push_back(funcs.blocks);
    tiles(funcs.sums.update());
  } else {
    tiles(funcs.sums);
  }
  funcs.acc.compute_at(funcs.sums, to)
      .bound(funcs.ni, 0, tile_n)
      .bound_extent(funcs.t, tile_m)
      .vectorize(funcs.ni, lanes)
      .unroll(funcs.ni)
      .unroll(funcs.t);
  funcs.acc.update()
      .reorder({funcs.ni, funcs.t, funcs.r})
      .vectorize(funcs.ni, lanes)
      .unroll(funcs.ni)
      .unroll(funcs.t)
      .unroll(funcs.r, static_cast<int>(plan.unroll_k));
}

// The steps of a task that transforms: about 64 KiB.
int64_t PerTask(int64_t elements_of_step) {
  return std::max<int64_t>(1, 16384 / std::max<int64_t>(1, elements_of_step));
}

void ScheduleImage(LoweredKernel& kernel, const WinogradConvolution& conv, const WinogradPlan& plan,
                   const Loops& loops, WinogradFuncs& funcs) {
  Func& image = funcs.image.back();
  const bool own_tiles = plan.share == kShareFilter;
  image.bound(funcs.c, 0, static_cast<int>(conv.channels))
      .align_storage(funcs.c, static_cast<int>(ChannelStride(conv)))
      .align_storage(funcs.t, OddRows(own_tiles ? plan.block_m : plan.image_tiles));
  if (own_tiles) {
    image.compute_at(kernel.output, loops.task)
        .bound_extent(funcs.t, static_cast<int>(plan.block_m));
  } else {
    image.compute_root().bound(funcs.t, 0, static_cast<int>(plan.image_tiles));
  }
  ScheduleTransform(funcs.image, funcs.along, funcs.c, plan.lanes_c, conv.channels, {funcs.t});
  if (!own_tiles)
    ParallelOuter(image, {funcs.t}, plan.image_tiles, PerTask(plan.places * conv.channels));
}

void ScheduleFilter(LoweredKernel& kernel, const WinogradConvolution& conv,
                    const WinogradPlan& plan, const Loops& loops, WinogradFuncs& funcs) {
  // A task's own filters are of a block of channels at a time.
  Func& filter = funcs.filter.back();
  const bool own_filter = plan.share == kShareImage;
  const int64_t channels = own_filter ? plan.step_k : conv.channels;
  filter.bound_extent(funcs.c, static_cast<int>(channels))
      .align_storage(funcs.c, OddRows(channels))
      .bound(funcs.ni, 0, static_cast<int>(plan.tile_n));
  if (own_filter) {
    if (plan.step_k < conv.channels) {
      filter.compute_at(funcs.sums, funcs.blocks);
    } else {
      filter.compute_at(kernel.output, loops.task);
    }
    filter.bound_extent(funcs.no, static_cast<int>(plan.block_n / plan.tile_n));
  } else {
    filter.compute_root().bound(funcs.no, 0, static_cast<int>(plan.padded_features / plan.tile_n));
  }
  ScheduleTransform(funcs.filter, funcs.along, funcs.ni, plan.lanes_n, plan.tile_n,
                    {funcs.no, funcs.c});
  if (!own_filter) {
    ParallelOuter(filter, {funcs.no, funcs.c}, conv.channels * plan.padded_features / plan.tile_n,
                  PerTask(plan.places * plan.tile_n));
  }
}

}  // namespace

void ApplyWinogradOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  const WinogradConvolution conv = WinogradConvolutionOf(*kernel.heroes[0]);
  const WinogradPlan plan = WinogradPlanOf(kernel, conv, schedule);
  WinogradFuncs funcs = DefineWinograd(kernel, conv, plan);
  Func& out = kernel.output;
  const Loops loops = ScheduleOutput(kernel, conv, plan);
  const int size = static_cast<int>(plan.outputs) + kWinogradTaps - 1;

  for (size_t d = 0; d < funcs.outputs.size(); ++d) {
    Func& step = funcs.outputs[d];
    step.compute_at(out, loops.tile)
        .bound_extent(funcs.f, static_cast<int>(plan.lanes_n))
        .bound_extent(funcs.t, 1)
        .vectorize(funcs.f, static_cast<int>(plan.lanes_n));
    for (size_t s = 0; s < funcs.along.size(); ++s)
      step.bound(funcs.along[s], 0, s < d ? static_cast<int>(plan.outputs) : size);
    UnrollWinograd(step, funcs.along);
  }
  funcs.sums.compute_at(out, loops.block);
  ScheduleSums(funcs, plan, plan.step_k < conv.channels);

  ScheduleImage(kernel, conv, plan, loops, funcs);
  ScheduleFilter(kernel, conv, plan, loops, funcs);
  for (Func* func : {&funcs.image.back(), &funcs.filter.back(), &funcs.sums}) {
    for (const Var& var : funcs.along) func->bound(var, 0, size);
  }
}

}  // namespace halyard::schedules
