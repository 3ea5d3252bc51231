// The loops of template winograd on x86.
//
// For each of the products' places e in a tile, sums(feature, tile, e) = Σ image(channel, tile, e)
// · filter(feature, channel, e): matrix products, done as those of contraction_cpu.cc, by register
// tiles of tile_n features × tile_m tiles. A block is block_m tiles × block_n features: its sums
// stay in cache until they are transformed into outputs, where the epilogue is. Blocks of tiles are
// parts of a row of tiles, rows, or images.

#include <algorithm>
#include <functional>
#include <string>

#include "lowering/emitter.h"
#include "schedules/loops.h"
#include "schedules/winograd.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using hlo::ElementType;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;

namespace {

using Transformation = std::vector<Expr> (*)(int outputs, const std::vector<Expr>& values);
// An element of something that is indexed along each dimension.
using Reader = std::function<Expr(const Indices& along)>;

// `read` transformed along each of `along` in turn, `size` elements to what `transform` gives:
// Funcs over (around…, along…), each made of the one before, the first a copy of what is read. A
// Func's elements along the dimensions are told apart once its loops over them are unrolled.
std::vector<Func> DefineTransformed(const std::string& name, const Indices& around,
                                    const std::vector<Var>& along, int size, int outputs,
                                    Transformation transform, const Reader& read) {
  auto args = [&around](const Indices& at) {
    Indices all = around;
    all.insert(all.end(), at.begin(), at.end());
    return all;
  };
  const Indices vars(along.begin(), along.end());
  std::vector<Func> steps;
  Reader before = read;
  for (size_t d = 0; d <= along.size(); ++d) {
    Func step(name + (d == along.size() ? "" : "_" + std::to_string(d)));
    if (d == 0) {
      step(args(vars)) = before(vars);
    } else {
      std::vector<Expr> line;
      for (int i = 0; i < size; ++i) {
        Indices at = vars;
        at[d - 1] = i;
        line.push_back(before(at));
      }
      step(args(vars)) = Halide::mux(along[d - 1], transform(outputs, line));
    }
    before = [step, args](const Indices& at) { return Expr(step(args(at))); };
    steps.push_back(step);
  }
  return steps;
}

// Every element of a step is computed where it is used, in registers as far as they go.
void UnrollAlong(Func& func, const std::vector<Var>& along) {
  for (const Var& var : along) func.unroll(var);
}

struct Funcs {
  std::vector<Var> along;  // places of products and of outputs in a tile, fastest first
  Var c{"c"}, t{"t"}, ni{"ni"}, no{"no"}, f{"f"};
  Halide::RVar r;
  std::vector<Func> image;    // (c, t, along…)
  std::vector<Func> filter;   // (ni, c, no, along…)
  Func acc, sums;             // (ni, no, t, along…)
  std::vector<Func> outputs;  // (f, t, along…)
};

// The input's element `at` of a tile. Tiles past the last are as the last; elements past the padded
// input are zeros, which no output depends on.
Expr InputAt(const Hero& hero, const WinogradConvolution& conv, const WinogradPlan& plan,
             const Expr& channel, const Expr& tile, const Indices& at) {
  Expr rest = tile;
  if (plan.image_tiles > plan.all_tiles)
    rest = Halide::min(rest, static_cast<int32_t>(plan.all_tiles - 1));
  Indices axes(hero.axes.size(), Expr(0)), r(hero.reduce_extents.size(), Expr(0));
  Expr inside;
  for (size_t s = 0; s < conv.spatial.size(); ++s) {
    const int32_t tiles = static_cast<int32_t>(plan.tiles[s]);
    const int32_t padded = static_cast<int32_t>(conv.extents[s]) + kWinogradTaps - 1;
    Expr place = rest % tiles * static_cast<int32_t>(plan.outputs) + at[s];
    rest = rest / tiles;
    if (tiles * plan.outputs > conv.extents[s]) {
      inside = inside.defined() ? inside && place < padded : place < padded;
      place = Halide::min(place, padded - 1);
    }
    axes[conv.spatial[s]] = place;
  }
  axes[conv.batch] = rest;
  r[0] = channel;
  const lowering::Value value = hero.padded_value(hero.padded_read(axes, r));
  return inside.defined() ? lowering::SelectValue(inside, value, lowering::Zero(value.type)).re
                          : value.re;
}

Expr TapAt(const Hero& hero, const WinogradConvolution& conv, const Expr& feature,
           const Expr& channel, const Indices& at) {
  Indices axes(hero.axes.size(), Expr(0)), r(hero.reduce_extents.size());
  axes[conv.feature] = feature;
  r[0] = channel;
  for (size_t s = 0; s < conv.window_r.size(); ++s) r[conv.window_r[s]] = at[s];
  return hero.term(axes, r)[1].re;
}

Funcs DefineFuncs(LoweredKernel& kernel, const WinogradConvolution& conv,
                  const WinogradPlan& plan) {
  Hero& hero = *kernel.heroes[0];
  Funcs funcs;
  for (size_t s = 0; s < conv.spatial.size(); ++s)
    funcs.along.push_back(Var("e" + std::to_string(s)));
  const int outputs = static_cast<int>(plan.outputs), size = outputs + kWinogradTaps - 1;
  auto with = [](Indices first, const Indices& along) {
    first.insert(first.end(), along.begin(), along.end());
    return first;
  };
  const Indices along(funcs.along.begin(), funcs.along.end());
  const Expr c = funcs.c, t = funcs.t, ni = funcs.ni, no = funcs.no, f = funcs.f;
  const int32_t tile_n = static_cast<int32_t>(plan.tile_n);
  funcs.image =
      DefineTransformed("image", {c, t}, funcs.along, size, outputs, TransformInput,
                        [&](const Indices& at) { return InputAt(hero, conv, plan, c, t, at); });
  Expr feature = no * tile_n + ni;
  if (plan.padded_features > conv.features)
    feature = Halide::min(feature, static_cast<int32_t>(conv.features - 1));
  funcs.filter =
      DefineTransformed("filter", {ni, c, no}, funcs.along, kWinogradTaps, outputs, TransformWindow,
                        [&](const Indices& at) { return TapAt(hero, conv, feature, c, at); });

  funcs.acc = Func("acc");
  funcs.sums = Func("sums");
  const Indices place = with({ni, no, t}, along);
  funcs.acc(place) = kernel.ToStorageExprs(hero.init())[0];
  Halide::RDom domain({{0, static_cast<int32_t>(conv.channels)}}, "r");
  funcs.r = domain[0];
  const ElementType type = hero.types[0];
  const lowering::Value before = {type, funcs.acc(place), {}};
  const lowering::Value left = {type, funcs.image.back()(with({funcs.r, t}, along)), {}};
  const lowering::Value right = {type, funcs.filter.back()(with({ni, funcs.r, no}, along)), {}};
  funcs.acc(place) = hero.combine({before}, {left, right})[0].re;
  funcs.sums(place) = funcs.acc(place);
  funcs.outputs = DefineTransformed(
      "outputs", {f, t}, funcs.along, size, outputs, TransformSums, [&](const Indices& at) {
        return Expr(funcs.sums(with({f % tile_n, f / tile_n, t}, at)));
      });

  hero.result = funcs.outputs.back();
  hero.read = [conv, plan, with, result = hero.result](const Indices& index) {
    const int32_t m = static_cast<int32_t>(plan.outputs);
    Expr tile = index[conv.batch];
    Indices inside(conv.spatial.size());
    for (size_t s = conv.spatial.size(); s-- > 0;) {
      const Expr& at = index[conv.spatial[s]];
      tile = tile * static_cast<int32_t>(plan.tiles[s]) + at / m;
      inside[s] = at % m;
    }
    return std::vector<Expr>{Expr(result(with({index[conv.feature], tile}, inside)))};
  };
  kernel.BuildOutput();
  return funcs;
}

// Loops of the output around a tile's vector of features: where a block's sums and its own
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
  std::vector<VarOrRVar> order = {vector}, tiles;
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
  order.push_back(loops.tile);
  order.insert(order.end(), tiles.begin(), tiles.end());
  if (plan.share != kShareImage) order.push_back(feature_block);
  order.insert(order.end(), blocks.begin(), blocks.end());
  if (plan.share == kShareImage) order.push_back(feature_block);
  out.reorder(order);
  out.vectorize(vector);
  UnrollAlong(out, inside);
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
// the last are computed for each of its vectors.
void ScheduleTransform(std::vector<Func>& steps, const std::vector<Var>& along, const Var& vector,
                       int64_t lanes, int64_t extent) {
  Func& last = steps.back();
  Var outer("vectors"), inner("lane");
  const TailStrategy tail =
      extent % lanes == 0 ? TailStrategy::RoundUp : TailStrategy::ShiftInwards;
  last.split(vector, outer, inner, static_cast<int>(lanes), tail).vectorize(inner);
  std::vector<VarOrRVar> order = {inner};
  order.insert(order.end(), along.begin(), along.end());
  order.push_back(outer);
  const size_t around = last.args().size() - along.size();
  for (size_t i = 0; i < around; ++i) {
    const Var var = last.args()[i];
    if (var.name() != vector.name()) order.push_back(var);
  }
  last.reorder(order);
  UnrollAlong(last, along);
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    steps[i].compute_at(last, outer).vectorize(vector, static_cast<int>(lanes));
    UnrollAlong(steps[i], along);
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

void ScheduleSums(Funcs& funcs, const WinogradPlan& plan) {
  Var to("to"), ti("ti");
  std::vector<VarOrRVar> order = {funcs.ni, ti, to, funcs.no};
  order.insert(order.end(), funcs.along.begin(), funcs.along.end());
  const int lanes = static_cast<int>(plan.lanes_n), tile_m = static_cast<int>(plan.tile_m);
  const int tile_n = static_cast<int>(plan.tile_n);
  funcs.sums.bound(funcs.ni, 0, tile_n)
      .bound_extent(funcs.no, static_cast<int>(plan.block_n / plan.tile_n))
      .bound_extent(funcs.t, static_cast<int>(plan.block_m))
      .align_storage(funcs.t, OddRows(plan.block_m))
      .split(funcs.t, to, ti, tile_m, TailStrategy::RoundUp)
      .reorder(order)
      .vectorize(funcs.ni, lanes)
      .unroll(funcs.ni)
      .unroll(ti);
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

// Steps of a task that transforms: some 64 KiB.
int64_t PerTask(int64_t elements_of_step) {
  return std::max<int64_t>(1, 16384 / std::max<int64_t>(1, elements_of_step));
}

}  // namespace

void ApplyWinogradOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  const WinogradConvolution conv = WinogradConvolutionOf(*kernel.heroes[0]);
  const WinogradPlan plan = WinogradPlanOf(kernel, conv, schedule);
  Funcs funcs = DefineFuncs(kernel, conv, plan);
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
    UnrollAlong(step, funcs.along);
  }
  funcs.sums.compute_at(out, loops.block);
  ScheduleSums(funcs, plan);

