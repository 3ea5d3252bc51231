// elementwise on GPUs.
//
// A thread computes `items` vectors of `vec` neighbours, and the vectors of neighbouring threads
// lie side by side. In transposes, tiles of what is read across pass through shared memory, whose
// lines are padded so that reading a tile's columns uses every bank.

#include <algorithm>
#include <map>

#include "schedules/elementwise/template.h"
#include "schedules/loops.h"

namespace halyard::schedules {

namespace {

constexpr int64_t kVectorBytes = 16;  // of one load
constexpr int64_t kTileThreads = 256;

int64_t LargestElement(const LoweredKernel& kernel) {
  int64_t bytes = 1;
  for (const Halide::ImageParam& input : kernel.inputs)
    bytes = std::max<int64_t>(bytes, input.type().bytes());
  for (const hlo::Shape& output : hlo::FlattenShape(kernel.module->entry()->root()->shape)) {
    if (hlo::IsComplex(output.element_type())) return kVectorBytes;
    bytes = std::max<int64_t>(bytes, hlo::StorageBytes(output.element_type()));
  }
  return bytes;
}

// Returns the elements of one load or store. Wide loads of the Vulkan backend of Halide are not
// worth it.
int64_t DefaultVector(const LoweredKernel& kernel) {
  if (kernel.device.kind != runtime::DeviceKind::kCuda || kernel.axes.empty()) return 1;
  int64_t vec = std::min<int64_t>(8, kVectorBytes / LargestElement(kernel));
  while (vec > 1 && kernel.axes[0].extent % vec != 0) vec /= 2;
  return vec;
}

bool IsTransposed(const LoweredKernel& kernel) {
  return kernel.transposed_axis > 0 && !kernel.in_place && kernel.axes[0].extent >= 8 &&
         kernel.axes[kernel.transposed_axis].extent >= 8 && LargestElement(kernel) <= 8;
}

// Returns whether `index` is `variable`, or the sum of it (with either sign) and a constant.
bool IsAffine(const Expr& index, const std::string& variable) {
  if (const auto* v = index.as<Halide::Internal::Variable>()) return v->name == variable;
  const auto constant = [](const Expr& e) { return Halide::Internal::as_const_int(e).has_value(); };
  if (const auto* add = index.as<Halide::Internal::Add>()) {
    return (IsAffine(add->a, variable) && constant(add->b)) ||
           (IsAffine(add->b, variable) && constant(add->a));
  }
  if (const auto* sub = index.as<Halide::Internal::Sub>()) {
    return (IsAffine(sub->a, variable) && constant(sub->b)) ||
           (IsAffine(sub->b, variable) && constant(sub->a));
  }
  return false;
}

bool IsLoad(const Halide::Internal::Call* call) {
  return call->call_type == Halide::Internal::Call::Halide ||
         call->call_type == Halide::Internal::Call::Image;
}

// Finds out whether an expression has a variable, and whether it has bytes of memory.
struct Uses : public Halide::Internal::IRGraphVisitor {
  Uses(const Expr& e, const std::string& name) : name(name) { e.accept(this); }
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Variable* v) override { variable |= v->name == name; }
  void visit(const Halide::Internal::Call* call) override {
    bytes |= IsLoad(call) && call->type.bytes() == 1;
    IRGraphVisitor::visit(call);
  }
  const std::string& name;
  bool variable = false, bytes = false;
};

// Finds bytes that other lanes of a vector along a variable take than are given them: loads of
// bytes that are not neighbours in order, and choices between bytes by their place.
struct BytePermutations : public Halide::Internal::IRGraphVisitor {
  explicit BytePermutations(const std::string& name) : name(name) {}
  // The index is the variable, or the sum of it and something else.
  bool InOrder(const Expr& index) const {
    if (const auto* v = index.as<Halide::Internal::Variable>()) return v->name == name;
    if (const auto* add = index.as<Halide::Internal::Add>()) {
      return (InOrder(add->a) && !Uses(add->b, name).variable) ||
             (InOrder(add->b) && !Uses(add->a, name).variable);
    }
    const auto* sub = index.as<Halide::Internal::Sub>();
    return sub != nullptr && InOrder(sub->a) && !Uses(sub->b, name).variable;
  }
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Call* call) override {
    for (size_t d = 0; IsLoad(call) && call->type.bytes() == 1 && d < call->args.size(); ++d) {
      const Expr& index = call->args[d];
      found |= Uses(index, name).variable && !(d == 0 && InOrder(index));
    }
    IRGraphVisitor::visit(call);
  }
  void visit(const Halide::Internal::Select* select) override {
    const Uses condition(select->condition, name);
    const bool bytes = select->type.bytes() == 1 || Uses(select->true_value, name).bytes ||
                       Uses(select->false_value, name).bytes;
    found |= bytes && condition.variable && !condition.bytes;
    IRGraphVisitor::visit(select);
  }
  const std::string& name;
  bool found = false;
};

