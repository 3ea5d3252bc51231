// Products and sums with zeros that a compiler can detect because the condition of a select is
// known: x * (x < x ? 1 : 0) is NaN for infinity and NaN, and -0 for negative x.
#include <gtest/gtest.h>

#include <limits>

#include "absl/strings/str_replace.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::RunOn;

constexpr const char* kExpressions[] = {
    "ROOT y = T multiply(x, zero)",
    "m = T multiply(x, zero) ROOT y = T add(m, m)",
    "m = T multiply(x, zero) n = T negate(one) ROOT y = T add(n, m)",
    "ROOT y = T multiply(x, one)",
    "c = T convert(p) ROOT y = T multiply(c, x)",
    "i = s32[6] convert(p) c = T convert(i) ROOT y = T multiply(c, x)",
    "i = u8[6] convert(p) c = T convert(i) ROOT y = T multiply(x, c)",
    "i = s64[6] convert(p) c = T convert(i) ROOT y = T multiply(x, c)",
    "c = T minimum(zero, one) ROOT y = T multiply(c, x)",
    "c = T floor(zero) ROOT y = T multiply(c, x)",
    "n = T negate(zero) c = T abs(n) ROOT y = T multiply(c, x)",
    "q = pred[6] and(p, p) c = T select(q, x, zero) ROOT y = T multiply(c, x)",
    "ROOT y = T add(x, zero)",
    "ROOT y = T subtract(zero, x)",
    "ROOT y = T divide(zero, x)",
    "ROOT y = T divide(x, zero)",
};

class KnownZeros : public ::testing::TestWithParam<const char*> {};

TEST_P(KnownZeros, AreMultipliedAndAdded) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {
      1.5, -2.5, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(), -0.0};
  for (const ElementType type : {ElementType::kF16, ElementType::kF32, ElementType::kF64}) {
    const std::string name = hlo::Shape::Array(type, {6}).ToString();
    for (const char* expression : kExpressions) {
      const std::string text = absl::StrReplaceAll(
          R"(HloModule m
ENTRY e {
  x = T parameter(0)
  p = pred[6] compare(x, x), direction=GT
  k = S constant(0)
  j = S constant(1)
  zeros = T broadcast(k), dimensions={}
  ones = T broadcast(j), dimensions={}
  zero = T select(p, ones, zeros)
  one = T select(p, zeros, ones)
  EXPRESSION
})",
          {{"EXPRESSION", expression}});
      const std::string program = absl::StrReplaceAll(
          text, {{" T ", " " + name + " "}, {" S ", " " + name.substr(0, 3) + "[] "}});
      const auto results = [&](const std::string& target) {
        return absl::StrReplaceAll(
            RunOn(target, program, {Literal::FromValues<double>(type, {6}, values)}),
            {{"-nan", "nan"}});
      };
      EXPECT_EQ(results(GetParam()), results("reference")) << program;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, KnownZeros, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace halyard
