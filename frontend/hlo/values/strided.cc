#include "frontend/hlo/values/strided.h"

#include <cstring>

namespace halyard::hlo {
namespace {

struct Bytes16 {
  uint64_t words[2];
};

template <typename Visit>
void WithElement(ElementType type, Visit visit) {
  switch (StorageBytes(type)) {
    case 1:
      return visit(uint8_t{});
    case 2:
      return visit(uint16_t{});
    case 4:
      return visit(uint32_t{});
    case 8:
      return visit(uint64_t{});
    default:
      return visit(Bytes16{});
  }
}

}  // namespace

Literal StridedRead(const Literal& from, const Shape& shape, int64_t start,
                    const std::vector<int64_t>& strides) {
  Literal to(shape.WithDefaultLayout());
  const std::byte* source = from.bytes().data();
  std::byte* target = to.mutable_bytes().data();
  WithElement(shape.element_type(), [&](auto element) {
    constexpr size_t kWidth = sizeof(element);
    ForEachStrided(shape.dims(), start, strides, [&](int64_t position, int64_t offset) {
      std::memcpy(target + position * kWidth, source + offset * kWidth, kWidth);
    });
  });
  return to;
}

void StridedWrite(const Literal& from, int64_t start, const std::vector<int64_t>& strides,
                  Literal* to) {
  const std::byte* source = from.bytes().data();
  std::byte* target = to->mutable_bytes().data();
  WithElement(from.shape().element_type(), [&](auto element) {
    constexpr size_t kWidth = sizeof(element);
    ForEachStrided(from.shape().dims(), start, strides, [&](int64_t position, int64_t offset) {
      std::memcpy(target + offset * kWidth, source + position * kWidth, kWidth);
    });
  });
}

Literal TransposeLiteral(const Literal& from, const std::vector<int64_t>& permutation) {
  std::vector<int64_t> from_strides = from.shape().WithDefaultLayout().Strides();
  std::vector<int64_t> dims, strides;
  for (int64_t d : permutation) {
    dims.push_back(from.shape().dim(d));
    strides.push_back(from_strides[d]);
  }
  return StridedRead(from, from.shape().WithDims(std::move(dims)), 0, strides);
}

}  // namespace halyard::hlo
