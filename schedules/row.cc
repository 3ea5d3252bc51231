// row: several folds over one row, and what is made of them, in one pass over memory (softmax,
// layer norm, log-sum-exp).
//
// CPU: rows in parallel; each fold in vector lanes, values that are costly and used again stored
// for the row. GPU: a workgroup per row, lanes its threads, folds and row values in shared memory.

#include <algorithm>

#include "schedules/folds.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::TailStrategy;
using Halide::Var;
using lowering::Hero;
using lowering::LoweredKernel;

namespace {

int64_t RowElements(const LoweredKernel& kernel) {
  return Product(kernel.heroes[0]->reduce_extents);
}
bool UnreducedOutput(const LoweredKernel& kernel) {
  return kernel.axes.size() > kernel.heroes[0]->axes.size();
}
size_t NumReduced(const LoweredKernel& kernel) { return kernel.heroes[0]->reduce_extents.size(); }

// The reduced dimensions are the fastest ones, and at least one dimension is kept. GPU rows need
// one-operation folds.
bool Accepts(const LoweredKernel& kernel) {
  if (!kernel.row_fusion) return false;
  const Hero& first = *kernel.heroes[0];
  if (first.axes.empty() || RowElements(kernel) == 0 || Product(first.axes) == 0) return false;
  const hlo::Instruction* inst = first.instruction;
  hlo::Ints reduced = inst->GetInts(hlo::Attr::kDimensions);
  std::sort(reduced.begin(), reduced.end());
  const int64_t rank = inst->operand(0)->shape.rank();
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (reduced[i] != rank - static_cast<int64_t>(reduced.size()) + static_cast<int64_t>(i))
      return false;
  }
  for (const auto& hero : kernel.heroes) {
    if (IsGpu(kernel) && hero->identity.empty()) return false;
  }
  return true;
}

Schedule Defaults(const LoweredKernel& kernel) {
  Schedule schedule("row");
  const int64_t n0 = kernel.heroes[0]->reduce_extents[0];
  if (IsGpu(kernel)) {
    int64_t threads = GpuThreads(kernel, 128);
    while (threads > 16 && threads > n0) threads /= 2;
    return schedule.Set("threads", threads);
  }
  int64_t lanes = 1;
  while (lanes < 4 * VectorLanes(kernel) && lanes * 2 <= n0) lanes *= 2;
  return schedule.Set("lanes", lanes).Set("grain", 32768);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Schedule defaults = Defaults(kernel);
  if (IsGpu(kernel)) return {{"threads", PowersOfTwo(16, GpuThreads(kernel, 1024))}};
  return {{"lanes", Choices(PowersOfTwo(1, 8 * VectorLanes(kernel)), 128, defaults.Get("lanes"))},
          {"grain", PowersOfTwo(1024, 1 << 20)}};
}

std::vector<Var> VarsOf(const std::vector<lowering::Axis>& axes, size_t first) {
  std::vector<Var> vars;
  for (size_t a = first; a < axes.size(); ++a) vars.push_back(axes[a].var);
  return vars;
}

void ApplyOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  const int64_t threads = schedule.Get("threads");
  // Row values stay in shared memory where they fit beside the folds; else they are computed again.
  int64_t shared_left = static_cast<int64_t>(kernel.device.max_shared_bytes) -
                        8 * threads * static_cast<int64_t>(kernel.heroes.size());
  std::vector<lowering::RowValue> kept;
  for (lowering::RowValue& value : kernel.row_values) {
    const int64_t bytes =
        RowElements(kernel) * hlo::StorageBytes(value.instruction->shape.element_type());
    if (bytes > shared_left) continue;
    shared_left -= bytes;
    kept.push_back(value);
  }
  kernel.row_values = kept;

  std::vector<Fold> folds;
  kernel.BuildRow(
      [&](Hero& hero) {
        folds.push_back(
            DefineFold(kernel, hero, FoldShape{threads, std::min<int64_t>(16, threads), 1}));
      },
      [](lowering::RowValue&) {});
  kernel.BuildOutput();
  Halide::Func& out = kernel.output;
  Var block("block");
  if (UnreducedOutput(kernel)) {
    const size_t reduced = NumReduced(kernel);
    Var column = FuseVars(out, VarsOf({kernel.axes.begin(), kernel.axes.begin() + reduced}, 0)),
        step("step"), thread("thread");
    out.split(column, step, thread, static_cast<int>(threads), TailStrategy::GuardWithIf);
    block = FuseVars(out, VarsOf(kernel.axes, reduced));
    out.reorder(step, thread, block).gpu_threads(thread);
    GpuBlocks(kernel, out, block, Product(kernel.axes, reduced));
  } else {
    Var fused = FuseVars(out, VarsOf(kernel.axes, 0)), one("one");
    out.split(fused, block, one, 1).gpu_threads(one);
    GpuBlocks(kernel, out, block, Product(kernel.axes));
  }
  const auto shared = Halide::MemoryType::GPUShared;
  for (Fold& fold : folds) {
    fold.partial.compute_at(out, block)
        .store_in(shared)
        .bound(fold.lane, 0, static_cast<int32_t>(threads))
        .gpu_threads(fold.lane);
    std::vector<Halide::VarOrRVar> order(fold.partial_domain.begin(), fold.partial_domain.end());
    order.push_back(fold.lane);
    fold.partial.update().reorder(order).gpu_threads(fold.lane);
    if (fold.joined.defined()) {
      fold.joined.compute_at(out, block)
          .store_in(shared)
          .bound(fold.fan, 0, static_cast<int32_t>(fold.shape.fans))
          .gpu_threads(fold.fan);
    }
    fold.total.compute_at(out, block).store_in(shared);
    Var one("one"), rest("rest");
    fold.total.split(fold.hero->axes[0].var, rest, one, 1).gpu_threads(one);
  }
  for (lowering::RowValue& value : kernel.row_values) {
    Var column = FuseVars(value.func,
                          VarsOf({value.axes.begin(), value.axes.begin() + NumReduced(kernel)}, 0)),
        step("step"), thread("thread");
    value.func.compute_at(out, block)
        .store_in(shared)
        .split(column, step, thread, static_cast<int>(threads), TailStrategy::GuardWithIf);
    value.func.reorder(step, thread).gpu_threads(thread);
  }
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  if (IsGpu(kernel)) return ApplyOnGpu(kernel, schedule);
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
  const size_t reduced = UnreducedOutput(kernel) ? NumReduced(kernel) : 0;
  const int64_t rows = Product(kernel.axes, reduced);
  const int64_t per_task = std::clamp<int64_t>(
      schedule.Get("grain") / std::max<int64_t>(1, RowElements(kernel)), 1, rows);
  Var fused = FuseVars(out, VarsOf(kernel.axes, reduced)), task("task"), row("row");
  out.split(fused, task, row, static_cast<int>(per_task), TailStrategy::GuardWithIf);
  if (rows > per_task) out.parallel(task);
  auto vectorize = [&](Halide::Func& func, const lowering::Axis& axis) {
    if (axis.extent < native) return;
    func.vectorize(axis.var, static_cast<int>(native), Tail(kernel, axis.extent, native));
    // Two vectors a step: long chains of dependent operations overlap.
    if (axis.extent % (2 * native) == 0) func.unroll(axis.var, 2);
  };
  if (reduced > 0) vectorize(out, kernel.axes[0]);
  for (Fold& fold : folds) {
    fold.total.compute_at(out, row);
    if (!fold.partial.defined()) continue;
    fold.partial.compute_at(out, row);
    if (fold.joined.defined()) fold.joined.compute_at(out, row);
    ScheduleFoldOnCpu(fold, native);
  }
  for (lowering::RowValue& value : kernel.row_values) {
    value.func.compute_at(out, row);
    vectorize(value.func, value.axes[0]);
  }
}

}  // namespace

const Template kRowTemplate = {"row", Accepts, Defaults, Space, Apply};

}  // namespace halyard::schedules
