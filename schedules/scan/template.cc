// scan: cumulative sums, products, maxima and so on: windows over all elements before (or after) a
// place.
//
// The scanned axis is cut into blocks of `block` elements. The total of each block is folded. From
// the totals follows what comes before each block; if there are many, this is done by the same
// means, so that the work is O(n). Then each block is walked once more, starting from there. CPU:
// blocks run in parallel, and other axes are in vectors. Along the fastest axis, `ways` blocks are
// walked side by side, because a step waits for the one before it. GPU: a thread takes a block and
// keeps its elements in registers.

#include <algorithm>
#include <optional>

#include "runtime/device_class.h"
#include "schedules/folds.h"
#include "schedules/loops.h"
#include "schedules/registry.h"
#include "schedules/scan/cpu_along.h"
#include "schedules/scan/scan_builder.h"

namespace halyard::schedules {

using lowering::CallElements;

namespace {

// Shorter windows are folded element by element.
constexpr int64_t kMinLength = 16;
// On GPUs, the number of totals that one thread goes through.
constexpr int64_t kMaxTop = 64;
// On CPUs, the number of places along the fastest axis that one task scans side by side.
constexpr int64_t kColumns = 64;
// On CPUs, the number of blocks along the fastest axis that are walked side by side.
constexpr int64_t kWays = 16;

// Returns whether a result may start from the initial value once, instead of once for each place
// outside.
bool StartsFromOne(const Hero& hero) {
  const Expr init = Halide::Internal::simplify(hero.init()[0].re);
  switch (hero.instruction->called[0]->root()->opcode) {
    case hlo::Opcode::kMaximum:
    case hlo::Opcode::kMinimum:
    case hlo::Opcode::kAnd:
    case hlo::Opcode::kOr:
      return true;
    case hlo::Opcode::kAdd:
      return Halide::Internal::is_const_zero(init);
    case hlo::Opcode::kMultiply:
      return Halide::Internal::is_const_one(init);
    default:
      return false;
  }
}

std::optional<ScannedAxis> FindScannedAxis(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  if (hero.instruction->opcode != hlo::Opcode::kReduceWindow || hero.identity.empty() ||
      hlo::IsComplex(hero.types[0]) ||
      hlo::IsComplex(hero.instruction->operand(0)->shape.element_type()))
    return std::nullopt;
  const std::vector<hlo::WindowDim>& dims = hero.instruction->GetWindow().dims;
  std::optional<ScannedAxis> found;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == hlo::WindowDim{}) continue;
    const int64_t n = hero.instruction->operand(0)->shape.dim(static_cast<int64_t>(d));
    hlo::WindowDim before, after;
    before.size = after.size = n;
    before.pad_low = after.pad_high = n - 1;
    if (found.has_value() || n < kMinLength || !(dims[d] == before || dims[d] == after))
      return std::nullopt;
    found = ScannedAxis{dims.size() - 1 - d, n, dims[d] == after};
  }
  if (!found.has_value() || !StartsFromOne(hero)) return std::nullopt;
  return found;
}

bool Accepts(const LoweredKernel& kernel) {
  return FindScannedAxis(kernel).has_value() && Product(kernel.heroes[0]->axes) > 0;
}

Schedule GpuDefaults(const LoweredKernel& kernel) {
  return Schedule(kScan.name).Set("block", 16).Set("threads", GpuThreads(kernel, 128));
}

std::vector<Knob> GpuSpace(const LoweredKernel& kernel) {
  return {{"block", {4, 8, 16, 32}}, {"threads", PowersOfTwo(32, GpuThreads(kernel, 512))}};
}

// Neither the blocks nor what comes before each of them are long sums, for the sake of accuracy.
// Blocks that are walked side by side must not start at equal places of pages: their elements would
// take one another's place in the first cache.
int64_t DefaultBlockAlong(int64_t length) {
  constexpr int64_t kNarrow = 256, kApart = 128;
  int64_t block = 16;
  while (block < 4096 && (block < kNarrow ? length >= 2 * kWays * block : length > block * block))
    block *= 2;
  return block > kNarrow ? block + kApart : block;
}

Schedule CpuDefaults(const LoweredKernel& kernel) {
  const ScannedAxis scanned = *FindScannedAxis(kernel);
  Schedule schedule(kScan.name);
  schedule.Set("vec", VectorLanes(kernel));
  if (scanned.axis == 0)
    return schedule.Set("block", DefaultBlockAlong(scanned.length)).Set("ways", kWays);
  // A block's places along the fastest axis are scanned together.
  int64_t block = 256;
  while (block > 16 && block >= 2 * scanned.length) block /= 2;
  return schedule.Set("block", block);
}

