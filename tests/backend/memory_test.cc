// Blocks and copies, on every backend.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/backend/backend_test.h"
#include "tests/fakes/test_kernels.h"

namespace halyard::testing {
namespace {

using runtime::Binding;
using runtime::Block;
using runtime::Code;
using runtime::Event;
using runtime::Kernel;
using runtime::Recording;
using runtime::Segment;
using runtime::SegmentStep;
using runtime::SliceRef;
using runtime::Space;
using runtime::Status;
using ::testing::HasSubstr;

class BackendMemory : public BackendTest {};

TEST_P(BackendMemory, CopiesOfOddSizesAndPlaces) {
  for (uint64_t bytes : {1, 3, 63, 255, 256, 257, 1000, 100001}) {
    Block block = Make(bytes);
    EXPECT_EQ(block.bytes, bytes);
    const auto data = Pattern(bytes, 1);
    Put(block, 0, data.data(), bytes);
    EXPECT_EQ(Get<uint8_t>(block, 0, bytes), data);
    const uint64_t part = bytes / 3;
    const auto other = Pattern(part, 99);
    Put(block, bytes - part, other.data(), part);
    auto want = data;
    std::copy(other.begin(), other.end(), want.end() - static_cast<ptrdiff_t>(part));
    EXPECT_EQ(Get<uint8_t>(block, 0, bytes), want);
    EXPECT_EQ(Get<uint8_t>(block, bytes / 2, bytes - bytes / 2),
              std::vector<uint8_t>(want.begin() + static_cast<ptrdiff_t>(bytes / 2), want.end()));
    device_->Free(&block);
  }
}

TEST_P(BackendMemory, BigCopies) {
  const uint64_t bytes = (40 << 20) + 13;
  Block block = Make(bytes);
  const auto data = Pattern(bytes, 5);
  Put(block, 0, data.data(), bytes);
  EXPECT_EQ(Get<uint8_t>(block, 0, bytes), data);
  device_->Free(&block);
}

TEST_P(BackendMemory, CopiesOutsideABlockAreRefused) {
  Block block = Make(100);
  uint8_t data[200] = {};
  Event done;
  EXPECT_EQ(device_->Upload(data, block, 1, 100, 0, &done).code(), Code::kInvalidArgument);
  EXPECT_EQ(device_->Download(block, 101, 1, data, 0, &done).code(), Code::kInvalidArgument);
  EXPECT_TRUE(device_->Upload(data, block, 100, 0, 0, &done).ok());
  device_->Free(&block);
}

TEST_P(BackendMemory, TooMuchMemoryIsRefused) {
  Block block;
  const Status status = device_->Allocate(uint64_t{1} << 60, Space::kDevice, &block);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("1152921504606846976"));
}

TEST_P(BackendMemory, ManyBlocksComeAndGo) {
  std::vector<Block> blocks;
  std::vector<std::vector<uint8_t>> data;
  uint32_t random = 1;
  for (int i = 0; i < 600; ++i) {
    random = random * 1664525 + 1013904223;
    if (blocks.size() > 40 || (!blocks.empty() && random % 3 == 0)) {
      const size_t k = random / 7 % blocks.size();
      EXPECT_EQ(Get<uint8_t>(blocks[k], 0, data[k].size()), data[k]);
      device_->Free(&blocks[k]);
      blocks.erase(blocks.begin() + static_cast<ptrdiff_t>(k));
      data.erase(data.begin() + static_cast<ptrdiff_t>(k));
      continue;
    }
    data.push_back(Pattern(1 + random / 16 % (i % 50 == 0 ? 3000000 : 3000), i));
    blocks.push_back(Make(data.back().size(), random % 5 == 0 ? Space::kHost : Space::kDevice));
    Put(blocks.back(), 0, data.back().data(), data.back().size());
  }
  for (size_t k = 0; k < blocks.size(); ++k) {
    EXPECT_EQ(Get<uint8_t>(blocks[k], 0, data[k].size()), data[k]);
    device_->Free(&blocks[k]);
  }
}

HALYARD_ON_ALL_BACKENDS(BackendMemory);

}  // namespace
}  // namespace halyard::testing
