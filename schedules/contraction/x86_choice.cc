// contraction on x86: the defaults of its knobs and their possible values. x86.cc says
// what each knob does.

#include <algorithm>
#include <optional>

#include "schedules/contraction/x86.h"
#include "schedules/contraction/x86_tiles.h"
#include "schedules/contraction/x86_words.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using lowering::Hero;
using lowering::LoweredKernel;

namespace {

// Of an element that was converted to f32.
constexpr int64_t kWideBytes = 4;

struct Tile {
  int64_t n = 1, m = 1;
  double cycles = 1e300;  // of a step of k, for all tiles
};

// Bytes from a row of the broadcast factor to the next. The hero has an axis m.
int64_t RowBytes(const Hero& hero, const Roles& roles, bool widens) {
  if (!widens || BroadcastsImage(hero, roles)) {
    const int64_t stride = (roles.vector_is_rhs ? hero.lhs_strides : hero.rhs_strides)[roles.m];
    return stride *
           (widens ? kWideBytes : hlo::StorageBytes(BroadcastFactor(hero).shape.element_type()));
  }
  // A copy, which has the axes of the factor in the hero's order.
  const std::vector<bool>& own = roles.vector_is_rhs ? hero.lhs_axes : hero.rhs_axes;
  int64_t stride = Product(hero.reduce_extents);
  for (int a = 0; a < roles.m; ++a) stride *= own[a] ? hero.axes[a].extent : 1;
  return stride * kWideBytes;
}

// Returns how many rows of the broadcast factor may be walked side by side.
int64_t RowLimit(const Hero& hero, bool widens) {
  constexpr int64_t kMost = 14;
  Roles roles;
  if (!FindRoles(hero, &roles) || roles.m < 0) return kMost;
  return std::min(kMost, RowsInFirstCache(RowBytes(hero, roles, widens)));
}

// Whether the accumulators of a step and what they are computed from are in registers at once. LLVM
// joins the lanes of multiply-adds into vectors in an order that computes all rows with one vector
// before the next, so every row's broadcast number waits in a register. With 32 registers, it is
// read from memory instead.
bool FitsRegisters(const Hero& hero, int64_t registers, int64_t vectors, int64_t rows) {
  const hlo::ElementType type = hero.types[0];
  const bool joined = registers <= 16 && (hlo::IsFloat(type) || hlo::IsComplex(type));
  if (joined) return vectors * rows + (vectors > 1 ? rows : 1) + 1 <= registers;
  return vectors * rows + vectors + 1 <= registers - 1;
}

// The register tile with the fewest cycles by a simple count: two multiply-adds and two loads a
// cycle, four cycles between dependent multiply-adds, and whole tiles only.
// `room`: the widest tile. `widens`: the broadcast factor is converted before.
Tile BestCpuTile(const LoweredKernel& kernel, const Hero& hero, int64_t room, bool widens) {
  const int64_t lanes = LanesOf(kernel), n = hero.axes[0].extent, m = ExtentM(hero);
  const int64_t registers = kernel.device.x86_features & runtime::kX86Avx512 ? 32 : 16;
  const int64_t row_limit = RowLimit(hero, widens);
  const double others = static_cast<double>(Product(hero.axes)) / static_cast<double>(n * m);
  const int64_t panels = OwnPanels(hero);
  Tile best;
  for (int64_t width = std::min<int64_t>(lanes, 1 << 6); width >= 1; width /= 2) {
    if (width > room) continue;
    for (int64_t vectors = 1; vectors <= (width == lanes ? 4 : 1); ++vectors) {
      if (width * vectors > room || panels % (width * vectors) != 0) continue;
      for (int64_t rows = 1; rows <= std::min(m, row_limit); ++rows) {
        if (!FitsRegisters(hero, registers, vectors, rows)) continue;
        const double cycles_per_step =
            std::max({vectors * rows / 2.0, (vectors + rows) / 2.0, 4.0});
        const double tiles = static_cast<double>((n + width * vectors - 1) / (width * vectors)) *
                             static_cast<double>((m + rows - 1) / rows);
        const double cycles = others * tiles * (cycles_per_step + 0.25);
        if (cycles < best.cycles * 0.999) best = {width * vectors, rows, cycles};
      }
    }
  }
  return best;
}

// What a core's second cache holds of one factor beside what else is read.
constexpr int64_t kCachedBytes = 512 << 10;

// The places along m of a task that packs its panel: enough to pay for packing, and few enough that
// every core has tasks.
int64_t DefaultBlockM(const LoweredKernel& kernel, const Hero& hero, const Tile& tile) {
  const int64_t m = ExtentM(hero), units = runtime::UnitsOf(kernel.device);
  const int64_t others = Product(hero.axes) / std::max<int64_t>(1, m * tile.n);
  int64_t block = m;
  while (block > 4 * tile.m && others * ((m + block - 1) / block) < 2 * units)
    block = (block + 1) / 2;
  return std::max(tile.m, (block + tile.m - 1) / tile.m * tile.m);
}

// Cuts `extent` into pieces of whole steps, of about `most` at most, and returns their length. A
// last piece that is shorter overlaps the one before and computes elements twice, so lengths that
// divide the steps are preferred.
int64_t EqualPieces(int64_t extent, int64_t most, int64_t step) {
  const int64_t steps = (extent + step - 1) / step, room = std::max<int64_t>(1, most / step);
  const int64_t fewest = (steps + room - 1) / room;
  int64_t best = room, least = INT64_MAX;
  for (int64_t pieces = fewest; pieces <= 2 * fewest && pieces <= steps; ++pieces) {
    const int64_t piece = (steps + pieces - 1) / pieces;
    if (pieces * piece >= least) continue;
    least = pieces * piece;
    best = piece;
  }
  return best * step;
}

// How the outputs of a product whose factors lie well in memory are walked.
struct Walk {
  int64_t block_m = 1, rows = 1;  // outputs that all panels give before the next block
  bool by_panel = false;          // instead: all outputs of a panel before the next panel
};

// How much longer a matrix takes to fetch that comes in bursts: the panels of large weights come
// during the first tile of a block, but the broadcast factor comes evenly, beside the sums. AMX
// computes so fast that it waits for either.
constexpr int64_t kBurst = 2, kTilesBurst = 1;

// Chooses the walk that waits less for what it fetches from beyond the second cache. Block by
// block, a block's share of the broadcast factor stays there, and all panels are fetched for each
// block, unless they stay too. Panel by panel, a panel stays there, and the whole broadcast factor
// is fetched for each.
Walk BestWalk(const LoweredKernel& kernel, const Hero& hero, const Tile& tile, bool widens,
              int64_t burst) {
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero), rows = RowsOf(hero);
  const int64_t places = Product(hero.axes) / std::max<int64_t>(1, n);
  const int64_t panels_bytes = VectorFactor(hero).shape.ByteSize(),
                other_bytes = widens ? BroadcastFactor(hero).shape.NumElements() * kWideBytes
                                     : BroadcastFactor(hero).shape.ByteSize();
  const int64_t place_bytes = std::max<int64_t>(1, other_bytes / std::max<int64_t>(1, places));
  const bool panels_stay = panels_bytes <= kCachedBytes;
  const int64_t room = std::max<int64_t>(1, kCachedBytes / (panels_stay ? 4 : 1) / place_bytes);
  Walk walk;
  walk.block_m = EqualPieces(m, std::max(room, tile.m), tile.m);
  walk.rows =
      panels_stay ? 1 : EqualPieces(rows, std::max<int64_t>(1, room / std::max<int64_t>(1, m)), 1);
  const int64_t block = std::min(walk.block_m, m) * walk.rows;
  const int64_t by_blocks =
      other_bytes + (panels_stay ? 1 : (places + block - 1) / block) * panels_bytes;
  const int64_t times = other_bytes <= kCachedBytes ? 1 : (n + tile.n - 1) / tile.n;
  const bool bursts = hero.kind == Hero::Kind::kContraction && panels_bytes > 4 * kCachedBytes &&
                      block < places && panels_bytes / n * tile.n <= kCachedBytes;
  const int64_t of_blocks = bursts ? burst * by_blocks : by_blocks;
  walk.by_panel = panels_bytes + times * other_bytes < of_blocks;
  const int64_t units = runtime::UnitsOf(kernel.device);
  auto tasks = [&] {
    return (n + tile.n - 1) / tile.n * ((m + walk.block_m - 1) / walk.block_m) *
           ((rows + walk.rows - 1) / walk.rows) * (places / std::max<int64_t>(1, m * rows));
  };
  while (walk.rows > 1 && tasks() < 4 * units)
    walk.rows = EqualPieces(rows, (walk.rows + 1) / 2, 1);
  while (walk.block_m > 4 * tile.m && tasks() < 2 * units)
    walk.block_m = EqualPieces(m, (walk.block_m + 1) / 2, tile.m);
  return walk;
}

