#include "client/pjrt/array_type.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/values/strided.h"

namespace halyard::pjrt {
namespace {

using hlo::ElementType;
using hlo::Shape;

constexpr std::pair<ElementType, PJRT_Buffer_Type> kTypes[] = {
    {ElementType::kPred, PJRT_Buffer_Type_PRED},
    {ElementType::kS2, PJRT_Buffer_Type_S2},
    {ElementType::kS4, PJRT_Buffer_Type_S4},
    {ElementType::kS8, PJRT_Buffer_Type_S8},
    {ElementType::kS16, PJRT_Buffer_Type_S16},
    {ElementType::kS32, PJRT_Buffer_Type_S32},
    {ElementType::kS64, PJRT_Buffer_Type_S64},
    {ElementType::kU2, PJRT_Buffer_Type_U2},
    {ElementType::kU4, PJRT_Buffer_Type_U4},
    {ElementType::kU8, PJRT_Buffer_Type_U8},
    {ElementType::kU16, PJRT_Buffer_Type_U16},
    {ElementType::kU32, PJRT_Buffer_Type_U32},
    {ElementType::kU64, PJRT_Buffer_Type_U64},
    {ElementType::kF4E2M1FN, PJRT_Buffer_Type_F4E2M1FN},
    {ElementType::kF8E3M4, PJRT_Buffer_Type_F8E3M4},
    {ElementType::kF8E4M3, PJRT_Buffer_Type_F8E4M3},
    {ElementType::kF8E4M3FN, PJRT_Buffer_Type_F8E4M3FN},
    {ElementType::kF8E4M3FNUZ, PJRT_Buffer_Type_F8E4M3FNUZ},
    {ElementType::kF8E4M3B11FNUZ, PJRT_Buffer_Type_F8E4M3B11FNUZ},
    {ElementType::kF8E5M2, PJRT_Buffer_Type_F8E5M2},
    {ElementType::kF8E5M2FNUZ, PJRT_Buffer_Type_F8E5M2FNUZ},
    {ElementType::kF8E8M0FNU, PJRT_Buffer_Type_F8E8M0FNU},
    {ElementType::kBF16, PJRT_Buffer_Type_BF16},
    {ElementType::kF16, PJRT_Buffer_Type_F16},
    {ElementType::kF32, PJRT_Buffer_Type_F32},
    {ElementType::kF64, PJRT_Buffer_Type_F64},
    {ElementType::kC64, PJRT_Buffer_Type_C64},
    {ElementType::kC128, PJRT_Buffer_Type_C128},
};

// Returns the number that the caller has stored, which need not be one of the enumeration.
template <typename Enum>
std::underlying_type_t<Enum> NumberOf(const Enum& stored) {
  std::underlying_type_t<Enum> number = 0;
  std::memcpy(&number, &stored, sizeof number);
  return number;
}

}  // namespace

absl::StatusOr<Shape> ShapeFrom(const PJRT_Buffer_Type& type, const int64_t* dims,
                                size_t num_dims) {
  const auto number = NumberOf(type);
  if (number == PJRT_Buffer_Type_TOKEN) return Shape::Token();
  HALYARD_PJRT_NEED_LIST(dims, num_dims);
  for (const auto& [element, code] : kTypes) {
    if (code != number) continue;
    std::vector<int64_t> sizes(dims, dims + num_dims);
    if (hlo::CheckedByteSize(element, sizes) < 0)
      return absl::InvalidArgumentError("the array's dimensions are negative or too large");
    return Shape::Array(element, std::move(sizes));
  }
  return absl::InvalidArgumentError(absl::StrCat("there is no element type of number ", number));
}

absl::StatusOr<PJRT_Buffer_Type> TypeOf(const Shape& shape) {
  if (shape.IsToken()) return PJRT_Buffer_Type_TOKEN;
  for (const auto& [element, code] : kTypes) {
    if (element == shape.element_type()) return code;
  }
  return absl::UnimplementedError(
      absl::StrCat("PJRT has no element type ", hlo::HloName(shape.element_type())));
}

std::vector<int64_t> DenseByteStrides(const Shape& shape,
                                      absl::Span<const int64_t> minor_to_major) {
  std::vector<int64_t> strides(static_cast<size_t>(shape.rank()));
  int64_t stride = hlo::StorageBytes(shape.element_type());
  for (int64_t dimension : minor_to_major) {
    strides[static_cast<size_t>(dimension)] = stride;
    stride *= shape.dim(dimension);
  }
  return strides;
}

std::vector<int64_t> RowMajorByteStrides(const Shape& shape) {
  std::vector<int64_t> order;
  for (int64_t d = shape.rank(); d-- > 0;) order.push_back(d);
  return DenseByteStrides(shape, order);
}

bool IsRowMajor(const Shape& shape, absl::Span<const int64_t> byte_strides) {
  const std::vector<int64_t> dense = RowMajorByteStrides(shape);
  for (size_t d = 0; d < dense.size(); ++d) {
    if (shape.dim(static_cast<int64_t>(d)) != 1 && byte_strides[d] != dense[d]) return false;
  }
  return true;
}

absl::StatusOr<ByteRange> RangeOf(const Shape& shape, absl::Span<const int64_t> byte_strides) {
  if (shape.NumElements() == 0) return ByteRange();
  // No address space has so much. Half of what fits leaves room for ForEachStrided, which goes one
  // step beyond the last index of a dimension before it turns back.
  constexpr int64_t kMost = INT64_MAX / 2;
  ByteRange range = {0, hlo::StorageBytes(shape.element_type())};
  for (size_t d = 0; d < byte_strides.size(); ++d) {
    int64_t last = 0;  // the offset of the last index
    bool fits = !__builtin_mul_overflow(shape.dims()[d] - 1, byte_strides[d], &last);
    int64_t& bound = last < 0 ? range.begin : range.end;
    fits = fits && !__builtin_add_overflow(bound, last, &bound);
    if (!fits || range.begin < -kMost || range.end > kMost)
      return absl::InvalidArgumentError("the array's strides are too large");
  }
  return range;
}

absl::StatusOr<std::vector<int64_t>> StridesOf(const PJRT_Buffer_MemoryLayout* layout,
                                               const Shape& shape) {
  const size_t rank = shape.IsToken() ? 0 : static_cast<size_t>(shape.rank());
  if (layout == nullptr || rank == 0) return RowMajorByteStrides(shape);
  // jaxlib does not set the layout's struct_size.
  const auto type = NumberOf(layout->type);
  if (type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    if (layout->strides.num_byte_strides != rank) {
      return absl::InvalidArgumentError(absl::StrCat("the layout has ",
                                                     layout->strides.num_byte_strides,
                                                     " strides, the array ", rank, " dimensions"));
    }
    HALYARD_PJRT_NEED(layout->strides.byte_strides);
    return std::vector<int64_t>(layout->strides.byte_strides, layout->strides.byte_strides + rank);
  }
  if (type != PJRT_Buffer_MemoryLayout_Type_Tiled)
    return absl::InvalidArgumentError(absl::StrCat("there is no layout of number ", type));
  const PJRT_Buffer_MemoryLayout_Tiled& tiled = layout->tiled;
  if (tiled.num_tiles != 0) return absl::UnimplementedError("layouts with tiles are not supported");
  HALYARD_PJRT_NEED_LIST(tiled.minor_to_major, tiled.minor_to_major_size);
  std::vector<bool> seen(rank, false);
  bool permutes = tiled.minor_to_major_size == rank;
  for (size_t i = 0; permutes && i < rank; ++i) {
    const int64_t d = tiled.minor_to_major[i];
    permutes = d >= 0 && d < static_cast<int64_t>(rank) && !seen[static_cast<size_t>(d)];
    if (permutes) seen[static_cast<size_t>(d)] = true;
  }
  if (!permutes)
    return absl::InvalidArgumentError("the layout does not order the array's dimensions");
  return DenseByteStrides(shape, absl::MakeConstSpan(tiled.minor_to_major, rank));
}

namespace {

// Calls copy(dense offset, strided offset, bytes) for each piece that is contiguous both in a
// row-major array and in one with these byte strides.
template <typename Copy>
void ForEachPiece(const Shape& shape, absl::Span<const int64_t> strides, Copy copy) {
  int64_t piece = hlo::StorageBytes(shape.element_type());
  size_t outer = static_cast<size_t>(shape.rank());
  while (outer > 0 && (shape.dims()[outer - 1] == 1 || strides[outer - 1] == piece))
    piece *= shape.dims()[--outer];
  std::vector<int64_t> dims, steps;
  for (size_t d = 0; d < outer; ++d) {
    if (shape.dims()[d] == 1) continue;  // its stride may be any number
    dims.push_back(shape.dims()[d]);
    steps.push_back(strides[d]);
  }
  hlo::ForEachStrided(dims, 0, steps, [&](int64_t position, int64_t offset) {
    copy(position * piece, offset, static_cast<size_t>(piece));
  });
}

}  // namespace

void CopyFromStrided(const Shape& shape, const std::byte* from, absl::Span<const int64_t> strides,
                     std::byte* dense) {
  if (shape.NumElements() == 0) return;
  ForEachPiece(shape, strides, [&](int64_t to, int64_t at, size_t bytes) {
    std::memcpy(dense + to, from + at, bytes);
  });
}

void CopyToStrided(const Shape& shape, const std::byte* dense, absl::Span<const int64_t> strides,
                   std::byte* to) {
  if (shape.NumElements() == 0) return;
  ForEachPiece(shape, strides, [&](int64_t from, int64_t at, size_t bytes) {
    std::memcpy(to + at, dense + from, bytes);
  });
}

}  // namespace halyard::pjrt
