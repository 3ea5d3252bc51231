// Tests that calls of products in stages become instructions.
// tests/schedules/contraction/staged_test.cc tests, with whole kernels, what ptxas and the
// interpreter accept.
#include "codegen/gpu/ptx/ptx_staged.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "codegen/gpu/ptx/ptx_mma.h"
#include "lowering/kernels/contraction/staged_product.h"

namespace halyard::lowering::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Text(const StagedCall& call) {
  const auto lines = StagedInstructions(call);
  return lines.ok() ? absl::StrJoin(*lines, "\n") : std::string(lines.status().message());
}

StagedShape Shape(bool across_a, bool across_b) {
  StagedShape shape;
  shape.mma = FindMma(hlo::ElementType::kBF16, hlo::ElementType::kBF16, 80);
  shape.mt = 4;
  shape.nt = 8;
  shape.warps_m = shape.warps_n = 2;
  shape.across_k[0] = across_a;
  shape.across_k[1] = across_b;
  return shape;
}

std::vector<std::string> Arguments(std::vector<std::string> first, const StagedShape& shape) {
  for (int64_t number : shape.Numbers()) first.push_back(absl::StrCat(number));
  return first;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(PtxStagedTest, AStepHasOneLoadForFourWords) {
  const std::string plain =
      Text({kStagedCompute, Arguments({"%r1", "%r2", "%r3"}, Shape(false, false)), "", ""});
  EXPECT_EQ(Count(plain, "mma.sync"), 64);
  EXPECT_EQ(Count(plain, "ldmatrix"), 16);
  EXPECT_EQ(Count(plain, "trans"), 0);
  const std::string across =
      Text({kStagedCompute, Arguments({"%r1", "%r2", "%r3"}, Shape(false, true)), "", ""});
  EXPECT_EQ(Count(across, "ldmatrix"), 16);
  EXPECT_EQ(Count(across, "trans"), 8);
}

TEST(PtxStagedTest, ShapesSurviveCalls) {
  const StagedShape shape = Shape(true, false);
  StagedShape read;
  ASSERT_TRUE(StagedShape::FromNumbers(shape.Numbers(), &read));
  EXPECT_EQ(read.Numbers(), shape.Numbers());
  EXPECT_EQ(read.shared_bytes(), shape.shared_bytes());
  for (size_t i = 0; i < shape.Numbers().size(); ++i) {
    if (i == 7 || i == 8 || i >= 10) continue;  // those are no numbers, but yes or no
    std::vector<int64_t> numbers = shape.Numbers();
    numbers[i] = -1;
    EXPECT_FALSE(StagedShape::FromNumbers(numbers, &read)) << i;
  }
  EXPECT_THAT(Text({kStagedBegin, {"1", "2"}, "", ""}), HasSubstr("names no shape"));
  EXPECT_THAT(Text({kStagedWait, {"%r1"}, "", ""}), HasSubstr("needs two constants"));
  EXPECT_THAT(Text({kStagedRead, {"128", "%r1"}, "%r2", ""}), HasSubstr("reads no sum"));
  EXPECT_EQ(Text({kStagedShift, {"6", "8"}, "", ""}),
            "\tmov.b32 %hy_acc0, %hy_acc6;\n\tmov.b32 %hy_acc1, %hy_acc7;");
  EXPECT_THAT(Text({kStagedShift, {"0", "8"}, "", ""}), HasSubstr("shifts no sums"));
  EXPECT_THAT(Text({kStagedShift, {"8", "129"}, "", ""}), HasSubstr("shifts no sums"));
}

StagedShape WgmmaShape(bool across_a, bool across_b) {
  StagedShape shape = Shape(across_a, across_b);
  shape.mt = shape.warps_n = 1;
  shape.nt = 32;
  shape.warps_m = 8;
  shape.row_bytes = 128;
  shape.wgmma = true;
  return shape;
}

// A step of 128 bytes has four products of 32; factors across k are turned by the product.
TEST(PtxStagedTest, AStepOfWarpgroups) {
  const auto step = [](const StagedShape& shape) {
    return Text({kStagedCompute, Arguments({"%r1", "16384", "%r3"}, shape), "", ""});
  };
  const std::string plain = step(WgmmaShape(false, false)), across = step(WgmmaShape(false, true));
  EXPECT_EQ(Count(plain, "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%hy_acc0, "), 4);
  EXPECT_EQ(Count(plain, "%hy_acc127}, %hy_wgmma_a, %hy_wgmma_b, 1, 1, 1, 0, 0;"), 4);
  EXPECT_EQ(Count(across, "%hy_wgmma_b, 1, 1, 1, 0, 1;"), 4);
  EXPECT_EQ(Count(plain, "ldmatrix"), 0);
  // Eight lines of 128 bytes; 64 rows of B, of 64 lines; then 32 bytes, or 16 lines, on.
  EXPECT_EQ(Count(plain, absl::StrCat(uint64_t{1} << 62 | uint64_t{64} << 32 | 1 << 16)), 2);
  EXPECT_EQ(Count(across, absl::StrCat(uint64_t{1} << 62 | uint64_t{64} << 32 | 512 << 16)), 1);
  EXPECT_EQ(Count(plain, "add.u64 %hy_wgmma_b, %hy_wgmma_b, 2;"), 3);
  EXPECT_EQ(Count(across, "add.u64 %hy_wgmma_b, %hy_wgmma_b, 128;"), 3);
  EXPECT_THAT(plain, HasSubstr("wgmma.wait_group.sync.aligned 1;"));
  EXPECT_THAT(Text({kStagedEnd, Arguments({}, WgmmaShape(false, false)), "%r1", ""}),
              HasSubstr("wgmma.wait_group.sync.aligned 0;"));
  EXPECT_THAT(Text({kStagedWait, {"1", "1"}, "", ""}),
              HasSubstr("cp.async.wait_group 1;\n\tfence.proxy.async.shared::cta;\n\tbar.sync 0;"));
}

TEST(PtxStagedTest, ShapesThatWgmmaDoesNotHave) {
  StagedShape read;
  EXPECT_TRUE(StagedShape::FromNumbers(WgmmaShape(true, true).Numbers(), &read));
  const auto refused = [&](void (*change)(StagedShape*)) {
    StagedShape shape = WgmmaShape(false, false);
    change(&shape);
    return !StagedShape::FromNumbers(shape.Numbers(), &read);
  };
  EXPECT_TRUE(refused([](StagedShape* s) { s->mt = 2; }));
  EXPECT_TRUE(refused([](StagedShape* s) { s->nt = 34; }));
  EXPECT_TRUE(refused([](StagedShape* s) { s->warps_m = 6; }));
  EXPECT_TRUE(refused([](StagedShape* s) { s->warps_n = 2; }));
  EXPECT_TRUE(refused([](StagedShape* s) { s->stages = 2; }));
  EXPECT_TRUE(refused([](StagedShape* s) { s->row_bytes = 64; }));
  EXPECT_TRUE(refused([](StagedShape* s) {
    s->mma = FindMma(hlo::ElementType::kF8E5M2, hlo::ElementType::kF8E5M2, 89);
  }));
}

// Places of lines are apart, whichever way a factor lies.
TEST(PtxStagedTest, PlacesOfAWarpgroupsFactors) {
  for (const bool across : {false, true}) {
    const StagedShape s = WgmmaShape(across, across);
    std::set<int64_t> places;
    const int64_t lines = across ? s.step_k() : s.rows(1);
    for (int64_t line = 0; line < lines; ++line) {
      for (int64_t piece = 0; piece < s.PiecesOfLine(1); ++piece)
        places.insert(s.Place(1, line, piece * StagedShape::kPieceBytes));
    }
    EXPECT_EQ(static_cast<int64_t>(places.size()), s.pieces(1));
    EXPECT_EQ(*places.rbegin(), s.FactorBytes(1) - StagedShape::kPieceBytes);
  }
}

TEST(PtxStagedTest, WgmmaIsOfOneArchitecture) {
  const std::string text =
      ".version 7.0\n.target sm_90\n.visible .entry k(\n)\n{\n\t.reg .b32 %r<9>;\n"
      "\t{ // callseq 0, 0\n" +
      [] {
        std::string call;
        const std::vector<std::string> arguments =
            Arguments({"0", "0", "0"}, WgmmaShape(false, false));
        for (size_t i = 0; i < arguments.size(); ++i)
          absl::StrAppend(&call, "\t.param .b32 param", i, ";\n\tst.param.b32 \t[param", i, "], ",
                          arguments[i], ";\n");
        absl::StrAppend(&call, "\t.param .b32 retval0;\n\tcall.uni (retval0), \n\t", kStagedCompute,
                        ", \n\t(\n");
        for (size_t i = 0; i < arguments.size(); ++i)
          absl::StrAppend(&call, "\tparam", i, i + 1 < arguments.size() ? ", \n" : "\n");
        return call + "\t);\n\tld.param.b32 \t%r1, [retval0];\n\t} // callseq 0\n";
      }() +
      "\tret;\n}\n";
  const auto hopper = RewriteIntrinsics(text, 90);
  ASSERT_TRUE(hopper.ok()) << hopper.status();
  EXPECT_THAT(*hopper, HasSubstr(".version 8.0\n.target sm_90a\n"));
  EXPECT_THAT(RewriteIntrinsics(text, 100).status().message(),
              HasSubstr("wgmma is of sm_90 alone; the device is sm_100: choose another schedule"));
}

// What is read or copied at once meets all banks, and halves of a sector stay together.
TEST(PtxStagedTest, PiecesOfLinesMeetAllBanks) {
  const hlo::ElementType types[] = {hlo::ElementType::kBF16, hlo::ElementType::kS8,
                                    hlo::ElementType::kF32};
  for (const hlo::ElementType type : types) {
    for (const bool across : {false, true}) {
      for (const int64_t mt : {1, 2, 4}) {
        for (const int64_t row_bytes : {64, 128}) {
          StagedShape s = Shape(across, across);
          s.mma = FindMma(type, type, 80);
          s.mt = mt;
          s.row_bytes = row_bytes;
          const bool words = across && s.element_bytes() == 4;
          const int64_t lines = words ? 4 : 8, bytes = words ? 32 : 16;
          for (int64_t first = 0; first < s.pitch(0); first += bytes) {
            std::set<int64_t> banks;
            for (int64_t line = 0; line < lines; ++line) {
              const int64_t place = line * s.pitch(0) + (first ^ s.Swizzle(0, line));
              EXPECT_EQ(
                  place / 32 == (line * s.pitch(0) + ((first ^ 16) ^ s.Swizzle(0, line))) / 32,
                  s.pitch(0) > 16);
              banks.insert(place % 128 / bytes);
            }
            EXPECT_EQ(static_cast<int64_t>(banks.size()), lines) << s.pitch(0) << " " << first;
          }
        }
      }
    }
  }
}

TEST(PtxStagedTest, CopiesMayBeLeftOutOrGiveZeros) {
  const std::string address = "[%rd1+64]";
  EXPECT_THAT(Text({kStagedCopy, {"%r1", "48", "%r2", "1", "1"}, "", address}),
              HasSubstr("\tcp.async.cg.shared.global [%hy_to+48], [%rd1+64], 16;"));
  EXPECT_THAT(
      Text({kStagedCopy, {"%r1", "48", "%r2", "%r3", "%r4"}, "", address}),
      HasSubstr("@%hy_run cp.async.cg.shared.global [%hy_to+48], [%rd1+64], 16, %hy_outside;"));
  EXPECT_THAT(Text({kStagedCopy, {"%r1", "48", "%r2", "1", "0"}, "", address}),
              HasSubstr("16, 0;"));
  EXPECT_THAT(Text({kStagedCopy, {"%r1", "48", "%r2", "0", "1"}, "", address}),
              Not(HasSubstr("cp.async")));
  EXPECT_THAT(Text({kStagedCopy, {"%r1", "48", "%r2", "1", "1"}, "", ""}),
              HasSubstr("copies what no load gave"));
}

absl::StatusOr<LoadedFrom> Trace(const std::string& text, const std::string& value) {
  static std::string kept;
  kept = text;
  const std::vector<absl::string_view> lines = absl::StrSplit(kept, '\n');
  return TraceLoad(lines, lines.size() - 1, value);
}

TEST(PtxStagedTest, ACopyTakesItsAddressFromTheLoad) {
  const std::string load = "\tld.global.nc.b16 \t%rs1, [%rd1+32];\n\tcvt.u32.u16 \t%r1, %rs1;\n";
  const auto found = Trace("LABEL:\n" + load + "\tst.param.b32 \t[param2], %r1;\n", "%r1");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->address, "[%rd1+32]");
  EXPECT_THAT(found->lines, ElementsAre(2, 1));
  const std::string use = "\tst.param.b32 \t[param2], %r1;\n";
  EXPECT_THAT(Trace(load + "LABEL:\n" + use, "%r1").status().message(), HasSubstr("another block"));
  EXPECT_THAT(Trace(load + "\tadd.s64 \t%rd1, %rd1, 64;\n" + use, "%r1").status().message(),
              HasSubstr("changes after the load"));
  EXPECT_THAT(Trace("\tadd.s32 \t%r1, %r2, 64;\n" + use, "%r1").status().message(),
              HasSubstr("a result of add"));
  EXPECT_THAT(Trace(use, "%r1").status().message(), HasSubstr("given from outside"));
}

