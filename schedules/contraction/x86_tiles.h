// contraction on x86: sums of products of bytes and of bf16 by AMX, whose instructions multiply a
// tile of up to 16 rows by one of 16 columns, over up to 16 words of k. The factors are stored in
// words as for other instructions (x86_words.h). codegen/passes/tile_products.h makes the
// instructions from the loops that are scheduled here.
#ifndef HALYARD_SCHEDULES_CONTRACTION_X86_TILES_H_
#define HALYARD_SCHEDULES_CONTRACTION_X86_TILES_H_

#include <cstdint>
#include <optional>

#include "schedules/contraction/template.h"
#include "schedules/contraction/x86_words.h"

namespace halyard::schedules {

// The value of the knob `words` that multiplies by AMX. With 1, instructions of vectors multiply
// words; with 0, words are not used.
inline constexpr int64_t kTiles = 2;

// Returns nothing if the device has no AMX or the kernel's factors do not fit it. `step` is the
// number of words of k in a tile.
std::optional<DotInstruction> TileInstructionOf(const lowering::LoweredKernel& kernel);

// Outputs that a step of k adds to: up to 2 × 2 tiles, or 4 in a row.
struct TileBlock {
  int64_t n = 0, m = 0;
};
// Returns the default for a product that tiles pay for. `hero` is the product (ProductOf, x86.h).
std::optional<TileBlock> BestTileBlock(const lowering::Hero& hero, const DotInstruction& dot);

// Schedules the accumulator's loops. Throws LimitError where tiles cannot make up the block.
void ScheduleTileProduct(ContractionFuncs& product, const lowering::Hero& hero, const Roles& roles,
                         const DotInstruction& dot, const TileBlock& block);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_X86_TILES_H_
