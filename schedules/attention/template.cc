// attention: softmax(logits(Q·K)) · V in one kernel (lowering/kernels/attention/form.h).
//
// CPU: a task takes some hundred queries of one head, and first packs the head's keys (transposed)
// and values. For each block of its queries, it computes all of the block's scores in register
// tiles. They stay in the task's own memory, where the maximum, the exponentials and the sum follow
// in vectors. The second product reads them in order. GPU: gpu.cc.

#include "schedules/attention/template.h"

#include <algorithm>

#include "lowering/kernels/emitter.h"
#include "lowering/numerics/arithmetic.h"
#include "schedules/attention/gpu.h"
#include "schedules/folds.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using lowering::AttentionForm;
using lowering::Axis;
using lowering::Emitter;
using lowering::Hero;
using lowering::Indices;
using lowering::LogicalIndex;
using lowering::LoweredKernel;
using lowering::Value;

int PlacedFunc::Find(int64_t place) const {
  for (size_t a = 0; a < places.size(); ++a) {
    if (places[a] == place) return static_cast<int>(a);
  }
  return -1;
}

PlacedFunc PlacedLike(const AttentionForm& form, const hlo::Instruction& instruction,
                      const std::string& prefix) {
  PlacedFunc placed;
  const std::vector<int64_t>& places = form.places.at(&instruction);
  for (size_t d = places.size(); d-- > 0;) {
    placed.axes.push_back(
        {Var(prefix + std::to_string(placed.axes.size())), instruction.shape.dim(d)});
    placed.places.push_back(places[d]);
  }
  return placed;
}

PlacedFunc ValueFunc(LoweredKernel& kernel, const hlo::Instruction& instruction,
                     const std::string& name) {
  PlacedFunc placed = PlacedLike(kernel.As<AttentionForm>(), instruction, name);
  const Indices vars = lowering::VarsOf(placed.axes);
  placed.func = Func(name);
  placed.func(vars) =
      kernel.ToStorageExprs({kernel.emitter->At(&instruction, Emitter::ToLogical(vars))})[0];
  return placed;
}

AttentionParts PartsOf(const LoweredKernel& kernel) {
  AttentionParts parts;
  const AttentionForm& form = kernel.As<AttentionForm>();
  parts.form = &form;
  for (const auto& hero : kernel.heroes) {
    for (auto [instruction, slot] : {std::pair{form.scores, &parts.scores},
                                     {form.max, &parts.max},
                                     {form.sum, &parts.sum},
                                     {form.product, &parts.product}}) {
      if (hero->instruction == instruction) *slot = hero.get();
    }
  }
  const hlo::Shape& scores = form.scores->shape;
  int64_t longest = 0;
  for (int64_t d = 0; d < scores.rank(); ++d) {
    if (!form.is_query[d] || scores.dim(d) <= longest) continue;
    longest = scores.dim(d);
    parts.rows_dim = d;
  }
  parts.queries = longest;
  parts.keys = scores.dim(form.key_dim);
  parts.head_size = form.head_size;
  parts.value_size = form.value_size;
  parts.output.axes = kernel.axes;
  std::vector<int64_t> places = EpiloguePlaces(form, *kernel.module->entry()->root());
  parts.output.places.assign(places.rbegin(), places.rend());
  parts.valid = longest > 0 && scores.NumElements() > 0 && parts.head_size > 0 &&
                parts.output.Find(parts.rows_dim) >= 0 &&
                parts.output.Find(AttentionForm::kValueDim) >= 0 && parts.max->types.size() == 1;
  return parts;
}

void LeaveOutDivision(LoweredKernel& kernel, const Func& weights) {
  kernel.emitter->BindStored(kernel.As<AttentionForm>().weights, weights);
  kernel.emitter->BindStored(kernel.As<AttentionForm>().divide, weights);
}

bool WeightsAreFactors(const LoweredKernel& kernel) {
  const AttentionForm& form = kernel.As<AttentionForm>();
  const hlo::ElementType type = form.product->operand(form.weights_operand)->shape.element_type();
  return form.weights->shape.element_type() == type && hlo::BitWidth(type) >= 32;
}

