// Runs what a function adds to a builder.
#ifndef HALYARD_TESTS_FRONTEND_BUILDER_RUN_OPS_H_
#define HALYARD_TESTS_FRONTEND_BUILDER_RUN_OPS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "frontend/builder/xla_ops.h"
#include "tests/frontend/builder/run_computation.h"

namespace halyard {

inline std::string RunOps(std::function<void(XlaBuilder*)> build) {
  XlaBuilder b("f");
  build(&b);
  return BuildAndRun(b);
}

inline XlaComputation Scalars(PrimitiveType type, int count,
                              const std::function<void(std::vector<XlaOp>)>& body) {
  XlaBuilder b("body");
  std::vector<XlaOp> parameters;
  for (int i = 0; i < count; ++i) parameters.push_back(b.Parameter(i, Shape::Scalar(type)));
  body(parameters);
  return b.Build().value();
}

}  // namespace halyard

#endif  // HALYARD_TESTS_FRONTEND_BUILDER_RUN_OPS_H_
