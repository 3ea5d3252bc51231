// Floats become narrow integers as quantized networks write it: rounded, within bounds, converted.
// Special values go through every form on every target; the evaluator is the oracle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::RunOn;

std::vector<double> Specials() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::vector<double> special = {
      NAN,   kInf,  -kInf, 0.0,    -0.0,         1e-40,        -1e-40, 0.5,    -0.5,
      1.5,   2.5,   -2.5,  6.5,    7.5,          -7.5,         8.0,    -8.5,   126.5,
      127.0, 127.5, 128.0, -127.5, -128.0,       -128.5,       -129,   254.5,  255.5,
      256.0, -1.0,  300.0, -300.0, 32767,        32767.5,      32768,  -32769, 65535.5,
      65536, 1e10,  -1e10, 3.4e38, 2147483648.0, -2147483649.0};
  std::vector<double> values;
  for (size_t i = 0; i < 3 * special.size() + 5; ++i) values.push_back(special[i % special.size()]);
  return values;
}

struct Narrow {
  const char* name;
  double least, most;
};

class Quantization : public ::testing::TestWithParam<Narrow> {};

TEST_P(Quantization, AgreesWithTheEvaluator) {
  const Narrow& to = GetParam();
  const std::vector<double> values = Specials();
  // `beyond` is not a bound of the type, so what it bounds must still be brought within the range.
  const char* const kForms[] = {
      "ROOT r = T[N] convert(x)",
      "m = F[N] maximum(x, least) n = F[N] minimum(m, most) ROOT r = T[N] convert(n)",
      "m = F[N] minimum(most, x) n = F[N] maximum(least, m) ROOT r = T[N] convert(n)",
      "m = F[N] clamp(least, x, most) ROOT r = T[N] convert(m)",
      "q = F[N] round-nearest-even(x) m = F[N] clamp(least, q, most) ROOT r = T[N] convert(m)",
      "m = F[N] clamp(least, x, most) q = F[N] round-nearest-even(m) ROOT r = T[N] convert(q)",
      "m = F[N] clamp(least, x, most) q = F[N] round-nearest-afz(m) f = F[N] floor(q) c = F[N] "
      "ceil(f) ROOT r = T[N] convert(c)",
      "m = F[N] maximum(x, least) n = F[N] minimum(m, beyond) ROOT r = T[N] convert(n)",
      "m = F[N] minimum(x, beyond) n = F[N] maximum(m, most) ROOT r = T[N] convert(n)",
      "m = F[N] maximum(x, most) n = F[N] maximum(m, least) ROOT r = T[N] convert(n)",
      "m = F[N] clamp(least, x, most) i = T[N] convert(m) ROOT r = F[N] convert(i)",
      "m = F[N] clamp(least, x, most) ROOT r = F[N] round-nearest-even(m)",
  };
  for (const auto& [type, element] : {std::pair("f32", ElementType::kF32),
                                      {"f64", ElementType::kF64},
                                      {"bf16", ElementType::kBF16}}) {
    const auto n = static_cast<int64_t>(values.size());
    const std::vector<Literal> arguments = {Literal::FromValues<double>(element, {n}, values)};
    for (const char* form : kForms) {
      const std::string body = absl::StrReplaceAll(
          absl::StrCat("HloModule q\nENTRY e { x = F[N] parameter(0) l = F[] constant(", to.least,
                       ") least = F[N] broadcast(l), dimensions={} u = F[] constant(", to.most,
                       ") most = F[N] broadcast(u), dimensions={} w = F[] constant(",
                       to.most * 3 + 7, ") beyond = F[N] broadcast(w), dimensions={} ", form, " }"),
          {{"F[N]", absl::StrCat(type, "[", n, "]")},
           {"T[N]", absl::StrCat(to.name, "[", n, "]")},
           {"F[]", absl::StrCat(type, "[]")}});
      const auto results = [&](const char* target) {
        return absl::StrReplaceAll(RunOn(target, body, arguments), {{"-nan", "nan"}});
      };
      const std::string want = results("reference");
      ASSERT_EQ(want[0], '{') << want << "\n" << body;
      for (const char* target : {"x86", "vulkan"})
        EXPECT_EQ(results(target), want) << target << "\n" << body;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Quantization,
                         ::testing::Values(Narrow{"s8", -128, 127}, Narrow{"u8", 0, 255},
                                           Narrow{"s16", -32768, 32767}, Narrow{"u16", 0, 65535},
                                           Narrow{"s4", -8, 7}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace halyard
