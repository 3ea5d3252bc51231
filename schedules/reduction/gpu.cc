// reduction on GPUs: one fold for each output. (Several folds over one row, as in softmax, are in
// rows_gpu.cc.)
//
// With lanes = 1, a thread folds an output by itself. Otherwise, `lanes` threads fold an output
// together (group_fold.h), in workgroups of `rows` outputs. With parts, as many workgroups fold
// pieces of an output. With finish = 1, the last of them to be done joins their results, else a
// second launch does; the order is the same. Columns lie on neighbouring threads, with the lanes
// beside them. In rows, the lanes of a row are neighbours.

#include <algorithm>
#include <optional>

#include "lowering/kernels/device_intrinsics.h"
#include "schedules/folds.h"
#include "schedules/loops.h"
#include "schedules/reduction/group_fold.h"
#include "schedules/reduction/template.h"

namespace halyard::schedules {

namespace {

// How many elements a thread should fold before another thread is worthwhile.
constexpr int64_t kThreadElements = 8;
// What tells all threads of a workgroup that it is the last, with what aligns it.
constexpr int64_t kFlagBytes = 16;

// How many results of workgroups a thread of the last one should read at most: these reads take
// about as long as a launch.
constexpr int64_t kFinishReads = 64;
constexpr int64_t kMostParts = 1024;

// Mesa's software device leaves loops early, too, where workgroups of one thread fold more than
// about 500,000 elements together (those of two, in other loops): the outputs but for the first are
// 0 then.
constexpr int64_t kFewThreads = 4;
constexpr int64_t kMostForFew = 65536;

// Returns how many steps of a thread's loop the device takes.
int64_t MostSteps(const LoweredKernel& kernel) {
  return LimitsSteps(kernel) ? kMaxLaunchSteps : INT64_MAX;
}

// The number of threads that keep the whole device busy.
int64_t DeviceThreads(const runtime::DeviceInfo& device) {
  const int64_t units = runtime::UnitsOf(device);
  if (device.software) return units * 64;
  return units * (device.unit_threads != 0 ? device.unit_threads : 1024);
}

// Returns whether threads may fold the hero together; without an identity they fold pieces.
bool CanGroup(const Hero& hero) { return !hero.identity.empty() || hero.associative; }
bool HasPieces(const Hero& hero) { return hero.identity.empty() && hero.associative; }

// How many outputs along axis 0 one workgroup may fold together.
bool CanHaveRows(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  return !hero.axes.empty() && kernel.direct_epilogue && !kernel.axes.empty() &&
         !hlo::IsComplex(hero.types[0]);
}

// The last workgroup can only know that it is the last where there are fences and atomics of the
// whole device.
bool CanFinish(const LoweredKernel& kernel) {
  return kernel.device.kind == runtime::DeviceKind::kCuda &&
         kernel.device.cuda_capability >= lowering::kArriveCapability &&
         !kernel.heroes[0]->identity.empty();
}

struct Shape {
  GroupShape group;
  int64_t rows = 1;
  GroupLayout layout = GroupLayout::kOne;
  bool finish = false;
};

// Returns the bytes of shared memory that the last workgroup takes to join the parts.
int64_t FinishBytes(const Hero& hero, const Shape& shape) {
  int64_t bytes = 0;
  for (hlo::ElementType type : hero.types) bytes += std::max<int64_t>(4, hlo::StorageBytes(type));
  return shape.rows * PartFans(shape.group.parts) * bytes;
}

// The knobs, limited to what the kernel and the device have room for.
Shape ShapeOf(const LoweredKernel& kernel, const Schedule& schedule) {
  const Hero& hero = *kernel.heroes[0];
  Shape shape;
  shape.rows =
      CanHaveRows(kernel) ? WholeRows(kernel, schedule.Get("rows"), hero.axes[0].extent) : 1;
  if (shape.rows > 1) {
    shape.layout = ReducesRows(hero) ? GroupLayout::kRows : GroupLayout::kColumns;
  }
  GroupShape& group = shape.group;
  group.threads = CanGroup(hero) ? std::min(schedule.Get("lanes"), GpuThreads(kernel, 1024)) : 1;
  if (HasPieces(hero)) {
    group.threads = std::min(group.threads, PowerOfTwoAtMost(DomainOf(hero)));
  } else {
    group.width = schedule.Get("width");
    group.dense = group.width == 4 && CanBeDense(kernel, hero, 4);
    group.parts = schedule.Get("parts");
  }
  while (shape.rows > 1 && (shape.rows * group.threads > GpuThreads(kernel, 1024) ||
                            shape.rows * SharedBytes(hero, group) > kernel.device.max_shared_bytes))
    shape.rows /= 2;
  while (group.threads > 1 && SharedBytes(hero, group) > kernel.device.max_shared_bytes)
    group.threads /= 2;
  if (shape.rows == 1) shape.layout = GroupLayout::kOne;
  // A workgroup of one thread has no loop over threads in which it could wait.
  shape.finish =
      group.parts > 1 && schedule.Has("finish") && schedule.Get("finish") != 0 &&
      shape.rows * group.threads > 1 &&
      std::max(FinishBytes(hero, shape), shape.rows * SharedBytes(hero, group)) + kFlagBytes <=
          kernel.device.max_shared_bytes;
  if (shape.finish) group.padded_rows = shape.rows;
  return shape;
}

// Each thread folds one output.
void ApplyThreadPerOutput(LoweredKernel& kernel, int64_t threads) {
  Hero& hero = *kernel.heroes[0];
  kernel.DefineHero(hero);
  kernel.BuildOutput();
  const Var thread = GpuElementPerThread(kernel, kernel.output, kernel.axes, threads);
  if (kernel.direct_epilogue && !kernel.axes.empty()) {
    hero.result.compute_at(kernel.output, thread);
  } else {
    hero.result.compute_root();
    GpuElementPerThread(kernel, hero.result, hero.axes, threads);
  }
}

// Maps the launch that joins the parts. Returns its loops.
GroupLoops ScheduleJoint(LoweredKernel& kernel, GroupFold& fold, Func& consumer,
                         const std::vector<Axis>& axes, const Shape& shape) {
  if (!shape.finish) {
    const GroupLoops joint = MapToGroups(kernel, consumer, axes, GroupLayout::kOne, 1);
    fold.gathered.compute_at(consumer, joint.block)
        .store_in(Halide::MemoryType::GPUShared)
        .bound(fold.fan, 0, static_cast<int32_t>(fold.part_fans))
        .gpu_threads(fold.fan);
    return joint;
  }
  // The groups do not overlap: each has its own parts and finishes its own outputs.
  const int64_t extent = axes.empty() ? 1 : axes[0].extent, rows = shape.rows;
  const GroupLoops joint =
      MapToGroups(kernel, consumer, axes, shape.layout, rows,
                  extent % rows == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  ScheduleGathered(fold, consumer, joint.block, shape.layout);
  kernel.last_group = lowering::LastGroup{
      fold.group.name(), consumer.name(),
      std::max<int64_t>(1, Product(axes)) / extent * ((extent + rows - 1) / rows),
      shape.group.parts};
  return joint;
}

void ApplyGroups(LoweredKernel& kernel, const Shape& shape) {
  Hero& hero = *kernel.heroes[0];
  GroupFold fold = DefineGroupFold(kernel, hero, shape.group);
  kernel.BuildOutput();
  // An epilogue that reads the fold at its own place is part of the fold. Otherwise the outputs are
  // a kernel of their own.
  const bool direct = kernel.direct_epilogue;
  Func& consumer = direct ? kernel.output : fold.total;
  const std::vector<Axis>& axes = direct ? kernel.axes : hero.axes;
  if (shape.group.parts == 1) {
    const GroupLoops loops = MapToGroups(kernel, consumer, axes, shape.layout, shape.rows);
    ScheduleGroupFold(fold, consumer, loops.block, shape.layout);
    if (direct) fold.total.compute_at(consumer, loops.thread);
  } else {
    std::vector<Axis> pieces = hero.axes;
    pieces.push_back({fold.part, shape.group.parts});
    fold.group.compute_root().bound(fold.part, 0, static_cast<int32_t>(shape.group.parts));
    const std::optional<TailStrategy> padded =
        shape.finish ? std::optional(TailStrategy::RoundUp) : std::nullopt;
    const GroupLoops loops =
        MapToGroups(kernel, fold.group, pieces, shape.layout, shape.rows, padded);
    ScheduleGroupFold(fold, fold.group, loops.block, shape.layout);
    const GroupLoops joint = ScheduleJoint(kernel, fold, consumer, axes, shape);
    if (direct) fold.total.compute_at(consumer, joint.thread);
  }
  if (direct) return;
  fold.total.compute_root();
  GpuElementPerThread(kernel, kernel.output, kernel.axes, GpuThreads(kernel, 64));
}

}  // namespace

Schedule GpuReductionDefaults(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const int64_t n = DomainOf(hero), outputs = std::max<int64_t>(1, Product(hero.axes));
  const int64_t wanted = DeviceThreads(kernel.device);
  const bool rows = ReducesRows(hero), software = kernel.device.software;
  int64_t lanes = 1, width = 1, per_group = 1, parts = 1;
  // There are enough threads without lanes. Columns then need no lanes; rows do, to read side by
  // side, except on software devices.
  const bool alone =
      outputs >= wanted && n <= MostSteps(kernel) && (!rows || software || n < 2 * kThreadElements);
  if (CanGroup(hero) && !alone) {
    const int64_t limit = GpuThreads(kernel, software ? 32 : 256);
    const int64_t useful = PowerOfTwoAtMost(std::max<int64_t>(1, n / kThreadElements));
    lanes = std::min(limit, useful);
    width = !hero.identity.empty() && n / lanes >= 4 ? 4 : 1;
    if (rows) {
      // Short rows share a workgroup.
      per_group = std::max<int64_t>(1, std::min(GpuThreads(kernel, 128) / lanes, outputs));
    } else {
      per_group = std::min<int64_t>(GpuThreads(kernel, 32), hero.axes[0].extent);
      lanes = std::min<int64_t>(lanes, PowerOfTwoAtMost(std::max<int64_t>(1, limit / per_group)));
    }
    per_group = !software ? PowerOfTwoAtMost(per_group)
                : lanes < kFewThreads && n * outputs > kMostForFew
                    ? PowerOfTwoAtMost(std::min<int64_t>(per_group, 8))
                    : 1;
    if (!hero.identity.empty()) {
      const int64_t most_steps = MostSteps(kernel);
      const int64_t limit_parts =
          std::min<int64_t>(kMostParts, n / (lanes * width * kThreadElements));
      while (parts * 2 <= limit_parts &&
             (outputs * lanes * parts < wanted || (n - 1) / (lanes * parts) >= most_steps))
        parts *= 2;
    }
  }
  const int64_t threads = GpuThreads(kernel, software ? 32 : 256);
  Schedule schedule = Schedule(kReduction.name)
                          .Set("lanes", lanes)
                          .Set("width", width)
                          .Set("rows", per_group)
                          .Set("parts", parts)
                          .Set("threads", threads);
  if (CanFinish(kernel)) schedule.Set("finish", parts / lanes <= kFinishReads ? 1 : 0);
  return schedule;
}

std::vector<Knob> GpuReductionSpace(const LoweredKernel& kernel) {
  const Hero& hero = *kernel.heroes[0];
  const int64_t n = DomainOf(hero), most = GpuThreads(kernel, 1024);
  const bool group = CanGroup(hero), split = !hero.identity.empty();
  const int64_t lanes = group ? std::min(most, PowerOfTwoAtMost(n)) : 1;
  std::vector<Knob> knobs = {
      {"lanes", PowersOfTwo(1, lanes)},
      {"width", split ? std::vector<int64_t>{1, 2, 4, 8} : std::vector<int64_t>{1}},
      {"rows", PowersOfTwo(1, CanHaveRows(kernel) && group ? std::min<int64_t>(most, 256) : 1)},
      {"parts", PowersOfTwo(1, split ? std::min(kMostParts, PowerOfTwoAtMost(n)) : 1)},
      {"threads", Choices(PowersOfTwo(32, most), most, GpuThreads(kernel, 32))}};
  if (CanFinish(kernel)) knobs.push_back({"finish", {0, 1}});
  return knobs;
}

bool FoldsWithinLimits(const LoweredKernel& kernel, const Schedule& schedule) {
  if (!LimitsSteps(kernel)) return true;
  const Shape shape = ShapeOf(kernel, schedule);
  const int64_t threads = shape.group.threads * shape.group.parts;
  const Hero& hero = *kernel.heroes[0];
  const int64_t n = DomainOf(hero), outputs = std::max<int64_t>(1, Product(hero.axes));
  const bool few = threads > 1 && shape.rows * shape.group.threads < kFewThreads;
  return (n - 1) / threads < kMaxLaunchSteps && !(few && n * outputs > kMostForFew);
}

void ApplyGpuReduction(LoweredKernel& kernel, const Schedule& schedule) {
  const Shape shape = ShapeOf(kernel, schedule);
  if (!FoldsWithinLimits(kernel, schedule)) {
    throw lowering::LimitError(
        "a thread folds more elements than this device's loops take: more lanes or parts are "
        "needed");
  }
  if (shape.group.threads * shape.group.parts == 1) {
    ApplyThreadPerOutput(kernel, schedule.Get("threads"));
  } else {
    ApplyGroups(kernel, shape);
  }
}

}  // namespace halyard::schedules
