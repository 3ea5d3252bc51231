// Order between blocks: fences, atomics and barriers together, and what happens without one of
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_replace.h"
#include "tests/fakes/ptx_tests/ptx_harness.h"

namespace halyard::testing::ptx {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kBlocks = 6, kThreads = 64;

// Each block stores the numbers of its threads in c, from word 64 on. The last one that counts
// itself, in c[0], stores in c[1 …] the sum over blocks for each thread.
constexpr char kSum[] =
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmad.lo.u32 %r5, %r3, %r4, %r0;\n"
    "mul.wide.u32 %d4, %r5, 4;\nadd.s64 %d4, %d4, %d2;\nst.global.u32 [%d4+1024], %r5;\n"
    "bar.sync 0;\n"
    "setp.ne.u32 %p1, %r0, 0;\n@%p1 bra waits;\nfence.acq_rel.gpu;\n"
    "atom.relaxed.gpu.global.inc.u32 %r6, [%d2], LIMIT;\n"
    "membar.gl;\n"
    "mov.u32 %r2, memory;\nst.shared.u32 [%r2], %r6;\n"
    "waits:\nbar.sync 1;\nmov.u32 %r2, memory;\nld.shared.u32 %r6, [%r2];\n"
    "setp.ne.u32 %p2, %r6, LIMIT;\n@%p2 bra done;\n"
    "mov.u32 %r7, 0;\nmov.u32 %r8, 0;\nadd.s64 %d5, %d3, 1024;\n"
    "loop:\nld.global.u32 %r9, [%d5];\nadd.u32 %r7, %r7, %r9;\nadd.s64 %d5, %d5, 256;\n"
    "add.u32 %r8, %r8, 1;\nsetp.lt.u32 %p3, %r8, 6;\n@%p3 bra loop;\n"
    "st.global.u32 [%d3+4], %r7;\ndone:";

TestRun RunSum(const std::string& body, uint32_t order, Words* c) {
  Launch launch = OneWarp(kThreads);
  launch.grid[0] = kBlocks;
  launch.shared_bytes = 16;
  RunOptions options;
  options.block_order = order;
  return RunWords(absl::StrReplaceAll(body, {{"LIMIT", "5"}}), c, launch, options, kShared);
}

TEST(PtxOrder, TheLastBlockSeesWhatOthersHaveWritten) {
  for (uint32_t order : {0, 1, 2, 5, 77}) {
    Words c(256 + kBlocks * kThreads);
    for (int again = 0; again < 3; ++again) {
      const TestRun run = RunSum(kSum, order, &c);
      ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
      EXPECT_EQ(c[0], 0u);  // the counter has wrapped
      for (uint32_t i = 0; i < kThreads; ++i) {
        EXPECT_EQ(c[i + 1], kBlocks * i + kThreads * 15) << i;
        c[i + 1] = 0;
      }
    }
  }
}

// Each of these is needed.
TEST(PtxOrder, NothingIsOrderedWithoutFencesBarriersAndAtomics) {
  const struct {
    const char* from;
    const char* to;
  } kFaults[] = {
      {"fence.acq_rel.gpu;\n", ""},
      {"fence.acq_rel.gpu;\n", "fence.acq_rel.cta;\n"},
      {"membar.gl;\n", ""},
      {"membar.gl;\n", "membar.cta;\n"},
      {"bar.sync 0;\n", ""},
      {"inc.u32 %r6, [%d2], LIMIT", "add.u32 %r6, [%d3+252], 1;\nmov.u32 %r6, 5"},
      {"%r6, LIMIT;\n@%p2", "%r6, 4;\n@%p2"},  // the last but one goes on
  };
  for (const auto& fault : kFaults) {
    Words c(256 + kBlocks * kThreads);
    const std::string body = absl::StrReplaceAll(kSum, {{fault.from, fault.to}});
    ASSERT_NE(body, kSum);
    const TestRun run = RunSum(body, 0, &c);
    EXPECT_EQ(run.outcome, Outcome::kFailed) << fault.from << " -> " << fault.to;
    EXPECT_THAT(run.message, HasSubstr("global memory at"));
  }
}

// What a block learns it passes on: block 2 reads what block 0 wrote, whom only block 1 has met.
TEST(PtxOrder, GoesOnFromBlockToBlock) {
  Launch launch = OneWarp(1);
  launch.grid[0] = 3;
  const std::string body =
      "mov.u32 %r3, %ctaid.x;\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 bra later;\n"
      "st.global.u32 [%d2+64], 7;\nfence.acq_rel.gpu;\nred.global.add.u32 [%d2], 1;\nbra.uni "
      "done;\n"
      "later:\nsetp.ne.u32 %p1, %r3, 1;\n@%p1 bra last;\n"
      "atom.global.add.u32 %r4, [%d2], 1;\nFENCEred.global.add.u32 [%d2+4], 1;\nbra.uni done;\n"
      "last:\natom.global.add.u32 %r4, [%d2+4], 1;\nfence.acq_rel.gpu;\n"
      "ld.global.u32 %r5, [%d2+64];\nst.global.u32 [%d2+68], %r5;\ndone:";
  RunOptions options;
  options.threads = 1;
  Words c(32);
  TestRun run =
      RunWords(absl::StrReplaceAll(body, {{"FENCE", "fence.acq_rel.gpu;\n"}}), &c, launch, options);
  ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(c[17], 7u);
  run = RunWords(absl::StrReplaceAll(body, {{"FENCE", ""}}), &c, launch, options);
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_THAT(run.message, HasSubstr("reads what thread 0 of block 0 writes"));
}

}  // namespace
}  // namespace halyard::testing::ptx