// LLVM 20 makes instructions that permute bytes (`prmt`), and then fails to find their known bits:
// an assertion in APInt::extractBits.
bool PermutesBytes(const LoweredKernel& kernel) {
  const std::string name = kernel.axes[0].var.name();
  BytePermutations permutations(name);
  const Halide::Tuple values = kernel.output.values();
  for (const Expr& value : values.as_vector())
    Halide::Internal::substitute_in_all_lets(value).accept(&permutations);
  return permutations.found;
}

// An input from which a tile of the output reads a transposed tile.
struct Across {
  size_t input = 0;
  int column = 0;  // its dimension that runs along axis 0
};

// The inputs whose only read has the transposed axis along dimension 0.
std::vector<Across> FindAcross(const LoweredKernel& kernel) {
  class Reads : public Halide::Internal::IRGraphVisitor {
   public:
    std::map<std::string, std::vector<const Halide::Internal::Call*>> calls;

   private:
    using IRGraphVisitor::visit;
    void visit(const Halide::Internal::Call* call) override {
      if (IsLoad(call)) calls[call->name].push_back(call);
      IRGraphVisitor::visit(call);
    }
  };
  Reads reads;
  const Halide::Tuple values = kernel.output.values();
  for (const Expr& value : values.as_vector()) value.accept(&reads);
  const std::string across = kernel.axes[kernel.transposed_axis].var.name();
  const std::string along = kernel.axes[0].var.name();
  std::vector<Across> found;
  for (size_t i = 0; i < kernel.inputs.size(); ++i) {
    const Func function = kernel.inputs[i];
    auto calls = reads.calls.find(function.name());
    if (calls == reads.calls.end()) continue;
    const std::vector<Expr>& args = calls->second[0]->args;
    const bool one = std::all_of(
        calls->second.begin(), calls->second.end(), [&](const Halide::Internal::Call* call) {
          return std::equal(
              args.begin(), args.end(), call->args.begin(),
              [](const Expr& a, const Expr& b) { return Halide::Internal::equal(a, b); });
        });
    if (!one || args.empty() || !IsAffine(args[0], across)) continue;
    int column = -1;
    bool simple = true;
    for (size_t d = 1; d < args.size(); ++d) {
      if (IsAffine(args[d], along)) {
        simple = simple && column < 0;
        column = static_cast<int>(d);
        continue;
      }
      const bool other = Halide::Internal::is_const(args[d]) ||
                         std::any_of(kernel.axes.begin(), kernel.axes.end(), [&](const Axis& axis) {
                           return axis.var.name() != across && IsAffine(args[d], axis.var.name());
                         });
      simple = simple && other;
    }
    if (simple && column > 0) found.push_back({i, column});
  }
  return found;
}

void ApplyTransposed(LoweredKernel& kernel, int64_t tile, const std::vector<Across>& across) {
  Func& out = kernel.output;
  const Axis &fast = kernel.axes[0], &other = kernel.axes[kernel.transposed_axis];
  const int side = static_cast<int>(tile);
  const int rows = static_cast<int>(
      std::min(tile, std::max<int64_t>(1, GpuThreads(kernel, kTileThreads) / tile)));
  Var fo("fo"), fi("fi"), oo("oo"), oi("oi"), pass("pass"), row("row");
  out.split(fast.var, fo, fi, side, Tail(kernel, fast.extent, side))
      .split(other.var, oo, oi, side, Tail(kernel, other.extent, side))
      .split(oi, pass, row, rows);
  std::vector<VarOrRVar> order = {pass, fi, row, fo, oo};
  std::vector<Var> outer = {fo, oo};
  int64_t blocks = ((fast.extent + tile - 1) / tile) * ((other.extent + tile - 1) / tile);
  for (size_t a = 1; a < kernel.axes.size(); ++a) {
    if (static_cast<int>(a) == kernel.transposed_axis) continue;
    order.push_back(kernel.axes[a].var);
    outer.push_back(kernel.axes[a].var);
    blocks *= kernel.axes[a].extent;
  }
  out.reorder(order).unroll(pass).gpu_threads(fi, row);
  const Var block = FuseVars(out, outer);
  GpuBlocks(kernel, out, block, blocks);
  for (const Across& read : across) {
    Func staged = kernel.inputs[read.input].in(out);
    const std::vector<Var> dims = staged.args();
    Var staged_pass("pass"), staged_row("row");
    staged.compute_at(out, block)
        .store_in(Halide::MemoryType::GPUShared)
        .align_storage(dims[0], side + 1)
        .bound_extent(dims[0], side)
        .bound_extent(dims[read.column], side)
        .split(dims[read.column], staged_pass, staged_row, rows, TailStrategy::RoundUp)
        .reorder(staged_pass, dims[0], staged_row)
        .unroll(staged_pass)
        .gpu_threads(dims[0], staged_row);
  }
}

