// Folds done by GPU workgroups: what the GPU halves of reductions and row fusions are made of.
#ifndef HALYARD_SCHEDULES_GROUP_FOLD_H_
#define HALYARD_SCHEDULES_GROUP_FOLD_H_

#include <vector>

#include "lowering/kernel.h"

namespace halyard::schedules {

// One fold over all n elements of a hero's domain: `parts` workgroups fold a piece each, in it
// `threads` threads, in a thread `width` accumulators in registers. Threads' results meet in shared
// memory: `fans` values of threads / fans each, then one. The order is fixed by the numbers here.
//
// Heroes with an identity are folded with the threads' elements interleaved, so that neighbouring
// threads read neighbouring memory. Others (argmax and its like) must be associative:
// each thread folds a piece of its own, from its first element, and pieces are joined in order.
struct GroupShape {
  int64_t threads = 1;  // a power of two; at most n for heroes without an identity
  int64_t width = 1;    // 1 for heroes without an identity
  bool dense = false;   // a thread's `width` elements are neighbours; else `threads` apart
  int64_t parts = 1;    // 1 for heroes without an identity
};

struct GroupFold {
  lowering::Hero* hero = nullptr;
  GroupShape shape;
  int64_t fans = 1;
  Halide::Var sub{"sub"}, lane{"lane"}, fan{"fan"}, part{"part"};
  Halide::Func partial;  // (sub, lane, axes…, [part]): a thread's accumulators
  Halide::RVar step;     // of partial's update
  Halide::Func stored;   // (lane, axes…, [part]): a thread's value
  Halide::Func joined;   // (fan, axes…, [part])
  Halide::Func total;    // (axes…): the result
  // With parts, what each workgroup ends with, (axes…, part), and these joined to `part_fans`
  // values, (fan, axes…), of which total is made.
  Halide::Func group, gathered;
  int64_t part_fans = 1;
};

// Elements of a hero's domain.
int64_t DomainOf(const lowering::Hero& hero);
// The width that lets a thread read its elements with one load (4), or 1: CUDA, where every row
// starts at a multiple of it.
bool CanBeDense(const lowering::LoweredKernel& kernel, const lowering::Hero& hero, int64_t width);

// Defines the hero's Funcs, hero.result and hero.read.
GroupFold DefineGroupFold(lowering::LoweredKernel& kernel, lowering::Hero& hero, GroupShape shape);
// Bytes of shared memory that a workgroup's fold of one output takes.
int64_t SharedBytes(const lowering::Hero& hero, const GroupShape& shape);

// How a workgroup's outputs lie on its threads: one output; `rows` of axis 0 on the second
// dimension of threads, those of a fold on the first; or the other way round, so that neighbouring
// threads fold neighbouring columns.
enum class GroupLayout { kOne, kRows, kColumns };

// The largest number of rows up to `rows` that every workgroup may have: the last one overlaps the
// one before, which outputs that are computed in place do not allow.
int64_t WholeRows(const lowering::LoweredKernel& kernel, int64_t rows, int64_t extent);

// The loops over workgroups and over the innermost threads.
struct GroupLoops {
  Halide::Var block, thread;
};
// Maps `consumer`, a pure Func over `axes`, to workgroups of `rows` places along axes[0] (kOne: of
// one).
GroupLoops MapToGroups(lowering::LoweredKernel& kernel, Halide::Func& consumer,
                       const std::vector<lowering::Axis>& axes, GroupLayout layout, int64_t rows);
// Schedules partial, stored and joined inside of `consumer` at its block loop.
void ScheduleGroupFold(GroupFold& fold, Halide::Func& consumer, const Halide::Var& block,
                       GroupLayout layout);
// Total in shared memory too, for all threads of the workgroup.
void ShareTotal(GroupFold& fold, Halide::Func& consumer, const Halide::Var& block,
                GroupLayout layout);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_GROUP_FOLD_H_
