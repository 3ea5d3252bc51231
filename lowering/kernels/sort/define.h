// An Exchange is a kernel that consists of several passes of a sorting network over blocks of
// positions. schedules/ sees its extents and Funcs.
#ifndef HALYARD_LOWERING_KERNELS_SORT_DEFINE_H_
#define HALYARD_LOWERING_KERNELS_SORT_DEFINE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "Halide.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

struct Exchange {
  using Elements = std::vector<Halide::Expr>;  // in storage form, one of each array

  const hlo::Instruction* instruction = nullptr;
  int64_t block = 0, passes = 0;
  int64_t bytes = 0;            // bytes of the elements at one position
  std::vector<size_t> outputs;  // the arrays that are the kernel's outputs
  // Returns the elements at a position, clamped to the line.
  std::function<Elements(const Halide::Expr& line, const Halide::Expr& position)> load;
  // Returns the elements at place `i` of a block whose first position is `first`, after a pass over
  // `before`.
  std::function<Elements(int64_t pass, const Halide::Expr& i, const Halide::Expr& first,
                         const std::function<Elements(const Halide::Expr& i)>& before)>
      exchange;

  // LoweredKernel::BuildExchange sets these: the elements after each pass except the last, over
  // (place, block, line).
  std::vector<Halide::Func> stage_funcs;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_SORT_DEFINE_H_
