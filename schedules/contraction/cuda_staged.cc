// contraction_staged: products and convolutions (as contraction_mma) by tensor cores, whose factors
// travel through shared memory in stages: a group copies each element once, asynchronously and 16
// bytes at a time, some steps ahead; warps read fragments with ldmatrix.
// lowering/kernels/contraction/staged_product.h
// has the shapes, codegen/passes/staged_loops.h the loop, codegen/gpu/ptx/ptx_staged.h its
// instructions. Index arithmetic and epilogue are Halide's, sums are not: an epilogue reads them by
// kStagedRead.
//
// The factor that has the result's fastest axis is B, the columns. Where its rows lie along k, row
// (s % 8)·nt + s / 8 of a warp's goes to place s of shared memory: then a lane's sums of
// neighbouring tiles are neighbours in the result, and are stored in vectors. Rows past the last
// are read clamped and not written, elements of k past the last are zeros.
//
// For factors that are copied as they are in memory, in pieces of 16 bytes that lie and begin
// together.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "lowering/kernels/contraction/staged_product.h"
#include "lowering/kernels/fragments.h"
#include "lowering/numerics/integer_ops.h"
#include "schedules/loops.h"
#include "schedules/mma_product.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::MemoryType;
using Halide::RVar;
using Halide::Var;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;
using lowering::StagedShape;
using lowering::Value;

