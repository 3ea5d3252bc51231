// A Shape is the type of an HLO value: an array with a layout, a tuple of shapes, or a token.
#ifndef HALYARD_FRONTEND_HLO_VALUES_SHAPE_H_
#define HALYARD_FRONTEND_HLO_VALUES_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/types/span.h"
#include "frontend/hlo/values/element_type.h"

namespace halyard::hlo {

// How the stored integers of a quantized array stand for real numbers: real = (stored - zero_point)
// * scale. There is one scale and zero point for all elements, or one for each index of
// `dimension`.
struct Quantization {
  ElementType expressed = ElementType::kF32;
  int64_t storage_min = 0, storage_max = 0;
  std::optional<int64_t> dimension;
  std::vector<double> scales;
  std::vector<int64_t> zero_points;  // as many as scales

  bool operator==(const Quantization& o) const {
    return std::tie(expressed, storage_min, storage_max, dimension, scales, zero_points) ==
           std::tie(o.expressed, o.storage_min, o.storage_max, o.dimension, o.scales,
                    o.zero_points);
  }
};

// Dimension sizes are in logical order (row-major by default: the last dimension is the fastest).
class Shape {
 public:
  enum class Kind : uint8_t { kArray, kTuple, kToken };

  // The size of a dimension that is known only when the program runs, and that has no bound.
  static constexpr int64_t kUnbounded = -1;

  Shape() : kind_(Kind::kTuple) {}  // the empty tuple
  static Shape Array(ElementType type, std::vector<int64_t> dims);
  // `minor_to_major[0]` is the fastest varying dimension. Empty means row-major, which is the
  // default layout.
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

  // For arrays only.
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
  // Strides in elements, row-major or by the layout.
  std::vector<int64_t> Strides() const;

  // The size of a dynamic dimension is known when the program runs: dim(i) is its bound, or
  // kUnbounded. Programs with such shapes are verified as they are, and specialized before they are
  // compiled.
  bool IsDynamicDim(int64_t i) const { return dims_[i] == kUnbounded || IsBoundedDim(i); }
  bool IsBoundedDim(int64_t i) const { return !bounded_.empty() && bounded_[i]; }
  bool IsDynamic() const;  // whether some dimension of it, or of a tuple's element, is dynamic
  // `bounded[i]` says that dim(i) is a bound. If empty, no dimension is bounded.
  Shape WithBoundedDims(std::vector<bool> bounded) const;
  // Has as many entries as dimensions, or none if no dimension is bounded.
  const std::vector<bool>& bounded_dims() const { return bounded_; }

  // Null unless the array is quantized; element_type() is then the storage type.
  const Quantization* quantization() const { return quantization_.get(); }
  bool IsQuantized() const;  // for tuples: whether some element is quantized
  Shape WithQuantization(std::shared_ptr<const Quantization> quantization) const;
  const std::shared_ptr<const Quantization>& shared_quantization() const { return quantization_; }
  Shape Storage() const;  // the shape of the stored integers, not quantized; also of leaves

  // For tuples only.
  const std::vector<Shape>& elements() const { return elements_; }

  Shape WithElementType(ElementType type) const;    // not quantized
  Shape WithDims(std::vector<int64_t> dims) const;  // with the default layout and no bounds
  Shape WithDefaultLayout() const;                  // also of leaves

  // Returns `f32[2,3]{1,0}`, or `(f32[2], s32[])` for tuples. The layout is printed only if it is
  // not row-major, or if asked. Dynamic dimensions: `f32[?,<=3]`. Quantized: `s8<…>[2]`, see
  // ToString below.
  std::string ToString(bool always_layout = false) const;

  // Compares everything except layouts. Equal compares layouts, too.
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

// Returns `<-128:127:f32:1, {0.5:3,0.25}>`: the storage range, the expressed type, the dimension if
// there is one, and the scales with those zero points that are not 0.
std::string ToString(const Quantization& quantization);

// Returns the shapes of the arrays (and tokens) of `shape` in depth-first order, in which tuples
// are flattened.
std::vector<Shape> FlattenShape(const Shape& shape);

// Returns the number of elements × storage bytes, or -1 if that overflows int64 or a dimension is
// negative.
int64_t CheckedByteSize(ElementType type, absl::Span<const int64_t> dims);

// For an array: CheckedByteSize, with 1 for each dimension without a bound. It fits if it is not
// negative.
bool ByteSizeFits(const Shape& shape);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_SHAPE_H_
