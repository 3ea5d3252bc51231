// row: several folds over one row, and what is computed from them, in one pass over memory
// (softmax, layer norm, log-sum-exp).
//
// CPU: rows run in parallel, and each fold in vector lanes. Values that are costly and used again
// are stored for the row. GPUs: rows_gpu.cc.

#include "schedules/reduction/rows.h"

#include <algorithm>

#include "schedules/folds.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

int64_t RowElements(const LoweredKernel& kernel) {
  return Product(kernel.heroes[0]->reduce_extents);
}
size_t NumRowDims(const LoweredKernel& kernel, const std::vector<lowering::Axis>& axes) {
  const int64_t rows = Product(kernel.heroes[0]->axes);
  size_t dims = 0;
  while (Product(axes, dims) > rows) ++dims;
  return dims;
}

std::vector<Var> VarsFrom(const std::vector<lowering::Axis>& axes, size_t first, size_t last) {
  std::vector<Var> vars;
  for (size_t a = first; a < last; ++a) vars.push_back(axes[a].var);
  return vars;
}

namespace {

// The reduced dimensions are the fastest ones.
bool Accepts(const LoweredKernel& kernel) {
  const Hero& first = *kernel.heroes[0];
  if (RowElements(kernel) == 0 || Product(first.axes) == 0) return false;
  const hlo::Instruction* inst = first.instruction;
  hlo::Ints reduced = inst->GetInts(hlo::Attr::kDimensions);
  std::sort(reduced.begin(), reduced.end());
  const int64_t rank = inst->operand(0)->shape.rank();
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (reduced[i] != rank - static_cast<int64_t>(reduced.size()) + static_cast<int64_t>(i))
      return false;
  }
  return true;
}

// On GPUs, rows need folds of one operation.
bool AcceptsOnGpu(const LoweredKernel& kernel) {
  return Accepts(kernel) && std::none_of(kernel.heroes.begin(), kernel.heroes.end(),
                                         [](const auto& hero) { return hero->identity.empty(); });
}

Schedule Defaults(const LoweredKernel& kernel) {
  Schedule schedule(kRow.name);
  const int64_t n0 = kernel.heroes[0]->reduce_extents[0];
  int64_t lanes = 1;
  while (lanes < 4 * VectorLanes(kernel) && lanes * 2 <= n0) lanes *= 2;
  return schedule.Set("lanes", lanes).Set("grain", 32768);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Schedule defaults = Defaults(kernel);
  return {{"lanes", Choices(PowersOfTwo(1, 8 * VectorLanes(kernel)), 128, defaults.Get("lanes"))},
          {"grain", PowersOfTwo(1024, 1 << 20)}};
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  const int64_t native = VectorLanes(kernel), lanes = schedule.Get("lanes");
  std::vector<Fold> folds;
  kernel.BuildRow(
      [&](Hero& hero) {
        const int64_t hero_lanes = hero.identity.empty() ? 1 : lanes;
        folds.push_back(
            DefineFold(kernel, hero, FoldShape{hero_lanes, std::min(hero_lanes, native), 1}));
      },
      [](lowering::RowValue&) {});
  kernel.BuildOutput();
  Halide::Func& out = kernel.output;
  const size_t reduced = NumRowDims(kernel, kernel.axes);
  const std::vector<Var> kept = VarsFrom(kernel.axes, reduced, kernel.axes.size());
  Halide::LoopLevel at = Halide::LoopLevel::root();  // of one row alone
  if (!kept.empty()) {
    const int64_t rows = Product(kernel.axes, reduced);
    const int64_t per_task = std::clamp<int64_t>(
        schedule.Get("grain") / std::max<int64_t>(1, RowElements(kernel)), 1, rows);
    Var task("task"), row("row");
    out.split(FuseVars(out, kept), task, row, static_cast<int>(per_task),
              TailStrategy::GuardWithIf);
    if (rows > per_task) out.parallel(task);
    at = Halide::LoopLevel(out, row);
  }
  auto vectorize = [&](Halide::Func& func, const lowering::Axis& axis) {
    if (axis.extent < native) return;
    func.vectorize(axis.var, static_cast<int>(native), Tail(kernel, axis.extent, native));
    // With two vectors per step, long chains of dependent operations overlap.
    if (axis.extent % (2 * native) == 0) func.unroll(axis.var, 2);
  };
  if (reduced > 0) vectorize(out, kernel.axes[0]);
  for (Fold& fold : folds) {
    fold.total.compute_at(at);
    if (!fold.partial.defined()) continue;
    fold.partial.compute_at(at);
    if (fold.joined.defined()) fold.joined.compute_at(at);
    ScheduleFoldOnCpu(fold, native);
  }
  for (lowering::RowValue& value : kernel.row_values) {
    value.func.compute_at(at);
    vectorize(value.func, value.axes[0]);
  }
}

}  // namespace

const Template kRowOnX86 = {.id = kRow,
                            .forms = SetOfForms<lowering::Rows>(),
                            .device = DeviceClass::kX86,
                            .accepts = Accepts,
                            .defaults = Defaults,
                            .space = Space,
                            .apply = Apply};
const Template kRowOnGpu = {.id = kRow,
                            .forms = SetOfForms<lowering::Rows>(),
                            .device = DeviceClass::kGpu,
                            .accepts = AcceptsOnGpu,
                            .defaults = GpuRowDefaults,
                            .space = GpuRowSpace,
                            .apply = ApplyGpuRow};

}  // namespace halyard::schedules
