#include "schedules/scan/cpu_along.h"

#include <algorithm>
#include <utility>

namespace halyard::schedules {

namespace {

// The number of elements that make a task worthwhile.
constexpr int64_t kTask = 32768;

}  // namespace

CpuTotals DefineTotals(const ScanBuilder& builder, const Reader& value, int64_t block,
                       int64_t lanes) {
  const Hero& hero = builder.hero();
  CpuTotals made{Func("partial"), Func("totals")};
  made.lanes = lanes;
  Indices vars = builder.At(builder.k);
  vars.insert(vars.begin(), made.lane);
  made.partial(vars) = builder.Store(hero.identity);
  const RDom domain(0, static_cast<int32_t>(block / lanes), "p");
  made.step = domain.x;
  const Expr place = Expr(builder.k) * static_cast<int32_t>(block) +
                     Expr(domain.x) * static_cast<int32_t>(lanes) + made.lane;
  made.partial(vars) = builder.Store(hero.merge(builder.Read(made.partial, vars), value(place)));
  std::vector<std::vector<Value>> leaves;
  for (int64_t i = 0; i < lanes; ++i) {
    Indices at = builder.At(builder.k);
    at.insert(at.begin(), Expr(static_cast<int32_t>(i)));
    leaves.push_back(builder.Read(made.partial, at));
  }
  made.totals(builder.At(builder.k)) = builder.Store(JoinTree(hero, std::move(leaves)));
  made.partial.bound(made.lane, 0, static_cast<int32_t>(lanes));
  return made;
}

AlongShape ShapeAlong(const LoweredKernel& kernel, const Schedule& schedule, int64_t length) {
  AlongShape shape{.length = length, .block = schedule.Get("block"), .vec = schedule.Get("vec")};
  shape.rows = Product(kernel.heroes[0]->axes, 1);
  shape.ways = std::min(schedule.Get("ways"), PowerOfTwoAtMost(Blocks(length, shape.block)));
  const int64_t units = runtime::UnitsOf(kernel.device);
  shape.whole_rows = length * shape.rows <= kTask || shape.rows >= 4 * units;
  return shape;
}

BeforeAlong BeforeOnCpu(const ScanBuilder& builder, const Reader& value, const AlongShape& shape) {
  const int64_t blocks = Blocks(shape.length, shape.block);
  const int64_t vec = std::min(shape.vec, shape.block);
  BeforeAlong made{DefineTotals(builder, value, shape.block, std::min(2 * vec, shape.block))};
  CpuTotals& totals = made.totals;
  totals.partial.vectorize(totals.lane, static_cast<int>(vec)).unroll(totals.lane);
  totals.partial.update().reorder(totals.lane, totals.step);
  totals.partial.update().vectorize(totals.lane, static_cast<int>(vec)).unroll(totals.lane);
  totals.partial.compute_at(totals.totals, builder.k);
  made.before = builder.Scan(builder.Of(totals.totals, blocks), Reader(), blocks, false).func;
  if (shape.whole_rows) return made;
  made.before.compute_root();
  totals.totals.compute_root();
  Var task("task");
  std::vector<Var> outer;
  for (const Axis& axis : builder.AxesWith({task, 1})) outer.push_back(axis.var);
  const int64_t per_task = std::max<int64_t>(1, kTask / shape.block);
  totals.totals.split(builder.k, task, builder.k, static_cast<int>(per_task),
                      TailStrategy::GuardWithIf);
  totals.totals.parallel(FuseVars(totals.totals, outer));
  return made;
}

void ApplyAlongOnCpu(const ScanBuilder& builder, Func& consumer, BlockScan& scan,
                     BeforeAlong& before, const std::vector<Axis>& axes, const AlongShape& shape) {
  Var group("group"), in_group("in_group"), way("way"), place("place"), row("row"), task("task");
  const int64_t walked = shape.block * shape.ways;
  consumer
      .split(axes[0].var, group, in_group, static_cast<int>(walked),
             shape.length % walked == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf)
      .split(in_group, way, place, static_cast<int>(shape.block), TailStrategy::RoundUp);
  std::vector<VarOrRVar> order = {place, way, group};
  std::vector<Var> outer;
  for (size_t a = 1; a < axes.size(); ++a) outer.push_back(axes[a].var);
  order.insert(order.end(), outer.begin(), outer.end());
  consumer.reorder(order);
  const int vec = static_cast<int>(std::min(shape.vec, shape.block));
  if (vec > 1) consumer.vectorize(place, vec, TailStrategy::RoundUp);
  Halide::LoopLevel at(consumer, group);
  if (!shape.whole_rows) {
    outer.insert(outer.begin(), group);
    const Var fused = FuseVars(consumer, outer);
    consumer.parallel(fused);
    at = Halide::LoopLevel(consumer, fused);
  } else if (!outer.empty()) {
    const int64_t per_task = std::clamp<int64_t>(kTask / shape.length, 1, shape.rows);
    consumer.split(FuseVars(consumer, outer), task, row, static_cast<int>(per_task),
                   TailStrategy::GuardWithIf);
    if (shape.rows > per_task) consumer.parallel(task);
  }
  if (shape.whole_rows && before.before.defined()) {
    for (Func* func : {&before.totals.totals, &before.before}) {
      if (outer.empty()) {
        func->compute_root();
      } else {
        func->compute_at(consumer, row);
      }
    }
  }
  scan.func.compute_at(at)
      .bound(builder.i, 0, static_cast<int32_t>(shape.block))
      .bound_extent(builder.k, static_cast<int32_t>(shape.ways))
      .vectorize(builder.i, vec);
  if (scan.has_steps) scan.func.update().reorder(builder.k, scan.step).unroll(builder.k);
}

}  // namespace halyard::schedules
