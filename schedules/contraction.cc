// contraction: matrix products and convolutions, out[n, m, …] = Σ a[m, k, …] · b[k, n, …], n the
// fastest axis.
//
// CPU: a register tile of tile_n × tile_m accumulators; b is read in vectors, a is broadcast. Tasks
// are blocks of block_m × tile_n outputs; each packs its panel of b (all of k, tile_n wide) first,
// so that the inner loop reads it in order. A convolution is the same product with k = (feature,
// window) and m an image axis; its padded input is stored for a task, so that the inner loop has no
// bounds checks. Packing follows Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication" (2008). Sums of products of narrow integers take two terms of k at a time, which
// are neighbours in the packed panel: one multiply-add instruction of pairs of 16-bit integers (x86
// pmaddwd). GPU: a register tile per thread, group_n × group_m threads a workgroup.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lowering/sums_fit.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::Axis;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;
using lowering::Value;

namespace {

// Which axis is m: the first after n that only the broadcast factor depends on. -1: none.
struct Roles {
  bool vector_is_rhs = true;  // which factor depends on axis 0
  int m = -1;
};

bool FindRoles(const Hero& hero, Roles* roles) {
  if (hero.axes.empty() || hero.lhs_axes.empty() || hero.lhs_axes[0] == hero.rhs_axes[0])
    return false;
  roles->vector_is_rhs = hero.rhs_axes[0];
  const std::vector<bool>& vector_axes = roles->vector_is_rhs ? hero.rhs_axes : hero.lhs_axes;
  const std::vector<bool>& broadcast_axes = roles->vector_is_rhs ? hero.lhs_axes : hero.rhs_axes;
  for (size_t a = 1; a < hero.axes.size() && roles->m < 0; ++a) {
    if (hero.axes[a].extent > 1 && broadcast_axes[a] && !vector_axes[a])
      roles->m = static_cast<int>(a);
  }
  return true;
}

bool Accepts(const LoweredKernel& kernel) {
  if (kernel.heroes.size() != 1 || !kernel.direct_epilogue || kernel.in_place) return false;
  const Hero& hero = *kernel.heroes[0];
  if (!hero.IsContraction()) return false;
  if (LimitsSteps(kernel) && Product(hero.reduce_extents) > kMaxLaunchSteps) return false;
  Roles roles;
  return hero.types.size() == 1 && !hlo::IsComplex(hero.types[0]) && FindRoles(hero, &roles) &&
         hero.axes[0].extent > 1 && Product(hero.axes) > 0 && Product(hero.reduce_extents) > 0;
}

// The largest |value| of an integer, as far as its type and constants say.
double Magnitude(const hlo::Instruction& inst, int depth = 8) {
  const hlo::ElementType type = inst.shape.element_type();
  const double of_type = std::ldexp(1.0, hlo::BitWidth(type) - (hlo::IsSigned(type) ? 1 : 0));
  if (depth == 0) return of_type;
  auto operand = [&](int64_t i) { return Magnitude(*inst.operand(i), depth - 1); };
  switch (inst.opcode) {
    case hlo::Opcode::kConstant: {
      double largest = 0;
      for (int64_t i = 0; i < inst.shape.NumElements(); ++i) {
        largest = std::max(largest, std::abs(inst.literal.GetAsDouble(i)));
      }
      return largest;
    }
    case hlo::Opcode::kConvert:
      return hlo::IsInteger(inst.operand(0)->shape.element_type()) ? std::min(of_type, operand(0))
                                                                   : of_type;
    case hlo::Opcode::kBroadcast:
    case hlo::Opcode::kReshape:
    case hlo::Opcode::kTranspose:
      return operand(0);
    case hlo::Opcode::kSubtract:
    case hlo::Opcode::kAdd:
      return std::min(of_type, operand(0) + operand(1));
    default:
      return of_type;
  }
}

// Whether terms can be taken in pairs: an even number of them, factors of 16 bits, and sums that do
// not overflow (they are no wrapping ones then).
bool TakesPairs(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  Roles roles;
  if (IsGpu(kernel) || hero.types[0] != hlo::ElementType::kS32 || !FindRoles(hero, &roles) ||
      roles.m < 0 || hero.reduce_extents.empty() || hero.reduce_extents[0] % 2 != 0) {
    return false;
  }
  const bool promised =
      hero.instruction->GetString(hlo::Attr::kFrontendAttributes) == lowering::kSumsFit;
  double largest = promised ? 0 : static_cast<double>(Product(hero.reduce_extents));
  for (int64_t i : {0, 1}) {
    const hlo::Instruction& factor = *hero.instruction->operand(i);
    const hlo::ElementType type = factor.shape.element_type();
    const int bits = hlo::BitWidth(type) + (hlo::IsUnsigned(type) ? 1 : 0);
    if (!hlo::IsInteger(type) || bits > 16) return false;
    largest *= Magnitude(factor);
  }
  return largest < 0x1p31;
}

int64_t LanesOf(const LoweredKernel& kernel) {
  const int bytes = hlo::StorageBytes(kernel.heroes[0]->types[0]);
  return std::max<int64_t>(1, VectorLanes(kernel) * 4 / std::max(4, bytes));
}

int64_t ExtentM(const Hero& hero) {
  Roles roles;
  FindRoles(hero, &roles);
  return roles.m < 0 ? 1 : hero.axes[roles.m].extent;
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

Schedule Defaults(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  Schedule schedule("contraction");
  if (IsGpu(kernel)) {
    const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
    auto tile = [](int64_t extent) { return extent >= 64 ? 4 : extent >= 16 ? 2 : 1; };
    const int64_t tile_n = std::min<int64_t>(tile(n), n), tile_m = std::min<int64_t>(tile(m), m);
    int64_t group_n = 1, group_m = 1;
    while (group_n < 16 && group_n * tile_n < n) group_n *= 2;
    while (group_m < 16 && group_m * tile_m < m) group_m *= 2;
    return schedule.Set("tile_n", tile_n)
        .Set("tile_m", tile_m)
        .Set("group_n", group_n)
        .Set("group_m", group_m);
  }
  const Tile tile = BestCpuTile(kernel);
  const int64_t block_m = DefaultBlockM(kernel, tile);
  const bool pack = block_m >= 4 * tile.m;
  schedule.Set("tile_n", tile.n)
      .Set("tile_m", tile.m)
      .Set("block_m", block_m)
      .Set("pack", pack ? 1 : 0);
  // A few rows already pay for the packing that pairs need.
  if (TakesPairs(kernel)) schedule.Set("pairs", block_m >= 4 ? 1 : 0);
  return schedule;
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const Schedule defaults = Defaults(kernel);
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  if (IsGpu(kernel)) {
    return {{"tile_n", Choices({1, 2, 4, 8}, n, defaults.Get("tile_n"))},
            {"tile_m", Choices({1, 2, 4, 8}, m, defaults.Get("tile_m"))},
            {"group_n", Choices(PowersOfTwo(1, 32), 32, defaults.Get("group_n"))},
            {"group_m", Choices(PowersOfTwo(1, 16), 16, defaults.Get("group_m"))}};
  }
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

// The hero as a product whose padded input and vector factor may be Funcs of their own.
struct Product2 {
  Func accumulator;
  Func padded;  // undefined: nothing to pad
  Func packed;  // undefined: the vector factor is read where it lies. (n, r…, the axes it depends
                // on); of pairs, (which of a pair, n, …)
  Func wide;    // of pairs, a dot's broadcast factor in 16 bits: (r…, the axes it depends on)
  std::vector<Axis> packed_axes;
  std::vector<Halide::RVar> r;  // of pairs, the first is which of a pair
  bool pairs = false;
};

// Values of up to 16 bits in 16.
Value Widened(const Value& value) { return lowering::ConvertTo(value, hlo::ElementType::kS16); }

// The domain of pairs: which of a pair, the pairs of the first dimension, the other dimensions.
void DefinePairs(const Hero& hero, Product2* product, Indices* r) {
  std::vector<Halide::Range> ranges = {{0, 2}};
  for (size_t i = 0; i < hero.reduce_extents.size(); ++i) {
    ranges.emplace_back(0, static_cast<int32_t>(hero.reduce_extents[i] / (i == 0 ? 2 : 1)));
  }
  Halide::RDom domain(ranges, "r");
  for (int i = 0; i < static_cast<int>(ranges.size()); ++i) product->r.push_back(domain[i]);
  r->push_back(Expr(domain[1]) * 2 + Expr(domain[0]));
  for (int i = 2; i < static_cast<int>(ranges.size()); ++i) r->push_back(domain[i]);
}

// The broadcast factor of a dot, widened once; each tile would do it again.
void DefineWide(Hero& hero, const Roles& roles, const Indices& axes, const Indices& r,
                Product2* product, std::vector<Value>* factors) {
  const int side = roles.vector_is_rhs ? 0 : 1;
  const std::vector<bool>& depends = side == 1 ? hero.rhs_axes : hero.lhs_axes;
  product->wide = Func("wide");
  Indices vars, args = r, term_axes;
  for (size_t i = 0; i < r.size(); ++i) vars.push_back(Var("w" + std::to_string(i)));
  const Indices term_r = vars;
  for (size_t a = 0; a < hero.axes.size(); ++a) {
    Var v("wk" + std::to_string(a));
    term_axes.push_back(depends[a] ? Expr(v) : Expr(0));
    if (!depends[a]) continue;
    vars.push_back(v);
    args.push_back(axes[a]);
  }
  product->wide(vars) = Widened(hero.term(term_axes, term_r)[side]).re;
  (*factors)[side] = {hlo::ElementType::kS16, product->wide(args), {}};
}

// The sum's update, in the hero's own arithmetic.
void DefineSum(LoweredKernel& kernel, Hero& hero, const Indices& r, const Indices& axes,
               const std::vector<Value>& factors, Product2* product) {
  const std::vector<Value> before =
      kernel.FromStorageExprs(hero.types, {Expr(product->accumulator(axes))});
  product->accumulator(axes) = Halide::Tuple(
      kernel.ToStorageExprs(LoweredKernel::OverDomain(r, before, hero.combine(before, factors))));
}

Product2 DefineProduct(LoweredKernel& kernel, Hero& hero, const Roles& roles, bool pack,
                       bool pairs) {
  Product2 product;
  product.pairs = pairs;
  Indices axes;
  for (const Axis& axis : hero.axes) axes.push_back(axis.var);
  Indices r;
  if (pairs) {
    DefinePairs(hero, &product, &r);
  } else {
    Halide::RDom domain = kernel.domain_of(hero);
    for (size_t i = 0; i < hero.reduce_extents.size(); ++i) {
      product.r.push_back(domain[static_cast<int>(i)]);
      r.push_back(domain[static_cast<int>(i)]);
    }
  }
  std::vector<Value> factors = hero.term(axes, r);
  if (!hero.padded_extents.empty()) {
    product.padded = Func("padded");
    Indices position;
    for (size_t i = 0; i < hero.padded_extents.size(); ++i)
      position.push_back(Var("p" + std::to_string(i)));
    Value value = hero.padded_value(position);
    if (pairs) value = Widened(value);
    product.padded(position) = lowering::ToStorage(value.type, value.re);
    factors[0] = lowering::FromStorage(value.type, product.padded(hero.padded_read(axes, r)));
  }
  if (pairs && hero.kind == Hero::Kind::kContraction) {
    DefineWide(hero, roles, axes, r, &product, &factors);
  }
  if (pack || pairs) {
    // packed(n, k…, batch…) holds the vector factor with n fastest.
    const int side = roles.vector_is_rhs ? 1 : 0;
    const std::vector<bool>& depends = side == 1 ? hero.rhs_axes : hero.lhs_axes;
    product.packed = Func("packed");
    Indices vars, args, term_axes, term_r;
    for (size_t i = 0; i < r.size(); ++i) {
      Var k("k" + std::to_string(i));
      term_r.push_back(k);
    }
    for (size_t a = 0; a < hero.axes.size(); ++a) {
      Var v("pk" + std::to_string(a));
      term_axes.push_back(depends[a] ? Expr(v) : Expr(0));
      if (!depends[a]) continue;
      product.packed_axes.push_back({v, hero.axes[a].extent});
      vars.push_back(v);
      args.push_back(hero.axes[a].var);
    }
    vars.insert(vars.begin() + 1, term_r.begin(), term_r.end());
    if (pairs) {
      Var which("which");
      vars.insert(vars.begin(), which);
      args.insert(args.begin() + 1, product.r.begin() + 1, product.r.end());
      args.insert(args.begin(), product.r[0]);
      term_r[0] = term_r[0] * 2 + which;
    } else {
      args.insert(args.begin() + 1, r.begin(), r.end());
    }
    Value value = hero.term(term_axes, term_r)[side];
    if (pairs) value = Widened(value);
    product.packed(vars) = lowering::ToStorage(value.type, value.re);
    factors[side] = lowering::FromStorage(value.type, product.packed(args));
  }
  product.accumulator = Func("acc");
  product.accumulator(axes) = Halide::Tuple(kernel.ToStorageExprs(hero.init()));
  if (pairs) {
    const Halide::Type sum = Halide::Int(32);
    product.accumulator(axes) +=
        Halide::cast(sum, Widened(factors[0]).re) * Halide::cast(sum, Widened(factors[1]).re);
  } else {
    DefineSum(kernel, hero, r, axes, factors, &product);
  }
  hero.result = product.accumulator;
  hero.read = [acc = product.accumulator](const Indices& index) {
    return std::vector<Expr>{Expr(acc(index))};
  };
  return product;
}
void ScheduleAccumulator(Product2& product, const Hero& hero, const Roles& roles, int64_t lanes) {
  const Var n = hero.axes[0].var;
  std::vector<VarOrRVar> order = {n};
  if (product.pairs) order.insert(order.begin(), VarOrRVar(product.r[0]));
  if (roles.m >= 0) order.push_back(hero.axes[roles.m].var);
  order.insert(order.end(), product.r.begin() + (product.pairs ? 1 : 0), product.r.end());
  Halide::Stage update = product.accumulator.update();
  update.reorder(order);
  if (product.pairs) update.atomic().vectorize(product.r[0]);
  if (lanes > 1) {
    product.accumulator.vectorize(n, static_cast<int>(lanes), TailStrategy::RoundUp);
    update.vectorize(n, static_cast<int>(lanes), TailStrategy::RoundUp);
  }
  product.accumulator.unroll(n);
  update.unroll(n);
  if (roles.m >= 0) {
    product.accumulator.unroll(hero.axes[roles.m].var);
    update.unroll(hero.axes[roles.m].var);
  }
}

void ApplyOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  Roles roles;
  FindRoles(hero, &roles);
  Product2 product = DefineProduct(kernel, hero, roles, false, false);
  kernel.BuildOutput();
  Func& out = kernel.output;
  if (product.padded.defined()) {
    std::vector<Axis> axes;
    for (size_t i = 0; i < hero.padded_extents.size(); ++i) {
      const Var v = product.padded.args()[i];
      axes.push_back({v, hero.padded_extents[i]});
      product.padded.bound(v, 0, static_cast<int32_t>(hero.padded_extents[i]));
    }
    product.padded.compute_root();
    GpuElementPerThread(kernel, product.padded, axes, GpuThreads(kernel, 256));
  }
  const int tile_n = static_cast<int>(schedule.Get("tile_n")),
            tile_m = static_cast<int>(schedule.Get("tile_m"));
  const int group_n = static_cast<int>(schedule.Get("group_n")),
            group_m = static_cast<int>(schedule.Get("group_m"));
  Var nt("nt"), ni("ni"), nb("nb"), nth("nth"), mt("mt"), mi("mi"), mb("mb"), mth("mth");
  const Axis& n = kernel.axes[0];
  out.split(n.var, nt, ni, tile_n, Tail(kernel, n.extent, tile_n))
      .split(nt, nb, nth, group_n, TailStrategy::GuardWithIf);
  std::vector<VarOrRVar> order = {ni};
  std::vector<Var> outer;
  for (size_t a = 1; a < kernel.axes.size(); ++a) {
    if (static_cast<int>(a) != roles.m) outer.push_back(kernel.axes[a].var);
  }
  if (roles.m >= 0) {
    const Axis& m = kernel.axes[roles.m];
    out.split(m.var, mt, mi, tile_m, Tail(kernel, m.extent, tile_m))
        .split(mt, mb, mth, group_m, TailStrategy::GuardWithIf);
    order.insert(order.end(),
                 {VarOrRVar(mi), VarOrRVar(nth), VarOrRVar(mth), VarOrRVar(nb), VarOrRVar(mb)});
  } else {
    order.insert(order.end(), {VarOrRVar(nth), VarOrRVar(nb)});
  }
  order.insert(order.end(), outer.begin(), outer.end());
  out.reorder(order).unroll(ni);
  if (roles.m >= 0) {
    out.unroll(mi).gpu_threads(nth, mth);
    if (outer.empty()) {
      out.gpu_blocks(nb, mb);
    } else {
      Var rest = FuseVars(out, outer);
      out.gpu_blocks(nb, mb, rest);
    }
    product.accumulator.compute_at(out, nth);
  } else {
    out.gpu_threads(nth);
    if (outer.empty()) {
      out.gpu_blocks(nb);
    } else {
      Var rest = FuseVars(out, outer);
      out.gpu_blocks(nb, rest);
    }
    product.accumulator.compute_at(out, nth);
  }
  ScheduleAccumulator(product, hero, roles, 1);
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  if (IsGpu(kernel)) return ApplyOnGpu(kernel, schedule);
  Hero& hero = *kernel.heroes[0];
  Roles roles;
  FindRoles(hero, &roles);
  const int64_t tile_n = schedule.Get("tile_n"), tile_m = roles.m < 0 ? 1 : schedule.Get("tile_m");
  const int64_t lanes = std::min(LanesOf(kernel), tile_n);
  const bool pairs = schedule.Has("pairs") && schedule.Get("pairs") == 1;
  Product2 product = DefineProduct(kernel, hero, roles, schedule.Get("pack") == 1, pairs);
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

}  // namespace

const Template kContractionTemplate = {"contraction", Accepts, Defaults, Space, Apply};

}  // namespace halyard::schedules