namespace {

// Beside accumulators and fragments: addresses of copies, places in shared memory, counters.
constexpr int64_t kOtherRegisters = 36;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// A product in the roles of shared memory.
struct Staging {
  MmaProduct product;
  const lowering::MmaIntrinsic* mma = nullptr;
  const MmaFactor* factors[2] = {nullptr, nullptr};  // A: rows, B: columns
  bool across_k[2] = {false, false};
  bool fast_columns = false;  // B has the result's fastest axis
};

// Whether the factor is in memory what tensor cores take, in whole pieces.
bool CanCopy(const Value& value, hlo::ElementType type, const MmaProduct& product,
             const MmaFactor& factor, int64_t bytes, bool* across_k) {
  const bool as_is = bytes == 4
                         ? value.type == hlo::ElementType::kF32
                         : value.stored.defined() && lowering::NarrowestType(value) == type &&
                               value.stored.type().bytes() == bytes;
  const int64_t piece = StagedShape::kPieceBytes / bytes;
  if (!as_is) return false;
  *across_k = !factor.contiguous_k;
  if (factor.contiguous_k) return product.k_extents[0] % piece == 0;
  // ldmatrix.trans is for elements of 16 bits.
  return factor.contiguous_rows && bytes > 1 && factor.extents[0] % piece == 0;
}

bool Find(const LoweredKernel& kernel, Staging* staging) {
  if (kernel.device.cuda_capability < 80 || kernel.heroes.size() != 1 || !kernel.direct_epilogue || kernel.in_place ||
      kernel.complex_outputs)
    return false;
  const Hero& hero = *kernel.heroes[0];
  if (!hero.IsContraction() || hero.types.size() != 1 || hlo::IsComplex(hero.types[0]) ||
      Product(hero.axes) == 0 || Product(hero.reduce_extents) == 0 ||
      !FindMmaProduct(kernel, hero, kernel.device.cuda_capability, &staging->product))
    return false;
  const MmaProduct& p = staging->product;
  const bool left_is_fast = p.lhs.axes[0] == 0;
  staging->factors[0] = left_is_fast ? &p.rhs : &p.lhs;
  staging->factors[1] = left_is_fast ? &p.lhs : &p.rhs;
  staging->fast_columns = staging->factors[1]->axes[0] == 0;
  staging->mma = left_is_fast
                     ? lowering::FindMma(p.mma->rhs, p.mma->lhs, kernel.device.cuda_capability)
                     : p.mma;
  if (staging->mma == nullptr || staging->mma->words != 2) return false;
  const std::vector<Value> factors =
      hero.term(lowering::VarsOf(hero.axes), Indices(hero.reduce_extents.size(), Var("k")));
  for (int f : {0, 1}) {
    const MmaFactor& factor = *staging->factors[f];
    const hlo::ElementType type = f == 0 ? staging->mma->lhs : staging->mma->rhs;
    if (!CanCopy(factors[factor.operand], type, p, factor, 4 / staging->mma->elements,
                 &staging->across_k[f]))
      return false;
  }
  return CeilDiv(p.k, StagedShape::kRowBytes / (4 / staging->mma->elements)) >= 2;
}

StagedShape ShapeOf(const Staging& staging, std::array<int64_t, 5> knobs) {
  StagedShape shape;
  shape.mma = staging.mma;
  shape.mt = knobs[0];
  shape.nt = knobs[1];
  shape.warps_m = knobs[2];
  shape.warps_n = knobs[3];
  shape.stages = knobs[4];
  for (int f : {0, 1}) shape.across_k[f] = staging.across_k[f];
  return shape;
}

int64_t Copies(const StagedShape& s) { return (s.pieces(0) + s.pieces(1)) / s.threads(); }

// Whether each factor is a matrix, as convolutions' are not: index arithmetic of several dimensions
// keeps something of each row that is copied.
bool IsPlain(const Staging& staging) {
  return staging.factors[0]->extents.size() == 1 && staging.factors[1]->extents.size() == 1 &&
         staging.product.k_extents.size() == 1;
}

int64_t Registers(const Staging& staging, const StagedShape& s) {
  return s.accumulators() + 4 * s.mt + 2 * s.nt + (IsPlain(staging) ? 1 : 8) * Copies(s) +
         kOtherRegisters;
}

int64_t Blocks(const Staging& staging, const StagedShape& s) {
  return CeilDiv(staging.factors[0]->rows, s.rows(0)) *
         CeilDiv(staging.factors[1]->rows, s.rows(1)) * staging.product.batches;
}

// Why a shape is not possible on the device; null if it is.
const char* Refusal(const LoweredKernel& kernel, const Staging& staging, const StagedShape& s) {
  const runtime::DeviceInfo& device = kernel.device;
  // Each thread copies as many pieces as the others, whole rows of pieces at a time.
  for (int f : {0, 1}) {
    if (s.pieces(f) % s.threads() != 0) return "fewer pieces to copy than threads";
  }
  const int64_t limit = device.max_thread_registers == 0 ? 255 : device.max_thread_registers;
  const int64_t registers = Registers(staging, s);
  if (registers > limit) return "more registers than a thread has";
  if (device.max_group_registers != 0 && registers * s.threads() > device.max_group_registers)
    return "more registers than a group has";
  if (device.max_threads_per_group != 0 && s.threads() > device.max_threads_per_group)
    return "more threads than a group has";
  if (device.max_shared_bytes != 0 && s.shared_bytes() > device.max_shared_bytes)
    return "more shared memory than a group has";
  const int64_t grid = device.max_grid[0] == 0 ? INT32_MAX : device.max_grid[0];
  return Blocks(staging, s) <= grid ? nullptr : "more groups than a grid has";
}

// Cycles of a unit's quarter for a 16 × 8 × 16 product of 16 bits, as mma.sync reaches them
// (docs/gpu_kernels.md).
double ProductCycles(int capability) {
  if (capability == 80) return 8;
  return capability < 90 ? 32 : 4 / 0.63;
}

// A step's cycles: products, issue slots, the L2's bytes; over the groups that share a unit, in
// waves.
double Cost(const LoweredKernel& kernel, const Staging& staging, const StagedShape& s) {
  const runtime::DeviceInfo& device = kernel.device;
  const double units = static_cast<double>(std::max<uint32_t>(1, device.compute_units));
  const int capability = device.cuda_capability;
  const double warps = static_cast<double>(s.warps_m * s.warps_n);
  const double products = static_cast<double>(2 * s.mt * s.nt) * warps / 4;
  const double issue =
      (static_cast<double>(2 * (s.mt + s.nt / 2) + 3 * Copies(s)) + 24) * warps / 4;
  const double l2 = static_cast<double>((s.rows(0) + s.rows(1)) * StagedShape::kRowBytes) /
                    ((capability < 90 && capability > 80 ? 2048.0 : 5120.0) / units);
  const double step = std::max({products * ProductCycles(capability), products + issue, l2});
  const int64_t unit_registers = device.unit_registers == 0 ? 65536 : device.unit_registers;
  const int64_t unit_shared = device.unit_shared_bytes == 0 ? 100 << 10 : device.unit_shared_bytes;
  const int64_t resident =
      std::max<int64_t>(1, std::min(unit_registers / (Registers(staging, s) * s.threads()),
                                    unit_shared / (s.shared_bytes() + 1024)));
  // Four warps of a unit hide little of each other's waits.
  const double at_once = warps * static_cast<double>(resident);
  const double waits = at_once >= 8 ? 1.0 : at_once >= 4 ? 1.15 : 1.5;
  const double groups = static_cast<double>(Blocks(staging, s));
  const double rounds = std::ceil(groups / units / static_cast<double>(resident));
  const double last = groups / units - (rounds - 1) * static_cast<double>(resident);
  // The last wave's units have fewer groups each.
  const double turns =
      (rounds - 1) * static_cast<double>(resident) + std::ceil(std::max(last, 1e-9));
  return step * turns * waits;
}

bool FindBest(const LoweredKernel& kernel, const Staging& staging, StagedShape* best) {
  double best_cost = 1e300;
  for (int64_t mt : {4, 2, 1}) {
    for (int64_t nt : {8, 4, 2}) {
      for (auto [wm, wn] :
           {std::pair<int64_t, int64_t>{2, 2}, {2, 4}, {4, 2}, {4, 1}, {1, 4}, {2, 1}, {1, 2}}) {
        for (int64_t stages : {4, 3}) {
          const StagedShape s = ShapeOf(staging, {mt, nt, wm, wn, stages});
          if (Refusal(kernel, staging, s) != nullptr) continue;
          // 128 accumulators leave index arithmetic too few registers: ptxas spills on sm_80.
          if (!IsPlain(staging) && s.accumulators() >= 128) continue;
          const double cost = Cost(kernel, staging, s) * (stages == 4 ? 1 : 1.02);
          if (cost >= best_cost * 0.999) continue;
          best_cost = cost;
          *best = s;
        }
      }
    }
  }
  return best_cost < 1e300;
}

bool Accepts(const LoweredKernel& kernel) {
  Staging staging;
  StagedShape best;
  return Find(kernel, &staging) && FindBest(kernel, staging, &best);
}

// Less is mostly padding, or over before the pipeline is full.
bool Prefers(const LoweredKernel& kernel) {
  Staging staging;
  return Find(kernel, &staging) && staging.factors[0]->rows >= 16 &&
         staging.factors[1]->rows >= 16 &&
         staging.product.k * (4 / staging.mma->elements) >= 4 * StagedShape::kRowBytes;
}

Schedule Defaults(const LoweredKernel& kernel) {
  Staging staging;
  StagedShape s;
  Find(kernel, &staging);
  FindBest(kernel, staging, &s);
  return Schedule(kContractionStaged.name)
      .Set("mt", s.mt)
      .Set("nt", s.nt)
      .Set("wm", s.warps_m)
      .Set("wn", s.warps_n)
      .Set("stages", s.stages)
      .Set("raster", 8);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const Schedule defaults = Defaults(kernel);
  return {{"mt", Choices({1, 2, 4}, 4, defaults.Get("mt"))},
          {"nt", {2, 4, 8}},
          {"wm", Choices({1, 2, 4}, 4, defaults.Get("wm"))},
          {"wn", Choices({1, 2, 4}, 4, defaults.Get("wn"))},
          {"stages", {2, 3, 4, 5}},
          {"raster", Choices({1, 2, 4, 8, 16}, 16, 8)}};
}

Expr I(int64_t value) { return Expr(static_cast<int32_t>(value)); }

class Builder {
 public:
  Builder(LoweredKernel& kernel, const Schedule& schedule)
      : kernel_(kernel), hero_(*kernel.heroes[0]) {
    Find(kernel, &staging_);
    shape_ = ShapeOf(staging_, {schedule.Get("mt"), schedule.Get("nt"), schedule.Get("wm"),
                                schedule.Get("wn"), schedule.Get("stages")});
    if (const char* refusal = Refusal(kernel, staging_, shape_))
      throw lowering::LimitError(refusal);
    permuted_ = staging_.fast_columns && !shape_.across_k[1];
    for (int f : {0, 1}) blocks_[f] = CeilDiv(staging_.factors[f]->rows, shape_.rows(f));
    raster_ = std::gcd(schedule.Get("raster"), blocks_[0]);
  }