Value Normalized(LoweredKernel& kernel, const Value& total, const Indices& axes) {
  const AttentionForm& form = kernel.As<AttentionForm>();
  const std::vector<int64_t>& product = form.places.at(form.product);
  const LogicalIndex at = Emitter::ToLogical(axes);
  LogicalIndex index;
  for (int64_t place : form.places.at(form.divide)) {
    const auto found = std::find(product.begin(), product.end(), place);
    const bool known = place >= 0 && found != product.end();
    index.push_back(known ? at[found - product.begin()] : Expr(0));
  }
  const Value divisor =
      lowering::ConvertTo(kernel.emitter->At(form.divide->operand(1), index), total.type);
  return {total.type,
          lowering::numerics::Divide(lowering::numerics::Fp{total.re},
                                     lowering::numerics::Fp{divisor.re})
              .e,
          {}};
}

Indices PlacedArguments(const PlacedFunc& func,
                        const std::function<Expr(int64_t place)>& index_of) {
  Indices args;
  for (int64_t place : func.places) {
    args.push_back(place == AttentionForm::kNone ? Expr(0) : index_of(place));
  }
  return args;
}

Value FactorValue(const Hero& hero, int64_t operand, const PlacedFunc& like,
                  const std::function<Expr(int64_t place)>& index_of, const Expr& r) {
  const Value factor = hero.term(PlacedArguments(like, index_of), {r})[operand];
  return lowering::ConvertTo(factor, hero.types[0]);
}

