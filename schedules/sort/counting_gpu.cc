// counting on GPUs: one thread takes a block of a line. The threads count their digits. The counts,
// those of one digit in all blocks one after the other, are summed up by levels of kFan, so that
// the work is O(n). Then the threads move their elements, from first to last.

#include <algorithm>

#include "lowering/numerics/integer_ops.h"
#include "schedules/loops.h"
#include "schedules/sort/counting.h"

namespace halyard::schedules {

using Halide::cast;
using lowering::CountingPass;
using lowering::Sequence;

namespace {

constexpr int32_t kFan = 16;     // counts that a thread adds up
constexpr int64_t kMaxTop = 64;  // those that one thread walks

struct Plan {
  const CountingPass* pass;
  int32_t digits, length, lines, block, blocks;
  int64_t threads;
  bool unroll;  // small loops, into registers
  Var place{"place"}, line{"line"};

  // Of an element. What Halide could work out of the bounds it would take for known, and forget.
  Expr Digit(const Expr& position, const Expr& of_line) const {
    const Expr digit =
        Halide::Internal::common_subexpression_elimination(pass->digit({position, of_line}));
    return Halide::unsafe_promise_clamped(lowering::numerics::Opaque(digit), 0, digits - 1);
  }
};

// Counts the elements of each digit in each block, at place digit · blocks + block.
Func Counts(LoweredKernel& kernel, const Plan& plan) {
  Func own("own"), counts("counts");
  Var digit("digit"), number("number");
  own(digit, number, plan.line) = 0;
  RDom step(0, plan.block, "count_step");
  const Expr position = number * plan.block + step;
  // Places beyond the end are not counted.
  const Expr inside = cast<int32_t>(position < plan.length);
  own(plan.Digit(Halide::min(position, plan.length - 1), plan.line), number, plan.line) += inside;
  counts(number, digit, plan.line) = own(digit, number, plan.line);
  counts.compute_root()
      .bound(digit, 0, plan.digits)
      .bound(number, 0, plan.blocks)
      .reorder(digit, number, plan.line);
  if (plan.unroll) counts.unroll(digit);
  const Var thread = GpuElementPerThread(
      kernel, counts, {{number, plan.blocks}, {plan.line, plan.lines}}, plan.threads);
  own.compute_at(counts, thread).bound(digit, 0, plan.digits);
  if (plan.unroll) own.unroll(digit);
  return counts;
}

// Returns the sum of all `values` before each of `count` places.
Func SumsBefore(LoweredKernel& kernel, const Plan& plan, const std::function<Expr(Expr)>& values,
                int32_t count) {
  const int32_t width = count <= kMaxTop ? count : kFan;
  const int32_t blocks = (count + width - 1) / width;
  auto value = [&](const Expr& place) {
    return Halide::select(place < count, values(Halide::min(place, count - 1)), 0);
  };
  Func scan("scan"), before("before");
  Var i("i"), k("k");
  if (blocks > 1) {
    Func totals("totals");
    Expr sum = value(plan.place * width);
    for (int32_t e = 1; e < width; ++e) sum = sum + value(plan.place * width + e);
    totals(plan.place, plan.line) = sum;
    totals.compute_root();
    GpuElementPerThread(kernel, totals, {{plan.place, blocks}, {plan.line, plan.lines}},
                        plan.threads);
    const Func seeds = SumsBefore(
        kernel, plan, [&](const Expr& place) { return Expr(totals(place, plan.line)); }, blocks);
    scan(i, k, plan.line) = seeds(k, plan.line);
  } else {
    scan(i, k, plan.line) = 0;
  }
  if (width > 1) {
    RDom step(0, width - 1, "sum_step");
    scan(step + 1, k, plan.line) = scan(step, k, plan.line) + value(k * width + step);
    if (plan.unroll) scan.update().unroll(step);
  }
  before(plan.place, plan.line) = blocks > 1
                                      ? scan(plan.place % width, plan.place / width, plan.line)
                                      : scan(plan.place, 0, plan.line);
  Var number("number"), at("at");
  before.compute_root()
      .split(plan.place, number, at, width,
             count % width == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf)
      .reorder(at, number, plan.line);
  if (plan.unroll) before.unroll(at);
  const Var thread = GpuElementPerThread(kernel, before,
                                         {{number, blocks}, {plan.line, plan.lines}}, plan.threads);
  scan.compute_at(before, thread).bound(i, 0, width);
  if (plan.unroll) scan.unroll(i);
  return before;
}

// Returns the number of a block's elements: more if there would be more threads than the device can
// use.
int64_t DefaultBlock(const LoweredKernel& kernel) {
  const CountingPass& pass = *kernel.As<Sequence>().counting;
  const int64_t busy = runtime::UnitsOf(kernel.device) *
                       (kernel.device.unit_threads != 0 ? kernel.device.unit_threads : 1024);
  int64_t block = 16;
  while (block < 256 && pass.length * pass.lines / block > busy) block *= 2;
  return kernel.device.software ? 256 : block;
}

Plan PlanOf(const LoweredKernel& kernel, const Schedule& schedule) {
  Plan plan;
  plan.pass = kernel.As<Sequence>().counting.get();
  plan.threads = schedule.Get("threads");
  // Mesa's software device takes long to compile long code.
  plan.unroll = !kernel.device.software;
  const int64_t block = std::min(schedule.Get("block"), plan.pass->length);
  plan.digits = static_cast<int32_t>(plan.pass->digits);
  plan.length = static_cast<int32_t>(plan.pass->length);
  plan.lines = static_cast<int32_t>(plan.pass->lines);
  plan.block = static_cast<int32_t>(block);
  plan.blocks = static_cast<int32_t>((plan.pass->length + block - 1) / block);
  return plan;
}

}  // namespace

Schedule GpuCountingDefaults(const LoweredKernel& kernel) {
  return Schedule(kCounting.name)
      .Set("block", DefaultBlock(kernel))
      .Set("threads", GpuThreads(kernel, kernel.device.software ? 8 : 128));
}

std::vector<Knob> GpuCountingSpace(const LoweredKernel& kernel) {
  return {
      {"block", PowersOfTwo(16, 1024)},
      {"threads", Choices(PowersOfTwo(8, GpuThreads(kernel, 512)), 512, GpuThreads(kernel, 32))}};
}

void ApplyGpuCounting(LoweredKernel& kernel, const Schedule& schedule) {
  const Plan plan = PlanOf(kernel, schedule);
  const Func counts = Counts(kernel, plan);
  const Func starts = SumsBefore(
      kernel, plan,
      [&](const Expr& place) {
        return Expr(counts(place % plan.blocks, place / plan.blocks, plan.line));
      },
      plan.digits * plan.blocks);

  // Blocks of all lines are numbered through: one loop, which a grid of one dimension takes. A
  // block's counters, then the place of each of its elements: one Func, for each step reads and
  // moves both.
  const int32_t all = plan.blocks * plan.lines;
  Func place("target");
  Var slot("slot"), number("number");
  auto line_of = [&](const Expr& n) { return Halide::min(n / plan.blocks, plan.lines - 1); };
  place(slot, number) = Halide::undef<int32_t>();
  RDom init(0, plan.digits, "target_digit");
  place(init, number) = starts(init * plan.blocks + number % plan.blocks, line_of(number));
  RDom each(0, 2, 0, plan.block, "target_step");
  const Expr position = Halide::min(number % plan.blocks * plan.block + each.y, plan.length - 1);
  const Expr digit = plan.Digit(position, line_of(number));
  place(Halide::select(each.x == 0, plan.digits + each.y, digit), number) =
      place(digit, number) + each.x;

  Func& output = kernel.output = Func("out");
  const Var at("position");
  std::vector<Expr> unset;
  for (hlo::ElementType type : kernel.As<Sequence>().types)
    unset.push_back(Halide::undef(lowering::StorageType(type)));
  output(at, plan.line) = Tuple(unset);
  RDom step(0, plan.block, 0, all, "move_step");
  const Expr from = step.y % plan.blocks * plan.block + step.x;
  step.where(from < plan.length);
  const Expr target =
      Halide::unsafe_promise_clamped(place(plan.digits + step.x, step.y), 0, plan.length - 1);
  const Expr line = Halide::unsafe_promise_clamped(Expr(step.y) / plan.blocks, 0, plan.lines - 1);
  output(target, line) = Tuple(plan.pass->elements({Halide::min(from, plan.length - 1), line}));
  RVar group("group"), thread("thread");
  // No two elements have the same place.
  Halide::Stage move = output.update();
  move.allow_race_conditions()
      .split(step.y, group, thread, static_cast<int>(plan.threads), TailStrategy::GuardWithIf)
      .reorder(step.x, thread, group)
      .gpu_threads(thread);
  const int64_t limit = std::max<int64_t>(1, kernel.device.max_grid[0]);
  if ((all + plan.threads - 1) / plan.threads <= limit) {
    move.gpu_blocks(group);
  } else {
    RVar row("row"), column("column");
    move.split(group, row, column, 32768, TailStrategy::GuardWithIf).gpu_blocks(column, row);
  }
  place.compute_at(output, thread).bound(slot, 0, plan.digits + plan.block);
  if (plan.unroll) place.update(0).unroll(init);
  place.update(1).unroll(each.x);
  kernel.SetOutputBounds();
}

}  // namespace halyard::schedules
