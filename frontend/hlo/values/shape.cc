#include "frontend/hlo/values/shape.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
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

bool Shape::IsDynamic() const {
  if (IsArray()) {
    for (int64_t i = 0; i < rank(); ++i) {
      if (IsDynamicDim(i)) return true;
    }
  }
  return std::any_of(elements_.begin(), elements_.end(),
                     [](const Shape& element) { return element.IsDynamic(); });
}

Shape Shape::WithBoundedDims(std::vector<bool> bounded) const {
  Shape shape = *this;
  bool any = std::find(bounded.begin(), bounded.end(), true) != bounded.end();
  shape.bounded_ = any ? std::move(bounded) : std::vector<bool>();
  return shape;
}

bool Shape::IsQuantized() const {
  return quantization_ != nullptr ||
         std::any_of(elements_.begin(), elements_.end(),
                     [](const Shape& element) { return element.IsQuantized(); });
}

Shape Shape::WithQuantization(std::shared_ptr<const Quantization> quantization) const {
  Shape shape = *this;
  shape.quantization_ = std::move(quantization);
  return shape;
}

Shape Shape::Storage() const {
  if (!IsQuantized()) return *this;
  Shape shape = *this;
  shape.quantization_ = nullptr;
  for (Shape& element : shape.elements_) element = element.Storage();
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
  shape.quantization_ = nullptr;
  return shape;
}

Shape Shape::WithDims(std::vector<int64_t> dims) const {
  return Array(element_type_, std::move(dims)).WithQuantization(quantization_);
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
  std::string text(HloName(element_type_));
  if (quantization_ != nullptr) absl::StrAppend(&text, hlo::ToString(*quantization_));
  text += "[";
  for (int64_t i = 0; i < rank(); ++i) {
    if (i > 0) text += ",";
    if (IsBoundedDim(i)) text += "<=";
    absl::StrAppend(&text, dims_[i] == kUnbounded ? "?" : absl::StrCat(dims_[i]));
  }
  text += "]";
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
  if (a.IsArray()) {
    return a.element_type_ == b.element_type_ && a.dims_ == b.dims_ && a.bounded_ == b.bounded_ &&
           (a.quantization_ == b.quantization_ ||
            (a.quantization_ != nullptr && b.quantization_ != nullptr &&
             *a.quantization_ == *b.quantization_));
  }
  for (size_t i = 0; i < a.elements_.size(); ++i) {
    if (!SameIgnoringLayout(a.elements_[i], b.elements_[i])) return false;
  }
  return true;
}

bool Shape::operator==(const Shape& other) const {
  return SameIgnoringLayout(*this, other) && minor_to_major_ == other.minor_to_major_ &&
         elements_ == other.elements_;
}

std::string ToString(const Quantization& quantization) {
  std::string text = absl::StrCat("<", quantization.storage_min, ":", quantization.storage_max, ":",
                                  HloName(quantization.expressed));
  if (quantization.dimension) absl::StrAppend(&text, ":", *quantization.dimension);
  text += ", {";
  for (size_t i = 0; i < quantization.scales.size(); ++i) {
    absl::StrAppendFormat(&text, "%s%.17g", i > 0 ? "," : "", quantization.scales[i]);
    if (quantization.zero_points[i] != 0) absl::StrAppend(&text, ":", quantization.zero_points[i]);
  }
  return text + "}>";
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
    // A later zero does not make an overflow harmless, because strides are products, too.
    overflow = __builtin_mul_overflow(size, d == 0 ? 1 : d, &size) || overflow;
  }
  if (overflow) return -1;
  for (int64_t d : dims) {
    if (d == 0) return 0;
  }
  return size;
}

bool ByteSizeFits(const Shape& shape) {
  std::vector<int64_t> dims = shape.dims();
  for (int64_t& dim : dims) {
    if (dim == Shape::kUnbounded) dim = 1;
  }
  return CheckedByteSize(shape.element_type(), dims) >= 0;
}

}  // namespace halyard::hlo
