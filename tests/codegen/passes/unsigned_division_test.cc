// Tests the division of 32-bit integers as Vulkan kernels do it. Halide runs it on this CPU.
#include "codegen/passes/unsigned_division.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace halyard::lowering {
namespace {

std::vector<int32_t> Dividends() {
  std::vector<int32_t> values;
  for (int32_t i = -1000; i <= 1000; ++i) values.push_back(i);
  for (int32_t i = 0; i < 300; ++i) {
    values.push_back(std::numeric_limits<int32_t>::min() + i);
    values.push_back(std::numeric_limits<int32_t>::max() - i);
  }
  return values;
}

int32_t Floor(int64_t a, int64_t b) {
  return static_cast<int32_t>(a >= 0 ? a / b : -((-a + b - 1) / b));
}

TEST(UnsignedDivision, IsTheFloorForEverySign) {
  std::vector<int32_t> dividends = Dividends();
  const int n = static_cast<int>(dividends.size());
  Halide::Buffer<int32_t> input(dividends.data(), n);
  Halide::Var x;
  for (int32_t divisor : {2, 3, 5, 7, 8, 33, 64, 255, 256, 1000, 65537, 2147483647}) {
    for (const bool vectors : {false, true}) {
      Halide::Func f;
      f(x) = Halide::Tuple(FloorDivide(input(x), divisor, false),
                           FloorRemainder(input(x), divisor, false),
                           FloorDivide(Halide::max(input(x), 0), divisor, true),
                           FloorRemainder(Halide::max(input(x), 0), divisor, true));
      if (vectors) f.vectorize(x, 4, Halide::TailStrategy::GuardWithIf);
      const Halide::Realization r = f.realize({n});
      const Halide::Buffer<int32_t> quotient = r[0], remainder = r[1], high = r[2], low = r[3];
      for (int i = 0; i < n; ++i) {
        const int64_t a = dividends[i], positive = a < 0 ? 0 : a;
        ASSERT_EQ(quotient(i), Floor(a, divisor)) << a << " / " << divisor;
        ASSERT_EQ(remainder(i), a - int64_t{Floor(a, divisor)} * divisor) << a << " % " << divisor;
        ASSERT_EQ(high(i), positive / divisor);
        ASSERT_EQ(low(i), positive % divisor);
      }
    }
  }
}

}  // namespace
}  // namespace halyard::lowering
