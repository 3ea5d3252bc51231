#include "frontend/builder/broadcasting.h"

#include <gtest/gtest.h>

#include "tests/frontend/builder/run_computation.h"

namespace halyard {
namespace {

using Dims = std::vector<int64_t>;

// Returns the dimensions of the result, or {-1} for an error.
Dims Result(Dims lhs, Dims rhs, Dims map = {}) {
  absl::StatusOr<BroadcastPlan> plan = PlanBroadcast(lhs, rhs, map);
  absl::StatusOr<BroadcastPlan> swapped = PlanBroadcast(rhs, lhs, map);
  EXPECT_EQ(plan.ok(), swapped.ok());
  if (!plan.ok()) return {-1};
  EXPECT_EQ(plan->dims, swapped->dims);
  EXPECT_EQ(plan->lhs_map, swapped->rhs_map);
  return plan->dims;
}
const Dims kError = {-1};

TEST(PlanBroadcastTest, Scalars) {
  EXPECT_EQ(Result({}, {}), Dims{});
  EXPECT_EQ(Result({2, 3}, {}), (Dims{2, 3}));
  EXPECT_EQ(Result({2, 3}, {}, {0}), kError);
}

TEST(PlanBroadcastTest, Degenerate) {
  EXPECT_EQ(Result({2, 1}, {2, 3}), (Dims{2, 3}));
  EXPECT_EQ(Result({1, 2, 5}, {7, 2, 5}), (Dims{7, 2, 5}));
  EXPECT_EQ(Result({7, 2, 5}, {7, 1, 5}), (Dims{7, 2, 5}));
  EXPECT_EQ(Result({7, 2, 5}, {7, 2, 6}), kError);
  EXPECT_EQ(Result({2, 1}, {1, 3}), (Dims{2, 3}));
  EXPECT_EQ(Result({1}, {0}), Dims{0});
  EXPECT_EQ(Result({2}, {0}), kError);
}

TEST(PlanBroadcastTest, InDimensions) {
  EXPECT_EQ(Result({2, 3}, {3}), kError);
  EXPECT_EQ(Result({2, 3}, {3}, {1}), (Dims{2, 3}));
  EXPECT_EQ(Result({2, 3}, {3}, {0}), kError);
  EXPECT_EQ(Result({2, 3, 4}, {3, 4}, {1, 2}), (Dims{2, 3, 4}));
  for (Dims map : {Dims{2, 3}, {1, 2}, {0, 3}}) {
    EXPECT_EQ(Result({6, 6, 6, 6}, {6, 6}, map), (Dims{6, 6, 6, 6}));
  }
  EXPECT_EQ(Result({6, 6, 6}, {6, 6}, {1, 0}), kError);
  EXPECT_EQ(Result({6, 6, 6}, {6, 6}, {1, 1}), kError);
  EXPECT_EQ(Result({6, 6, 6}, {6, 6}, {1, 3}), kError);
  EXPECT_EQ(Result({6, 6, 6}, {6, 6}, {1}), kError);
  EXPECT_EQ(Result({2, 3}, {2, 3}, {0, 1}), (Dims{2, 3}));
}

TEST(PlanBroadcastTest, BothAtOnce) {
  EXPECT_EQ(Result({4}, {1, 2}, {0}), (Dims{4, 2}));
  EXPECT_EQ(Result({1, 2}, {4, 3, 1}, {1, 2}), (Dims{4, 3, 2}));
}

TEST(BroadcastingTest, ExamplesOfTheDocuments) {
  auto add = [](auto make_lhs, auto make_rhs, Dims map) {
    XlaBuilder b("f");
    XlaOp lhs = make_lhs(b), rhs = make_rhs(b);
    b.Add(lhs, rhs, map);
    return BuildAndRun(b);
  };
  auto matrix = [](XlaBuilder& b) { return b.ConstantR2<int32_t>({{1, 2, 3}, {4, 5, 6}}); };
  auto vector = [](XlaBuilder& b) { return b.ConstantR1<int32_t>({7, 8, 9}); };
  auto seven = [](XlaBuilder& b) { return b.ConstantR0<int32_t>(7); };
  EXPECT_EQ(add(matrix, vector, {1}), "{ {8, 10, 12}, {11, 13, 15} }");
  EXPECT_EQ(add(vector, matrix, {1}), "{ {8, 10, 12}, {11, 13, 15} }");
  EXPECT_EQ(add(matrix, vector, {}),
            "f: add: ranks differ without broadcast_dimensions: [2,3] and [3]");
  EXPECT_EQ(add(matrix, vector, {0}), "f: add: incompatible dimensions 3 and 2 of [2,3] and [3]");
  EXPECT_EQ(add(matrix, seven, {}), "{ {8, 9, 10}, {11, 12, 13} }");
  EXPECT_EQ(add(seven, matrix, {}), "{ {8, 9, 10}, {11, 12, 13} }");
  auto four = [](XlaBuilder& b) { return b.ConstantR1<int32_t>({1, 2, 3, 4}); };
  auto row = [](XlaBuilder& b) { return b.ConstantR2<int32_t>({{5, 6}}); };
  EXPECT_EQ(add(four, row, {0}), "{ {6, 7}, {7, 8}, {8, 9}, {9, 10} }");
  auto square = [](XlaBuilder& b) { return b.Broadcast(b.ConstantR0<int32_t>(0), {3, 3}); };
  EXPECT_EQ(add(square, vector, {1}), "{ {7, 8, 9}, {7, 8, 9}, {7, 8, 9} }");
  EXPECT_EQ(add(square, vector, {0}), "{ {7, 7, 7}, {8, 8, 8}, {9, 9, 9} }");
}

}  // namespace
}  // namespace halyard
