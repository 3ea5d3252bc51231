#include "lowering/kernels/device_intrinsics.h"

#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace halyard::lowering {

using hlo::ElementType;

namespace {

constexpr ElementType kF16 = ElementType::kF16, kBF16 = ElementType::kBF16,
                      kF32 = ElementType::kF32, kS8 = ElementType::kS8, kU8 = ElementType::kU8,
                      kS32 = ElementType::kS32, kE4M3 = ElementType::kF8E4M3FN,
                      kE5M2 = ElementType::kF8E5M2;

// If several rows have the same types, the first one that a device has is taken.
constexpr MmaIntrinsic kMma[] = {
    {"halyard_intrinsic_mma_m16n8k16_f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
     kF16, kF16, kF32, 2, 2, 80},
    {"halyard_intrinsic_mma_m16n8k8_f16", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", kF16,
     kF16, kF32, 2, 1, 75},
    {"halyard_intrinsic_mma_m16n8k16_bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
     kBF16, kBF16, kF32, 2, 2, 80},
    {"halyard_intrinsic_mma_m16n8k8_tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
     kF32, kF32, kF32, 1, 2, 80},
    {"halyard_intrinsic_mma_m16n8k32_s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", kS8,
     kS8, kS32, 4, 2, 80},
    {"halyard_intrinsic_mma_m16n8k32_u8", "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32", kU8,
     kU8, kS32, 4, 2, 80},
    {"halyard_intrinsic_mma_m16n8k32_s8u8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", kS8,
     kU8, kS32, 4, 2, 80},
    {"halyard_intrinsic_mma_m16n8k32_u8s8", "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", kU8,
     kS8, kS32, 4, 2, 80},
    {"halyard_intrinsic_mma_m16n8k32_e4m3", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
     kE4M3, kE4M3, kF32, 4, 2, 89},
    {"halyard_intrinsic_mma_m16n8k32_e4m3e5m2",
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", kE4M3, kE5M2, kF32, 4, 2, 89},
    {"halyard_intrinsic_mma_m16n8k32_e5m2e4m3",
     "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32", kE5M2, kE4M3, kF32, 4, 2, 89},
    {"halyard_intrinsic_mma_m16n8k32_e5m2", "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32",
     kE5M2, kE5M2, kF32, 4, 2, 89},
};

constexpr ScalarIntrinsic kScalar[] = {
    {kRoundToTf32, "cvt.rna.tf32.f32 $0, $1;", 1, 0, 80, false},
    {kShuffleXor, "shfl.sync.bfly.b32 $0, $1, $2, 31, 0xffffffff;", 2, 1, 70, true},
    {kShuffleDown, "shfl.sync.down.b32 $0, $1, $2, 31, 0xffffffff;", 2, 1, 70, true},
    {kExp2, "ex2.approx.ftz.f32 $0, $1;", 1, 0, 50, false},
    {kMaximum, "max.NaN.f32 $0, $1, $2;", 2, 0, 80, false},
    {kRoundToF16, "cvt.rn.f16x2.f32 $0, $2, $1;", 2, 0, 80, false},
    {kRoundToBf16, "cvt.rn.bf16x2.f32 $0, $2, $1;", 2, 0, 80, false},
};

}  // namespace

absl::Span<const MmaIntrinsic> MmaIntrinsics() { return kMma; }
absl::Span<const ScalarIntrinsic> ScalarIntrinsics() { return kScalar; }

const MmaIntrinsic* FindMma(ElementType lhs, ElementType rhs, int capability) {
  for (const MmaIntrinsic& row : kMma) {
    if (row.lhs == lhs && row.rhs == rhs && capability >= row.min_capability) return &row;
  }
  return nullptr;
}

const MmaIntrinsic* MmaOfFunction(absl::string_view function, int* value) {
  for (const MmaIntrinsic& row : kMma) {
    absl::string_view rest = function;
    if (!absl::ConsumePrefix(&rest, row.name) || rest.size() != 2 || rest[0] != '_') continue;
    if (rest[1] < '0' || rest[1] > '3') continue;
    *value = rest[1] - '0';
    return &row;
  }
  return nullptr;
}

const ScalarIntrinsic* ScalarOfFunction(absl::string_view function) {
  for (const ScalarIntrinsic& row : kScalar) {
    if (function == row.name) return &row;
  }
  return nullptr;
}

}  // namespace halyard::lowering
