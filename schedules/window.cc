// window: each output folds a small neighbourhood (pooling, depthwise convolution, and contractions
// whose factors share the fastest axis). CPU: outputs in vectors, the window walked inside. GPU: a
// thread per output, or per `tile` neighbours along the second axis, whose windows overlap: with
// the window's loops written out, what several of them read is read once.

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::TailStrategy;
using Halide::Var;
using lowering::Hero;
using lowering::LoweredKernel;

namespace {

bool Accepts(const LoweredKernel& kernel) {
  return kernel.heroes.size() == 1 && !kernel.row_fusion && kernel.direct_epilogue &&
         !kernel.axes.empty() && Product(kernel.heroes[0]->reduce_extents) > 0 &&
         !(LimitsSteps(kernel) && Product(kernel.heroes[0]->reduce_extents) > kMaxLaunchSteps);
}

// Loops over a window of so many elements may be written out, for a tile of outputs together.
constexpr int64_t kMostWrittenOut = 100;

std::vector<int64_t> TileChoices(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  std::vector<int64_t> tiles = {1};
  if (kernel.in_place || kernel.axes.size() < 2) return tiles;
  for (int64_t tile : {2, 4, 8}) {
    if (tile <= kernel.axes[1].extent && tile * Product(hero.reduce_extents) <= kMostWrittenOut)
      tiles.push_back(tile);
  }
  return tiles;
}

// As many neighbours as leave the device's units several workgroups each.
int64_t DefaultTile(const LoweredKernel& kernel, int64_t threads) {
  const int64_t units = std::max<uint32_t>(1, kernel.device.compute_units);
  int64_t best = 1;
  for (int64_t tile : TileChoices(kernel)) {
    if (tile <= 4 && Product(kernel.axes) / tile >= 4 * units * threads) best = tile;
  }
  return best;
}

Schedule Defaults(const LoweredKernel& kernel) {
  Schedule schedule("window");
  if (IsGpu(kernel)) {
    const int64_t threads = GpuThreads(kernel, 128);
    return schedule.Set("threads", threads).Set("tile", DefaultTile(kernel, threads));
  }
  return schedule.Set("vec", VectorLanes(kernel)).Set("grain", 65536);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  if (IsGpu(kernel)) {
    return {{"threads",
             Choices(PowersOfTwo(32, 512), GpuThreads(kernel, 512), GpuThreads(kernel, 128))},
            {"tile", TileChoices(kernel)}};
  }
  return {{"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))}, {"grain", PowersOfTwo(4096, 1 << 20)}};
}

void ApplyOnGpu(LoweredKernel& kernel, Hero& hero, const Schedule& schedule) {
  Halide::Func& out = kernel.output;
  const int tile = static_cast<int>(schedule.Get("tile"));
  std::vector<lowering::Axis> axes = kernel.axes;
  if (tile > 1) {
    Var outer("tile"), inner("within");
    out.split(axes[1].var, outer, inner, tile, Tail(kernel, axes[1].extent, tile)).unroll(inner);
    std::vector<Halide::VarOrRVar> order = {inner, axes[0].var, outer};
    for (size_t a = 2; a < axes.size(); ++a) order.push_back(axes[a].var);
    out.reorder(order);
    axes[1] = {outer, (axes[1].extent + tile - 1) / tile};
  }
  const Var thread = GpuElementPerThread(kernel, out, axes, schedule.Get("threads"));
  hero.result.compute_at(out, thread);
  if (tile == 1) return;
  const Var neighbours = hero.axes[1].var;
  hero.result.bound_extent(neighbours, tile).unroll(neighbours);
  Halide::Stage update = hero.result.update();
  update.unroll(neighbours);
  for (const Halide::Internal::ReductionVariable& r : update.get_schedule().rvars())
    update.unroll(Halide::RVar(r.var));
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  kernel.DefineHero(hero);
  kernel.BuildOutput();
  Halide::Func& out = kernel.output;
  if (IsGpu(kernel)) return ApplyOnGpu(kernel, hero, schedule);
  const int64_t extent = kernel.axes[0].extent, vec = schedule.Get("vec");
  std::vector<Var> outer;
  for (const lowering::Axis& axis : kernel.axes) outer.push_back(axis.var);
  int64_t steps = Product(kernel.axes);
  const bool vectors =
      vec > 1 && extent >= vec && Tail(kernel, extent, vec) != TailStrategy::GuardWithIf;
  if (vectors) {
    Var block("block"), lane("lane");
    out.split(kernel.axes[0].var, block, lane, static_cast<int>(vec), Tail(kernel, extent, vec))
        .vectorize(lane);
    outer[0] = block;
    steps = Product(kernel.axes, 1) * ((extent + vec - 1) / vec);
  }
  const int64_t work = (vectors ? vec : 1) * Product(hero.reduce_extents);
  const int64_t per_task =
      std::clamp<int64_t>(schedule.Get("grain") / std::max<int64_t>(1, work), 1, steps);
  Var fused = FuseVars(out, outer), task("task"), step("step");
  out.split(fused, task, step, static_cast<int>(per_task), TailStrategy::GuardWithIf);
  if (steps > per_task) out.parallel(task);
  hero.result.compute_at(out, step);
  if (vectors) {
    hero.result.vectorize(hero.axes[0].var, static_cast<int>(vec), TailStrategy::RoundUp);
    Halide::Stage update = hero.result.update();
    std::vector<Halide::VarOrRVar> order = {hero.axes[0].var};
    for (const Halide::Internal::ReductionVariable& r : update.get_schedule().rvars())
      order.push_back(Halide::RVar(r.var));
    update.reorder(order).vectorize(hero.axes[0].var, static_cast<int>(vec), TailStrategy::RoundUp);
  }
}

}  // namespace

const Template kWindowTemplate = {"window", Accepts, Defaults, Space, Apply};

}  // namespace halyard::schedules
