// Control flow, memory, barriers and exchange between lanes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx_tests/ptx_harness.h"

namespace halyard::testing::ptx {
namespace {

using ::testing::HasSubstr;

// Counts Collatz steps: each lane iterates a different number of times.
TEST(PtxMachine, LanesDivergeAndMeet) {
  Words c(32);
  const TestRun run = RunWords(
      "add.s32 %r3, %r0, 1;\nmov.u32 %r4, 0;\n"
      "loop:\nsetp.eq.s32 %p1, %r3, 1;\n@%p1 bra done;\nand.b32 %r5, %r3, 1;\n"
      "setp.eq.s32 %p2, %r5, 0;\n@%p2 bra even;\nmad.lo.s32 %r3, %r3, 3, 1;\nbra.uni next;\n"
      "even:\nshr.u32 %r3, %r3, 1;\nnext:\nadd.s32 %r4, %r4, 1;\nbra.uni loop;\n"
      "done:\nactivemask.b32 %r6;\nshl.b32 %r6, %r6, 16;\nor.b32 %r4, %r4, %r6;\n"
      "st.global.u32 [%d3], %r4;",
      &c, OneWarp(16));
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  for (uint32_t lane = 0; lane < 16; ++lane) {
    uint32_t steps = 0;
    for (uint32_t n = lane + 1; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    EXPECT_EQ(c[lane], steps | 0xffff0000u) << lane;  // all lanes have converged again
  }
}

TEST(PtxMachine, BranchTables) {
  Words c(32);
  const TestRun run = RunWords(
      "targets: .branchtargets L0, L1, L2;\nrem.u32 %r3, %r0, 3;\nbrx.idx %r3, targets;\n"
      "L0:\nmov.u32 %r4, 100;\nbra done;\nL1:\nmov.u32 %r4, 200;\nbra done;\nL2:\nmov.u32 %r4, "
      "300;\ndone:\nst.global.u32 [%d3], %r4;",
      &c, OneWarp());
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(c[lane], 100 * (lane % 3 + 1));
}

TEST(PtxMachine, GridsAndBlocks) {
  Launch launch;
  launch.grid[0] = 3, launch.grid[1] = 2, launch.grid[2] = 4;
  launch.block[0] = 5, launch.block[1] = 7, launch.block[2] = 2;
  const uint32_t threads = 70;
  Words c(24 * threads), none(1);
  const TestRun run = RunBody(
      "mov.u32 %r0, %ctaid.z;\nmov.u32 %r1, %nctaid.y;\nmov.u32 %r2, %ctaid.y;\n"
      "mad.lo.u32 %r0, %r0, %r1, %r2;\nmov.u32 %r1, %nctaid.x;\nmov.u32 %r2, %ctaid.x;\n"
      "mad.lo.u32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r1, %ntid.z;\nmov.u32 %r2, %tid.z;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r1, %ntid.y;\nmov.u32 %r2, %tid.y;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
      "mul.wide.u32 %d3, %r0, 4;\nadd.s64 %d3, %d3, %d2;\nst.global.u32 [%d3], %r0;",
      &none, &none, &c, launch);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  for (uint32_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], i);
}

std::string Reversal(bool barrier) {
  return std::string(kSharedPlace) + "st.shared.u32 [%r2], %r0;\n" +
         (barrier ? "bar.sync 0;\n" : "") +
         "mov.u32 %r3, %ntid.x;\nsub.s32 %r3, %r3, %r0;\nshl.b32 %r3, %r3, 2;\n"
         "mov.u32 %r4, memory;\nadd.s32 %r3, %r3, %r4;\nld.shared.u32 %r5, [%r3+-4];\n"
         "st.global.u32 [%d3], %r5;";
}

TEST(PtxMachine, BarriersOrderSharedMemory) {
  Launch launch = OneWarp(200);
  launch.shared_bytes = 800;
  Words c(200);
  const TestRun run = RunWords(Reversal(true), &c, launch, {}, kShared);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  for (uint32_t i = 0; i < 200; ++i) EXPECT_EQ(c[i], 199 - i);
  const TestRun racing = RunWords(Reversal(false), &c, launch, {}, kShared);
  EXPECT_EQ(racing.outcome, Outcome::kFailed);
  EXPECT_THAT(racing.message, HasSubstr("no barrier between"));
}

TEST(PtxMachine, BarriersInDivergentCode) {
  Launch launch = OneWarp(64);
  Words c(64);
  const TestRun run = RunWords(
      "setp.lt.u32 %p1, %r0, 40;\n@%p1 bra other;\nbar.sync 0;\nbra.uni done;\nother:\nbar.sync "
      "0;\ndone:\nst.global.u32 [%d3], %r0;",
      &c, launch);
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_THAT(run.message, HasSubstr("different barriers"));
  // Whole warps may reach the same barrier on different paths, and warps that have ended do not
  // count.
  const TestRun fine = RunWords(
      "setp.ge.u32 %p1, %r0, 32;\n@%p1 ret;\nbar.sync 0;\nst.global.u32 [%d3], %r0;", &c, launch);
  EXPECT_EQ(fine.outcome, Outcome::kDone) << fine.message;
}

TEST(PtxMachine, MemoryOutOfBounds) {
  Words c(31);
  TestRun run = RunWords("st.global.u32 [%d3], %r0;", &c, OneWarp());
  EXPECT_EQ(run.outcome, Outcome::kBadAddress);
  EXPECT_THAT(run.message, HasSubstr("thread (31, 0, 0), line 22: global memory"));
  c.resize(64);
  run = RunWords("ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%d3];", &c, OneWarp(2));
  EXPECT_EQ(run.outcome, Outcome::kMisaligned);
  Launch launch = OneWarp();
  launch.shared_bytes = 124;
  run = RunWords(std::string(kSharedPlace) + "st.shared.u32 [%r2], %r0;", &c, launch, {}, kShared);
  EXPECT_EQ(run.outcome, Outcome::kBadAddress);
  // The memory below belongs to the system.
  run = RunWords("st.shared.u32 [%r1], %r0;", &c, launch, {}, kShared);
  EXPECT_EQ(run.outcome, Outcome::kBadAddress);
  run = RunWords("ld.local.u32 %r3, [%d0];", &c, OneWarp());
  EXPECT_EQ(run.outcome, Outcome::kBadAddress);
  EXPECT_EQ(RunWords("mov.u64 %d9, 0;\nld.u32 %r3, [%d9];", &c, OneWarp()).outcome,
            Outcome::kBadAddress);
}

TEST(PtxMachine, RacesInGlobalMemory) {
  Words c(64);
  Launch launch = OneWarp();
  // All threads write their own number to the same place.
  EXPECT_EQ(RunWords("st.global.u32 [%d2], %r0;", &c, launch).outcome, Outcome::kFailed);
  EXPECT_EQ(RunWords("mov.u32 %r0, 7;\nst.global.u32 [%d2], %r0;", &c, launch).outcome,
            Outcome::kDone);
  launch.grid[0] = 2;
  // One block reads what another one wrote.
  const TestRun run = RunWords(
      "mov.u32 %r4, %ctaid.x;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra first;\n"
      "ld.global.u32 %r3, [%d3];\nbra.uni done;\nfirst:\nst.global.u32 [%d3], %r0;\ndone:",
      &c, launch);
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_THAT(run.message, HasSubstr("of block 0 writes"));
  // A kernel must not read what it wrote through the non-coherent cache.
  const TestRun cached =
      RunWords("st.global.u32 [%d3], %r0;\nld.global.nc.u32 %r3, [%d3];", &c, OneWarp());
  EXPECT_EQ(cached.outcome, Outcome::kFailed);
  EXPECT_THAT(cached.message, HasSubstr("ld.global.nc"));
  RunOptions options;
  options.check_races = false;
  EXPECT_EQ(RunWords("st.global.u32 [%d2], %r0;", &c, launch, options).outcome, Outcome::kDone);
}

TEST(PtxMachine, UninitialisedSharedMemory) {
  Launch launch = OneWarp();
  launch.shared_bytes = 128;
  Words c(32);
  const std::string body = std::string(kSharedPlace) +
                           "ld.shared.u32 %r3, [%r2];\n"
                           "st.global.u32 [%d3], %r3;";
  EXPECT_EQ(RunWords(body, &c, launch, {}, kShared).outcome, Outcome::kDone);
  EXPECT_EQ(c, Words(32, ~0u));
  RunOptions options;
  options.check_uninitialised = true;
  EXPECT_THAT(RunWords(body, &c, launch, options, kShared).message, HasSubstr("never written"));
}

TEST(PtxMachine, LocalMemoryAndGenericAddresses) {
  Words c(32);
  const TestRun run = RunWords(
      ".local .align 8 .b8 depot[16];\nmov.b64 %d5, depot;\ncvta.local.u64 %d6, %d5;\n"
      "st.local.u32 [%d5+4], %r0;\nld.u32 %r3, [%d6+4];\nst.u8 [%d6+5], 1;\n"
      "ld.local.u32 %r3, [depot+4];\nst.u32 [%d3], %r3;",
      &c, OneWarp());
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], i | 0x100);
}

