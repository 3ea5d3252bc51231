// Expressions that wrong rewrites of floating-point arithmetic would change, as whole programs. All
// targets must give the same bits, fused or not. Expected values come from C++ arithmetic on
// volatile operands, not from the evaluator.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "client/api/client.h"
#include "frontend/hlo_text/parser.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::ClientFor;

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

struct FloatCase {
  const char* name;
  const char* body;  // uses `x` and `y`, f32[N]; its root is r
  std::vector<float> x, y;
  float (*expected)(float x, float y);
};

// Returns the value, but hides it from the compiler.
float Opaque(float value) {
  volatile float hidden = value;
  return hidden;
}
float Add(float a, float b) { return Opaque(Opaque(a) + Opaque(b)); }
float Sub(float a, float b) { return Opaque(Opaque(a) - Opaque(b)); }
float Mul(float a, float b) { return Opaque(Opaque(a) * Opaque(b)); }
float Div(float a, float b) { return Opaque(Opaque(a) / Opaque(b)); }

const FloatCase kFloatCases[] = {
    {"add_subtract_large",
     "c = f32[] constant(1e8) k = f32[N] broadcast(c), dimensions={} s = f32[N] add(x, k) ROOT r = "
     "f32[N] subtract(s, k)",
     {1.0f, 3.0f, 0.25f, 5.5f, -7.0f, 100.0f},
     {},
     [](float x, float) { return Sub(Add(x, 1e8f), 1e8f); }},
    {"subtract_itself",
     "ROOT r = f32[N] subtract(x, x)",
     {1.0f, kInf, -kInf, kNaN, 0.0f, -0.0f},
     {},
     [](float x, float) { return Sub(x, x); }},
    {"add_zero",
     "z = f32[] constant(0) k = f32[N] broadcast(z), dimensions={} ROOT r = f32[N] add(x, k)",
     {-0.0f, 0.0f, 1.0f, kInf},
     {},
     [](float x, float) { return Add(x, 0.0f); }},
    {"times_zero",
     "z = f32[] constant(0) k = f32[N] broadcast(z), dimensions={} ROOT r = f32[N] multiply(x, k)",
     {kInf, kNaN, -1.0f, 2.0f, -kInf},
     {},
     [](float x, float) { return Mul(x, 0.0f); }},
    {"divide_constant",
     "c = f32[] constant(3.1) k = f32[N] broadcast(c), dimensions={} ROOT r = f32[N] divide(x, k)",
     {1.0f, 2.0f, 3.0f, 5.0f, 7.0f, 11.0f, 13.0f, 17.1f, 1e-3f, 1e30f},
     {},
     [](float x, float) { return Div(x, 3.1f); }},
    {"divide_itself",
     "ROOT r = f32[N] divide(x, x)",
     {0.0f, kInf, kNaN, 3.0f, -0.0f},
     {},
     [](float x, float) { return Div(x, x); }},
    {"multiply_add",
     "m = f32[N] multiply(x, y) n = f32[N] negate(x) ROOT r = f32[N] add(m, n)",
     {1.0000001f, 3.3333333f, 1.1f, 0.7f},
     {1.0000001f, 0.3f, 1.1f, 1.3f},
     [](float x, float y) { return Add(Mul(x, y), -x); }},
    {"square_difference",
     "a = f32[N] multiply(x, x) b = f32[N] multiply(y, y) ROOT r = f32[N] subtract(a, b)",
     {1.1f, 3.3333333f, 0.1f},
     {1.1f, 3.3333333f, 0.1f},
     [](float x, float y) { return Sub(Mul(x, x), Mul(y, y)); }},
    {"maximum_nan",
     "ROOT r = f32[N] maximum(x, y)",
     {kNaN, 0.0f, -0.0f, 0.0f, kInf, 1.0f},
     {0.0f, kNaN, 0.0f, -0.0f, 1.0f, -kInf},
     [](float x, float y) {
       return std::isnan(x) || std::isnan(y) ? kNaN
              : x == y                       ? (std::signbit(x) ? y : x)
                                             : (x > y ? x : y);
     }},
    {"minimum_nan",
     "ROOT r = f32[N] minimum(x, y)",
     {kNaN, 0.0f, -0.0f, 0.0f, kInf, 1.0f},
     {0.0f, kNaN, 0.0f, -0.0f, 1.0f, -kInf},
     [](float x, float y) {
       return std::isnan(x) || std::isnan(y) ? kNaN
              : x == y                       ? (std::signbit(x) ? x : y)
                                             : (x < y ? x : y);
     }},
    {"exp_specials",
     "ROOT r = f32[N] exponential(x)",
     {kInf, -kInf, kNaN, 0.0f, -0.0f, 200.0f, -200.0f},
     {},
     [](float x, float) { return std::exp(x); }},
    {"log_specials",
     "ROOT r = f32[N] log(x)",
     {kInf, 0.0f, -0.0f, -1.0f, kNaN, 1.0f},
     {},
     [](float x, float) { return std::log(x); }},
    {"equal_itself",
     "e = pred[N] compare(x, x), direction=EQ ROOT r = f32[N] convert(e)",
     {kNaN, 1.0f, kInf},
     {},
     [](float x, float) { return x == x ? 1.0f : 0.0f; }},
    {"not_equal_itself",
     "e = pred[N] compare(x, x), direction=NE ROOT r = f32[N] convert(e)",
     {kNaN, 1.0f, kInf},
     {},
     [](float x, float) { return x == x ? 0.0f : 1.0f; }},
    {"remainder_sign",
     "ROOT r = f32[N] remainder(x, y)",
     {-6.8f, 6.8f, 17.0f, -17.0f, 5.0f, kInf},
     {3.0f, -3.0f, 3.0f, 3.0f, kInf, 2.0f},
     [](float x, float y) { return std::fmod(x, y); }},
    {"both_zeros",
     "p = f32[] constant(0) n = f32[] constant(-0) pk = f32[N] broadcast(p), dimensions={} nk = "
     "f32[N] broadcast(n), dimensions={} "
     "g = pred[N] compare(x, pk), direction=GT ROOT r = f32[N] select(g, pk, nk)",
     {1.0f, -1.0f, 0.0f},
     {},
     [](float x, float) { return x > 0 ? 0.0f : -0.0f; }},
    {"reassociation",
     "a = f32[N] add(x, y) n = f32[N] negate(x) ROOT r = f32[N] add(a, n)",
     {1e8f, 1e20f, 3.0f},
     {1.0f, 1.0f, 0.1f},
     [](float x, float y) { return Add(Add(x, y), -x); }},
};