  void Build() {
    DefineProduct();
    DefineOutput();
    SetLoops();
    // Buffers begin at multiples of 64 bytes (DeviceInfo::buffer_alignment).
    for (Halide::ImageParam& input : kernel_.inputs)
      input.set_host_alignment(StagedShape::kPieceBytes);
    for (Halide::OutputImageParam& output : kernel_.output.output_buffers())
      output.set_host_alignment(StagedShape::kPieceBytes);
  }

 private:
  // A group's place, in rows of A (0) or B (1) of its size. Groups side by side share lines of B in
  // L2.
  Expr Block(int factor, const Expr& block) const {
    if (factor == 1) return block / I(raster_) % I(blocks_[1]);
    const Expr rest = block / I(blocks_[1] * raster_);
    return (staging_.product.batches == 1 ? rest : rest % I(blocks_[0] / raster_)) * I(raster_) +
           block % I(raster_);
  }
  Expr Batch(const Expr& block) const { return block / I(blocks_[0] * blocks_[1]); }

  // The element that copy `i` of this thread begins with.
  Expr CopyElement(int f, int64_t i, const Expr& step) const {
    const MmaFactor& factor = *staging_.factors[f];
    const int64_t count = shape_.pieces(f) / shape_.threads(), piece = shape_.piece(),
                  k = staging_.product.k;
    const bool across = shape_.across_k[f];
    const int64_t rows_of_copy = (across ? shape_.step_k() : shape_.rows(f)) / count;
    const Expr line = PieceLine(f) + I(i * rows_of_copy), along = PieceInLine(f) * I(piece);
    const Expr first_row = Block(f, block_) * I(shape_.rows(f));
    const int64_t row_unit = across ? piece : 1, k_unit = across ? 1 : piece;
    Expr row = first_row + (across ? along : RowOfLine(f, line));
    Expr place = step * I(shape_.step_k()) + (across ? line : along);
    if (factor.rows % shape_.rows(f) != 0) row = Halide::min(row, I(factor.rows - row_unit));
    const bool ragged = k % shape_.step_k() != 0;
    const Expr inside = place < I(k);
    if (ragged) place = Halide::min(place, I(k - k_unit));
    Indices axes(hero_.axes.size(), Expr(0));
    const Indices rows = SplitIndex(row, 0, row_unit, factor.extents);
    for (size_t a = 0; a < factor.axes.size(); ++a) axes[factor.axes[a]] = rows[a];
    const Indices batch = SplitIndex(Batch(block_), 0, 1, staging_.product.batch_extents);
    for (size_t a = 0; a < batch.size(); ++a) axes[staging_.product.batch[a]] = batch[a];
    const Value value =
        hero_.term(axes, SplitIndex(place, 0, k_unit, staging_.product.k_extents))[factor.operand];
    Expr element = shape_.element_bytes() == 4 ? value.re : value.stored;
    if (ragged)
      element = Halide::select(inside, element, Halide::Internal::make_zero(element.type()));
    return element;
  }