namespace {

bool AcceptsOnCpu(const LoweredKernel& kernel) {
  const AttentionParts parts = PartsOf(kernel);
  return parts.valid && !kernel.in_place && parts.keys >= 4 && parts.value_size >= 4;
}

bool AcceptsOnGpu(const LoweredKernel& kernel) {
  const AttentionParts parts = PartsOf(kernel);
  return parts.valid && !kernel.in_place &&
         lowering::GroupFor(*parts.form, kernel.device).has_value();
}

int64_t LanesOf(const LoweredKernel& kernel, const Hero& hero) {
  return std::max<int64_t>(1, VectorLanes(kernel) * 4 / hlo::StorageBytes(hero.types[0]));
}

struct CpuTiles {
  int64_t lanes_k = 1, lanes_v = 1;  // of vectors along keys and along values
  int64_t tile_k = 1, tile_v = 1;    // columns of the register tiles
  int64_t tile_q = 1;                // their rows
  int64_t block_q = 1, task_q = 1;   // queries whose scores are kept; of a task
};

int64_t LargestPower(int64_t limit, int64_t extent) {
  int64_t value = 1;
  while (value * 2 <= std::min(limit, extent)) value *= 2;
  return value;
}

// Cuts the queries into blocks of whole tiles, of `most` rows at most. The last block overlaps the
// one before it, so the blocks are those that compute the fewest rows twice; tiles and blocks of
// few rows cost more for each (the weights are a fit to measurements on Zen 4).
void CutQueries(int64_t queries, int64_t largest_tile, int64_t most, CpuTiles* tiles) {
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

CpuTiles DefaultTiles(const LoweredKernel& kernel, const AttentionParts& parts) {
  CpuTiles tiles;
  tiles.lanes_k = LargestPower(LanesOf(kernel, *parts.scores), parts.keys);
  tiles.lanes_v = LargestPower(LanesOf(kernel, *parts.product), parts.value_size);
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
  // They and the weights take three quarters of the second cache at most.
  const int64_t room = std::max<int64_t>(kernel.device.l2_bytes, 512 << 10) / 4 * 3;
  const int64_t most = std::min<int64_t>({rows, room / (8 * parts.keys), parts.queries});
  CutQueries(parts.queries, !many ? 6 : wide ? 5 : 12, most, &tiles);
  const int64_t blocks = std::clamp<int64_t>(512 / tiles.block_q, 1,
                                             (parts.queries + tiles.block_q - 1) / tiles.block_q);
  tiles.task_q = blocks * tiles.block_q;
  return tiles;
}

Schedule CpuDefaults(const LoweredKernel& kernel) {
  const CpuTiles tiles = DefaultTiles(kernel, PartsOf(kernel));
  return Schedule(kAttention.name)
      .Set("tile_q", tiles.tile_q)
      .Set("tile_k", tiles.tile_k)
      .Set("tile_v", tiles.tile_v)
      .Set("blocks", tiles.block_q / tiles.tile_q)
      .Set("steps", tiles.task_q / tiles.block_q);
}

std::vector<Knob> CpuSpace(const LoweredKernel& kernel) {
  const AttentionParts parts = PartsOf(kernel);
  const CpuTiles tiles = DefaultTiles(kernel, parts);
  const Schedule defaults = CpuDefaults(kernel);
  auto multiples = [](int64_t lanes) {
    return std::vector<int64_t>{lanes, 2 * lanes, 3 * lanes, 4 * lanes};
  };
  return {{"tile_q", Choices({1, 2, 4, 6, 8, 10, 12, 14}, parts.queries, tiles.tile_q)},
          {"tile_k", Choices(multiples(tiles.lanes_k), parts.keys, tiles.tile_k)},
          {"tile_v", Choices(multiples(tiles.lanes_v), parts.value_size, tiles.tile_v)},
          {"blocks",
           Choices({1, 2, 4, 6, 8, 12, 16}, std::max<int64_t>(1, parts.queries / tiles.tile_q),
                   defaults.Get("blocks"))},
          {"steps", Choices(PowersOfTwo(1, 64), 64, defaults.Get("steps"))}};
}

// The axes of a product that one of its factors depends on, with a summed dimension: packed(along,
// r, others…) or packed(r, along, others…).
struct Packed {
  Func func;
  Var along, r;
  Value Read(hlo::ElementType type, const Expr& along_at, const Expr& r_at,
             const std::function<Expr(int64_t)>& index_of) const {
    Indices args = r_first ? Indices{r_at, along_at} : Indices{along_at, r_at};
    for (int64_t place : others) args.push_back(index_of(place));
    return {type, func(args), {}};
  }
  bool r_first = false;
  std::vector<int64_t> others;
};

Packed Pack(const std::string& name, const Hero& hero, int64_t operand, const PlacedFunc& like,
            int64_t along, bool r_first) {
  Packed packed;
  packed.func = Func(name);
  packed.along = Var(name + "_along");
  packed.r = Var(name + "_r");
  packed.r_first = r_first;
  const std::vector<bool>& depends = operand == 0 ? hero.lhs_axes : hero.rhs_axes;
  Indices vars = r_first ? Indices{packed.r, packed.along} : Indices{packed.along, packed.r};
  std::vector<std::pair<int64_t, Expr>> index;
  for (size_t a = 0; a < like.places.size(); ++a) {
    const int64_t place = like.places[a];
    if (place == AttentionForm::kNone || place == along || !depends[a]) continue;
    packed.others.push_back(place);
    Var other(name + std::to_string(a));
    vars.push_back(other);
    index.push_back({place, other});
  }
  auto index_of = [&](int64_t place) {
    if (place == along) return Expr(packed.along);
    for (auto& [known, expr] : index) {
      if (known == place) return expr;
    }
    return Expr(0);
  };
  packed.func(vars) = FactorValue(hero, operand, like, index_of, packed.r).re;
  return packed;
}

// acc(axes) += left · right over r, both packed.
struct ProductFunc {
  PlacedFunc acc;
  Halide::RVar r;
};

ProductFunc DefineProduct(LoweredKernel& kernel, Hero& hero, const PlacedFunc& like,
                          const std::function<std::vector<Value>(const Expr& r)>& factors) {
  ProductFunc product;
  product.acc = like;
  product.acc.func =
      Func(hero.instruction == kernel.As<AttentionForm>().scores ? "scores" : "product");
  const Indices vars = lowering::VarsOf(like.axes);
  product.acc.func(vars) = kernel.ToStorageExprs(hero.init())[0];
  Halide::RDom domain = kernel.domain_of(hero);
  product.r = domain[0];
  const std::vector<Value> before =
      kernel.FromStorageExprs(hero.types, {Expr(product.acc.func(vars))});
  const std::vector<Value> after =
      LoweredKernel::OverDomain({product.r}, before, hero.combine(before, factors(product.r)));
  product.acc.func(vars) = kernel.ToStorageExprs(after)[0];
  return product;
}

// A register tile: `width` by `rows`, in vectors.
void ScheduleTile(ProductFunc& product, int64_t column, int64_t row, int64_t width, int64_t lanes,
                  int64_t rows) {
  Func& func = product.acc.func;
  const Var c = product.acc.At(column), q = product.acc.At(row);
  func.bound_extent(c, static_cast<int>(width)).bound_extent(q, static_cast<int>(rows));
  func.vectorize(c, static_cast<int>(lanes), TailStrategy::RoundUp).unroll(c).unroll(q);
  func.update()
      .reorder(c, q, product.r)
      .vectorize(c, static_cast<int>(lanes), TailStrategy::RoundUp)
      .unroll(c)
      .unroll(q);
}

void VectorizeKeys(PlacedFunc& placed, int64_t key_dim, int64_t keys, int64_t lanes) {
  const Var key = placed.At(key_dim);
  std::vector<Var> order = {key};
  for (const Axis& axis : placed.axes) {
    if (axis.var.name() != key.name()) order.push_back(axis.var);
  }
  placed.func.reorder_storage(order);
  placed.func.reorder(std::vector<VarOrRVar>(order.begin(), order.end()));
  placed.func.vectorize(key, static_cast<int>(lanes),
                        keys % lanes == 0 ? TailStrategy::RoundUp : TailStrategy::ShiftInwards);
  if (keys % (2 * lanes) == 0) placed.func.unroll(key, 2);
}

// The output's loops: (values, queries) of a register tile, tiles of a block, values' tiles, blocks
// of a task, tasks.
struct CpuLoops {
  Var tile{"tile"}, block{"block"}, task{"task"};
};

CpuLoops ScheduleOutput(LoweredKernel& kernel, const AttentionParts& parts, const CpuTiles& tiles) {
  CpuLoops loops;
  Func& out = kernel.output;
  const PlacedFunc& placed = parts.output;
  const Var c = placed.At(AttentionForm::kValueDim), q = placed.At(parts.rows_dim);
  Var co("co"), ci("ci"), rows("rows"), mi("mi"), chunk("chunk"), blocks("blocks");
  out.split(c, co, ci, static_cast<int>(tiles.tile_v),
            Tail(kernel, parts.value_size, tiles.tile_v));
  out.split(q, blocks, rows, static_cast<int>(tiles.block_q),
            Tail(kernel, parts.queries, tiles.block_q));
  out.split(rows, loops.tile, mi, static_cast<int>(tiles.tile_q), TailStrategy::RoundUp);
  const int64_t per_task = tiles.task_q / tiles.block_q;
  out.split(blocks, chunk, loops.block, static_cast<int>(per_task), TailStrategy::GuardWithIf);
  std::vector<VarOrRVar> order = {ci, mi, loops.tile, co, loops.block};
  std::vector<Var> tasks = {chunk};
  // Queries that share their keys are of one task.
  for (int shared : {1, 0}) {
    for (size_t a = 0; a < placed.axes.size(); ++a) {
      const int64_t place = placed.places[a];
      if (place == AttentionForm::kValueDim || place == parts.rows_dim) continue;
      const bool query = place >= 0 && parts.form->is_query[place];
      if (query != (shared == 1)) continue;
      if (query) {
        order.push_back(placed.axes[a].var);
      } else {
        tasks.push_back(placed.axes[a].var);
      }
    }
  }
  order.insert(order.end(), tasks.begin(), tasks.end());
  out.reorder(order);
  out.vectorize(ci, static_cast<int>(tiles.lanes_v), TailStrategy::RoundUp).unroll(ci).unroll(mi);
  Var fused = FuseVars(out, tasks), one("one");
  out.split(fused, loops.task, one, 1).parallel(loops.task);
  return loops;
}

void ApplyOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  const AttentionParts parts = PartsOf(kernel);
  const AttentionForm& form = *parts.form;
  CpuTiles tiles = DefaultTiles(kernel, parts);
  tiles.tile_q = schedule.Get("tile_q");
  tiles.tile_k = schedule.Get("tile_k");
  tiles.tile_v = schedule.Get("tile_v");
  while (tiles.lanes_k > tiles.tile_k) tiles.lanes_k /= 2;
  while (tiles.lanes_v > tiles.tile_v) tiles.lanes_v /= 2;
  tiles.block_q =
      std::min(schedule.Get("blocks"), std::max<int64_t>(1, parts.queries / tiles.tile_q)) *
      tiles.tile_q;
  tiles.task_q = schedule.Get("steps") * tiles.block_q;

  // Scores of a block, and the logits made of them.
  Hero& scores = *parts.scores;
  PlacedFunc like = PlacedLike(form, *form.scores, "s");
  const int64_t k_side = 1 - form.query_operand;
  Packed queries = Pack("queries", scores, form.query_operand, like, parts.rows_dim, true);
  Packed keys = Pack("keys", scores, k_side, like, form.key_dim, false);
  ProductFunc first = DefineProduct(kernel, scores, like, [&](const Expr& r) {
    auto index_of = [&](int64_t place) { return Expr(like.At(place)); };
    std::vector<Value> factors(2);
    factors[form.query_operand] =
        queries.Read(scores.types[0], index_of(parts.rows_dim), r, index_of);
    factors[k_side] = keys.Read(scores.types[0], index_of(form.key_dim), r, index_of);
    return factors;
  });
  scores.read = [acc = first.acc.func](const Indices& axes) {
    return std::vector<Expr>{Expr(acc(axes))};
  };
  PlacedFunc logits = ValueFunc(kernel, *form.logits, "logits");
  kernel.emitter->BindStored(form.logits, logits.func);

  const int64_t native = VectorLanes(kernel);
  const FoldShape fold_shape = {LargestPower(4 * native, parts.keys),
                                LargestPower(native, parts.keys), 1};
  Fold max = DefineFold(kernel, *parts.max, fold_shape);
  PlacedFunc weights = ValueFunc(kernel, *form.weights, "weights");
  LeaveOutDivision(kernel, weights.func);
  Fold sum = DefineFold(kernel, *parts.sum, fold_shape);

  // The second product. Weights of a narrow type are rounded and widened once.
  Hero& product = *parts.product;
  const int64_t w_side = form.weights_operand;
  const hlo::Instruction& factor = *form.product->operand(w_side);
  PlacedFunc rounded;
  if (!WeightsAreFactors(kernel)) {
    rounded = PlacedLike(form, factor, "rounded");
    const Indices vars = lowering::VarsOf(rounded.axes);
    rounded.func = Func("rounded");
    rounded.func(vars) =
        lowering::ConvertTo(kernel.emitter->At(&factor, Emitter::ToLogical(vars)), product.types[0])
            .re;
  }
  PlacedFunc out_like = PlacedLike(form, *form.product, "p");
  Packed values = Pack("values", product, 1 - w_side, out_like, AttentionForm::kValueDim, false);
  ProductFunc second = DefineProduct(kernel, product, out_like, [&](const Expr& r) {
    auto index_of = [&](int64_t place) {
      return place == form.key_dim ? r : Expr(out_like.At(place));
    };
    std::vector<Value> factors(2);
    if (rounded.func.defined()) {
      factors[w_side] = {product.types[0], rounded.func(PlacedArguments(rounded, index_of)), {}};
    } else {
      factors[w_side] = FactorValue(product, w_side, out_like, index_of, r);
    }
    factors[1 - w_side] =
        values.Read(product.types[0], index_of(AttentionForm::kValueDim), r, index_of);
    return factors;
  });
  product.read = [&kernel, &product, acc = second.acc.func](const Indices& axes) {
    const std::vector<Value> total = kernel.FromStorageExprs(product.types, {Expr(acc(axes))});
    return kernel.ToStorageExprs({Normalized(kernel, total[0], axes)});
  };
  kernel.BuildOutput();

  Func& out = kernel.output;
  const CpuLoops loops = ScheduleOutput(kernel, parts, tiles);
  second.acc.func.compute_at(out, loops.tile);
  ScheduleTile(second, AttentionForm::kValueDim, parts.rows_dim, tiles.tile_v, tiles.lanes_v,
               tiles.tile_q);
  for (Fold* fold : {&max, &sum}) {
    fold->total.compute_at(out, loops.block);
    if (!fold->partial.defined()) continue;
    fold->partial.compute_at(out, loops.block);
    if (fold->joined.defined()) fold->joined.compute_at(out, loops.block);
    ScheduleFoldOnCpu(*fold, native);
  }
  for (PlacedFunc* func : {&weights, &rounded}) {
    if (!func->func.defined()) continue;
    func->func.compute_at(out, loops.block);
    VectorizeKeys(*func, form.key_dim, parts.keys, tiles.lanes_k);
  }
  // Tiles of the logits; a tile's rows share the keys in the first cache.
  logits.func.compute_at(out, loops.block);
  const Var key = logits.At(form.key_dim), row = logits.At(parts.rows_dim);
  Var ko("ko"), ki("ki"), qo("qo"), qi("qi");
  std::vector<Var> storage = {key};
  std::vector<VarOrRVar> order = {ki, qi, qo, ko};
  for (const Axis& axis : logits.axes) {
    if (axis.var.name() == key.name()) continue;
    storage.push_back(axis.var);
    if (axis.var.name() != row.name()) order.push_back(axis.var);
  }
  logits.func.reorder_storage(storage);
  logits.func
      .split(key, ko, ki, static_cast<int>(tiles.tile_k),
             parts.keys % tiles.tile_k == 0 ? TailStrategy::RoundUp : TailStrategy::ShiftInwards)
      .split(row, qo, qi, static_cast<int>(tiles.tile_q), TailStrategy::ShiftInwards)
      .reorder(order)
      .vectorize(ki, static_cast<int>(tiles.lanes_k), TailStrategy::RoundUp)
      .unroll(ki)
      .unroll(qi);
  first.acc.func.compute_at(logits.func, qo);
  ScheduleTile(first, form.key_dim, parts.rows_dim, tiles.tile_k, tiles.lanes_k, tiles.tile_q);

  queries.func.compute_at(out, loops.block);
  if (parts.head_size >= tiles.lanes_k) {
    queries.func.vectorize(
        queries.r, static_cast<int>(tiles.lanes_k),
        parts.head_size % tiles.lanes_k == 0 ? TailStrategy::RoundUp : TailStrategy::ShiftInwards);
  }
  keys.func.compute_at(out, loops.task)
      .vectorize(
          keys.along, static_cast<int>(tiles.lanes_k),
          parts.keys % tiles.lanes_k == 0 ? TailStrategy::RoundUp : TailStrategy::ShiftInwards);
  values.func.compute_at(out, loops.task)
      .vectorize(values.along, static_cast<int>(tiles.lanes_v),
                 parts.value_size % tiles.lanes_v == 0 ? TailStrategy::RoundUp
                                                       : TailStrategy::ShiftInwards);
}

}  // namespace

const Template kAttentionOnX86 = {.id = kAttention,
                                  .forms = SetOfForms<AttentionForm>(),
                                  .device = DeviceClass::kX86,
                                  .accepts = AcceptsOnCpu,
                                  .defaults = CpuDefaults,
                                  .space = CpuSpace,
                                  .apply = ApplyOnCpu};
const Template kAttentionOnGpu = {.id = kAttention,
                                  .forms = SetOfForms<AttentionForm>(),
                                  .device = DeviceClass::kGpu,
                                  .accepts = AcceptsOnGpu,
                                  .defaults = GpuAttentionDefaults,
                                  .space = GpuAttentionSpace,
                                  .apply = ApplyAttentionOnGpu,
                                  .caps_registers = true};

}  // namespace halyard::schedules
