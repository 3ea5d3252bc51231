// sequence: outputs that are updated in place, step after step
// (lowering/kernels/sequence/define.h).
//
// CPU: independent axes are in tasks of `grain` elements and in vectors, with all steps in each
// task. Without axes, the steps that are independent of each other are. GPU: there is a thread for
// each place along the axes, and for each step if all are independent; other steps run one after
// the other within the thread. Scatters: there are `blocks` of such threads, each of which looks
// through the steps for those of its block; with places = 1, there is a thread for each place of
// the outputs. With places = 2, which sorted index vectors allow, that thread does only its own
// steps.

#include <algorithm>
#include <cmath>
#include <functional>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::Stage;
using lowering::Sequence;
using lowering::SequencePhase;

namespace {

// With less work than this, a second task is not worthwhile.
constexpr int64_t kMinParallelWork = 32768;

bool Accepts(const LoweredKernel& kernel) { return kernel.As<Sequence>().counting == nullptr; }

bool HasRanges(const LoweredKernel& kernel) {
  return kernel.As<Sequence>().by_place.size() > 1 && !LimitsSteps(kernel);
}
// Index vectors of several numbers are sorted for this form where they leave out all but some steps
// of each place (lowering/plan/expand/run_sums.h).
bool HasShortRanges(const LoweredKernel& kernel) {
  const hlo::Instruction* scatter = kernel.As<Sequence>().instruction;
  return HasRanges(kernel) && scatter->GetInts(hlo::Attr::kScatterDimsToOperandDims).size() > 1;
}
bool HasPlaces(const LoweredKernel& kernel) { return !kernel.As<Sequence>().by_place.empty(); }

// The steps of a block are one launch.
int64_t MaxBlocks(const LoweredKernel& kernel) {
  const bool whole =
      !LimitsSteps(kernel) || Product(kernel.As<Sequence>().phases[0].extents) <= kMaxLaunchSteps;
  return whole ? 4096 : 1;
}

// The number of places along the dimensions that steps move along, and along the others.
int64_t MovedPlaces(const LoweredKernel& kernel) {
  int64_t places = 1;
  for (size_t d = 0; d < kernel.axes.size(); ++d) {
    if (!kernel.As<Sequence>().is_axis[d]) places *= kernel.axes[d].extent;
  }
  return places;
}

// Steps may be done one after the other in a thread per place along the axes (blocks = 1), by
// several such threads, each of which does those of its block, or by a thread for each place. A
// step done is a chain of loads, an operation and a store; one looked at is a load, the same for
// all threads, and a comparison. A device that is full of threads does about 8 of those in the time
// of one step (some 100 cycles for all that a unit holds, and two accesses to memory); where
// threads are vector lanes of CPUs, 2 (measured: 32 ns and 20 to 80 ns). Either way it does only so
// many threads at a time, and threads of a subgroup wait for each other's steps.
struct SequenceShape {
  int64_t places = 0;
  int64_t blocks = 1;
};
SequenceShape BestShape(const LoweredKernel& kernel) {
  const runtime::DeviceInfo& device = kernel.device;
  const double subgroup = std::max<double>(1, device.subgroup_size);
  const double at_once =
      static_cast<double>(runtime::UnitsOf(device)) *
      (device.software ? subgroup : (device.unit_threads != 0 ? device.unit_threads : 1024));
  const double step = device.software ? 2 : 8;
  const double moved = static_cast<double>(MovedPlaces(kernel));
  const double places = static_cast<double>(Product(kernel.axes)), along_axes = places / moved;
  const auto steps = static_cast<double>(Product(kernel.As<Sequence>().phases[0].extents));
  const auto vectors = static_cast<double>(Product(kernel.As<Sequence>().by_place[0].extents));
  const double together = std::min(1.0, along_axes / subgroup);
  SequenceShape best;
  double best_time = steps * step * std::max(1.0, along_axes / at_once);
  for (int64_t blocks = 2; blocks <= MaxBlocks(kernel) && static_cast<double>(blocks) <= moved;
       blocks *= 2) {
    const auto b = static_cast<double>(blocks);
    const double own = steps / std::max(1.0, b * together);
    const double time = (steps + own * step) * std::max(1.0, along_axes * b / at_once);
    if (time < best_time) best_time = time, best.blocks = blocks;
  }
  const double rounds = std::max(1.0, places / at_once);
  if (vectors * rounds < best_time) best_time = vectors * rounds, best = {1, 1};
  // Two searches, each read of which waits for the one before, and the steps of a place.
  const double longest = HasShortRanges(kernel) ? 64 : vectors;
  const double own = step * (2 * std::log2(vectors + 1) + std::min(longest, vectors / moved));
  if (HasRanges(kernel) && !device.software && own * rounds < best_time) best = {2, 1};
  return best;
}

Schedule GpuDefaults(const LoweredKernel& kernel) {
  Schedule schedule(kSequence.name);
  schedule.Set("threads", GpuThreads(kernel, 64));
  if (!HasPlaces(kernel)) return schedule;
  const SequenceShape shape = BestShape(kernel);
  return schedule.Set("places", shape.places).Set("blocks", shape.blocks);
}

std::vector<Knob> GpuSpace(const LoweredKernel& kernel) {
  std::vector<Knob> knobs = {{"threads", PowersOfTwo(1, GpuThreads(kernel, 1024))}};
  if (HasPlaces(kernel)) {
    std::vector<int64_t> places = {0, 1};
    if (HasRanges(kernel)) places.push_back(2);
    knobs.push_back({"places", places});
    knobs.push_back({"blocks", PowersOfTwo(1, MaxBlocks(kernel))});
  }
  return knobs;
}

Schedule CpuDefaults(const LoweredKernel& kernel) {
  return Schedule(kSequence.name).Set("vec", VectorLanes(kernel)).Set("grain", 256);
}

std::vector<Knob> CpuSpace(const LoweredKernel& kernel) {
  return {{"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))}, {"grain", PowersOfTwo(16, 1 << 20)}};
}

// Takes Vars or RVars, not both, fastest first.
VarOrRVar Fuse(Stage& stage, const std::vector<VarOrRVar>& loops) {
  VarOrRVar fused = loops[0];
  for (size_t i = 1; i < loops.size(); ++i) {
    VarOrRVar next(UniqueName("fused"), fused.is_rvar);
    stage.fuse(fused, loops[i], next);
    fused = next;
  }
  return fused;
}

struct Loops {
  std::vector<VarOrRVar> vars;
  int64_t extent = 1;
  // Of several elements: loops of one add nothing, but must be mapped somewhere too.
  bool empty() const { return vars.empty(); }
};

Loops AxesOf(const LoweredKernel& kernel) {
  const size_t first = kernel.has_parts ? 1 : 0;
  Loops loops;
  for (size_t d = first; d < kernel.axes.size(); ++d) {
    if (!kernel.As<Sequence>().is_axis[d - first]) continue;
    loops.vars.push_back(kernel.axes[d].var);
    loops.extent *= kernel.axes[d].extent;
  }
  return loops;
}

// Returns the steps of a phase if all of them are independent.
Loops FreeStepsOf(const SequencePhase& phase) {
  Loops loops;
  if (phase.independent < phase.domain.size()) return loops;
  for (const RVar& r : phase.domain) loops.vars.push_back(r);
  loops.extent = Product(phase.extents);
  return loops;
}

// One element of `loops` to a thread; blocks in x, and in y those that the grid has no room for.
// Gives the loops over threads and blocks, fastest first.
std::vector<VarOrRVar> MapToThreads(const LoweredKernel& kernel, Stage& stage, const Loops& loops,
                                    int64_t threads) {
  VarOrRVar fused = Fuse(stage, loops.vars);
  VarOrRVar block(UniqueName("block"), fused.is_rvar), thread(UniqueName("thread"), fused.is_rvar);
  stage.split(fused, block, thread, static_cast<int>(threads), TailStrategy::GuardWithIf)
      .gpu_threads(thread);
  const int64_t blocks = (loops.extent + threads - 1) / threads;
  if (blocks <= std::max<int64_t>(1, kernel.device.max_grid[0])) {
    stage.gpu_blocks(block);
    return {thread, block};
  }
  VarOrRVar row(UniqueName("block_y"), fused.is_rvar), place(UniqueName("block_x"), fused.is_rvar);
  stage.split(block, row, place, 32768, TailStrategy::GuardWithIf).gpu_blocks(place, row);
  return {thread, place, row};
}

void MapPhase(LoweredKernel& kernel, Stage stage, const SequencePhase& phase, int64_t threads,
              int64_t blocks) {
  const Loops axes = AxesOf(kernel), steps = FreeStepsOf(phase);
  if (blocks > 1) {
    std::vector<RVar> inner = phase.domain;
    const RVar block = inner.back();
    inner.pop_back();
    CutSteps cut = CutIntoLaunches(kernel, stage, inner, phase.extents);
    if (axes.empty()) {
      return OrderLaunches(stage, cut, MapToThreads(kernel, stage, {{block}, blocks}, threads));
    }
    // Places along the axes in x, blocks in y.
    Var place(UniqueName("place")), thread(UniqueName("thread"));
    stage.split(Fuse(stage, axes.vars), place, thread, static_cast<int>(threads),
                TailStrategy::GuardWithIf);
    std::vector<VarOrRVar> order = cut.inside;
    order.insert(order.end(), {thread, place, block});
    order.insert(order.end(), cut.outside.begin(), cut.outside.end());
    stage.reorder(order).gpu_threads(thread).gpu_blocks(place, block);
    return;
  }
  if (steps.empty()) {
    CutSteps cut = CutIntoLaunches(kernel, stage, phase.domain, phase.extents);
    OrderLaunches(
        stage, cut,
        axes.empty() ? MapToOneThread(stage, &cut) : MapToThreads(kernel, stage, axes, threads));
  } else if (axes.empty()) {
    MapToThreads(kernel, stage, steps, threads);
  } else {
    // Places along the axes in x, steps in y, as many to a thread as the grid needs.
    VarOrRVar step = Fuse(stage, steps.vars);
    RVar row(UniqueName("row")), inner(UniqueName("inner"));
    const int64_t rows = std::min<int64_t>(steps.extent, 32768);
    stage.split(step, row, inner, static_cast<int>((steps.extent + rows - 1) / rows),
                TailStrategy::GuardWithIf);
    VarOrRVar place = Fuse(stage, axes.vars);
    Var block(UniqueName("block")), thread(UniqueName("thread"));
    stage.split(place, block, thread, static_cast<int>(threads), TailStrategy::GuardWithIf);
    stage.reorder(inner, thread, block, row).gpu_threads(thread).gpu_blocks(block, row);
  }
}

// No axes: independent steps in vectors and tasks, where they are many. Conditions would have each
// lane done on its own.
void LoopOverSteps(const LoweredKernel& kernel, Stage& stage, const SequencePhase& phase,
                   const Schedule& schedule) {
  if (phase.independent == 0) return;
  const int64_t vec = schedule.Get("vec"), work = Product(phase.extents);
  RVar fastest = phase.domain[0];
  if (phase.independent == phase.domain.size() && work > 2 * kMinParallelWork) {
    const int64_t per_step = std::max<int64_t>(1, work / phase.extents.back());
    const int64_t per_task = std::max<int64_t>(1, kMinParallelWork / per_step);
    RVar task(UniqueName("task")), inner(UniqueName("inner"));
    stage.split(phase.domain.back(), task, inner, static_cast<int>(per_task),
                TailStrategy::GuardWithIf);
    stage.parallel(task);
    if (phase.domain.size() == 1) fastest = inner;
  }
  if (!kernel.has_parts && !phase.conditional && vec > 1 && phase.extents[0] >= vec) {
    stage.vectorize(fastest, static_cast<int>(vec), TailStrategy::GuardWithIf);
  }
}

void LoopOverAxes(const LoweredKernel& kernel, Stage& stage, const SequencePhase& phase,
                  const Loops& axes, const Schedule& schedule) {
  const int64_t vec = schedule.Get("vec"), grain = schedule.Get("grain");
  const size_t first = kernel.has_parts ? 1 : 0;
  const Axis& fastest = kernel.axes[first];
  std::vector<VarOrRVar> outer = axes.vars;
  int64_t tasks = axes.extent, per_task = std::max<int64_t>(1, grain / 16);
  if (!kernel.has_parts && vec > 1 && kernel.As<Sequence>().is_axis[0] && fastest.extent >= vec) {
    // The innermost loop is a vector of neighbours, the steps are around it, and chunks of the axis
    // are outermost.
    const int64_t chunk = std::max(vec, std::min(grain, fastest.extent));
    Var chunk_var(UniqueName("chunk")), place(UniqueName("place"));
    stage.split(fastest.var, chunk_var, place, static_cast<int>(chunk), TailStrategy::GuardWithIf);
    std::vector<VarOrRVar> order = {place};
    order.insert(order.end(), phase.domain.begin(), phase.domain.end());
    order.push_back(chunk_var);
    order.insert(order.end(), outer.begin() + 1, outer.end());
    stage.reorder(order);
    stage.vectorize(place, static_cast<int>(vec), TailStrategy::GuardWithIf);
    outer[0] = chunk_var;
    tasks = axes.extent / fastest.extent * ((fastest.extent + chunk - 1) / chunk);
    per_task = std::max<int64_t>(1, grain / chunk);
  }
  if (tasks <= 1 || axes.extent * Product(phase.extents) < kMinParallelWork) return;
  VarOrRVar fused = Fuse(stage, outer);
  if (per_task > 1 && tasks > per_task) {
    Var task(UniqueName("task")), inner(UniqueName("inner"));
    stage.split(fused, task, inner, static_cast<int>(per_task), TailStrategy::GuardWithIf)
        .parallel(task);
  } else {
    stage.parallel(fused);
  }
}

void StartOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  Loops all;
  for (const Axis& axis : kernel.axes) all.vars.push_back(axis.var);
  all.extent = Product(kernel.axes);
  if (all.empty()) {
    kernel.output.gpu_single_thread();
    return;
  }
  Stage stage = kernel.output;
  MapToThreads(kernel, stage, all, schedule.Get("threads"));
}

void StartOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  if (kernel.axes.empty()) return;
  Stage stage = kernel.output;
  const int64_t vec = schedule.Get("vec");
  if (vec > 1 && kernel.axes[0].extent >= vec) {
    stage.vectorize(kernel.axes[0].var, static_cast<int>(vec), TailStrategy::GuardWithIf);
  }
  if (kernel.axes.size() > 1 && Product(kernel.axes) > kMinParallelWork) {
    stage.parallel(kernel.axes.back().var);
  }
}

void SchedulePhases(LoweredKernel& kernel,
                    const std::function<void(Stage& stage, const SequencePhase& phase)>& schedule) {
  const std::vector<SequencePhase>& phases = kernel.As<Sequence>().phases;
  for (size_t i = 0; i < phases.size(); ++i) {
    Stage stage = kernel.output.update(static_cast<int>(i));
    // Axes and independent steps are such that an element has one writer at a time.
    stage.allow_race_conditions();
    if (kernel.has_parts) stage.vectorize(kernel.parts[i]);
    schedule(stage, phases[i]);
  }
}

void ApplyOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  Sequence& sequence = kernel.As<Sequence>();
  int64_t blocks = 1;
  const int64_t places = schedule.Has("places") ? schedule.Get("places") : 0;
  if (places != 0) {
    sequence.ChooseByPlace(/*ranges=*/places == 2);
  } else if (schedule.Has("blocks")) {
    blocks = schedule.Get("blocks");
    if (blocks > 1) sequence.phases[0].extents.push_back(blocks);
  }
  kernel.BuildSequence();
  StartOnGpu(kernel, schedule);
  SchedulePhases(kernel, [&](Stage& stage, const SequencePhase& phase) {
    MapPhase(kernel, stage, phase, schedule.Get("threads"), blocks);
  });
}

void ApplyOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  kernel.BuildSequence();
  StartOnCpu(kernel, schedule);
  const Loops axes = AxesOf(kernel);
  SchedulePhases(kernel, [&](Stage& stage, const SequencePhase& phase) {
    if (axes.empty()) {
      LoopOverSteps(kernel, stage, phase, schedule);
    } else {
      LoopOverAxes(kernel, stage, phase, axes, schedule);
    }
  });
}

}  // namespace

const Template kSequenceOnX86 = {.id = kSequence,
                                 .forms = SetOfForms<Sequence>(),
                                 .device = DeviceClass::kX86,
                                 .accepts = Accepts,
                                 .defaults = CpuDefaults,
                                 .space = CpuSpace,
                                 .apply = ApplyOnCpu};
const Template kSequenceOnGpu = {.id = kSequence,
                                 .forms = SetOfForms<Sequence>(),
                                 .device = DeviceClass::kGpu,
                                 .accepts = Accepts,
                                 .defaults = GpuDefaults,
                                 .space = GpuSpace,
                                 .apply = ApplyOnGpu};

}  // namespace halyard::schedules
