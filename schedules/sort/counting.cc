// counting: a stable counting sort of lines (lowering/kernels/sequence/define.h). Each line is cut
// into blocks. The blocks count their digits, side by side. The counts determine where each block's
// elements of each digit begin. Then each block moves its elements there, from first to last, side
// by side.

#include "schedules/sort/counting.h"

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::cast;
using lowering::CountingPass;
using lowering::Sequence;

namespace {

constexpr int64_t kMaxBlocks = 64;
// If there are enough lines to keep the cores busy, no blocks are needed.
constexpr int64_t kManyLines = 16;

bool Accepts(const LoweredKernel& kernel) { return kernel.As<Sequence>().counting != nullptr; }

Schedule Defaults(const LoweredKernel& kernel) {
  const CountingPass& pass = *kernel.As<Sequence>().counting;
  int64_t block = 16384;
  while (block * kMaxBlocks < pass.length) block *= 2;
  if (pass.lines >= kManyLines) block = int64_t{1} << 30;
  return Schedule(kCounting.name).Set("block", block).Set("vec", VectorLanes(kernel));
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  return {{"block", PowersOfTwo(1024, int64_t{1} << 30)},
          {"vec", PowersOfTwo(1, 2 * VectorLanes(kernel))}};
}

struct Plan {
  const CountingPass* pass;
  int32_t digits, length, block, blocks, vec;
  bool even;  // every block is full
  Var at{"at"}, digit{"digit"}, line{"line"}, number{"number"};

