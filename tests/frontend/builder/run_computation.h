// Runs computations that a builder has built on the reference evaluator.
#ifndef HALYARD_TESTS_FRONTEND_BUILDER_RUN_COMPUTATION_H_
#define HALYARD_TESTS_FRONTEND_BUILDER_RUN_COMPUTATION_H_

#include <string>
#include <vector>

#include "frontend/builder/xla_builder.h"
#include "frontend/hlo/evaluate/evaluator.h"

namespace halyard {

// Returns the result's text, or the message of the first error.
inline std::string BuildAndRun(XlaBuilder& b, std::vector<Literal> arguments = {}) {
  absl::StatusOr<XlaComputation> computation = b.Build();
  if (!computation.ok()) return std::string(computation.status().message());
  hlo::Evaluator evaluator;
  evaluator.max_loop_iterations = 100000;
  absl::StatusOr<Literal> result = evaluator.Run(computation->module(), arguments);
  return result.ok() ? result->ToString() : std::string(result.status().message());
}

// (x, y) -> x + y
inline XlaComputation AddComputation(PrimitiveType type) {
  XlaBuilder b("add");
  Shape scalar = Shape::Scalar(type);
  XlaOp x = b.Parameter(0, scalar), y = b.Parameter(1, scalar);
  b.Add(x, y);
  return b.Build().value();
}

}  // namespace halyard

#endif  // HALYARD_TESTS_FRONTEND_BUILDER_RUN_COMPUTATION_H_
