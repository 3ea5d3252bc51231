// Plans programs that are given as text.
#ifndef HALYARD_TESTS_LOWERING_PLAN_PLAN_OF_TEXT_H_
#define HALYARD_TESTS_LOWERING_PLAN_PLAN_OF_TEXT_H_

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel_request.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {

constexpr char kAdd[] = R"(
add_f32 {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
max_f32 {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] maximum(a, b)
}
)";

inline std::string WithReducers(absl::string_view rest) {
  return absl::StrCat("HloModule test\n", kAdd, rest);
}

inline ProgramSpec PlanOfText(const std::string& text, const PlanOptions& options = X86Options()) {
  std::unique_ptr<hlo::Module> module = Parse(text);
  return module == nullptr ? ProgramSpec() : PlanOf(*module, options);
}

}  // namespace halyard::lowering

#endif  // HALYARD_TESTS_LOWERING_PLAN_PLAN_OF_TEXT_H_
