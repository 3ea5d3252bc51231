#include "schedules/folds.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/emitter.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Tuple;
using lowering::CallElements;
using lowering::EmitError;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;
using lowering::Value;
using lowering::VarsOf;

namespace {

std::vector<Value> Read(const LoweredKernel& kernel, const Hero& hero, const Func& func,
                        const Indices& args) {
  return kernel.FromStorageExprs(hero.types, CallElements(func, args));
}

Expr Constant(int64_t value) { return Expr(static_cast<int32_t>(value)); }

// The Funcs of a fold in lanes or parts.
class FoldDefiner {
 public:
  FoldDefiner(LoweredKernel& kernel, Hero& hero, Fold* fold)
      : kernel_(kernel), hero_(hero), fold_(*fold), axes_(VarsOf(hero.axes)) {}

  // partial(lane, axes, part) over what is left of each dimension.
  void Partial() const;
  // joined(fan, axes, part): lanes fan, fan + fans, … in order. Left out if lanes are fans.
  void Joined() const;
  // total(axes) = init, then every part's fans.
  void Total() const;

 private:
  Indices PartialVars() const {
    Indices vars = axes_;
    vars.insert(vars.begin(), fold_.lane);
    if (fold_.shape.parts > 1) vars.push_back(fold_.part);
    return vars;
  }
  Indices Positions(const RDom& domain, const std::vector<int64_t>& chunk, Expr* inside) const;
  // `part` is undefined if there is one part.
  std::vector<Value> PartValue(const Expr& part) const;

  LoweredKernel& kernel_;
  Hero& hero_;
  Fold& fold_;
  const Indices axes_;
};

// What a step of a part's lane folds. `inside` says whether it is there, and is left undefined if
// all are.
Indices FoldDefiner::Positions(const RDom& domain, const std::vector<int64_t>& chunk,
                               Expr* inside) const {
  const std::vector<int64_t>& extents = hero_.reduce_extents;
  const size_t outermost = extents.size() - 1;
  const FoldShape& shape = fold_.shape;
  Indices r;
  for (size_t d = 0; d < extents.size(); ++d) {
    fold_.partial_domain.push_back(domain[static_cast<int>(d)]);
    Expr e = domain[static_cast<int>(d)];
    if (d == outermost && shape.parts > 1) e = e + Expr(fold_.part) * Constant(chunk[d]);
    int64_t covered = chunk[d] * (d == outermost ? shape.parts : 1);
    if (d == 0) {
      e = e * Constant(shape.lanes) + fold_.lane;
      covered *= shape.lanes;
    }
    if (covered != extents[d]) {
      Expr within = e < Constant(extents[d]);
      *inside = inside->defined() ? *inside && within : within;
      e = Halide::min(e, Constant(extents[d] - 1));
    }
    r.push_back(e);
  }
  return r;
}

void FoldDefiner::Partial() const {
  std::vector<int64_t> chunk = hero_.reduce_extents;
  chunk.front() = (chunk.front() + fold_.shape.lanes - 1) / fold_.shape.lanes;
  chunk.back() = (chunk.back() + fold_.shape.parts - 1) / fold_.shape.parts;
  std::vector<Halide::Range> ranges;
  for (int64_t extent : chunk) ranges.emplace_back(0, static_cast<int32_t>(extent));
  RDom domain(ranges, "p");
  const Indices vars = PartialVars();
  Expr inside;
  const Indices r = Positions(domain, chunk, &inside);
  fold_.partial = Func("partial");
  fold_.partial(vars) = Tuple(kernel_.ToStorageExprs(hero_.identity));
  const std::vector<Value> before = Read(kernel_, hero_, fold_.partial, vars);
  std::vector<Value> after = hero_.combine(before, hero_.term(axes_, r));
  const Indices variables(fold_.partial_domain.begin(), fold_.partial_domain.end());
  after = LoweredKernel::OverDomain(variables, before, std::move(after));
  if (inside.defined()) {
    for (size_t i = 0; i < after.size(); ++i) {
      after[i] = lowering::SelectValue(inside, after[i], before[i]);
    }
  }
  fold_.partial(vars) = Tuple(kernel_.ToStorageExprs(after));
}

void FoldDefiner::Joined() const {
  const int64_t fans = fold_.shape.fans;
  if (fans >= fold_.shape.lanes) return;
  fold_.joined = Func("joined");
  Indices vars = PartialVars();
  vars[0] = fold_.fan;
  std::vector<std::vector<Value>> leaves;
  for (int64_t i = 0; i < fold_.shape.lanes / fans; ++i) {
    Indices at = vars;
    at[0] = Expr(fold_.fan) + Constant(i * fans);
    leaves.push_back(Read(kernel_, hero_, fold_.partial, at));
  }
  fold_.joined(vars) = Tuple(kernel_.ToStorageExprs(JoinTree(hero_, leaves)));
}

std::vector<Value> FoldDefiner::PartValue(const Expr& part) const {
  const bool joined = fold_.joined.defined();
  const int64_t fans = joined ? fold_.shape.fans : fold_.shape.lanes;
  std::vector<std::vector<Value>> leaves;
  for (int64_t i = 0; i < fans; ++i) {
    Indices at = axes_;
    at.insert(at.begin(), Constant(i));
    if (part.defined()) at.push_back(part);
    leaves.push_back(Read(kernel_, hero_, joined ? fold_.joined : fold_.partial, at));
  }
  return JoinTree(hero_, leaves);
}

void FoldDefiner::Total() const {
  fold_.total = Func("total");
  Func& total = fold_.total;
  if (fold_.shape.parts == 1) {
    total(axes_) = Tuple(kernel_.ToStorageExprs(hero_.merge(hero_.init(), PartValue(Expr()))));
    return;
  }
  RDom parts(0, static_cast<int32_t>(fold_.shape.parts), "parts");
  total(axes_) = Tuple(kernel_.ToStorageExprs(hero_.init()));
  total(axes_) = Tuple(
      kernel_.ToStorageExprs(hero_.merge(Read(kernel_, hero_, total, axes_), PartValue(parts))));
}

}  // namespace

