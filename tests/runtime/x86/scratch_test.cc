#include "runtime/x86/scratch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace halyard::runtime::x86 {
namespace {

TEST(ScratchRegion, PiecesAreAlignedAndApart) {
  ScratchRegion scratch;
  ASSERT_TRUE(scratch.Reserve(10000).ok());
  std::vector<uint8_t*> pieces;
  for (int i = 0; i < 10; ++i) {
    pieces.push_back(static_cast<uint8_t*>(scratch.Allocate(1000)));
    ASSERT_NE(pieces.back(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pieces.back()) % 128, 0u);
    memset(pieces.back(), i, 1000);
  }
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(pieces[i][k], i);
  }
  EXPECT_EQ(scratch.heap_allocations(), 0u);
  for (uint8_t* piece : pieces) scratch.Free(piece);  // not in reverse order
  EXPECT_EQ(scratch.Allocate(1000), pieces[0]) << "all were given back";
  scratch.Free(pieces[0]);
  scratch.Free(nullptr);
}

TEST(ScratchRegion, GrowsToWhatWasNeeded) {
  ScratchRegion scratch;
  auto use = [&] {
    void* a = scratch.Allocate(5000);
    void* b = scratch.Allocate(70000);
    memset(a, 1, 5000);
    memset(b, 2, 70000);
    scratch.Free(a);
    scratch.Free(b);
    scratch.GrowToPeak();
  };
  use();
  EXPECT_EQ(scratch.heap_allocations(), 2u);
  for (int i = 0; i < 100; ++i) use();
  EXPECT_EQ(scratch.heap_allocations(), 2u);
}

TEST(ScratchRegion, RefusesTheImpossible) {
  ScratchRegion scratch;
  EXPECT_EQ(scratch.Allocate(~uint64_t{0}), nullptr);
  EXPECT_EQ(scratch.Allocate(uint64_t{1} << 45), nullptr);
}

}  // namespace
}  // namespace halyard::runtime::x86
