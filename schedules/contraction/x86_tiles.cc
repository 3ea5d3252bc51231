#include "schedules/contraction/x86_tiles.h"

#include <algorithm>

#include "lowering/kernels/contraction/tile_dot.h"
#include "schedules/contraction/x86.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::Hero;
using lowering::kMostSumTiles;
using lowering::kTileLanes;
using lowering::kTileRows;
using lowering::kTileWords;
using lowering::LoweredKernel;

namespace {

int64_t Pieces(int64_t whole, int64_t most) { return (whole + most - 1) / most; }

// Returns how many of the sum's words a tile takes: the most that leave none over, so that factors
// can be read where they lie, unless these are few. Then the last tile is filled up.
int64_t WordsInTile(int64_t words) {
  for (int64_t part = std::min(words, kTileWords); part >= std::min(words, kTileWords / 2);
       --part) {
    if (words % part == 0) return part;
  }
  return Pieces(words, Pieces(words, kTileWords));
}

// Returns the rows of a tile of a block with m places, or 0 if tiles cannot make it up.
int64_t RowsInTile(int64_t m) {
  const int64_t tiles = Pieces(m, kTileRows);
  return m % tiles == 0 ? m / tiles : 0;
}

}  // namespace

std::optional<DotInstruction> TileInstructionOf(const LoweredKernel& kernel) {
  auto dot = DotInstructionOf(kernel, /*tiles=*/true);
  if (!dot) return std::nullopt;
  const Hero& hero = *kernel.heroes[0];
  const int64_t words = WordsOf(hero, *dot);
  if (words < 2) return std::nullopt;
  dot->step = WordsInTile(words);
  // What fills up the words of a group of an image's features would be the next group's.
  if (hero.kind == Hero::Kind::kConvolution && !HasWholeWords(hero, *dot) &&
      hero.instruction->operand(0)->shape.dim(hero.instruction->GetConvDims().input_feature) !=
          hero.reduce_extents[0]) {
    return std::nullopt;
  }
  return dot;
}

std::optional<TileBlock> BestTileBlock(const Hero& hero, const DotInstruction& dot) {
  // A tile of 16 × 16 outputs takes as long with fewer rows or words. AVX-512 has an eighth of the
  // multipliers.
  constexpr int64_t kLeastPlaces = 16, kLeastBytes = 64, kLeastProducts = 64;
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  const int64_t bytes = Product(hero.reduce_extents) * 4 / dot.terms;
  if (n < kTileLanes || m < 2 || Product(hero.axes) / n < kLeastPlaces || bytes < kLeastBytes)
    return std::nullopt;
  TileBlock block;
  const int64_t panels = OwnPanels(hero);
  block.n = n >= 2 * kTileLanes && panels % (2 * kTileLanes) == 0 ? 2 * kTileLanes : kTileLanes;
  if (panels % block.n != 0) return std::nullopt;
  if (m <= kTileRows) {
    block.m = m;
  } else {
    // Two tiles of rows where these are even, in steps of about the same size.
    block.m = Pieces(m, Pieces(m, 2 * kTileRows));
    if (block.m % 2 != 0) ++block.m;
    if (block.m > m) block.m = Pieces(m, 2);
  }
  if (RowsInTile(block.m) * dot.step < kLeastProducts) return std::nullopt;
  return block;
}

void ScheduleTileProduct(ContractionFuncs& product, const Hero& hero, const Roles& roles,
                         const DotInstruction& dot, const TileBlock& block) {
  const int64_t rows = RowsInTile(block.m);
  if (block.n % kTileLanes != 0 || rows < 2 ||
      block.n / kTileLanes * (block.m / rows) > kMostSumTiles) {
    throw lowering::LimitError(
        "words=2 needs up to four tiles of 16 elements along n and 2 to 16 along m");
  }
  const Var n = hero.axes[0].var, m = hero.axes[roles.m].var;
  Var lane("lane"), row(lowering::kTileRow);
  RVar step("tile_step"), word(lowering::kTileWord);
  Halide::Stage update = product.accumulator.update();
  update.split(n, n, lane, static_cast<int>(kTileLanes), TailStrategy::RoundUp)
      .split(m, m, row, static_cast<int>(rows), TailStrategy::RoundUp)
      .split(product.r[0], step, word, static_cast<int>(dot.step));
  std::vector<VarOrRVar> order = {lane, word, row, n, m, step};
  order.insert(order.end(), product.r.begin() + 1, product.r.end());
  update.reorder(order).vectorize(lane).unroll(n).unroll(m);
}

}  // namespace halyard::schedules