std::string Program(const FloatCase& test) {
  std::string text = "HloModule golden\nENTRY e { x = f32[N] parameter(0) ";
  if (!test.y.empty()) text += "y = f32[N] parameter(1) ";
  text += std::string(test.body) + " }";
  const std::string n = std::to_string(test.x.size());
  for (size_t at; (at = text.find("[N]")) != std::string::npos;) text.replace(at + 1, 1, n);
  return text;
}

Literal Floats(const std::vector<float>& values) {
  Literal literal(hlo::Shape::Array(ElementType::kF32, {static_cast<int64_t>(values.size())}));
  memcpy(literal.mutable_bytes().data(), values.data(), values.size() * sizeof(float));
  return literal;
}

class Golden : public ::testing::TestWithParam<std::tuple<const char*, bool>> {};

TEST_P(Golden, Floats) {
  const auto& [target, fuse] = GetParam();
  Client* client = ClientFor(target);
  if (client == nullptr) GTEST_SKIP() << target << " is not on this machine";
  for (const FloatCase& test : kFloatCases) {
    auto module = hlo_text::ParseModule(Program(test), test.name);
    ASSERT_TRUE(module.ok()) << module.status();
    CompileOptions options;
    options.fuse = fuse;
    auto executable = client->Compile(**module, options);
    ASSERT_TRUE(executable.ok()) << test.name << ": " << executable.status();
    std::vector<Literal> inputs = {Floats(test.x)};
    if (!test.y.empty()) inputs.push_back(Floats(test.y));
    auto results = (*executable)->RunLiterals(inputs);
    ASSERT_TRUE(results.ok()) << test.name << ": " << results.status();
    for (size_t i = 0; i < test.x.size(); ++i) {
      const float want = test.expected(test.x[i], test.y.empty() ? 0.0f : test.y[i]);
      float got;
      memcpy(&got, (*results)[0].bytes().data() + i * sizeof(float), sizeof(float));
      const bool same =
          std::isnan(want) ? std::isnan(got) : memcmp(&want, &got, sizeof(float)) == 0;
      EXPECT_TRUE(same) << test.name << " of " << test.x[i] << (test.y.empty() ? "" : ", ")
                        << (test.y.empty() ? "" : std::to_string(test.y[i])) << ": " << got
                        << ", not " << want;
    }
  }
}

