// Constants of every type, in XLA's message layout.
#include <gtest/gtest.h>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/frontend/hlo_text/sample_programs.h"

namespace halyard::hlo_proto {
namespace {

struct Case {
  absl::string_view constant;
  absl::string_view hex;  // the bytes of the literal field, including tag and length
};

// The bytes are those of XLA, except for f6 types.
constexpr Case kCases[] = {
    {"pred[3] constant({true, false, true})", "1203010001"},
    {"s2[3] constant({1, -2, 0})", "d20103010200"},
    {"s4[3] constant({1, -2, 7})", "aa0103010e07"},
    {"s8[2] constant({-1, 2})", "7a02ff02"},
    {"s16[2] constant({-1, 2})", "8a0104ffff0200"},
    {"s32[2] constant({-1, 300})", "220cffffffffffffffffff01ac02"},
    {"s64[1] constant({-1})", "2a0affffffffffffffffff01"},
    {"u2[3] constant({1, 2, 3})", "da0103010203"},
    {"u4[3] constant({15, 2, 3})", "b201030f0203"},
    {"u8[2] constant({255, 2})", "1a02ff02"},
    {"u16[2] constant({1, 65535})", "8201040100ffff"},
    {"u32[1] constant({4294967295})", "3205ffffffff0f"},
    {"u64[1] constant({18446744073709551615})", "3a0affffffffffffffffff01"},
    {"f4e2m1fn[3] constant({1, -2, 6})", "820203020c07"},
    {"f6e2m3fn[2] constant({1, -2})", "e240020830"},
    {"f6e3m2fn[2] constant({1, -2})", "da40020c30"},
    {"f8e3m4[2] constant({1, 2})", "ea01023040"},
    {"f8e4m3[2] constant({1, 2})", "e201023840"},
    {"f8e4m3fn[2] constant({1, nan})", "a20102387f"},
    {"f8e4m3fnuz[2] constant({1, 2})", "ca01024048"},
    {"f8e4m3b11fnuz[2] constant({1, 2})", "ba01025860"},
    {"f8e5m2[2] constant({1, 2})", "9a01023c40"},
    {"f8e5m2fnuz[2] constant({1, 2})", "c201024044"},
    {"f8e8m0fnu[2] constant({1, 2})", "8a02027f80"},
    {"bf16[2] constant({1, 2})", "6a04803f0040"},
    {"f16[2] constant({1, -0.0})", "5a04003c0080"},
    {"f32[2] constant({1, nan})", "42080000803f0000c07f"},
    {"f64[1] constant({-inf})", "4a08000000000000f0ff"},
    {"c64[2] constant({(1, 2), (3, 4)})", "62100000803f000000400000404000008040"},
    {"c128[1] constant({(1, -2)})", "920110000000000000f03f00000000000000c0"},
};

absl::StatusOr<std::string> ProtoOf(absl::string_view constant) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = hlo_text::ParseModule(
      hlo_text::Program(absl::StrCat("  ROOT %c = ", constant, "\n")), "test.hlo");
  if (!module.ok()) return module.status();
  return ToHloProto(**module);
}

TEST(Literals, EveryType) {
  for (const Case& c : kCases) {
    absl::StatusOr<std::string> bytes = ProtoOf(c.constant);
    ASSERT_TRUE(bytes.ok()) << bytes.status().message();
    EXPECT_TRUE(absl::StrContains(*bytes, absl::HexStringToBytes(c.hex)))
        << c.constant << "\n"
        << absl::BytesToHexString(*bytes);
    absl::StatusOr<std::unique_ptr<hlo::Module>> read = ParseHloProto(*bytes, "test.pb");
    ASSERT_TRUE(read.ok()) << read.status().message();
    std::string root = hlo_text::PrintInstruction(*(*read)->entry()->root());
    EXPECT_EQ(root, absl::StrCat("%c = ", c.constant));
  }
  EXPECT_EQ(std::size(kCases), 30u);  // as many as there are types
}

TEST(Literals, OtherShapes) {
  for (absl::string_view constant :
       {"f32[] constant(2.5)", "f32[0,3] constant({})", "s4[2,2] constant({ { 1, -8 }, { 7, 0 } })",
        "(f32[], (s32[2], pred[])) constant((1, ({2, 3}, true)))",
        "f32[2] constant({nan(0x12345), -nan})"}) {
    absl::StatusOr<std::string> bytes = ProtoOf(constant);
    ASSERT_TRUE(bytes.ok()) << bytes.status().message();
    absl::StatusOr<std::unique_ptr<hlo::Module>> read = ParseHloProto(*bytes, "test.pb");
    ASSERT_TRUE(read.ok()) << read.status().message();
    absl::StatusOr<std::unique_ptr<hlo::Module>> want = hlo_text::ParseModule(
        hlo_text::Program(absl::StrCat("  ROOT %c = ", constant, "\n")), "test.hlo");
    ASSERT_TRUE(want.ok());
    EXPECT_TRUE((*read)->entry()->root()->literal.BitwiseEqual((*want)->entry()->root()->literal))
        << constant;
  }
}

// The bytes that XLA writes for f32[2,3]{0,1} constant({{1, 2, 3}, {4, 5, 6}}), in the order of the
// layout.
TEST(Literals, InTheOrderOfTheirLayout) {
  absl::StatusOr<std::string> bytes = ProtoOf("f32[2,3] constant({{1, 4, 2}, {5, 3, 6}})");
  ASSERT_TRUE(bytes.ok());
  // Makes every layout column-major.
  std::string row_major("\x0a\x02\x01\x00", 4), column_major("\x0a\x02\x00\x01", 4);
  size_t at = 0;
  int replaced = 0;
  while ((at = bytes->find(row_major, at)) != std::string::npos) {
    bytes->replace(at, 4, column_major);
    ++replaced;
  }
  EXPECT_EQ(replaced, 4);  // of the instruction, its literal, and the result twice
  absl::StatusOr<std::unique_ptr<hlo::Module>> read = ParseHloProto(*bytes, "test.pb");
  ASSERT_TRUE(read.ok()) << read.status().message();
  const hlo::Instruction& root = *(*read)->entry()->root();
  EXPECT_EQ(root.shape.minor_to_major(), hlo::Ints({0, 1}));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(root.literal.GetFloat(i), i + 1);
}

}  // namespace
}  // namespace halyard::hlo_proto
