// Damaged bytecode gives an error or a module, and must not crash, hang or use much memory.
#include <functional>
#include <random>

#include "absl/strings/match.h"
#include "frontend/mlir/bytecode/cursor.h"
#include "frontend/mlir/bytecode/writer.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/vhlo/vhlo.h"
#include "gtest/gtest.h"
#include "tests/frontend/stablehlo/same_document.h"

namespace halyard::stablehlo {
namespace {

const char* const kFolder = HALYARD_SOURCE_DIR "/tests/frontend/stablehlo/testdata/bytecode/";

void ExpectStatusOrModule(const std::string& bytes) {
  auto module = ParseStableHlo(bytes, "p.mlirbc");
  if (module.ok()) return;
  // Damage may also yield a correct program of a kind that cannot be run.
  EXPECT_TRUE(absl::IsInvalidArgument(module.status()) || absl::IsUnimplemented(module.status()))
      << module.status();
  EXPECT_TRUE(absl::StrContains(module.status().message(), "error: ")) << module.status();
}

class Damaged : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_FALSE((bytes_ = ReadFileBytes(kFolder + std::string(GetParam()))).empty());
  }
  std::string bytes_;
};

TEST_P(Damaged, FlippedBytes) {
  std::mt19937 random(11);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = bytes_;
    for (int flips = 1 + i % 3; flips > 0; --flips) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    ExpectStatusOrModule(damaged);
  }
}

TEST_P(Damaged, FlippedBits) {
  std::mt19937 random(12);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = bytes_;
    damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    ExpectStatusOrModule(damaged);
  }
}

