#include "schedules/attention/x86_tiles.h"

#include <algorithm>

#include "runtime/device_info.h"
#include "schedules/attention/x86.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using lowering::Hero;
using lowering::LoweredKernel;

namespace {

int64_t LanesOf(const LoweredKernel& kernel, const Hero& hero) {
  return std::max<int64_t>(1, VectorLanes(kernel) * 4 / hlo::StorageBytes(hero.types[0]));
}

// Cuts the queries into blocks of whole tiles, of `most` rows at most. The last block overlaps the
// one before it, so the blocks are those that compute the fewest rows twice; tiles and blocks of
// few rows cost more for each (the weights are a fit to measurements on Zen 4).
void CutQueries(int64_t queries, int64_t largest_tile, int64_t most, X86AttentionTiles* tiles) {
  double least = 1e300;
  for (int64_t tile = std::min(largest_tile, queries); 2 * tile >= std::min(largest_tile, queries);
       --tile) {
    for (int64_t block = std::max<int64_t>(1, most / tile) * tile; block > 0; block -= tile) {
      const int64_t rows = (queries + block - 1) / block * block;
      const double for_each = 2 + 1 / static_cast<double>(tile) + 4 / static_cast<double>(block);
      const double cost = static_cast<double>(rows) * for_each;
      if (cost >= least) continue;
      least = cost;
      tiles->tile_q = tile;
      tiles->block_q = block;
    }
  }
}

X86AttentionTiles DefaultTiles(const LoweredKernel& kernel, const AttentionParts& parts) {
  X86AttentionTiles tiles;
  tiles.lanes_k = PowerOfTwoAtMost(std::min(LanesOf(kernel, *parts.scores), parts.keys));
  tiles.lanes_v = PowerOfTwoAtMost(std::min(LanesOf(kernel, *parts.product), parts.value_size));
  const bool many = kernel.device.x86_features & runtime::kX86Avx512;
  // With enough registers, a tile has four vectors by few rows where such tiles are whole, else two
  // by many.
  auto vectors = [many](int64_t extent, int64_t lanes) {
    const int64_t most = many && extent % (4 * lanes) == 0 ? 4 : 2;
    return std::clamp<int64_t>(extent / lanes, 1, most);
  };
  tiles.tile_k = tiles.lanes_k * vectors(parts.keys, tiles.lanes_k);
  tiles.tile_v = tiles.lanes_v * vectors(parts.value_size, tiles.lanes_v);
  const bool wide = std::max(tiles.tile_k / tiles.lanes_k, tiles.tile_v / tiles.lanes_v) == 4;
  // The first cache holds most of a block's scores, if blocks have enough rows then.
  constexpr int64_t kScoreBytes = 24 << 10, kFewRows = 32, kManyRows = 96;
  const int64_t rows = std::clamp(kScoreBytes / (4 * parts.keys), kFewRows, kManyRows);
  // The scores and weights of a block take at most three quarters of the second cache.
  const int64_t room = std::max<int64_t>(kernel.device.l2_bytes, 512 << 10) / 4 * 3;
  const int64_t most = std::min<int64_t>({rows, room / (8 * parts.keys), parts.queries});
  CutQueries(parts.queries, !many ? 5 : wide ? 5 : 12, most, &tiles);
  const int64_t blocks = std::clamp<int64_t>(512 / tiles.block_q, 1,
                                             (parts.queries + tiles.block_q - 1) / tiles.block_q);
  tiles.task_q = blocks * tiles.block_q;
  return tiles;
}

}  // namespace

X86AttentionTiles TilesOf(const LoweredKernel& kernel, const AttentionParts& parts,
                          const Schedule& schedule) {
  X86AttentionTiles tiles = DefaultTiles(kernel, parts);
  tiles.tile_q = schedule.Get("tile_q");
  tiles.tile_k = schedule.Get("tile_k");
  tiles.tile_v = schedule.Get("tile_v");
  while (tiles.lanes_k > tiles.tile_k) tiles.lanes_k /= 2;
  while (tiles.lanes_v > tiles.tile_v) tiles.lanes_v /= 2;
  tiles.block_q =
      std::min(schedule.Get("blocks"), std::max<int64_t>(1, parts.queries / tiles.tile_q)) *
      tiles.tile_q;
  tiles.task_q = schedule.Get("steps") * tiles.block_q;
  return tiles;
}

Schedule X86AttentionDefaults(const LoweredKernel& kernel) {
  const X86AttentionTiles tiles = DefaultTiles(kernel, PartsOf(kernel));
  return Schedule(kAttention.name)
      .Set("tile_q", tiles.tile_q)
      .Set("tile_k", tiles.tile_k)
      .Set("tile_v", tiles.tile_v)
      .Set("blocks", tiles.block_q / tiles.tile_q)
      .Set("steps", tiles.task_q / tiles.block_q);
}

std::vector<Knob> X86AttentionSpace(const LoweredKernel& kernel) {
  const AttentionParts parts = PartsOf(kernel);
  const X86AttentionTiles tiles = DefaultTiles(kernel, parts);
  const Schedule defaults = X86AttentionDefaults(kernel);
  auto multiples = [](int64_t lanes) {
    return std::vector<int64_t>{lanes, 2 * lanes, 3 * lanes, 4 * lanes};
  };
  return {{"tile_q", Choices({1, 2, 4, 5, 6, 8, 10, 12, 14}, parts.queries, tiles.tile_q)},
          {"tile_k", Choices(multiples(tiles.lanes_k), parts.keys, tiles.tile_k)},
          {"tile_v", Choices(multiples(tiles.lanes_v), parts.value_size, tiles.tile_v)},
          {"blocks",
           Choices({1, 2, 4, 6, 8, 12, 16}, std::max<int64_t>(1, parts.queries / tiles.tile_q),
                   defaults.Get("blocks"))},
          {"steps", Choices(PowersOfTwo(1, 64), 64, defaults.Get("steps"))}};
}

}  // namespace halyard::schedules
