// fourier_line: lines of a Fourier transform, each done by one workgroup
// (lowering/kernels/fourier/define.h). A thread does a butterfly with all its values in registers,
// and what is between passes is in shared memory. GPUs only.
//
// The results of a pass lie in rows of one butterfly each. The odd length of these rows spreads
// both what the pass writes (a row apart) and what the next pass reads (neighbours) over the banks
// of shared memory.

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using lowering::FourierRadices;
using lowering::Transform;

namespace {

bool Accepts(const LoweredKernel& kernel) { return kernel.As<Transform>().IsLine(); }

int64_t ElementBytes(const LoweredKernel& kernel) {
  return hlo::StorageBytes(kernel.As<Transform>().instruction->shape.element_type());
}

// Returns how many lines lie side by side: neighbouring columns (axis q) if there are any, or lines
// of the batch.
bool TakesColumns(const LoweredKernel& kernel) { return kernel.axes[0].extent > 1; }
int64_t LinesAlong(const LoweredKernel& kernel) {
  return kernel.axes[TakesColumns(kernel) ? 0 : 3].extent;
}

int64_t GroupThreads(const LoweredKernel& kernel) {
  return std::min<int64_t>(kernel.device.max_threads_per_group, kernel.device.max_group[0]);
}

// Returns the largest number of threads that divides a pass's butterflies.
int64_t ThreadsOf(int64_t butterflies, int64_t threads) {
  int64_t most = std::min(butterflies, threads);
  while (butterflies % most != 0) --most;
  return most;
}

// The defaults of a workgroup: enough threads to hide latencies, and little enough shared memory
// that other groups fit beside it.
constexpr int64_t kWantedThreads = 256, kGroupsAtOnce = 4;

int64_t DefaultLines(const LoweredKernel& kernel, const std::vector<int64_t>& radices) {
  const int64_t butterflies = kernel.As<Transform>().radix / radices.front();
  const int64_t available = LinesAlong(kernel), bytes = ElementBytes(kernel);
  int64_t lines = TakesColumns(kernel) ? lowering::FewestLines(available) : 1;
  while (2 * lines <= available && 2 * lines * butterflies <= kWantedThreads &&
         kGroupsAtOnce * lowering::FourierLineBytes(radices, 2 * lines, bytes) <=
             kernel.device.max_shared_bytes) {
    lines *= 2;
  }
  return lines;
}

Schedule Defaults(const LoweredKernel& kernel) {
  const int64_t n = kernel.As<Transform>().radix;
  const std::vector<int64_t> radices = FourierRadices(n);
  const int64_t lines = DefaultLines(kernel, radices);
  int64_t threads = 1;
  const int64_t most = std::max<int64_t>(1, std::min(GroupThreads(kernel), kWantedThreads) / lines);
  while (2 * threads <= most && threads < n / radices.front()) threads *= 2;
  return Schedule(kFourierLine.name)
      .Set("radix", lowering::kMaxRadix)
      .Set("lines", lines)
      .Set("threads", threads);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Schedule defaults = Defaults(kernel);
  const int64_t n = kernel.As<Transform>().radix;
  std::vector<int64_t> radices;
  for (const int64_t largest : {4, 8, 16}) {
    if (!FourierRadices(n, largest).empty()) radices.push_back(largest);
  }
  return {{"radix", radices},
          {"lines", Choices({1, 2, 4, 8, 16, 32}, LinesAlong(kernel), defaults.Get("lines"))},
          {"threads", PowersOfTwo(1, GpuThreads(kernel, n))}};
}

struct Loops {
  int64_t threads, lines;
  bool columns;
};

// `func` over u: `inner` loops unrolled in each thread, threads along u and along the lines, around
// them the `outer` loops.
// Returns the loop in which a thread does one butterfly.
Var MapButterflies(Func& func, const std::vector<Var>& inner, const Var& u, const Var& line,
                   const std::vector<Var>& outer, int64_t butterflies, const Loops& loops) {
  const Var step("step"), thread("thread");
  func.split(u, step, thread, static_cast<int>(ThreadsOf(butterflies, loops.threads)),
             Halide::TailStrategy::RoundUp);
  std::vector<VarOrRVar> order(inner.begin(), inner.end());
  const Var &x = loops.columns ? line : thread, &y = loops.columns ? thread : line;
  for (const Var& var : {step, x, y}) order.emplace_back(var);
  order.insert(order.end(), outer.begin(), outer.end());
  func.reorder(order).gpu_threads(x, y);
  for (const Var& var : inner) func.unroll(var);
  return step;
}

void ScheduleStages(Transform::Pass& pass, Func& consumer, const Var& step) {
  for (Func& stage : pass.stage_funcs) stage.compute_at(consumer, step);
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  Loops loops = {schedule.Get("threads"), schedule.Get("lines"), TakesColumns(kernel)};
  const int64_t available = LinesAlong(kernel);
  kernel.BuildFourierLine(FourierRadices(kernel.As<Transform>().radix, schedule.Get("radix")));
  Transform& transform = kernel.As<Transform>();
  Func& out = kernel.output;
  // (part, q, u, k, b)
  const Var part = kernel.axes[0].var, q = kernel.axes[1].var, k = kernel.axes[3].var;
  const Var b = kernel.axes[4].var, u = kernel.axes[2].var;
  const Var along = loops.columns ? q : b, other = loops.columns ? b : q;
  const Var group("group"), line("line"), block("block");
  out.split(along, group, line, static_cast<int>(loops.lines),
            Tail(kernel, available, loops.lines));
  const Var step = MapButterflies(out, {part, k}, u, line, {group, other},
                                  transform.passes.back().butterflies, loops);
  out.fuse(group, other, block);
  const int64_t groups = (available + loops.lines - 1) / loops.lines;
  GpuBlocks(kernel, out, block, groups * kernel.axes[loops.columns ? 4 : 1].extent);
  ScheduleStages(transform.passes.back(), out, step);
  for (size_t p = 0; p + 1 < transform.passes.size(); ++p) {
    Transform::Pass& pass = transform.passes[p];
    Func& stored = pass.stored;
    const std::vector<Var> args = stored.args();  // k, u, q, b
    const Var lines = args[loops.columns ? 2 : 3], rest = args[loops.columns ? 3 : 2];
    stored.compute_at(out, block)
        .store_in(MemoryType::GPUShared)
        .bound(args[0], 0, static_cast<int>(pass.radix))
        .bound(args[1], 0, static_cast<int>(pass.butterflies))
        .bound_extent(lines, static_cast<int>(loops.lines))
        .align_storage(args[0], static_cast<int>(pass.radix | 1));
    if (loops.columns) stored.reorder_storage({args[2], args[0], args[1], args[3]});
    const Var at =
        MapButterflies(stored, {args[0]}, args[1], lines, {rest}, pass.butterflies, loops);
    ScheduleStages(pass, stored, at);
  }
}

}  // namespace

const Template kFourierLineOnGpu = {.id = kFourierLine,
                                    .forms = SetOfForms<Transform>(),
                                    .device = DeviceClass::kGpu,
                                    .accepts = Accepts,
                                    .defaults = Defaults,
                                    .space = Space,
                                    .apply = Apply};

}  // namespace halyard::schedules
