// Shape: the type of an HLO value: an array with a layout, a tuple of shapes, or a token.
#ifndef HALYARD_FRONTEND_HLO_SHAPE_H_
#define HALYARD_FRONTEND_HLO_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "frontend/hlo/element_type.h"

namespace halyard::hlo {

// How the stored integers of a quantized array stand for real numbers:
// real = (stored - zero_point) * scale, with one scale and zero point for all elements, or one for
// each index of `dimension`.
struct Quantization {
  ElementType expressed = ElementType::kF32;
  int64_t storage_min = 0, storage_max = 0;
  std::optional<int64_t> dimension;
  std::vector<double> scales;
  std::vector<int64_t> zero_points;  // as many as scales

  bool operator==(const Quantization&) const = default;
};

// Dimension sizes in logical order (row-major by default: last dimension fastest).
class Shape {
 public:
  enum class Kind : uint8_t { kArray, kTuple, kToken };

  // The size of a dimension that is known only when the program runs, and has no bound.
  static constexpr int64_t kUnbounded = -1;

  Shape() : kind_(Kind::kTuple) {}  // the empty tuple
  static Shape Array(ElementType type, std::vector<int64_t> dims);
  // `minor_to_major[0]` is the fastest varying dimension. Empty means row-major (the default
  // layout).
  static Shape ArrayWithLayout(ElementType type, std::vector<int64_t> dims,
                               std::vector<int64_t> minor_to_major);
  static Shape Scalar(ElementType type) { return Array(type, {}); }
  static Shape Tuple(std::vector<Shape> elements);
  static Shape Token();

  Kind kind() const { return kind_; }
  bool IsArray() const { return kind_ == Kind::kArray; }
  bool IsTuple() const { return kind_ == Kind::kTuple; }
  bool IsToken() const { return kind_ == Kind::kToken; }
  bool IsScalar() const { return IsArray() && dims_.empty(); }

  // Arrays only.
  ElementType element_type() const { return element_type_; }
  int64_t rank() const { return static_cast<int64_t>(dims_.size()); }
  const std::vector<int64_t>& dims() const { return dims_; }
  int64_t dim(int64_t i) const { return dims_[i]; }
  // Row-major is stored as the empty vector, whichever way it was given.
  const std::vector<int64_t>& minor_to_major() const { return minor_to_major_; }
  bool HasDefaultLayout() const { return minor_to_major_.empty(); }
  int64_t NumElements()
      const;  // 1 for a scalar. Callers have checked for overflow (see CheckedByteSize)
  int64_t ByteSize() const;  // dense, as stored; tuples: sum of leaves; tokens: 0
  // Row-major (or by layout) element strides, in elements.
  std::vector<int64_t> Strides() const;

  // A dynamic dimension's size is known when the program runs: dim(i) is its bound, or kUnbounded.
  // Programs with such shapes are verified as they are, and specialised before they are compiled.
  bool IsDynamicDim(int64_t i) const { return dims_[i] == kUnbounded || IsBoundedDim(i); }
  bool IsBoundedDim(int64_t i) const { return !bounded_.empty() && bounded_[i]; }
  bool IsDynamic() const;  // some dimension of it, or of a tuple's element, is dynamic
  // `bounded[i]`: dim(i) is a bound. Empty: none is.
  Shape WithBoundedDims(std::vector<bool> bounded) const;
  // As many entries as dimensions, or none if no dimension is bounded.
  const std::vector<bool>& bounded_dims() const { return bounded_; }

  // Null unless the array is quantized; element_type() is then the storage type.
  const Quantization* quantization() const { return quantization_.get(); }
  bool IsQuantized() const;  // or, for tuples, some element of it
  Shape WithQuantization(std::shared_ptr<const Quantization> quantization) const;
  const std::shared_ptr<const Quantization>& shared_quantization() const { return quantization_; }
  Shape Storage() const;  // the same of the stored integers, not quantized; of leaves too

  // Tuples only.
  const std::vector<Shape>& elements() const { return elements_; }

  Shape WithElementType(ElementType type) const;    // not quantized
  Shape WithDims(std::vector<int64_t> dims) const;  // default layout, none bounded
  Shape WithDefaultLayout() const;                  // of leaves too

  // `f32[2,3]{1,0}`; tuples `(f32[2], s32[])`; the layout is printed only when not row-major, or
  // when asked. Dynamic dimensions: `f32[?,<=3]`. Quantized: `s8<…>[2]`, see ToString below.
  std::string ToString(bool always_layout = false) const;

  // Everything except layouts; Equal compares layouts too.
  static bool SameIgnoringLayout(const Shape& a, const Shape& b);
  bool operator==(const Shape& other) const;

 private:
  Kind kind_;
  ElementType element_type_ = ElementType::kF32;
  std::vector<int64_t> dims_;
  std::vector<int64_t> minor_to_major_;
  std::vector<Shape> elements_;
  std::vector<bool> bounded_;
  std::shared_ptr<const Quantization> quantization_;
};

// `<-128:127:f32:1, {0.5:3,0.25}>`: storage range, expressed type, dimension if there is one,
// scales with the zero points that are not 0.
std::string ToString(const Quantization& quantization);

// Shapes of the arrays (and tokens) of `shape` in depth-first order: what "tuples flatten in order"
// means.
std::vector<Shape> FlattenShape(const Shape& shape);

// Number of elements × storage bytes, or -1 when that overflows int64 or a dimension is negative.
int64_t CheckedByteSize(ElementType type, absl::Span<const int64_t> dims);

// Of an array: CheckedByteSize, with 1 for each dimension that has no bound. Fits: is not negative.
bool ByteSizeFits(const Shape& shape);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_SHAPE_H_
