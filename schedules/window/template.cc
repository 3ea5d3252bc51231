// window: each output folds a small neighbourhood (pooling, depthwise convolution, and contractions
// whose factors share the fastest axis). CPU: outputs are in vectors, the window is walked inside,
// and rows of the third axis are in tasks. Loops are cut where padding begins, so that the inner
// part needs no comparisons. GPU: a thread computes an output. On both, `tile` neighbours along the
// second axis are computed together, because their windows overlap: with the window's loops written
// out, what several of them read is read once.

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

namespace {

bool Accepts(const LoweredKernel& kernel) {
  return kernel.direct_epilogue && !kernel.axes.empty() &&
         Product(kernel.heroes[0]->reduce_extents) > 0 &&
         !(LimitsSteps(kernel) && Product(kernel.heroes[0]->reduce_extents) > kMaxLaunchSteps);
}

// Loops over a window of at most this many elements may be unrolled, for a tile of outputs
// together.
constexpr int64_t kMostWrittenOut = 100;

// Returns whether a vector's elements of a factor lie apart, so that each is a load of its own.
bool LoadsApart(const Hero& hero) {
  const auto apart = [](int64_t stride) { return stride != 0 && stride != 1; };
  return hero.IsContraction() && (apart(hero.lhs_strides[0]) || apart(hero.rhs_strides[0]));
}

// Returns whether the loops over the window are written out. LLVM's time grows with the square of
// the number of loads: of [1001, 24] by [1001, 24], row by row, vectors of 64 took minutes.
bool IsWrittenOut(const Hero& hero, int64_t tile, int64_t vec) {
  constexpr int64_t kMostLoadsApart = 200;
  const int64_t steps = tile * Product(hero.reduce_extents);
  return steps <= kMostWrittenOut && (!LoadsApart(hero) || steps * vec <= kMostLoadsApart);
}

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

// Returns as many neighbours as leave several workgroups for each of the device's units.
int64_t DefaultTile(const LoweredKernel& kernel, int64_t threads) {
  const int64_t units = runtime::UnitsOf(kernel.device);
  int64_t best = 1;
  for (int64_t tile : TileChoices(kernel)) {
    if (tile <= 4 && Product(kernel.axes) / tile >= 4 * units * threads) best = tile;
  }
  return best;
}

Schedule GpuDefaults(const LoweredKernel& kernel) {
  const int64_t threads = GpuThreads(kernel, 128);
  return Schedule(kWindow.name).Set("threads", threads).Set("tile", DefaultTile(kernel, threads));
}

std::vector<Knob> GpuSpace(const LoweredKernel& kernel) {
  return {
      {"threads", Choices(PowersOfTwo(32, 512), GpuThreads(kernel, 512), GpuThreads(kernel, 128))},
      {"tile", TileChoices(kernel)}};
}

Schedule CpuDefaults(const LoweredKernel& kernel) {
  // Several accumulators are used because the steps of one sum wait for each other.
  const int64_t tile = std::min<int64_t>(4, TileChoices(kernel).back());
  const int64_t vectors = LoadsApart(*kernel.heroes[0]) ? 1 : tile == 1 ? 4 : 2;
  int64_t vec = VectorLanes(kernel) * vectors;
  while (vec > std::max<int64_t>(1, kernel.axes[0].extent)) vec /= 2;
  return Schedule(kWindow.name).Set("vec", vec).Set("tile", tile).Set("grain", 65536);
}

std::vector<Knob> CpuSpace(const LoweredKernel& kernel) {
  return {{"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))},
          {"tile", TileChoices(kernel)},
          {"grain", PowersOfTwo(4096, 1 << 20)}};
}

void ApplyOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  kernel.DefineHero(hero);
  kernel.BuildOutput();
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

// Marks selects by place (comparisons of indices, of nothing that is loaded) as true nearly
// everywhere: Halide then cuts loops where they are.
class MarkInside : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Select* op) override {
    class FindCalls : public Halide::Internal::IRGraphVisitor {
     public:
      bool found = false;

     private:
      using IRGraphVisitor::visit;
      void visit(const Halide::Internal::Call*) override { found = true; }
    };
    FindCalls calls;
    op->condition.accept(&calls);
    if (calls.found) return IRMutator::visit(op);
    return Halide::select(Halide::likely(op->condition), mutate(op->true_value),
                          mutate(op->false_value));
  }
};

void MarkPadding(Hero& hero) {
  hero.term = [term = hero.term](const lowering::Indices& axes, const lowering::Indices& r) {
    std::vector<lowering::Value> values = term(axes, r);
    MarkInside mark;
    for (lowering::Value& value : values) {
      value.re = mark.mutate(value.re);
      if (value.im.defined()) value.im = mark.mutate(value.im);
      if (value.stored.defined()) value.stored = mark.mutate(value.stored);
    }
    return values;
  };
}

