// reduction: one fold for each output element.
//
// Rows (the fastest dimension is reduced): there are `lanes` partial sums in vectors, then a short
// tree. If there are too few outputs to keep the cores busy, the outermost reduced dimension is cut
// into `parts` pieces. Columns (the fastest dimension is kept): outputs are in vectors, and the
// reduced dimensions are walked in order. GPUs: gpu.cc.

#include "schedules/reduction/template.h"

#include <algorithm>

#include "schedules/contraction/template.h"
#include "schedules/folds.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

bool ReducesRows(const Hero& hero) {
  return hero.inner_reduced || hero.axes.empty() || Product(hero.axes) == 1;
}

// Whether the hero is a dot that folds like rows on a CPU: neighbours along the sum are neighbours
// in memory in both factors, and at most so many outputs read an element of the larger one.
static bool IsDotOfRows(const LoweredKernel& kernel, int64_t most_uses) {
  const Hero& hero = *kernel.heroes[0];
  // Halide makes no vectors of lanes along an index of 64 bits.
  for (const hlo::Instruction* factor : hero.instruction->operands) {
    if (factor->shape.ByteSize() > INT32_MAX) return false;
  }
  return hero.kind == Hero::Kind::kContraction && hero.inner_reduced && !kernel.in_place &&
         hero.reduce_extents[0] >= VectorLanes(kernel) && Product(hero.axes) > 0 &&
         Product(hero.reduce_extents) > 0 &&
         std::min(UsesOf(hero, 0), UsesOf(hero, 1)) <= most_uses;
}

bool PrefersDotAsRows(const LoweredKernel& kernel) { return IsDotOfRows(kernel, 2); }

namespace {

bool Accepts(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  if (hero.reduce_extents.empty() || Product(hero.reduce_extents) == 0) return false;
  // Dot products of vectors are folded like rows.
  return hero.kind == Hero::Kind::kReduction ||
         (hero.kind == Hero::Kind::kContraction && Product(hero.axes) == 1);
}

bool AcceptsOnCpu(const LoweredKernel& kernel) {
  constexpr int64_t kMostUses = 16;  // with more, packing the factor costs little beside products
  return Accepts(kernel) || IsDotOfRows(kernel, kMostUses);
}

bool AcceptsOnGpu(const LoweredKernel& kernel) {
  return Accepts(kernel) && FoldsWithinLimits(kernel, GpuReductionDefaults(kernel));
}

int64_t DefaultParts(const LoweredKernel& kernel, int64_t per_part) {
  const Hero& hero = *kernel.heroes[0];
  const int64_t outputs = Product(hero.axes), total = outputs * Product(hero.reduce_extents);
  if (hero.identity.empty() || outputs >= 64 || total < 4 * per_part) return 1;
  const int64_t outermost = hero.reduce_extents.back() / (hero.reduce_extents.size() == 1 ? 64 : 1);
  int64_t parts = 1;
  while (parts < 64 && parts * 2 <= outermost && total / (parts * 2) >= per_part) parts *= 2;
  return parts;
}

// A CPU reduction of columns keeps its outputs in vectors and needs no lanes.
Schedule Defaults(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  Schedule schedule(kReduction.name);
  const int64_t n0 = hero.reduce_extents[0];
  int64_t lanes = 1;
  if (!hero.identity.empty() && ReducesRows(hero)) {
    const int64_t vec = VectorLanes(kernel);
    while (lanes < 8 * vec && lanes * 2 <= n0) lanes *= 2;
  }
  return schedule.Set("lanes", lanes)
      .Set("parts", DefaultParts(kernel, 32768))
      .Set("vec", ReducesRows(hero) ? 1 : 4 * VectorLanes(kernel));
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Schedule defaults = Defaults(kernel);
  const Hero& hero = *kernel.heroes[0];
  const int64_t most_parts =
      hero.identity.empty() ? 1 : std::min<int64_t>(256, hero.reduce_extents.back());
  std::vector<Knob> knobs = {
      {"parts", Choices(PowersOfTwo(1, most_parts), most_parts, defaults.Get("parts"))}};
  const int64_t most_lanes = hero.identity.empty() ? 1 : 16 * VectorLanes(kernel);
  knobs.push_back(
      {"lanes", Choices(PowersOfTwo(1, most_lanes), most_lanes, defaults.Get("lanes"))});
  knobs.push_back({"vec", Choices(PowersOfTwo(1, 8 * VectorLanes(kernel)), 8 * VectorLanes(kernel),
                                  defaults.Get("vec"))});
  return knobs;
}

// The loops over the kernel's outputs on a CPU.
struct OutputLoops {
  bool columns = false;          // vectors of outputs
  Var inner = Var::outermost();  // where an output, or a vector of them, is computed
};

OutputLoops ScheduleOutputs(LoweredKernel& kernel, int64_t vec) {
  const Hero& hero = *kernel.heroes[0];
  Func& out = kernel.output;
  OutputLoops loops;
  loops.inner = kernel.axes.empty() ? Var::outermost() : kernel.axes[0].var;
  loops.columns = !ReducesRows(hero) && kernel.direct_epilogue && vec > 1;
  if (kernel.axes.empty()) return loops;
  const int64_t outputs = Product(kernel.axes), work_per_output = Product(hero.reduce_extents);
  std::vector<Var> outer;
  int64_t steps = outputs;
  for (const Axis& axis : kernel.axes) outer.push_back(axis.var);
  if (hero.kind == Hero::Kind::kContraction && kernel.direct_epilogue) {
    // The outputs that read the same row of the larger factor follow one another.
    const std::vector<bool>& larger =
        UsesOf(hero, 0) < UsesOf(hero, 1) ? hero.lhs_axes : hero.rhs_axes;
    std::vector<Var> order;
    for (bool of_row : {false, true}) {
      for (size_t a = 0; a < outer.size(); ++a) {
        if (larger[a] == of_row) order.push_back(outer[a]);
      }
    }
    outer = order;
    out.reorder(std::vector<VarOrRVar>(outer.begin(), outer.end()));
    loops.inner = outer[0];
  }
  if (loops.columns) {
    const int64_t width = std::min(vec, kernel.axes[0].extent);
    Var block("block"), lane("column");
    out.split(kernel.axes[0].var, block, lane, static_cast<int>(width),
              Tail(kernel, kernel.axes[0].extent, width));
    out.vectorize(lane, static_cast<int>(std::min(width, VectorLanes(kernel))),
                  TailStrategy::GuardWithIf);
    outer[0] = block;
    loops.inner = block;
    steps = Product(kernel.axes, 1) * ((kernel.axes[0].extent + width - 1) / width);
  }
  if (outputs > 1 && outputs * work_per_output > 65536) {
    // The innermost loop stays a loop of its own, so that the fold can be computed inside it.
    const int64_t per_step = outputs / std::max<int64_t>(1, steps) * work_per_output;
    const int64_t per_task = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, per_step));
    Var fused = FuseVars(out, outer), task("task"), step("step");
    out.split(fused, task, step, static_cast<int>(std::min(per_task, steps)),
              TailStrategy::GuardWithIf)
        .parallel(task);
    loops.inner = step;
  }
  return loops;
}

