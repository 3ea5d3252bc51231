// contraction on x86: a register tile of tile_n × tile_m accumulators; the vector factor is read in
// vectors, the other broadcast. Tasks are blocks of block_m × tile_n outputs; each packs its panel
// of the vector factor (all of k, tile_n wide) first, so that the inner loop reads it in order. A
// convolution's padded input is stored for a task, so that the inner loop has no bounds checks.
// Packing follows Goto and van de Geijn, "Anatomy of high-performance matrix multiplication"
// (2008). Sums of products of narrow integers take two terms of k at a time, which are neighbours
// in the packed panel: one multiply-add instruction of pairs of 16-bit integers (pmaddwd).

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

struct Tile {
  int64_t n = 1, m = 1;
};

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
Tile BestCpuTile(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const int64_t lanes = LanesOf(kernel), n = hero.axes[0].extent, m = ExtentM(hero);
  const int64_t registers = kernel.device.x86_features & runtime::kX86Avx512 ? 32 : 16;
  const int64_t row_limit = RowLimit(hero);
  Tile best;
  double best_cycles = 1e300;
  for (int64_t width = std::min<int64_t>(lanes, 1 << 6); width >= 1; width /= 2) {
    if (width > n) continue;
    for (int64_t vectors = 1; vectors <= (width == lanes ? 4 : 1); ++vectors) {
      if (width * vectors > n) continue;
      for (int64_t rows = 1; rows <= std::min(m, row_limit); ++rows) {
        if (vectors * rows + vectors + 1 > registers - 1) continue;
        const double cycles_per_step =
            std::max({vectors * rows / 2.0, (vectors + rows) / 2.0, 4.0});
        const double tiles = static_cast<double>((n + width * vectors - 1) / (width * vectors)) *
                             static_cast<double>((m + rows - 1) / rows);
        const double cycles = tiles * (cycles_per_step + 0.25);
        if (cycles < best_cycles * 0.999) {
          best_cycles = cycles;
          best = {width * vectors, rows};
        }
      }
    }
  }
  return best;
}

// Rows of a task: enough to pay for packing, few enough that there are tasks for every core.
int64_t DefaultBlockM(const LoweredKernel& kernel, const Tile& tile) {
  const Hero& hero = *kernel.heroes[0];
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

}  // namespace

Schedule CpuContractionDefaults(const LoweredKernel& kernel) {
  Schedule schedule("contraction");
  const Tile tile = BestCpuTile(kernel);
  const int64_t block_m = DefaultBlockM(kernel, tile);
  const bool pack = block_m >= 4 * tile.m && !ReadsWellInPlace(*kernel.heroes[0]);
  schedule.Set("tile_n", tile.n)
      .Set("tile_m", tile.m)
      .Set("block_m", block_m)
      .Set("pack", pack ? 1 : 0);
  // A few rows already pay for the packing that pairs need.
  if (TakesPairs(kernel)) schedule.Set("pairs", block_m >= 4 ? 1 : 0);
  return schedule;
}

std::vector<Knob> CpuContractionSpace(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const Schedule defaults = CpuContractionDefaults(kernel);
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  std::vector<int64_t> widths = PowersOfTwo(1, LanesOf(kernel)), rows, blocks;
  for (int64_t v = 2; v <= 4; ++v) widths.push_back(v * LanesOf(kernel));
  for (int64_t r = 1; r <= 14; ++r) rows.push_back(r);
  for (int64_t b = 1; b <= m; b *= 2) blocks.push_back(b);
  std::vector<Knob> space = {{"tile_n", Choices(widths, n, defaults.Get("tile_n"))},
                             {"tile_m", Choices(rows, m, defaults.Get("tile_m"))},
                             {"block_m", Choices(blocks, m, defaults.Get("block_m"))},
                             {"pack", {0, 1}}};
  if (TakesPairs(kernel)) space.push_back({"pairs", {0, 1}});
  return space;
}

void ApplyContractionOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  Roles roles;
  FindRoles(hero, &roles);
  const int64_t tile_n = schedule.Get("tile_n"), tile_m = roles.m < 0 ? 1 : schedule.Get("tile_m");
  const int64_t lanes = std::min(LanesOf(kernel), tile_n);
  const bool pairs = schedule.Has("pairs") && schedule.Get("pairs") == 1;
  ContractionFuncs product =
      DefineContraction(kernel, hero, roles, schedule.Get("pack") == 1, pairs);
  kernel.BuildOutput();
  Func& out = kernel.output;

  Var no("no"), ni("ni"), mb("mb"), mo("mo"), mi("mi"), rows("rows");
  const Axis& n = kernel.axes[0];
  out.split(n.var, no, ni, static_cast<int>(tile_n), Tail(kernel, n.extent, tile_n));
  std::vector<VarOrRVar> order = {ni};
  std::vector<Var> tasks = {no};
  int64_t block_m = 1;
  if (roles.m >= 0) {
    const Axis& m = kernel.axes[roles.m];
    block_m = std::min(m.extent, schedule.Get("block_m"));
    out.split(m.var, mb, rows, static_cast<int>(block_m), Tail(kernel, m.extent, block_m));
    out.split(rows, mo, mi, static_cast<int>(tile_m), Tail(kernel, block_m, tile_m));
    order.insert(order.end(), {VarOrRVar(mi), VarOrRVar(mo), VarOrRVar(no), VarOrRVar(mb)});
    tasks.push_back(mb);
  } else {
    order.push_back(VarOrRVar(no));
  }
  for (size_t a = 1; a < kernel.axes.size(); ++a) {
    if (static_cast<int>(a) == roles.m) continue;
    order.push_back(VarOrRVar(kernel.axes[a].var));
    tasks.push_back(kernel.axes[a].var);
  }
  out.reorder(order);
  out.vectorize(ni, static_cast<int>(lanes), TailStrategy::RoundUp).unroll(ni);
  if (roles.m >= 0) out.unroll(mi);
  // Small steps are joined into tasks of some 100,000 multiply-adds.
  Var fused = FuseVars(out, tasks), task("task"), step("step");
  const int64_t steps = (Product(kernel.axes) + tile_n * block_m - 1) / (tile_n * block_m);
  const int64_t work = tile_n * block_m * Product(hero.reduce_extents);
  const int64_t per_task = std::clamp<int64_t>(262144 / std::max<int64_t>(1, work), 1, steps);
  out.split(fused, task, step, static_cast<int>(per_task), TailStrategy::GuardWithIf);
  if (steps > per_task) out.parallel(task);

  product.accumulator.compute_at(out, roles.m >= 0 ? mo : step);
  // Tiles are whole (the last ones shifted inwards), which Halide does not always see.
  if (!kernel.in_place && roles.m >= 0)
    product.accumulator.bound_extent(hero.axes[roles.m].var, static_cast<int>(tile_m));
  ScheduleAccumulator(product, hero, roles, lanes);
  if (product.packed.defined()) {
    product.packed.compute_at(out, step).vectorize(product.packed_axes[0].var,
                                                   static_cast<int>(lanes), TailStrategy::RoundUp);
    if (pairs)
      product.packed.bound(product.packed.args()[0], 0, 2).unroll(product.packed.args()[0]);
  }
  if (product.wide.defined()) {
    product.wide.compute_root();
    const std::vector<Var> vars = product.wide.args();
    const int64_t inner = hero.reduce_extents[0];
    if (inner >= lanes) {
      product.wide.vectorize(vars[0], static_cast<int>(lanes), TailStrategy::GuardWithIf);
    }
    const int64_t elements = Product(hero.reduce_extents) * Product(hero.axes) / n.extent;
    if (vars.size() > 1 && elements > 65536) {
      Var rest = FuseVars(product.wide, std::vector<Var>(vars.begin() + 1, vars.end()));
      product.wide.parallel(rest);
    }
  }
  if (product.padded.defined()) {
    product.padded.compute_root();
    std::vector<Var> vars = product.padded.args();
    if (hero.padded_extents[0] >= lanes) {
      product.padded.vectorize(vars[0], static_cast<int>(lanes), TailStrategy::GuardWithIf);
    }
    if (vars.size() > 1 && Product(hero.padded_extents) > 65536) {
      std::vector<Var> outer(vars.begin() + std::min<size_t>(2, vars.size() - 1), vars.end());
      Var rest = FuseVars(product.padded, outer);
      product.padded.parallel(rest);
    }
  }
}

}  // namespace halyard::schedules
