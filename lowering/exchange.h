// Exchange: a kernel that is several passes of a sorting network over blocks of positions. What
// schedules/ sees of it: extents and Funcs.
#ifndef HALYARD_LOWERING_EXCHANGE_H_
#define HALYARD_LOWERING_EXCHANGE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "Halide.h"
#include "frontend/hlo/module.h"

namespace halyard::lowering {

struct Exchange {
  using Elements = std::vector<Halide::Expr>;  // in storage form, one of each array

  const hlo::Instruction* instruction = nullptr;
  int64_t block = 0, passes = 0;
  int64_t bytes = 0;            // of the elements of one position
  std::vector<size_t> outputs;  // which of the arrays the kernel's outputs are
  // The elements at a position, clamped to the line.
  std::function<Elements(const Halide::Expr& line, const Halide::Expr& position)> load;
  // The elements at place `i` of a block whose first position is `first`, after a pass over
  // `before`.
  std::function<Elements(int64_t pass, const Halide::Expr& i, const Halide::Expr& first,
                         const std::function<Elements(const Halide::Expr& i)>& before)>
      exchange;

  // Set by LoweredKernel::BuildExchange: after each pass but the last, over (place, block, line).
  std::vector<Halide::Func> stage_funcs;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_EXCHANGE_H_
