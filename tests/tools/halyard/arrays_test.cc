// Arguments made from a seed (--random-inputs) are the same for any number of threads.
#include "tools/halyard/arrays.h"

#include <gtest/gtest.h>

namespace halyard::tools {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

// SplitMix64, one number after the other.
uint64_t Next(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

TEST(RandomArrays, AreOneSequenceOverAllParts) {
  constexpr int64_t kElements = (int64_t{1} << 20) + 12345;
  const Shape shapes[] = {Shape::Array(ElementType::kF32, {kElements}),
                          Shape::Array(ElementType::kC128, {kElements}),
                          Shape::Array(ElementType::kS4, {kElements})};
  const auto values = ReadArguments({.file = "", .seed = 7}, "program", shapes);
  ASSERT_TRUE(values.ok()) << values.status();
  for (uint64_t i = 0; i < 3; ++i) {
    uint64_t state = 7 + i;
    state = Next(&state);
    const auto unit = [&] { return static_cast<double>(Next(&state) >> 11) * 0x1p-52 - 1.0; };
    const Literal& got = (*values)[i];
    for (int64_t k = 0; k < kElements; ++k) {
      if (i == 0) {
        ASSERT_EQ(got.GetFloat(k), static_cast<float>(unit())) << k;
      } else if (i == 1) {
        const double real = unit();
        ASSERT_EQ(got.GetComplex(k), (std::complex<double>(real, unit()))) << k;
      } else {
        ASSERT_EQ(got.GetInt(k), static_cast<int64_t>(Next(&state) >> 61)) << k;
      }
    }
  }
}

}  // namespace
}  // namespace halyard::tools