// Whether the vector factor may be read where it lies as well as from a panel: an array whose rows
// lie along n, so short that the rows of a panel spread over the sets of the first cache, and that
// the second cache holds as a whole.
bool ReadsWellInPlace(const Hero& hero) {
  constexpr int64_t kRowBytes = 1024, kFactorBytes = 256 << 10;
  Roles roles;
  if (!FindRoles(hero, &roles) || VectorStride(hero) != 1) return false;
  const hlo::Instruction& factor = VectorFactor(hero);
  if (OwnPanels(hero) > 0) return true;
  if (factor.opcode != hlo::Opcode::kParameter || factor.shape.rank() == 0) return false;
  const hlo::Shape& shape = factor.shape;
  return shape.dim(shape.rank() - 1) * hlo::StorageBytes(shape.element_type()) <= kRowBytes &&
         shape.ByteSize() <= kFactorBytes;
}

// Packing a panel takes longer than a row of a small image, so it serves as many rows as leave
// tasks for every core.
int64_t RowsOfPanel(const LoweredKernel& kernel, const Hero& product, const Tile& tile,
                    int64_t block_m) {
  const int64_t rows = RowsOf(product), units = runtime::UnitsOf(kernel.device);
  const int64_t steps = Product(product.axes) / (tile.n * block_m);
  return EqualPieces(rows, std::clamp<int64_t>(steps / (2 * units), 1, rows), 1);
}