  Expr Thread() const { return (Expr(warp_) * 8 + g_) * 4 + q_; }
  int64_t PiecesOfLine(int f) const {
    return shape_.across_k[f] ? shape_.rows(f) / shape_.piece()
                              : StagedShape::kRowBytes / StagedShape::kPieceBytes;
  }
  // Of a thread's first copy: which row of shared memory, which piece of it.
  Expr PieceLine(int f) const { return Thread() / I(PiecesOfLine(f)); }
  Expr PieceInLine(int f) const { return Thread() % I(PiecesOfLine(f)); }
  // Which of the group's rows of the factor a row of shared memory holds.
  Expr RowOfLine(int f, const Expr& line) const {
    if (f == 0 || !permuted_) return line;
    const int64_t of_warp = 8 * shape_.nt;
    const Expr in_warp = line % I(of_warp);
    return line / I(of_warp) * I(of_warp) + in_warp % 8 * I(shape_.nt) + in_warp / 8;
  }

  // Where a thread's copies go, in a slot.
  Expr CopyPlace(int f) const {
    return PieceLine(f) * I(shape_.pitch(f)) + PieceInLine(f) * I(StagedShape::kPieceBytes);
  }

  // Where a lane reads its fragments, in a slot: the row of a matrix that it names to ldmatrix, or
  // its word (codegen/gpu/ptx/ptx_staged.cc adds constants for tiles and halves of the step).
  Expr ReadPlace(int f) const {
    const int64_t pitch = shape_.pitch(f), bytes = shape_.element_bytes();
    const Expr warp = f == 0 ? warp_ / I(shape_.warps_n) : warp_ % I(shape_.warps_n);
    const Expr warp_row = warp * I(f == 0 ? 16 * shape_.mt : 8 * shape_.nt);
    // lane = 4 g + q.
    const Expr of_8 = g_ % 2 * 4 + q_, eights = g_ / 2 % 2, sixteens = g_ / 4;
    // A's matrices go along rows first, B's along k.
    const Expr second_row = f == 0 ? eights : sixteens, second_k = f == 0 ? sixteens : eights;
    const Expr base = I(shape_.first_byte(f));
    if (!shape_.across_k[f]) {
      return base + (warp_row + second_row * 8 + of_8) * I(pitch) +
             second_k * I(StagedShape::kPieceBytes);
    }
    if (bytes == 2)
      return base + (second_k * 8 + of_8) * I(pitch) + (warp_row + second_row * 8) * I(bytes);
    return base + q_ * I(pitch) + (warp_row + g_) * I(bytes);
  }

