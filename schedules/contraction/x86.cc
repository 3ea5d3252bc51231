// contraction on x86: a register tile has tile_n × tile_m accumulators. The vector factor is read
// in vectors, and the other is broadcast. A task is a block of block_m × tile_n outputs. It first
// packs its panel of the vector factor (all of k, tile_n wide), so that the inner loop reads it in
// order. The padded input of a convolution is stored for a task, so that the inner loop has no
// bounds checks. Packing follows Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication" (2008). Sums of products of narrow integers take two terms of k at a time, which
// are neighbours in the packed panel: one multiply-add instruction of pairs of 16-bit integers
// (pmaddwd). Constant weights already come in panels
// (lowering/kernels/contraction/packed_factor.h), of which a tile reads one. Floats that are
// narrower than what is multiplied (f16, and bf16 and f8 without instructions for their words) are
// converted where they are packed, and those of the broadcast factor before all tasks.
//
// rows: a block of a convolution has that many rows of the image, of block_m places each, so that a
// panel that only the second cache holds is fetched once for all of them. by_panel: a panel gives
// all its outputs before the next panel, instead of all panels those of a block.
//
// pack: 0 reads the vector factor where it lies. 1 packs panels. 2 packs panels that go over the
// rows of an image (im2col, a panel at a time); their product is stored, and the outputs then read
// it.

#include "schedules/contraction/x86.h"

#include <algorithm>
#include <numeric>

#include "lowering/kernels/contraction/packed_factor.h"
#include "lowering/kernels/fragments.h"
#include "schedules/contraction/x86_tiles.h"
#include "schedules/contraction/x86_words.h"
#include "schedules/loops.h"
#include "schedules/mma_product.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::Axis;
using lowering::Hero;
using lowering::LoweredKernel;

int64_t LanesOf(const LoweredKernel& kernel) {
  const int bytes = hlo::StorageBytes(kernel.heroes[0]->types[0]);
  return std::max<int64_t>(1, VectorLanes(kernel) * 4 / std::max(4, bytes));
}

const hlo::Instruction& VectorFactor(const Hero& hero) {
  Roles roles;
  FindRoles(hero, &roles);
  return *hero.instruction->operand(roles.vector_is_rhs ? 1 : 0);
}

const hlo::Instruction& BroadcastFactor(const Hero& hero) {
  Roles roles;
  FindRoles(hero, &roles);
  return *hero.instruction->operand(roles.vector_is_rhs ? 0 : 1);
}

int64_t VectorStride(const Hero& hero) {
  Roles roles;
  if (!FindRoles(hero, &roles)) return 1;
  return (roles.vector_is_rhs ? hero.rhs_strides : hero.lhs_strides)[0];
}

int64_t VectorStrideBytes(const Hero& hero) {
  return VectorStride(hero) * hlo::StorageBytes(VectorFactor(hero).shape.element_type());
}

int64_t BroadcastElements(const Hero& hero, const Roles& roles) {
  if (BroadcastsImage(hero, roles)) return Product(PaddedExtents(hero));
  const int side = roles.vector_is_rhs ? 0 : 1;
  return Product(FactorAxesOf(hero, side, "a").axes) * Product(hero.reduce_extents);
}

int64_t RowsInFirstCache(int64_t bytes) {
  constexpr int64_t kSets = 64, kWays = 8;
  if (bytes == 0 || bytes % kCacheLine != 0) return kSets * kWays;
  return kWays * (kSets / std::gcd(kSets, bytes / kCacheLine));
}

int64_t OwnPanels(const Hero& hero) { return lowering::PanelWidth(VectorFactor(hero)); }

bool CanMerge(const Hero& hero) {
  const int count = VectorAxes(hero);
  int64_t total = 1;
  for (int a = 0; a < count; ++a) total *= hero.axes[a].extent;
  Roles roles;
  return count > 1 && total > hero.axes[0].extent && total <= lowering::kMaxExtent &&
         FindRoles(hero, &roles) && roles.m >= count;
}

