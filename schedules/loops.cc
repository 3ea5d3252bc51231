#include "schedules/loops.h"

#include <algorithm>

namespace halyard::schedules {

std::string UniqueName(const char* base) { return Halide::Internal::unique_name(base); }

int64_t Product(const std::vector<Axis>& axes, size_t first) {
  int64_t product = 1;
  for (size_t i = first; i < axes.size(); ++i) product *= axes[i].extent;
  return product;
}

int64_t Product(const std::vector<int64_t>& extents) {
  int64_t product = 1;
  for (int64_t extent : extents) product *= extent;
  return product;
}

int64_t VectorLanes(const LoweredKernel& kernel) {
  if (runtime::IsGpu(kernel.device)) return 1;
  return runtime::X86VectorBytes(kernel.device.x86_features) / 4;
}

std::vector<int64_t> PowersOfTwo(int64_t low, int64_t high) {
  std::vector<int64_t> values;
  for (int64_t value = low; value <= high; value *= 2) values.push_back(value);
  return values;
}

int64_t PowerOfTwoAtMost(int64_t limit) {
  int64_t value = 1;
  while (value * 2 <= limit) value *= 2;
  return value;
}

std::vector<int64_t> Choices(std::vector<int64_t> values, int64_t limit, int64_t also) {
  values.erase(
      std::remove_if(values.begin(), values.end(), [limit](int64_t v) { return v > limit; }),
      values.end());
  values.push_back(also);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

TailStrategy Tail(const LoweredKernel& kernel, int64_t extent, int64_t factor) {
  if (extent % factor == 0) return TailStrategy::RoundUp;
  return !kernel.in_place && extent >= factor ? TailStrategy::ShiftInwards
                                              : TailStrategy::GuardWithIf;
}

TailStrategy WholeOrShifted(int64_t extent, int64_t factor) {
  return extent % factor == 0 ? TailStrategy::RoundUp : TailStrategy::ShiftInwards;
}

Var FuseVars(Func& func, const std::vector<Var>& vars) {
  if (vars.empty()) throw lowering::EmitError(func.name() + ": there are no loops to fuse");
  Var fused = vars[0];
  for (size_t i = 1; i < vars.size(); ++i) {
    Var next(UniqueName("fused"));
    func.fuse(fused, vars[i], next);
    fused = next;
  }
  return fused;
}

void ParallelOuter(Func& func, const std::vector<Var>& outer, int64_t extent, int64_t per_task) {
  if (outer.empty() || extent <= 1) return;
  Var fused = FuseVars(func, outer);
  if (per_task <= 1) {
    func.parallel(fused);
  } else if (extent > per_task) {
    Var task("task"), step("step");
    func.split(fused, task, step, static_cast<int>(per_task), TailStrategy::GuardWithIf)
        .parallel(task);
  }
}

int64_t GpuThreads(const LoweredKernel& kernel, int64_t wanted) {
  const int64_t limit =
      std::min<int64_t>(kernel.device.max_threads_per_group, kernel.device.max_group[0]);
  int64_t threads = 1;
  while (threads * 2 <= std::min(wanted, limit)) threads *= 2;
  return threads;
}

GridAxes SplitForGrid(const std::vector<Axis>& axes) {
  GridAxes split;
  for (const Axis& axis : axes) {
    const bool fits = split.rest.empty() &&
                      axis.extent <= lowering::kMaxExtent / std::max<int64_t>(split.total, 1);
    if (fits) split.total *= axis.extent;
    (fits ? split.vars : split.rest).push_back(axis.var);
  }
  return split;
}

void GpuBlocks(LoweredKernel& kernel, Func& func, const Var& block, int64_t extent) {
  const int64_t limit = std::max<int64_t>(1, kernel.device.max_grid[0]);
  if (extent <= limit) {
    func.gpu_blocks(block);
    return;
  }
  int64_t width = 1;
  while (width * 2 <= std::min<int64_t>(limit, 32768)) width *= 2;
  // The inner loop keeps its name, because others are computed at it.
  Var outer("block_y");
  func.split(block, outer, block, static_cast<int>(width), TailStrategy::GuardWithIf);
  func.gpu_blocks(block, outer);
}

bool LimitsSteps(const LoweredKernel& kernel) { return runtime::LimitsSteps(kernel.device); }

CutSteps CutIntoLaunches(const LoweredKernel& kernel, Halide::Stage& stage,
                         const std::vector<RVar>& steps, const std::vector<int64_t>& extents) {
  CutSteps cut;
  int64_t room = LimitsSteps(kernel) ? kMaxLaunchSteps : INT64_MAX;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (extents[i] <= room) {
      cut.inside.push_back(steps[i]);
      cut.last = extents[i];
      room /= std::max<int64_t>(1, extents[i]);
    } else if (room <= 1) {
      cut.outside.push_back(steps[i]);
    } else {
      RVar outer(UniqueName("launch")), inner(UniqueName("step"));
      stage.split(steps[i], outer, inner, static_cast<int>(room), TailStrategy::GuardWithIf);
      cut.inside.push_back(inner);
      cut.outside.push_back(outer);
      cut.last = room;
      room = 0;
    }
  }
  return cut;
}

std::vector<VarOrRVar> MapToOneThread(Halide::Stage& stage, CutSteps* cut) {
  if (cut->outside.empty()) {
    stage.gpu_single_thread();
    return {};
  }
  // Puts loops of one iteration around the steps inside.
  RVar one(UniqueName("one")), inner(UniqueName("inner"));
  RVar block(UniqueName("block")), thread(UniqueName("thread"));
  stage.split(cut->inside.back(), one, inner, static_cast<int>(cut->last),
              TailStrategy::GuardWithIf);
  stage.split(one, block, thread, 1, TailStrategy::GuardWithIf);
  stage.allow_race_conditions().gpu_blocks(block).gpu_threads(thread);
  cut->inside.back() = inner;
  return {thread, block};
}

void OrderLaunches(Halide::Stage& stage, const CutSteps& cut,
                   const std::vector<VarOrRVar>& mapped) {
  if (cut.outside.empty()) return;
  std::vector<VarOrRVar> order = cut.inside;
  order.insert(order.end(), mapped.begin(), mapped.end());
  order.insert(order.end(), cut.outside.begin(), cut.outside.end());
  stage.reorder(order);
}

namespace {

CutSteps CutReduction(const LoweredKernel& kernel, Halide::Stage& update) {
  std::vector<RVar> steps;
  std::vector<int64_t> extents;
  for (const Halide::Internal::ReductionVariable& r : update.get_schedule().rvars()) {
    const auto extent = Halide::Internal::as_const_int(Halide::Internal::simplify(r.extent));
    if (!extent) return {};
    steps.emplace_back(r.var);
    extents.push_back(*extent);
  }
  return CutIntoLaunches(kernel, update, steps, extents);
}

void MapUpdate(LoweredKernel& kernel, Halide::Stage update, const std::vector<Axis>& axes,
               int64_t threads) {
  CutSteps cut = CutReduction(kernel, update);
  if (axes.empty()) {
    OrderLaunches(update, cut, MapToOneThread(update, &cut));
    return;
  }
  Var fused = axes[0].var, block("block"), thread("thread");
  for (size_t i = 1; i < axes.size(); ++i) {
    Var next(UniqueName("fused"));
    update.fuse(fused, axes[i].var, next);
    fused = next;
  }
  const int64_t total = Product(axes), limit = std::max<int64_t>(1, kernel.device.max_grid[0]);
  update.split(fused, block, thread, static_cast<int>(threads),
               total % threads == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  update.gpu_threads(thread);
  if ((total + threads - 1) / threads <= limit) {
    update.gpu_blocks(block);
    OrderLaunches(update, cut, {thread, block});
    return;
  }
  Var outer("block_y"), inner("block_x");
  update.split(block, outer, inner, 32768, TailStrategy::GuardWithIf).gpu_blocks(inner, outer);
  OrderLaunches(update, cut, {thread, inner, outer});
}

}  // namespace

Var GpuElementPerThread(LoweredKernel& kernel, Func& func, const std::vector<Axis>& axes,
                        int64_t threads) {
  Var thread("thread"), block("block");
  if (axes.empty()) {
    func.gpu_single_thread();
    for (int s = 0; s < func.num_update_definitions(); ++s)
      MapUpdate(kernel, func.update(s), axes, threads);
    return Var::outermost();
  }
  const auto [vars, rest, total] = SplitForGrid(axes);
  Var fused = FuseVars(func, vars);
  // Of another Func than the output, less may be needed than `axes` say (the last total of a scan):
  // what is rounded up beyond that would read behind the inputs.
  const bool whole = func.name() == kernel.output.name() && total % threads == 0;
  func.split(fused, block, thread, static_cast<int>(threads),
             whole ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  if (!rest.empty()) func.reorder(FuseVars(func, rest), thread, block);
  func.gpu_threads(thread);
  GpuBlocks(kernel, func, block, (total + threads - 1) / threads);
  for (int s = 0; s < func.num_update_definitions(); ++s)
    MapUpdate(kernel, func.update(s), axes, threads);
  return thread;
}

}  // namespace halyard::schedules
