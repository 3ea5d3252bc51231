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

TEST_P(BackendMemory, BlocksOfNoBytesAndOne) {
  for (uint64_t bytes : {uint64_t{0}, uint64_t{1}}) {
    for (Space space : {Space::kDevice, Space::kHost}) {
      Block block = Make(bytes, space);
      EXPECT_EQ(block.bytes, bytes);
      if (space == Space::kHost) {
        EXPECT_NE(block.host, nullptr);
      }
      const uint8_t byte = 77;
      Put(block, 0, &byte, bytes);
      EXPECT_EQ(Get<uint8_t>(block, 0, bytes), std::vector<uint8_t>(bytes, 77));
      device_->Free(&block);
      EXPECT_EQ(block.bytes, 0u);
      device_->Free(&block);  // has no effect
    }
  }
}

// Tests a block of more than 2^32 bytes, if the device allows it: the ends and the middle must be
// different memory.
TEST_P(BackendMemory, BlocksBeyondFourGigabytes) {
  const uint64_t bytes = (uint64_t{1} << 32) + 13;
  const runtime::DeviceInfo& info = device_->info();
  if ((info.max_allocation_bytes != 0 && info.max_allocation_bytes < bytes) ||
      (info.memory_bytes != 0 && info.memory_bytes < 2 * bytes)) {
    Block block;
    if (info.max_allocation_bytes != 0 && info.max_allocation_bytes < bytes) {
      EXPECT_EQ(device_->Allocate(bytes, Space::kDevice, &block).code(), Code::kResourceExhausted);
    }
    GTEST_SKIP() << info.name << " has no room for " << bytes << " bytes";
  }
  Block block = Make(bytes);
  const auto data = Pattern(1000, 3);
  const std::vector<uint64_t> places = {0, (uint64_t{1} << 31) - 500, (uint64_t{1} << 32) - 990,
                                        bytes - 1000};
  for (size_t i = 0; i < places.size(); ++i) {
    const auto part = Pattern(1000, static_cast<int>(i));
    Put(block, places[i], part.data(), part.size());
  }
  for (size_t i = 0; i < places.size(); ++i) {
    auto want = Pattern(1000, static_cast<int>(i));
    // The last two places overlap.
    if (i == 2) {
      const auto over = Pattern(1000, 3);
      const uint64_t from = places[3] - places[2];
      if (from < 1000)
        std::copy(over.begin(), over.begin() + static_cast<int64_t>(1000 - from),
                  want.begin() + static_cast<int64_t>(from));
    }
    EXPECT_EQ(Get<uint8_t>(block, places[i], 1000), want) << places[i];
  }
  device_->Free(&block);
}

TEST_P(BackendMemory, UseIsCountedToTheByte) {
  const auto use = [&] {
    // Where both spaces are one memory, it counts as device memory.
    const runtime::MemoryUse device = device_->memory_use(Space::kDevice);
    const runtime::MemoryUse host = device_->memory_use(Space::kHost);
    return runtime::MemoryUse{device.bytes + host.bytes, device.peak_bytes + host.peak_bytes,
                              device.own_bytes + host.own_bytes};
  };
  EXPECT_EQ(use().bytes, 0u);
  EXPECT_EQ(use().peak_bytes, 0u);
  uint64_t want = 0;
  std::vector<Block> blocks;
  for (uint64_t bytes : {0, 1, 255, 256, 257, 100000, 5000001}) {
    for (Space space : {Space::kDevice, Space::kHost}) {
      blocks.push_back(Make(bytes, space));
      want += runtime::PaddedBlockBytes(bytes);
      EXPECT_EQ(use().bytes, want);
      EXPECT_EQ(use().peak_bytes, want);
    }
  }
  const uint64_t peak = want;
  const auto data = Pattern(100000, 1);
  Put(blocks[10], 0, data.data(), data.size());  // staging memory counts as the backend's own
  EXPECT_EQ(use().bytes, want);
  for (Block& block : blocks) {
    want -= runtime::PaddedBlockBytes(block.bytes);
    device_->Free(&block);
    EXPECT_EQ(use().bytes, want);
  }
  EXPECT_EQ(want, 0u);
  EXPECT_EQ(use().peak_bytes, peak);
  Block refused;
  EXPECT_FALSE(device_->Allocate(uint64_t{1} << 60, Space::kDevice, &refused).ok());
  EXPECT_EQ(use().bytes, 0u);
  EXPECT_EQ(use().peak_bytes, peak);
}

TEST_P(BackendMemory, MemoryIsGivenBack) {
  const auto own = [&] {
    return device_->memory_use(Space::kDevice).own_bytes +
           device_->memory_use(Space::kHost).own_bytes;
  };
  const auto data = Pattern(3 << 20, 1);
  const auto round = [&] {
    std::vector<Block> blocks;
    for (int i = 0; i < 20; ++i) {
      blocks.push_back(Make(data.size()));
      Put(blocks.back(), 0, data.data(), data.size());
    }
    for (Block& block : blocks) device_->Free(&block);
  };
  round();
  const uint64_t after_one = own();
  for (int i = 0; i < 5; ++i) round();
  EXPECT_EQ(own(), after_one);
  EXPECT_LE(after_one, uint64_t{256} << 20);  // pools keep this much for later blocks
}

// Copies on a stream are ordered without waiting: the last upload to a place determines its
// contents.
TEST_P(BackendMemory, CopiesOfOneStreamKeepTheirOrder) {
  const uint64_t bytes = 200000;
  Block a = Make(bytes), b = Make(bytes);
  std::vector<std::vector<uint8_t>> data, out;
  for (int i = 0; i < 20; ++i) data.push_back(Pattern(bytes, i));
  out.resize(data.size());
  Event done;
  for (size_t i = 0; i < data.size(); ++i) {
    Block& block = i % 2 == 0 ? a : b;
    out[i].resize(bytes);
    ASSERT_HY_OK(device_->Upload(data[i].data(), block, 0, bytes, 3, &done));
    ASSERT_HY_OK(device_->Download(block, 0, bytes, out[i].data(), 3, &done));
  }
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_TRUE(device_->IsDone(done));
  for (size_t i = 0; i < data.size(); ++i) EXPECT_EQ(out[i], data[i]) << i;
  device_->Free(&a);
  device_->Free(&b);
}

TEST_P(BackendMemory, ThreadsAllocateAndCopySideBySide) {
  std::atomic<int> right{0};
  const auto work = [&](uint32_t stream) {
    for (int i = 0; i < 30; ++i) {
      const auto data = Pattern(1 + 997 * static_cast<size_t>(i), static_cast<int>(stream));
      Block block = Make(data.size(), i % 3 == 0 ? Space::kHost : Space::kDevice);
      Put(block, 0, data.data(), data.size(), stream);
      right += Get<uint8_t>(block, 0, data.size(), stream) == data;
      device_->Free(&block);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 8; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8 * 30);
  EXPECT_EQ(device_->memory_use(Space::kDevice).bytes, 0u);
}

HALYARD_ON_ALL_BACKENDS(BackendMemory);

}  // namespace
}  // namespace halyard::testing
