// Parts of loop nests that templates share.
#ifndef HALYARD_SCHEDULES_LOOPS_H_
#define HALYARD_SCHEDULES_LOOPS_H_

#include <cstdint>
#include <vector>

#include "lowering/kernels/kernel.h"
#include "runtime/device_class.h"

namespace halyard::schedules {

// What every template speaks of.
using Halide::Expr;
using Halide::Func;
using Halide::MemoryType;
using Halide::RDom;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Tuple;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::Axis;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;
using lowering::Value;

// Halide treats Vars with the same name as the same Var, so each Var gets a name of its own.
std::string UniqueName(const char* base);
int64_t Product(const std::vector<Axis>& axes, size_t first = 0);
int64_t Product(const std::vector<int64_t>& extents);

// Returns the number of f32 lanes of the device's vectors (16, 8 or 4), or 1 for GPUs.
int64_t VectorLanes(const LoweredKernel& kernel);
// Returns the powers of two in [low, high].
std::vector<int64_t> PowersOfTwo(int64_t low, int64_t high);
// Returns the largest power of two that is not above `limit`, or 1.
int64_t PowerOfTwoAtMost(int64_t limit);
// Returns those of the values that are at most `limit` (at least the value 1), sorted, and `also`.
std::vector<int64_t> Choices(std::vector<int64_t> values, int64_t limit, int64_t also);

// Returns how the last, partial step of a split may be done: it overlaps the step before, unless
// elements must be computed only once or there is no whole step.
TailStrategy Tail(const LoweredKernel& kernel, int64_t extent, int64_t factor);

// The same for elements that may be computed twice and whose extent is at least the factor.
TailStrategy WholeOrShifted(int64_t extent, int64_t factor);

// Fuses all `vars`, from the fastest on, into one. A single var stays itself. Throws EmitError
// if there are none.
Var FuseVars(Func& func, const std::vector<Var>& vars);
// Fuses the outer vars and runs them in parallel, with `per_task` of the fused steps in a task.
void ParallelOuter(Func& func, const std::vector<Var>& outer, int64_t extent, int64_t per_task);

// Steps that a thread does one after the other. If the device limits steps, they are cut so that
// one launch does at most kMaxLaunchSteps of them. `inside` are the loops inside the launch,
// fastest first, and around it there is a loop of launches.
using runtime::kMaxLaunchSteps;
bool LimitsSteps(const LoweredKernel& kernel);
struct CutSteps {
  std::vector<VarOrRVar> inside, outside;
  int64_t last = 1;  // the extent of inside.back()
};
CutSteps CutIntoLaunches(const LoweredKernel& kernel, Halide::Stage& stage,
                         const std::vector<RVar>& steps, const std::vector<int64_t>& extents);
// Maps the stage to one thread of one block. Returns its loops, fastest first, or nothing if no
// loop is cut.
std::vector<VarOrRVar> MapToOneThread(Halide::Stage& stage, CutSteps* cut);
// Call this once threads and blocks (`mapped`) are chosen.
void OrderLaunches(Halide::Stage& stage, const CutSteps& cut, const std::vector<VarOrRVar>& mapped);

// Computes every output element by one GPU thread, in blocks of `threads`. Returns the thread
// variable. Update definitions over the same axes are mapped in the same way.
Var GpuElementPerThread(LoweredKernel& kernel, Func& func, const std::vector<Axis>& axes,
                        int64_t threads);
// What a place in a grid, which has 32 bits, can count: the first axes, and their elements. The
// remaining axes are loops within each thread.
struct GridAxes {
  std::vector<Var> vars, rest;
  int64_t total = 1;
};
GridAxes SplitForGrid(const std::vector<Axis>& axes);
// Returns the largest power of two ≤ `wanted` that the device's workgroups allow.
int64_t GpuThreads(const LoweredKernel& kernel, int64_t wanted);
// Maps fused GPU blocks to the device's grid: up to max_grid[0] in x, and the rest in y.
void GpuBlocks(LoweredKernel& kernel, Func& func, const Var& block, int64_t extent);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_LOOPS_H_
