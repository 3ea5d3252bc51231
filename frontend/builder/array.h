// Arrays of host values for the builder's constants: Array2D<float> a({{1, 2}, {3, 4}}).
#ifndef HALYARD_FRONTEND_BUILDER_ARRAY_H_
#define HALYARD_FRONTEND_BUILDER_ARRAY_H_

#include <array>
#include <cstdint>
#include <initializer_list>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace halyard {

// Braced lists, nested kRank deep.
template <typename T, int kRank>
struct NestedList {
  using Type = std::initializer_list<typename NestedList<T, kRank - 1>::Type>;
};
template <typename T>
struct NestedList<T, 0> {
  using Type = T;
};

// A dense, row-major array: the last index is the fastest.
template <typename T, int kRank>
class Array {
 public:
  using Sizes = std::array<int64_t, kRank>;
  explicit Array(const Sizes& sizes, T value = T()) : sizes_(sizes) {
    int64_t count = 1;
    for (int64_t size : sizes) count *= size;
    values_.assign(count, value);
  }
  explicit Array(typename NestedList<T, kRank>::Type values) {
    sizes_.fill(0);
    Measure<kRank>(values);
    Append<kRank>(values);
  }

  // False if the lists from which it was made differ in length. It then holds no values.
  bool rectangular() const { return rectangular_; }
  const Sizes& sizes() const { return sizes_; }
  int64_t dim(int d) const { return sizes_[d]; }
  int64_t num_elements() const { return static_cast<int64_t>(values_.size()); }
  absl::Span<const T> values() const { return values_; }
  absl::Span<T> values() { return absl::MakeSpan(values_); }
  void Fill(T value) { values_.assign(values_.size(), value); }

  template <typename... Index>
  T& operator()(Index... index) {
    return values_[Position(index...)];
  }
  template <typename... Index>
  const T& operator()(Index... index) const {
    return values_[Position(index...)];
  }

 private:
  template <typename... Index>
  int64_t Position(Index... index) const {
    static_assert(sizeof...(Index) == kRank);
    int64_t position = 0;
    int d = 0;
    ((position = position * sizes_[d++] + static_cast<int64_t>(index)), ...);
    return position;
  }
  // Returns the sizes of the first list on each level.
  template <int kDepth, typename List>
  void Measure(const List& list) {
    if constexpr (kDepth > 0) {
      sizes_[kRank - kDepth] = static_cast<int64_t>(list.size());
      if (list.size() > 0) Measure<kDepth - 1>(*list.begin());
    }
  }
  template <int kDepth, typename List>
  void Append(const List& list) {
    if constexpr (kDepth == 0) {
      if (rectangular_) values_.push_back(list);
    } else {
      if (static_cast<int64_t>(list.size()) != sizes_[kRank - kDepth]) {
        rectangular_ = false;
        values_.clear();
      }
      for (const auto& element : list) Append<kDepth - 1>(element);
    }
  }

  Sizes sizes_;
  bool rectangular_ = true;
  absl::InlinedVector<T, 1> values_;  // not std::vector, whose elements of bool are not bools
};

template <typename T>
class Array2D : public Array<T, 2> {
 public:
  using Array<T, 2>::Array;
  Array2D(int64_t n1, int64_t n2, T value = T())
      : Array<T, 2>(std::array<int64_t, 2>{n1, n2}, value) {}
  int64_t n1() const { return this->dim(0); }
  int64_t n2() const { return this->dim(1); }
  int64_t height() const { return n1(); }
  int64_t width() const { return n2(); }
};

template <typename T>
class Array3D : public Array<T, 3> {
 public:
  using Array<T, 3>::Array;
  Array3D(int64_t n1, int64_t n2, int64_t n3, T value = T())
      : Array<T, 3>(std::array<int64_t, 3>{n1, n2, n3}, value) {}
  int64_t n1() const { return this->dim(0); }
  int64_t n2() const { return this->dim(1); }
  int64_t n3() const { return this->dim(2); }
};

template <typename T>
class Array4D : public Array<T, 4> {
 public:
  using Array<T, 4>::Array;
  Array4D(int64_t planes, int64_t depth, int64_t height, int64_t width, T value = T())
      : Array<T, 4>(std::array<int64_t, 4>{planes, depth, height, width}, value) {}
  int64_t planes() const { return this->dim(0); }
  int64_t depth() const { return this->dim(1); }
  int64_t height() const { return this->dim(2); }
  int64_t width() const { return this->dim(3); }
};

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_ARRAY_H_