// Merged panels must gain what packing them by gathers and storing their product cost.
constexpr double kMergeGain = 1.25;

// Rows of so many places fill tiles by themselves.
constexpr int64_t kWideRow = 64;

// The widest tile, because a stored product has room for whole vectors.
int64_t WidestTile(const LoweredKernel& kernel, const Hero& product, int64_t pack) {
  const int64_t n = product.axes[0].extent, lanes = LanesOf(kernel);
  return pack == kMergedPanels ? (n + lanes - 1) / lanes * lanes : n;
}

// Whether the broadcast factor of pairs, which is widened as a whole, can be a Func: Halide counts
// bytes in 32 bits.
bool PairsFit(const Hero& hero) {
  Roles roles;
  if (hero.kind != Hero::Kind::kContraction || !FindRoles(hero, &roles)) return true;
  return BroadcastElements(hero, roles) <= INT32_MAX / static_cast<int64_t>(sizeof(int16_t));
}

// How AMX tiles compute the kernel.
struct TileChoice {
  Tile tile;
  Walk walk;
  Pack pack = kInPlace;
};

// Returns nothing if tiles do not pay.
std::optional<TileChoice> ChooseTiles(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const auto dot = TileInstructionOf(kernel);
  if (!dot) return std::nullopt;
  TileChoice choice;
  if (CanMerge(hero) && hero.axes[0].extent < kWideRow) choice.pack = kMergedPanels;
  const Hero product = ProductOf(hero, choice.pack);
  const auto block = BestTileBlock(product, *dot);
  if (!block) return std::nullopt;
  choice.tile = {block->n, block->m};
  if (choice.pack == kInPlace && HasWordPanels(hero, *dot)) {
    choice.walk = BestWalk(kernel, hero, choice.tile, false, kTilesBurst);
    return choice;
  }
  if (choice.pack == kInPlace) choice.pack = kPanels;
  choice.walk.block_m = DefaultBlockM(kernel, product, choice.tile);
  if (choice.pack == kPanels)
    choice.walk.rows = RowsOfPanel(kernel, product, choice.tile, choice.walk.block_m);
  return choice;
}

}  // namespace

