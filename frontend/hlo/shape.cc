#include "frontend/hlo/shape.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard::hlo {

Shape Shape::Array(ElementType type, std::vector<int64_t> dims) {
  Shape shape;
  shape.kind_ = Kind::kArray;
  shape.element_type_ = type;
  shape.dims_ = std::move(dims);
  return shape;
}

Shape Shape::ArrayWithLayout(ElementType type, std::vector<int64_t> dims,
                             std::vector<int64_t> minor_to_major) {
  Shape shape = Array(type, std::move(dims));
  bool row_major = true;
  int64_t rank = static_cast<int64_t>(minor_to_major.size());
  for (int64_t i = 0; i < rank; ++i) row_major = row_major && minor_to_major[i] == rank - 1 - i;
  if (!row_major) shape.minor_to_major_ = std::move(minor_to_major);
  return shape;
}

Shape Shape::Tuple(std::vector<Shape> elements) {
  Shape shape;
  shape.elements_ = std::move(elements);
  return shape;
}

Shape Shape::Token() {
  Shape shape;
  shape.kind_ = Kind::kToken;
  return shape;
}

int64_t Shape::NumElements() const {
  int64_t count = 1;
  for (int64_t d : dims_) count *= d;
  return count;
}

int64_t Shape::ByteSize() const {
  if (IsToken()) return 0;
  if (IsArray()) return NumElements() * StorageBytes(element_type_);
  int64_t size = 0;
  for (const Shape& element : elements_) size += element.ByteSize();
  return size;
}

std::vector<int64_t> Shape::Strides() const {
  std::vector<int64_t> strides(dims_.size());
  int64_t stride = 1;
  for (int64_t i = 0; i < rank(); ++i) {
    int64_t d = HasDefaultLayout() ? rank() - 1 - i : minor_to_major_[i];
    strides[d] = stride;
    stride *= dims_[d];
  }
  return strides;
}

Shape Shape::WithElementType(ElementType type) const {
  Shape shape = *this;
  shape.element_type_ = type;
  return shape;
}

Shape Shape::WithDims(std::vector<int64_t> dims) const {
  return Array(element_type_, std::move(dims));
}

Shape Shape::WithDefaultLayout() const {
  Shape shape = *this;
  shape.minor_to_major_.clear();
  for (Shape& element : shape.elements_) element = element.WithDefaultLayout();
  return shape;
}

std::string Shape::ToString(bool always_layout) const {
  if (IsToken()) return "token[]";
  if (IsTuple()) {
    auto print = [&](std::string* out, const Shape& s) {
      absl::StrAppend(out, s.ToString(always_layout));
    };
    return absl::StrCat("(", absl::StrJoin(elements_, ", ", print), ")");
  }
  std::string text = absl::StrCat(HloName(element_type_), "[", absl::StrJoin(dims_, ","), "]");
  if (!HasDefaultLayout()) {
    absl::StrAppend(&text, "{", absl::StrJoin(minor_to_major_, ","), "}");
  } else if (always_layout) {
    std::vector<int64_t> order;
    for (int64_t i = rank() - 1; i >= 0; --i) order.push_back(i);
    absl::StrAppend(&text, "{", absl::StrJoin(order, ","), "}");
  }
  return text;
}

bool Shape::SameIgnoringLayout(const Shape& a, const Shape& b) {
  if (a.kind_ != b.kind_ || a.elements_.size() != b.elements_.size()) return false;
  if (a.IsArray()) return a.element_type_ == b.element_type_ && a.dims_ == b.dims_;
  for (size_t i = 0; i < a.elements_.size(); ++i) {
    if (!SameIgnoringLayout(a.elements_[i], b.elements_[i])) return false;
  }
  return true;
}

bool Shape::operator==(const Shape& other) const {
  return SameIgnoringLayout(*this, other) && minor_to_major_ == other.minor_to_major_ &&
         elements_ == other.elements_;
}

std::vector<Shape> FlattenShape(const Shape& shape) {
  if (!shape.IsTuple()) return {shape};
  std::vector<Shape> leaves;
  for (const Shape& element : shape.elements()) {
    for (Shape& leaf : FlattenShape(element)) leaves.push_back(std::move(leaf));
  }
  return leaves;
}

int64_t CheckedByteSize(ElementType type, absl::Span<const int64_t> dims) {
  int64_t size = StorageBytes(type);
  bool overflow = false;
  for (int64_t d : dims) {
    if (d < 0) return -1;
    // A later zero does not make an overflow harmless: strides are products too.
    overflow = __builtin_mul_overflow(size, d == 0 ? 1 : d, &size) || overflow;
  }
  if (overflow) return -1;
  for (int64_t d : dims) {
    if (d == 0) return 0;
  }
  return size;
}

}  // namespace halyard::hlo
