#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "frontend/hlo_proto/shape_proto.h"
#include "frontend/hlo_proto/xla_data.pb.h"

namespace halyard::hlo_proto {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

// Types whose elements stand in a field of bytes.
#define HALYARD_BYTES_FIELDS(V)     \
  V(kS2, s2s)                       \
  V(kS4, s4s)                       \
  V(kS8, s8s)                       \
  V(kS16, s16s)                     \
  V(kU2, u2s)                       \
  V(kU4, u4s)                       \
  V(kU8, u8s)                       \
  V(kU16, u16s)                     \
  V(kF4E2M1FN, f4e2m1fns)           \
  V(kF6E2M3FN, f6e2m3fns)           \
  V(kF6E3M2FN, f6e3m2fns)           \
  V(kF8E3M4, f8e3m4s)               \
  V(kF8E4M3, f8e4m3s)               \
  V(kF8E4M3FN, f8e4m3fns)           \
  V(kF8E4M3FNUZ, f8e4m3fnuzs)       \
  V(kF8E4M3B11FNUZ, f8e4m3b11fnuzs) \
  V(kF8E5M2, f8e5m2s)               \
  V(kF8E5M2FNUZ, f8e5m2fnuzs)       \
  V(kF8E8M0FNU, f8e8m0fnus)         \
  V(kBF16, bf16s)                   \
  V(kF16, f16s)
// Types whose elements are a repeated field: as stored, except for PRED.
#define HALYARD_REPEATED_FIELDS(V) \
  V(kPred, preds)                  \
  V(kS32, s32s)                    \
  V(kS64, s64s)                    \
  V(kU32, u32s)                    \
  V(kU64, u64s)                    \
  V(kF32, f32s)                    \
  V(kF64, f64s)                    \
  V(kC64, c64s)                    \
  V(kC128, c128s)

// The elements as the message orders them, in stored form (little-endian).
absl::string_view ElementBytes(const wire::LiteralProto& proto, ElementType type) {
  auto view = [](const auto& field) {
    return absl::string_view(reinterpret_cast<const char*>(field.data()),
                             field.size() * sizeof(*field.data()));
  };
  switch (type) {
#define HALYARD_CASE(name, field) \
  case ElementType::name:         \
    return view(proto.field());
    HALYARD_BYTES_FIELDS(HALYARD_CASE)
    HALYARD_REPEATED_FIELDS(HALYARD_CASE)
#undef HALYARD_CASE
  }
  return {};
}

void SetElementBytes(ElementType type, absl::string_view bytes, wire::LiteralProto* proto) {
  auto copy = [bytes](auto* field) {
    field->Resize(static_cast<int>(bytes.size() / sizeof(*field->data())), {});
    if (!bytes.empty()) std::memcpy(field->mutable_data(), bytes.data(), bytes.size());
  };
  switch (type) {
#define HALYARD_CASE(name, field)           \
  case ElementType::name:                   \
    proto->set_##field(std::string(bytes)); \
    break;
    HALYARD_BYTES_FIELDS(HALYARD_CASE)
#undef HALYARD_CASE
#define HALYARD_CASE(name, field)   \
  case ElementType::name:           \
    copy(proto->mutable_##field()); \
    break;
    HALYARD_REPEATED_FIELDS(HALYARD_CASE)
#undef HALYARD_CASE
  }
}

// Elements in the order of `from`'s layout → row-major.
std::vector<std::byte> RowMajor(const Shape& from, absl::string_view bytes) {
  const size_t width = hlo::StorageBytes(from.element_type());
  const std::vector<int64_t> strides = from.Strides();
  std::vector<std::byte> out(bytes.size());
  if (from.HasDefaultLayout() || bytes.empty()) {
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  std::vector<int64_t> index(from.rank(), 0);
  for (size_t at = 0; at < out.size(); at += width) {
    int64_t position = 0;
    for (size_t d = 0; d < index.size(); ++d) position += index[d] * strides[d];
    std::memcpy(&out[at], bytes.data() + position * width, width);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < from.dim(static_cast<int64_t>(d))) break;
      index[d] = 0;
    }
  }
  return out;
}

// Types narrower than a byte: signed ones are extended when stored, but not in the message.
bool Narrow(ElementType type) { return hlo::BitWidth(type) < 8 && type != ElementType::kPred; }

absl::Status ReadArray(const wire::LiteralProto& proto, const Shape& from, const Shape& shape,
                       Literal* literal) {
  const ElementType type = shape.element_type();
  absl::string_view bytes = ElementBytes(proto, type);
  if (static_cast<int64_t>(bytes.size()) != shape.ByteSize()) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: ", bytes.size() / hlo::StorageBytes(type), " elements for ",
                     shape.ToString(), ", which has ", shape.NumElements()));
  }
  std::vector<std::byte> values = RowMajor(from, bytes);
  if (Narrow(type)) {
    const int bits = hlo::BitWidth(type);
    for (std::byte& value : values) {
      auto pattern = static_cast<uint8_t>(static_cast<uint8_t>(value) << (8 - bits));
      value = hlo::IsSigned(type)
                  ? static_cast<std::byte>(static_cast<int8_t>(pattern) >> (8 - bits))
                  : static_cast<std::byte>(pattern >> (8 - bits));
    }
  } else if (type == ElementType::kPred) {
    for (std::byte& value : values) value = std::byte{value != std::byte{0}};
  }
  *literal = Literal::FromBytes(shape, std::move(values));
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadLiteral(const wire::LiteralProto& proto, const Shape& shape, Literal* literal) {
  Shape from;
  if (absl::Status status = ReadShape(proto.shape(), &from); !status.ok()) return status;
  if (!Shape::SameIgnoringLayout(from, shape)) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: a value of type ", from.ToString(), " for ", shape.ToString()));
  }
  if (shape.IsToken()) return absl::InvalidArgumentError("literal: a token is no constant");
  if (shape.IsDynamic()) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: the size of ", shape.ToString(), " is not known"));
  }
  if (shape.IsArray()) return ReadArray(proto, from, shape, literal);
  const size_t count = shape.elements().size();
  if (static_cast<size_t>(proto.tuple_literals_size()) != count) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: ", proto.tuple_literals_size(), " values for a tuple of ", count));
  }
  std::vector<Literal> elements(count);
  for (size_t i = 0; i < count; ++i) {
    absl::Status status =
        ReadLiteral(proto.tuple_literals(static_cast<int>(i)), shape.elements()[i], &elements[i]);
    if (!status.ok()) return status;
  }
  *literal = Literal::Tuple(std::move(elements));
  return absl::OkStatus();
}

void WriteLiteral(const Literal& literal, wire::LiteralProto* proto) {
  const Shape& shape = literal.shape();
  WriteShape(shape.WithDefaultLayout(), proto->mutable_shape());
  for (const Literal& element : literal.elements()) {
    WriteLiteral(element, proto->add_tuple_literals());
  }
  if (!shape.IsArray()) return;
  const ElementType type = shape.element_type();
  absl::Span<const std::byte> bytes = literal.bytes();
  std::string values(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (Narrow(type)) {
    for (char& value : values) value &= static_cast<char>((1 << hlo::BitWidth(type)) - 1);
  }
  SetElementBytes(type, values, proto);
}

}  // namespace halyard::hlo_proto
