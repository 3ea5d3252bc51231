// Counts the ops of an expression each as often as it is used, as Halide visits them in an index.
#ifndef HALYARD_LOWERING_PLAN_REPEATED_OPS_H_
#define HALYARD_LOWERING_PLAN_REPEATED_OPS_H_

#include <cstdint>
#include <unordered_map>

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

class RepeatedOps {
 public:
  // What is more than `most` counts as `most` + 1: the numbers double with each op.
  explicit RepeatedOps(int64_t most) : most_(most) {}
  // Returns the ops between `inst` and what is in memory: heroes, and what has no operands.
  int64_t Of(const hlo::Instruction& inst);
  bool IsMany(const hlo::Instruction& inst) { return Of(inst) > most_; }

 private:
  const int64_t most_;
  std::unordered_map<const hlo::Instruction*, int64_t> known_;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_REPEATED_OPS_H_
