#include "frontend/hlo/values/decoded.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace halyard::hlo {
namespace {

// Calls visit(storage integer of the array's element width).
template <typename Visit>
void WithStorage(ElementType type, Visit visit) {
  switch (StorageBytes(type)) {
    case 1:
      return visit(uint8_t{});
    case 2:
      return visit(uint16_t{});
    case 4:
      return visit(uint32_t{});
    default:
      return visit(uint64_t{});
  }
}

template <typename Storage>
Storage Load(const std::byte* data, int64_t i) {
  Storage value;
  std::memcpy(&value, data + i * sizeof(Storage), sizeof(Storage));
  return value;
}

template <typename Storage>
void Store(std::byte* data, int64_t i, Storage value) {
  std::memcpy(data + i * sizeof(Storage), &value, sizeof(Storage));
}

uint64_t LowBits(int n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }

uint64_t SignExtend(uint64_t bits, int width) {
  return static_cast<uint64_t>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

// Returns a double that rounds to any narrower float type as the integer itself would: the bits
// below the significand are gathered in its last bit (round to odd).
double StickyDouble(uint64_t magnitude) {
  int length = 64 - std::countl_zero(magnitude);
  if (length <= 53) return static_cast<double>(magnitude);
  int shift = length - 53;
  uint64_t top = magnitude >> shift;
  if ((magnitude & LowBits(shift)) != 0) top |= 1;
  return std::ldexp(static_cast<double>(top), shift);
}

// Truncated, saturated to the type; NaN gives 0.
uint64_t FloatToInt(double value, int width, bool is_signed) {
  if (std::isnan(value)) return 0;
  value = std::trunc(value);
  double limit = std::ldexp(1.0, is_signed ? width - 1 : width);
  if (is_signed) {
    if (value >= limit) return LowBits(width - 1);
    if (value < -limit) return SignExtend(uint64_t{1} << (width - 1), width);
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  if (value <= 0) return 0;
  return value >= limit ? LowBits(width) : static_cast<uint64_t>(value);
}

}  // namespace

std::vector<uint64_t> DecodeInts(const Literal& literal) {
  ElementType type = literal.shape().element_type();
  int width = BitWidth(type);
  std::vector<uint64_t> values(literal.shape().NumElements());
  const std::byte* data = literal.bytes().data();
  WithStorage(type, [&](auto storage) {
    for (size_t i = 0; i < values.size(); ++i) {
      uint64_t bits = Load<decltype(storage)>(data, i) & LowBits(width);
      values[i] = IsSigned(type) ? SignExtend(bits, width) : bits;
    }
  });
  return values;
}

std::vector<double> DecodeFloats(const Literal& literal) {
  ElementType type = literal.shape().element_type();
  std::vector<double> values(literal.shape().NumElements());
  const std::byte* data = literal.bytes().data();
  if (!IsFloat(type)) {
    std::vector<uint64_t> ints = DecodeInts(literal);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = IsSigned(type) ? static_cast<double>(static_cast<int64_t>(ints[i]))
                                 : static_cast<double>(ints[i]);
    }
  } else if (type == ElementType::kF64) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = Load<double>(data, i);
  } else if (type == ElementType::kF32) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = Load<float>(data, i);
  } else {
    uint64_t mask = LowBits(BitWidth(type));
    WithStorage(type, [&](auto storage) {
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = DecodeFloat(type, Load<decltype(storage)>(data, i) & mask);
      }
    });
  }
  return values;
}

std::vector<Complex128> DecodeComplexes(const Literal& literal) {
  ElementType type = literal.shape().element_type();
  if (!IsComplex(type)) {
    std::vector<double> reals = DecodeFloats(literal);
    return {reals.begin(), reals.end()};
  }
  std::vector<Complex128> values(literal.shape().NumElements());
  for (size_t i = 0; i < values.size(); ++i) values[i] = literal.GetComplex(i);
  return values;
}

