#include "lowering/kernels/contraction/staged_product.h"

#include <numeric>

namespace halyard::lowering {

const char* TypesOfWgmma(const MmaIntrinsic& mma) {
  using hlo::ElementType;
  struct Row {
    ElementType lhs, rhs;
    const char* types;
  };
  static constexpr Row kRows[] = {{ElementType::kBF16, ElementType::kBF16, "f32.bf16.bf16"},
                                  {ElementType::kF16, ElementType::kF16, "f32.f16.f16"},
                                  {ElementType::kS8, ElementType::kS8, "s32.s8.s8"},
                                  {ElementType::kS8, ElementType::kU8, "s32.s8.u8"},
                                  {ElementType::kU8, ElementType::kS8, "s32.u8.s8"},
                                  {ElementType::kU8, ElementType::kU8, "s32.u8.u8"}};
  for (const Row& row : kRows) {
    if (row.lhs == mma.lhs && row.rhs == mma.rhs) return row.types;
  }
  return nullptr;
}

int64_t StagedShape::SwizzledBytes(int factor) const {
  return std::gcd(PiecesOfLine(factor), int64_t{8}) * kPieceBytes;
}

int64_t StagedShape::FactorBytes(int factor) const {
  if (wgmma) return rows(factor) * row_bytes;
  return (across_k[factor] ? step_k() : rows(factor)) * pitch(factor);
}

std::vector<int64_t> StagedShape::Numbers() const {
  return {mma - MmaIntrinsics().data(),     mt,          nt,          warps_m,   warps_n,   stages,
          static_cast<int64_t>(conversion), across_k[0], across_k[1], row_bytes, exchanged, wgmma};
}

bool StagedShape::FromNumbers(absl::Span<const int64_t> numbers, StagedShape* shape) {
  const absl::Span<const MmaIntrinsic> rows = MmaIntrinsics();
  if (numbers.size() != kNumbers || numbers[0] < 0 ||
      numbers[0] >= static_cast<int64_t>(rows.size()))
    return false;
  for (size_t i = 1; i < 6; ++i) {
    if (numbers[i] < 1 || numbers[i] > 64) return false;
  }
  if (numbers[9] != 64 && numbers[9] != 128) return false;
  if (numbers[6] < 0 || numbers[6] > static_cast<int64_t>(StagedConversion::kBits)) return false;
  *shape = {&rows[static_cast<size_t>(numbers[0])],
            numbers[1],
            numbers[2],
            numbers[3],
            numbers[4],
            numbers[5],
            numbers[9],
            static_cast<StagedConversion>(numbers[6]),
            {numbers[7] != 0, numbers[8] != 0},
            numbers[10] != 0,
            numbers[11] != 0};
  if (shape->wgmma && (shape->mt != 1 || shape->warps_n != 1 || shape->stages < 3 ||
                       shape->warps_m % kWarpgroup != 0 || shape->row_bytes != kWgmmaLine ||
                       8 * shape->nt > kWgmmaColumns || !TypesOfWgmma(*shape->mma)))
    return false;
  if (shape->conversion != StagedConversion::kNone && !shape->Is8BitFloat()) return false;
  return shape->nt % 2 == 0 && shape->mma->words == 2;
}

}  // namespace halyard::lowering