  void DefineProduct() {
    const int64_t steps = CeilDiv(staging_.product.k, shape_.step_k());
    Halide::RDom step(0, static_cast<int32_t>(steps), "step");
    std::vector<Expr> arguments = {Expr(step.x), CopyPlace(0), CopyPlace(1), ReadPlace(0),
                                   ReadPlace(1)};
    for (int64_t number : shape_.Numbers()) arguments.push_back(I(number));
    for (int f : {0, 1}) {
      for (int64_t i = 0; i < shape_.pieces(f) / shape_.threads(); ++i)
        arguments.push_back(CopyElement(f, i, step.x));
    }
    product_ = Func("product");
    const Indices at = {q_, g_, warp_, block_};
    product_(at) = 0;
    product_(at) += Halide::Internal::Call::make(Halide::Int(32), lowering::kStagedProduct,
                                                 arguments, Halide::Internal::Call::PureExtern);
  }

  // A lane has sums of columns 2q and 2q + 1 of a tile, of rows g and g + 8. Permuted columns of
  // neighbouring tiles are neighbours; else those two are.
  void DefineOutput() {
    const MmaFactor &fa = *staging_.factors[0], &fb = *staging_.factors[1];
    const int64_t nt = shape_.nt;
    const int64_t vector = !staging_.fast_columns ? 1 : std::gcd(permuted_ ? nt : 2, fb.extents[0]);
    const int64_t across = permuted_ ? nt / vector : nt, pair = permuted_ ? 2 : 2 / vector;
    Halide::RDom d({{0, I(vector)},
                    {0, I(across)},
                    {0, I(pair)},
                    {0, 2},
                    {0, I(shape_.mt)},
                    {0, 4},
                    {0, 8},
                    {0, I(shape_.warps_m * shape_.warps_n)},
                    {0, I(blocks_[0] * blocks_[1] * staging_.product.batches)}},
                   "c");
    for (int i = 0; i < 9; ++i) loops_[i] = d[i];
    const Expr v = loops_[0], o = loops_[1], e = loops_[2], h = loops_[3], t = loops_[4],
               q = loops_[5], g = loops_[6], warp = loops_[7], block = loops_[8];
    const Expr warp_n = Block(1, block) * I(shape_.rows(1)) + warp % I(shape_.warps_n) * I(8 * nt);
    const Expr warp_m =
        Block(0, block) * I(shape_.rows(0)) + warp / I(shape_.warps_n) * I(16 * shape_.mt);
    const Expr n =
        permuted_ ? warp_n + (q * 2 + e) * I(nt) + o * I(vector) : warp_n + o * 8 + q * 2 + e;
    const Expr m = warp_m + t * 16 + h * 8 + g;
    // Opaque: else Halide leaves out the lanes that store nothing, but products need whole warps.
    if (fb.rows % shape_.rows(1) != 0) d.where(lowering::numerics::Opaque(n) < I(fb.rows));
    if (fa.rows % shape_.rows(0) != 0) d.where(lowering::numerics::Opaque(m) < I(fa.rows));
    const Indices index_n = SplitIndex(n, v, vector, fb.extents);
    const Indices index_m = SplitIndex(m, 0, 1, fa.extents);
    const Indices index_batch = SplitIndex(Batch(block), 0, 1, staging_.product.batch_extents);
    Indices index(kernel_.axes.size(), Expr(0));
    for (size_t i = 0; i < index_n.size(); ++i) index[fb.axes[i]] = index_n[i];
    for (size_t i = 0; i < index_m.size(); ++i) index[fa.axes[i]] = index_m[i];
    for (size_t i = 0; i < index_batch.size(); ++i)
      index[staging_.product.batch[i]] = index_batch[i];

    const Expr tile = permuted_ ? o * I(vector) + v : o, second = permuted_ ? e : e + v;
    const Expr sum = ((t * I(nt) + tile) * 2 + h) * 2 + second;
    hero_.result = product_;
    hero_.read = [this, sum, q, g, warp, block](const Indices&) {
      const Halide::Type type = lowering::ComputeType(shape_.mma->accumulator);
      const Expr value = Halide::Internal::Call::make(type, lowering::kStagedRead,
                                                      {sum, Expr(product_(q, g, warp, block))},
                                                      Halide::Internal::Call::PureExtern);
      const Halide::Type stored = lowering::StorageType(hero_.types[0]);
      return std::vector<Expr>{type == stored ? value : Halide::cast(stored, value)};
    };
    DefineOutputAt(kernel_, index);
  }

