// row on GPUs: softmax, layer norm and the like in one kernel, whatever the number of folds.
//
// There are `lanes` threads for a row and `rows` rows in a workgroup. What several folds read,
// parameters and costly values, is kept in shared memory if there is room, so that memory is read
// once. The folds are those of group_fold.h. With lanes = 1, a thread does a row by itself, in
// steps of `width` elements, and keeps in its own memory what there is room for.

#include <algorithm>
#include <functional>
#include <set>

#include "schedules/loops.h"
#include "schedules/reduction/group_fold.h"
#include "schedules/reduction/rows.h"

namespace halyard::schedules {

using lowering::RowValue;

namespace {

// The number of a row's elements that a thread should have.
constexpr int64_t kThreadElements = 8;
// Mesa's software device limits the iterations of all of a thread's loops (loops.cc has the
// reason).
constexpr int64_t kMaxThreadIterations = 49152;

// Returns whether each of `lanes` threads may go through its part of a row for each hero, for the
// outputs and for `kept` values.
bool FitsThreads(const LoweredKernel& kernel, int64_t lanes, size_t kept) {
  const auto passes = static_cast<int64_t>(kernel.heroes.size() + 1 + kept);
  const int64_t elements = (RowElements(kernel) + lanes - 1) / lanes;
  return !LimitsSteps(kernel) || passes * elements <= kMaxThreadIterations;
}

bool FitsOneThread(const LoweredKernel& kernel, size_t kept = 0) {
  return FitsThreads(kernel, 1, kept);
}

// How much memory a thread may have. On a software device that is the stack of one of few CPU
// threads, which lies in the caches; hardware sets it aside for all threads that may run.
int64_t ThreadBytes(const LoweredKernel& kernel) { return kernel.device.software ? 32768 : 256; }

// A row alone is for a workgroup: a thread would go through all of it. In groups of two threads,
// llvmpipe (Mesa 22.3) leaves some loops of two or three steps after the first step.
int64_t FewestLanes(const LoweredKernel& kernel) {
  if (kernel.heroes[0]->axes.empty()) return kernel.device.software ? 4 : 2;
  return FitsOneThread(kernel) ? 1 : 2;
}

bool CanShareGroup(const LoweredKernel& kernel) { return kernel.heroes[0]->axes.size() == 1; }

// Returns whether `width` neighbours are one load or store.
bool IsDense(const LoweredKernel& kernel, int64_t width) {
  if (width == 1 || kernel.heroes[0]->reduce_extents.size() != 1) return false;
  for (const auto& hero : kernel.heroes) {
    if (!CanBeDense(kernel, *hero, width)) return false;
  }
  return true;
}

GroupShape FoldShapeOf(const LoweredKernel& kernel, int64_t lanes, int64_t width) {
  GroupShape shape;
  shape.threads = lanes;
  shape.dense = IsDense(kernel, width);
  shape.width = width;
  return shape;
}

struct Plan {
  int64_t lanes = 1, width = 1, rows = 1;
  std::vector<RowValue> kept;
};

// Returns those of `from` and the values they are computed from, up to heroes and `stored` values.
void Visit(const hlo::Instruction* from, const std::set<const hlo::Instruction*>& borders,
           std::set<const hlo::Instruction*>* seen) {
  if (!seen->insert(from).second || borders.contains(from)) return;
  for (const hlo::Instruction* operand : from->operands) Visit(operand, borders, seen);
}

// Returns the parameters with a whole row's shape that at least `readers` of heroes, stored values
// and outputs read.
std::vector<const hlo::Instruction*> SharedParameters(const LoweredKernel& kernel,
                                                      const std::vector<RowValue>& stored,
                                                      int64_t readers) {
  std::set<const hlo::Instruction*> borders;
  for (const auto& hero : kernel.heroes) borders.insert(hero->instruction);
  for (const RowValue& value : stored) borders.insert(value.instruction);
  std::vector<std::set<const hlo::Instruction*>> reads(borders.size() + 1);
  size_t reader = 0;
  for (const hlo::Instruction* border : borders) {
    for (const hlo::Instruction* operand : border->operands)
      Visit(operand, borders, &reads[reader]);
    ++reader;
  }
  Visit(kernel.module->entry()->root(), borders, &reads[reader]);
  std::vector<const hlo::Instruction*> parameters;
  const hlo::Shape& row = kernel.heroes[0]->instruction->operand(0)->shape;
  for (const hlo::Instruction* parameter : kernel.module->entry()->parameters()) {
    if (parameter->shape.dims() != row.dims() || hlo::IsComplex(parameter->shape.element_type()))
      continue;
    const auto count = std::count_if(reads.begin(), reads.end(),
                                     [&](const auto& seen) { return seen.contains(parameter); });
    if (count >= readers) parameters.push_back(parameter);
  }
  return parameters;
}

RowValue StagedParameter(const hlo::Instruction* parameter) {
  RowValue value;
  value.instruction = parameter;
  for (int64_t d = parameter->shape.rank(); d-- > 0;)
    value.axes.push_back({Var(UniqueName("s")), parameter->shape.dim(d)});
  return value;
}

// The knobs, cut down to what device and kernel have room for; and what is kept in shared memory:
// costly values first, then, if that leaves room for another workgroup on the unit, parameters.
Plan PlanGroup(const LoweredKernel& kernel, const Schedule& schedule) {
  Plan plan;
  plan.lanes = std::min(schedule.Get("lanes"), GpuThreads(kernel, 1024));
  plan.width = schedule.Get("width");
  plan.rows = CanShareGroup(kernel)
                  ? WholeRows(kernel, schedule.Get("rows"), kernel.heroes[0]->axes[0].extent)
                  : 1;
  const runtime::DeviceInfo& device = kernel.device;
  auto fold_bytes = [&] {
    int64_t bytes = 0;
    for (const auto& hero : kernel.heroes)
      bytes += SharedBytes(*hero, FoldShapeOf(kernel, plan.lanes, plan.width));
    return bytes * plan.rows;
  };
  auto row_bytes = [&](const hlo::Instruction* value) {
    return plan.rows * RowElements(kernel) *
           std::max<int64_t>(1, hlo::StorageBytes(value->shape.element_type()));
  };
  const int64_t limit = device.max_shared_bytes;
  while (plan.rows > 1 &&
         (plan.rows * plan.lanes > GpuThreads(kernel, 1024) || fold_bytes() > limit / 2))
    plan.rows /= 2;
  while (plan.lanes > 1 && fold_bytes() > limit) plan.lanes /= 2;
  int64_t used = fold_bytes();
  for (const RowValue& value : kernel.row_values) {
    if (used + row_bytes(value.instruction) > limit) continue;
    used += row_bytes(value.instruction);
    plan.kept.push_back(value);
  }
  if (schedule.Get("stage") == 0) return plan;
  const int64_t roomy = std::min<int64_t>(
      limit, device.unit_shared_bytes != 0 ? device.unit_shared_bytes / 2 : limit);
  for (const hlo::Instruction* parameter : SharedParameters(kernel, plan.kept, 2)) {
    if (used + row_bytes(parameter) > roomy) continue;
    used += row_bytes(parameter);
    plan.kept.push_back(StagedParameter(parameter));
  }
  return plan;
}

// Maps the elements of rows to a workgroup's threads. `columns` and `row` are loops of `func`; row
// null: one row.
Var MapElements(Func& func, const std::vector<Var>& columns, int64_t extent, const Var* row,
                const Plan& plan, bool dense) {
  Var column = FuseVars(func, columns), step("step"), lane("lane"), sub("sub");
  std::vector<VarOrRVar> order;
  int64_t places = extent;
  if (dense) {
    Var vector("vector");
    func.split(column, vector, sub, static_cast<int>(plan.width), TailStrategy::RoundUp)
        .vectorize(sub);
    column = vector;
    places /= plan.width;
    order.push_back(sub);
  }
  func.split(column, step, lane, static_cast<int>(plan.lanes),
             places % plan.lanes == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  order.insert(order.end(), {step, lane});
  if (row != nullptr) order.push_back(*row);
  func.reorder(order);
  if (row != nullptr) {
    func.gpu_threads(lane, *row);
  } else {
    func.gpu_threads(lane);
  }
  return lane;
}

void ApplyGroups(LoweredKernel& kernel, const Schedule& schedule) {
  const Plan plan = PlanGroup(kernel, schedule);
  if (!FitsThreads(kernel, plan.lanes, plan.kept.size())) {
    throw lowering::LimitError(
        "a thread goes through more elements than this device's loops take: more lanes are needed");
  }
  const bool dense = IsDense(kernel, plan.width);
  const size_t columns = NumRowDims(kernel, kernel.axes);
  const GroupLayout layout = plan.rows > 1 ? GroupLayout::kRows : GroupLayout::kOne;
  kernel.row_values = plan.kept;
  std::vector<GroupFold> folds;
  kernel.BuildRow(
      [&](Hero& hero) {
        folds.push_back(DefineGroupFold(kernel, hero, FoldShapeOf(kernel, plan.lanes, plan.width)));
      },
      [](RowValue&) {});
  kernel.BuildOutput();
  Func& out = kernel.output;
  Var block("block");
  if (columns > 0) {
    std::vector<Var> rows = VarsFrom(kernel.axes, columns, kernel.axes.size());
    std::vector<Var> elements = VarsFrom(kernel.axes, 0, columns);
    const int64_t extent = Product(kernel.axes) / Product(kernel.axes, columns);
    int64_t blocks = Product(kernel.axes, columns);
    Var row("row");
    if (rows.empty()) {
      Var whole("whole");
      out.split(FuseVars(out, elements), block, whole, static_cast<int>(extent),
                TailStrategy::RoundUp);
      elements = {whole};
    } else if (plan.rows > 1) {
      const int64_t count = kernel.axes[columns].extent;
      out.split(rows[0], block, row, static_cast<int>(plan.rows), WholeOrShifted(count, plan.rows));
      blocks = (count + plan.rows - 1) / plan.rows;
    } else {
      block = FuseVars(out, rows);
    }
    MapElements(out, elements, extent, plan.rows > 1 ? &row : nullptr, plan,
                dense && columns == 1 && !kernel.complex_outputs);
    GpuBlocks(kernel, out, block, blocks);
  } else {
    block = MapToGroups(kernel, out, kernel.axes, layout, plan.rows).block;
  }
  for (GroupFold& fold : folds) {
    ScheduleGroupFold(fold, out, block, layout);
    ShareTotal(fold, out, block, layout);
  }
  for (RowValue& value : kernel.row_values) {
    value.func.compute_at(out, block).store_in(Halide::MemoryType::GPUShared);
    const size_t reduced = NumRowDims(kernel, value.axes);
    for (size_t a = 0; a < reduced; ++a)
      value.func.bound(value.axes[a].var, 0, static_cast<int32_t>(value.axes[a].extent));
    MapElements(value.func, VarsFrom(value.axes, 0, reduced), RowElements(kernel),
                plan.rows > 1 ? &value.axes[reduced].var : nullptr, plan, dense && reduced == 1);
  }
}

// What a thread that does a row by itself keeps of it: costly values, and parameters that would
// else be read more than twice (to write and read them costs as much as two reads).
std::vector<RowValue> KeptByThread(const LoweredKernel& kernel) {
  std::vector<RowValue> kept;
  int64_t room = ThreadBytes(kernel);
  auto keep = [&](const RowValue& value) {
    const int64_t bytes =
        RowElements(kernel) *
        std::max<int64_t>(1, hlo::StorageBytes(value.instruction->shape.element_type()));
    if (bytes > room || !FitsOneThread(kernel, kept.size() + 1)) return;
    room -= bytes;
    kept.push_back(value);
  };
  for (const RowValue& value : kernel.row_values) keep(value);
  for (const hlo::Instruction* parameter : SharedParameters(kernel, kept, 3))
    keep(StagedParameter(parameter));
  return kept;
}

void ApplyThreadPerRow(LoweredKernel& kernel, const Schedule& schedule) {
  const int64_t threads = schedule.Get("threads");
  GroupShape shape;
  if (kernel.heroes[0]->reduce_extents.size() == 1)
    shape.width = std::min(schedule.Get("width"), RowElements(kernel));
  kernel.row_values = schedule.Get("stage") != 0 ? KeptByThread(kernel) : std::vector<RowValue>{};
  std::vector<GroupFold> folds;
  kernel.BuildRow([&](Hero& hero) { folds.push_back(DefineGroupFold(kernel, hero, shape)); },
                  [](RowValue&) {});
  kernel.BuildOutput();
  Func& out = kernel.output;
  const size_t columns = NumRowDims(kernel, kernel.axes);
  std::vector<lowering::Axis> rows(kernel.axes.begin() + static_cast<int64_t>(columns),
                                   kernel.axes.end());
  Var block("block"), thread("thread");
  const int64_t count = Product(rows);
  out.split(FuseVars(out, VarsFrom(rows, 0, rows.size())), block, thread, static_cast<int>(threads),
            count % threads == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  std::vector<VarOrRVar> order;
  for (size_t a = 0; a < columns; ++a) order.push_back(kernel.axes[a].var);
  order.insert(order.end(), {thread, block});
  out.reorder(order).gpu_threads(thread);
  const int width = static_cast<int>(shape.width);
  if (columns == 1 && width > 1)
    out.unroll(kernel.axes[0].var, width, Tail(kernel, kernel.axes[0].extent, width));
  GpuBlocks(kernel, out, block, (count + threads - 1) / threads);
  for (GroupFold& fold : folds) {
    fold.total.compute_at(out, thread);
    fold.partial.compute_at(out, thread).bound(fold.sub, 0, width).bound(fold.lane, 0, 1);
    fold.partial.unroll(fold.sub).update().reorder(fold.sub, fold.step).unroll(fold.sub);
  }
  for (RowValue& value : kernel.row_values) {
    value.func.compute_at(out, thread);
    for (size_t a = 0; a < NumRowDims(kernel, value.axes); ++a)
      value.func.bound(value.axes[a].var, 0, static_cast<int32_t>(value.axes[a].extent));
    if (width > 1) value.func.unroll(value.axes[0].var, width, TailStrategy::GuardWithIf);
  }
}

}  // namespace

Schedule GpuRowDefaults(const LoweredKernel& kernel) {
  const int64_t n = RowElements(kernel), rows = Product(kernel.heroes[0]->axes);
  const runtime::DeviceInfo& device = kernel.device;
  const int64_t units = runtime::UnitsOf(device);
  int64_t lanes = 1, width = 1, per_group = 1, stage = device.software ? 0 : 1;
  // On a software device, barriers cost more than reading again what its caches hold.
  const bool single = kernel.heroes[0]->axes.empty();
  const bool alone = !single && (device.software ? rows >= 16 * units : n < kThreadElements);
  if (!alone || !FitsOneThread(kernel)) {
    const int64_t most = GpuThreads(kernel, device.software ? 32 : 1024);
    lanes = FewestLanes(kernel);
    while (lanes * 2 <= most && lanes * kThreadElements < n) lanes *= 2;
    width = n / lanes >= 4 ? 4 : 1;
    if (CanShareGroup(kernel) && !device.software) {
      while (lanes * per_group * 2 <= GpuThreads(kernel, 128) && rows / (per_group * 2) >= units)
        per_group *= 2;
    }
  } else if (device.software) {
    // Its vectors are of threads: steps of several elements hide latencies. Memory accesses are
    // done element by element there, and cost about as much as what a row computes.
    width = std::min<int64_t>(4, n);
    stage = 1;
  } else {
    stage = 0;
  }
  return Schedule(kRow.name)
      .Set("lanes", lanes)
      .Set("width", width)
      .Set("rows", per_group)
      .Set("stage", stage)
      .Set("threads", GpuThreads(kernel, device.software ? 32 : 64));
}

std::vector<Knob> GpuRowSpace(const LoweredKernel& kernel) {
  const int64_t most = GpuThreads(kernel, 1024);
  return {{"lanes", PowersOfTwo(FewestLanes(kernel), most)},
          {"width", {1, 2, 4, 8}},
          {"rows", PowersOfTwo(1, CanShareGroup(kernel) ? std::min<int64_t>(most, 64) : 1)},
          {"stage", {0, 1}},
          {"threads", Choices(PowersOfTwo(8, most), most, GpuThreads(kernel, 32))}};
}

void ApplyGpuRow(LoweredKernel& kernel, const Schedule& schedule) {
  if (schedule.Get("lanes") == 1) return ApplyThreadPerRow(kernel, schedule);
  ApplyGroups(kernel, schedule);
}

}  // namespace halyard::schedules
