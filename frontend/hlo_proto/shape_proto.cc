#include "frontend/hlo_proto/shape_proto.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "frontend/hlo_proto/xla_data.pb.h"

namespace halyard::hlo_proto {
namespace {

using hlo::ElementType;
using hlo::Shape;

constexpr int kMaxRank = 255;

struct TypeNumber {
  ElementType type;
  wire::PrimitiveType number;
};
constexpr TypeNumber kTypes[] = {
    {ElementType::kPred, wire::PRED},
    {ElementType::kS2, wire::S2},
    {ElementType::kS4, wire::S4},
    {ElementType::kS8, wire::S8},
    {ElementType::kS16, wire::S16},
    {ElementType::kS32, wire::S32},
    {ElementType::kS64, wire::S64},
    {ElementType::kU2, wire::U2},
    {ElementType::kU4, wire::U4},
    {ElementType::kU8, wire::U8},
    {ElementType::kU16, wire::U16},
    {ElementType::kU32, wire::U32},
    {ElementType::kU64, wire::U64},
    {ElementType::kF4E2M1FN, wire::F4E2M1FN},
    {ElementType::kF6E2M3FN, wire::F6E2M3FN},
    {ElementType::kF6E3M2FN, wire::F6E3M2FN},
    {ElementType::kF8E3M4, wire::F8E3M4},
    {ElementType::kF8E4M3, wire::F8E4M3},
    {ElementType::kF8E4M3FN, wire::F8E4M3FN},
    {ElementType::kF8E4M3FNUZ, wire::F8E4M3FNUZ},
    {ElementType::kF8E4M3B11FNUZ, wire::F8E4M3B11FNUZ},
    {ElementType::kF8E5M2, wire::F8E5M2},
    {ElementType::kF8E5M2FNUZ, wire::F8E5M2FNUZ},
    {ElementType::kF8E8M0FNU, wire::F8E8M0FNU},
    {ElementType::kBF16, wire::BF16},
    {ElementType::kF16, wire::F16},
    {ElementType::kF32, wire::F32},
    {ElementType::kF64, wire::F64},
    {ElementType::kC64, wire::C64},
    {ElementType::kC128, wire::C128},
};

absl::Status Wrong(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("shape: ", what));
}

bool IsPermutation(const std::vector<int64_t>& order, size_t rank) {
  std::vector<bool> seen(rank, false);
  for (int64_t dim : order) {
    if (dim < 0 || dim >= static_cast<int64_t>(rank) || seen[dim]) return false;
    seen[dim] = true;
  }
  return order.size() == rank;
}

absl::Status ReadArray(const wire::ShapeProto& proto, Shape* shape) {
  auto found = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeNumber& row) {
    return row.number == proto.element_type();
  });
  if (found == std::end(kTypes)) {
    return Wrong(absl::StrCat("element type ", static_cast<int>(proto.element_type()),
                              " is unknown or not supported"));
  }
  std::vector<int64_t> dims(proto.dimensions().begin(), proto.dimensions().end());
  if (dims.size() > kMaxRank) return Wrong("more than 255 dimensions");
  // The size of a dynamic dimension is its bound. XLA writes the least integer if there is no
  // bound.
  std::vector<bool> bounded(dims.size(), false);
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool dynamic = static_cast<int>(i) < proto.is_dynamic_dimension_size() &&
                         proto.is_dynamic_dimension(static_cast<int>(i));
    if (dynamic && dims[i] == INT64_MIN) dims[i] = Shape::kUnbounded;
    if (dims[i] < 0 && !(dynamic && dims[i] == Shape::kUnbounded)) {
      return Wrong(absl::StrCat("dimension size ", dims[i], " is negative"));
    }
    bounded[i] = dynamic && dims[i] >= 0;
  }
  const auto& order = proto.layout().minor_to_major();
  std::vector<int64_t> layout(order.begin(), order.end());
  if (!layout.empty() && !IsPermutation(layout, dims.size())) {
    return Wrong(absl::StrCat("layout is no permutation of the ", dims.size(), " dimensions"));
  }
  *shape = Shape::ArrayWithLayout(found->type, std::move(dims), std::move(layout))
               .WithBoundedDims(std::move(bounded));
  if (!hlo::ByteSizeFits(*shape)) return Wrong("the array's size in bytes does not fit 64 bits");
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadShape(const wire::ShapeProto& proto, Shape* shape) {
  // Nested at most as deep as protobuf parses messages.
  if (proto.element_type() == wire::TUPLE) {
    std::vector<Shape> elements(proto.tuple_shapes_size());
    for (int i = 0; i < proto.tuple_shapes_size(); ++i) {
      absl::Status status = ReadShape(proto.tuple_shapes(i), &elements[i]);
      if (!status.ok()) return status;
    }
    *shape = Shape::Tuple(std::move(elements));
    return absl::OkStatus();
  }
  if (proto.element_type() == wire::TOKEN) {
    *shape = Shape::Token();
    return absl::OkStatus();
  }
  return ReadArray(proto, shape);
}

void WriteShape(const Shape& shape, wire::ShapeProto* proto) {
  if (shape.IsTuple()) {
    proto->set_element_type(wire::TUPLE);
    for (const Shape& element : shape.elements()) WriteShape(element, proto->add_tuple_shapes());
    return;
  }
  if (shape.IsToken()) {
    proto->set_element_type(wire::TOKEN);
    return;
  }
  auto found = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeNumber& row) {
    return row.type == shape.element_type();
  });
  proto->set_element_type(found->number);
  wire::LayoutProto* layout = proto->mutable_layout();
  for (int64_t i = 0; i < shape.rank(); ++i) {
    proto->add_dimensions(shape.dim(i) == Shape::kUnbounded ? INT64_MIN : shape.dim(i));
    proto->add_is_dynamic_dimension(shape.IsDynamicDim(i));
    layout->add_minor_to_major(shape.HasDefaultLayout() ? shape.rank() - 1 - i
                                                        : shape.minor_to_major()[i]);
  }
}

}  // namespace halyard::hlo_proto
