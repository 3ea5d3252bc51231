// contraction_thin: products of a matrix and a few rows (one: a matrix and a vector), which memory
// bounds. Every thread reads pieces of 16 bytes of the matrix, each once, and multiplies them with
// the rows:
//
// - If neighbours along k are neighbours in memory, the threads of a row of the matrix (`lanes`)
//   read it side by side. A thread has a sum for each element of a piece.
// - If neighbours along the result are, `group_n` threads read a row of memory side by side, and
//   `lanes` of them share the terms.
//
// `unroll_k` pieces are under way at once. The sums of the lanes meet in shared memory, in an order
// that the knobs fix: `fans` values of lanes / fans lanes each, and then one. With `parts`, as many
// groups share the terms of an output, and a second kernel adds what they found, in order.

#include <algorithm>

#include "lowering/kernels/emitter.h"
#include "schedules/contraction/staged_choice.h"
#include "schedules/contraction/template.h"
#include "schedules/contraction/thin_choice.h"
#include "schedules/folds.h"
#include "schedules/loops.h"
#include "schedules/mma_product.h"
#include "schedules/registry.h"

namespace halyard::schedules {

namespace {

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }
Expr Constant(int64_t value) { return Expr(static_cast<int32_t>(value)); }

bool Accepts(const LoweredKernel& kernel) {
  Thin thin;
  return FindThin(kernel, &thin) &&
         RefusalOfThin(kernel, thin, DefaultThinShape(kernel, thin)) == nullptr;
}

// With more rows, a piece's products take longer than its way from memory. Tensor cores take more,
// and asynchronous copies need no registers for what is under way.
bool Prefers(const LoweredKernel& kernel) {
  constexpr int64_t kLeast = 4096;  // elements of the matrix
  Thin thin;
  if (!FindThin(kernel, &thin) || thin.k * thin.extent_n < kLeast || thin.k < 32) return false;
  Staging staging;
  if (FindStaging(kernel, &staging)) return thin.rows < kLeastStagedRows;
  MmaProduct product;
  const bool mma =
      FindMmaProduct(kernel, *kernel.heroes[0], kernel.device.cuda_capability, &product);
  return thin.rows <= (mma ? 8 : 16);
}

Schedule Defaults(const LoweredKernel& kernel) {
  Thin thin;
  FindThin(kernel, &thin);
  const ThinShape s = DefaultThinShape(kernel, thin);
  return Schedule(kContractionThin.name)
      .Set("tile_n", s.tile_n)
      .Set("tile_m", s.tile_m)
      .Set("group_n", s.group_n)
      .Set("lanes", s.lanes)
      .Set("parts", s.parts)
      .Set("unroll_k", s.unroll_k);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  Thin thin;
  FindThin(kernel, &thin);
  const ThinShape s = DefaultThinShape(kernel, thin);
  const int64_t threads = GpuThreads(kernel, 1024);
  const std::vector<int64_t> tiles =
      thin.along_k ? std::vector<int64_t>{1, 2, 4, 8} : std::vector<int64_t>{thin.piece};
  return {{"tile_n", Choices(tiles, thin.extent_n, s.tile_n)},
          {"tile_m", Choices({1, 2, 3, 4, 6, 8, 12, 16}, thin.extent_m, s.tile_m)},
          {"group_n", Choices(PowersOfTwo(1, 32), threads, s.group_n)},
          {"lanes", Choices(PowersOfTwo(4, 256), threads, s.lanes)},
          {"parts", Choices(PowersOfTwo(1, 64), thin.k, s.parts)},
          {"unroll_k", {1, 2, 4, 8}}};
}

class ThinBuilder {
 public:
  ThinBuilder(LoweredKernel& kernel, const Schedule& schedule)
      : kernel_(kernel), hero_(*kernel.heroes[0]) {
    FindThin(kernel, &thin_);
    shape_ = {schedule.Get("tile_n"), schedule.Get("tile_m"), schedule.Get("group_n"),
              schedule.Get("lanes"),  schedule.Get("parts"),  schedule.Get("unroll_k")};
    if (const char* refusal = RefusalOfThin(kernel, thin_, shape_))
      throw lowering::LimitError(refusal);
    fans_ = shape_.fans();
  }

  void Build() {
    DefineSums();
    DefineTotal();
    const Var thread = MapTarget();
    ScheduleShared(thread);
    ScheduleSums();
    // Buffers begin at multiples of 64 bytes (DeviceInfo::buffer_alignment).
    for (Halide::ImageParam& input : kernel_.inputs) input.set_host_alignment(Thin::kPieceBytes);
  }