Hero ProductOf(const Hero& hero, int64_t pack) {
  if (pack != kMergedPanels) return hero;
  if (!CanMerge(hero)) throw lowering::LimitError("pack=2: there are no axes to merge");
  return MergeAxes(hero, VectorAxes(hero), Var("merged"));
}

namespace {

// Whether elements of the factor are floats that have fewer bits in memory than are multiplied.
bool IsConverted(const lowering::Value& factor) {
  return hlo::IsFloat(factor.type) &&
         hlo::BitWidth(lowering::NarrowestType(factor)) < lowering::ComputeType(factor.type).bits();
}

// Whether a Func of so many elements of the factor's values can be: Halide counts bytes in 32 bits.
bool FitsFunc(const lowering::Value& factor, int64_t elements) {
  return elements <= INT32_MAX / lowering::ComputeType(factor.type).bytes();
}

}  // namespace

bool ConvertsVector(const Hero& hero) {
  Roles roles;
  return FindRoles(hero, &roles) && IsConverted(FactorsOf(hero)[roles.vector_is_rhs ? 1 : 0]);
}

bool WidensBroadcast(const LoweredKernel& kernel, const Hero& hero) {
  // The memory that a copy takes, if no more than one tile reads an element.
  constexpr int64_t kSmallBytes = 4 << 20;
  Roles roles;
  if (!FindRoles(hero, &roles)) return false;
  const int side = roles.vector_is_rhs ? 0 : 1;
  const lowering::Value factor = FactorsOf(hero)[side];
  if (!IsConverted(factor)) return false;
  const int64_t elements = BroadcastElements(hero, roles);
  if (elements == 1) return false;  // loops convert it before they begin
  // Converting it one by one takes longer than two vectors' multiply-adds.
  const bool small = elements * lowering::ComputeType(factor.type).bytes() <= kSmallBytes;
  return UsesOf(hero, side) >= (small ? 2 : 4) * LanesOf(kernel) && FitsFunc(factor, elements);
}

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

