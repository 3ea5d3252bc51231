// Shape: the type of an HLO value: an array with a layout, a tuple of shapes, or a token.
#ifndef HALYARD_FRONTEND_HLO_SHAPE_H_
#define HALYARD_FRONTEND_HLO_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "frontend/hlo/element_type.h"

namespace halyard::hlo {

// Dimension sizes in logical order (row-major by default: last dimension fastest).
class Shape {
 public:
  enum class Kind : uint8_t { kArray, kTuple, kToken };

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

  // Tuples only.
  const std::vector<Shape>& elements() const { return elements_; }

  Shape WithElementType(ElementType type) const;
  Shape WithDims(std::vector<int64_t> dims) const;  // default layout
  Shape WithDefaultLayout() const;                  // of leaves too

  // `f32[2,3]{1,0}`; tuples `(f32[2], s32[])`; the layout is printed only when not row-major, or
  // when asked.
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
};

// Shapes of the arrays (and tokens) of `shape` in depth-first order: what "tuples flatten in order"
// means.
std::vector<Shape> FlattenShape(const Shape& shape);

// Number of elements × storage bytes, or -1 when that overflows int64 or a dimension is negative.
int64_t CheckedByteSize(ElementType type, absl::Span<const int64_t> dims);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_SHAPE_H_