  Func& image = funcs.image.back();
  const bool own_tiles = plan.share == kShareFilter;
  image.bound(funcs.c, 0, static_cast<int>(conv.channels))
      .align_storage(funcs.c, static_cast<int>(ChannelStride(conv)))
      .align_storage(funcs.t, OddRows(own_tiles ? plan.block_m : plan.image_tiles));
  if (own_tiles) {
    image.compute_at(out, loops.task).bound_extent(funcs.t, static_cast<int>(plan.block_m));
  } else {
    image.compute_root().bound(funcs.t, 0, static_cast<int>(plan.image_tiles));
  }
  ScheduleTransform(funcs.image, funcs.along, funcs.c, plan.lanes_c, conv.channels);
  if (!own_tiles)
    ParallelOuter(image, {funcs.t}, plan.image_tiles, PerTask(plan.places * conv.channels));

  Func& filter = funcs.filter.back();
  filter.bound(funcs.c, 0, static_cast<int>(conv.channels))
      .align_storage(funcs.c, OddRows(conv.channels))
      .bound(funcs.ni, 0, static_cast<int>(plan.tile_n));
  if (plan.share == kShareImage) {
    filter.compute_at(out, loops.task)
        .bound_extent(funcs.no, static_cast<int>(plan.block_n / plan.tile_n));
  } else {
    filter.compute_root().bound(funcs.no, 0, static_cast<int>(plan.padded_features / plan.tile_n));
  }
  ScheduleTransform(funcs.filter, funcs.along, funcs.ni, plan.lanes_n, plan.tile_n);
  if (plan.share != kShareImage) {
    ParallelOuter(filter, {funcs.c, funcs.no}, conv.channels * plan.padded_features / plan.tile_n,
                  PerTask(plan.places * plan.tile_n));
  }
  for (Func* func : {&image, &filter, &funcs.sums}) {
    for (const Var& var : funcs.along) func->bound(var, 0, size);
  }
}

}  // namespace halyard::schedules