TEST_P(Damaged, CutAndMoved) {
  std::mt19937 random(17);
  for (int i = 0; i < 200; ++i) {
    ExpectStatusOrModule(bytes_.substr(0, random() % bytes_.size()));
    std::string moved = bytes_;
    const size_t from = random() % bytes_.size();
    moved.insert(random() % moved.size(), bytes_.substr(from, random() % 60));
    ExpectStatusOrModule(moved);
    std::string cut = bytes_;
    cut.erase(random() % cut.size(), random() % 20);
    ExpectStatusOrModule(cut);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Damaged,
                         testing::Values("ops.0.9.0.mlirbc", "ops.0.12.0.mlirbc",
                                         "ops.1.17.0.mlirbc", "ops.plain.mlirbc",
                                         "newer.7.1.17.0.mlirbc", "newer.15.1.17.0.mlirbc",
                                         "newer.18.plain.mlirbc", "quantized.1.1.17.0.mlirbc"));

// Returns the error of reading `bytes`, or "".
std::string ErrorOf(const std::string& bytes) {
  auto read = ReadBytecode(bytes, "p.mlirbc");
  return read.ok() ? "" : std::string(read.status().message());
}

TEST(BytecodeErrors, HaveAPlace) {
  EXPECT_EQ(ErrorOf("ML\xefR"), "p.mlirbc:1:5: error: the bytecode ends early");
  EXPECT_EQ(ErrorOf("MLIR"),
            "p.mlirbc:1:1: error: not MLIR bytecode: it does not begin with \"ML\\xefR\"");
  EXPECT_EQ(ErrorOf(std::string("ML\xefR\x0dp\0", 7)), "p.mlirbc:1:8: error: section 0 is missing");
  EXPECT_EQ(ErrorOf(std::string("ML\xefR\x0dp\0\x55\x01", 9)),
            "p.mlirbc:1:8: error: there is no section number 85");
  // Claims two billion strings in an empty section.
  mlir::ByteBuffer strings;
  strings.VarInt(uint64_t{1} << 31);
  mlir::ByteBuffer file;
  file.Append(std::string("ML\xefR\x0dp\0", 7));
  for (uint8_t id : {0, 1, 2, 3, 4}) file.Section(id, id == 0 ? strings.bytes() : "");
  EXPECT_TRUE(absl::StrContains(ErrorOf(file.bytes()), "a list of 2147483648 cannot be in 0 bytes"))
      << ErrorOf(file.bytes());
}

// Returns the error for a module with `count` array attributes. Array i holds `copies` copies of
// the attribute element(i).
std::string ErrorOfArrays(int count, const std::function<uint64_t(int)>& element, int copies) {
  mlir::BytecodeWriter writer(6);
  mlir::ByteBuffer bytes;
  bytes.VarInt(15);  // an unknown location: entry 0
  writer.Attribute("builtin", bytes.bytes());
  for (int i = 0; i < count; ++i) {  // entries 1, 2, …
    mlir::ByteBuffer array;
    array.VarInt(0);
    array.VarInt(copies);
    for (int copy = 0; copy < copies; ++copy) array.VarInt(element(i + 1));
    writer.Attribute("builtin", array.bytes());
  }
  mlir::ByteBuffer properties;
  properties.VarInt(static_cast<uint64_t>(count) << 1 | 1);  // sym_name is the last array
  properties.VarInt(0);
  mlir::OutOperation module;
  module.name = "builtin.module";
  module.isolated = true;
  module.properties = writer.Properties(properties.bytes());
  module.regions.emplace_back().blocks.emplace_back();
  return ErrorOf(writer.Finish("test", module));
}

TEST(BytecodeErrors, AttributesAreNoGraphs) {
  EXPECT_TRUE(absl::StrContains(ErrorOfArrays(
                                    1, [](int i) { return i; }, 1),
                                "error: attribute 1 is part of itself"));
  EXPECT_TRUE(absl::StrContains(ErrorOfArrays(
                                    300, [](int i) { return i - 1; }, 1),
                                "error: attributes nested too deeply"));
  // Each of 40 arrays holds the previous one twice.
  EXPECT_TRUE(absl::StrContains(ErrorOfArrays(
                                    40, [](int i) { return i - 1; }, 2),
                                "error: attribute is too large or nested too deeply"));
}

// Many strings share one long name.
TEST(BytecodeErrors, RepetitionIsInProportion) {
  mlir::BytecodeWriter writer(6);
  mlir::ByteBuffer location;
  location.VarInt(15);
  const uint64_t unknown = writer.Attribute("builtin", location.bytes());
  const uint64_t name = writer.String(std::string(100000, 'n'));
  mlir::ByteBuffer array;
  array.VarInt(0);
  constexpr int kCount = 2000;
  array.VarInt(kCount);
  for (int line = 0; line < kCount; ++line) {  // locations in a file of that name
    mlir::ByteBuffer text;
    text.VarInt(2);
    text.VarInt(name);
    mlir::ByteBuffer place;
    place.VarInt(11);
    place.VarInt(writer.Attribute("builtin", text.bytes()));
    place.VarInt(line);
    place.VarInt(0);
    array.VarInt(writer.Attribute("builtin", place.bytes()));
  }
  const uint64_t all = writer.Attribute("builtin", array.bytes());
  mlir::ByteBuffer properties;
  properties.VarInt(all << 1 | 1);
  properties.VarInt(0);
  mlir::OutOperation module;
  module.name = "builtin.module";
  module.location = unknown;
  module.isolated = true;
  module.properties = writer.Properties(properties.bytes());
  module.regions.emplace_back().blocks.emplace_back();
  EXPECT_TRUE(absl::StrContains(ErrorOf(writer.Finish("test", module)),
                                "what the file repeats is out of proportion to its size"));
}

TEST(ByteCursor, ReadsWhatByteBufferWrites) {
  mlir::ByteBuffer buffer;
  std::vector<uint64_t> values = {0, 1, UINT64_MAX};
  for (int bit = 0; bit < 64; ++bit) {
    for (uint64_t near : {uint64_t{0}, uint64_t{1}, UINT64_MAX}) {
      values.push_back((uint64_t{1} << bit) + near);
    }
  }
  for (uint64_t value : values) {
    buffer.VarInt(value);
    buffer.SignedVarInt(static_cast<int64_t>(value));
    buffer.Bits(8, value);
    buffer.Bits(33, value);
  }
  mlir::Source source(buffer.bytes(), "p", true);
  mlir::BytecodeErrors errors(source);
  mlir::ByteCursor cursor(buffer.bytes(), 0, &errors);
  for (uint64_t value : values) {
    uint64_t read = 0;
    int64_t number = 0;
    ASSERT_TRUE(cursor.VarInt(&read));
    EXPECT_EQ(read, value);
    ASSERT_TRUE(cursor.SignedVarInt(&number));
    EXPECT_EQ(number, static_cast<int64_t>(value));
    ASSERT_TRUE(cursor.Bits(8, &read));
    EXPECT_EQ(read, value & 0xFF);
    ASSERT_TRUE(cursor.Bits(33, &read));
    EXPECT_EQ(read, value & ((uint64_t{1} << 33) - 1));
  }
  EXPECT_TRUE(cursor.AtEnd());
}

}  // namespace
}  // namespace halyard::stablehlo
