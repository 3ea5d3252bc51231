// Rows with a dimension of size 1, which some ops name and others drop. Two reduces of one kernel
// must stay reduces of the same dimensions when dimensions of size 1 disappear.
#include <gtest/gtest.h>

#include <numeric>

#include "absl/strings/substitute.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::RunOn;

// Ops that name the dimension of size 1.
constexpr const char* kNaming[] = {
    "reverse(y), dimensions={1}",
    "reverse(y), dimensions={0,1,2}",
    "slice(pair), slice={[0:16],[1:2],[0:4]}",
    "pad(y, z), padding=0_0x1_-1x0_0",
    "concatenate(y, x), dimensions={2}",
    "add(y, number)",
};
// How the sum of a row comes back to its elements.
constexpr const char* kBack[] = {
    "flat = s32[16] reshape(r)  b = s32[16,1,4] broadcast(flat), dimensions={0}",
    "b = s32[16,1,4] broadcast(r), dimensions={0,1}",
    "cube = s32[16,1,1] reshape(r)  flat = s32[16] reshape(cube)  "
    "b = s32[16,1,4] broadcast(flat), dimensions={0}",
};

class UnitDims : public ::testing::TestWithParam<const char*> {};

TEST_P(UnitDims, OfRowsDisappearTogether) {
  std::vector<int64_t> values(64);
  std::iota(values.begin(), values.end(), -20);
  for (const char* naming : kNaming) {
    for (const char* back : kBack) {
      const bool longer = naming[0] == 'c';
      const std::string program = absl::Substitute(
          R"(HloModule m
sum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT s = s32[] add(a, b) }
ENTRY e {
  x = s32[16,1,4] parameter(0)
  y = s32[16,1,4] parameter(1)
  z = s32[] constant(0)
  number = s32[16,1,4] iota(), iota_dimension=1
  pair = s32[16,2,4] concatenate(x, y), dimensions={1}
  r = s32[16,1] reduce(x, z), dimensions={2}, to_apply=sum
  $1
  n = s32[16,1,4] add(y, b)
  s = s32[16,1] reduce(n, z), dimensions={2}, to_apply=sum
  t = s32[16,1,4] broadcast(s), dimensions={0,1}
  u = s32[16,1,4] multiply(t, n)
  v = s32[16,1,$2] $0
  w = s32[16,1,4] slice(v), slice={[0:16],[0:1],[0:4]}
  ROOT o = s32[16,1,4] add(u, w)
})",
          naming, back, longer ? 8 : 4);
      const std::vector<Literal> arguments(
          2, Literal::FromValues<int64_t>(ElementType::kS32, {16, 1, 4}, values));
      EXPECT_EQ(RunOn(GetParam(), program, arguments), RunOn("reference", program, arguments))
          << program;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnitDims, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace halyard