TEST(PtxStagedTest, WaitsMustBeReachedByAllLanes) {
  const std::string call =
      "\t{ // callseq 0, 0\n\t.param .b32 param0;\n\tst.param.b32 \t[param0], 2;\n"
      "\t.param .b32 param1;\n\tst.param.b32 \t[param1], 0;\n"
      "\t.param .b32 retval0;\n\tcall.uni (retval0), \n\thalyard_intrinsic_staged_wait, \n\t(\n"
      "\tparam0, \n\tparam1\n\t);\n\tld.param.b32 \t%r1, [retval0];\n\t} // callseq 0\n";
  auto rewrite = [&](const std::string& before, const std::string& after) {
    return RewriteIntrinsics(
        absl::StrCat(".version 7.0\n.visible .entry k(\n)\n{\n\t.reg .b32 %r<9>;\n", before, call,
                     after, "\tret;\n}\n"),
        80);
  };
  const auto all = rewrite("", "");
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_THAT(*all, HasSubstr("\t.pragma \"nounroll\";\n\tcp.async.wait_group 2;\n\tbar.sync 0;"));
  EXPECT_THAT(*all, HasSubstr("mov.b32 %r1, 0;"));
  EXPECT_THAT(rewrite("\t@%p1 bra \tEND;\n", "END:\n").status().message(),
              HasSubstr("by some lanes of a warp only"));
}

}  // namespace
}  // namespace halyard::lowering::gpu