TEST(PtxMachine, NarrowAndVectorAccesses) {
  std::vector<int8_t> a = {-1, 2, -3, 4};
  std::vector<uint16_t> b(4);
  Words c(8);
  const TestRun run = RunBody(
      "ld.global.nc.s8 %r0, [%d0+2];\nld.global.u8 %h1, [%d0];\nst.global.u8 [%d0+1], %r0;\n"
      "st.global.u16 [%d1], %h1;\nst.global.v2.u16 [%d1+4], {%h1, %h1};\n"
      "mov.u32 %r1, 7;\nst.global.v4.b32 [%d2], {%r0, %r1, %r0, 9};\n"
      "ld.global.v2.u64 {%d5, %d6}, [%d2];\nst.global.u64 [%d2+24], %d6;",
      &a, &b, &c, OneWarp(1));
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(a, (std::vector<int8_t>{-1, -3, -3, 4}));
  EXPECT_EQ(b, (std::vector<uint16_t>{255, 0, 255, 255}));
  EXPECT_EQ(c, (Words{uint32_t(-3), 7, uint32_t(-3), 9, 0, 0, uint32_t(-3), 9}));
}

TEST(PtxMachine, Atomics) {
  Words c(4);
  Launch launch = OneWarp(96);
  launch.grid[0] = 50;
  const TestRun run = RunWords(
      "red.global.add.u32 [%d2], 1;\natom.global.max.u32 %r3, [%d2+4], %r0;\n"
      "atom.global.cas.b32 %r4, [%d2+8], 0, 5;\n",
      &c, launch);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(c, (Words{4800, 95, 5, 0}));
}

