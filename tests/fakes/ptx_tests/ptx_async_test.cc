// Asynchronous copies: what they copy, and the errors that their misuse causes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/fakes/ptx_tests/ptx_harness.h"

namespace halyard::testing::ptx {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kThreads = 64;

// Thread t copies its 16 bytes of a to shared memory with the code `copy`. Then `body` runs, which
// reads 16 bytes at %r4 into %r5 and the following registers. These are then stored to c. %r3 is
// the thread's own place, and %r4 that of thread t ^ 33.
TestRun CopyAndRead(const std::string& copy, const std::string& body, Words* c) {
  Words a(kThreads * 4), none(1);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<uint32_t>(i) + 1;
  c->assign(a.size(), 0);
  Launch launch = OneWarp(kThreads);
  launch.shared_bytes = kThreads * 16;
  return RunBody(
      absl::StrCat("mov.u32 %r0, %tid.x;\nshl.b32 %r1, %r0, 4;\nmul.wide.u32 %d3, %r0, 16;\n"
                   "add.s64 %d4, %d0, %d3;\nadd.s64 %d5, %d2, %d3;\nmov.u32 %r2, memory;\n"
                   "add.s32 %r3, %r2, %r1;\nxor.b32 %r4, %r0, 33;\nshl.b32 %r4, %r4, 4;\n"
                   "add.s32 %r4, %r4, %r2;\nsetp.lt.u32 %p1, %r0, 10;\n",
                   copy, body, "st.global.v4.u32 [%d5], {%r5, %r6, %r7, %r8};\n"),
      &a, &none, c, launch, {}, kShared);
}

constexpr char kCopy[] = "cp.async.cg.shared.global [%r3], [%d4], 16;\n";
constexpr char kCommit[] = "cp.async.commit_group;\n";
constexpr char kWait[] = "cp.async.wait_group 0;\n";
constexpr char kBarrier[] = "bar.sync 0;\n";
constexpr char kRead[] = "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];\n";
constexpr char kReadOwn[] = "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r3];\n";

TEST(PtxAsync, CopiesArriveAfterWaitAndBarrier) {
  for (const std::string wait : {"cp.async.wait_group 0;\n", "cp.async.wait_all;\n"}) {
    Words c;
    const TestRun run = CopyAndRead(absl::StrCat(kCopy, kCommit, wait, kBarrier), kRead, &c);
    ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
    for (uint32_t t = 0; t < kThreads; ++t) {
      for (uint32_t k = 0; k < 4; ++k) EXPECT_EQ(c[4 * t + k], 4 * (t ^ 33) + k + 1);
    }
  }
}

TEST(PtxAsync, WhatIsNotReadIsZero) {
  for (const auto& [size, first_zero] :
       std::vector<std::pair<std::string, uint32_t>>{{"16, 8", 2}, {"16, 0", 0}, {"16, %r9", 1}}) {
    Words c;
    const TestRun run =
        CopyAndRead(absl::StrCat("mov.u32 %r9, 4;\ncp.async.cg.shared.global [%r3], [%d4], ", size,
                                 ";\n", kCommit, kWait),
                    kReadOwn, &c);
    ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
    for (uint32_t k = 0; k < 4; ++k) EXPECT_EQ(c[4 + k], k < first_zero ? 5 + k : 0) << size;
  }
  Words c;
  const TestRun run = CopyAndRead(
      absl::StrCat("cp.async.cg.shared.global [%r3], [%d4], 16, %p1;\n", kCommit, kWait), kReadOwn,
      &c);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(c[4 * 9], 0);
  EXPECT_EQ(c[4 * 10], 41);
}

TEST(PtxAsync, MisuseIsReported) {
  Words c;
  // In this order: not waited for; not committed; the wrong group; no barrier; overwritten; still
  // under way at the end.
  EXPECT_THAT(CopyAndRead(absl::StrCat(kCopy, kCommit, kBarrier), kRead, &c).message,
              HasSubstr("has not been waited for"));
  EXPECT_THAT(CopyAndRead(absl::StrCat(kCopy, kWait, kBarrier), kRead, &c).message,
              HasSubstr("has not been waited for"));
  EXPECT_THAT(
      CopyAndRead(absl::StrCat(kCopy, kCommit, "cp.async.wait_group 1;\n", kBarrier), kRead, &c)
          .message,
      HasSubstr("has not been waited for"));
  EXPECT_THAT(CopyAndRead(absl::StrCat(kCopy, kCommit, kWait), kRead, &c).message,
              HasSubstr("with no barrier between"));
  EXPECT_THAT(
      CopyAndRead(absl::StrCat(kCopy, kCommit, "st.shared.u32 [%r3], %r0;\n"), kRead, &c).message,
      HasSubstr("has not been waited for"));
  EXPECT_THAT(CopyAndRead(absl::StrCat(kCopy, kCommit), "mov.u32 %r5, 0;\n", &c).message,
              HasSubstr("ends before its asynchronous copies"));
  // The copy overwrites bytes that others may still read.
  EXPECT_THAT(
      CopyAndRead(absl::StrCat("st.shared.v4.u32 [%r3], {%r0, %r0, %r0, %r0};\n", kBarrier,
                               "ld.shared.u32 %r9, [%r4];\n", kCopy, kCommit, kWait, kBarrier),
                  kRead, &c)
          .message,
      HasSubstr("with no barrier between"));
  // Sources and destinations must be aligned and exist.
  EXPECT_EQ(CopyAndRead("cp.async.cg.shared.global [%r3], [%d4+8], 16;\n", kReadOwn, &c).outcome,
            Outcome::kMisaligned);
  EXPECT_EQ(CopyAndRead("cp.async.cg.shared.global [%r3], [%d4+4096], 16;\n", kReadOwn, &c).outcome,
            Outcome::kBadAddress);
}

TEST(PtxAsync, RowsOfMatricesMustNotMeetInBanks) {
  for (const auto& [pitch, conflicts] :
       std::vector<std::pair<int, bool>>{{80, false}, {64, true}, {128, true}}) {
    Words c(32);
    Launch launch = OneWarp();
    launch.shared_bytes = 2048;
    const TestRun run = RunWords(
        absl::StrCat("mov.u32 %r2, memory;\nand.b32 %r3, %r0, 7;\nmad.lo.u32 %r3, %r3, ", pitch,
                     ", %r2;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r3];\n"),
        &c, launch, {}, kShared);
    EXPECT_EQ(run.outcome, conflicts ? Outcome::kFailed : Outcome::kDone) << run.message;
    if (conflicts) EXPECT_THAT(run.message, HasSubstr("lie in the same banks"));
  }
}

}  // namespace
}  // namespace halyard::testing::ptx