struct IntCase {
  const char* name;
  const char* op;
  std::vector<int32_t> x, y, want;
};
constexpr int32_t kMin = std::numeric_limits<int32_t>::min(),
                  kMax = std::numeric_limits<int32_t>::max();
const IntCase kIntCases[] = {
    {"add wraps", "add", {kMax, kMin, 1}, {1, -1, 2}, {kMin, kMax, 3}},
    {"multiply wraps", "multiply", {kMax, kMin, 65536}, {2, -1, 65536}, {-2, kMin, 0}},
    {"divide", "divide", {7, -7, 7, kMin, 5, -5}, {2, 2, -2, -1, 0, 0}, {3, -3, -3, kMin, -1, -1}},
    {"remainder",
     "remainder",
     {17, -17, 17, kMin, 5, -5},
     {3, 3, -3, -1, 0, 0},
     {2, -2, 2, 0, 5, -5}},
    {"shift-left", "shift-left", {1, 1, -1, 1}, {31, 32, 1, -1}, {kMin, 0, -2, 0}},
    {"shift-right-arithmetic",
     "shift-right-arithmetic",
     {-8, -8, 8, -1},
     {1, 40, 40, -1},
     {-4, -1, 0, -1}},
    {"shift-right-logical", "shift-right-logical", {-8, -8, 8}, {1, 32, 3}, {0x7ffffffc, 0, 1}},
};

TEST_P(Golden, Integers) {
  const auto& [target, fuse] = GetParam();
  Client* client = ClientFor(target);
  if (client == nullptr) GTEST_SKIP() << target << " is not on this machine";
  for (const IntCase& test : kIntCases) {
    const std::string shape = "s32[" + std::to_string(test.x.size()) + "]";
    auto module = hlo_text::ParseModule(
        "HloModule golden\nENTRY e { x = " + shape + " parameter(0) y = " + shape +
            " parameter(1) ROOT r = " + shape + " " + test.op + "(x, y) }",
        test.name);
    ASSERT_TRUE(module.ok()) << module.status();
    CompileOptions options;
    options.fuse = fuse;
    auto executable = client->Compile(**module, options);
    ASSERT_TRUE(executable.ok()) << test.name << ": " << executable.status();
    auto literal = [](const std::vector<int32_t>& values) {
      Literal result(hlo::Shape::Array(ElementType::kS32, {static_cast<int64_t>(values.size())}));
      for (size_t i = 0; i < values.size(); ++i) result.SetInt(static_cast<int64_t>(i), values[i]);
      return result;
    };
    auto results = (*executable)->RunLiterals({literal(test.x), literal(test.y)});
    ASSERT_TRUE(results.ok()) << test.name << ": " << results.status();
    for (size_t i = 0; i < test.x.size(); ++i) {
      EXPECT_EQ((*results)[0].GetInt(static_cast<int64_t>(i)), test.want[i])
          << test.name << " of " << test.x[i] << ", " << test.y[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Golden,
                         ::testing::Combine(::testing::Values("reference", "x86", "vulkan"),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_fused" : "_unfused");
                         });

}  // namespace
}  // namespace halyard
