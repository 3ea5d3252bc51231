// Programs of single values. Halide's bounds inference takes expressions of known single values
// apart as often as their parts are used, so that a kernel of a few hundred operations can take
// hours to compile.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::RunOn;

class SingleValues : public ::testing::TestWithParam<const char*> {};

// Powers and roots of integers, and generators of random bits, use their parts most often.
TEST_P(SingleValues, OfIntegersCompile) {
  for (const ElementType type :
       {ElementType::kU8, ElementType::kS8, ElementType::kU16, ElementType::kS16, ElementType::kU32,
        ElementType::kS32, ElementType::kU64, ElementType::kS64}) {
    const std::string program = absl::Substitute(R"(HloModule m
ENTRY e {
  a = $0[] parameter(0)
  b = $0[] parameter(1)
  power = $0[] power(a, b)
  quotient = $0[] divide(power, b)
  rest = $0[] remainder(a, b)
  left = $0[] shift-left(quotient, rest)
  right = $0[] shift-right-arithmetic(a, rest)
  twice = $0[] power(left, b)
  ones = $0[] popcnt(twice)
  zeros = $0[] count-leading-zeros(power)
  ROOT t = ($0[], $0[], $0[], $0[], $0[]) tuple(power, left, right, ones, zeros)
})",
                                                 hlo::HloName(type));
    const std::vector<Literal> arguments = {Literal::FromValues<int64_t>(type, {}, {113}),
                                            Literal::FromValues<int64_t>(type, {}, {7})};
    EXPECT_EQ(RunOn(GetParam(), program, arguments), RunOn("reference", program, arguments))
        << program;
  }
}

TEST_P(SingleValues, OfRandomBitsCompile) {
  const char* program = R"(HloModule m
ENTRY e {
  state = u64[2] parameter(0)
  r = (u64[2], u64[5]) rng-bit-generator(state), algorithm=rng_three_fry
  bits = u64[5] get-tuple-element(r), index=1
  one = u64[5] slice(bits), slice={[0:5]}
  two = u64[1] slice(bits), slice={[3:4]}
  base = u64[] reshape(two)
  power = u64[] power(base, base)
  ROOT t = (u64[5], u64[]) tuple(one, power)
})";
  const std::vector<Literal> arguments = {Literal::FromValues<int64_t>(
      ElementType::kU64, {2}, {1712288133492760157, 967015239264104018})};
  EXPECT_EQ(RunOn(GetParam(), program, arguments), RunOn("reference", program, arguments));
}

// As jax.random.fold_in makes them: single values, each used several times, that end up in an
// array.
std::string ChainOfSingleValues(ElementType type, uint32_t seed) {
  std::mt19937 random(seed);
  const std::string t(hlo::HloName(type));
  std::string text = absl::Substitute(R"(HloModule m
ENTRY e {
  a = $0[] parameter(0)
  b = $0[2] parameter(1)
  three = $0[] constant(3)
  shift = $0[1] broadcast(three), dimensions={}
  v0 = $0[1] broadcast(a), dimensions={}
  v1 = $0[1] slice(b), slice={[0:1]}
  v2 = $0[1] slice(b), slice={[1:2]}
)",
                                      t);
  const bool floats = hlo::IsFloat(type);
  const char* const kOfFloats[] = {"add", "subtract", "maximum", "minimum"};
  const char* const kOfIntegers[] = {"add",     "subtract", "multiply",   "xor",
                                     "maximum", "or",       "shift-left", "shift-right-logical"};
  constexpr int kOps = 60;
  for (int i = 3; i < kOps; ++i) {
    const std::string op = floats ? kOfFloats[random() % 4] : kOfIntegers[random() % 8];
    const bool shifts = op.find("shift") == 0;
    absl::StrAppend(&text, "  v", i, " = ", t, "[1] ", op, "(v", i - 1, ", ",
                    shifts ? "shift" : absl::StrCat("v", i - 2 - random() % 2), ")\n");
  }
  const std::string last = absl::StrCat("v", kOps - 1), before = absl::StrCat("v", kOps - 2);
  switch (random() % 3) {
    case 0:
      absl::StrAppend(&text, "  ROOT r = ", t, "[4] concatenate(", last, ", b, ", before,
                      "), dimensions={0}\n}\n");
      break;
    case 1:
      absl::StrAppend(&text, "  s = ", t, "[] reshape(", last, ")\n  w = ", t,
                      "[2] broadcast(s), dimensions={}\n  ROOT r = ", t, "[2] add(w, b)\n}\n");
      break;
    default:
      absl::StrAppend(&text, "  s = ", t, "[] reshape(", before, ")\n  ROOT r = ", t, "[5] pad(",
                      last, ", s), padding=1_3\n}\n");
  }
  return text;
}

TEST_P(SingleValues, ThatEndUpInArraysCompile) {
  for (const ElementType type : {ElementType::kU32, ElementType::kS32, ElementType::kU64,
                                 ElementType::kS16, ElementType::kU8, ElementType::kF32}) {
    const std::vector<Literal> arguments = {Literal::FromValues<int64_t>(type, {}, {113}),
                                            Literal::FromValues<int64_t>(type, {2}, {7, 98})};
    for (uint32_t seed = 0; seed < 6; ++seed) {
      const std::string program = ChainOfSingleValues(type, seed);
      EXPECT_EQ(RunOn(GetParam(), program, arguments), RunOn("reference", program, arguments))
          << program;
    }
  }
}

// What hides a value keeps its bits.
TEST_P(SingleValues, ThatAreSpecialEndUpInArrays) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& special :
       {std::vector<double>{NAN, -0.0, 1}, {-0.0, -0.0, 0}, {kInfinity, -kInfinity, 3e38}}) {
    const std::vector<Literal> arguments = {
        Literal::FromValues<double>(ElementType::kF32, {}, {special[0]}),
        Literal::FromValues<double>(ElementType::kF32, {2}, {special[1], special[2]})};
    for (uint32_t seed = 0; seed < 3; ++seed) {
      const std::string program = ChainOfSingleValues(ElementType::kF32, seed);
      EXPECT_EQ(RunOn(GetParam(), program, arguments), RunOn("reference", program, arguments))
          << program;
    }
  }
}

// Where the rewrite "singles" is off, kernels have reduces over no dimension.
TEST_P(SingleValues, AreReducedInKernelsOfSeveralReduces) {
  const char* program = R"(HloModule m
ENTRY e {
  x = f64[5] parameter(0)
  n = (f64[5], f64[5], f64[5]) batch-norm-training(x, x, x), epsilon=0.5, feature_index=0
  ROOT r = f64[5] get-tuple-element(n), index=0
})";
  const std::vector<Literal> arguments = {
      Literal::FromValues<double>(ElementType::kF64, {5}, {0.5, -1, -1.75, 3, -1.25})};
  CompileOptions options;
  options.without = "singles";
  EXPECT_EQ(RunOn(GetParam(), program, arguments, options), arguments[0].ToString());
}

INSTANTIATE_TEST_SUITE_P(All, SingleValues, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace halyard