// Elements as they lie in memory.
void ApplyInOrder(LoweredKernel& kernel, const Schedule& schedule) {
  Func& out = kernel.output;
  int64_t vec = schedule.Get("vec");
  if (vec > 1 && kernel.device.kind == runtime::DeviceKind::kCuda && PermutesBytes(kernel)) vec = 1;
  int64_t items = schedule.Get("items");
  std::vector<Axis> axes = kernel.axes;
  std::vector<VarOrRVar> inner;
  if (axes[0].extent % vec == 0 && vec > 1) {
    Var vectors("vectors"), lane("lane");
    out.split(axes[0].var, vectors, lane, static_cast<int>(vec), TailStrategy::RoundUp)
        .vectorize(lane);
    axes[0] = {vectors, axes[0].extent / vec};
    inner.push_back(lane);
  }
  const auto [vars, rest, total] = SplitForGrid(axes);
  const int64_t threads = schedule.Get("threads");
  // Items need whole blocks; the last block overlaps the one before.
  if (kernel.in_place || total < threads * items) items = 1;
  const int64_t per_block = threads * items;
  Var fused = FuseVars(out, vars), block("block"), place("place"), item("item"), thread("thread");
  if (items > 1) {
    out.split(fused, block, place, static_cast<int>(per_block), Tail(kernel, total, per_block))
        .split(place, item, thread, static_cast<int>(threads), TailStrategy::RoundUp)
        .unroll(item);
    inner.push_back(item);
  } else {
    out.split(fused, block, thread, static_cast<int>(threads),
              total % threads == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  }
  if (!rest.empty()) inner.push_back(FuseVars(out, rest));
  inner.insert(inner.end(), {thread, block});
  out.reorder(inner).gpu_threads(thread);
  GpuBlocks(kernel, out, block, (total + per_block - 1) / per_block);
}

}  // namespace

Schedule GpuElementwiseDefaults(const LoweredKernel& kernel) {
  const runtime::DeviceInfo& device = kernel.device;
  const int64_t threads = GpuThreads(kernel, 256), vec = DefaultVector(kernel);
  // Gives each thread a second vector if one is little to wait for, and if there are still enough
  // threads to fill the device several times.
  const int64_t busy =
      runtime::UnitsOf(device) * (device.unit_threads != 0 ? device.unit_threads : 1024);
  const bool light = kernel.inputs.size() <= 2 && kernel.op_count <= 16;
  const int64_t items = light && Product(kernel.axes) / vec >= 8 * busy ? 2 : 1;
  Schedule schedule(kElementwise.name);
  schedule.Set("threads", threads).Set("vec", vec).Set("items", device.software ? 1 : items);
  // On a software device, barriers cost more than reading lines of its caches twice.
  if (IsTransposed(kernel))
    schedule.Set("tile", device.software ? 0 : LargestElement(kernel) <= 2 ? 64 : 32);
  return schedule;
}

std::vector<Knob> GpuElementwiseSpace(const LoweredKernel& kernel) {
  std::vector<Knob> knobs = {{"threads", PowersOfTwo(32, GpuThreads(kernel, 1024))},
                             {"vec", PowersOfTwo(1, DefaultVector(kernel))},
                             {"items", {1, 2, 4}}};
  if (IsTransposed(kernel)) knobs.push_back({"tile", {0, 16, 32, 64}});
  return knobs;
}

void ApplyGpuElementwise(LoweredKernel& kernel, const Schedule& schedule) {
  kernel.BuildOutput();
  if (kernel.axes.empty()) {
    kernel.output.gpu_single_thread();
    return;
  }
  int64_t tile = schedule.Has("tile") ? schedule.Get("tile") : 0;
  if (tile > 0) {
    const std::vector<Across> across = FindAcross(kernel);
    const auto bytes = [&] {
      return static_cast<int64_t>(across.size()) * tile * (tile + 1) * LargestElement(kernel);
    };
    // Tiles are whole, and the last ones overlap those before, so loads need no conditions.
    const int64_t least =
        std::min(kernel.axes[0].extent, kernel.axes[kernel.transposed_axis].extent);
    while (tile > 8 && (tile > least || bytes() > kernel.device.max_shared_bytes ||
                        GpuThreads(kernel, tile) < tile))
      tile /= 2;
    if (!across.empty()) return ApplyTransposed(kernel, tile, across);
  }
  ApplyInOrder(kernel, schedule);
}

}  // namespace halyard::schedules
