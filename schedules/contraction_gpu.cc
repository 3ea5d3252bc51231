// contraction on GPUs: a register tile per thread, group_n × group_m threads a workgroup.

#include <algorithm>

#include "schedules/contraction.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::Axis;
using lowering::Hero;
using lowering::LoweredKernel;

Schedule GpuContractionDefaults(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  Schedule schedule("contraction");
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  auto tile = [](int64_t extent) { return extent >= 64 ? 4 : extent >= 16 ? 2 : 1; };
  const int64_t tile_n = std::min<int64_t>(tile(n), n), tile_m = std::min<int64_t>(tile(m), m);
  int64_t group_n = 1, group_m = 1;
  while (group_n < 16 && group_n * tile_n < n) group_n *= 2;
  while (group_m < 16 && group_m * tile_m < m) group_m *= 2;
  return schedule.Set("tile_n", tile_n)
      .Set("tile_m", tile_m)
      .Set("group_n", group_n)
      .Set("group_m", group_m);
}

std::vector<Knob> GpuContractionSpace(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const Schedule defaults = GpuContractionDefaults(kernel);
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  return {{"tile_n", Choices({1, 2, 3, 4, 6, 8, 12, 16, 24, 32}, n, defaults.Get("tile_n"))},
          {"tile_m", Choices({1, 2, 3, 4, 6, 7, 8, 12, 14, 16, 24, 28, 32}, m, defaults.Get("tile_m"))},
          {"group_n", Choices(PowersOfTwo(1, 32), 32, defaults.Get("group_n"))},
          {"group_m", Choices(PowersOfTwo(1, 16), 16, defaults.Get("group_m"))}};
}

void ApplyContractionOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  Roles roles;
  FindRoles(hero, &roles);
  ContractionFuncs product = DefineContraction(kernel, hero, roles, false, false);
  kernel.BuildOutput();
  Func& out = kernel.output;
  if (product.padded.defined()) {
    std::vector<Axis> axes;
    for (size_t i = 0; i < hero.padded_extents.size(); ++i) {
      const Var v = product.padded.args()[i];
      axes.push_back({v, hero.padded_extents[i]});
      product.padded.bound(v, 0, static_cast<int32_t>(hero.padded_extents[i]));
    }
    product.padded.compute_root();
    GpuElementPerThread(kernel, product.padded, axes, GpuThreads(kernel, 256));
  }
  const int tile_n = static_cast<int>(schedule.Get("tile_n")),
            tile_m = static_cast<int>(schedule.Get("tile_m"));
  const int group_n = static_cast<int>(schedule.Get("group_n")),
            group_m = static_cast<int>(schedule.Get("group_m"));
  Var nt("nt"), ni("ni"), nb("nb"), nth("nth"), mt("mt"), mi("mi"), mb("mb"), mth("mth");
  const Axis& n = kernel.axes[0];
  out.split(n.var, nt, ni, tile_n, Tail(kernel, n.extent, tile_n))
      .split(nt, nb, nth, group_n, TailStrategy::GuardWithIf);
  std::vector<VarOrRVar> order = {ni};
  std::vector<Var> outer;
  for (size_t a = 1; a < kernel.axes.size(); ++a) {
    if (static_cast<int>(a) != roles.m) outer.push_back(kernel.axes[a].var);
  }
  if (roles.m >= 0) {
    const Axis& m = kernel.axes[roles.m];
    out.split(m.var, mt, mi, tile_m, Tail(kernel, m.extent, tile_m))
        .split(mt, mb, mth, group_m, TailStrategy::GuardWithIf);
    order.insert(order.end(),
                 {VarOrRVar(mi), VarOrRVar(nth), VarOrRVar(mth), VarOrRVar(nb), VarOrRVar(mb)});
  } else {
    order.insert(order.end(), {VarOrRVar(nth), VarOrRVar(nb)});
  }
  order.insert(order.end(), outer.begin(), outer.end());
  out.reorder(order).unroll(ni);
  if (roles.m >= 0) {
    out.unroll(mi).gpu_threads(nth, mth);
    if (outer.empty()) {
      out.gpu_blocks(nb, mb);
    } else {
      Var rest = FuseVars(out, outer);
      out.gpu_blocks(nb, mb, rest);
    }
    product.accumulator.compute_at(out, nth);
  } else {
    out.gpu_threads(nth);
    if (outer.empty()) {
      out.gpu_blocks(nb);
    } else {
      Var rest = FuseVars(out, outer);
      out.gpu_blocks(nb, rest);
    }
    product.accumulator.compute_at(out, nth);
  }
  ScheduleAccumulator(product, hero, roles, 1);
}

}  // namespace halyard::schedules
