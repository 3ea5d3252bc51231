// Modules for the tests of passes.
#ifndef HALYARD_TESTS_LOWERING_PLAN_PASS_MODULES_H_
#define HALYARD_TESTS_LOWERING_PLAN_PASS_MODULES_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::lowering {

using hlo::Opcode;

inline int Count(const hlo::Module& module, Opcode opcode) {
  int count = 0;
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) count += inst->opcode == opcode;
  }
  return count;
}

constexpr char kCounted[] = R"(HloModule test
body {
  p = (s32[], f32[4], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  n = s32[] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[4] tanh(x)
  ROOT t = (s32[], f32[4], s32[]) tuple(j, y, n)
}
cond {
  p = (s32[], f32[4], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=2
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[4] parameter(0)
  n = s32[] parameter(1)
  zero = s32[] constant(0)
  t = (s32[], f32[4], s32[]) tuple(zero, x, n)
  w = (s32[], f32[4], s32[]) while(t), condition=cond, body=body
  ROOT r = f32[4] get-tuple-element(w), index=1
})";

}  // namespace halyard::lowering

#endif  // HALYARD_TESTS_LOWERING_PLAN_PASS_MODULES_H_