TEST(PtxMachine, ShufflesAndVotes) {
  Words c(32);
  const auto shuffle = [&](const std::string& text) {
    const TestRun run = RunWords(text + "\nst.global.u32 [%d3], %r3;", &c, OneWarp());
    EXPECT_EQ(run.outcome, Outcome::kDone) << text << run.message;
    return c;
  };
  shuffle("shfl.sync.bfly.b32 %r3, %r0, 4, 31, -1;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], i ^ 4);
  shuffle("shfl.sync.down.b32 %r3|%p1, %r0, 2, 31, -1;\n@!%p1 mov.u32 %r3, 99;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], i < 30 ? i + 2 : 99);
  shuffle("shfl.sync.up.b32 %r3, %r0, 1, 0x1800, -1;");  // segments of eight lanes
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], i % 8 == 0 ? i : i - 1);
  shuffle("shfl.sync.idx.b32 %r3, %r0, 3, 0x1c1f, -1;");  // segments of four
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], i / 4 * 4 + 3);
  shuffle("setp.lt.u32 %p1, %r0, 5;\nvote.sync.ballot.b32 %r3, %p1, -1;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], 31u);
  const TestRun apart = RunWords(
      "setp.lt.u32 %p1, %r0, 5;\n@%p1 shfl.sync.bfly.b32 %r3, %r0, 1, 31, -1;", &c, OneWarp());
  EXPECT_EQ(apart.outcome, Outcome::kFailed);
}

TEST(PtxMachine, EndlessLoopsEnd) {
  RunOptions options;
  options.max_steps = 1 << 20;
  Words c(1);
  EXPECT_EQ(RunWords("again:\nbra again;", &c, OneWarp(), options).outcome, Outcome::kEndless);
}

TEST(PtxMachine, ImpossibleLaunches) {
  Words c(1);
  Launch launch = OneWarp(1025);
  EXPECT_EQ(RunWords("", &c, launch).outcome, Outcome::kBadLaunch);
  launch = OneWarp();
  launch.grid[1] = 65536;
  EXPECT_EQ(RunWords("", &c, launch).outcome, Outcome::kBadLaunch);
}

}  // namespace
}  // namespace halyard::testing::ptx
