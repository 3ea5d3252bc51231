// Loop-nest pieces that templates share.
#ifndef HALYARD_SCHEDULES_LOOPS_H_
#define HALYARD_SCHEDULES_LOOPS_H_

#include <cstdint>
#include <vector>

#include "lowering/kernel.h"

namespace halyard::schedules {

// Halide's Vars of one name are one Var.
std::string UniqueName(const char* base);
int64_t Product(const std::vector<lowering::Axis>& axes, size_t first = 0);
int64_t Product(const std::vector<int64_t>& extents);

// f32 lanes of the device's vectors (16, 8 or 4); GPUs: 1.
int64_t VectorLanes(const lowering::LoweredKernel& kernel);
// Powers of two in [low, high].
std::vector<int64_t> PowersOfTwo(int64_t low, int64_t high);
// The values, each at most `limit` (at least one is left: 1), sorted, with `also` among them.
std::vector<int64_t> Choices(std::vector<int64_t> values, int64_t limit, int64_t also);

// How the last, partial step of a split may be done: overlapping the one before, unless elements
// must be computed once only or there is no whole step.
Halide::TailStrategy Tail(const lowering::LoweredKernel& kernel, int64_t extent, int64_t factor);

// All `vars` from the fastest on fused into one; a lone var is itself. `vars` must not be empty.
Halide::Var FuseVars(Halide::Func& func, const std::vector<Halide::Var>& vars);
// The outer vars fused and run in parallel, `per_task` of the fused steps in a task.
void ParallelOuter(Halide::Func& func, const std::vector<Halide::Var>& outer, int64_t extent,
                   int64_t per_task);

// Steps that a thread does one after the other, cut so that a launch does at most kMaxLaunchSteps
// of them, where the device needs that: `inside` of the launch, fastest first, and around it, as a
// loop of launches.
inline constexpr int64_t kMaxLaunchSteps = 16384;
bool LimitsSteps(const lowering::LoweredKernel& kernel);
struct CutSteps {
  std::vector<Halide::VarOrRVar> inside, outside;
  int64_t last = 1;  // extent of inside.back()
};
CutSteps CutIntoLaunches(const lowering::LoweredKernel& kernel, Halide::Stage& stage,
                         const std::vector<Halide::RVar>& steps,
                         const std::vector<int64_t>& extents);
// The stage as one thread of one block. Gives their loops, fastest first; none if nothing is cut.
std::vector<Halide::VarOrRVar> MapToOneThread(Halide::Stage& stage, CutSteps* cut);
// Once threads and blocks (`mapped`) are chosen.
void OrderLaunches(Halide::Stage& stage, const CutSteps& cut,
                   const std::vector<Halide::VarOrRVar>& mapped);

// Every output element by one GPU thread, in blocks of `threads`. Returns the thread variable.
// Update definitions over the same axes are mapped alike.
Halide::Var GpuElementPerThread(lowering::LoweredKernel& kernel, Halide::Func& func,
                                const std::vector<lowering::Axis>& axes, int64_t threads);
// What a place in a grid, which has 32 bits, can count: axes from the first on, and their elements.
// The rest are loops within each thread.
struct GridAxes {
  std::vector<Halide::Var> vars, rest;
  int64_t total = 1;
};
GridAxes SplitForGrid(const std::vector<lowering::Axis>& axes);
// Largest power of two ≤ `wanted` that the device's workgroups allow.
int64_t GpuThreads(const lowering::LoweredKernel& kernel, int64_t wanted);
// Maps fused GPU blocks to the device's grid: up to max_grid[0] in x, the rest in y.
void GpuBlocks(lowering::LoweredKernel& kernel, Halide::Func& func, const Halide::Var& block,
               int64_t extent);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_LOOPS_H_
