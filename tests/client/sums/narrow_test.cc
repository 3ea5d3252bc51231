// Sums and products of many narrow floats, on every target and with vectors of each width: they are
// rounded once, when they are complete. So they have the evaluator's bits wherever those of f32 are
// exact.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::RunOn;

constexpr int64_t kRows = 4, kColumns = 2048;

class NarrowSums : public ::testing::TestWithParam<const char*> {};

// Terms of `type` whose sums would stop growing early if each were rounded to it.
Literal Terms(ElementType type, bool transposed) {
  Literal x(hlo::Shape::Array(type, transposed ? std::vector<int64_t>{kColumns, kRows}
                                               : std::vector<int64_t>{kRows, kColumns}));
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const int64_t row = transposed ? i % kRows : i / kColumns;
    x.SetFloat(i, row == 3 && i % 2 == 0 ? -1.0 / 7 : 1.0 / static_cast<double>(row + 3));
  }
  return x;
}

// Factors whose products leave the type of 16 bits, but neither f32 nor, when they are complete,
// the type itself. Blocks of one factor are as long as any partial product may be.
Literal Factors(ElementType type, bool transposed, int64_t count) {
  Literal x(hlo::Shape::Array(
      type, transposed ? std::vector<int64_t>{count, kRows} : std::vector<int64_t>{kRows, count}));
  for (int64_t i = 0; i < kRows * count; ++i) {
    const int64_t row = transposed ? i % kRows : i / count,
                  column = transposed ? i / kRows : i % count;
    const bool large = row < 2 ? column % 2 == row % 2 : (column < count / 2) == (row == 2);
    x.SetFloat(i, large ? 2 : 0.5);
  }
  return x;
}

std::string Program(const std::string& type, const std::string& op, const std::string& form) {
  return absl::StrReplaceAll(
      absl::StrCat("HloModule m\nbody { a = TYPE[] parameter(0) b = TYPE[] parameter(1) ROOT c = "
                   "TYPE[] ",
                   op, "(a, b) }\nENTRY e { ", form, " }"),
      {{"TYPE", type}, {"IDENTITY", op == "add" ? "0" : "1"}});
}

TEST_P(NarrowSums, AreRoundedOnce) {
  const std::string target = GetParam();
  if (testing::ClientFor(target) == nullptr) GTEST_SKIP() << "no " << target;
  struct Form {
    const char* text;
    bool transposed;
  };
  const Form kForms[] = {
      {"x = TYPE[4,COUNT] parameter(0) s = TYPE[] constant(IDENTITY) ROOT r = TYPE[4] reduce(x, "
       "s), "
       "dimensions={1}, to_apply=body",
       false},
      {"x = TYPE[COUNT,4] parameter(0) s = TYPE[] constant(IDENTITY) ROOT r = TYPE[4] reduce(x, "
       "s), "
       "dimensions={0}, to_apply=body",
       true},
      {"x = TYPE[4,COUNT] parameter(0) s = TYPE[] constant(IDENTITY) t = TYPE[4] reduce(x, s), "
       "dimensions={1}, to_apply=body b = TYPE[4,COUNT] broadcast(t), dimensions={0} ROOT r = "
       "TYPE[4,COUNT] "
       "subtract(x, b)",
       false},
      {"x = TYPE[4,COUNT] parameter(0) s = TYPE[] constant(IDENTITY) ROOT r = TYPE[4,COUNT] "
       "reduce-window(x, s), "
       "window={size=1xCOUNT pad=0_0xBEFORE_0}, to_apply=body",
       false},
      {"x = TYPE[4,COUNT] parameter(0) s = TYPE[] constant(IDENTITY) ROOT r = TYPE[4,INSIDE] "
       "reduce-window(x, s), "
       "window={size=1x40}, to_apply=body",
       false},
  };
  for (const auto& [name, type] : {std::pair("bf16", ElementType::kBF16),
                                   {"f16", ElementType::kF16},
                                   {"f8e5m2", ElementType::kF8E5M2}}) {
    for (const std::string op : {"add", "multiply"}) {
      const int64_t count = op == "add" ? kColumns : 128;
      for (const Form& form : kForms) {
        if (type == ElementType::kF8E5M2 && &form != kForms) continue;
        const Literal x =
            op == "add" ? Terms(type, form.transposed) : Factors(type, form.transposed, count);
        const std::string text = absl::StrReplaceAll(Program(name, op, form.text),
                                                     {{"COUNT", absl::StrCat(count)},
                                                      {"INSIDE", absl::StrCat(count - 39)},
                                                      {"BEFORE", absl::StrCat(count - 1)}});
        const std::string got = RunOn(target, text, {x});
        const std::string want = RunOn("reference", text, {x});
        ASSERT_EQ(want.find_first_not_of("{}, -+.0123456789einf"), std::string::npos) << want;
        EXPECT_TRUE(got == want) << text << "\n"
                                 << got.substr(0, 300) << "\nnot\n"
                                 << want.substr(0, 300);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NarrowSums, ::testing::Values("x86", "x86:v2", "vulkan", "cuda"),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{":", "_"}});
                         });

}  // namespace
}  // namespace halyard