  void SetLoops() {
    const std::array<RVar, 9>& c = loops_;
    kernel_.output.update()
        .allow_race_conditions()
        .reorder(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8])
        .unroll(c[1])
        .unroll(c[2])
        .unroll(c[3])
        .unroll(c[4])
        .vectorize(c[0])
        .gpu_threads(c[5], c[6], c[7])
        .gpu_blocks(c[8]);
    product_.compute_at(kernel_.output, c[5]).store_in(MemoryType::Register);
  }

  LoweredKernel& kernel_;
  Hero& hero_;
  Staging staging_;
  StagedShape shape_;
  bool permuted_ = false;
  int64_t blocks_[2] = {1, 1}, raster_ = 1;
  const Var q_{"q"}, g_{"g"}, warp_{"warp"}, block_{"block"};
  Func product_;
  std::array<RVar, 9> loops_;
};

void Apply(LoweredKernel& kernel, const Schedule& schedule) { Builder(kernel, schedule).Build(); }

}  // namespace

const Template kContractionStagedOnCuda = {.id = kContractionStaged,
                                           .forms = SetOfForms<lowering::SingleFold>(),
                                           .device = DeviceClass::kCuda,
                                           .accepts = Accepts,
                                           .defaults = Defaults,
                                           .space = Space,
                                           .apply = Apply,
                                           .prefers = Prefers,
                                           .caps_registers = true};

}  // namespace halyard::schedules
