#include "runtime/program/bundle/bundle.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/fuzz/bundle_mutator.h"
#include "tests/runtime/program_builder.h"

namespace halyard::runtime {
namespace {

using halyard::testing::ProgramBuilder;

ProgramSpec Copy(const std::string& target, const std::string& constant) {
  ProgramBuilder b("copy");
  b.spec.target = target;
  const auto out = b.Result("s32", {static_cast<int64_t>(constant.size() / 4)},
                            static_cast<int64_t>(constant.size()));
  b.Copy(0, b.Constant(constant), out);
  return b.spec;
}

// Bytes at a multiple of 256, as the linker places them.
class Aligned {
 public:
  explicit Aligned(const std::string& bytes) : memory_(bytes.size() + 256, '\0') {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    begin_ = (256 - address % 256) % 256;
    memcpy(memory_.data() + begin_, bytes.data(), bytes.size());
    size_ = bytes.size();
  }
  ByteSpan span(size_t skipped = 0) const {
    return {reinterpret_cast<const uint8_t*>(memory_.data()) + begin_ + skipped, size_ - skipped};
  }

 private:
  std::vector<char> memory_;
  size_t begin_ = 0, size_ = 0;
};

std::string Message(Status status) { return status.ok() ? "" : status.message(); }

TEST(Bundle, HoldsEqualConstantsOnce) {
  const std::string big(4096, 'w');
  const Aligned bytes(
      WriteBundle(std::vector<ProgramSpec>{Copy("x86:v1", big), Copy("x86:v3", big)}));
  EXPECT_LT(bytes.span().size, 2 * big.size());
  Bundle bundle;
  ASSERT_EQ(Message(bundle.FromMemory(bytes.span())), "");
  ASSERT_EQ(bundle.size(), 2u);
  EXPECT_STREQ(bundle.part(1)->target().data, "x86:v3");
  EXPECT_EQ(bundle.part(0)->constant(0).data, bundle.part(1)->constant(0).data);
  EXPECT_EQ(Message(bundle.VerifyConstants()), "");
}

TEST(Bundle, PartsHaveTheSameArrays) {
  const Aligned bytes(
      WriteBundle(std::vector<ProgramSpec>{Copy("x86:v1", "12345678"), Copy("x86:v3", "1234")}));
  Bundle bundle;
  EXPECT_NE(Message(bundle.FromMemory(bytes.span())).find("other arguments or results"),
            std::string::npos);
}

TEST(Bundle, MustBeAligned) {
  const std::string text = WriteBundle(std::vector<ProgramSpec>{Copy("x86:v1", "1234")});
  const Aligned bytes("x" + text);
  Bundle memory, weights;
  EXPECT_EQ(memory.FromMemory(bytes.span(1)).code(), Code::kInvalidArgument);
  EXPECT_EQ(weights.WithWeights(bytes.span(1), "/nonexistent").code(), Code::kInvalidArgument);
}

// What tables and constants such bytes seem to have does not matter.
TEST(Bundle, OtherBytesAreNamedSo) {
  for (const size_t size :
       {size_t{1}, size_t{7}, size_t{8}, size_t{87}, size_t{88}, size_t{4096}}) {
    const Aligned bytes(std::string(size, 'a'));
    Bundle memory, weights;
    for (const std::string& message : {Message(memory.FromMemory(bytes.span())),
                                       Message(weights.WithWeights(bytes.span(), "/nonexistent"))})
      EXPECT_EQ(message, "neither a program file nor a bundle of Halyard") << size;
  }
}

// What precedes the constants is cut short or grows, and says so itself: its records are then at
// odd places behind the file, or would be.
TEST(Bundle, WeightsFollowAWholeHead) {
  const std::string path = ::testing::TempDir() + "/bundle_test_" + std::to_string(getpid());
  const std::vector<ProgramSpec> specs = {Copy("x86:v1", "1234")};
  for (const std::string& whole : {WriteProgram(specs[0]), WriteBundle(specs)}) {
    std::string head, weights;
    SplitWeights(whole, &head, &weights);
    std::ofstream(path, std::ios::binary) << weights;
    {
      const Aligned bytes(head);
      Bundle bundle;
      ASSERT_EQ(Message(bundle.WithWeights(bytes.span(), path.c_str())), "");
      EXPECT_EQ(memcmp(bundle.part(0)->constant(0).data, "1234", 4), 0);
      EXPECT_EQ(Message(bundle.VerifyConstants()), "");
    }
    for (const int change : {-256, -7, -1, 1, 8, 256}) {
      std::string changed = head;
      changed.resize(static_cast<size_t>(static_cast<int>(head.size()) + change));
      // Both headers have total_bytes and constants_begin here.
      for (const size_t at : {24, 32}) {
        uint64_t number;
        memcpy(&number, changed.data() + at, sizeof(number));
        number += static_cast<uint64_t>(change);
        memcpy(changed.data() + at, &number, sizeof(number));
      }
      MendProgramHead(&changed);
      const Aligned bytes(changed);
      Bundle bundle;
      EXPECT_NE(Message(bundle.WithWeights(bytes.span(), path.c_str())), "") << change;
    }
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace halyard::runtime
