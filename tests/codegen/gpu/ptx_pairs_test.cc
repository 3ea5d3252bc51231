// Tests that registers of two values become two registers: the text, and what it computes.
#include "codegen/gpu/ptx/ptx_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tests/fakes/ptx_tests/ptx_harness.h"

namespace halyard::lowering::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::ptx::OneWarp;
using testing::ptx::Outcome;
using testing::ptx::RunBody;
using testing::ptx::TestRun;
using testing::ptx::Words;

constexpr char kRegisters[] = "\t.reg .b64 %rd<30>;\n";

std::string Split(const std::string& body) {
  const std::string text = SplitPairs(absl::StrCat("{\n", kRegisters, body, "}\n"));
  return std::string(absl::StripSuffix(absl::StripPrefix(text, "{\n"), "}\n"));
}

// Runs both texts on 64 words for each of 32 threads. %rd0 holds the address of the thread's words
// of a, and %rd1 that of c.
void ExpectSameResults(const std::string& body) {
  const std::string places =
      "\tmov.u32 %r0, %tid.x;\n\tmul.wide.u32 %rd2, %r0, 256;\n\tadd.s64 %rd0, %d0, %rd2;\n"
      "\tadd.s64 %rd1, %d2, %rd2;\n";
  Words results[2];
  for (const bool split : {false, true}) {
    Words a(32 * 64), none(1), &c = results[split];
    c.resize(32 * 64);
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<uint32_t>(i) * 2654435761u;
    const std::string text = split ? Split(places + body) : kRegisters + places + body;
    const TestRun run = RunBody(text, &a, &none, &c, OneWarp());
    ASSERT_EQ(run.outcome, Outcome::kDone) << run.message << "\n" << text;
  }
  EXPECT_EQ(results[0], results[1]) << Split(places + body);
  EXPECT_NE(results[0], Words(32 * 64));
}

TEST(PtxPairsTest, AccumulatorsOfALoopAreSplit) {
  const std::string body =
      "\tld.global.v2.b32 \t{%r1, %r2}, [%rd0];\n"
      "\tmov.b64 \t%rd5, {%r1, %r2};\n"
      "\tmov.b32 \t%r3, 5;\n"
      "LOOP:\n"
      "\tmov.b64 \t{%r4, %r5}, %rd5;\n"
      "\tadd.s32 \t%r4, %r4, %r3;\n"
      "\txor.b32 \t%r5, %r5, %r4;\n"
      "\tmov.b64 \t%rd6, {%r4, %r5};\n"
      "\tmov.b64 \t%rd5, %rd6;\n"
      "\tsub.s32 \t%r3, %r3, 1;\n"
      "\tsetp.ne.s32 \t%p1, %r3, 0;\n"
      "\t@%p1 bra \tLOOP;\n"
      "\tst.global.b64 \t[%rd1], %rd5;\n";
  const std::string split = Split(body);
  EXPECT_THAT(split, Not(HasSubstr("%rd5")));
  EXPECT_THAT(split, Not(HasSubstr("%rd6")));
  EXPECT_THAT(split, HasSubstr("st.global.v2.b32 \t[%rd1], {%hy_half"));
  ExpectSameResults(body);
}

