#include "schedules/folds.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

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
  if (shape.lanes == 1 && shape.parts == 1) {
    kernel.DefineHero(hero);
    fold.total = hero.result;
    return fold;
  }
  const std::string name = hero.instruction->name;
  const Indices axes = VarsOf(hero.axes);
  const std::vector<int64_t>& extents = hero.reduce_extents;
  const size_t outermost = extents.size() - 1;

  // partial(lane, axes, part) over what is left of each dimension.
  std::vector<int64_t> chunk = extents;
  chunk[0] = (chunk[0] + shape.lanes - 1) / shape.lanes;
  chunk[outermost] = (chunk[outermost] + shape.parts - 1) / shape.parts;
  std::vector<Halide::Range> ranges;
  for (int64_t extent : chunk) ranges.emplace_back(0, static_cast<int32_t>(extent));
  RDom domain(ranges, "p");
  Indices vars = axes;
  vars.insert(vars.begin(), fold.lane);
  if (shape.parts > 1) vars.push_back(fold.part);

  Indices r;
  Expr inside;
  for (size_t d = 0; d < extents.size(); ++d) {
    fold.partial_domain.push_back(domain[static_cast<int>(d)]);
    Expr e = domain[static_cast<int>(d)];
    if (d == outermost && shape.parts > 1) e = e + Expr(fold.part) * Constant(chunk[d]);
    int64_t covered = chunk[d] * (d == outermost ? shape.parts : 1);
    if (d == 0) {
      e = e * Constant(shape.lanes) + fold.lane;
      covered *= shape.lanes;
    }
    if (covered != extents[d]) {
      Expr within = e < Constant(extents[d]);
      inside = inside.defined() ? inside && within : within;
      e = Halide::min(e, Constant(extents[d] - 1));
    }
    r.push_back(e);
  }
  fold.partial = Func("partial");
  fold.partial(vars) = Tuple(kernel.ToStorageExprs(hero.identity));
  const std::vector<Value> before = Read(kernel, hero, fold.partial, vars);
  std::vector<Value> after = hero.combine(before, hero.term(axes, r));
  const Indices variables(fold.partial_domain.begin(), fold.partial_domain.end());
  after = LoweredKernel::OverDomain(variables, before, std::move(after));
  if (inside.defined()) {
    for (size_t i = 0; i < after.size(); ++i) {
      after[i].re = Halide::select(inside, after[i].re, before[i].re);
      if (after[i].im.defined()) after[i].im = Halide::select(inside, after[i].im, before[i].im);
    }
  }
  fold.partial(vars) = Tuple(kernel.ToStorageExprs(after));

  // joined(fan, axes, part): lanes fan, fan + fans, … in order.
  Func lanes_of = fold.partial;
  int64_t fans = shape.lanes;
  if (shape.fans < shape.lanes) {
    fold.joined = Func("joined");
    fans = shape.fans;
    Indices joined_vars = vars;
    joined_vars[0] = fold.fan;
    std::vector<std::vector<Value>> leaves;
    for (int64_t i = 0; i < shape.lanes / fans; ++i) {
      Indices at = joined_vars;
      at[0] = Expr(fold.fan) + Constant(i * fans);
      leaves.push_back(Read(kernel, hero, fold.partial, at));
    }
    fold.joined(joined_vars) = Tuple(kernel.ToStorageExprs(JoinTree(hero, leaves)));
    lanes_of = fold.joined;
  }

  // total(axes) = init, then every part's fans.
  fold.total = Func("total");
  auto part_value = [&](const Expr& part) {
    std::vector<std::vector<Value>> leaves;
    for (int64_t i = 0; i < fans; ++i) {
      Indices at = axes;
      at.insert(at.begin(), Constant(i));
      if (part.defined()) at.push_back(part);
      leaves.push_back(Read(kernel, hero, lanes_of, at));
    }
    return JoinTree(hero, leaves);
  };
  if (shape.parts == 1) {
    fold.total(axes) = Tuple(kernel.ToStorageExprs(hero.merge(hero.init(), part_value(Expr()))));
  } else {
    RDom parts(0, static_cast<int32_t>(shape.parts), "parts");
    fold.total(axes) = Tuple(kernel.ToStorageExprs(hero.init()));
    fold.total(axes) = Tuple(
        kernel.ToStorageExprs(hero.merge(Read(kernel, hero, fold.total, axes), part_value(parts))));
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
