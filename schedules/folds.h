// Folds that are cut into partial results. Reductions and row fusions consist of them.
#ifndef HALYARD_SCHEDULES_FOLDS_H_
#define HALYARD_SCHEDULES_FOLDS_H_

#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/pieces.h"

namespace halyard::schedules {

// A hero's fold over its domain in three steps. First there are `lanes` partial folds over
// interleaved elements of r[0] (and, if parts > 1, over `parts` contiguous pieces of the outermost
// reduced dimension). These are joined to `fans` values, and the rest is one expression. Lanes and
// parts start from the identity, so the hero must have one unless lanes = parts = 1. The numbers
// here, and never the threads, fix the order of every combination.
struct FoldShape {
  int64_t lanes = 1;
  int64_t fans = 1;  // a divisor of lanes
  int64_t parts = 1;
  // Where lanes = parts = 1: a long fold of floats is cut into pieces, one after the other.
  bool pieces = false;
};
struct Fold {
  lowering::Hero* hero = nullptr;
  FoldShape shape;
  Halide::Var lane{"lane"}, part{"part"}, fan{"fan"};
  Halide::Func partial;                      // (lane, axes..., [part])
  std::vector<Halide::RVar> partial_domain;  // domain of its update, fastest first
  Halide::Func joined;  // (fan, axes..., [part]): folded lanes; undefined if lanes == fans
  Halide::Func total;   // (axes...): the hero's result
  FoldDomain domain;    // where lanes = parts = 1
  Halide::Func piece;   // of a fold in pieces
};

// Defines the hero's Funcs and hero.read. The caller schedules `partial`, `joined` and `total`.
Fold DefineFold(lowering::LoweredKernel& kernel, lowering::Hero& hero, FoldShape shape);

// Joins the leaves' values two by two, so that the chain of dependent operations is short. Leaf i
// is joined with leaf i + n/2 if the order is free (codegen/passes/lane_sums.h makes vectors of
// that), else with its neighbour.
std::vector<lowering::Value> JoinTree(const lowering::Hero& hero,
                                      std::vector<std::vector<lowering::Value>> leaves);

// CPU: vectorizes the Funcs of the fold over lanes, computed at `at` (or at the root if `at` is an
// undefined level).
void ScheduleFoldOnCpu(Fold& fold, int64_t vector_lanes);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_FOLDS_H_