void VectorizeColumns(const Hero& hero, int native, int64_t parts, Func& total) {
  Var v = hero.axes[0].var;
  total.vectorize(v, native, TailStrategy::RoundUp);
  if (total.num_update_definitions() == 0) return;
  Halide::Stage update = total.update();
  if (parts == 1) {
    std::vector<VarOrRVar> order = {v};
    for (const Halide::Internal::ReductionVariable& r : update.get_schedule().rvars())
      order.push_back(RVar(r.var));
    update.reorder(order).vectorize(v, native, TailStrategy::GuardWithIf).unroll(v);
  } else {
    update.vectorize(v, native, TailStrategy::GuardWithIf);
  }
}

// Parts are separate tasks, before the totals.
void ScheduleParts(const Hero& hero, int native, Fold& fold) {
  fold.partial.compute_root()
      .bound(fold.part, 0, static_cast<int32_t>(fold.shape.parts))
      .parallel(fold.part);
  fold.partial.bound(fold.lane, 0, static_cast<int32_t>(fold.shape.lanes));
  if (fold.shape.lanes == 1 && !hero.axes.empty() && hero.axes[0].extent >= native) {
    Var v = hero.axes[0].var;
    std::vector<VarOrRVar> order = {v};
    order.insert(order.end(), fold.partial_domain.begin(), fold.partial_domain.end());
    fold.partial.vectorize(v, native, TailStrategy::GuardWithIf);
    fold.partial.update().reorder(order).vectorize(v, native, TailStrategy::GuardWithIf);
  }
  fold.partial.update().parallel(fold.part);
  if (fold.joined.defined()) fold.joined.compute_root();
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  const int64_t lanes = schedule.Get("lanes"), parts = schedule.Get("parts");
  const int64_t native = VectorLanes(kernel);
  Fold fold = DefineFold(kernel, hero, FoldShape{lanes, std::min(lanes, native), parts, true});
  kernel.BuildOutput();
  const OutputLoops loops = ScheduleOutputs(kernel, schedule.Get("vec"));
  const bool in_output = !kernel.axes.empty() && kernel.direct_epilogue;
  if (in_output) {
    fold.total.compute_at(kernel.output, loops.inner);
  } else {
    fold.total.compute_root();
  }
  if (loops.columns) VectorizeColumns(hero, static_cast<int>(native), parts, fold.total);
  if (fold.piece.defined()) {
    fold.piece.compute_at(fold.total, fold.domain.pieces[0]);
    if (loops.columns) VectorizeColumns(hero, static_cast<int>(native), parts, fold.piece);
  }
  if (!fold.partial.defined()) return;
  ScheduleFoldOnCpu(fold, native);
  if (parts > 1) return ScheduleParts(hero, static_cast<int>(native), fold);
  for (Func* func : {&fold.partial, &fold.joined}) {
    if (!func->defined()) continue;
    if (in_output) {
      func->compute_at(kernel.output, loops.inner);
    } else if (hero.axes.empty()) {
      func->compute_root();
    } else {
      func->compute_at(fold.total, hero.axes[0].var);
    }
  }
}

}  // namespace

const Template kReductionOnX86 = {.id = kReduction,
                                  .forms = SetOfForms<lowering::SingleFold>(),
                                  .device = DeviceClass::kX86,
                                  .accepts = AcceptsOnCpu,
                                  .defaults = Defaults,
                                  .space = Space,
                                  .apply = Apply};
const Template kReductionOnGpu = {.id = kReduction,
                                  .forms = SetOfForms<lowering::SingleFold>(),
                                  .device = DeviceClass::kGpu,
                                  .accepts = AcceptsOnGpu,
                                  .defaults = GpuReductionDefaults,
                                  .space = GpuReductionSpace,
                                  .apply = ApplyGpuReduction};

}  // namespace halyard::schedules