 private:
  Var N() const { return hero_.axes[thin_.n].var; }
  Indices With(const Expr& first) const {
    Indices args = outer_;
    args.insert(args.begin(), first);
    return args;
  }
  std::vector<Value> Join(const Func& func, const Expr& begin, int64_t stride, int64_t count,
                          const Indices& rest) const {
    std::vector<std::vector<Value>> leaves;
    for (int64_t i = 0; i < count; ++i) {
      Indices args = rest;
      args.insert(args.begin(), begin + Constant(i * stride));
      leaves.push_back(kernel_.FromStorageExprs(hero_.types, {Expr(func(args))}));
    }
    return JoinTree(hero_, std::move(leaves));
  }
  Expr Joined(const Func& func, const Expr& begin, int64_t stride, int64_t count,
              const Indices& rest) const {
    return kernel_.ToStorageExprs(Join(func, begin, stride, count, rest))[0];
  }

  void DefineSums();
  void DefineTotal();
  Var MapTarget();
  void ScheduleShared(const Var& block);
  void ScheduleSums();

  LoweredKernel& kernel_;
  Hero& hero_;
  Thin thin_;
  ThinShape shape_;
  int64_t fans_ = 1;
  const Var sub_{"sub"}, lane_{"lane"}, fan_{"fan"}, part_{"part"};
  const Var lane_block_{"nt"}, own_{"ni"};
  Indices outer_;  // the axes, and the part
  RVar step_;
  Func sums_;    // ([sub], lane, axes…, [part]): of a thread
  Func stored_;  // (lane, axes…, [part])
  Func joined_;  // (fan, axes…, [part])
  Func total_;   // (axes…, [part])
  Func target_;  // what groups compute: the output, or the parts of the sums
};

void ThinBuilder::DefineSums() {
  const Indices axes = lowering::VarsOf(hero_.axes);
  outer_ = axes;
  if (shape_.parts > 1) outer_.push_back(part_);
  Indices vars = With(lane_);
  if (thin_.along_k) vars.insert(vars.begin(), sub_);
  const int64_t unit = thin_.along_k ? thin_.piece : 1;
  const int64_t span = ThinSpan(thin_, shape_), steps = ThinSteps(thin_, shape_);
  RDom domain(0, static_cast<int32_t>(steps), "step");
  step_ = domain.x;
  Expr place = Expr(step_) * Constant(span) + lane_ * Constant(unit);
  if (shape_.parts > 1) place = place + part_ * Constant(steps * span);
  Expr inside;
  if (steps * span * shape_.parts != thin_.k) {
    inside = place < Constant(thin_.k);
    place = Halide::min(place, Constant(thin_.k - unit));
  }
  const Indices r =
      SplitIndex(place, thin_.along_k ? Expr(sub_) : Expr(0), unit, hero_.reduce_extents);
  sums_ = Func("sums");
  sums_(vars) = kernel_.ToStorageExprs(hero_.identity)[0];
  const std::vector<Value> before = kernel_.FromStorageExprs(hero_.types, {Expr(sums_(vars))});
  std::vector<Value> after =
      LoweredKernel::OverDomain({Expr(step_)}, before, hero_.combine(before, hero_.term(axes, r)));
  if (inside.defined()) after[0] = lowering::SelectValue(inside, after[0], before[0]);
  sums_(vars) = kernel_.ToStorageExprs(after)[0];
}

void ThinBuilder::DefineTotal() {
  stored_ = Func("stored");
  stored_(With(lane_)) = thin_.along_k ? Joined(sums_, Expr(0), 1, thin_.piece, With(lane_))
                                       : Expr(sums_(With(lane_)));
  joined_ = Func("joined");
  joined_(With(fan_)) = Joined(stored_, Expr(fan_), fans_, shape_.lanes / fans_, outer_);
  total_ = Func("total");
  std::vector<Var> vars;
  for (const Axis& axis : hero_.axes) vars.push_back(axis.var);
  if (shape_.parts > 1) vars.push_back(part_);
  total_(vars) = Joined(joined_, Expr(0), 1, fans_, outer_);
  hero_.result = total_;
  if (shape_.parts > 1) {
    target_ = DefineParts(kernel_, hero_, total_, shape_.parts);
    return;
  }
  hero_.read = [total = total_](const Indices& index) {
    return std::vector<Expr>{Expr(total(index))};
  };
  kernel_.BuildOutput();
  target_ = kernel_.output;
}

// Returns the loop over groups.
Var ThinBuilder::MapTarget() {
  std::vector<Axis> axes = shape_.parts > 1 ? hero_.axes : kernel_.axes;
  if (shape_.parts > 1) {
    axes.push_back({part_, shape_.parts});
    for (const Axis& axis : axes) target_.bound(axis.var, 0, static_cast<int>(axis.extent));
    target_.compute_root();
    GpuElementPerThread(kernel_, kernel_.output, kernel_.axes,
                        GpuThreads(kernel_, Thin::kGroupThreads));
  }
  Var nb("nb"), in_n("in_n"), mb("mb"), in_m("in_m");
  target_
      .split(axes[thin_.n].var, nb, in_n, static_cast<int>(shape_.block_n()),
             WholeOrShifted(thin_.extent_n, shape_.block_n()))
      .split(in_n, lane_block_, own_, static_cast<int>(shape_.tile_n), TailStrategy::RoundUp);
  // A group has as many threads along each dimension as its largest loop.
  const Var x = thin_.along_k ? own_ : lane_block_, y = thin_.along_k ? lane_block_ : own_;
  std::vector<VarOrRVar> order = {x, y, nb};
  std::vector<Var> outer = {nb};
  int64_t groups = DivideUp(thin_.extent_n, shape_.block_n());
  if (thin_.m >= 0) {
    target_.split(axes[thin_.m].var, mb, in_m, static_cast<int>(shape_.tile_m),
                  WholeOrShifted(thin_.extent_m, shape_.tile_m));
    // Groups side by side read the same part of the matrix.
    order = {in_m, x, y, mb, nb};
    outer = {mb, nb};
    groups *= DivideUp(thin_.extent_m, shape_.tile_m);
  }
  for (size_t a = 0; a < axes.size(); ++a) {
    if (static_cast<int>(a) == thin_.n || static_cast<int>(a) == thin_.m) continue;
    order.push_back(axes[a].var);
    outer.push_back(axes[a].var);
    groups *= axes[a].extent;
  }
  target_.reorder(order).gpu_threads(x, y);
  const Var block = FuseVars(target_, outer);
  GpuBlocks(kernel_, target_, block, groups);
  return block;
}

// What lanes found, in shared memory. Neighbouring threads are those that read neighbours.
void ThinBuilder::ScheduleShared(const Var& block) {
  stored_.compute_at(target_, block)
      .store_in(MemoryType::GPUShared)
      .bound(lane_, 0, static_cast<int32_t>(shape_.lanes))
      .split(N(), lane_block_, own_, static_cast<int>(shape_.tile_n), TailStrategy::RoundUp);
  std::vector<VarOrRVar> order = {own_};
  if (thin_.m >= 0) order.push_back(hero_.axes[thin_.m].var);
  if (thin_.along_k) {
    order.insert(order.end(), {lane_, lane_block_});
    stored_.reorder(order).unroll(own_).gpu_threads(lane_, lane_block_);
    stored_.align_storage(lane_, static_cast<int>(shape_.lanes + 8));
  } else {
    order.insert(order.end(), {lane_block_, lane_});
    stored_.reorder(order).vectorize(own_).gpu_threads(lane_block_, lane_);
    stored_.reorder_storage(N(), lane_);
  }
  if (thin_.m >= 0) stored_.unroll(hero_.axes[thin_.m].var);
  joined_.compute_at(target_, block)
      .store_in(MemoryType::GPUShared)
      .bound(fan_, 0, static_cast<int32_t>(fans_))
      .split(N(), lane_block_, own_, static_cast<int>(shape_.tile_n), TailStrategy::RoundUp)
      .reorder_storage(N(), fan_);
  const Var both("both");
  if (thin_.along_k) {
    joined_.fuse(fan_, own_, both).reorder(both, lane_block_).gpu_threads(both, lane_block_);
  } else {
    joined_.fuse(own_, fan_, both).reorder(lane_block_, both).gpu_threads(lane_block_, both);
  }
}

void ThinBuilder::ScheduleSums() {
  sums_.compute_at(stored_, thin_.along_k ? lane_ : lane_block_);
  Halide::Stage update = sums_.update();
  RVar outside("ko"), inside("ki");
  std::vector<VarOrRVar> order = {N()};
  if (thin_.along_k) order.insert(order.begin(), sub_);
  if (thin_.m >= 0) order.push_back(hero_.axes[thin_.m].var);
  update.split(step_, outside, inside, static_cast<int>(shape_.unroll_k));
  order.insert(order.end(), {inside, outside});
  update.reorder(order).unroll(inside);
  if (thin_.along_k) {
    sums_.bound(sub_, 0, static_cast<int32_t>(thin_.piece)).vectorize(sub_).unroll(N());
    update.vectorize(sub_).unroll(N());
  } else {
    const int piece = static_cast<int>(thin_.piece);
    sums_.vectorize(N(), piece, TailStrategy::RoundUp);
    update.vectorize(N(), piece, TailStrategy::RoundUp);
  }
  if (thin_.m < 0) return;
  sums_.unroll(hero_.axes[thin_.m].var);
  update.unroll(hero_.axes[thin_.m].var);
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  ThinBuilder(kernel, schedule).Build();
}

}  // namespace

const Template kContractionThinOnCuda = {.id = kContractionThin,
                                         .forms = SetOfForms<lowering::SingleFold>(),
                                         .device = DeviceClass::kCuda,
                                         .accepts = Accepts,
                                         .defaults = Defaults,
                                         .space = Space,
                                         .apply = Apply,
                                         .prefers = Prefers,
                                         .caps_registers = true};

}  // namespace halyard::schedules
