// Random programs of one variable size, written out for each size.
#ifndef HALYARD_TESTS_LOWERING_PLAN_SIZES_SIZED_PROGRAMS_H_
#define HALYARD_TESTS_LOWERING_PLAN_SIZES_SIZED_PROGRAMS_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace halyard::testing {

// Makes HLO text for each size in [low, high] in parallel. All have the same ops.
class SizedProgramMaker {
 public:
  SizedProgramMaker(int64_t low, int64_t high, uint32_t seed);

  // Adds so many ops, and returns the texts, the one for the largest size last.
  std::vector<std::string> Make(int ops);

 private:
  using Sizes = std::vector<int64_t>;  // of a dimension, for each program
  struct Value {
    std::string name, type;
    std::vector<Sizes> dims;
  };
  size_t Pick(size_t count) { return random_() % count; }
  bool Chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  Sizes Fixed(int64_t size) const { return Sizes(count_, size); }
  bool IsFixed(const Sizes& sizes) const;
  const Value& Any(const std::string& type = "");
  // A value of this type with at least one dimension; adds one if need be.
  Value Array(const std::string& type);
  std::string TypeText(const Value& value, size_t program) const;
  // Adds `NAME = TYPE[dims] OP`, where `text` returns the op for each program.
  template <typename Text>
  Value Add(std::string type, std::vector<Sizes> dims, Text text);
  Value Scalar(const std::string& type, const std::string& text);
  Value Broadcast(const Value& value, std::vector<Sizes> dims, const std::vector<size_t>& places);
  // Adds each element's index along a dimension to it.
  Value Numbered(const Value& value, size_t dim);
  // Returns the s32s as numbers of some integer type, which no other op than the next one uses.
  // Negative ones may become large.
  Value AsIndex(const Value& value);
  // Returns the name of a scalar, of u64 if `wide`, where a negative one becomes large.
  std::string Start(bool wide, int64_t start);
  std::vector<Sizes> ScatterWindows(const std::vector<Sizes>& dims,
                                    const std::vector<size_t>& indexed);

  void Elementwise();
  void BroadcastSome();
  void Transpose();
  void Reshape();
  void Slice();
  void Concatenate();
  void Pad();
  void Reverse();
  void Reduce();
  void ReduceTwo();
  void Window();
  void Cumulate();
  void Dot();
  void Convolve();
  void ConvolveGroups(const Value& a);
  void Sort();
  void Gather();
  void DynamicSlice();
  void Update();
  void Scatter();
  void FromSize();
  void Loop();

  size_t count_;
  int64_t low_;
  std::mt19937 random_;
  std::vector<Value> values_;
  std::vector<std::string> bodies_, loops_;  // of the entry and of its loops, for each program
  int next_ = 0;
};

template <typename Text>
SizedProgramMaker::Value SizedProgramMaker::Add(std::string type, std::vector<Sizes> dims,
                                                Text text) {
  Value value{absl::StrCat("v", next_++), std::move(type), std::move(dims)};
  for (size_t p = 0; p < count_; ++p)
    absl::StrAppend(&bodies_[p], "  ", value.name, " = ", TypeText(value, p), " ", text(p), "\n");
  values_.push_back(value);
  return value;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_LOWERING_PLAN_SIZES_SIZED_PROGRAMS_H_
