// elementwise: no hero; every output element is computed on its own.
//
// CPU: the fastest axis is in vectors, with `grain` elements to a task. Transposes use square
// tiles, so that cache lines and pages of both sides are used whole. A tile consists of `block` by
// `block` elements that are loaded as rows, transposed in registers, and stored as rows. GPUs:
// gpu.cc.

#include "schedules/elementwise/template.h"

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

namespace {

// The number of elements that make a task worthwhile: about 20 µs.
int64_t DefaultGrain(const LoweredKernel& kernel) {
  const int64_t cost = 1 + kernel.op_count / 4;
  int64_t grain = 1024;
  while (grain * cost < 65536) grain *= 2;
  return grain;
}

// Large tiles use whole pages, but each core needs several bands of them.
int64_t DefaultTile(const LoweredKernel& kernel) {
  constexpr int64_t kLarge = 128, kSmall = 64;
  const int64_t others = Product(kernel.axes) / std::max<int64_t>(1, kernel.axes[0].extent);
  const int64_t units = runtime::UnitsOf(kernel.device);
  return others / kLarge >= 4 * units ? kLarge : kSmall;
}

// The most words that a kernel's random bits have in a block. They are neighbours, so that wider
// vectors compute a block once (lowering/plan/expand/random.cc).
int64_t WordsOfBlocks(const LoweredKernel& kernel) {
  int64_t words = 1;
  for (const auto& inst : kernel.module->entry()->instructions()) {
    if (inst->opcode == hlo::Opcode::kThreefryBlock) words = std::max<int64_t>(words, 2);
    if (inst->opcode == hlo::Opcode::kPhiloxBlock) words = std::max<int64_t>(words, 4);
  }
  return words;
}

Schedule Defaults(const LoweredKernel& kernel) {
  Schedule schedule(kElementwise.name);
  schedule.Set("vec", VectorLanes(kernel) * WordsOfBlocks(kernel))
      .Set("grain", DefaultGrain(kernel));
  if (kernel.transposed_axis > 0)
    schedule.Set("tile", DefaultTile(kernel))
        .Set("block", std::min<int64_t>(8, VectorLanes(kernel)));
  return schedule;
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Schedule defaults = Defaults(kernel);
  std::vector<Knob> knobs = {
      {"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))},
      {"grain", Choices(PowersOfTwo(1024, 1 << 20), 1 << 20, defaults.Get("grain"))}};
  if (kernel.transposed_axis > 0) {
    knobs.push_back({"tile", {8, 16, 32, 64, 128, 256}});
    knobs.push_back({"block", {0, 4, 8, 16}});  // 0: read directly
  }
  return knobs;
}

// An input whose fastest dimension runs along the transposed axis wherever it is read.
struct TransposedInput {
  Halide::Func func;
  int fast_dim = -1;  // its dimension along the output's axis 0; -1: not read so
};

// Reads of `input` in the output that are all of one place, with axis `other` along its first
// dimension and axis 0 along another.
TransposedInput FindTransposedInput(const LoweredKernel& kernel, const Halide::Func& input) {
  class Finder : public Halide::Internal::IRGraphVisitor {
   public:
    Finder(std::string name, std::string fast, std::string other)
        : name_(std::move(name)), fast_(std::move(fast)), other_(std::move(other)) {}
    int fast_dim = -1;
    bool fits = true;

   private:
    using IRGraphVisitor::visit;
    void visit(const Halide::Internal::Call* call) override {
      IRGraphVisitor::visit(call);
      if (call->name != name_) return;
      int dim = -1;
      for (int d = 0; d < static_cast<int>(call->args.size()); ++d) {
        const auto* variable = call->args[d].as<Halide::Internal::Variable>();
        const bool is_fast = variable != nullptr && variable->name == fast_;
        const bool is_other = variable != nullptr && variable->name == other_;
        if (is_fast) dim = d;
        const bool free = !is_fast && !is_other &&
                          (Halide::Internal::expr_uses_var(call->args[d], fast_) ||
                           Halide::Internal::expr_uses_var(call->args[d], other_));
        fits &= !free && is_other == (d == 0);
      }
      fits &= dim > 0 && (fast_dim < 0 || fast_dim == dim);
      fast_dim = dim;
    }
    const std::string name_, fast_, other_;
  };
  Finder finder(input.name(), kernel.axes[0].var.name(),
                kernel.axes[kernel.transposed_axis].var.name());
  for (const Halide::Expr& e : kernel.output.function().values()) e.accept(&finder);
  return {input, finder.fits ? finder.fast_dim : -1};
}

// The blocks of transposed inputs as rows of `block` elements, stored so that their columns are
// rows: what is unrolled here becomes shuffles of vectors.
void StageBlocks(LoweredKernel& kernel, const Var& at, int block) {
  for (Halide::ImageParam& input : kernel.inputs) {
    const TransposedInput found = FindTransposedInput(kernel, Halide::Func(input));
    if (found.fast_dim < 0) continue;
    Halide::Func rows = input.in(kernel.output);
    const std::vector<Var> args = rows.args();
    const Var along = args[0], across = args[found.fast_dim];
    std::vector<Var> storage = {across, along};
    for (const Var& arg : args) {
      if (arg.name() != along.name() && arg.name() != across.name()) storage.push_back(arg);
    }
    rows.compute_at(kernel.output, at)
        .reorder_storage(storage)
        .bound_extent(along, block)
        .bound_extent(across, block)
        .vectorize(along)
        .unroll(across);
  }
}

void ApplyTransposed(LoweredKernel& kernel, const Schedule& schedule) {
  Halide::Func& out = kernel.output;
  const Axis &fast = kernel.axes[0], &other = kernel.axes[kernel.transposed_axis];
  const int64_t least = std::min(fast.extent, other.extent);
  int64_t tile = schedule.Get("tile"), block = schedule.Get("block");
  while (tile > least && tile > 1) tile /= 2;
  // Blocks must be whole, because the kernel must not load beyond the end of an input.
  const bool whole = !kernel.in_place || (fast.extent % tile == 0 && other.extent % tile == 0);
  const bool staged = block > 1 && block <= tile && whole;
  if (!staged) block = tile;
  Var fo("fo"), ft("ft"), fm("fm"), fi("fi"), oo("oo"), ot("ot"), om("om"), oi("oi");
  const int tile_size = static_cast<int>(tile), block_size = static_cast<int>(block);
  out.split(fast.var, fo, ft, tile_size, Tail(kernel, fast.extent, tile))
      .split(ft, fm, fi, block_size, Halide::TailStrategy::RoundUp)
      .split(other.var, oo, ot, tile_size, Tail(kernel, other.extent, tile))
      .split(ot, om, oi, block_size, Halide::TailStrategy::RoundUp);
  std::vector<Halide::VarOrRVar> order = {fi, oi, fm, om, fo, oo};
  std::vector<Var> outer = {oo};
  for (size_t a = 1; a < kernel.axes.size(); ++a) {
    if (static_cast<int>(a) == kernel.transposed_axis) continue;
    order.push_back(kernel.axes[a].var);
    outer.push_back(kernel.axes[a].var);
  }
  out.reorder(order);
  if (block >= 4) out.vectorize(fi);
  if (staged) {
    out.unroll(oi);
    StageBlocks(kernel, fm, block_size);
  }
  const int64_t steps = Product(kernel.axes) / std::max<int64_t>(1, fast.extent * tile);
  if (Product(kernel.axes) > schedule.Get("grain")) {
    ParallelOuter(
        out, outer, std::max<int64_t>(2, steps),
        std::max<int64_t>(1, schedule.Get("grain") / std::max<int64_t>(1, fast.extent * tile)));
  }
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  kernel.BuildOutput();
  Halide::Func& out = kernel.output;
  if (kernel.axes.empty()) return;
  if (kernel.transposed_axis > 0) return ApplyTransposed(kernel, schedule);

  const int64_t vec = schedule.Get("vec"), grain = schedule.Get("grain"),
                total = Product(kernel.axes);
  // Short rows are joined until they fill a vector.
  Var row = kernel.axes[0].var;
  int64_t extent = kernel.axes[0].extent;
  size_t next = 1;
  while (extent < 2 * vec && next < kernel.axes.size()) {
    Var fused(UniqueName("row"));
    out.fuse(row, kernel.axes[next].var, fused);
    row = fused;
    extent *= kernel.axes[next++].extent;
  }
  std::vector<Var> outer;
  for (size_t a = next; a < kernel.axes.size(); ++a) outer.push_back(kernel.axes[a].var);
  const bool parallel = total > grain;
  if (parallel && extent >= 2 * grain) {
    Var chunk("chunk"), inner("inner");
    const Halide::TailStrategy tail = Tail(kernel, extent, grain);
    out.split(row, chunk, inner, static_cast<int>(grain), tail);
    // A chunk consists of whole vectors unless its end is guarded.
    if (vec > 1)
      out.vectorize(
          inner, static_cast<int>(vec),
          tail == Halide::TailStrategy::GuardWithIf ? tail : Halide::TailStrategy::RoundUp);
    outer.insert(outer.begin(), chunk);
    ParallelOuter(out, outer, total / grain, 1);
    return;
  }
  if (vec > 1 && extent >= vec)
    out.vectorize(row, static_cast<int>(vec), Tail(kernel, extent, vec));
  if (parallel)
    ParallelOuter(out, outer, total / std::max<int64_t>(1, extent),
                  std::max<int64_t>(1, grain / std::max<int64_t>(1, extent)));
}

}  // namespace

const Template kElementwiseOnX86 = {.id = kElementwise,
                                    .forms = SetOfForms<lowering::Elementwise>(),
                                    .device = DeviceClass::kX86,
                                    .defaults = Defaults,
                                    .space = Space,
                                    .apply = Apply};
const Template kElementwiseOnGpu = {.id = kElementwise,
                                    .forms = SetOfForms<lowering::Elementwise>(),
                                    .device = DeviceClass::kGpu,
                                    .defaults = GpuElementwiseDefaults,
                                    .space = GpuElementwiseSpace,
                                    .apply = ApplyGpuElementwise};

}  // namespace halyard::schedules
