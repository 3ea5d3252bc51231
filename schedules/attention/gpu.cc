// Attention on GPUs: a workgroup computes a block of queries of one head, in two passes over the
// keys. The first pass finds the maximum of each row. The second computes the scores again, and
// from them the weights, their sum and the weighted sum of the values. Scores and sums of a block
// of keys are in registers, and weights and running sums are in shared memory. Nothing of the size
// of the scores exists elsewhere.
//
// Each thread (tx, ty) has `rows` queries, `keys` keys and every threads_k-th value. As the maximum
// is known beforehand, no sum is rescaled, and the terms of every row are added in one order.

#include "schedules/attention/gpu.h"

#include <algorithm>

#include "lowering/kernels/emitter.h"
#include "lowering/kernels/marks.h"
#include "schedules/attention/gpu_attention.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::Var;
using lowering::AttentionForm;
using lowering::AttentionGroup;
using lowering::Hero;
using lowering::Indices;
using lowering::LogicalIndex;
using lowering::LoweredKernel;
using lowering::Value;

std::vector<std::pair<int64_t, Var>> GpuAttention::OthersOf(const Hero& hero, int64_t operand,
                                                            const PlacedFunc& like) const {
  const std::vector<bool>& depends = operand == 0 ? hero.lhs_axes : hero.rhs_axes;
  std::vector<std::pair<int64_t, Var>> result;
  for (const auto& other : others_) {
    const int axis = like.Find(other.first);
    if (axis >= 0 && depends[axis]) result.push_back(other);
  }
  return result;
}

GpuAttention::IndexOf GpuAttention::Index(const Expr& key, const Expr& query,
                                          const Expr& value) const {
  return [=, this](int64_t place) {
    if (place == form_.key_dim) return key;
    if (place == parts_.rows_dim) return query;
    if (place == AttentionForm::kValueDim) return value;
    for (const auto& [known, var] : others_) {
      if (known == place) return Expr(var);
    }
    return Expr(0);
  };
}

LogicalIndex GpuAttention::IndexIn(const hlo::Instruction* instruction,
                                   const IndexOf& index_of) const {
  LogicalIndex index;
  for (int64_t place : form_.places.at(instruction)) {
    index.push_back(place == AttentionForm::kNone ? Expr(0) : index_of(place));
  }
  return index;
}

void GpuAttention::DefineQueries() {
  if (!group_.stage_queries) return;
  const PlacedFunc like = PlacedLike(form_, *form_.scores, "s");
  queries_ = Func("queries");
  queries_(With({d_, q_})) =
      FactorValue(*parts_.scores, form_.query_operand, like, Index(0, q_), d_).re;
}

GpuAttention::Scores GpuAttention::DefineScores(const std::string& name) {
  Hero& hero = *parts_.scores;
  const PlacedFunc like = PlacedLike(form_, *form_.scores, "s");
  const int64_t k_side = 1 - form_.query_operand;
  const hlo::ElementType type = hero.types[0];
  Scores scores;
  scores.keys = Func(name + "_keys");
  Indices vars = {d_, tx_, k_, jb_};
  for (const auto& other : OthersOf(hero, k_side, like)) vars.push_back(other.second);
  scores.keys(vars) =
      FactorValue(hero, k_side, like, Index(Clamped(KeyAt(k_, tx_, jb_)), 0), d_).re;

  scores.acc = Func(name);
  const Indices args = With({k_, tx_, jb_, q_});
  scores.acc(args) = kernel_.ToStorageExprs(hero.init())[0];
  const Halide::RDom domain = kernel_.domain_of(hero);
  scores.r = domain[0];
  std::vector<Value> factors(2);
  vars[0] = scores.r;
  factors[k_side] = {type, scores.keys(vars), {}};
  factors[form_.query_operand] =
      group_.stage_queries ? Value{type, queries_(With({scores.r, q_})), {}}
                           : FactorValue(hero, form_.query_operand, like, Index(0, q_), scores.r);
  const std::vector<Value> before = kernel_.FromStorageExprs(hero.types, {Expr(scores.acc(args))});
  scores.acc(args) = kernel_.ToStorageExprs(
      LoweredKernel::OverDomain({scores.r}, before, hero.combine(before, factors)))[0];
  return scores;
}

// From now on, a score is read at key (k, x, block), whatever the index says about the key.
void GpuAttention::BindScores(const Scores& scores, const Expr& k, const Expr& x,
                              const Expr& block) {
  parts_.scores->read = [this, acc = scores.acc, k, x, block](const Indices&) {
    return std::vector<Expr>{Expr(acc(With({k, x, block, q_})))};
  };
  kernel_.emitter->Forget();
}

