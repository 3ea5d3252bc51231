// The greatest and least elements of rows and columns of special values, on every target and with
// vectors of each width, beside the evaluator: NaN of either sign, zeros of both signs, infinities
// and denormals, in every order that rotates them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::RunOn;

class Extremes : public ::testing::TestWithParam<const char*> {};

// Row i has the first `i % 7 + 1` of the special values, from another one on, and numbers between.
Literal Values(ElementType type, int64_t rows, int64_t columns, bool denormals) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const double special[] = {-0.0, 0.0, -kInf, denormals ? -1e-40 : -1, kInf, -NAN, NAN};
  Literal x(hlo::Shape::Array(type, {rows, columns}));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < columns; ++k) {
      const int64_t turn = (i + k) % 11;
      // Some rows have special values only, and some only values of one sign.
      double value = special[turn % (i % 7 + 1)];
      if (i % 5 == 1 && turn > 6) value = static_cast<double>(k % 13) - 6;
      if (i % 5 == 2) value = turn == 3 ? special[i % 7] : static_cast<double>(k % 13) + 0.5;
      if (i % 5 == 3) value = turn == 3 ? special[i % 7] : -static_cast<double>(k % 13) - 0.5;
      x.SetFloat(i * columns + k, value);
    }
  }
  return x;
}

// Which NaN it is, is open.
std::string Plain(const std::string& results) {
  return std::regex_replace(results, std::regex("-?nan(\\(0x[0-9a-f]+\\))?"), "nan");
}

TEST_P(Extremes, AgreeWithTheEvaluator) {
  const std::string target = GetParam();
  if (testing::ClientFor(target) == nullptr) GTEST_SKIP() << "no " << target;
  const char* const kForms[] = {
      "ROOT r = F[R] reduce(x, s), dimensions={1}, to_apply=body",
      "ROOT r = F[C] reduce(x, s), dimensions={0}, to_apply=body",
      "ROOT r = F[] reduce(x, s), dimensions={0,1}, to_apply=body",
      "m = F[R] reduce(x, s), dimensions={1}, to_apply=body b = F[R,C] broadcast(m), "
      "dimensions={0} ROOT r = F[R,C] subtract(x, b)",
  };
  for (const auto& [name, type] : {std::pair("f32", ElementType::kF32),
                                   {"f64", ElementType::kF64},
                                   {"bf16", ElementType::kBF16},
                                   {"f16", ElementType::kF16}}) {
    const bool denormals = target != "vulkan" && type == ElementType::kF32;
    for (const char* op : {"maximum", "minimum"}) {
      for (const std::string start : {"identity", "0", "nan"}) {
        if (start != "identity" && type != ElementType::kF32) continue;
        for (const char* form : kForms) {
          const std::string identity = std::string(op) == "maximum" ? "-inf" : "inf";
          const std::string text = absl::StrReplaceAll(
              absl::StrCat("HloModule m\nbody { a = F[] parameter(0) b = F[] parameter(1) ROOT c = "
                           "F[] ",
                           op, "(a, b) }\nENTRY e { x = F[R,C] parameter(0) s = F[] constant(",
                           start == "identity" ? identity : start, ") ", form, " }"),
              {{"F[R,C]", absl::StrCat(name, "[37,75]")},
               {"F[R]", absl::StrCat(name, "[37]")},
               {"F[C]", absl::StrCat(name, "[75]")},
               {"F[]", absl::StrCat(name, "[]")}});
          const Literal x = Values(type, 37, 75, denormals);
          const std::string got = Plain(RunOn(target, text, {x}));
          ASSERT_EQ(got.find_first_not_of("{}, -+.0123456789einfa"), std::string::npos) << got;
          EXPECT_TRUE(got == Plain(RunOn("reference", text, {x}))) << text << "\n"
                                                                   << got.substr(0, 200);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Extremes,
                         ::testing::Values("x86", "x86:v3", "x86:v2", "vulkan", "cuda"),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{":", "_"}});
                         });

}  // namespace
}  // namespace halyard