namespace {

// How a product is cut: knobs of the schedule.
struct Blocks {
  int64_t tile_n = 1, tile_m = 1;  // a register tile
  int64_t block_m = 1, rows = 1;  // what a step does with a panel: places along m, rows of an image
  bool by_panel = false;          // the panel is the slowest loop
  bool unroll_m = true;           // of AMX tiles, the outputs of a tile are too many
};

// The loops of a product's tiles, as far as the accumulator and its factors need them.
struct ProductLoops {
  Var tile{"mo"}, step{"step"};
};

// `out` is the kernel's output or the stored product, over `axes`.
ProductLoops ScheduleTiles(const LoweredKernel& kernel, const Hero& hero, const Roles& roles,
                           const std::vector<Axis>& axes, const Blocks& blocks, bool stored,
                           Func& out) {
  const auto [tile_n, tile_m, block_m, rows, by_panel, unroll_m] = blocks;
  const int rows_axis = RowsAxis(hero, roles);
  ProductLoops loops;
  Var no("no"), ni("ni"), mb("mb"), mi("mi"), places("places"), row("row"), row_block("row_block");
  const Axis& n = axes[0];
  // A stored product has room for whole tiles. Tiles start where panels start, so the last one is
  // cut.
  const bool own_panels = OwnPanels(hero) > 0;
  const TailStrategy tail_n = stored ? TailStrategy::RoundUp
                              : own_panels && n.extent % tile_n != 0
                                  ? TailStrategy::GuardWithIf
                                  : Tail(kernel, n.extent, tile_n);
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
  if (roles.m >= 0 && unroll_m) out.unroll(mi);
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

// Vectors along the first dimension if there are whole ones, tasks of the rest from `outer` on, or
// from an earlier dimension where these are few. An image of few channels is written in vectors of
// places, the channels side by side: Halide joins them into whole vectors, and within the image
// these are copied as they lie. `pads`: places behind the end are padding, and may be computed.
void ScheduleCopy(Func& func, const std::vector<int64_t>& extents, int64_t lanes, size_t outer,
                  bool pads) {
  constexpr int64_t kSmall = 65536, kFewChannels = 8, kTasks = 64;
  func.compute_root();
  const std::vector<Var> vars = func.args();
  if (extents[0] >= lanes) {
    func.vectorize(vars[0], static_cast<int>(lanes), TailStrategy::GuardWithIf);
  } else if (extents[0] <= kFewChannels && vars.size() > 1 && extents[1] >= lanes) {
    func.bound(vars[0], 0, static_cast<int>(extents[0]))
        .unroll(vars[0])
        .vectorize(
            vars[1], static_cast<int>(lanes),
            pads || extents[1] % lanes == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  }
  if (vars.size() > 1 && Product(extents) > kSmall) {
    outer = std::min(outer, vars.size() - 1);
    auto tasks = [&] {
      return Product(std::vector<int64_t>(extents.begin() + outer, extents.end()));
    };
    while (outer > 1 && tasks() < kTasks) --outer;
    func.parallel(FuseVars(func, std::vector<Var>(vars.begin() + outer, vars.end())));
  }
}

// Sums of what a task packs, or of a factor that is stored in panels, which are computed before all
// tasks.
void ScheduleSums(ContractionFuncs& product, const Hero& hero, Func& out, const Var& step,
                  int64_t lanes) {
  constexpr int64_t kSmall = 1 << 20;
  const std::vector<Var> vars = product.sums.args();
  const int width = static_cast<int>(lanes);
  std::vector<VarOrRVar> order = {vars[0]};
  order.insert(order.end(), product.sums_r.begin(), product.sums_r.end());
  if (product.packed.defined()) {
    product.sums.compute_at(out, step).vectorize(vars[0], width, TailStrategy::RoundUp);
    product.sums.unroll(vars[0]);
    product.sums.update().reorder(order).vectorize(vars[0], width, TailStrategy::RoundUp);
    product.sums.update().unroll(vars[0]);
    return;
  }
  Var lane("lane");
  order[0] = lane;
  product.sums.compute_root().vectorize(vars[0], width, TailStrategy::RoundUp);
  Halide::Stage update = product.sums.update();
  update.split(vars[0], vars[0], lane, width, TailStrategy::RoundUp).reorder(order).vectorize(lane);
  if (Product(hero.reduce_extents) * hero.axes[0].extent > kSmall) update.parallel(vars[0]);
}

FactorForms FormsOf(const LoweredKernel& kernel, const Hero& hero, const Roles& roles, int64_t pack,
                    bool pairs, int64_t tile_n) {
  FactorForms forms{.pack = pack != kInPlace, .pairs = pairs, .pieces = true};
  if (pairs) return forms;
  const std::vector<lowering::Value> factors = FactorsOf(hero);
  const lowering::Value& vector = factors[roles.vector_is_rhs ? 1 : 0];
  forms.widen_packed =
      IsConverted(vector) && FitsFunc(vector, tile_n * Product(hero.reduce_extents));
  const bool widens = WidensBroadcast(kernel, hero),
             broadcasts_image = BroadcastsImage(hero, roles);
  forms.widen_broadcast = widens && !broadcasts_image;
  forms.widen_image =
      (widens && broadcasts_image) || (!hero.padded_extents.empty() && IsConverted(factors[0]) &&
                                       FitsFunc(factors[0], Product(hero.padded_extents)));
  return forms;
}

// A factor whose rows lie along the sum is packed by vectors of rows, all terms of one before the
// next: as many rows as stay in the first cache while the terms of their lines are taken.
void SchedulePacked(ContractionFuncs& product, const Hero& hero, int64_t lanes) {
  Func& packed = product.packed;
  const Var n = product.packed_axes[0].var;
  const int64_t bytes = VectorStrideBytes(hero);
  if (product.pairs || bytes < kCacheLine) {
    packed.vectorize(n, static_cast<int>(lanes), TailStrategy::RoundUp);
    if (product.pairs) packed.bound(packed.args()[0], 0, 2).unroll(packed.args()[0]);
    return;
  }
  const int64_t rows = std::min(lanes, RowsInFirstCache(bytes));
  Var vector("vector"), lane("lane");
  packed.split(n, vector, lane, static_cast<int>(rows), TailStrategy::RoundUp)
      .reorder(lane, packed.args()[1], vector)
      .vectorize(lane);
}

// What is made of the factors before they are multiplied.
void ScheduleFactors(ContractionFuncs& product, const Hero& hero, Func& out, const Var& step,
                     int64_t lanes) {
  if (product.packed.defined()) {
    product.packed.compute_at(out, step);
    SchedulePacked(product, hero, lanes);
  }
  if (product.sums.defined()) ScheduleSums(product, hero, out, step, lanes);
  // Words of an image are made of its padded values.
  const bool pads = !hero.padded_extents.empty();
  if (product.wide.defined()) {
    const bool of_image = !product.padded.defined() && hero.kind == Hero::Kind::kConvolution;
    ScheduleCopy(product.wide, product.wide_extents, lanes, 1, pads && of_image);
  }
  if (product.padded.defined())
    ScheduleCopy(product.padded, product.padded_extents, lanes, 2, pads);
}

// Returns the instruction that the knob `words` asks for.
std::optional<DotInstruction> AskedInstruction(const LoweredKernel& kernel,
                                               const Schedule& schedule, int64_t tile_n) {
  const int64_t words = schedule.Has("words") ? schedule.Get("words") : 0;
  if (words == 0) return std::nullopt;
  if (words == kTiles) {
    auto tiles = TileInstructionOf(kernel);
    if (!tiles) throw lowering::LimitError("words=2 needs a CPU with AMX, and factors that fit it");
    return tiles;
  }
  if (tile_n < kLeastWordLanes)
    throw lowering::LimitError("words=1 needs tiles of four elements along n at least");
  auto dot = DotInstructionOf(kernel);
  if (!dot) throw lowering::LimitError("words=1 does not fit the factors");
  return dot;
}

}  // namespace

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
  if (tile_m > block_m) throw lowering::LimitError("tile_m is more than block_m, a task's rows");
  const int64_t rows =
      RowsAxis(whole, roles) < 0 ? 1 : std::min(RowsOf(whole), schedule.Get("rows"));
  const std::optional<DotInstruction> dot = AskedInstruction(kernel, schedule, tile_n);
  const bool tiles = dot && dot->tiles;
  ContractionFuncs product =
      dot ? DefineWords(kernel, whole, roles, *dot, pack != kInPlace)
          : DefineContraction(kernel, whole, roles,
                              FormsOf(kernel, whole, roles, pack, pairs, tile_n));
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
  const ProductLoops loops = ScheduleTiles(
      kernel, whole, roles, merged ? whole.axes : kernel.axes,
      {tile_n, tile_m, block_m, rows, schedule.Get("by_panel") == 1, !tiles}, merged, out);

  const int64_t lanes = std::min(LanesOf(kernel), tile_n);
  product.accumulator.compute_at(out, loops.tile);
  // Tiles are whole (the last ones shifted inwards), which Halide does not always see.
  for (Func* sum : {&product.accumulator, &product.piece}) {
    if (!sum->defined()) continue;
    if (!kernel.in_place && roles.m >= 0)
      sum->bound_extent(whole.axes[roles.m].var, static_cast<int>(tile_m));
    if (tiles || OwnPanels(whole) > 0)
      sum->bound_extent(whole.axes[0].var, static_cast<int>(tile_n));
  }
  if (tiles) {
    ScheduleTileProduct(product, whole, roles, *dot, {tile_n, tile_m});
  } else {
    ScheduleAccumulator(product, whole, roles, lanes);
  }
  ScheduleFactors(product, whole, out, loops.step, lanes);
}

}  // namespace halyard::schedules
