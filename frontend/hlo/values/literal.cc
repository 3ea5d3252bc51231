#include "frontend/hlo/values/literal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace halyard::hlo {

Literal::Literal(const Shape& array_shape)
    : shape_(array_shape.Storage()),
      storage_(std::make_shared<std::vector<std::byte>>(array_shape.ByteSize())),
      data_(storage_->data()) {
  assert(array_shape.IsArray());
}

Literal Literal::FromBytes(const Shape& array_shape, std::vector<std::byte> bytes) {
  assert(static_cast<int64_t>(bytes.size()) == array_shape.ByteSize());
  Literal literal;
  literal.shape_ = array_shape.Storage();
  literal.storage_ = std::make_shared<std::vector<std::byte>>(std::move(bytes));
  literal.data_ = literal.storage_->data();
  return literal;
}

Literal Literal::Borrow(const Shape& array_shape, const std::byte* data,
                        std::shared_ptr<const void> owner) {
  Literal literal;
  literal.shape_ = array_shape.Storage();
  literal.owner_ = std::move(owner);
  literal.data_ = data;
  return literal;
}

Literal Literal::Tuple(std::vector<Literal> elements) {
  Literal literal;
  std::vector<Shape> shapes;
  shapes.reserve(elements.size());
  for (const Literal& element : elements) shapes.push_back(element.shape());
  literal.shape_ = Shape::Tuple(std::move(shapes));
  literal.elements_ = std::move(elements);
  return literal;
}

Literal Literal::Token() {
  Literal literal;
  literal.shape_ = Shape::Token();
  return literal;
}

Literal Literal::Splat(const Shape& array_shape, const Literal& value) {
  Literal literal(array_shape);
  size_t width = StorageBytes(array_shape.element_type());
  assert(value.bytes().size() >= width);
  absl::Span<std::byte> out = literal.mutable_bytes();
  for (size_t at = 0; at < out.size(); at += width) {
    std::memcpy(out.data() + at, value.data_, width);
  }
  return literal;
}

template <typename T>
Literal Literal::FromValues(ElementType type, std::vector<int64_t> dims,
                            absl::Span<const T> values) {
  Literal literal(Shape::Array(type, std::move(dims)));
  int64_t count = literal.shape_.NumElements();
  assert(static_cast<int64_t>(values.size()) == count);
  for (int64_t i = 0; i < count; ++i) {
    if (IsComplex(type)) {
      literal.SetComplex(i, static_cast<double>(values[i]));
    } else if (IsFloat(type)) {
      literal.SetFloat(i, static_cast<double>(values[i]));
    } else {
      literal.SetInt(i, static_cast<int64_t>(values[i]));
    }
  }
  return literal;
}
template Literal Literal::FromValues<double>(ElementType, std::vector<int64_t>,
                                             absl::Span<const double>);
template Literal Literal::FromValues<int64_t>(ElementType, std::vector<int64_t>,
                                              absl::Span<const int64_t>);

absl::Span<const std::byte> Literal::bytes() const {
  if (!shape_.IsArray()) return {};
  return {data_, static_cast<size_t>(shape_.ByteSize())};
}

absl::Span<std::byte> Literal::mutable_bytes() {
  if (!shape_.IsArray()) return {};
  if (storage_ == nullptr || storage_.use_count() > 1) {
    absl::Span<const std::byte> old = bytes();
    storage_ = std::make_shared<std::vector<std::byte>>(old.begin(), old.end());
    owner_.reset();
    data_ = storage_->data();
  }
  return absl::MakeSpan(*storage_);
}

uint64_t Literal::GetBits(int64_t index) const {
  size_t width = StorageBytes(shape_.element_type());
  assert(width <= 8);
  uint64_t bits = 0;
  std::memcpy(&bits, data_ + index * width, width);
  int value_bits = BitWidth(shape_.element_type());
  return value_bits < 64 ? bits & ((uint64_t{1} << value_bits) - 1) : bits;
}

uint64_t Literal::GetUint(int64_t index) const { return static_cast<uint64_t>(GetInt(index)); }

int64_t Literal::GetInt(int64_t index) const {
  uint64_t bits = GetBits(index);
  int width = BitWidth(shape_.element_type());
  if (IsSigned(shape_.element_type()) && width < 64) {
    return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
  }
  return static_cast<int64_t>(bits);
}

double Literal::GetFloat(int64_t index) const {
  return DecodeFloat(shape_.element_type(), GetBits(index));
}

std::complex<double> Literal::GetComplex(int64_t index) const {
  if (shape_.element_type() == ElementType::kC64) {
    float parts[2];
    std::memcpy(parts, data_ + index * 8, 8);
    return {parts[0], parts[1]};
  }
  double parts[2];
  std::memcpy(parts, data_ + index * 16, 16);
  return {parts[0], parts[1]};
}

double Literal::GetAsDouble(int64_t index) const {
  switch (ClassOf(shape_.element_type())) {
    case ElementClass::kBool:
    case ElementClass::kSigned:
      return static_cast<double>(GetInt(index));
    case ElementClass::kUnsigned:
      return static_cast<double>(GetUint(index));
    case ElementClass::kFloat:
      return GetFloat(index);
    case ElementClass::kComplex:
      return GetComplex(index).real();
  }
  return 0;
}

