// How a template asks for AMX tiles, for codegen/passes/tile_products.h.
//
// A tile product multiplies up to 16 rows of the left factor by 16 columns of the right one, over
// up to 16 words of k. In a template it is the loops kTileRow > kTileWord > 16 lanes around
//
//   sum(lane, row) = dot(sum(lane, row), left word (word, row), right words (lane, word))
//
// where `dot` is one of kTileDots, and a word holds four neighbouring bytes of k, or two bf16. The
// sums start from zero, although the Func is not initialized.
#ifndef HALYARD_LOWERING_KERNELS_CONTRACTION_TILE_DOT_H_
#define HALYARD_LOWERING_KERNELS_CONTRACTION_TILE_DOT_H_

#include <cstdint>

#include "runtime/device_info.h"

namespace halyard::lowering {

// Whether the device computes products of bytes and bf16 in AMX tiles. Halide's target for them has
// the extensions of AVX-512 of the same core, too.
inline bool MultipliesTiles(const runtime::DeviceInfo& device) {
  constexpr uint64_t kNeeded = runtime::kX86Amx | runtime::kX86SapphireRapids;
  return device.kind == runtime::DeviceKind::kX86 && (device.x86_features & kNeeded) == kNeeded;
}

inline constexpr int64_t kTileRows = 16;   // of the left factor, at most
inline constexpr int64_t kTileWords = 16;  // of k, at most
inline constexpr int64_t kTileLanes = 16;  // columns of the right factor
// Sums of one product are in so many tiles at most; the other four hold the factors.
inline constexpr int64_t kMostSumTiles = 4;

// Names of the loops.
inline constexpr char kTileRow[] = "tile_row";
inline constexpr char kTileWord[] = "tile_word";

// An instruction, as an external function of words.
struct TileDot {
  const char* name;
  bool bf16, left_signed, right_signed;
};
inline constexpr TileDot kTileDots[] = {
    {"halyard_intrinsic_tdpbssd", false, true, true},
    {"halyard_intrinsic_tdpbsud", false, true, false},
    {"halyard_intrinsic_tdpbusd", false, false, true},
    {"halyard_intrinsic_tdpbuud", false, false, false},
    {"halyard_intrinsic_tdpbf16ps", true, true, true},
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_CONTRACTION_TILE_DOT_H_
