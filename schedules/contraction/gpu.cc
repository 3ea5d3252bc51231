// contraction on GPUs that reads memory directly: each thread has a register tile of tile_n ×
// tile_m outputs, and a workgroup has group_n × group_m threads. Factors are read where they lie,
// unroll_k terms at a time.
//
// On a GPU, neighbouring threads hold neighbouring outputs, so that their reads coalesce, and
// caches provide the reuse. On a software device, a subgroup is a vector of a CPU. An arithmetic
// operation is one instruction, but a load is one for each lane, shared memory is memory like any
// other, and a barrier costs much. So tiles are as large as a CPU's registers and first cache
// allow, and workgroups are as small as a subgroup.

#include <algorithm>

#include "schedules/contraction/template.h"
#include "schedules/loops.h"

namespace halyard::schedules {

namespace {

struct DirectTile {
  int64_t n = 1, m = 1;              // outputs per thread
  int64_t group_n = 1, group_m = 1;  // threads
  int64_t parts = 1;
};

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

constexpr int64_t kTileSizes[] = {1, 2, 3, 4, 6, 7, 8, 12, 14, 16};
// The accumulators that a thread of a software device keeps at hand.
constexpr int64_t kSoftwareAccumulators = 128;

// The tile with the fewest cycles by a simple count of one step of k, in which a vector's load
// costs some 20 and its multiply-add little more than one.
DirectTile SoftwareTile(const LoweredKernel& kernel) {
  constexpr double kLoad = 20, kMultiplyAdd = 1.3, kStep = 25;
  constexpr int64_t kAssumedUnits = 8;
  const Hero& hero = *kernel.heroes[0];
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  const int64_t others = Product(hero.axes) / (n * m);
  const int64_t lanes = std::max<int64_t>(1, kernel.device.subgroup_size);
  const int64_t units =
      kernel.device.compute_units != 0 ? kernel.device.compute_units : kAssumedUnits;
  DirectTile best;
  double best_cycles = 1e300;
  for (int64_t tile_n : kTileSizes) {
    for (int64_t tile_m : kTileSizes) {
      if (tile_n > n || tile_m > m || tile_n * tile_m > kSoftwareAccumulators) continue;
      for (int64_t group_n = 1; group_n <= lanes; group_n *= 2) {
        const int64_t group_m = std::max<int64_t>(1, lanes / group_n);
        const int64_t groups =
            DivideUp(n, tile_n * group_n) * DivideUp(m, tile_m * group_m) * others;
        const double steps = kLoad * static_cast<double>(tile_n + tile_m) +
                             kMultiplyAdd * static_cast<double>(tile_n * tile_m) + kStep;
        const double cycles = steps * static_cast<double>(DivideUp(groups, units));
        if (cycles > best_cycles) continue;
        // Among equals, prefers neighbouring threads along n.
        if (cycles == best_cycles && group_n <= best.group_n) continue;
        best_cycles = cycles;
        best = {tile_n, tile_m, group_n, group_m};
      }
    }
  }
  return best;
}

// Products too thin for shared memory are bound by memory: neighbouring threads read neighbours,
// four elements each, and the sum is cut into parts until the device has enough to do.
DirectTile HardwareTile(const LoweredKernel& kernel) {
  constexpr int64_t kThreadsPerUnit = 512, kTermsPerPart = 32, kMostParts = 64;
  const Hero& hero = *kernel.heroes[0];
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  auto tile = [](int64_t extent) { return extent >= 64 ? 4 : extent >= 16 ? 2 : 1; };
  DirectTile best;
  best.n = std::min<int64_t>(tile(n), n);
  best.m = m < 16 ? std::min<int64_t>(m, 8) : tile(m);
  const int64_t most = GpuThreads(kernel, 64);
  while (best.group_n < most && best.group_n * best.n < n) best.group_n *= 2;
  while (best.group_n * best.group_m < most && best.group_m * best.m < m) best.group_m *= 2;
  if (hero.reduce_extents.size() != 1) return best;
  const int64_t threads = Product(hero.axes) / (best.n * best.m), k = hero.reduce_extents[0];
  const int64_t wanted = kThreadsPerUnit * runtime::UnitsOf(kernel.device);
  while (best.parts < kMostParts && threads * best.parts < wanted && k % (best.parts * 2) == 0 &&
         k / (best.parts * 2) >= kTermsPerPart) {
    best.parts *= 2;
  }
  return best;
}

// How many terms of the innermost reduced dimension are unrolled: a divisor of it. Drivers of
// software devices take long to compile long code.
int64_t DefaultUnroll(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  if (kernel.device.software || hero.reduce_extents.empty()) return 1;
  for (int64_t unroll : {4, 3, 2}) {
    if (hero.reduce_extents[0] % unroll == 0) return unroll;
  }
  return 1;
}

std::vector<int64_t> Divisors(int64_t extent, std::vector<int64_t> values) {
  values.erase(
      std::remove_if(values.begin(), values.end(), [extent](int64_t v) { return extent % v != 0; }),
      values.end());
  return values;
}

void DefinePadded(LoweredKernel& kernel, ContractionFuncs& product) {
  std::vector<Axis> axes;
  for (size_t i = 0; i < product.padded_extents.size(); ++i) {
    const Var v = product.padded.args()[i];
    axes.push_back({v, product.padded_extents[i]});
    product.padded.bound(v, 0, static_cast<int32_t>(product.padded_extents[i]));
  }
  product.padded.compute_root();
  GpuElementPerThread(kernel, product.padded, axes, GpuThreads(kernel, 256));
}

}  // namespace

Schedule GpuContractionDefaults(const LoweredKernel& kernel) {
  Schedule schedule(kContraction.name);
  if (SharedContractionDefaults(kernel, &schedule)) return schedule.Set("unroll_k", 1);
  const DirectTile tile = kernel.device.software ? SoftwareTile(kernel) : HardwareTile(kernel);
  return schedule.Set("tile_n", tile.n)
      .Set("tile_m", tile.m)
      .Set("group_n", tile.group_n)
      .Set("group_m", tile.group_m)
      .Set("step_k", 0)
      .Set("slots", 1)
      .Set("parts", tile.parts)
      .Set("unroll_k", DefaultUnroll(kernel));
}

std::vector<Knob> GpuContractionSpace(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const Schedule defaults = GpuContractionDefaults(kernel);
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  const int64_t k = hero.reduce_extents.empty() ? 1 : hero.reduce_extents[0];
  const std::vector<int64_t> sizes(std::begin(kTileSizes), std::end(kTileSizes));
  const int64_t threads = GpuThreads(kernel, 1024);
  std::vector<int64_t> steps = {0};
  if (m > 1 && !hero.reduce_extents.empty()) steps = {0, 4, 8, 16, 32};
  return {{"tile_n", Choices(sizes, n, defaults.Get("tile_n"))},
          {"tile_m", Choices(sizes, m, defaults.Get("tile_m"))},
          {"group_n", Choices(PowersOfTwo(1, 32), threads, defaults.Get("group_n"))},
          {"group_m", Choices(PowersOfTwo(1, 32), threads, defaults.Get("group_m"))},
          {"step_k", Choices(steps, k, defaults.Get("step_k"))},
          {"slots", Choices({1, 2}, steps.back() == 0 ? 1 : 2, defaults.Get("slots"))},
          {"parts",
           Choices(hero.reduce_extents.size() == 1 ? PowersOfTwo(1, 64) : std::vector<int64_t>{1},
                   k, defaults.Get("parts"))},
          {"unroll_k", Choices(Divisors(k, {1, 2, 3, 4, 8}), k, defaults.Get("unroll_k"))}};
}

namespace {

// Like DefineContraction, for a sum in parts. The padded input is not stored, because only products
// are cut.
ContractionFuncs DefineCut(LoweredKernel& kernel, Hero& hero, int64_t parts) {
  ContractionFuncs product;
  const int32_t terms = static_cast<int32_t>(hero.reduce_extents[0] / parts);
  Halide::RDom domain(0, terms, "r");
  product.r = {domain[0]};
  const Var part("part");
  const lowering::Indices axes = lowering::VarsOf(hero.axes);
  lowering::Indices vars = axes;
  vars.push_back(part);
  product.accumulator = Func("acc");
  product.accumulator(vars) = Halide::Tuple(kernel.ToStorageExprs(hero.init()));
  const lowering::Indices r = {domain[0] + part * terms};
  const std::vector<lowering::Value> before =
      kernel.FromStorageExprs(hero.types, {Halide::Expr(product.accumulator(vars))});
  product.accumulator(vars) = Halide::Tuple(kernel.ToStorageExprs(
      LoweredKernel::OverDomain({domain[0]}, before, hero.combine(before, hero.term(axes, r)))));
  hero.result = product.accumulator;
  return product;
}

// Maps tiles of `target`, over `axes`, to threads. Returns the variable at which a thread computes
// its tile.
Var MapTiles(LoweredKernel& kernel, Func& target, const std::vector<Axis>& axes, const Roles& roles,
             const Schedule& schedule) {
  const int tile_n = static_cast<int>(schedule.Get("tile_n")),
            tile_m = static_cast<int>(schedule.Get("tile_m"));
  Var nt("nt"), ni("ni"), nb("nb"), nth("nth"), mt("mt"), mi("mi"), mb("mb"), mth("mth");
  target.split(axes[0].var, nt, ni, tile_n, Tail(kernel, axes[0].extent, tile_n))
      .split(nt, nb, nth, static_cast<int>(schedule.Get("group_n")), TailStrategy::GuardWithIf);
  std::vector<VarOrRVar> order = {ni};
  std::vector<Var> outer;
  for (size_t a = 1; a < axes.size(); ++a) {
    if (static_cast<int>(a) != roles.m) outer.push_back(axes[a].var);
  }
  if (roles.m >= 0) {
    const Axis& m = axes[roles.m];
    target.split(m.var, mt, mi, tile_m, Tail(kernel, m.extent, tile_m))
        .split(mt, mb, mth, static_cast<int>(schedule.Get("group_m")), TailStrategy::GuardWithIf);
    order.insert(order.end(), {mi, nth, mth, nb, mb});
  } else {
    order.insert(order.end(), {nth, nb});
  }
  order.insert(order.end(), outer.begin(), outer.end());
  target.reorder(order).unroll(ni).gpu_threads(nth);
  if (roles.m >= 0) target.unroll(mi).gpu_threads(mth);
  target.gpu_blocks(nb);
  if (roles.m >= 0) target.gpu_blocks(mb);
  if (!outer.empty()) target.gpu_blocks(FuseVars(target, outer));
  return nth;
}

}  // namespace

void ApplyContractionOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  if (schedule.Get("step_k") > 0) return ApplySharedContraction(kernel, schedule);
  Hero& hero = *kernel.heroes[0];
  const int64_t parts = schedule.Get("parts");
  if (parts > 1 && hero.reduce_extents[0] % parts != 0) {
    throw lowering::LimitError("the terms do not divide into parts");
  }
  Roles roles;
  FindRoles(hero, &roles);
  ContractionFuncs product =
      parts > 1 ? DefineCut(kernel, hero, parts) : DefineContraction(kernel, hero, roles, {});
  Func target;
  std::vector<Axis> axes = hero.axes;
  if (parts > 1) {
    target = DefineParts(kernel, hero, product.accumulator, parts);
    axes.push_back({product.accumulator.args().back(), parts});
    for (const Axis& axis : axes) target.bound(axis.var, 0, static_cast<int>(axis.extent));
    target.compute_root();
    GpuElementPerThread(kernel, kernel.output, kernel.axes, GpuThreads(kernel, 256));
  } else {
    kernel.BuildOutput();
    target = kernel.output;
    axes = kernel.axes;
  }
  if (product.padded.defined()) DefinePadded(kernel, product);
  product.accumulator.compute_at(target, MapTiles(kernel, target, axes, roles, schedule));
  const int64_t most = product.r.empty() ? 1 : hero.reduce_extents[0] / parts;
  const int unroll = static_cast<int>(schedule.Get("unroll_k"));
  if (unroll > 1 && most % unroll == 0) {
    Halide::RVar ko("ko"), ki("ki");
    product.accumulator.update().split(product.r[0], ko, ki, unroll).unroll(ki);
    product.r[0] = ko;
    product.r.insert(product.r.begin(), ki);
  }
  ScheduleAccumulator(product, hero, roles, 1);
}

}  // namespace halyard::schedules