void Literal::SetBits(int64_t index, uint64_t bits) {
  ElementType type = shape_.element_type();
  size_t width = StorageBytes(type);
  int value_bits = BitWidth(type);
  if (IsSigned(type) && value_bits < 8) {  // stored sign-extended
    bits =
        static_cast<uint64_t>(static_cast<int64_t>(bits << (64 - value_bits)) >> (64 - value_bits));
  } else if (value_bits < 64) {
    bits &= (uint64_t{1} << value_bits) - 1;
  }
  std::memcpy(mutable_bytes().data() + index * width, &bits, width);
}

void Literal::SetInt(int64_t index, int64_t value) {
  if (shape_.element_type() == ElementType::kPred) value = value != 0;
  SetBits(index, static_cast<uint64_t>(value));
}

void Literal::SetFloat(int64_t index, double value) {
  SetBits(index, EncodeFloat(shape_.element_type(), value));
}

void Literal::SetComplex(int64_t index, std::complex<double> value) {
  if (shape_.element_type() == ElementType::kC64) {
    float parts[2] = {static_cast<float>(value.real()), static_cast<float>(value.imag())};
    std::memcpy(mutable_bytes().data() + index * 8, parts, 8);
  } else {
    double parts[2] = {value.real(), value.imag()};
    std::memcpy(mutable_bytes().data() + index * 16, parts, 16);
  }
}

void Literal::CopyElement(int64_t index, const Literal& from, int64_t from_index) {
  size_t width = StorageBytes(shape_.element_type());
  assert(shape_.element_type() == from.shape_.element_type());
  std::byte* out = mutable_bytes().data();
  std::memcpy(out + index * width, from.data_ + from_index * width, width);
}

bool Literal::BitwiseEqual(const Literal& other) const {
  if (!Shape::SameIgnoringLayout(shape_, other.shape_)) return false;
  if (shape_.IsTuple()) {
    for (size_t i = 0; i < elements_.size(); ++i) {
      if (!elements_[i].BitwiseEqual(other.elements_[i])) return false;
    }
    return true;
  }
  absl::Span<const std::byte> a = bytes(), b = other.bytes();
  return a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0;
}

bool Literal::IsSplat() const {
  if (!shape_.IsArray() || shape_.NumElements() == 0) return false;
  size_t width = StorageBytes(shape_.element_type());
  absl::Span<const std::byte> all = bytes();
  return std::memcmp(all.data(), all.data() + width, all.size() - width) == 0;
}

namespace {

// |a - b| with equal infinities, and NaNs, at distance 0.
double Distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  double distance = std::fabs(a - b);
  return std::isnan(distance) ? HUGE_VAL : distance;
}

void CompareElement(const Literal& got, const Literal& want, int64_t leaf, int64_t i, double rtol,
                    double atol, Difference* d) {
  ElementType type = got.shape().element_type();
  double distance = 0, size = 0;
  if (IsComplex(type)) {
    std::complex<double> g = got.GetComplex(i), w = want.GetComplex(i);
    distance = std::hypot(Distance(g.real(), w.real()), Distance(g.imag(), w.imag()));
    size = std::abs(w);
  } else if (IsInteger(type)) {
    // 64-bit values differ exactly, beyond what a double holds.
    auto wide = [&](const Literal& l) {
      return IsSigned(type) ? static_cast<__int128>(l.GetInt(i))
                            : static_cast<__int128>(l.GetUint(i));
    };
    __int128 difference = wide(got) - wide(want);
    distance = static_cast<double>(difference < 0 ? -difference : difference);
    size = std::fabs(want.GetAsDouble(i));
  } else {
    distance = Distance(got.GetAsDouble(i), want.GetAsDouble(i));
    size = std::fabs(want.GetAsDouble(i));
  }
  if (std::isfinite(size)) d->max_want = std::max(d->max_want, size);
  bool within = distance == 0 || distance <= atol + (std::isfinite(size) ? rtol * size : 0);
  if (!within) ++d->count;
  // The worst is the largest difference outside the tolerance, if any is outside.
  if ((d->within && !within) || (within == d->within && distance > d->max_abs)) {
    d->leaf = leaf;
    d->index = i;
    d->got = got.GetAsDouble(i);
    d->want = want.GetAsDouble(i);
  }
  d->max_abs = std::max(d->max_abs, distance);
  d->within = d->within && within;
}

void CompareLeaves(const Literal& got, const Literal& want, double rtol, double atol, int64_t* leaf,
                   Difference* d) {
  if (got.shape().IsTuple()) {
    for (size_t i = 0; i < got.elements().size(); ++i) {
      CompareLeaves(got.elements()[i], want.elements()[i], rtol, atol, leaf, d);
    }
    return;
  }
  int64_t count = got.shape().IsArray() ? got.shape().NumElements() : 0;
  for (int64_t i = 0; i < count; ++i) CompareElement(got, want, *leaf, i, rtol, atol, d);
  ++*leaf;
}

}  // namespace

absl::StatusOr<Difference> Compare(const Literal& got, const Literal& want, double rtol,
                                   double atol) {
  if (!Shape::SameIgnoringLayout(got.shape(), want.shape())) {
    return absl::InvalidArgumentError(absl::StrCat("shapes differ: got ", got.shape().ToString(),
                                                   ", want ", want.shape().ToString()));
  }
  Difference difference;
  int64_t leaf = 0;
  CompareLeaves(got, want, rtol, atol, &leaf, &difference);
  return difference;
}

}  // namespace halyard::hlo
