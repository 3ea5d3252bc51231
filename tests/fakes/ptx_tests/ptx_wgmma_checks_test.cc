// What the interpreter reports of kernels that use wgmma wrongly. Each fault is one change to a
// kernel that is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "tests/fakes/ptx_tests/wgmma_kernel.h"

namespace halyard::testing::ptx {
namespace {

using ::testing::HasSubstr;

using Changes = std::vector<std::pair<std::string, std::string>>;

constexpr char kFence[] = "fence.proxy.async;\n";
constexpr char kBarrier[] = "bar.sync 0;\n";
constexpr char kWgmmaFence[] = "wgmma.fence.sync.aligned;\n";
constexpr char kCommit[] = "wgmma.commit_group.sync.aligned;\n";
constexpr char kWait[] = "wgmma.wait_group.sync.aligned 0;\n";
// Moves the descriptors to the second step.
constexpr char kAdvance[] = "add.u64 %d6, %d6, 2;\nadd.u64 %d7, %d7, 2;\n";

TestRun RunChanged(const WgmmaCase& c, const Changes& changes, Launch launch = OneWarp(128),
                   const RunOptions& options = {}) {
  const WgmmaValues values = {std::vector<int>(static_cast<size_t>(64 * c.k()), 1),
                              std::vector<int>(static_cast<size_t>(c.n * c.k()), 2)};
  std::string body = WgmmaBody(c);
  for (const auto& [from, to] : changes) {
    const std::string changed = absl::StrReplaceAll(body, {{from, to}});
    EXPECT_NE(changed, body) << from;
    body = changed;
  }
  Words d;
  return RunWgmma(c, values, body, &d, launch, options);
}

void ExpectRuns(const WgmmaCase& c, const Changes& changes) {
  const TestRun run = RunChanged(c, changes);
  EXPECT_EQ(run.outcome, Outcome::kDone) << run.message;
}

void ExpectFault(const WgmmaCase& c, const Changes& changes, const std::string& message,
                 Outcome outcome = Outcome::kFailed, Launch launch = OneWarp(128)) {
  const TestRun run = RunChanged(c, changes, launch);
  EXPECT_EQ(run.outcome, outcome) << message;
  EXPECT_THAT(run.message, HasSubstr(message));
}

// Inserts text before another, or after it.
Changes Before(const std::string& place, const std::string& text) {
  return {{place, text + place}};
}
Changes After(const std::string& place, const std::string& text) { return {{place, place + text}}; }

TEST(PtxWgmmaChecks, TheKernelIsRight) { ExpectRuns({}, {}); }

TEST(PtxWgmmaChecks, WritesNeedAFenceAndThenABarrier) {
  const std::string unfenced = "has written without fence.proxy.async";
  ExpectFault({}, {{kFence, ""}}, unfenced);
  // A fence orders only what its own thread has written.
  const std::string one_thread = "setp.eq.u32 %p3, %r0, 0;\n@%p3 ";
  ExpectFault({}, {{kFence, one_thread + kFence}}, unfenced);
  const std::string last_thread = "setp.eq.u32 %p3, %r0, 127;\n@%p3 ";
  const std::string write = "st.shared.u32 [%r2], %r0;\n";
  ExpectFault({},
              {{kFence, absl::StrCat(kFence, "bar.sync 1;\n", one_thread, write, "bar.sync 2;\n",
                                     last_thread, write, "bar.sync 3;\n", one_thread, kFence)}},
              "thread 127 has written without fence.proxy.async");
  ExpectRuns({}, {{kFence, "fence.proxy.async.shared::cta;\n"}});
  // Of another kind, or of the written bytes before they are written again.
  ExpectFault({}, {{kFence, "fence.acq_rel.gpu;\n"}}, unfenced);
  ExpectFault({}, After(kFence, "st.shared.u32 [%r2], 0;\n"), unfenced);
  ExpectFault({}, After(kFence, "atom.shared.add.u32 %r9, [%r2], 0;\n"), unfenced);

  ExpectFault({}, {{kBarrier, ""}}, "with no barrier after fence.proxy.async");
  // One warp writes all, so that all is fenced when it multiplies.
  const Changes one_warp = {
      {"setp.ge.u32 %p1, %r3, %r6;\n", "setp.gt.u32 %p1, %r0, 31;\n"},
      {"add.u32 %r3, %r3, 2048;\nadd.u64 %d3, %d3, 2048;\n",
       "add.u32 %r3, %r3, 512;\nadd.u64 %d3, %d3, 512;\n"},
  };
  ExpectRuns({}, one_warp);
  Changes late = one_warp;
  late.push_back({std::string(kFence) + kBarrier, std::string(kBarrier) + kFence});
  ExpectFault({}, late, "with no barrier after fence.proxy.async");
}

// Copies again what is there, so that no byte changes.
constexpr char kCopyAsync[] =
    "shl.b32 %r7, %r0, 4;\nadd.u32 %r7, %r7, %r2;\ncvt.u64.u32 %d9, %r1;\nadd.u64 %d9, %d9, %d0;\n"
    "cp.async.cg.shared.global [%r7], [%d9], 16;\ncp.async.commit_group;\n";
constexpr char kWaitForCopy[] = "cp.async.wait_group 0;\n";

TEST(PtxWgmmaChecks, AsynchronousCopies) {
  ExpectRuns({}, Before(kFence, absl::StrCat(kBarrier, kCopyAsync, kWaitForCopy)));
  // Copies count as writes when they have been waited for.
  ExpectFault({}, {{kFence, absl::StrCat("bar.sync 1;\n", kCopyAsync, kFence, kWaitForCopy)}},
              "has written without fence.proxy.async");
  ExpectFault({}, {{kFence, absl::StrCat("bar.sync 1;\n", kCopyAsync, kFence)}},
              "an asynchronous copy to it has not been waited for");
  ExpectFault({}, Before(kWait, absl::StrCat("bar.sync 1;\n", kCopyAsync)),
              "reads until this wait: an asynchronous copy writes it");
}

TEST(PtxWgmmaChecks, OperandsStayUntilTheWait) {
  const std::string write = "st.shared.u32 [%r2], 7;\n";
  const std::string again =
      "setp.eq.u32 %p3, %r0, 0;\n@%p3 ld.shared.u32 %r9, [%r2];\n@%p3 st.shared.u32 [%r2], %r9;\n";
  ExpectRuns({}, After(kWait, absl::StrCat("bar.sync 1;\n", write)));
  ExpectFault({}, After(kCommit, absl::StrCat("bar.sync 1;\n", write)), "its bytes changed");
  ExpectFault({}, After(kCommit, absl::StrCat("bar.sync 1;\n", again, "bar.sync 2;\n")),
              "it was written");
  // In the same phase as the product.
  ExpectFault({}, After(kCommit, write), "writes what several threads of block 0 read");
  ExpectFault({}, After(kCommit, again),
              "reads until this wait: reads what thread 0 of block 0 writes");
  // After the wait, but without a barrier between it and the write.
  ExpectFault({}, After(kWait, write), "writes what several threads of block 0 read");
  ExpectFault({}, {{kWait, absl::StrCat("bar.sync 1;\n", kWait, write)}},
              "writes what several threads of block 0 read");
  // Also without the checks of races.
  RunOptions options;
  options.check_races = false;
  const TestRun run =
      RunChanged({}, After(kCommit, absl::StrCat("bar.sync 1;\n", write)), OneWarp(128), options);
  EXPECT_THAT(run.message, HasSubstr("its bytes changed"));
}

// Eight steps of 64 along k. Copies run two steps ahead, and at most `running` steps of products
// are under way while the next ones are copied.
std::string Pipeline(int slots, int running) {
  constexpr int kSteps = 8, kRow = kSteps * 128, kSlot = 10240;  // 64 rows of A, 16 of B
  WgmmaCase c;
  std::string text = absl::StrCat(
      ".reg .b32 %acc<8>;\nmov.u32 %r0, %tid.x;\nshr.u32 %r1, %r0, 3;\nand.b32 %r2, %r0, 7;\n"
      "mad.lo.u32 %r3, %r1, ",
      kRow, ", 0;\nmad.lo.u32 %r3, %r2, 16, %r3;\ncvt.u64.u32 %d3, %r3;\nadd.u64 %d4, %d1, %d3;\n",
      "add.u64 %d3, %d0, %d3;\nand.b32 %r3, %r1, 7;\nxor.b32 %r3, %r3, %r2;\nshl.b32 %r3, %r3, 4;\n"
      "mad.lo.u32 %r3, %r1, 128, %r3;\nmov.u32 %r4, memory;\nadd.u32 %r3, %r3, %r4;\n"
      "shr.u32 %r4, %r4, 4;\ncvt.u64.u32 %d5, %r4;\nadd.u64 %d5, %d5, ",
      WgmmaDescriptor(c, false), ";\n");
  for (int i = 0; i < 8; ++i) absl::StrAppend(&text, "mov.b32 %acc", i, ", 0;\n");
  const auto copy = [&](int step) {
    for (int i = 0; i < 5 && step < kSteps; ++i) {
      absl::StrAppend(&text, "cp.async.cg.shared.global [%r3+", step % slots * kSlot + i * 2048,
                      "], [", i < 4 ? "%d3" : "%d4", "+", i % 4 * 16 * kRow + step * 128,
                      "], 16;\n");
    }
    absl::StrAppend(&text, "cp.async.commit_group;\n");
  };
  copy(0);
  copy(1);
  for (int step = 0; step < kSteps; ++step) {
    absl::StrAppend(&text, "cp.async.wait_group 1;\n", kFence, kBarrier);
    copy(step + 2);
    absl::StrAppend(&text, kWgmmaFence, "add.u64 %d6, %d5, ", step % slots * kSlot / 16,
                    ";\nadd.u64 %d7, %d6, 512;\n");
    for (int part = 0; part < 4; ++part)
      absl::StrAppend(&text, part == 0 ? "" : kAdvance, WgmmaInstruction(c, 0));
    absl::StrAppend(&text, kCommit, "wgmma.wait_group.sync.aligned ", running, ";\n");
  }
  absl::StrAppend(&text, kWait, "mul.wide.u32 %d8, %r0, 32;\nadd.u64 %d8, %d8, %d2;\n");
  for (int i = 0; i < 8; ++i)
    absl::StrAppend(&text, "st.global.b32 [%d8+", 4 * i, "], %acc", i, ";\n");
  return text;
}

TEST(PtxWgmmaChecks, Pipelines) {
  std::vector<uint16_t> a(64 * 512), b(16 * 512);
  for (size_t i = 0; i < a.size(); ++i) a[i] = FloatToBf16(static_cast<float>(i / 512 + i % 3));
  for (size_t i = 0; i < b.size(); ++i) b[i] = FloatToBf16(static_cast<float>(i % 7 + i / 512));
  const auto run = [&](int slots, int running, Words* d) {
    d->assign(128 * 8, 0);
    Launch launch = OneWarp(128);
    launch.shared_bytes = static_cast<uint32_t>(slots) * 10240;
    return RunBody(Pipeline(slots, running), &a, &b, d, launch, {}, kWgmmaShared);
  };
  for (const auto& [slots, running] : std::vector<std::pair<int, int>>{{4, 1}, {4, 0}, {3, 0}}) {
    Words d;
    const TestRun done = run(slots, running, &d);
    ASSERT_EQ(done.outcome, Outcome::kDone) << done.message;
    // Row 17, column 10: lane 4 * 1 + 1 of warp 1, register 4.
    float want = 0;
    for (size_t k = 0; k < 512; ++k)
      want += Bf16ToFloat(a[17 * 512 + k]) * Bf16ToFloat(b[10 * 512 + k]);
    EXPECT_EQ(BitsAs<float>(d[(32 + 5) * 8 + 4]), want);
  }
  // Each of these copies to a slot that a product still reads.
  for (const auto& [slots, running] : std::vector<std::pair<int, int>>{{4, 2}, {3, 1}, {2, 0}}) {
    Words d;
    EXPECT_EQ(run(slots, running, &d).outcome, Outcome::kFailed) << slots << ", " << running;
  }
}

TEST(PtxWgmmaChecks, OperandsThatNobodyWrote) {
  RunOptions options;
  options.check_uninitialised = true;
  EXPECT_EQ(RunChanged({}, {}, OneWarp(128), options).outcome, Outcome::kDone);
  EXPECT_THAT(RunChanged({}, {{"add.u32 %r6, %r2, 98304", "add.u32 %r6, %r2, 32768"}}, OneWarp(128),
                         options)
                  .message,
              HasSubstr("was never written"));
}

TEST(PtxWgmmaChecks, RegistersAreNotAccessedUntilTheWait) {
  const std::string accessed = "accesses a register of the wgmma in line";
  for (const std::string access :
       {"mov.b32 %r9, %acc3;\n", "mov.b32 %acc3, 0;\n", "selp.b32 %r9, %acc7, %r9, %p2;\n",
        "@%p2 mov.b64 {%acc0, %r9}, %d3;\n"}) {
    ExpectFault({}, Before(kCommit, access), accessed);
    ExpectFault({}, Before(kWait, access), accessed);
    ExpectRuns({}, After(kWait, access));
  }
  ExpectRuns({}, Before(kWait, "@!%p2 mov.b32 %acc3, 0;\n"));  // nobody does it
  // What is not committed, or in a group that may still run, is not waited for.
  ExpectFault({}, {{kCommit, ""}}, accessed);
  ExpectFault({}, {{kWait, "wgmma.wait_group.sync.aligned 1;\n"}}, accessed);
  ExpectRuns({}, {{kWait, absl::StrCat(kCommit, "wgmma.wait_group.sync.aligned 1;\n")}});

  WgmmaCase registers;
  registers.a_in_registers = true;
  ExpectFault(registers, Before(kWait, "mov.b32 %f2, 0;\n"), accessed);
  ExpectRuns(registers, After(kWait, "mov.b32 %f2, 0;\n"));
}

std::string Second(const WgmmaCase& c, const Changes& changes) {
  return absl::StrReplaceAll(WgmmaInstruction(c, 0), changes);
}

TEST(PtxWgmmaChecks, ProductsShareRegistersOnlyIfTheyAreAlike) {
  const std::string used = "wgmma uses a register of the wgmma in line";
  const std::string in_order = RegisterList("%acc", 0, 8);
  const std::string another = "{%acc1, %acc0, %acc2, %acc3, %acc4, %acc5, %acc6, %acc7}";
  ExpectRuns({}, Before(kCommit, Second({}, {})));
  ExpectFault({}, Before(kCommit, Second({}, {{in_order, another}})), used);
  WgmmaCase narrow;
  narrow.n = 8;
  ExpectFault({}, Before(kCommit, Second(narrow, {})), used);
  WgmmaCase other_k;
  other_k.a_type = other_k.b_type = "tf32";
  ExpectFault({}, Before(kCommit, Second(other_k, {})), used);

  WgmmaCase registers;
  registers.a_in_registers = true;
  const std::string a = RegisterList("%f", 0, 4);
  // The same registers of A are fine, but results may not be operands, or the reverse.
  ExpectRuns(registers, Before(kCommit, Second(registers, {})));
  ExpectFault(registers,
              Before(kCommit,
                     ".reg .b32 %g<8>;\n" + Second(registers, {{in_order, RegisterList("%g", 0, 8)},
                                                               {a, RegisterList("%acc", 0, 4)}})),
              used);
  ExpectFault(registers, Before(kCommit, Second(narrow, {{RegisterList("%acc", 0, 4), a}})), used);
}

TEST(PtxWgmmaChecks, RegistersNeedAFence) {
  const std::string missing =
      "wgmma needs wgmma.fence: its registers are new, or were accessed otherwise";
  ExpectFault({}, {{kWgmmaFence, ""}}, missing);
  WgmmaCase fresh;
  fresh.scale_d = "0";
  const std::pair<std::string, std::string> not_set = {"cvt.rn.f32.u32 %acc", "cvt.rn.f32.u32 %f"};
  ExpectRuns(fresh, {not_set});
  ExpectFault(fresh, {not_set, {kWgmmaFence, ""}}, missing);
  ExpectFault({}, After(kWgmmaFence, "mov.b32 %acc5, 0;\n"), missing);
  ExpectFault({}, After(kWgmmaFence, "mov.b32 %r9, %acc5;\n"), missing);
  const std::string more = absl::StrCat(Second({}, {}), kCommit, kWait);
  ExpectRuns({}, After(kWait, more));
  ExpectRuns({}, After(kWait, absl::StrCat("mov.b32 %acc5, 0;\n", kWgmmaFence, more)));
  ExpectFault({}, After(kWait, absl::StrCat("mov.b32 %acc5, 0;\n", more)), missing);

  WgmmaCase other;
  other.a_type = other.b_type = "tf32";
  const std::string shape = absl::StrCat(Second(other, {}), kCommit, kWait);
  ExpectRuns({}, After(kWait, kWgmmaFence + shape));
  ExpectFault({}, After(kWait, shape),
              "wgmma needs wgmma.fence: a wgmma of another kind has used its registers");

  WgmmaCase registers;
  registers.a_in_registers = true;
  ExpectFault(registers, After(kWgmmaFence, "mov.b32 %f2, 0;\n"), missing);
}

TEST(PtxWgmmaChecks, LanesActTogether) {
  const std::string product = WgmmaInstruction({}, 1);
  const std::string odd = "and.b32 %r9, %r0, 1;\nsetp.ne.u32 %p3, %r9, 0;\n";
  for (const std::string& instruction : {product, std::string(kWgmmaFence), std::string(kCommit)}) {
    ExpectFault({}, {{instruction, absl::StrCat(odd, "@%p3 ", instruction)}},
                "wgmma is not run by all lanes of its warp");
  }
  ExpectFault(
      {},
      {{kAdvance, absl::StrCat(kAdvance, "@%p3 add.u64 %d6, %d6, 2;\n")}, {kFence, odd + kFence}},
      "lanes have different descriptors");
  WgmmaCase c;
  c.scale_d = "%p3";
  ExpectFault(c, {{kFence, odd + kFence}}, "lanes differ in scale-d");
}

TEST(PtxWgmmaChecks, WarpsOfAWarpgroupActTogether) {
  ExpectFault({}, {{"2048", "1536"}}, "wgmma in a warpgroup with fewer than four warps",
              Outcome::kFailed, OneWarp(96));
  const std::string last = "setp.gt.u32 %p3, %r0, 95;\n";
  ExpectFault({}, {{kAdvance, absl::StrCat(kAdvance, last, "@%p3 add.u64 %d7, %d7, 2;\n")}},
              "another warp of the warpgroup has other descriptors or scale-d");
  WgmmaCase c;
  c.scale_d = "%p3";
  ExpectFault(c, {{kFence, last + kFence}},
              "another warp of the warpgroup has other descriptors or scale-d");
  // The last warp skips one product, and then all.
  const std::string product = WgmmaInstruction({}, 1);
  ExpectFault({}, {{product, absl::StrCat(last, "@!%p3 ", product)}}, "instead");
  ExpectFault({},
              {{kCommit, absl::StrCat(last, "@%p3 bra other;\n", kCommit, "bra joined;\nother:\n",
                                      kCommit, "joined:\n")}},
              "instead");
  ExpectFault({}, {{kWgmmaFence, absl::StrCat(last, "@%p3 ret;\n", kWgmmaFence)}},
              "ends without the wgmma instruction in line");
}

TEST(PtxWgmmaChecks, BlocksWaitBeforeTheyEnd) {
  ExpectFault({}, {{kWait, "ret;\n"}}, "ends before the wgmma in line");
  ExpectFault({}, {{absl::StrCat(kCommit, kWait), absl::StrCat(kWait, "ret;\n")}},
              "ends before the wgmma in line");
}

TEST(PtxWgmmaChecks, Descriptors) {
  const auto add = [](uint64_t what, const std::string& to = "%d6") {
    return Before(kWgmmaFence, absl::StrCat("add.u64 ", to, ", ", to, ", ", what, ";\n"));
  };
  ExpectFault({}, add(uint64_t{1} << 14), "bits that have no meaning");
  ExpectFault({}, add(uint64_t{1} << 55), "bits that have no meaning");
  ExpectFault({}, add(uint64_t{1} << 49), "a base offset, which is not supported here");
  ExpectFault({}, add(uint64_t{3} << 62), "without swizzle, which is not supported here");
  ExpectFault({}, add(8), "starts 128 bytes behind a multiple of 1024");
  ExpectFault({}, add(7), "goes on behind its line of the 128-byte swizzle");
  ExpectFault({}, add(uint64_t{1} << 32), "an offset of the descriptor is not a multiple of 1024");
  ExpectFault({}, add(0x1000, "%d7"), "wgmma: shared memory at 98304 of 98304",
              Outcome::kBadAddress);
  ExpectFault({}, add(uint64_t{0x1000} << 32), "of 98304", Outcome::kBadAddress);

  WgmmaCase c;
  c.b_transposed = true;
  c.n = 128;
  ExpectRuns(c, {});
  ExpectFault(c, add(2, "%d7"), "goes on behind its line of the 128-byte swizzle");
  ExpectFault(c, add(uint64_t{1} << 16, "%d7"),
              "an offset of the descriptor is not a multiple of 1024");
  c.line = 64;
  ExpectFault(c, add(4, "%d7"), "starts 64 bytes behind a multiple of 512");
}

}  // namespace
}  // namespace halyard::testing::ptx
