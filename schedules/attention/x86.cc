#include "schedules/attention/x86.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "lowering/kernels/emitter.h"
#include "schedules/attention/template.h"
#include "schedules/attention/x86_tiles.h"
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
using lowering::LoweredKernel;
using lowering::Value;

namespace {

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
  placed.func.vectorize(key, static_cast<int>(lanes), WholeOrShifted(keys, lanes));
  if (keys % (2 * lanes) == 0) placed.func.unroll(key, 2);
}

// The output's loops: (values, queries) of a register tile, tiles of a block, values' tiles, blocks
// of a task, tasks.
struct Loops {
  Var tile{"tile"}, block{"block"}, task;
};

Loops ScheduleOutput(LoweredKernel& kernel, const AttentionParts& parts,
                     const X86AttentionTiles& tiles) {
  Loops loops;
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
  // One task has all queries that share keys.
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
  // Halide sees that a task has one index of each fused axis, such as a batch and a head, only at
  // the fused loop itself: below a split of it, a task would pack the keys of all heads.
  loops.task = FuseVars(out, tasks);
  out.parallel(loops.task);
  return loops;
}

// The Funcs of one kernel, in the order in which they are computed.
class Attention {
 public:
  Attention(LoweredKernel& kernel, const Schedule& schedule)
      : kernel_(kernel),
        parts_(PartsOf(kernel)),
        form_(*parts_.form),
        tiles_(TilesOf(kernel, parts_, schedule)) {}

  void Define() {
    DefineScores();
    DefineWeights();
    DefineSums();
    kernel_.BuildOutput();
  }
  void Place() {
    const Loops loops = ScheduleOutput(kernel_, parts_, tiles_);
    PlaceSums(loops);
    PlaceWeights(loops);
    PlaceLogits(loops);
    PlaceFactors(loops);
  }

 private:
  void DefineScores();   // and the logits made of them
  void DefineWeights();  // and their maximum before, their sum after
  void DefineSums();     // of the weighted values
  void PlaceSums(const Loops& loops);
  void PlaceWeights(const Loops& loops);
  void PlaceLogits(const Loops& loops);
  void PlaceFactors(const Loops& loops);

  LoweredKernel& kernel_;
  const AttentionParts parts_;
  const AttentionForm& form_;
  const X86AttentionTiles tiles_;
  Packed queries_, keys_, values_;
  ProductFunc scores_, sums_;
  PlacedFunc logits_, weights_;
  PlacedFunc rounded_;  // weights of a narrow type, rounded and widened once; else without a Func
  Fold max_, sum_;
};

void Attention::DefineScores() {
  Hero& scores = *parts_.scores;
  const PlacedFunc like = PlacedLike(form_, *form_.scores, "s");
  const int64_t k_side = 1 - form_.query_operand;
  queries_ = Pack("queries", scores, form_.query_operand, like, parts_.rows_dim, true);
  keys_ = Pack("keys", scores, k_side, like, form_.key_dim, false);
  scores_ = DefineProduct(kernel_, scores, like, [&](const Expr& r) {
    auto index_of = [&](int64_t place) { return Expr(like.At(place)); };
    std::vector<Value> factors(2);
    factors[form_.query_operand] =
        queries_.Read(scores.types[0], index_of(parts_.rows_dim), r, index_of);
    factors[k_side] = keys_.Read(scores.types[0], index_of(form_.key_dim), r, index_of);
    return factors;
  });
  scores.read = [acc = scores_.acc.func](const Indices& axes) {
    return std::vector<Expr>{Expr(acc(axes))};
  };
  logits_ = ValueFunc(kernel_, *form_.logits, "logits");
  kernel_.emitter->BindStored(form_.logits, logits_.func);
}

void Attention::DefineWeights() {
  const int64_t native = VectorLanes(kernel_);
  const FoldShape shape = {PowerOfTwoAtMost(std::min(4 * native, parts_.keys)),
                           PowerOfTwoAtMost(std::min(native, parts_.keys)), 1};
  max_ = DefineFold(kernel_, *parts_.max, shape);
  weights_ = ValueFunc(kernel_, *form_.weights, "weights");
  LeaveOutDivision(kernel_, weights_.func);
  sum_ = DefineFold(kernel_, *parts_.sum, shape);
  if (WeightsAreFactors(kernel_)) return;
  const hlo::Instruction& factor = *form_.product->operand(form_.weights_operand);
  rounded_ = PlacedLike(form_, factor, "rounded");
  const Indices vars = lowering::VarsOf(rounded_.axes);
  rounded_.func = Func("rounded");
  rounded_.func(vars) = lowering::ConvertTo(kernel_.emitter->At(&factor, Emitter::ToLogical(vars)),
                                            parts_.product->types[0])
                            .re;
}

