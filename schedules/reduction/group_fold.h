// Folds by GPU workgroups. The GPU halves of reductions and row fusions consist of them.
#ifndef HALYARD_SCHEDULES_REDUCTION_GROUP_FOLD_H_
#define HALYARD_SCHEDULES_REDUCTION_GROUP_FOLD_H_

#include <optional>
#include <vector>

#include "lowering/kernels/kernel.h"

namespace halyard::schedules {

// One fold over all n elements of a hero's domain. Each of `parts` workgroups folds a piece with
// `threads` threads, and each thread has `width` accumulators in registers. The threads' results
// meet in shared memory: `fans` values of threads / fans results each, and then one value. The
// numbers here fix the order.
//
// Heroes with an identity are folded with the threads' elements interleaved, so that neighbouring
// threads read neighbouring memory. Other heroes (such as argmax) must be associative: each thread
// folds a piece of its own, beginning with its first element, and the pieces are joined in order.
struct GroupShape {
  int64_t threads = 1;  // a power of two; at most n for heroes without an identity
  int64_t width = 1;    // 1 for heroes without an identity
  bool dense = false;   // whether a thread's `width` elements are neighbours; otherwise they are
                        // `threads` apart
  int64_t parts = 1;    // 1 for heroes without an identity
  // Where this does not divide the extent of axes[0], the fold is also defined for the places that
  // fill the last workgroup of `padded_rows` places: they repeat the last one.
  int64_t padded_rows = 1;
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
  // With parts: the final value of each workgroup, (axes…, part), and these values joined to
  // `part_fans` values, (fan, axes…), from which `total` is made.
  Halide::Func group, gathered;
  int64_t part_fans = 1;
};

// Returns the number of elements of a hero's domain.
int64_t DomainOf(const lowering::Hero& hero);
// Returns whether a thread can read `width` elements with one load: on CUDA, if every row starts at
// a multiple of it.
bool CanBeDense(const lowering::LoweredKernel& kernel, const lowering::Hero& hero, int64_t width);

// Defines the hero's Funcs, hero.result and hero.read.
GroupFold DefineGroupFold(lowering::LoweredKernel& kernel, lowering::Hero& hero, GroupShape shape);
// Returns the bytes of shared memory that a workgroup's fold of one output takes.
int64_t SharedBytes(const lowering::Hero& hero, const GroupShape& shape);
// Returns the number of values to which `parts` results are joined before the last step.
int64_t PartFans(int64_t parts);

// How a workgroup's outputs lie on its threads. kOne: one output. kRows: `rows` of axis 0 lie on
// the second dimension of threads, and the threads of a fold on the first. kColumns: the other way
// round, so that neighbouring threads fold neighbouring columns.
enum class GroupLayout { kOne, kRows, kColumns };

// Returns the largest number of rows, up to `rows`, that every workgroup may have. The last
// workgroup overlaps the one before it, which outputs that are computed in place do not allow.
int64_t WholeRows(const lowering::LoweredKernel& kernel, int64_t rows, int64_t extent);

// The loops over workgroups and over the innermost threads.
struct GroupLoops {
  Halide::Var block, thread;
};
// Maps `consumer`, a pure Func over `axes`, to workgroups of `rows` places along axes[0] (for kOne,
// of one place). `tail` says what a last, partial workgroup does; by default it overlaps the one
// before it.
GroupLoops MapToGroups(lowering::LoweredKernel& kernel, Halide::Func& consumer,
                       const std::vector<lowering::Axis>& axes, GroupLayout layout, int64_t rows,
                       std::optional<Halide::TailStrategy> tail = std::nullopt);
// Schedules partial, stored and joined inside `consumer` at its block loop.
void ScheduleGroupFold(GroupFold& fold, Halide::Func& consumer, const Halide::Var& block,
                       GroupLayout layout);
// Schedules `gathered` inside `consumer` at its block loop, for the threads that ScheduleGroupFold
// maps the fold to.
void ScheduleGathered(GroupFold& fold, Halide::Func& consumer, const Halide::Var& block,
                      GroupLayout layout);
// Also puts `total` in shared memory, for all threads of the workgroup.
void ShareTotal(GroupFold& fold, Halide::Func& consumer, const Halide::Var& block,
                GroupLayout layout);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_REDUCTION_GROUP_FOLD_H_