// Defines the maxima of every threads_k-th key, and those of all keys.
void GpuAttention::DefineMax() {
  Hero& hero = *parts_.max;
  first_ = DefineScores("first_scores");
  part_max_ = Func("part_max");
  const Indices args = With({tx_, q_});
  const std::vector<Value> start = hero.identity.empty() ? hero.init() : hero.identity;
  part_max_(args) = start[0].re;
  const Halide::RDom domain(0, static_cast<int32_t>(group_.keys), 0, static_cast<int32_t>(blocks()),
                            "m");
  max_k_ = domain[0];
  max_block_ = domain[1];
  BindScores(first_, max_k_, tx_, max_block_);
  const Expr key = KeyAt(max_k_, tx_, max_block_);
  const Value term =
      kernel_.emitter->At(form_.logits, IndexIn(form_.logits, Index(Clamped(key), q_)));
  const Value before{hero.types[0], part_max_(args), {}};
  Value after = hero.combine({before}, {term})[0];
  if (CutsKeys()) after = lowering::SelectValue(key < Int(parts_.keys), after, before);
  part_max_(args) = after.re;

  max_ = Func("max");
  Value all = hero.init()[0];
  for (int64_t x = 0; x < group_.threads_k; ++x) {
    all = hero.merge({all}, {{hero.types[0], part_max_(With({Int(x), q_})), {}}})[0];
  }
  max_(With({q_})) = all.re;
  kernel_.emitter->BindReader(form_.max, [this, type = hero.types[0]](const LogicalIndex&) {
    return Value{type, max_(With({q_})), {}};
  });
}

void GpuAttention::DefineWeights() {
  second_ = DefineScores("second_scores");
  BindScores(second_, k_, tx_, jb_);
  const Expr key = KeyAt(k_, tx_, jb_);
  const IndexOf index = Index(Clamped(key), q_);
  const Indices args = With({tx_, k_, jb_, q_});
  Value weight = kernel_.emitter->At(form_.weights, IndexIn(form_.weights, index));
  if (CutsKeys()) {
    weight = lowering::SelectValue(key < Int(parts_.keys), weight, lowering::Zero(weight.type));
  }
  weights_ = Func("weights");
  weights_(args) = weight.re;
  auto bind = [this](const hlo::Instruction* instruction, const Func& func, Indices at) {
    kernel_.emitter->BindReader(instruction, [=](const LogicalIndex&) {
      return Value{instruction->shape.element_type(), func(at), {}};
    });
  };
  bind(form_.weights, weights_, args);
  bind(form_.divide, weights_, args);
  rounded_ = weights_;
  if (WeightsAreFactors(kernel_)) return;
  const hlo::Instruction* factor = form_.product->operand(form_.weights_operand);
  rounded_ = Func("rounded");
  rounded_(args) = lowering::ConvertTo(kernel_.emitter->At(factor, IndexIn(factor, index)),
                                       parts_.product->types[0])
                       .re;
}

// Defines the sums of the values of a thread, and the sums of weights, which every thread of a row
// computes for itself.
void GpuAttention::DefineSums() {
  Hero &product = *parts_.product, &sum = *parts_.sum;
  const int64_t v_side = 1 - form_.weights_operand, columns = group_.value_columns(form_);
  const PlacedFunc like = PlacedLike(form_, *form_.product, "p");
  values_ = Func("values");
  Indices vars = {c_, tx_, k_, jb_};
  for (const auto& other : OthersOf(product, v_side, like)) vars.push_back(other.second);
  const Expr column = Halide::min(c_, Int(parts_.value_size - 1));
  values_(vars) =
      FactorValue(product, v_side, like, Index(0, 0, column), Clamped(KeyAt(k_, tx_, jb_))).re;

  const Halide::RDom domain(0, static_cast<int32_t>(group_.threads_k), 0,
                            static_cast<int32_t>(group_.keys), "w");
  partial_x_ = domain[0];
  partial_k_ = domain[1];
  partial_ = Func("partial");
  const Indices args = With({tx_, jb_, q_});
  std::vector<Expr> zeros(columns, lowering::Zero(product.types[0]).re), next;
  zeros.push_back(lowering::Zero(sum.types[0]).re);
  partial_(args) = Halide::Tuple(zeros);
  const Value weight{product.types[0], rounded_(With({partial_x_, partial_k_, jb_, q_})), {}};
  for (int64_t i = 0; i < columns; ++i) {
    vars[0] = Int(i * group_.threads_k) + tx_;
    vars[1] = partial_x_;
    vars[2] = partial_k_;
    std::vector<Value> factors(2);
    factors[v_side] = {product.types[0], values_(vars), {}};
    factors[1 - v_side] = weight;
    const Value before{product.types[0], partial_(args)[static_cast<int>(i)], {}};
    next.push_back(lowering::Stored(product.combine({before}, factors)[0].re));
  }
  // The term that the program sums, for the weight at (x, k).
  auto weight_at = [this](const hlo::Instruction* instruction, const Indices& at) {
    kernel_.emitter->BindReader(instruction, [=, this](const LogicalIndex&) {
      return Value{instruction->shape.element_type(), weights_(at), {}};
    });
  };
  const Indices at = With({partial_x_, partial_k_, jb_, q_});
  weight_at(form_.weights, at);
  const hlo::Instruction* summed = form_.sum->operand(0);
  const Value term =
      kernel_.emitter->At(summed, IndexIn(summed, Index(KeyAt(partial_k_, partial_x_, jb_), q_)));
  const Value before{sum.types[0], partial_(args)[static_cast<int>(columns)], {}};
  next.push_back(lowering::Stored(sum.combine({before}, {term})[0].re));
  partial_(args) = Halide::Tuple(next);

  sums_ = Func("sums");
  const Indices total = With({tx_, q_});
  zeros.back() = sum.init()[0].re;
  sums_(total) = Halide::Tuple(zeros);
  const Halide::RDom block(0, static_cast<int32_t>(blocks()), "b");
  sums_block_ = block.x;
  std::vector<Expr> joined;
  for (int64_t i = 0; i <= columns; ++i) {
    Hero& hero = i < columns ? product : sum;
    const Value a{hero.types[0], sums_(total)[static_cast<int>(i)], {}};
    const Value b{
        hero.types[0], partial_(With({tx_, Expr(sums_block_), q_}))[static_cast<int>(i)], {}};
    joined.push_back(hero.merge({a}, {b})[0].re);
  }
  sums_(total) = Halide::Tuple(joined);
}

