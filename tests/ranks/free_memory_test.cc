#include "ranks/free_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace halyard::ranks {
namespace {

constexpr uint64_t kMiB = 1 << 20;

// A folder that stands for "/".
class FreeMemoryTest : public ::testing::Test {
 protected:
  FreeMemoryTest() {
    char name[] = "/tmp/halyard_free_memory_XXXXXX";
    root_ = mkdtemp(name);
    Write("/proc/meminfo", "MemTotal: 9000000 kB\nMemFree: 5 kB\nMemAvailable:    1024000 kB\n");
  }
  ~FreeMemoryTest() override { std::filesystem::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  std::string root_;
};

TEST_F(FreeMemoryTest, OfTheSystem) {
  EXPECT_EQ(FreeMemory(root_), 1000 * kMiB);
  Write("/proc/self/cgroup", "3:cpu:/jobs\n");
  EXPECT_EQ(FreeMemory(root_), 1000 * kMiB);
}

TEST_F(FreeMemoryTest, UnknownIsNone) {
  EXPECT_EQ(FreeMemory(root_ + "/nowhere"), 0u);
  Write("/proc/meminfo", "MemTotal: many\n");
  EXPECT_EQ(FreeMemory(root_), 0u);
}

TEST_F(FreeMemoryTest, OfAControlGroupAndThoseAboveIt) {
  Write("/proc/self/cgroup", "0::/jobs/one\n");
  const std::string jobs = "/sys/fs/cgroup/jobs";
  Write(jobs + "/one/memory.max", "max\n");
  Write(jobs + "/one/memory.current", std::to_string(100 * kMiB));
  Write(jobs + "/memory.max", std::to_string(500 * kMiB));
  Write(jobs + "/memory.current", std::to_string(450 * kMiB));
  EXPECT_EQ(FreeMemory(root_), 50 * kMiB);
  // The system can drop cached files.
  Write(jobs + "/memory.stat", "anon 7\ninactive_file " + std::to_string(30 * kMiB) + "\n");
  EXPECT_EQ(FreeMemory(root_), 80 * kMiB);
  // The group may use more than a limit that was set later.
  Write(jobs + "/one/memory.max", std::to_string(90 * kMiB));
  EXPECT_EQ(FreeMemory(root_), 0u);
}

TEST_F(FreeMemoryTest, OfTheFirstVersionOfControlGroups) {
  Write("/proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/docker/abc\n0::/\n");
  const std::string group = "/sys/fs/cgroup/memory/docker/abc";
  Write(group + "/memory.limit_in_bytes", std::to_string(300 * kMiB));
  Write(group + "/memory.usage_in_bytes", std::to_string(200 * kMiB));
  Write(group + "/memory.stat", "cache 9\ntotal_inactive_file " + std::to_string(40 * kMiB));
  EXPECT_EQ(FreeMemory(root_), 140 * kMiB);
}

// In a container, the group's path names folders outside, and the folder that is mounted is its
// own.
TEST_F(FreeMemoryTest, OfAContainer) {
  Write("/proc/self/cgroup", "4:memory:/docker/abc\n");
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(64 * kMiB));
  Write("/sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(4 * kMiB));
  EXPECT_EQ(FreeMemory(root_), 60 * kMiB);
}

TEST(FreeMemory, OfThisMachine) {
  const uint64_t free = FreeMemory();
  EXPECT_GT(free, kMiB);
  EXPECT_LT(free, uint64_t{1} << 50);
  EXPECT_EQ(ShareOfMemory({}, 4), 0u);
}

TEST(FreeMemory, Shares) {
  EXPECT_EQ(ShareOfMemory({.free_memory = 3200 * kMiB}, 4), 100 * kMiB);
  EXPECT_EQ(ShareOfMemory({.free_memory = 3200 * kMiB}, 1), 400 * kMiB);
  EXPECT_EQ(ShareOfMemory({.free_memory = 3200 * kMiB, .address_space = 320 * kMiB}, 4), 10 * kMiB);
  EXPECT_EQ(ShareOfMemory({.free_memory = 3200 * kMiB, .file_size = kMiB}, 4), kMiB);
  EXPECT_EQ(ShareOfMemory({.free_memory = ~uint64_t{0}}, 2), uint64_t{16} << 30);
}

}  // namespace
}  // namespace halyard::ranks
