// Sums of very many terms, which one accumulator would round as often.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::ClientFor;
using testing::RunOn;

std::vector<double> Uniform(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = random() * 0x1p-32;
  return values;
}

struct Case {
  const char* name;
  std::string ops;  // of parameters a and b; the root is r
  std::vector<std::pair<ElementType, std::vector<int64_t>>> arguments;
  double tolerance = 2e-6, on_vulkan = 0;  // relative; 0: the same
};

std::string Dot(const std::string& result, const std::string& a, const std::string& b,
                const std::string& attributes) {
  return absl::StrCat("  a = ", a, " parameter(0)\n  b = ", b, " parameter(1)\n  ROOT r = ", result,
                      " dot(a, b), ", attributes, "\n");
}

std::vector<Case> Cases() {
  const char* const kLast = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  return {
      {"few_outputs",
       Dot("f32[4,4]", "f32[4,262144]", "f32[4,262144]",
           "lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
       {{ElementType::kF32, {4, 262144}}, {ElementType::kF32, {4, 262144}}}},
      {"prime",
       Dot("f32[3,5]", "f32[3,100003]", "f32[100003,5]", kLast),
       {{ElementType::kF32, {3, 100003}}, {ElementType::kF32, {100003, 5}}}},
      {"tiles",
       Dot("f32[70,100]", "f32[70,16411]", "f32[16411,100]", kLast),
       {{ElementType::kF32, {70, 16411}}, {ElementType::kF32, {16411, 100}}}},
      {"batch",
       Dot("f32[2,3,4]", "f32[2,3,65537]", "f32[2,65537,4]",
           "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
           "rhs_contracting_dims={1}"),
       {{ElementType::kF32, {2, 3, 65537}}, {ElementType::kF32, {2, 65537, 4}}}},
      {"two_dimensions",
       Dot("f32[4,5]", "f32[300,4,200]", "f32[5,200,300]",
           "lhs_contracting_dims={0,2}, rhs_contracting_dims={2,1}"),
       {{ElementType::kF32, {300, 4, 200}}, {ElementType::kF32, {5, 200, 300}}}},
      {"vector",
       Dot("f32[9]", "f32[9,70000]", "f32[70000]", kLast),
       {{ElementType::kF32, {9, 70000}}, {ElementType::kF32, {70000}}}},
      {"f64",
       Dot("f64[4,6]", "f64[4,50000]", "f64[50000,6]", kLast),
       {{ElementType::kF64, {4, 50000}}, {ElementType::kF64, {50000, 6}}},
       1e-14},
      // One rounding to bf16.
      {"bf16",
       Dot("bf16[4,6]", "bf16[4,90000]", "bf16[90000,6]", kLast),
       {{ElementType::kBF16, {4, 90000}}, {ElementType::kBF16, {90000, 6}}},
       0.0040},
      {"bf16_to_f32",
       Dot("f32[4,64]", "bf16[4,30000]", "bf16[30000,64]", kLast),
       {{ElementType::kBF16, {4, 30000}}, {ElementType::kBF16, {30000, 64}}},
       1e-5},
      {"convolution",
       R"(  a = f32[32,42,42,4] parameter(0)
  b = f32[32,40,40,5] parameter(1)
  ROOT r = f32[3,3,4,5] convolution(a, b), window={size=40x40}, dim_labels=f01b_i01o->01bf
)",
       {{ElementType::kF32, {32, 42, 42, 4}}, {ElementType::kF32, {32, 40, 40, 5}}},
       2e-6,
       2e-5},  // one accumulator
      {"columns",
       R"(  a = f32[100003,100] parameter(0)
  z = f32[] constant(3)
  ROOT r = f32[100] reduce(a, z), dimensions={0}, to_apply=add
)",
       {{ElementType::kF32, {100003, 100}}}},
      {"columns_of_two_dimensions",
       R"(  a = f32[300,200,19] parameter(0)
  z = f32[] constant(0)
  s = f32[19] reduce(a, z), dimensions={0,1}, to_apply=add
  ROOT r = f32[19] sqrt(s)
)",
       {{ElementType::kF32, {300, 200, 19}}}},
      {"few_columns",
       R"(  a = f32[524288,3] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[3] reduce(a, z), dimensions={0}, to_apply=add
)",
       {{ElementType::kF32, {524288, 3}}}},
      {"rows",
       R"(  a = f32[3,1048577] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[3] reduce(a, z), dimensions={1}, to_apply=add
)",
       {{ElementType::kF32, {3, 1048577}}}},
  };
}

std::string ProgramOf(const Case& c) {
  return absl::StrCat(
      "HloModule m\nadd { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) "
      "}\nENTRY e {\n",
      c.ops, "}\n");
}

class LongSums : public ::testing::TestWithParam<std::tuple<const char*, Case>> {};

// Returns the only result as numbers.
absl::StatusOr<std::vector<double>> Values(Client& client, const std::string& program,
                                           const std::vector<Literal>& arguments) {
  auto module = ParseProgram(program, "p");
  if (!module.ok()) return module.status();
  auto executable = client.Compile(**module);
  if (!executable.ok()) return executable.status();
  auto results = (*executable)->RunLiterals(arguments);
  if (!results.ok()) return results.status();
  std::vector<double> values;
  for (int64_t i = 0; i < results->at(0).shape().NumElements(); ++i)
    values.push_back(results->at(0).GetAsDouble(i));
  return values;
}