Schedule CpuContractionDefaults(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const auto dot = DotInstructionOf(kernel);
  const bool widens = !dot && WidensBroadcast(kernel, hero);
  Tile tile = BestCpuTile(kernel, hero, WidestTile(kernel, hero, kPanels), widens);
  int64_t block_m = DefaultBlockM(kernel, hero, tile);
  // Packing also converts.
  const bool lies_well = ReadsWellInPlace(hero) && (dot || !ConvertsVector(hero));
  Pack pack = block_m >= 4 * tile.m && !lies_well ? kPanels : kInPlace;
  Walk walk = BestWalk(kernel, hero, tile, widens, kBurst);
  if (pack == kPanels) walk = {block_m, 1, false};
  // Vectors of elements that lie apart are gathered, a line of the first cache for each of them. A
  // panel is gathered better (SchedulePacked), however few places or rows of an image it serves.
  if (pack == kInPlace && VectorStrideBytes(hero) >= kCacheLine) {
    const int64_t image_rows = RowsOfPanel(kernel, hero, tile, block_m);
    if (block_m * image_rows > 1) {
      pack = kPanels;
      walk = {block_m, image_rows, false};
    }
  }
  if (CanMerge(hero)) {
    const Hero merged = ProductOf(hero, kMergedPanels);
    const Tile wide =
        BestCpuTile(kernel, merged, WidestTile(kernel, merged, kMergedPanels), widens);
    const int64_t block = DefaultBlockM(kernel, merged, wide);
    if (wide.cycles * kMergeGain < tile.cycles && block >= 4 * wide.m) {
      tile = wide;
      walk = {block, 1, false};
      pack = kMergedPanels;
    }
  }
  const auto tiles = ChooseTiles(kernel);
  if (tiles) {
    tile = tiles->tile;
    walk = tiles->walk;
    pack = tiles->pack;
  }
  Schedule schedule(kContraction.name);
  schedule.Set("tile_n", tile.n).Set("tile_m", tile.m).Set("block_m", walk.block_m);
  schedule.Set("pack", pack).Set("by_panel", walk.by_panel ? 1 : 0);
  if (RowsOf(hero) > 1) schedule.Set("rows", walk.rows);
  // A few places already pay for the packing that words and pairs need.
  const bool pays = walk.block_m >= 4;
  if (dot) {
    const bool takes = tile.n >= kLeastWordLanes && (pays || HasWordPanels(hero, *dot));
    schedule.Set("words", tiles ? kTiles : takes ? 1 : 0);
  } else if (TakesPairs(kernel)) {
    schedule.Set("pairs", pays && PairsFit(hero) ? 1 : 0);
  }
  return schedule;
}

std::vector<Knob> CpuContractionSpace(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const Schedule defaults = CpuContractionDefaults(kernel);
  const bool merges = CanMerge(hero);
  const Pack widest = merges ? kMergedPanels : kPanels;
  const int64_t n = WidestTile(kernel, ProductOf(hero, widest), widest);
  const int64_t m = ExtentM(hero);
  std::vector<int64_t> widths = PowersOfTwo(1, LanesOf(kernel)), rows, blocks;
  for (int64_t v = 2; v <= 4; ++v) widths.push_back(v * LanesOf(kernel));
  if (const int64_t panels = OwnPanels(hero))
    std::erase_if(widths, [panels](int64_t width) { return panels % width != 0; });
  for (int64_t r = 1; r <= 14; ++r) rows.push_back(r);
  const bool tiles = defaults.Has("words") && TileInstructionOf(kernel).has_value();
  if (tiles) rows.insert(rows.end(), {16, 24, 28, 32});
  for (int64_t b = 1; b <= m; b *= 2) blocks.push_back(b);
  blocks.push_back(m);
  std::vector<int64_t> packs = {kInPlace, kPanels};
  if (merges) packs.push_back(kMergedPanels);
  std::vector<Knob> space = {{"tile_n", Choices(widths, n, defaults.Get("tile_n"))},
                             {"tile_m", Choices(rows, m, defaults.Get("tile_m"))},
                             {"block_m", Choices(blocks, m, defaults.Get("block_m"))},
                             {"pack", packs},
                             {"by_panel", {0, 1}}};
  if (defaults.Has("rows")) {
    std::vector<int64_t> image_rows = PowersOfTwo(1, RowsOf(hero));
    image_rows.push_back(RowsOf(hero));
    space.push_back({"rows", Choices(image_rows, RowsOf(hero), defaults.Get("rows"))});
  }
  if (defaults.Has("words"))
    space.push_back(
        {"words", tiles ? std::vector<int64_t>{0, 1, kTiles} : std::vector<int64_t>{0, 1}});
  if (defaults.Has("pairs")) {
    space.push_back(
        {"pairs", PairsFit(hero) ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{0}});
  }
  return space;
}

}  // namespace halyard::schedules
