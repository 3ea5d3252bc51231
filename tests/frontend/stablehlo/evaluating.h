// Reads a program and evaluates it.
#ifndef HALYARD_TESTS_FRONTEND_STABLEHLO_EVALUATING_H_
#define HALYARD_TESTS_FRONTEND_STABLEHLO_EVALUATING_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/stablehlo/stablehlo.h"
#include "gtest/gtest.h"

namespace halyard::stablehlo {

inline hlo::Literal Floats(std::vector<int64_t> dims, std::vector<double> values) {
  return hlo::Literal::FromValues<double>(hlo::ElementType::kF32, std::move(dims), values);
}

inline hlo::Literal Ints32(std::vector<int64_t> dims, std::vector<int64_t> values) {
  return hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS32, std::move(dims), values);
}

inline hlo::Literal Pred(bool value) {
  return hlo::Literal::FromValues<int64_t>(hlo::ElementType::kPred, {},
                                           std::vector<int64_t>{value});
}

// Returns the result's text, or the error.
inline std::string Evaluate(const std::string& text, const std::vector<hlo::Literal>& arguments) {
  auto module = ParseStableHlo(text, "p.mlir");
  if (!module.ok()) return std::string(module.status().message());
  hlo::Evaluator evaluator;
  evaluator.max_loop_iterations = 1000;
  auto result = evaluator.Run(**module, arguments);
  return result.ok() ? result->ToString() : std::string(result.status().message());
}

}  // namespace halyard::stablehlo

#endif  // HALYARD_TESTS_FRONTEND_STABLEHLO_EVALUATING_H_