TEST(PtxPairsTest, EveryFormComputesTheSame) {
  const std::string body =
      "\tld.global.v2.b64 \t{%rd5, %rd6}, [%rd0+16];\n"
      "\tld.global.b64 \t%rd7, [%rd0+32];\n"
      "\tmov.b64 \t{%r1, %r2}, %rd5;\n"
      "\tsetp.gt.u32 \t%p1, %r1, 1000000000;\n"
      "\tshr.u64 \t%rd8, %rd5, 48;\n"
      "\tshl.b64 \t%rd9, %rd6, 32;\n"
      "\tor.b64 \t%rd10, %rd8, %rd9;\n"
      "\tand.b64 \t%rd11, %rd7, -4294901761;\n"
      "\txor.b64 \t%rd12, %rd11, %rd10;\n"
      "\tselp.b64 \t%rd13, %rd12, 81985529216486895, %p1;\n"
      "\t@%p1 mov.b64 \t%rd13, %rd5;\n"
      "\tcvt.u64.u32 \t%rd14, %r2;\n"
      "\tor.b64 \t%rd15, %rd14, %rd9;\n"
      "\tcvt.u32.u64 \t%r3, %rd15;\n"
      "\tcvt.u16.u32 \t%h1, %r3;\n"
      "\tcvt.u64.u16 \t%rd16, %h1;\n"
      "\tor.b64 \t%rd17, %rd16, %rd13;\n"
      "\tshr.u64 \t%rd17, %rd17, 32;\n"
      "\tmov.b64 \t{_, %r4}, %rd12;\n"
      "\tst.global.v2.b64 \t[%rd1+16], {%rd12, %rd13};\n"
      "\tst.global.b64 \t[%rd1+32], %rd15;\n"
      "\tst.global.b64 \t[%rd1+40], %rd17;\n"
      "\tst.global.v2.b32 \t[%rd1+48], {%r3, %r4};\n";
  const std::string split = Split(body);
  for (int r = 5; r <= 17; ++r) EXPECT_THAT(split, Not(HasSubstr(absl::StrCat("%rd", r, ","))));
  ExpectSameResults(body);
}

// Before PTX 7.1, a half is dropped by a line in braces. What such a line reads is split with the
// rest, or stays whole with it.
TEST(PtxPairsTest, BracedLinesReadTheirRegisters) {
  const std::string body =
      "\tld.global.v2.b32 \t{%r1, %r2}, [%rd0];\n"
      "\tmov.b64 \t%rd5, {%r1, %r2};\n"
      "\t{ .reg .b32 tmp; mov.b64 {tmp, %r3}, %rd5; }\n"
      "\t{ .reg .b32 tmp; mov.b64 {%r4, tmp}, %rd5; }\n"
      "\tst.global.v2.b32 \t[%rd1], {%r3, %r4};\n";
  EXPECT_THAT(Split(body), Not(HasSubstr("%rd5")));
  EXPECT_THAT(Split(body), Not(HasSubstr("tmp")));
  ExpectSameResults(body);
  // An addition keeps the register whole, and the lines as they were.
  const std::string whole =
      absl::StrCat(body, "\tadd.s64 \t%rd6, %rd5, 1;\n\tst.global.b64 \t[%rd1+8], %rd6;\n");
  EXPECT_EQ(Split(whole), absl::StrCat(kRegisters, whole));
  ExpectSameResults(whole);
}

// Registers of lines that are not understood stay whole.
TEST(PtxPairsTest, UnknownLinesKeepTheirRegisters) {
  const std::string body =
      "\tmov.b64 \t%rd5, {%r1, %r2};\n"
      "\t{ .reg .b32 half; mov.b64 {half, %r3}, %rd5; st.global.b32 [%rd1], half; }\n";
  EXPECT_EQ(Split(body), absl::StrCat(kRegisters, body));
}

// Halves cannot follow an address or 64-bit arithmetic. Such registers, and those that copies
// connect with them, stay whole.
TEST(PtxPairsTest, OtherUsesKeepARegisterWhole) {
  for (const char* use : {"\tadd.s64 \t%rd7, %rd6, 1;\n\tst.global.b64 \t[%rd1], %rd7;\n",
                          "\tadd.s64 \t%rd8, %rd0, 4;\n\tsub.s64 \t%rd8, %rd8, %rd0;\n"
                          "\tand.b64 \t%rd7, %rd6, %rd8;\n\tst.global.b64 \t[%rd1], %rd7;\n",
                          "\tshr.u64 \t%rd7, %rd6, 3;\n\tst.global.b64 \t[%rd1], %rd7;\n",
                          "\tadd.f32x2 \t%rd7, %rd6, %rd6;\n"}) {
    const std::string body = absl::StrCat(
        "\tld.global.v2.b32 \t{%r1, %r2}, [%rd0];\n\tmov.b64 \t%rd5, {%r1, %r2};\n"
        "\tmov.b64 \t%rd6, %rd5;\n",
        use);
    EXPECT_EQ(Split(body), absl::StrCat(kRegisters, body));
  }
}

}  // namespace
}  // namespace halyard::lowering::gpu