  Expr Position(const Expr& step, const Expr& block_number) const {
    return blocks == 1 ? step : block_number * block + step;
  }
  // Limits an RDom, whose first variable `step` walks over a block, to places before the line's
  // end.
  void Guard(RDom& domain, const Expr& step, const Expr& block_number) const {
    if (!even) domain.where(Position(step, block_number) < length);
  }
  Func Digits(const char* name) const {
    Func digits_of(name);
    digits_of(at, line) =
        cast<uint16_t>(Halide::Internal::common_subexpression_elimination(pass->digit({at, line})));
    return digits_of;
  }
  Expr Read(const Func& digits_of, const Expr& position) const {
    return Halide::unsafe_promise_clamped(cast<int32_t>(digits_of(position, line)), 0, digits - 1);
  }
};

// Counts the elements of each digit in each block.
Func Count(const Plan& plan, const Func& digits_of) {
  Func count("count");
  RDom step(0, plan.block, "count_step");
  plan.Guard(step, step, plan.number);
  count(plan.digit, plan.number, plan.line) = 0;
  count(plan.Read(digits_of, plan.Position(step, plan.number)), plan.number, plan.line) += 1;
  return count;
}

// Returns where the first block's elements of each digit go.
Func Bases(const Plan& plan, const Func& count) {
  Func base("base"), total("total");
  Expr before = count(plan.digit, 0, plan.line);
  if (plan.blocks > 1) {
    RDom each(0, plan.blocks, "total_step");
    total(plan.digit, plan.line) = 0;
    total(plan.digit, plan.line) += count(plan.digit, each, plan.line);
    total.compute_root().vectorize(plan.digit, plan.vec, TailStrategy::GuardWithIf);
    total.update()
        .reorder(plan.digit, each, plan.line)
        .vectorize(plan.digit, plan.vec, TailStrategy::GuardWithIf);
  }
  base(plan.digit, plan.line) = 0;
  if (plan.digits > 1) {
    RDom next(1, plan.digits - 1, "base_step");
    Expr last =
        plan.blocks > 1 ? Expr(total(next - 1, plan.line)) : Expr(count(next - 1, 0, plan.line));
    base(next, plan.line) = base(next - 1, plan.line) + last;
  }
  return base;
}

// Returns where each block's elements of each digit go.
Func Starts(const Plan& plan, const Func& count, const Func& base) {
  Func start("start");
  start(plan.digit, plan.number, plan.line) = base(plan.digit, plan.line);
  RDom next(1, plan.blocks - 1, "start_step");
  start(plan.digit, next, plan.line) =
      start(plan.digit, next - 1, plan.line) + count(plan.digit, next - 1, plan.line);
  start.compute_root().vectorize(plan.digit, plan.vec, TailStrategy::GuardWithIf);
  start.update()
      .reorder(plan.digit, next, plan.line)
      .vectorize(plan.digit, plan.vec, TailStrategy::GuardWithIf);
  return start;
}

// (0 … digits): counters of a block, then the place of each of its elements. They share a Func
// since each step reads and moves both.
Func Places(const Plan& plan, const Func& digits_of, const Func& first) {
  Func place("place");
  Var slot("slot");
  place(slot, plan.number, plan.line) = Halide::undef<int32_t>();
  RDom init(0, plan.digits, "place_digit");
  place(init, plan.number, plan.line) =
      plan.blocks > 1 ? first(init, plan.number, plan.line) : first(init, plan.line);
  RDom step(0, 2, 0, plan.block, "place_step");
  plan.Guard(step, step.y, plan.number);
  const Expr digit = plan.Read(digits_of, plan.Position(step.y, plan.number));
  place(Halide::select(step.x == 0, plan.digits + step.y, digit), plan.number, plan.line) =
      place(digit, plan.number, plan.line) + step.x;
  place.update(0).vectorize(init, plan.vec, TailStrategy::GuardWithIf);
  place.update(1).unroll(step.x);
  return place;
}

Plan PlanOf(const LoweredKernel& kernel, const Schedule& schedule) {
  Plan plan;
  plan.pass = kernel.As<Sequence>().counting.get();
  const int64_t length = plan.pass->length, block = std::min(schedule.Get("block"), length);
  plan.digits = static_cast<int32_t>(plan.pass->digits);
  plan.length = static_cast<int32_t>(length);
  plan.block = static_cast<int32_t>(block);
  plan.blocks = static_cast<int32_t>((length + block - 1) / block);
  plan.vec = static_cast<int32_t>(schedule.Get("vec"));
  plan.even = length % block == 0;
  return plan;
}

// Defines the output: each element of a block is moved to its place. Returns the moves.
Halide::Stage Moves(LoweredKernel& kernel, const Plan& plan, const Func& place, const RDom& step) {
  Func& output = kernel.output = Func("out");
  const Var position("position");
  std::vector<Expr> unset;
  for (hlo::ElementType type : kernel.As<Sequence>().types) {
    unset.push_back(Halide::undef(lowering::StorageType(type)));
  }
  output(position, plan.line) = Tuple(unset);
  const Expr block = plan.blocks > 1 ? Expr(step.y) : Expr(0);
  const Expr target = Halide::unsafe_promise_clamped(place(plan.digits + step.x, block, plan.line),
                                                     0, plan.length - 1);
  output(target, plan.line) =
      Tuple(plan.pass->elements({plan.Position(step.x, step.y), plan.line}));
  return output.update();
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  const Plan plan = PlanOf(kernel, schedule);
  const Func counted = plan.Digits("counted"), moved = plan.Digits("moved");
  const bool several = plan.blocks > 1;
  Func digits_to_count = several ? counted : moved, digits_to_move = moved;
  Func count = Count(plan, digits_to_count);
  Func base = Bases(plan, count);
  Func first = several ? Starts(plan, count, base) : base;
  Func place = Places(plan, digits_to_move, first);

  RDom step(0, plan.block, 0, plan.blocks, "move_step");
  plan.Guard(step, step.x, step.y);
  Halide::Stage move = Moves(kernel, plan, place, step);
  Func& output = kernel.output;
  auto vectors = [&plan](Func& func) {
    func.vectorize(plan.at, 2 * plan.vec, TailStrategy::GuardWithIf);
  };
  vectors(digits_to_move);
  if (several) {
    vectors(digits_to_count);
    count.compute_root().parallel(plan.number);
    count.update().parallel(plan.number);
    digits_to_count.compute_at(count, plan.number);
    base.compute_root();
    move.reorder(step.x, step.y, plan.line).allow_race_conditions().parallel(step.y);
    place.compute_at(output, step.y);
    digits_to_move.compute_at(output, step.y);
  } else {
    move.reorder(step.x, step.y, plan.line);
    const int64_t per_task = std::max<int64_t>(1, 16384 / (plan.length + plan.digits));
    if (plan.pass->lines > per_task) {
      Var task("task");
      move.split(plan.line, task, plan.line, static_cast<int>(per_task), TailStrategy::GuardWithIf)
          .parallel(task);
    }
    for (Func* func : {&count, &base, &place, &digits_to_move}) func->compute_at(output, plan.line);
  }
  count.vectorize(plan.digit, plan.vec, TailStrategy::GuardWithIf);
  base.vectorize(plan.digit, plan.vec, TailStrategy::GuardWithIf);
  kernel.SetOutputBounds();
}

}  // namespace

const Template kCountingOnX86 = {.id = kCounting,
                                 .forms = SetOfForms<Sequence>(),
                                 .device = DeviceClass::kX86,
                                 .accepts = Accepts,
                                 .defaults = Defaults,
                                 .space = Space,
                                 .apply = Apply};
const Template kCountingOnGpu = {.id = kCounting,
                                 .forms = SetOfForms<Sequence>(),
                                 .device = DeviceClass::kGpu,
                                 .accepts = Accepts,
                                 .defaults = GpuCountingDefaults,
                                 .space = GpuCountingSpace,
                                 .apply = ApplyGpuCounting};

}  // namespace halyard::schedules