// Returns `value`, read after what lies in shared memory during the whole loop over keys. Halide 21
// assumes that an allocation from before a loop is free after its last use in the loop's text, and
// gives its place to something later in the loop. The next iteration would then read something
// else.
Expr GpuAttention::KeepAlive(const Expr& value, Indices args) const {
  const Halide::Type bits = Halide::UInt(32);
  auto zero_of = [&](const Expr& element) {
    const Expr x = Halide::reinterpret(bits, element);
    return Halide::absd(x, x);  // not folded before allocations are placed
  };
  Expr result = Halide::reinterpret(bits, value);
  args.erase(args.begin());
  result = result + zero_of(max_(args));
  if (group_.stage_queries) {
    args.insert(args.begin(), Expr(0));
    result = result + zero_of(queries_(args));
  }
  return Halide::reinterpret(value.type(), result);
}

void GpuAttention::BuildOutput() {
  Hero& product = *parts_.product;
  const PlacedFunc like = PlacedLike(form_, *form_.product, "p");
  const int64_t columns = group_.value_columns(form_);
  product.read = [=, this, &product](const Indices& axes) {
    auto at = [&](int64_t place) {
      const int axis = like.Find(place);
      return axis < 0 ? Expr(0) : axes[axis];
    };
    const Expr column = at(AttentionForm::kValueDim);
    Indices args = {column % Int(group_.threads_k), at(parts_.rows_dim)};
    for (const auto& other : others_) args.push_back(at(other.first));
    std::vector<Expr> elements;
    for (int64_t i = 0; i <= columns; ++i) {
      elements.push_back(sums_(args)[static_cast<int>(i)]);
    }
    parts_.sum->read = [last = elements.back()](const Indices&) { return std::vector<Expr>{last}; };
    elements.pop_back();
    const Expr total =
        elements.size() == 1 ? elements[0] : Halide::mux(column / Int(group_.threads_k), elements);
    const Expr divided = Normalized(kernel_, {product.types[0], total, {}}, axes).re;
    return std::vector<Expr>{KeepAlive(divided, args)};
  };
  kernel_.emitter->Forget();
  kernel_.BuildOutput();
}

void GpuAttention::Run() {
  DefineQueries();
  DefineMax();
  DefineWeights();
  DefineSums();
  BuildOutput();
  Arrange();
}

namespace {

AttentionGroup GroupOf(const LoweredKernel& kernel) {
  return *lowering::GroupFor(kernel.As<AttentionForm>(), kernel.device);
}

}  // namespace

Schedule GpuAttentionDefaults(const LoweredKernel& kernel) {
  const AttentionGroup group = GroupOf(kernel);
  return schedules::Schedule(kAttention.name)
      .Set("threads_k", group.threads_k)
      .Set("threads_q", group.threads_q)
      .Set("keys", group.keys)
      .Set("rows", group.rows)
      .Set("stage_queries", group.stage_queries ? 1 : 0);
}

std::vector<Knob> GpuAttentionSpace(const LoweredKernel& kernel) {
  const AttentionGroup group = GroupOf(kernel);
  const AttentionParts parts = PartsOf(kernel);
  return {{"threads_k", {8, 16, 32}},
          {"threads_q", Choices(PowersOfTwo(1, 16), parts.queries, group.threads_q)},
          {"keys", {1, 2, 4}},
          {"rows", Choices({1, 2, 4, 8}, std::max<int64_t>(1, parts.queries / 2), group.rows)},
          {"stage_queries", {0, 1}}};
}

void ApplyAttentionOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  AttentionGroup group;
  group.threads_k = schedule.Get("threads_k");
  group.threads_q = schedule.Get("threads_q");
  group.keys = schedule.Get("keys");
  group.rows = schedule.Get("rows");
  group.stage_queries = schedule.Get("stage_queries") == 1;
  const AttentionParts parts = PartsOf(kernel);
  while (group.rows > 1 && group.block_q() > parts.queries) group.rows /= 2;
  while (group.threads_q > 1 && group.block_q() > parts.queries) group.threads_q /= 2;
  GpuAttention(kernel, parts, group).Run();
}

}  // namespace halyard::schedules
