#include "schedules/reduction/group_fold.h"

#include <algorithm>

#include "lowering/kernels/emitter.h"
#include "schedules/folds.h"
#include "schedules/loops.h"

namespace halyard::schedules {

using lowering::CallElements;
using lowering::VarsOf;

namespace {

Expr Constant(int64_t value) { return Expr(static_cast<int32_t>(value)); }

// Place `flat` of a domain whose fastest dimension is first; `sub` is added to a multiple of its
// own range, which divides the fastest extent.
Indices Unflatten(const std::vector<int64_t>& extents, Expr flat, const Expr& sub) {
  Indices r;
  for (size_t d = 0; d < extents.size(); ++d) {
    Expr index = d + 1 == extents.size() ? flat : flat % Constant(extents[d]);
    r.push_back(d == 0 && sub.defined() ? index + sub : index);
    flat = flat / Constant(extents[d]);
  }
  return r;
}

std::vector<Value> Where(const Expr& inside, std::vector<Value> on_true,
                         const std::vector<Value>& on_false) {
  for (size_t i = 0; i < on_true.size(); ++i) {
    on_true[i] = lowering::SelectValue(inside, on_true[i], on_false[i]);
  }
  return on_true;
}

int64_t FansOf(int64_t threads) {
  int64_t fans = 1;
  while (fans * fans < threads) fans *= 2;
  return std::min(fans, threads);
}

// Where the fold's terms are read: at the axes, within their extents.
Indices TermAxes(const Hero& hero, const GroupShape& shape) {
  Indices axes = VarsOf(hero.axes);
  if (shape.padded_rows > 1 && hero.axes[0].extent % shape.padded_rows != 0)
    axes[0] = Halide::min(axes[0], Constant(hero.axes[0].extent - 1));
  return axes;
}

// The elements of the threads are interleaved, and every accumulator starts at the identity.
void DefineInterleaved(LoweredKernel& kernel, GroupFold* fold, const Indices& vars) {
  const Hero& hero = *fold->hero;
  const GroupShape& shape = fold->shape;
  const int64_t n = DomainOf(hero), step = shape.threads * shape.width;
  const int64_t steps = (n + step * shape.parts - 1) / (step * shape.parts);
  RDom domain(0, static_cast<int32_t>(steps), "p");
  fold->step = domain.x;
  Expr base = Expr(domain.x) * Constant(step);
  if (shape.parts > 1) base = base + Expr(fold->part) * Constant(steps * step);
  Expr inside, sub;
  const bool guard = steps * step * shape.parts != n;
  if (shape.dense) {
    base = base + Expr(fold->lane) * Constant(shape.width);
    sub = fold->sub;
    if (guard) {
      inside = base < Constant(n);
      base = Halide::min(base, Constant(n - shape.width));
    }
  } else {
    base = base + Expr(fold->sub) * Constant(shape.threads) + fold->lane;
    if (guard) {
      inside = base < Constant(n);
      base = Halide::min(base, Constant(n - 1));
    }
  }
  const Indices axes = TermAxes(hero, shape), r = Unflatten(hero.reduce_extents, base, sub);
  fold->partial = Func("partial");
  fold->partial(vars) = Tuple(kernel.ToStorageExprs(hero.identity));
  const std::vector<Value> before =
      kernel.FromStorageExprs(hero.types, CallElements(fold->partial, vars));
  std::vector<Value> after =
      LoweredKernel::OverDomain({Expr(domain.x)}, before, hero.combine(before, hero.term(axes, r)));
  if (inside.defined()) after = Where(inside, std::move(after), before);
  fold->partial(vars) = Tuple(kernel.ToStorageExprs(after));
}

// Each thread has a piece, which starts at its first element; the first n % threads pieces have one
// element more.
void DefinePieces(LoweredKernel& kernel, GroupFold* fold, const Indices& vars) {
  const Hero& hero = *fold->hero;
  const int64_t n = DomainOf(hero), threads = fold->shape.threads;
  const int64_t length = n / threads, longer = n % threads;
  const Expr lane = fold->lane;
  const Expr first = lane * Constant(length) + Halide::min(lane, Constant(longer));
  const Indices axes = VarsOf(hero.axes);
  auto term = [&](const Expr& at) {
    std::vector<Value> values = hero.term(axes, Unflatten(hero.reduce_extents, at, Expr()));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = lowering::ConvertTo(values[i], hero.types[i]);
    return values;
  };
  // The first element is skipped when it occurs again.
  RDom domain(0, static_cast<int32_t>(length + (longer > 0 ? 1 : 0)), "p");
  fold->step = domain.x;
  fold->partial = Func("partial");
  fold->partial(vars) = Tuple(kernel.ToStorageExprs(term(first)));
  const std::vector<Value> before =
      kernel.FromStorageExprs(hero.types, CallElements(fold->partial, vars));
  const Expr step = domain.x;
  Expr inside = step > 0;
  if (longer > 0) inside = inside && (step < Constant(length) || lane < Constant(longer));
  const Expr at = Halide::min(first + step, Constant(n - 1));
  std::vector<Value> after =
      hero.combine(before, hero.term(axes, Unflatten(hero.reduce_extents, at, Expr())));
  after = LoweredKernel::OverDomain({step}, before, std::move(after));
  fold->partial(vars) = Tuple(kernel.ToStorageExprs(Where(inside, std::move(after), before)));
}

}  // namespace

int64_t DomainOf(const Hero& hero) { return Product(hero.reduce_extents); }

bool CanBeDense(const LoweredKernel& kernel, const Hero& hero, int64_t width) {
  return kernel.device.kind == runtime::DeviceKind::kCuda && !hero.identity.empty() &&
         hero.kind == Hero::Kind::kReduction && hero.inner_reduced &&
         !hlo::IsComplex(hero.types[0]) && hero.reduce_extents[0] % width == 0;
}

int64_t WholeRows(const LoweredKernel& kernel, int64_t rows, int64_t extent) {
  while (rows > extent) rows /= 2;
  return kernel.in_place && extent % rows != 0 ? 1 : rows;
}

int64_t PartFans(int64_t parts) { return FansOf(parts); }

int64_t SharedBytes(const Hero& hero, const GroupShape& shape) {
  int64_t bytes = 0;
  for (hlo::ElementType type : hero.types) bytes += std::max<int64_t>(4, hlo::StorageBytes(type));
  return bytes * (shape.threads + FansOf(shape.threads) + 1);
}

// Returns the values of `func` where argument `dim` is begin, begin + stride, …, joined two by two.
static std::vector<Value> JoinAlong(const LoweredKernel& kernel, const Hero& hero, const Func& func,
                                    Indices args, size_t dim, const Expr& begin, int64_t stride,
                                    int64_t count) {
  std::vector<std::vector<Value>> leaves;
  for (int64_t i = 0; i < count; ++i) {
    args[dim] = begin + Constant(i * stride);
    leaves.push_back(kernel.FromStorageExprs(hero.types, CallElements(func, args)));
  }
  return JoinTree(hero, std::move(leaves));
}

GroupFold DefineGroupFold(LoweredKernel& kernel, Hero& hero, GroupShape shape) {
  GroupFold fold;
  fold.hero = &hero;
  fold.shape = shape;
  fold.fans = FansOf(shape.threads);
  const Indices axes = VarsOf(hero.axes);
  auto tree = [&](const Func& func, const Indices& args, const Expr& begin, int64_t stride,
                  int64_t count) {
    return JoinAlong(kernel, hero, func, args, 0, begin, stride, count);
  };
  Indices outer = axes;
  if (shape.parts > 1) outer.push_back(fold.part);
  auto with = [&](const Expr& first) {
    Indices args = outer;
    args.insert(args.begin(), first);
    return args;
  };

  Indices vars = with(fold.lane);
  vars.insert(vars.begin(), fold.sub);
  if (hero.identity.empty()) {
    DefinePieces(kernel, &fold, vars);
  } else {
    DefineInterleaved(kernel, &fold, vars);
  }
  fold.stored = Func("stored");
  fold.stored(with(fold.lane)) =
      Tuple(kernel.ToStorageExprs(tree(fold.partial, vars, Constant(0), 1, shape.width)));
  // Neighbouring pieces are joined, because their order is that of the elements. Otherwise threads
  // read side by side.
  auto joined = [&](const Func& func, const Indices& args, int64_t count, int64_t fans) {
    return hero.identity.empty()
               ? tree(func, args, Expr(fold.fan) * Constant(count / fans), 1, count / fans)
               : tree(func, args, fold.fan, fans, count / fans);
  };
  fold.joined = Func("joined");
  fold.joined(with(fold.fan)) =
      Tuple(kernel.ToStorageExprs(joined(fold.stored, with(fold.lane), shape.threads, fold.fans)));
  std::vector<Value> last = tree(fold.joined, with(fold.fan), Constant(0), 1, fold.fans);
  if (shape.parts > 1) {
    fold.group = Func("group");
    fold.group(outer) = Tuple(kernel.ToStorageExprs(last));
    fold.part_fans = PartFans(shape.parts);
    const std::vector<Value> joined_parts =
        JoinAlong(kernel, hero, fold.group, outer, outer.size() - 1, fold.fan, fold.part_fans,
                  shape.parts / fold.part_fans);
    Indices fan_first = axes;
    fan_first.insert(fan_first.begin(), fold.fan);
    fold.gathered = Func("gathered");
    fold.gathered(fan_first) = Tuple(kernel.ToStorageExprs(joined_parts));
    last = tree(fold.gathered, fan_first, Constant(0), 1, fold.part_fans);
  }
  fold.total = Func("total");
  fold.total(axes) = Tuple(kernel.ToStorageExprs(hero.merge(hero.init(), last)));
  hero.result = fold.total;
  hero.read = [total = fold.total](const Indices& index) { return CallElements(total, index); };
  return fold;
}

GroupLoops MapToGroups(LoweredKernel& kernel, Func& consumer,
                       const std::vector<lowering::Axis>& axes, GroupLayout layout, int64_t rows,
                       std::optional<TailStrategy> tail) {
  std::vector<Var> outer;
  for (const lowering::Axis& axis : axes) outer.push_back(axis.var);
  int64_t blocks = Product(axes);
  // Loops of one step, because a workgroup may only store within loops over threads.
  Var block("block"), one("one"), row("row");
  GroupLoops loops{block, one};
  if (axes.empty()) {
    consumer.split(Var::outermost(), Var::outermost(), one, 1)
        .split(Var::outermost(), Var::outermost(), block, 1)
        .gpu_blocks(block)
        .gpu_threads(one);
    return loops;
  }
  if (layout == GroupLayout::kOne) {
    consumer.split(FuseVars(consumer, outer), block, one, 1).gpu_threads(one);
    GpuBlocks(kernel, consumer, block, blocks);
    return loops;
  }
  consumer.split(axes[0].var, block, row, static_cast<int>(rows),
                 tail.value_or(WholeOrShifted(axes[0].extent, rows)));
  std::vector<Halide::VarOrRVar> order = {row, block};
  if (layout == GroupLayout::kRows) {
    Var rest("rest");
    consumer.split(row, rest, one, 1);
    order = {one, rest, block};
  } else {
    loops.thread = row;
  }
  order.insert(order.end(), outer.begin() + 1, outer.end());
  consumer.reorder(order);
  if (layout == GroupLayout::kRows) {
    consumer.gpu_threads(order[0], order[1]);
  } else {
    consumer.gpu_threads(row);
  }
  outer[0] = block;
  loops.block = FuseVars(consumer, outer);
  blocks = blocks / axes[0].extent * ((axes[0].extent + rows - 1) / rows);
  GpuBlocks(kernel, consumer, loops.block, blocks);
  return loops;
}

void ScheduleGroupFold(GroupFold& fold, Func& consumer, const Var& block, GroupLayout layout) {
  auto threads = [&](Func& func, const Var& var, int64_t extent) {
    func.compute_at(consumer, block)
        .store_in(Halide::MemoryType::GPUShared)
        .bound(var, 0, static_cast<int32_t>(extent));
    if (layout == GroupLayout::kOne) {
      func.gpu_threads(var);
    } else if (layout == GroupLayout::kRows) {
      func.gpu_threads(var, fold.hero->axes[0].var);
    } else {
      const Var column = fold.hero->axes[0].var;
      func.reorder_storage(column, var).reorder(column, var).gpu_threads(column, var);
    }
  };
  threads(fold.stored, fold.lane, fold.shape.threads);
  threads(fold.joined, fold.fan, fold.fans);
  fold.partial
      .compute_at(fold.stored, layout == GroupLayout::kColumns ? fold.hero->axes[0].var : fold.lane)
      .bound(fold.sub, 0, static_cast<int32_t>(fold.shape.width));
  fold.partial.update().reorder(fold.sub, fold.step);
  if (fold.shape.dense) {
    fold.partial.vectorize(fold.sub).update().vectorize(fold.sub);
  } else {
    fold.partial.unroll(fold.sub).update().unroll(fold.sub);
  }
}

void ScheduleGathered(GroupFold& fold, Func& consumer, const Var& block, GroupLayout layout) {
  const int64_t threads = fold.shape.threads, fans = fold.part_fans, rows = fold.shape.padded_rows;
  Var step("step"), lane("lane");
  Func& gathered = fold.gathered;
  gathered.compute_at(consumer, block)
      .store_in(Halide::MemoryType::GPUShared)
      .bound(fold.fan, 0, static_cast<int32_t>(fans))
      .split(fold.fan, step, lane, static_cast<int>(threads),
             fans % threads == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  if (layout == GroupLayout::kOne) {
    gathered.reorder(step, lane).gpu_threads(lane);
    return;
  }
  const Var column = fold.hero->axes[0].var;
  if (fold.hero->axes[0].extent % rows != 0) {
    // Outputs end before the last group's places do.
    gathered.align_bounds(column, static_cast<int32_t>(rows))
        .bound_extent(column, static_cast<int32_t>(rows));
  }
  if (layout == GroupLayout::kRows) {
    gathered.reorder(step, lane, column).gpu_threads(lane, column);
  } else {
    gathered.reorder_storage(column, fold.fan)
        .reorder(step, column, lane)
        .gpu_threads(column, lane);
  }
}

void ShareTotal(GroupFold& fold, Func& consumer, const Var& block, GroupLayout layout) {
  Var one("one"), rest("rest");
  fold.total.compute_at(consumer, block).store_in(Halide::MemoryType::GPUShared);
  if (fold.hero->axes.empty()) {
    fold.total.split(Var::outermost(), Var::outermost(), one, 1).gpu_threads(one);
    return;
  }
  fold.total.split(fold.hero->axes[0].var, rest, one, 1);
  if (layout == GroupLayout::kRows) {
    fold.total.gpu_threads(one, rest);
  } else {
    fold.total.gpu_threads(one);
  }
}

}  // namespace halyard::schedules