std::vector<Value> JoinTree(const Hero& hero, std::vector<std::vector<Value>> leaves) {
  while (leaves.size() > 1) {
    std::vector<std::vector<Value>> next;
    const size_t half = leaves.size() / 2;
    if (!hero.identity.empty() && leaves.size() % 2 == 0) {
      for (size_t i = 0; i < half; ++i) next.push_back(hero.merge(leaves[i], leaves[i + half]));
    } else {
      for (size_t i = 0; i < half; ++i)
        next.push_back(hero.merge(leaves[2 * i], leaves[2 * i + 1]));
      if (leaves.size() % 2 == 1) next.push_back(leaves.back());
    }
    leaves = std::move(next);
  }
  return leaves[0];
}

Fold DefineFold(LoweredKernel& kernel, Hero& hero, FoldShape shape) {
  if (hero.identity.empty() && (shape.lanes > 1 || shape.parts > 1)) {
    throw EmitError(
        absl::StrCat(hero.instruction->name, ": partial folds need an operation with an identity"));
  }
  Fold fold;
  fold.hero = &hero;
  fold.shape = shape;
  if (shape.lanes > 1 || shape.parts > 1) {
    const FoldDefiner define(kernel, hero, &fold);
    define.Partial();
    define.Joined();
    define.Total();
  } else {
    fold.domain = DomainOf(kernel, hero, shape.pieces);
    const PiecedFold pieced =
        DefineOverDomain(kernel, hero, fold.domain, "total", [&](const std::vector<Value>& before) {
          return hero.combine(before, hero.term(VarsOf(hero.axes), fold.domain.at));
        });
    fold.total = pieced.total;
    fold.piece = pieced.piece;
  }
  hero.result = fold.total;
  hero.read = [total = fold.total](const Indices& index) { return CallElements(total, index); };
  return fold;
}

void ScheduleFoldOnCpu(Fold& fold, int64_t vector_lanes) {
  if (!fold.partial.defined() || fold.shape.lanes == 1) return;
  const int vec = static_cast<int>(std::min(vector_lanes, fold.shape.lanes));
  fold.partial.bound(fold.lane, 0, static_cast<int32_t>(fold.shape.lanes))
      .vectorize(fold.lane, vec)
      .unroll(fold.lane);
  std::vector<Halide::VarOrRVar> order = {fold.lane};
  order.insert(order.end(), fold.partial_domain.begin(), fold.partial_domain.end());
  fold.partial.update().reorder(order).vectorize(fold.lane, vec).unroll(fold.lane);
  if (fold.joined.defined()) {
    fold.joined.bound(fold.fan, 0, static_cast<int32_t>(fold.shape.fans)).vectorize(fold.fan);
  }
}

}  // namespace halyard::schedules