Literal EncodeInts(const Shape& shape, absl::Span<const uint64_t> values) {
  ElementType type = shape.element_type();
  int width = BitWidth(type);
  Literal literal(shape.WithDefaultLayout());
  std::byte* data = literal.mutable_bytes().data();
  WithStorage(type, [&](auto storage) {
    using Storage = decltype(storage);
    for (size_t i = 0; i < values.size(); ++i) {
      uint64_t bits = type == ElementType::kPred ? values[i] != 0 : values[i] & LowBits(width);
      if (IsSigned(type)) bits = SignExtend(bits, width);
      Store(data, i, static_cast<Storage>(bits));
    }
  });
  return literal;
}

Literal EncodeFloats(const Shape& shape, absl::Span<const double> values) {
  ElementType type = shape.element_type();
  Literal literal(shape.WithDefaultLayout());
  std::byte* data = literal.mutable_bytes().data();
  if (type == ElementType::kF32) {
    for (size_t i = 0; i < values.size(); ++i) Store(data, i, static_cast<float>(values[i]));
  } else {
    WithStorage(type, [&](auto storage) {
      using Storage = decltype(storage);
      for (size_t i = 0; i < values.size(); ++i) {
        Store(data, i, static_cast<Storage>(EncodeFloat(type, values[i])));
      }
    });
  }
  return literal;
}

Literal EncodeComplexes(const Shape& shape, absl::Span<const Complex128> values) {
  Literal literal(shape.WithDefaultLayout());
  std::byte* data = literal.mutable_bytes().data();
  bool narrow = shape.element_type() == ElementType::kC64;
  for (size_t i = 0; i < values.size(); ++i) {
    for (int part : {0, 1}) {
      double value = part == 0 ? values[i].real() : values[i].imag();
      if (narrow) {
        Store(data, 2 * i + part, static_cast<float>(value));
      } else {
        Store(data, 2 * i + part, value);
      }
    }
  }
  return literal;
}

Literal WithShape(const Literal& literal, const Shape& shape) {
  return Literal::Borrow(shape.WithDefaultLayout(), literal.bytes().data(),
                         std::make_shared<Literal>(literal));
}

namespace {

// Returns values that round to the float type `to` as the integers would.
std::vector<double> IntsForFloat(const Literal& literal, ElementType to) {
  if (to == ElementType::kF64) return DecodeFloats(literal);
  bool is_signed = IsSigned(literal.shape().element_type());
  std::vector<double> values;
  for (uint64_t bits : DecodeInts(literal)) {
    bool negative = is_signed && static_cast<int64_t>(bits) < 0;
    double magnitude = StickyDouble(negative ? -bits : bits);
    values.push_back(negative ? -magnitude : magnitude);
  }
  return values;
}

std::vector<double> RealParts(const Literal& literal) {
  std::vector<double> values;
  for (Complex128 value : DecodeComplexes(literal)) values.push_back(value.real());
  return values;
}

}  // namespace

Literal ConvertLiteral(const Literal& literal, ElementType to) {
  ElementType from = literal.shape().element_type();
  if (from == to) return literal;
  Shape shape = literal.shape().WithElementType(to);
  bool from_ints = IsInteger(from) || from == ElementType::kPred;
  if (IsComplex(from) && IsComplex(to)) return EncodeComplexes(shape, DecodeComplexes(literal));
  if (from_ints && !IsFloat(to) && !IsComplex(to)) return EncodeInts(shape, DecodeInts(literal));
  std::vector<double> values = from_ints         ? IntsForFloat(literal, PartType(to))
                               : IsComplex(from) ? RealParts(literal)
                                                 : DecodeFloats(literal);
  if (IsFloat(to)) return EncodeFloats(shape, values);
  if (IsComplex(to)) {
    return EncodeComplexes(shape, std::vector<Complex128>(values.begin(), values.end()));
  }
  std::vector<uint64_t> ints(values.size());
  for (size_t i = 0; i < ints.size(); ++i) {
    ints[i] = to == ElementType::kPred ? values[i] != 0
                                       : FloatToInt(values[i], BitWidth(to), IsSigned(to));
  }
  return EncodeInts(shape, ints);
}

}  // namespace halyard::hlo
