#include "schedules/loops.h"

#include <algorithm>

namespace halyard::schedules {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using lowering::Axis;
using lowering::LoweredKernel;

std::string UniqueName(const char* base) { return Halide::Internal::unique_name(base); }

bool IsGpu(const LoweredKernel& kernel) {
  return kernel.device.kind == runtime::DeviceKind::kCuda ||
         kernel.device.kind == runtime::DeviceKind::kVulkan;
}

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
  if (IsGpu(kernel)) return 1;
  if (kernel.device.x86_features & runtime::kX86Avx512) return 16;
  return kernel.device.x86_features & runtime::kX86Avx ? 8 : 4;
}

std::vector<int64_t> PowersOfTwo(int64_t low, int64_t high) {
  std::vector<int64_t> values;
  for (int64_t value = low; value <= high; value *= 2) values.push_back(value);
  return values;
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

Var FuseVars(Func& func, const std::vector<Var>& vars) {
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

void GpuBlocks(LoweredKernel& kernel, Func& func, const Var& block, int64_t extent) {
  const int64_t limit = std::max<int64_t>(1, kernel.device.max_grid[0]);
  if (extent <= limit) {
    func.gpu_blocks(block);
    return;
  }
  int64_t width = 1;
  while (width * 2 <= std::min<int64_t>(limit, 32768)) width *= 2;
  Var outer("block_y"), inner("block_x");
  func.split(block, outer, inner, static_cast<int>(width), TailStrategy::GuardWithIf);
  func.gpu_blocks(inner, outer);
}

namespace {

void MapUpdate(LoweredKernel& kernel, Halide::Stage update, const std::vector<Axis>& axes,
               int64_t threads) {
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
    return;
  }
  Var outer("block_y"), inner("block_x");
  update.split(block, outer, inner, 32768, TailStrategy::GuardWithIf).gpu_blocks(inner, outer);
}

}  // namespace

Var GpuElementPerThread(LoweredKernel& kernel, Func& func, const std::vector<Axis>& axes,
                        int64_t threads) {
  Var thread("thread"), block("block");
  if (axes.empty()) {
    func.gpu_single_thread();
    for (int s = 0; s < func.num_update_definitions(); ++s) func.update(s).gpu_single_thread();
    return Var::outermost();
  }
  std::vector<Var> vars;
  for (const Axis& axis : axes) vars.push_back(axis.var);
  Var fused = FuseVars(func, vars);
  const int64_t total = Product(axes);
  func.split(fused, block, thread, static_cast<int>(threads),
             total % threads == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  func.gpu_threads(thread);
  GpuBlocks(kernel, func, block, (total + threads - 1) / threads);
  for (int s = 0; s < func.num_update_definitions(); ++s)
    MapUpdate(kernel, func.update(s), axes, threads);
  return thread;
}

}  // namespace halyard::schedules