// The evaluator's sums of f32 are those of f64.
TEST_P(LongSums, RoundLittle) {
  const auto& [target, c] = GetParam();
  if (ClientFor(target) == nullptr) GTEST_SKIP() << "no " << target;
  std::vector<Literal> arguments;
  for (const auto& [type, dims] : c.arguments) {
    const int64_t count = hlo::Shape::Array(type, dims).NumElements();
    arguments.push_back(Literal::FromValues<double>(
        type, dims, Uniform(count, static_cast<uint32_t>(arguments.size() + 1))));
  }
  const auto wanted = Values(*ClientFor("reference"), ProgramOf(c), arguments),
             got = Values(*ClientFor(target), ProgramOf(c), arguments);
  ASSERT_TRUE(wanted.ok() && got.ok()) << wanted.status() << " " << got.status();
  ASSERT_EQ(wanted->size(), got->size());
  const double tolerance =
      std::string(target) == "vulkan" && c.on_vulkan > 0 ? c.on_vulkan : c.tolerance;
  for (size_t i = 0; i < got->size(); ++i)
    EXPECT_NEAR((*got)[i], (*wanted)[i], tolerance * (*wanted)[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(All, LongSums,
                         ::testing::Combine(::testing::Values("x86", "vulkan"),
                                            ::testing::ValuesIn(Cases())),
                         [](const auto& info) {
                           return absl::StrCat(std::get<0>(info.param), "_",
                                               std::get<1>(info.param).name);
                         });

class SpecialSums : public ::testing::TestWithParam<const char*> {};

// What is added to fill a last piece does not meet infinities, and no piece starts at a number
// that -0 is lost in.
TEST_P(SpecialSums, KeepSpecialValues) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr int64_t kTerms = 33333;
  std::vector<double> a(2 * kTerms, 1), b(2 * kTerms, 0.25);
  a[kTerms - 1] = kInfinity;
  a[kTerms + 20000] = NAN;
  b[2 * kTerms - 1] = 0;  // in the second column: inf · 0
  const std::string product =
      absl::StrCat("HloModule m\nENTRY e {\n",
                   Dot("f32[2,2]", "f32[2,33333]", "f32[33333,2]",
                       "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
                   "}\n");
  const std::vector<Literal> factors = {
      Literal::FromValues<double>(ElementType::kF32, {2, kTerms}, a),
      Literal::FromValues<double>(ElementType::kF32, {kTerms, 2}, b)};
  EXPECT_EQ(RunOn(GetParam(), product, factors), RunOn("reference", product, factors));

  const char* columns = R"(HloModule m
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
ENTRY e {
  a = f32[20011,17] parameter(0)
  z = f32[] constant(-0)
  s = f32[17] reduce(a, z), dimensions={0}, to_apply=add
  one = f32[] constant(1)
  ones = f32[17] broadcast(one), dimensions={}
  ROOT r = f32[17] divide(ones, s)
})";
  std::vector<double> zeros(20011 * 17, -0.0);
  zeros[20010 * 17 + 3] = 0;
  zeros[10000 * 17 + 4] = kInfinity;
  zeros[19000 * 17 + 4] = -kInfinity;
  const std::vector<Literal> values = {
      Literal::FromValues<double>(ElementType::kF32, {20011, 17}, zeros)};
  EXPECT_EQ(RunOn(GetParam(), columns, values), RunOn("reference", columns, values));
}

// Sums of integers wrap, in any order.
TEST_P(SpecialSums, OfIntegersWrap) {
  std::mt19937 random(7);
  for (const ElementType type : {ElementType::kS32, ElementType::kU8, ElementType::kS64}) {
    const std::string t(hlo::HloName(type));
    const std::string program = absl::StrCat(
        "HloModule m\nENTRY e {\n",
        Dot(absl::StrCat(t, "[3,4]"), absl::StrCat(t, "[3,40009]"), absl::StrCat(t, "[40009,4]"),
            "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        "}\n");
    std::vector<Literal> arguments;
    for (const std::vector<int64_t>& dims : {std::vector<int64_t>{3, 40009}, {40009, 4}}) {
      std::vector<int64_t> values(dims[0] * dims[1]);
      for (int64_t& value : values) value = random() % 200;
      arguments.push_back(Literal::FromValues<int64_t>(type, dims, values));
    }
    EXPECT_EQ(RunOn(GetParam(), program, arguments), RunOn("reference", program, arguments)) << t;
  }
}

// Cut, these factors would be arrays of more than the 128 MiB that llvmpipe binds.
TEST_P(SpecialSums, OfFactorsThatAreNoArrays) {
  const char* const programs[] = {R"(HloModule m
ENTRY e {
  b = s8[20480,1900] parameter(0)
  wide = f32[20480,1900] convert(b)
  a = f32[2,20480] parameter(1)
  ROOT r = f32[2,1900] dot(a, wide), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
                                  R"(HloModule m
ENTRY e {
  b = s8[20011,1900] parameter(0)
  wide = f32[20011,1900] convert(b)
  a = f32[2,20011] parameter(1)
  ROOT r = f32[2,1900] dot(a, wide), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})"};
  for (const char* program : programs) {
    const int64_t terms = std::string(program).find("20480") == std::string::npos ? 20011 : 20480;
    // Whole numbers: sums are exact in any order.
    std::mt19937 random(3);
    std::vector<int64_t> b(terms * 1900);
    for (int64_t& value : b) value = static_cast<int64_t>(random() % 7) - 3;
    const std::vector<Literal> arguments = {
        Literal::FromValues<int64_t>(ElementType::kS8, {terms, 1900}, b),
        Literal::FromValues<double>(ElementType::kF32, {2, terms},
                                    std::vector<double>(2 * terms, 2))};
    EXPECT_EQ(RunOn(GetParam(), program, arguments), RunOn("reference", program, arguments));
  }
}

INSTANTIATE_TEST_SUITE_P(All, SpecialSums, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace halyard