std::vector<Knob> CpuSpace(const LoweredKernel& kernel) {
  std::vector<Knob> knobs = {
      {"block", Choices(PowersOfTwo(16, 8192), 8192, CpuDefaults(kernel).Get("block"))},
      {"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))}};
  if (FindScannedAxis(kernel)->axis == 0) knobs.push_back({"ways", PowersOfTwo(1, 2 * kWays)});
  return knobs;
}

// Blocks of `func` along the scanned axis to threads; gives the thread's loop.
Var MapBlocks(LoweredKernel& kernel, const ScanBuilder& builder, Func& func, std::vector<Axis> axes,
              int64_t block, int64_t threads) {
  Var number("number"), place("place");
  Axis& scanned = axes[builder.axis()];
  const int64_t count = Blocks(scanned.extent, block);
  func.split(scanned.var, number, place, static_cast<int>(block),
             scanned.extent % block == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  scanned = {number, count};
  std::vector<VarOrRVar> order = {place};
  for (const Axis& axis : axes) order.push_back(axis.var);
  func.reorder(order).unroll(place);
  return GpuElementPerThread(kernel, func, axes, threads);
}

void KeepInRegisters(const ScanBuilder& builder, BlockScan& scan, Func& consumer, const Var& thread,
                     int64_t block) {
  // Halide does not see that a thread reads one block where the last one is not whole.
  scan.func.compute_at(consumer, thread)
      .bound(builder.i, 0, static_cast<int32_t>(block))
      .bound_extent(builder.k, 1)
      .unroll(builder.i);
  if (scan.has_steps) scan.func.update().unroll(scan.step);
}

// Returns what comes before each of `count` values.
Func BeforeOnGpu(LoweredKernel& kernel, const ScanBuilder& builder, const Reader& value,
                 int64_t count, int64_t block, int64_t threads) {
  Reader seed;
  int64_t width = count;
  if (count > kMaxTop) {
    const int64_t blocks = Blocks(count, block);
    Func totals = builder.Totals(value);
    totals.compute_root();
    GpuElementPerThread(kernel, totals, builder.AxesWith({builder.k, blocks}), threads);
    seed = builder.Of(
        BeforeOnGpu(kernel, builder, builder.Of(totals, blocks), blocks, block, threads), blocks);
    width = block;
  }
  BlockScan scan = builder.Scan(value, seed, width, false);
  Func before("before");
  const Expr at = builder.k, size = static_cast<int32_t>(width);
  before(builder.At(builder.k)) = builder.Keep(builder.Read(
      scan.func, width == count ? builder.At(at, 0) : builder.At(at % size, at / size)));
  before.compute_root();
  const Var thread =
      MapBlocks(kernel, builder, before, builder.AxesWith({builder.k, count}), width, threads);
  KeepInRegisters(builder, scan, before, thread, width);
  return before;
}

// Totals in vectors along the fastest axis, where another one is scanned.
Func TotalsOnCpu(const ScanBuilder& builder, const Reader& value, int64_t count, int64_t block,
                 int64_t vec) {
  CpuTotals made = DefineTotals(builder, value, block, 1);
  Func &partial = made.partial, &totals = made.totals;
  totals.compute_root();
  std::vector<Axis> axes = builder.AxesWith({builder.k, Blocks(count, block)});
  std::vector<Var> outer;
  for (const Axis& axis : axes) outer.push_back(axis.var);
  if (axes[0].extent >= vec) {
    Var column("column"), inner("inner");
    const int width = static_cast<int>(std::min(kColumns, axes[0].extent / vec * vec));
    totals.split(axes[0].var, column, inner, width, TailStrategy::ShiftInwards)
        .vectorize(inner, static_cast<int>(vec));
    outer[0] = column;
    partial.vectorize(axes[0].var, static_cast<int>(vec));
    partial.update().reorder(axes[0].var, made.step).vectorize(axes[0].var, static_cast<int>(vec));
    partial.reorder_storage(axes[0].var, made.lane);
  }
  const Var task = FuseVars(totals, outer);
  totals.parallel(task);
  partial.compute_at(totals, task);
  return totals;
}

void ApplyOnCpu(LoweredKernel& kernel, const ScanBuilder& builder, Func& consumer, BlockScan& scan,
                const std::vector<Axis>& axes, int64_t block, int64_t vec) {
  const size_t s = builder.axis();
  Var number("number"), place("place");
  consumer.split(axes[s].var, number, place, static_cast<int>(block), TailStrategy::GuardWithIf);
  std::vector<Var> outer;
  for (const Axis& axis : axes) outer.push_back(axis.var);
  outer[s] = number;
  std::vector<VarOrRVar> order = {place};
  const bool vectors = s != 0 && axes[0].extent >= vec && vec > 1;
  Var inner("inner");
  if (vectors) {
    Var column("column");
    const int width = static_cast<int>(std::min(kColumns, axes[0].extent / vec * vec));
    consumer.split(axes[0].var, column, inner, width, Tail(kernel, axes[0].extent, width));
    outer[0] = column;
    order.insert(order.begin(), inner);
  }
  order.insert(order.end(), outer.begin(), outer.end());
  consumer.reorder(order);
  if (vectors) consumer.vectorize(inner, static_cast<int>(vec));
  const Var task = FuseVars(consumer, outer);
  consumer.parallel(task);
  scan.func.compute_at(consumer, task)
      .bound(builder.i, 0, static_cast<int32_t>(block))
      .bound_extent(builder.k, 1);
  if (!vectors) return;
  const Var fastest = builder.hero().axes[0].var;
  scan.func.vectorize(fastest, static_cast<int>(vec));
  if (scan.has_steps)
    scan.func.update().reorder(fastest, scan.step).vectorize(fastest, static_cast<int>(vec));
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  const ScannedAxis scanned = *FindScannedAxis(kernel);
  const bool gpu = runtime::IsGpu(kernel.device);
  const int64_t block = schedule.Get("block"), blocks = Blocks(scanned.length, block);
  const int64_t threads = gpu ? schedule.Get("threads") : 1, vec = gpu ? 1 : schedule.Get("vec");
  const ScanBuilder builder(kernel, scanned, block);
  const Reader elements = builder.Elements();
  const bool along = !gpu && scanned.axis == 0;
  const AlongShape shape = along ? ShapeAlong(kernel, schedule, scanned.length) : AlongShape();
  BeforeAlong before;
  Reader seed;
  if (blocks > 1 && gpu) {
    Func totals = builder.Totals(elements);
    totals.compute_root();
    GpuElementPerThread(kernel, totals, builder.AxesWith({builder.k, blocks}), threads);
    seed = builder.Of(
        BeforeOnGpu(kernel, builder, builder.Of(totals, blocks), blocks, block, threads), blocks);
  } else if (blocks > 1) {
    if (along) {
      before = BeforeOnCpu(builder, elements, shape);
    } else {
      Func totals = TotalsOnCpu(builder, elements, scanned.length, block, vec);
      before.before = builder.Scan(builder.Of(totals, blocks), Reader(), blocks, false).func;
      before.before.compute_root();
    }
    seed = [&builder, func = before.before, blocks](const Expr& k) {
      const Expr last = static_cast<int32_t>(blocks - 1);
      return builder.Read(func, builder.At(Halide::min(k, last), Expr(0)));
    };
  }
  BlockScan scan = builder.Scan(elements, seed, block, true);
  hero.result = Func("scanned");
  const Expr at = hero.axes[scanned.axis].var, size = static_cast<int32_t>(block);
  hero.result(lowering::VarsOf(hero.axes)) = builder.Store(
      hero.merge(hero.init(), builder.Read(scan.func, builder.At(at % size, at / size))));
  hero.read = [func = hero.result](const Indices& index) { return CallElements(func, index); };
  kernel.BuildOutput();
  // Outputs that read the scan at other places than their own are computed after it.
  Func& consumer = kernel.direct_epilogue ? kernel.output : hero.result;
  const std::vector<Axis>& axes = kernel.direct_epilogue ? kernel.axes : hero.axes;
  if (!kernel.direct_epilogue) {
    hero.result.compute_root();
    if (gpu) {
      GpuElementPerThread(kernel, kernel.output, kernel.axes, threads);
    } else if (!kernel.axes.empty()) {
      kernel.output.parallel(kernel.axes.back().var);
    }
  }
  if (along) return ApplyAlongOnCpu(builder, consumer, scan, before, axes, shape);
  if (!gpu) return ApplyOnCpu(kernel, builder, consumer, scan, axes, block, vec);
  const Var thread = MapBlocks(kernel, builder, consumer, axes, block, threads);
  KeepInRegisters(builder, scan, consumer, thread, block);
}

}  // namespace

const Template kScanOnX86 = {.id = kScan,
                             .forms = SetOfForms<lowering::SingleFold>(),
                             .device = DeviceClass::kX86,
                             .accepts = Accepts,
                             .defaults = CpuDefaults,
                             .space = CpuSpace,
                             .apply = Apply};
const Template kScanOnGpu = {.id = kScan,
                             .forms = SetOfForms<lowering::SingleFold>(),
                             .device = DeviceClass::kGpu,
                             .accepts = Accepts,
                             .defaults = GpuDefaults,
                             .space = GpuSpace,
                             .apply = Apply};

}  // namespace halyard::schedules
