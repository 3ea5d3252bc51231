#include "runtime/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace halyard::runtime {
namespace {

// Every byte, and none beside: small ones, and large ones from and to any place in a line.
TEST(CopyArray, CopiesItsBytesAlone) {
  constexpr uint64_t kAround = 64;
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{100}, kLargeCopy - 1, kLargeCopy,
                               kLargeCopy + 1, kLargeCopy + 63, kLargeCopy + 1000}) {
    std::vector<uint8_t> source(bytes + 2 * kAround);
    for (uint64_t i = 0; i < source.size(); ++i) source[i] = static_cast<uint8_t>(1 + i * i % 251);
    for (const auto& [to, from] : {std::pair{0, 0}, {1, 0}, {0, 1}, {17, 63}, {63, 17}, {16, 32}}) {
      std::vector<uint8_t> target(bytes + 2 * kAround, 0), want = target;
      std::copy_n(source.begin() + from, bytes, want.begin() + to);
      CopyArray(target.data() + to, source.data() + from, bytes);
      EXPECT_TRUE(target == want) << bytes << " bytes from " << from << " to " << to;
    }
  }
}

}  // namespace
}  // namespace halyard::runtime
