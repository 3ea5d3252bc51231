// contraction on GPUs through shared memory (step_k > 0): the blocks of shared_block.h. A loop over
// a convolution's window is around the steps, so that the convolution is an implicit matrix product
// whose input is padded while it is copied. With `parts`, the sum is cut into so many pieces, whose
// results a second kernel adds in a fixed order.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/emitter.h"
#include "schedules/contraction/shared_block.h"
#include "schedules/contraction/template.h"
#include "schedules/loops.h"

namespace halyard::schedules {

namespace {

struct Shape : SharedBlock {
  int64_t parts = 1;
};

int64_t AccumulatorBytes(const Hero& hero) { return std::max(4, hlo::StorageBytes(hero.types[0])); }

// The elements that a thread copies to shared memory in a step.
int64_t Copied(const Shape& shape) {
  return ((shape.block_n() + shape.block_m()) * shape.step_k + shape.threads() - 1) /
         shape.threads();
}
constexpr int64_t kMostCopied = 8;  // 32-bit words, of a default

// Accumulators, a row and a column of factors, the next step's copies, and addresses.
int64_t Registers(const Hero& hero, const Shape& shape) {
  const int64_t words = AccumulatorBytes(hero) / 4;
  return words * (shape.tile_n * shape.tile_m + shape.tile_n + shape.tile_m + Copied(shape)) + 32;
}

// Returns why the shape cannot be used on the device, or "".
std::string Refusal(const LoweredKernel& kernel, const Shape& shape) {
  const Hero& hero = *kernel.heroes[0];
  const runtime::DeviceInfo& device = kernel.device;
  if (shape.block_n() > hero.axes[0].extent || shape.block_m() > ExtentM(hero)) {
    return absl::StrCat("a block of ", shape.block_n(), "x", shape.block_m(),
                        " is larger than the result");
  }
  const std::string refusal = RefusalOf(shape, device);
  if (!refusal.empty()) return refusal;
  const int64_t most =
      device.max_thread_registers != 0 ? std::min<int64_t>(device.max_thread_registers, 255) : 255;
  if (Registers(hero, shape) > most) {
    return absl::StrCat("some ", Registers(hero, shape), " registers of a thread; the device has ",
                        most);
  }
  if (device.max_group_registers != 0 &&
      Registers(hero, shape) * shape.threads() > device.max_group_registers) {
    return "more registers than a group of the device has";
  }
  return "";
}

int64_t Blocks(const Hero& hero, const Shape& shape) {
  const int64_t n = hero.axes[0].extent, m = ExtentM(hero);
  return ((n + shape.block_n() - 1) / shape.block_n()) *
         ((m + shape.block_m() - 1) / shape.block_m()) * (Product(hero.axes) / (n * m));
}

// Returns the most pieces into which the sum may be cut, each of 256 terms or more.
int64_t MostParts(const Hero& hero, const Shape& shape) {
  if (hero.reduce_extents.size() != 1 || hero.reduce_extents[0] % shape.step_k != 0) return 1;
  const int64_t steps = hero.reduce_extents[0] / shape.step_k;
  int64_t parts = 1;
  while (parts < 64 && steps % (parts * 2) == 0 && steps / (parts * 2) * shape.step_k >= 256) {
    parts *= 2;
  }
  return parts;
}

int64_t StepK(const Hero& hero) {
  const int64_t k = hero.reduce_extents[0];
  for (int64_t step : {8, 4}) {
    if (k >= step && (k % step == 0 || step == 4 || k >= 16 * step)) return step;
  }
  return k;
}

// A second slot saves a barrier a step, and stores wait less for loads. It was measured on CUDA
// devices alone.
int64_t DefaultSlots(const LoweredKernel& kernel) {
  return kernel.device.kind == runtime::DeviceKind::kCuda && !kernel.device.software ? 2 : 1;
}

// The largest square-ish block of those that keep the device's units busy, of 8×8 outputs a thread
// where that leaves a subgroup or more of threads.
bool FindDefault(const LoweredKernel& kernel, Shape* best) {
  const Hero& hero = *kernel.heroes[0];
  if (hero.reduce_extents.empty() || ExtentM(hero) == 1) return false;
  const int64_t words = AccumulatorBytes(hero) / 4;
  const int64_t units = runtime::UnitsOf(kernel.device);
  // Narrower factors are converted on their way, which takes registers.
  bool narrow = false;
  for (const hlo::Instruction* factor : hero.instruction->operands)
    narrow |= hlo::BitWidth(factor->shape.element_type()) < 32;
  const int64_t most_n = narrow ? 4 : 8;
  bool found = false;
  for (int64_t block_n : {128, 64, 32, 16}) {
    for (int64_t block_m : {128, 64, 32, 16}) {
      Shape shape;
      shape.element_bytes = AccumulatorBytes(hero);
      shape.tile_n = std::min<int64_t>(most_n, block_n / 4) / words;
      shape.tile_m = std::min<int64_t>(8, block_m / 4);
      shape.group_n = block_n / shape.tile_n;
      shape.group_m = block_m / shape.tile_m;
      shape.step_k = StepK(hero);
      // At least a subgroup of threads, and few enough copies per thread that they stay in
      // registers.
      const int64_t least = std::max<int64_t>(32, kernel.device.subgroup_size);
      while (shape.threads() < least || words * Copied(shape) > kMostCopied) {
        if (shape.threads() * 2 > GpuThreads(kernel, 256)) break;
        const bool n = shape.tile_n * words >= shape.tile_m;
        (n ? shape.tile_n : shape.tile_m) /= 2;
        (n ? shape.group_n : shape.group_m) *= 2;
      }
      shape.slots = DefaultSlots(kernel);
      if (!Refusal(kernel, shape).empty()) shape.slots = 1;
      while (shape.step_k > 4 && !Refusal(kernel, shape).empty()) shape.step_k /= 2;
      if (!Refusal(kernel, shape).empty() || shape.threads() > 256) continue;
      // Larger blocks read less, but leaving half of the units idle is worse.
      auto rank = [&](const Shape& s) {
        const double reads =
            1.0 / static_cast<double>(s.block_n()) + 1.0 / static_cast<double>(s.block_m());
        const double covered = static_cast<double>(Blocks(hero, s) * s.block_n() * s.block_m());
        const int64_t groups = Blocks(hero, s) * MostParts(hero, s);
        const double wave = std::max(1.0, static_cast<double>(units) / static_cast<double>(groups));
        return (reads + 1.0 / 128) * covered * wave;
      };
      if (found && rank(shape) >= rank(*best)) continue;
      *best = shape;
      found = true;
    }
  }
  return found;
}

// Returns as many pieces of the sum as fill the units, if the blocks alone leave most of them idle.
int64_t DefaultParts(const LoweredKernel& kernel, const Shape& shape) {
  const Hero& hero = *kernel.heroes[0];
  int64_t parts = 1;
  while (parts * 2 <= MostParts(hero, shape) &&
         Blocks(hero, shape) * parts * 2 <= runtime::UnitsOf(kernel.device)) {
    parts *= 2;
  }
  return parts;
}

Shape ShapeOf(const Hero& hero, const Schedule& schedule) {
  Shape shape = {BlockOf(schedule), schedule.Get("parts")};
  shape.element_bytes = AccumulatorBytes(hero);
  shape.slots = schedule.Get("slots");
  return shape;
}

// One factor in shared memory: (its separate axis, r…, the other axes that it depends on, part).
struct Staged {
  Func func;
  int axis = 0;          // its own: n or m
  bool along_k = false;  // k is the fastest in memory, not the own axis
};

struct Definition {
  Func accumulator;  // (axes…, part)
  Func target;       // what the blocks compute: the output, or the parts of the sum
  Staged vector, broadcast;
  std::vector<RVar> r;  // of the update, fastest first
  Var part{"part"};
};

// Returns the factor's value at (separate axis, …); beyond the last term it is 0.
Staged DefineStaged(const Hero& hero, const Roles& roles, bool vector, int64_t step_k,
                    const Indices& axes, const Indices& r, std::vector<Value>* factors) {
  const int side = vector == roles.vector_is_rhs ? 1 : 0;
  const std::vector<bool>& depends = side == 1 ? hero.rhs_axes : hero.lhs_axes;
  Staged staged;
  staged.axis = vector ? 0 : roles.m;
  staged.along_k = (side == 1 ? hero.rhs_strides : hero.lhs_strides)[staged.axis] != 1;
  staged.func = Func(vector ? "shared_n" : "shared_m");
  Indices vars, args, term_axes(hero.axes.size(), Expr(0)), term_r;
  auto add = [&](const std::string& name, const Expr& arg) {
    const Var v(name);
    vars.push_back(v);
    args.push_back(arg);
    return Expr(v);
  };
  term_axes[staged.axis] = add("own", axes[staged.axis]);
  for (size_t i = 0; i < r.size(); ++i) term_r.push_back(add(absl::StrCat("k", i), r[i]));
  for (size_t a = 0; a < hero.axes.size(); ++a) {
    if (!depends[a] || static_cast<int>(a) == staged.axis) continue;
    term_axes[a] = add(absl::StrCat("other", a), axes[a]);
  }
  const Expr k = term_r[0], terms = static_cast<int32_t>(hero.reduce_extents[0]);
  if (hero.reduce_extents[0] % step_k != 0) term_r[0] = Halide::min(k, terms - 1);
  const hlo::ElementType type = hero.types[0];
  Value value = lowering::ConvertTo(hero.term(term_axes, term_r)[side], type);
  if (hero.reduce_extents[0] % step_k != 0) {
    value = lowering::SelectValue(k < terms, value, hero.identity[0]);
  }
  staged.func(vars) = StoreFactor(value);
  (*factors)[side] = LoadFactor(type, staged.func(args));
  return staged;
}

Definition Define(LoweredKernel& kernel, Hero& hero, const Roles& roles, const Shape& shape) {
  Definition d;
  const int64_t terms = hero.reduce_extents[0];
  const int64_t steps = (terms + shape.step_k - 1) / shape.step_k;
  std::vector<Halide::Range> ranges;
  for (int64_t extent : hero.reduce_extents) ranges.emplace_back(0, static_cast<int32_t>(extent));
  const int64_t part_terms = steps * shape.step_k / shape.parts;
  ranges[0] = Halide::Range(0, static_cast<int32_t>(part_terms));
  Halide::RDom domain(ranges, "r");
  Indices r, axes = lowering::VarsOf(hero.axes);
  for (size_t i = 0; i < ranges.size(); ++i) {
    d.r.push_back(domain[static_cast<int>(i)]);
    r.push_back(domain[static_cast<int>(i)]);
  }
  if (shape.parts > 1) r[0] = r[0] + d.part * static_cast<int32_t>(part_terms);
  std::vector<Value> factors(2);
  d.vector = DefineStaged(hero, roles, true, shape.step_k, axes, r, &factors);
  d.broadcast = DefineStaged(hero, roles, false, shape.step_k, axes, r, &factors);

  Indices vars = axes;
  if (shape.parts > 1) vars.push_back(d.part);
  d.accumulator = Func("acc");
  d.accumulator(vars) = Halide::Tuple(kernel.ToStorageExprs(hero.init()));
  const std::vector<Value> before =
      kernel.FromStorageExprs(hero.types, {Expr(d.accumulator(vars))});
  d.accumulator(vars) = Halide::Tuple(kernel.ToStorageExprs(hero.combine(before, factors)));
  hero.result = d.accumulator;
  if (shape.parts == 1) {
    hero.read = [acc = d.accumulator](const Indices& index) {
      return std::vector<Expr>{Expr(acc(index))};
    };
    kernel.BuildOutput();
    d.target = kernel.output;
    return d;
  }
  d.target = DefineParts(kernel, hero, d.accumulator, shape.parts);
  return d;
}

// The copy of a factor in a block's shared memory.
void ScheduleStaged(const Definition& d, const Staged& staged, const RVar& at, const Shape& shape) {
  const bool along_n = staged.axis == 0;
  SharedCopy copy = {staged.func, staged.func.args()[0], staged.func.args()[1],
                     along_n ? shape.block_n() : shape.block_m(), staged.along_k};
  if (!along_n) copy.func.align_storage(copy.own, static_cast<int>(shape.RowElements()));
  ScheduleCopy(copy, shape, d.accumulator, at);
}

void ScheduleBlocks(LoweredKernel& kernel, Definition& d, const Roles& roles, const Shape& shape) {
  Hero& hero = *kernel.heroes[0];
  const bool parts = shape.parts > 1;
  std::vector<Axis>& axes = parts ? hero.axes : kernel.axes;
  Func& target = d.target;
  const BlockVars v;
  Var nb("nb"), mb("mb"), in_n("in_n"), in_m("in_m");
  const Axis &n = axes[0], &m = axes[roles.m];
  target
      .split(n.var, nb, in_n, static_cast<int>(shape.block_n()),
             Tail(kernel, n.extent, shape.block_n()))
      .split(m.var, mb, in_m, static_cast<int>(shape.block_m()),
             Tail(kernel, m.extent, shape.block_m()));
  SplitBlock(target, shape, v, in_n, in_m, TailStrategy::RoundUp);
  std::vector<VarOrRVar> order = {v.nv, v.nq, v.mi, v.nth, v.mth, nb, mb};
  std::vector<Var> outer;
  for (size_t a = 1; a < axes.size(); ++a) {
    if (static_cast<int>(a) != roles.m) outer.push_back(axes[a].var);
  }
  if (parts) {
    outer.push_back(d.part);
    for (const Axis& axis : hero.axes) target.bound(axis.var, 0, static_cast<int>(axis.extent));
    target.bound(d.part, 0, static_cast<int>(shape.parts)).compute_root();
  }
  order.insert(order.end(), outer.begin(), outer.end());
  target.reorder(order).unroll(v.nq).unroll(v.mi).gpu_threads(v.nth, v.mth);
  // The parts of complex outputs lie between neighbours, so there are no vectors.
  if (kernel.complex_outputs && !parts) {
    target.unroll(v.nv);
  } else {
    target.vectorize(v.nv);
  }
  if (outer.empty()) {
    target.gpu_blocks(nb, mb);
  } else {
    const Var others = FuseVars(target, outer);
    target.gpu_blocks(nb, mb, others);
  }

  const RVar step =
      ScheduleSums(d.accumulator, shape, hero.axes[0].var, hero.axes[roles.m].var, d.r, target, nb);
  ScheduleStaged(d, d.vector, step, shape);
  ScheduleStaged(d, d.broadcast, step, shape);
}

}  // namespace

namespace {

// Two groups of 256 threads with 8×8 sums fit in a unit's registers if a thread has at most 128.
// Where a unit has but one group, that would only make it spill. Copies that compute more than a
// product's addresses would spill too.
bool CapsRegistersByDefault(const LoweredKernel& kernel, const Shape& shape) {
  const Hero& hero = *kernel.heroes[0];
  if (Blocks(hero, shape) * shape.parts <= runtime::UnitsOf(kernel.device)) return false;
  for (const hlo::Instruction* factor : hero.instruction->operands) {
    if (factor->shape.element_type() != hlo::ElementType::kF32) return false;
  }
  return shape.slots == 2 && shape.threads() == 256 && shape.tile_n * shape.tile_m == 64 &&
         hero.types[0] == hlo::ElementType::kF32 && hero.reduce_extents.size() == 1;
}

}  // namespace

bool SharedContractionDefaults(const LoweredKernel& kernel, Schedule* schedule) {
  Shape shape;
  if (kernel.device.software || !FindDefault(kernel, &shape)) return false;
  shape.parts = DefaultParts(kernel, shape);
  schedule->Set("tile_n", shape.tile_n)
      .Set("tile_m", shape.tile_m)
      .Set("group_n", shape.group_n)
      .Set("group_m", shape.group_m)
      .Set("step_k", shape.step_k)
      .Set("slots", shape.slots)
      .Set("parts", shape.parts);
  if (CapsRegistersByDefault(kernel, shape)) schedule->Set("registers", 128);
  return true;
}

void ApplySharedContraction(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  Roles roles;
  FindRoles(hero, &roles);
  const Shape shape = ShapeOf(hero, schedule);
  std::string refusal = Refusal(kernel, shape);
  const int64_t steps = (hero.reduce_extents[0] + shape.step_k - 1) / shape.step_k;
  if (shape.parts > 1 && steps % shape.parts != 0) refusal = "steps do not divide into parts";
  if (!refusal.empty()) throw lowering::LimitError(refusal);
  Definition d = Define(kernel, hero, roles, shape);
  ScheduleBlocks(kernel, d, roles, shape);
  if (shape.parts > 1) {
    GpuElementPerThread(kernel, kernel.output, kernel.axes, GpuThreads(kernel, 256));
  }
}

}  // namespace halyard::schedules
