// Compares wgmma with naive products.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_replace.h"
#include "tests/fakes/ptx_tests/wgmma_kernel.h"

namespace halyard::testing::ptx {
namespace {

using ::testing::HasSubstr;

WgmmaValues RandomValues(const WgmmaCase& c) {
  std::mt19937 random(5);
  WgmmaValues values = {std::vector<int>(static_cast<size_t>(64 * c.k())),
                        std::vector<int>(static_cast<size_t>(c.n * c.k()))};
  for (int& x : values.a) x = static_cast<int>(random() % 15) - (c.a_type == "u8" ? 0 : 7);
  for (int& x : values.b) x = static_cast<int>(random() % 15) - (c.b_type == "u8" ? 0 : 7);
  return values;
}

// Expects D = scale * A * B + C, or without C if `accumulates` is false. Then only the last step
// counts.
void ExpectProduct(const WgmmaCase& c, const WgmmaValues& values, const Words& d,
                   bool accumulates = true) {
  for (int row = 0; row < 64; ++row) {
    for (int column = 0; column < c.n; ++column) {
      const int thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
      const int place = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
      int want = 0;
      for (int k = accumulates ? 0 : c.k() - c.step_k(); k < c.k(); ++k) {
        want += values.a[static_cast<size_t>(row * c.k() + k)] *
                values.b[static_cast<size_t>(column * c.k() + k)];
      }
      want = want * c.a_scale * c.b_scale + (accumulates ? thread + place : 0);
      const uint32_t got = d[static_cast<size_t>(thread * c.n / 2 + place)];
      ASSERT_EQ(c.integer() ? static_cast<int>(got) : static_cast<int>(BitsAs<float>(got)), want)
          << c.a_type << " n " << c.n << " line " << c.line << " transposed " << c.a_transposed
          << c.b_transposed << " registers " << c.a_in_registers << ": " << row << ", " << column;
    }
  }
}

void Check(const WgmmaCase& c) {
  const WgmmaValues values = RandomValues(c);
  Words d;
  const TestRun run = RunWgmma(c, values, WgmmaBody(c), &d);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  ExpectProduct(c, values, d);
}

TEST(PtxWgmma, Types) {
  const char* const kPairs[][2] = {{"f16", "f16"},   {"bf16", "bf16"}, {"tf32", "tf32"},
                                   {"s8", "s8"},     {"s8", "u8"},     {"u8", "s8"},
                                   {"u8", "u8"},     {"e4m3", "e4m3"}, {"e4m3", "e5m2"},
                                   {"e5m2", "e4m3"}, {"e5m2", "e5m2"}};
  for (const auto& [a, b] : kPairs) {
    for (const bool registers : {false, true}) {
      WgmmaCase c;
      c.a_type = a;
      c.b_type = b;
      c.a_in_registers = registers;
      Check(c);
    }
  }
}

TEST(PtxWgmma, Sizes) {
  for (const int n : {8, 24, 40, 64, 96, 128, 192, 256}) {
    WgmmaCase c;
    c.n = n;
    c.steps = 4;
    Check(c);
    c.a_type = c.b_type = "s8";
    if (n != 40) Check(c);
  }
}

TEST(PtxWgmma, Layouts) {
  for (const int line : {32, 64, 128}) {
    for (const int transposed : {0, 1, 2, 3}) {
      for (const int n : {8, 16, 128, 192}) {
        WgmmaCase c;
        c.line = line;
        c.n = n;
        c.a_transposed = (transposed & 1) != 0;
        c.b_transposed = (transposed & 2) != 0;
        c.steps = line / 32;  // a row of B or A that is not transposed is one line
        Check(c);
        c.a_type = c.b_type = "f16";
        c.a_in_registers = true;
        c.a_transposed = false;
        Check(c);
      }
    }
  }
}

TEST(PtxWgmma, Scales) {
  for (const int a : {1, -1}) {
    for (const int b : {1, -1}) {
      for (const std::string type : {"bf16", "tf32", "e4m3"}) {
        WgmmaCase c;
        c.a_type = c.b_type = type;
        c.a_scale = a;
        c.b_scale = b;
        Check(c);
      }
    }
  }
  const std::pair<std::string, bool> kScalesD[] = {
      {"0", false}, {"%p2", true}, {"!%p2", false}, {"%p1", false}};
  for (const auto& [scale, accumulates] : kScalesD) {
    for (const std::string type : {"bf16", "s8"}) {
      WgmmaCase c;
      c.a_type = c.b_type = type;
      c.scale_d = scale;
      const WgmmaValues values = RandomValues(c);
      Words d;
      const TestRun run = RunWgmma(c, values, WgmmaBody(c), &d);
      ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
      ExpectProduct(c, values, d, accumulates);
    }
  }
}

// Sums are rounded once, and those of 8-bit floats cut. Sums of integers wrap, or stop at limits.
TEST(PtxWgmma, Rounding) {
  WgmmaCase c;
  c.steps = 1;
  c.a_type = c.b_type = "e4m3";
  WgmmaValues values = {std::vector<int>(64 * 32, 0), std::vector<int>(16 * 32, 0)};
  values.a[0] = values.b[0] = 1;  // only D[0, 0] is more than C
  const std::string body = absl::StrReplaceAll(
      WgmmaBody(c), {{"cvt.rn.f32.u32 %acc0, %r5", "mov.b32 %acc0, 0f46800200"}});  // 16385
  Words d;
  TestRun run = RunWgmma(c, values, body, &d);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(BitsAs<float>(d[0]), 16384 + 2);
  values.b[0] = 0;
  run = RunWgmma(c, values, body, &d);
  EXPECT_EQ(BitsAs<float>(d[0]), 16384);

  c.a_type = c.b_type = "bf16";
  values = {std::vector<int>(64 * 16, 0), std::vector<int>(16 * 16, 0)};
  for (size_t k = 0; k < 3; ++k) values.a[k] = values.b[k] = 1;
  // 2^24 + 3 is 2^24 + 4. Three sums rounded one by one would leave 2^24.
  run = RunWgmma(c, values,
                 absl::StrReplaceAll(WgmmaBody(c),
                                     {{"cvt.rn.f32.u32 %acc0, %r5", "mov.b32 %acc0, 0f4b800000"}}),
                 &d);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(BitsAs<float>(d[0]), (1 << 24) + 4);

  c.a_type = c.b_type = "s8";
  values = {std::vector<int>(64 * 32, 1), std::vector<int>(16 * 32, 1)};
  const std::string integers =
      absl::StrReplaceAll(WgmmaBody(c), {{"mov.b32 %acc0, %r5", "mov.b32 %acc0, 0x7ffffff0"}});
  run = RunWgmma(c, values, integers, &d);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(d[0], 0x80000010u);
  run = RunWgmma(c, values,
                 absl::StrReplaceAll(integers, {{"m64n16k32.s32", "m64n16k32.satfinite.s32"}}), &d);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(d[0], 0x7fffffffu);
}

// Both have the same operands, but C depends on the thread.
TEST(PtxWgmma, TwoWarpgroups) {
  WgmmaCase c;
  const WgmmaValues values = RandomValues(c);
  Words d;
  const std::string body =
      absl::StrReplaceAll(WgmmaBody(c), {{"add.u32 %r3, %r3, 2048", "add.u32 %r3, %r3, 4096"},
                                         {"add.u64 %d3, %d3, 2048", "add.u64 %d3, %d3, 4096"}});
  const TestRun run = RunWgmma(c, values, body, &d, OneWarp(256));
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  ExpectProduct(c, values, Words(d.begin(), d.begin() + 128 * 8));
  for (size_t i = 0; i < 128 * 8; ++i)
    ASSERT_EQ(BitsAs<float>(d[128 * 8 + i]), BitsAs<float>(d[i]) + 128);
}

TEST(PtxWgmma, TextThatIsNotKnown) {
  const std::string good = TestModule(WgmmaBody(WgmmaCase()), kWgmmaShared);
  std::string error;
  ASSERT_NE(ParseModule(good, &error), nullptr) << error;
  const struct {
    const char *from, *to, *message;
  } kFaults[] = {
      {".target sm_90a", ".target sm_90", "wgmma needs .target sm_90a"},
      {"m64n16k16", "m64n20k16", "unknown shape and types"},
      {"m64n16k16", "m64n16k32", "unknown shape and types"},
      {"m64n16k16.f32.bf16.bf16", "m64n16k16.f32.bf16.f16", "unknown shape and types"},
      {"m64n16k16.f32.bf16", "m64n16k16.satfinite.f32.bf16", "unknown .satfinite"},
      {"m64n16k16", "m64n24k16", "another number of registers"},
      {"%acc6, %acc7}", "%acc6, %acc6}", "a second %acc6"},
      {"%d7, 1, 1, 1, 0, 0;", "%d7, 1, 1, 1, 0;", "too few operands"},
      {"%d7, 1, 1, 1, 0, 0;", "%d7, 1, 2, 1, 0, 0;", "unknown scale"},
      {"%d7, 1, 1, 1, 0, 0;", "%d7, -1, 1, 1, 0, 0;", "unknown scale-d"},
      {"%d7, 1, 1, 1, 0, 0;", "%d7, 1, 1, 1, 0, 2;", "unknown scale or transposition"},
      {"%d6, %d7", "%r6, %d7", "%r6 has 32 bits"},
      {"wait_group.sync.aligned 0", "wait_group.sync.aligned -1", "unknown number of groups"},
      {"commit_group.sync", "commit_all.sync", "unknown wgmma"},
      {"fence.sync.aligned", "fence.aligned", "unknown wgmma"},
      {"fence.proxy.async", "fence.proxy.alias", "unknown proxy"},
  };
  for (const auto& fault : kFaults) {
    const std::string text = absl::StrReplaceAll(good, {{fault.from, fault.to}});
    ASSERT_NE(text, good) << fault.from;
    EXPECT_EQ(ParseModule(text, &error), nullptr) << fault.to;
    EXPECT_THAT(error, HasSubstr(fault.message)) << fault.to;
  }
}

}  // namespace
}  // namespace halyard::testing::ptx