// Tasks of about `grain` steps: of rows along `loops[2]`, or of any loops where there are few rows.
// Gives the loop in which the window is computed.
Var ParallelWindows(LoweredKernel& kernel, std::vector<lowering::Axis> loops, int64_t step_work,
                    int64_t grain) {
  Halide::Func& out = kernel.output;
  const int64_t units = runtime::UnitsOf(kernel.device);
  const int64_t steps = Product(loops);
  if (steps * step_work <= grain) return loops[0].var;
  const size_t kRows = 2;
  if (Product(loops, std::min(kRows, loops.size())) >= 2 * units) {
    const int64_t row_work = step_work * loops[0].extent * loops[1].extent;
    int64_t rows =
        std::clamp<int64_t>(grain / std::max<int64_t>(1, row_work), 1, loops[kRows].extent);
    while (rows > 1 && Product(loops, kRows) / rows < 4 * units) rows /= 2;
    Var task("task"), row("row");
    out.split(loops[kRows].var, task, row, static_cast<int>(rows),
              Tail(kernel, loops[kRows].extent, rows));
    std::vector<Var> outer = {task};
    for (size_t a = kRows + 1; a < loops.size(); ++a) {
      if (loops[a].extent > 1) outer.push_back(loops[a].var);
    }
    std::vector<Halide::VarOrRVar> order = {row};
    order.insert(order.end(), outer.begin(), outer.end());
    out.reorder(order);
    out.parallel(FuseVars(out, outer));
    return loops[0].var;
  }
  const int64_t per_task = std::clamp<int64_t>(grain / std::max<int64_t>(1, step_work), 1, steps);
  std::vector<Var> vars;
  for (const lowering::Axis& loop : loops) vars.push_back(loop.var);
  Var task("task"), step("step");
  out.split(FuseVars(out, vars), task, step, static_cast<int>(per_task), TailStrategy::GuardWithIf);
  if (steps > per_task) out.parallel(task);
  return step;
}

void ApplyOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  MarkPadding(hero);
  kernel.DefineHero(hero);
  kernel.BuildOutput();
  Halide::Func& out = kernel.output;
  const int64_t vec = schedule.Get("vec"), tile = schedule.Get("tile");
  std::vector<lowering::Axis> loops = kernel.axes;
  std::vector<Halide::VarOrRVar> order;
  const TailStrategy tail = Tail(kernel, loops[0].extent, vec);
  const bool vectors = vec > 1 && loops[0].extent >= vec && tail != TailStrategy::GuardWithIf;
  if (vectors) {
    Var block("block"), lane("lane");
    out.split(loops[0].var, block, lane, static_cast<int>(vec), tail).vectorize(lane);
    loops[0] = {block, (loops[0].extent + vec - 1) / vec};
    order.push_back(lane);
  }
  if (tile > 1) {
    Var outer("tile"), inner("within");
    out.split(loops[1].var, outer, inner, static_cast<int>(tile),
              Tail(kernel, loops[1].extent, tile))
        .unroll(inner);
    loops[1] = {outer, (loops[1].extent + tile - 1) / tile};
    order.push_back(inner);
  }
  for (const lowering::Axis& loop : loops) order.push_back(loop.var);
  out.reorder(order);
  const Var at =
      ParallelWindows(kernel, loops, (vectors ? vec : 1) * tile * Product(hero.reduce_extents),
                      schedule.Get("grain"));
  hero.result.compute_at(out, at);
  Halide::Stage update = hero.result.update();
  std::vector<Halide::VarOrRVar> inside;
  if (vectors) {
    hero.result.vectorize(hero.axes[0].var, static_cast<int>(vec), TailStrategy::RoundUp);
    inside.push_back(hero.axes[0].var);
  }
  if (tile > 1) {
    const Var neighbours = hero.axes[1].var;
    hero.result.bound_extent(neighbours, static_cast<int>(tile)).unroll(neighbours);
    inside.push_back(neighbours);
  }
  std::vector<Halide::RVar> window;
  for (const Halide::Internal::ReductionVariable& r : update.get_schedule().rvars())
    window.emplace_back(r.var);
  inside.insert(inside.end(), window.begin(), window.end());
  update.reorder(inside);
  if (vectors) update.vectorize(hero.axes[0].var, static_cast<int>(vec), TailStrategy::RoundUp);
  if (tile > 1) update.unroll(hero.axes[1].var);
  if (IsWrittenOut(hero, tile, vectors ? vec : 1)) {
    for (const Halide::RVar& r : window) update.unroll(r);
  }
}

}  // namespace

const Template kWindowOnX86 = {.id = kWindow,
                               .forms = SetOfForms<lowering::SingleFold>(),
                               .device = DeviceClass::kX86,
                               .accepts = Accepts,
                               .defaults = CpuDefaults,
                               .space = CpuSpace,
                               .apply = ApplyOnCpu};
const Template kWindowOnGpu = {.id = kWindow,
                               .forms = SetOfForms<lowering::SingleFold>(),
                               .device = DeviceClass::kGpu,
                               .accepts = Accepts,
                               .defaults = GpuDefaults,
                               .space = GpuSpace,
                               .apply = ApplyOnGpu};

}  // namespace halyard::schedules
