// contraction on x86: a register tile has tile_n × tile_m accumulators. The vector factor is read
// in vectors, and the other is broadcast. A task is a block of block_m × tile_n outputs. It first
// packs its panel of the vector factor (all of k, tile_n wide), so that the inner loop reads it in
// order. The padded input of a convolution is stored for a task, so that the inner loop has no
// bounds checks. Packing follows Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication" (2008). Sums of products of narrow integers take two terms of k at a time, which
// are neighbours in the packed panel: one multiply-add instruction of pairs of 16-bit integers
// (pmaddwd).
//
// pack: 0 reads the vector factor where it lies. 1 packs panels. 2 packs panels that go over the
// rows of an image (im2col, a panel at a time); their product is stored, and the outputs then read
// it.

#include <algorithm>
#include <numeric>

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
  Tile best;
  for (int64_t width = std::min<int64_t>(lanes, 1 << 6); width >= 1; width /= 2) {
    if (width > room) continue;
    for (int64_t vectors = 1; vectors <= (width == lanes ? 4 : 1); ++vectors) {
      if (width * vectors > room) continue;
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

// Rows of a task: enough to pay for packing, few enough that there are tasks for every core.
int64_t DefaultBlockM(const LoweredKernel& kernel, const Hero& hero, const Tile& tile) {
  const int64_t m = ExtentM(hero), units = std::max<uint32_t>(1, kernel.device.compute_units);
  const int64_t others = Product(hero.axes) / std::max<int64_t>(1, m * tile.n);
  int64_t block = m;
  while (block > 4 * tile.m && others * ((m + block - 1) / block) < 2 * units)
    block = (block + 1) / 2;
  return std::max(tile.m, (block + tile.m - 1) / tile.m * tile.m);
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

// The loops of a product's tiles, as far as the accumulator and its factors need them.
struct ProductLoops {
  Var tile{"mo"}, step{"step"};
};

// `out` is the kernel's output or the stored product, over `axes`.
ProductLoops ScheduleTiles(const LoweredKernel& kernel, const Hero& hero, const Roles& roles,
                           const std::vector<Axis>& axes, int64_t tile_n, int64_t tile_m,
                           int64_t block_m, bool stored, Func& out) {
  ProductLoops loops;
  Var no("no"), ni("ni"), mb("mb"), mi("mi"), rows("rows");
  const Axis& n = axes[0];
  // A stored product has room for whole tiles.
  const TailStrategy tail_n = stored ? TailStrategy::RoundUp : Tail(kernel, n.extent, tile_n);
  out.split(n.var, no, ni, static_cast<int>(tile_n), tail_n);
  std::vector<VarOrRVar> order = {ni};
  std::vector<Var> tasks = {no};
  if (roles.m >= 0) {
    const Axis& m = axes[roles.m];
    out.split(m.var, mb, rows, static_cast<int>(block_m), Tail(kernel, m.extent, block_m));
    out.split(rows, loops.tile, mi, static_cast<int>(tile_m), Tail(kernel, block_m, tile_m));
    order.insert(order.end(), {VarOrRVar(mi), VarOrRVar(loops.tile), VarOrRVar(no), VarOrRVar(mb)});
    tasks.push_back(mb);
  } else {
    order.push_back(VarOrRVar(no));
  }
  for (size_t a = 1; a < axes.size(); ++a) {
    if (static_cast<int>(a) == roles.m) continue;
    order.push_back(VarOrRVar(axes[a].var));
    tasks.push_back(axes[a].var);
  }
  out.reorder(order);
  out.vectorize(ni, static_cast<int>(std::min(LanesOf(kernel), tile_n)), TailStrategy::RoundUp)
      .unroll(ni);
  if (roles.m >= 0) out.unroll(mi);
  // Small steps are joined into tasks of some 100,000 multiply-adds.
  Var fused = FuseVars(out, tasks), task("task");
  const int64_t steps = (Product(axes) + tile_n * block_m - 1) / (tile_n * block_m);
  const int64_t work = tile_n * block_m * Product(hero.reduce_extents);
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
  if (CanMerge(hero)) {
    const Hero merged = ProductOf(hero, kMergedPanels);
    const Tile wide = BestCpuTile(kernel, merged, WidestTile(kernel, merged, kMergedPanels));
    const int64_t block = DefaultBlockM(kernel, merged, wide);
    if (wide.cycles * kMergeGain < tile.cycles && block >= 4 * wide.m) {
      tile = wide;
      block_m = block;
      pack = kMergedPanels;
    }
  }
  Schedule schedule("contraction");
  schedule.Set("tile_n", tile.n).Set("tile_m", tile.m).Set("block_m", block_m).Set("pack", pack);
  // A few rows already pay for the packing that pairs need.
  if (TakesPairs(kernel)) schedule.Set("pairs", block_m >= 4 ? 1 : 0);
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
  for (int64_t r = 1; r <= 14; ++r) rows.push_back(r);
  for (int64_t b = 1; b <= m; b *= 2) blocks.push_back(b);
  std::vector<int64_t> packs = {kInPlace, kPanels};
  if (merges) packs.push_back(kMergedPanels);
  std::vector<Knob> space = {{"tile_n", Choices(widths, n, defaults.Get("tile_n"))},
                             {"tile_m", Choices(rows, m, defaults.Get("tile_m"))},
                             {"block_m", Choices(blocks, m, defaults.Get("block_m"))},
                             {"pack", packs}};
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
  const ProductLoops loops = ScheduleTiles(kernel, whole, roles, merged ? whole.axes : kernel.axes,
                                           tile_n, tile_m, block_m, merged, out);

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
