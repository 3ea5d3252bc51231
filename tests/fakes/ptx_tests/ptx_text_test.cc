// Text that is refused, and its error messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/fakes/ptx_tests/ptx_harness.h"

namespace halyard::testing::ptx {
namespace {

using ::testing::HasSubstr;

TEST(PtxText, WhatIsNotKnownIsNamedWithItsLine) {
  std::string error;
  for (const auto& [body, message] : std::vector<std::pair<std::string, std::string>>{
           {"frobnicate.u32 %r0, %r1;", "line 18: unknown instruction"},
           {"\nadd.u32 %r0, %r1;", "line 19: too few operands"},
           {"add.u32 %r0, %r1, %r2, %r3;", "too many operands"},
           {"add.u32 %r0, %r1, %r99;", "unknown operand %r99"},
           {"add.u32 %r0, %r1, %d1;", "%d1 has 64 bits, not 32"},
           {"add.f32 %r0, %r1, %r2;", "no rounding"},
           {"add.rn.bogus.f32 %r0, %r1, %r2;", "unknown modifier or type .bogus"},
           {"ex2.f32 %r0, %r1;", "no rounding"},
           {"cvt.s32.f32 %r0, %r1;", "no rounding"},
           {"cvt.f16.f32 %h0, %r1;", "no rounding"},
           {"bra nowhere;", "no label nowhere"},
           {"x:\nx:\n", "a second label x"},
           {".reg .b32 %r0;", "a second register %r0"},
           {"ld.global.u32 %r0, [nothing];", "no nothing"},
           {"ld.shared.u32 %r0, [a];", "another space"},
           {"st.param.u32 [a], %r0;", "cannot store"},
           {"ld.global.v4.u64 {%d0, %d1, %d2, %d3}, [%d0];", "more than 128 bits"},
           {"ld.global.v2.u32 %r0, [%d0];", "another number"},
           {"call.uni foo, (%r0);", "a call"},
           {"shfl.bfly.b32 %r0, %r1, 1, 31;", "without .sync"},
           {"mma.sync.aligned.m1n1k1.row.col.f32.f16.f16.f32 {%r0}, {%r1}, {%r2}, {%r3};",
            "unknown shape"},
           {"{ .reg .b32 %x; }\nmov.u32 %x, 1;", "no register %x"},
       }) {
    error.clear();
    EXPECT_EQ(ParseModule(TestModule(body), &error), nullptr) << body;
    EXPECT_THAT(error, HasSubstr(message)) << body;
  }
  EXPECT_EQ(ParseModule("", &error), nullptr);
  EXPECT_EQ(ParseModule(".visible .func f() { ret; }", &error), nullptr);
}

// Damaged text must give an error or a module, and must not crash.
TEST(PtxText, DamagedTextDoesNotCrash) {
  const std::string text = TestModule(
      kPlaces + std::string("mov.u32 %r2, memory;\nst.shared.u32 [%r2+4], %r0;\nbar.sync 0;") +
          "\nsetp.lt.and.f32 %p1|%p2, %r0, 0f3F800000, !%p3;\n@!%p1 bra out;\n"
          "mov.b64 {%r1, %r2}, %d4;\nout:\nst.global.v2.u32 [%d2+-8], {%r1, 0x1F};",
      kShared);
  std::mt19937 random(1);
  std::string error;
  for (size_t length = 0; length < text.size(); ++length)
    ParseModule(text.substr(0, length), &error);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = text;
    for (int k = random() % 4; k >= 0; --k) {
      const size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0:
          damaged[at] = static_cast<char>(random() % 96 + 32);
          break;
        case 1:
          damaged.erase(at, random() % 9);
          break;
        default:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 9));
          break;
      }
    }
    ParseModule(damaged, &error);
  }
}

}  // namespace
}  // namespace halyard::testing::ptx