void Attention::DefineSums() {
  Hero& product = *parts_.product;
  const int64_t w_side = form_.weights_operand;
  const PlacedFunc like = PlacedLike(form_, *form_.product, "p");
  values_ = Pack("values", product, 1 - w_side, like, AttentionForm::kValueDim, false);
  sums_ = DefineProduct(kernel_, product, like, [&](const Expr& r) {
    auto index_of = [&](int64_t place) {
      return place == form_.key_dim ? r : Expr(like.At(place));
    };
    std::vector<Value> factors(2);
    if (rounded_.func.defined()) {
      factors[w_side] = {product.types[0], rounded_.func(PlacedArguments(rounded_, index_of)), {}};
    } else {
      factors[w_side] = FactorValue(product, w_side, like, index_of, r);
    }
    factors[1 - w_side] =
        values_.Read(product.types[0], index_of(AttentionForm::kValueDim), r, index_of);
    return factors;
  });
  product.read = [&kernel = kernel_, &product, acc = sums_.acc.func](const Indices& axes) {
    const std::vector<Value> total = kernel.FromStorageExprs(product.types, {Expr(acc(axes))});
    return kernel.ToStorageExprs({Normalized(kernel, total[0], axes)});
  };
}

void Attention::PlaceSums(const Loops& loops) {
  sums_.acc.func.compute_at(kernel_.output, loops.tile);
  ScheduleTile(sums_, AttentionForm::kValueDim, parts_.rows_dim, tiles_.tile_v, tiles_.lanes_v,
               tiles_.tile_q);
}

void Attention::PlaceWeights(const Loops& loops) {
  const Func& out = kernel_.output;
  for (Fold* fold : {&max_, &sum_}) {
    fold->total.compute_at(out, loops.block);
    if (!fold->partial.defined()) continue;
    fold->partial.compute_at(out, loops.block);
    if (fold->joined.defined()) fold->joined.compute_at(out, loops.block);
    ScheduleFoldOnCpu(*fold, VectorLanes(kernel_));
  }
  for (PlacedFunc* func : {&weights_, &rounded_}) {
    if (!func->func.defined()) continue;
    func->func.compute_at(out, loops.block);
    VectorizeKeys(*func, form_.key_dim, parts_.keys, tiles_.lanes_k);
  }
}

// In tiles whose rows share the keys in the first cache.
void Attention::PlaceLogits(const Loops& loops) {
  logits_.func.compute_at(kernel_.output, loops.block);
  const Var key = logits_.At(form_.key_dim), row = logits_.At(parts_.rows_dim);
  Var ko("ko"), ki("ki"), qo("qo"), qi("qi");
  std::vector<Var> storage = {key};
  std::vector<VarOrRVar> order = {ki, qi, qo, ko};
  for (const Axis& axis : logits_.axes) {
    if (axis.var.name() == key.name()) continue;
    storage.push_back(axis.var);
    if (axis.var.name() != row.name()) order.push_back(axis.var);
  }
  logits_.func.reorder_storage(storage);
  logits_.func
      .split(key, ko, ki, static_cast<int>(tiles_.tile_k),
             WholeOrShifted(parts_.keys, tiles_.tile_k))
      .split(row, qo, qi, static_cast<int>(tiles_.tile_q), TailStrategy::ShiftInwards)
      .reorder(order)
      .vectorize(ki, static_cast<int>(tiles_.lanes_k), TailStrategy::RoundUp)
      .unroll(ki)
      .unroll(qi);
  scores_.acc.func.compute_at(logits_.func, qo);
  ScheduleTile(scores_, form_.key_dim, parts_.rows_dim, tiles_.tile_k, tiles_.lanes_k,
               tiles_.tile_q);
}

void Attention::PlaceFactors(const Loops& loops) {
  const Func& out = kernel_.output;
  queries_.func.compute_at(out, loops.block);
  if (parts_.head_size >= tiles_.lanes_k) {
    queries_.func.vectorize(queries_.r, static_cast<int>(tiles_.lanes_k),
                            WholeOrShifted(parts_.head_size, tiles_.lanes_k));
  }
  // Keys mostly lie along r, so that a vector of keys is a line of the first cache for each: all of
  // r is read while these are there. Keys are a power of two apart, more or less, and more of them
  // would fall into the same sets.
  Var vector("vector"), lane("lane");
  keys_.func.compute_at(out, loops.task)
      .split(keys_.along, vector, lane, static_cast<int>(tiles_.lanes_k),
             WholeOrShifted(parts_.keys, tiles_.lanes_k))
      .reorder(lane, keys_.r, vector)
      .vectorize(lane);
  values_.func.compute_at(out, loops.task)
      .vectorize(values_.along, static_cast<int>(tiles_.lanes_v),
                 WholeOrShifted(parts_.value_size, tiles_.lanes_v));
}

}  // namespace

void ApplyAttentionOnX86(LoweredKernel& kernel, const Schedule& schedule) {
  Attention attention(kernel, schedule);
  attention.Define();
  attention.Place();
}

}  // namespace halyard::schedules
