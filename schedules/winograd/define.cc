// The algorithm of template winograd: its Funcs, and how the output reads them.
//
// For each place e of the products in a tile, sums(feature, tile, e) = Σ image(channel, tile, e) ·
// filter(feature, channel, e). These are matrix products. The tiles of all images are numbered
// through.

#include <functional>
#include <string>

#include "lowering/kernels/emitter.h"
#include "lowering/kernels/marks.h"
#include "schedules/winograd/template.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::Var;
using hlo::ElementType;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;

namespace {

using Transformation = std::vector<Expr> (*)(int outputs, const std::vector<Expr>& values);
// Reads an element of an array that has an index for each dimension.
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

Indices With(Indices first, const Indices& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

// acc = Σ image · filter over a block of channels, sums = Σ acc over the blocks.
void DefineSums(LoweredKernel& kernel, const WinogradConvolution& conv, const WinogradPlan& plan,
                const Indices& element, WinogradFuncs* funcs) {
  Hero& hero = *kernel.heroes[0];
  const ElementType type = hero.types[0];
  const Expr zero = kernel.ToStorageExprs(hero.init())[0];
  const Indices along(funcs->along.begin(), funcs->along.end()), place = With(element, along);
  const int32_t block_k = static_cast<int32_t>(plan.step_k);
  const bool several = plan.step_k < conv.channels;
  funcs->acc = Func("acc");
  funcs->sums = Func("sums");
  funcs->r = Halide::RDom({{0, block_k}}, "r")[0];
  Indices partial = place;
  Expr channel = funcs->r;
  if (several) {
    const Var block("channel_block");
    partial.push_back(block);
    channel = Expr(block) * block_k + channel;
  }
  funcs->acc(partial) = zero;
  const lowering::Value before = {type, funcs->acc(partial), {}};
  const lowering::Value left = {type, funcs->image.back()(With({channel, element[2]}, along)), {}};
  const lowering::Value right = {
      type, funcs->filter.back()(With({element[0], channel, element[1]}, along)), {}};
  funcs->acc(partial) = lowering::Stored(hero.combine({before}, {left, right})[0].re);
  if (!several) {
    funcs->sums(place) = funcs->acc(place);
    return;
  }
  funcs->blocks = Halide::RDom({{0, static_cast<int32_t>(conv.channels) / block_k}}, "blocks")[0];
  funcs->sums(place) = zero;
  const lowering::Value sum = {type, funcs->sums(place), {}};
  const lowering::Value part = {type, funcs->acc(With(place, {funcs->blocks})), {}};
  funcs->sums(place) = lowering::Stored(hero.merge({sum}, {part})[0].re);
}

}  // namespace

void UnrollWinograd(Func& func, const std::vector<Var>& along) {
  for (const Var& var : along) func.unroll(var);
}

WinogradFuncs DefineWinograd(LoweredKernel& kernel, const WinogradConvolution& conv,
                             const WinogradPlan& plan) {
  Hero& hero = *kernel.heroes[0];
  WinogradFuncs funcs;
  for (size_t s = 0; s < conv.spatial.size(); ++s)
    funcs.along.push_back(Var("e" + std::to_string(s)));
  const int outputs = static_cast<int>(plan.outputs), size = outputs + kWinogradTaps - 1;
  const Expr c = funcs.c, t = funcs.t, ni = funcs.ni, no = funcs.no, f = funcs.f;
  const int32_t panel = static_cast<int32_t>(plan.panel);
  funcs.image =
      DefineTransformed("image", {c, t}, funcs.along, size, outputs, TransformInput,
                        [&](const Indices& at) { return InputAt(hero, conv, plan, c, t, at); });
  Expr feature = no * panel + ni;
  if (plan.padded_features > conv.features)
    feature = Halide::min(feature, static_cast<int32_t>(conv.features - 1));
  funcs.filter =
      DefineTransformed("filter", {ni, c, no}, funcs.along, kWinogradTaps, outputs, TransformWindow,
                        [&](const Indices& at) { return TapAt(hero, conv, feature, c, at); });

  DefineSums(kernel, conv, plan, {ni, no, t}, &funcs);
  funcs.outputs = DefineTransformed("outputs", {f, t}, funcs.along, size, outputs, TransformSums,
                                    [&](const Indices& at) {
                                      return Expr(funcs.sums(With({f % panel, f / panel, t}, at)));
                                    });

  hero.result = funcs.outputs.back();
  hero.read = [conv, plan, result = hero.result](const Indices& index) {
    const int32_t m = static_cast<int32_t>(plan.outputs);
    Expr tile = index[conv.batch];
    Indices inside(conv.spatial.size());
    for (size_t s = conv.spatial.size(); s-- > 0;) {
      const Expr& at = index[conv.spatial[s]];
      tile = tile * static_cast<int32_t>(plan.tiles[s]) + at / m;
      inside[s] = at % m;
    }
    return std::vector<Expr>{Expr(result(With({index[conv.feature], tile}, inside)))};
  };
  kernel.BuildOutput();
  return funcs;
}

}  // namespace halyard::schedules
