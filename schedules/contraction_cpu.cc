// contraction on x86: a register tile of tile_n × tile_m accumulators; the vector factor is read in
// vectors, the other broadcast. Tasks are blocks of block_m × tile_n outputs; each packs its panel
// of the vector factor (all of k, tile_n wide) first, so that the inner loop reads it in order. A
// convolution's padded input is stored for a task, so that the inner loop has no bounds checks.
// Packing follows Goto and van de Geijn, "Anatomy of high-performance matrix multiplication"
// (2008). Sums of products of narrow integers take two terms of k at a time, which are neighbours
// in the packed panel: one multiply-add instruction of pairs of 16-bit integers (pmaddwd). Constant
// weights come in panels already (lowering/packed_factor.h), of which a tile reads one.
//
// rows: a block of a convolution has that many rows of the image, each of block_m places, so that a
// panel that only the second cache holds is fetched for all of them.
//
// pack: 0 reads the vector factor where it lies, 1 packs panels, 2 packs panels that go over the
// rows of an image (im2col, a panel at a time), whose product is stored and then read by the
// outputs.

#include <algorithm>
#include <numeric>

#include "lowering/packed_factor.h"
#include "schedules/contraction.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::Axis;
using lowering::Hero;
using lowering::LoweredKernel;

namespace {

int64_t LanesOf(const LoweredKernel& kernel) {
  const int bytes = hlo::StorageBytes(kernel.heroes[0]->types[0]);
  return std::max<int64_t>(1, VectorLanes(kernel) * 4 / std::max(4, bytes));
}

enum Pack : int64_t { kInPlace = 0, kPanels = 1, kMergedPanels = 2 };

struct Tile {
  int64_t n = 1, m = 1;
  double cycles = 1e300;  // of a step of k, all tiles
};

// Whether the image of a row, of which vectors have too few elements, has others to go on with.
bool CanMerge(const Hero& hero) {
  const int count = VectorAxes(hero);
  int64_t total = 1;
  for (int a = 0; a < count; ++a) total *= hero.axes[a].extent;
  Roles roles;
  return count > 1 && total > hero.axes[0].extent && total <= INT32_MAX &&
         FindRoles(hero, &roles) && roles.m >= count;
}

// The factor's own panels are this wide; 0: it has none.
int64_t OwnPanels(const Hero& hero) {
  Roles roles;
  if (!FindRoles(hero, &roles)) return 0;
  return lowering::PanelWidth(*hero.instruction->operand(roles.vector_is_rhs ? 1 : 0));
}

// The first axis besides m that only the broadcast factor depends on: an image's rows; -1: none.
int RowsAxis(const Hero& hero, const Roles& roles) {
  const std::vector<bool>& vector_axes = roles.vector_is_rhs ? hero.rhs_axes : hero.lhs_axes;
  for (int a = 1; roles.m >= 0 && a < static_cast<int>(hero.axes.size()); ++a) {
    if (a != roles.m && hero.axes[a].extent > 1 && !vector_axes[a]) return a;
  }
  return -1;
}

int64_t RowsOf(const Hero& hero) {
  Roles roles;
  FindRoles(hero, &roles);
  const int axis = RowsAxis(hero, roles);
  return axis < 0 ? 1 : hero.axes[axis].extent;
}

// How many rows of the broadcast factor may be walked side by side: rows a multiple of 4 KiB apart
// fall into one set of the first cache, of which most CPUs have 8 ways at least.
int64_t RowLimit(const Hero& hero) {
  constexpr int64_t kLine = 64, kSets = 64, kWays = 8, kMost = 14;
  Roles roles;
  if (!FindRoles(hero, &roles) || roles.m < 0) return kMost;
  const int64_t stride = (roles.vector_is_rhs ? hero.lhs_strides : hero.rhs_strides)[roles.m];
  const hlo::Instruction* operand = hero.instruction->operand(roles.vector_is_rhs ? 0 : 1);
  const int64_t bytes = stride * hlo::StorageBytes(operand->shape.element_type());
  if (bytes == 0 || bytes % kLine != 0) return kMost;
  return std::min(
      kMost, kWays * (kSets /
                      std::gcd(kSets, bytes / kLine % kSets == 0 ? kSets : bytes / kLine % kSets)));
}

// The register tile with the fewest cycles by a simple count: two multiply-adds and two loads a
// cycle, four cycles between dependent multiply-adds, and whole tiles only.
// `room`: the widest tile.
Tile BestCpuTile(const LoweredKernel& kernel, const Hero& hero, int64_t room) {
  const int64_t lanes = LanesOf(kernel), n = hero.axes[0].extent, m = ExtentM(hero);
  const int64_t registers = kernel.device.x86_features & runtime::kX86Avx512 ? 32 : 16;
  const int64_t row_limit = RowLimit(hero);
  const double others = static_cast<double>(Product(hero.axes)) / static_cast<double>(n * m);
  const int64_t panels = OwnPanels(hero);
  Tile best;
  for (int64_t width = std::min<int64_t>(lanes, 1 << 6); width >= 1; width /= 2) {
    if (width > room) continue;
    for (int64_t vectors = 1; vectors <= (width == lanes ? 4 : 1); ++vectors) {
      if (width * vectors > room || panels % (width * vectors) != 0) continue;
      for (int64_t rows = 1; rows <= std::min(m, row_limit); ++rows) {
        if (vectors * rows + vectors + 1 > registers - 1) continue;
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

// What a core's second cache holds of weights beside what else is read.
constexpr int64_t kCachedBytes = 512 << 10;

int64_t FactorBytes(const Hero& hero) {
  Roles roles;
  FindRoles(hero, &roles);
  return hero.instruction->operand(roles.vector_is_rhs ? 1 : 0)->shape.ByteSize();
}

int64_t OtherFactorBytes(const Hero& hero) {
  Roles roles;
  FindRoles(hero, &roles);
  return hero.instruction->operand(roles.vector_is_rhs ? 0 : 1)->shape.ByteSize();
}

// Places of a task along m: enough to pay for packing, few enough that there are tasks for every
// core.
int64_t DefaultBlockM(const LoweredKernel& kernel, const Hero& hero, const Tile& tile) {
  const int64_t m = ExtentM(hero), units = std::max<uint32_t>(1, kernel.device.compute_units);
  const int64_t others = Product(hero.axes) / std::max<int64_t>(1, m * tile.n);
  int64_t block = m;
  while (block > 4 * tile.m && others * ((m + block - 1) / block) < 2 * units)
    block = (block + 1) / 2;
  return std::max(tile.m, (block + tile.m - 1) / tile.m * tile.m);
}

// The length of pieces of `extent`, whole steps, at most about `most` each. The last piece overlaps
// the one before, which computes elements twice: lengths that divide the steps do not.
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

// The walk for which less comes from beyond the second cache. Block by block, each block's share of
// the broadcast factor stays there, and all panels come for each block, unless they stay too; panel
// by panel, a panel stays there, and the whole broadcast factor comes for each.
Walk BestWalk(const LoweredKernel& kernel, const Hero& hero, const Tile& tile) {
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero), rows = RowsOf(hero);
  const int64_t places = Product(hero.axes) / std::max<int64_t>(1, n);
  const int64_t panels_bytes = FactorBytes(hero), other_bytes = OtherFactorBytes(hero);
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
  walk.by_panel = panels_bytes + times * other_bytes < by_blocks;
  const int64_t units = std::max<uint32_t>(1, kernel.device.compute_units);
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
  if (!FindRoles(hero, &roles)) return false;
  if ((roles.vector_is_rhs ? hero.rhs_strides : hero.lhs_strides)[0] != 1) return false;
  const hlo::Instruction* factor = hero.instruction->operand(roles.vector_is_rhs ? 1 : 0);
  if (lowering::IsPackedFactor(*factor)) return true;
  if (factor->opcode != hlo::Opcode::kParameter || factor->shape.rank() == 0) return false;
  const hlo::Shape& shape = factor->shape;
  return shape.dim(shape.rank() - 1) * hlo::StorageBytes(shape.element_type()) <= kRowBytes &&
         shape.ByteSize() <= kFactorBytes;
}

// Merged panels must gain what packing them by gathers and storing their product cost.
constexpr double kMergeGain = 1.25;

// The hero as its product is computed: with merged axes for merged panels.
Hero ProductOf(const Hero& hero, int64_t pack) {
  if (pack != kMergedPanels) return hero;
  if (!CanMerge(hero)) throw lowering::LimitError("pack=2: there are no axes to merge");
  return MergeAxes(hero, VectorAxes(hero), Var("merged"));
}

// The widest tile: a stored product has room for whole vectors.
int64_t WidestTile(const LoweredKernel& kernel, const Hero& product, int64_t pack) {
  const int64_t n = product.axes[0].extent, lanes = LanesOf(kernel);
  return pack == kMergedPanels ? (n + lanes - 1) / lanes * lanes : n;
}

// How a product is cut: knobs of the schedule.
struct Blocks {
  int64_t tile_n = 1, tile_m = 1;  // a register tile
  int64_t block_m = 1, rows = 1;  // what a step does with a panel: places along m, rows of an image
  bool by_panel = false;          // the panel is the slowest loop
};

// The loops of a product's tiles, as far as the accumulator and its factors need them.
struct ProductLoops {
  Var tile{"mo"}, step{"step"};
};

// `out` is the kernel's output or the stored product, over `axes`.
ProductLoops ScheduleTiles(const LoweredKernel& kernel, const Hero& hero, const Roles& roles,
                           const std::vector<Axis>& axes, const Blocks& blocks, bool stored,
                           Func& out) {
  const auto [tile_n, tile_m, block_m, rows, by_panel] = blocks;
  const int rows_axis = RowsAxis(hero, roles);
  ProductLoops loops;
  Var no("no"), ni("ni"), mb("mb"), mi("mi"), places("places"), row("row"), row_block("row_block");
  const Axis& n = axes[0];
  // A stored product has room for whole tiles.
  const TailStrategy tail_n = stored ? TailStrategy::RoundUp : Tail(kernel, n.extent, tile_n);
  out.split(n.var, no, ni, static_cast<int>(tile_n), tail_n);
  std::vector<VarOrRVar> order = {ni};
  std::vector<Var> tasks = {no};
  if (roles.m >= 0) {
    const Axis& m = axes[roles.m];
    out.split(m.var, mb, places, static_cast<int>(block_m), Tail(kernel, m.extent, block_m));
    out.split(places, loops.tile, mi, static_cast<int>(tile_m), Tail(kernel, block_m, tile_m));
    order.insert(order.end(), {VarOrRVar(mi), VarOrRVar(loops.tile)});
    tasks.push_back(mb);
  }
  for (int a = 1; a < static_cast<int>(axes.size()); ++a) {
    if (a == roles.m) continue;
    Var var = axes[a].var;
    if (a == rows_axis && rows > 1) {
      out.split(var, row_block, row, static_cast<int>(rows), Tail(kernel, axes[a].extent, rows));
      order.push_back(VarOrRVar(row));
      var = row_block;
    }
    tasks.push_back(var);
  }
  if (by_panel) std::rotate(tasks.begin(), tasks.begin() + 1, tasks.end());
  order.insert(order.end(), tasks.begin(), tasks.end());
  out.reorder(order);
  out.vectorize(ni, static_cast<int>(std::min(LanesOf(kernel), tile_n)), TailStrategy::RoundUp)
      .unroll(ni);
  if (roles.m >= 0) out.unroll(mi);
  // Small steps are joined into tasks of some 100,000 multiply-adds.
  Var fused = FuseVars(out, tasks), task("task");
  const int64_t block = tile_n * block_m * rows;
  const int64_t steps = (Product(axes) + block - 1) / block;
  const int64_t work = block * Product(hero.reduce_extents);
  const int64_t per_task = std::clamp<int64_t>(262144 / std::max<int64_t>(1, work), 1, steps);
  out.split(fused, task, loops.step, static_cast<int>(per_task), TailStrategy::GuardWithIf);
  if (steps > per_task) out.parallel(task);
  if (roles.m < 0) loops.tile = loops.step;
  return loops;
}

// The outputs of a stored product: vectors over the axes that were merged.
void ScheduleOutputOfStored(LoweredKernel& kernel, int merged) {
  Func& out = kernel.output;
  std::vector<Var> image, outer;
  int64_t elements = 1;
  for (int a = 0; a < static_cast<int>(kernel.axes.size()); ++a) {
    (a < merged ? image : outer).push_back(kernel.axes[a].var);
    if (a < merged) elements *= kernel.axes[a].extent;
  }
  const int64_t lanes = VectorLanes(kernel);
  out.vectorize(FuseVars(out, image), static_cast<int>(std::min(lanes, elements)),
                Tail(kernel, elements, std::min(lanes, elements)));
  ParallelOuter(out, outer, Product(kernel.axes, merged),
                std::max<int64_t>(1, 16384 / std::max<int64_t>(1, elements)));
}

// Vectors along the first dimension if there are whole ones, tasks of the rest from `outer` on.
void ScheduleCopy(Func& func, int64_t inner, int64_t elements, int64_t lanes, size_t outer) {
  constexpr int64_t kSmall = 65536;
  func.compute_root();
  const std::vector<Var> vars = func.args();
  if (inner >= lanes) func.vectorize(vars[0], static_cast<int>(lanes), TailStrategy::GuardWithIf);
  if (vars.size() > 1 && elements > kSmall) {
    outer = std::min(outer, vars.size() - 1);
    func.parallel(FuseVars(func, std::vector<Var>(vars.begin() + outer, vars.end())));
  }
}

}  // namespace

Schedule CpuContractionDefaults(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  Tile tile = BestCpuTile(kernel, hero, WidestTile(kernel, hero, kPanels));
  int64_t block_m = DefaultBlockM(kernel, hero, tile);
  Pack pack = block_m >= 4 * tile.m && !ReadsWellInPlace(hero) ? kPanels : kInPlace;
  Walk walk = BestWalk(kernel, hero, tile);
  if (pack == kPanels) walk = {block_m, 1, false};
  if (CanMerge(hero)) {
    const Hero merged = ProductOf(hero, kMergedPanels);
    const Tile wide = BestCpuTile(kernel, merged, WidestTile(kernel, merged, kMergedPanels));
    const int64_t block = DefaultBlockM(kernel, merged, wide);
    if (wide.cycles * kMergeGain < tile.cycles && block >= 4 * wide.m) {
      tile = wide;
      walk = {block, 1, false};
      pack = kMergedPanels;
    }
  }
  Schedule schedule("contraction");
  schedule.Set("tile_n", tile.n).Set("tile_m", tile.m).Set("block_m", walk.block_m);
  schedule.Set("pack", pack).Set("by_panel", walk.by_panel ? 1 : 0);
  if (RowsOf(hero) > 1) schedule.Set("rows", walk.rows);
  // A few places already pay for the packing that pairs need.
  if (TakesPairs(kernel)) schedule.Set("pairs", walk.block_m >= 4 ? 1 : 0);
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
  if (TakesPairs(kernel)) space.push_back({"pairs", {0, 1}});
  return space;
}

void ApplyContractionOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  const int64_t pack = schedule.Get("pack");
  const bool pairs = schedule.Has("pairs") && schedule.Get("pairs") == 1;
  const bool merged = pack == kMergedPanels;
  Hero whole = ProductOf(hero, pack);
  Roles roles;
  FindRoles(whole, &roles);
  const int64_t tile_n = schedule.Get("tile_n"), tile_m = roles.m < 0 ? 1 : schedule.Get("tile_m");
  const int64_t block_m =
      roles.m < 0 ? 1 : std::min(whole.axes[roles.m].extent, schedule.Get("block_m"));
  if (!merged && CanMerge(hero) && tile_n > hero.axes[0].extent)
    throw lowering::LimitError("tile_n is more than a row, which only pack=2 goes over");
  const int64_t rows =
      RowsAxis(whole, roles) < 0 ? 1 : std::min(RowsOf(whole), schedule.Get("rows"));
  ContractionFuncs product = DefineContraction(kernel, whole, roles, pack != kInPlace, pairs);
  hero.result = product.accumulator;
  hero.read = whole.read;
  Func stored("product");
  if (merged) {
    stored(lowering::VarsOf(whole.axes)) = product.accumulator(lowering::VarsOf(whole.axes));
    hero.read = [stored, &hero](const lowering::Indices& index) {
      const int count = VectorAxes(hero);
      lowering::Indices at = {MergedIndex(hero, count, index)};
      at.insert(at.end(), index.begin() + count, index.end());
      return std::vector<Expr>{Expr(stored(at))};
    };
  }
  kernel.BuildOutput();
  if (merged) {
    stored.compute_root();
    ScheduleOutputOfStored(kernel, VectorAxes(hero));
  }
  Func& out = merged ? stored : kernel.output;
  const ProductLoops loops =
      ScheduleTiles(kernel, whole, roles, merged ? whole.axes : kernel.axes,
                    {tile_n, tile_m, block_m, rows, schedule.Get("by_panel") == 1}, merged, out);

  const int64_t lanes = std::min(LanesOf(kernel), tile_n);
  product.accumulator.compute_at(out, loops.tile);
  // Tiles are whole (the last ones shifted inwards), which Halide does not always see.
  if (!kernel.in_place && roles.m >= 0)
    product.accumulator.bound_extent(whole.axes[roles.m].var, static_cast<int>(tile_m));
  ScheduleAccumulator(product, whole, roles, lanes);
  if (product.packed.defined()) {
    product.packed.compute_at(out, loops.step)
        .vectorize(product.packed_axes[0].var, static_cast<int>(lanes), TailStrategy::RoundUp);
    if (pairs)
      product.packed.bound(product.packed.args()[0], 0, 2).unroll(product.packed.args()[0]);
  }
  if (product.wide.defined()) {
    const int64_t elements =
        Product(whole.reduce_extents) * Product(whole.axes) / whole.axes[0].extent;
    ScheduleCopy(product.wide, whole.reduce_extents[0], elements, lanes, 1);
  }
  if (product.padded.defined()) {
    ScheduleCopy(product.padded, whole.padded_extents[0], Product(whole.padded_extents), lanes, 2);
  }
}

}  // namespace halyard::schedules
