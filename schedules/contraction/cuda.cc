// contraction_mma: products and convolutions (as products: k = (feature, window), rows = places of
// the image) by tensor cores, C[m, n] = Σ A[m, k] · B[n, k] in warp-wide products of 16 × 8.
//
// A warp has mt × nt such tiles, its accumulators in registers, a group wm × wn warps. Which rows
// and columns make a tile is free as long as the factors and the result agree: a lane's are
// neighbours, row ((…·8 + g)·2 + h)·mt + i of A, column (…·8 + g)·nt + j of B, so that it reads
// vectors along m and n where k is not contiguous, and writes C in vectors. So is the order of k:
// lane q of a step of 4 · words words reads `words` words one after the other, as one vector where
// k is contiguous. Factors come from global memory (warps of a group share lines in the first
// cache), without shared memory. Rows and columns past the last are read clamped and not written,
// elements of k past the last are zeros.
//
// contraction_mma_lanes is the same on x86, with lanes as loops and the intrinsics' CPU
// equivalents: slow, for tests of the above. Only its name chooses it.

#include <algorithm>
#include <numeric>

#include "lowering/kernels/fragments.h"
#include "lowering/numerics/integer_ops.h"
#include "schedules/contraction/template.h"
#include "schedules/loops.h"
#include "schedules/mma_product.h"
#include "schedules/registry.h"

namespace halyard::schedules {

namespace {

constexpr int64_t kWarp = 32;
constexpr int kVectorBytes = 16;  // of the widest load
// The registers for addresses and counters, beside accumulators and fragments.
constexpr int64_t kOtherRegisters = 48;

bool OnDevice(const LoweredKernel& kernel) {
  return kernel.device.kind == runtime::DeviceKind::kCuda;
}

bool Find(const LoweredKernel& kernel, MmaProduct* product) {
  if (!kernel.direct_epilogue || kernel.in_place || kernel.complex_outputs) return false;
  const Hero& hero = *kernel.heroes[0];
  if (!hero.IsContraction() || hero.types.size() != 1 || hlo::IsComplex(hero.types[0]) ||
      Product(hero.axes) == 0 || Product(hero.reduce_extents) == 0)
    return false;
  return FindMmaProduct(kernel, hero, OnDevice(kernel) ? kernel.device.cuda_capability : 80,
                        product);
}

struct Tiles {
  int64_t mt = 1, nt = 1, wm = 1, wn = 1, words = 4;
  int64_t raster = 8;  // rows of groups that run side by side, so that they share lines of B in L2

  int64_t rows() const { return 16 * mt * wm; }
  int64_t columns() const { return 8 * nt * wn; }
  int64_t threads() const { return kWarp * wm * wn; }
};

// Registers that a lane needs for its rows of a factor: the words, what index arithmetic of several
// dimensions keeps for each row, and elements that are read one by one.
int64_t FactorRegisters(const MmaProduct& p, const MmaFactor& factor, int64_t rows, int64_t words) {
  int64_t registers = words * rows;
  if (factor.extents.size() > 1 || p.k_extents.size() > 1) registers += 2 * rows;
  const FragmentShape shape = ShapeOfFragment(p, factor, rows, words);
  if (shape.vector == 1) registers += words * rows / 2;
  return registers;
}

int64_t Registers(const MmaProduct& p, const Tiles& t) {
  return 4 * t.mt * t.nt + FactorRegisters(p, p.lhs, 2 * t.mt, t.words) +
         FactorRegisters(p, p.rhs, t.nt, t.words) + kOtherRegisters;
}

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t Blocks(const MmaProduct& p, const Tiles& t) {
  return CeilDiv(p.lhs.rows, t.rows()) * CeilDiv(p.rhs.rows, t.columns()) * p.batches;
}

bool Fits(const LoweredKernel& kernel, const MmaProduct& p, const Tiles& t) {
  const runtime::DeviceInfo& device = kernel.device;
  if (!OnDevice(kernel)) return true;
  const int64_t limit = device.max_thread_registers == 0 ? 255 : device.max_thread_registers;
  const int64_t registers = Registers(p, t);
  if (registers > limit) return false;
  if (device.max_group_registers != 0 && registers * t.threads() > device.max_group_registers)
    return false;
  if (device.max_threads_per_group != 0 && t.threads() > device.max_threads_per_group) return false;
  if (device.max_group[2] != 0 && t.wm * t.wn > device.max_group[2]) return false;
  const int64_t grid = device.max_grid[0] == 0 ? INT32_MAX : device.max_grid[0];
  return Blocks(p, t) <= grid;
}

// Tiles by a simple count: the warps' products and the vectors that they load for them, over the
// four tensor cores of each unit.
Tiles BestTiles(const LoweredKernel& kernel, const MmaProduct& p) {
  const int64_t units = runtime::UnitsOf(kernel.device) * 4;
  Tiles best;
  double best_cost = 1e300;
  for (int64_t mt : {4, 2, 1}) {
    for (int64_t nt : {8, 4, 2, 1}) {
      for (auto [wm, wn] :
           {std::pair<int64_t, int64_t>{2, 2}, {4, 1}, {1, 4}, {2, 1}, {1, 2}, {1, 1}}) {
        const Tiles t = {mt, nt, wm, wn, 4};
        if (!Fits(kernel, p, t)) continue;
        const double work = static_cast<double>(mt * nt + 2 * mt + nt);
        const double rounds = static_cast<double>(CeilDiv(Blocks(p, t) * wm * wn, units));
        // The warps of a group share what they load.
        const double sharing = 1 + 0.02 * (4.0 / static_cast<double>(wm * wn)) +
                               0.02 * std::abs(static_cast<double>(t.rows() - t.columns())) /
                                   static_cast<double>(t.rows() + t.columns());
        if (work * rounds * sharing < best_cost * 0.999) {
          best_cost = work * rounds * sharing;
          best = t;
        }
      }
    }
  }
  return best;
}

bool AcceptsOnDevice(const LoweredKernel& kernel) {
  MmaProduct product;
  return Find(kernel, &product) && Fits(kernel, product, BestTiles(kernel, product));
}

// A smaller product is mostly padding.
bool PrefersOnDevice(const LoweredKernel& kernel) {
  MmaProduct product;
  return Find(kernel, &product) && product.lhs.rows >= 8 && product.rhs.rows >= 8 && product.k >= 8;
}

bool AcceptsLanes(const LoweredKernel& kernel) {
  MmaProduct product;
  return Find(kernel, &product);
}

Schedule ToSchedule(const LoweredKernel& kernel, const Tiles& t) {
  return Schedule(OnDevice(kernel) ? kContractionMma.name : kContractionMmaLanes.name)
      .Set("mt", t.mt)
      .Set("nt", t.nt)
      .Set("wm", t.wm)
      .Set("wn", t.wn)
      .Set("words", t.words)
      .Set("raster", t.raster);
}

Schedule Defaults(const LoweredKernel& kernel) {
  MmaProduct product;
  Find(kernel, &product);
  return ToSchedule(kernel, BestTiles(kernel, product));
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  MmaProduct product;
  Find(kernel, &product);
  const Tiles t = BestTiles(kernel, product);
  return {
      {"mt", Choices({1, 2, 4}, 4, t.mt)},    {"nt", Choices({1, 2, 4, 8}, 8, t.nt)},
      {"wm", Choices({1, 2, 4}, 4, t.wm)},    {"wn", Choices({1, 2, 4}, 4, t.wn)},
      {"words", Choices({2, 4}, 4, t.words)}, {"raster", Choices({1, 2, 4, 8, 16}, 16, t.raster)}};
}

// The loops of C: a lane's vectors (v), its other tiles, lanes, warps, groups.
struct OutputLoops {
  RVar v, o, e, h, t, q, g, warp, block;
};

class Builder {
 public:
  Builder(LoweredKernel& kernel, const Schedule& schedule)
      : kernel_(kernel), hero_(*kernel.heroes[0]), on_device_(OnDevice(kernel)) {
    Find(kernel, &product_);
    tiles_ = {schedule.Get("mt"), schedule.Get("nt"),    schedule.Get("wm"),
              schedule.Get("wn"), schedule.Get("words"), schedule.Get("raster")};
    blocks_n_ = static_cast<int32_t>(CeilDiv(product_.rhs.rows, tiles_.columns()));
    blocks_m_ = static_cast<int32_t>(CeilDiv(product_.lhs.rows, tiles_.rows()));
    raster_ = static_cast<int32_t>(std::gcd(schedule.Get("raster"), int64_t{blocks_m_}));
  }

  void Build() {
    DefineAccumulator();
    DefineOutput();
    SetLoops();
    if (!on_device_) return;
    // Buffers begin at multiples of 64 bytes (DeviceInfo::buffer_alignment).
    for (Halide::ImageParam& input : kernel_.inputs) input.set_host_alignment(kVectorBytes);
    for (Halide::OutputImageParam& output : kernel_.output.output_buffers())
      output.set_host_alignment(kVectorBytes);
  }

 private:
  Expr I(int64_t value) const { return Expr(static_cast<int32_t>(value)); }

  // Computes the place of a group and of a warp.
  Expr BlockN(const Expr& block) const { return block / raster_ % blocks_n_; }
  Expr BlockM(const Expr& block) const {
    const Expr rest = block / (blocks_n_ * raster_);
    return (product_.batches == 1 ? rest : rest % (blocks_m_ / raster_)) * raster_ +
           block % raster_;
  }
  Expr Batch(const Expr& block) const { return block / (blocks_n_ * blocks_m_); }
  Expr WarpN(const Expr& block, const Expr& warp) const {
    return BlockN(block) * I(tiles_.wn) + warp % I(tiles_.wn);
  }
  Expr WarpM(const Expr& block, const Expr& warp) const {
    return BlockM(block) * I(tiles_.wm) + warp / I(tiles_.wn);
  }

  void DefineAccumulator() {
    const lowering::MmaIntrinsic& mma = *product_.mma;
    const Var q = place_.q, g = place_.g, warp = place_.warp, block = place_.block;
    shape_a_ = ShapeOfFragment(product_, product_.lhs, 2 * tiles_.mt, tiles_.words);
    shape_b_ = ShapeOfFragment(product_, product_.rhs, tiles_.nt, tiles_.words);
    a_ = DefineFragment(kernel_, hero_, product_, product_.lhs, shape_a_, place_,
                        (WarpM(block, warp) * 8 + g) * I(2 * tiles_.mt), Batch(block), on_device_,
                        "fragment_a");
    b_ = DefineFragment(kernel_, hero_, product_, product_.rhs, shape_b_, place_,
                        (WarpN(block, warp) * 8 + g) * I(tiles_.nt), Batch(block), on_device_,
                        "fragment_b");
    const Halide::Type type = lowering::ComputeType(mma.accumulator);
    const Indices at = {nt_, mt_, q, g, warp, block};
    const Expr zero = Halide::Internal::make_zero(type);
    acc_ = Func("acc");
    acc_(at) = Halide::Tuple(std::vector<Expr>(4, zero));
    const int64_t chunk = 4 * tiles_.words * mma.elements;
    Halide::RDom k(0, static_cast<int32_t>(tiles_.words / mma.words), 0,
                   static_cast<int32_t>(CeilDiv(product_.k, chunk)), "k");
    inner_ = k[0];
    step_ = k[1];
    auto read = [&](const Func& fragment, const FragmentShape& shape, const Expr& row,
                    const Expr& word, const Expr& lane_q, const Expr& lane_g) {
      Indices index = FragmentIndex(shape, row, word);
      index.insert(index.end(), {lane_q, lane_g, Expr(warp), Expr(block), Expr(step_)});
      return Expr(fragment(index));
    };
    auto word_a = [&](int w, const Expr& lane_q, const Expr& lane_g) {
      return read(a_, shape_a_, Expr(w % 2) * I(tiles_.mt) + mt_, Expr(inner_) * mma.words + w / 2,
                  lane_q, lane_g);
    };
    auto word_b = [&](int w, const Expr& lane_q, const Expr& lane_g) {
      return read(b_, shape_b_, nt_, Expr(inner_) * mma.words + w, lane_q, lane_g);
    };
    Halide::FuncRef before = acc_(at);
    acc_(at) = Halide::Tuple(lowering::Mma(mma, {before[0], before[1], before[2], before[3]},
                                           word_a, word_b, q, g, on_device_));
  }

  void DefineOutput() {
    // Stores vectors of C along the rows or the columns, depending on the side to which its fastest
    // axis belongs.
    const bool along_n = !product_.rhs.axes.empty() && product_.rhs.axes[0] == 0;
    const bool along_m = product_.lhs.axes[0] == 0;
    const int64_t of_vector = along_n ? tiles_.nt : along_m ? tiles_.mt : 1;
    const MmaFactor& fast = along_n ? product_.rhs : product_.lhs;
    const int64_t vector = along_n || along_m ? std::gcd(of_vector, fast.extents[0]) : 1;
    const int64_t across = along_n ? tiles_.mt : tiles_.nt;
    const int64_t along = along_n ? tiles_.nt : tiles_.mt;
    Halide::RDom d({{0, I(vector)},
                    {0, I(along / vector)},
                    {0, 2},
                    {0, 2},
                    {0, I(across)},
                    {0, 4},
                    {0, 8},
                    {0, I(tiles_.wm * tiles_.wn)},
                    {0, I(static_cast<int64_t>(blocks_n_) * blocks_m_ * product_.batches)}},
                   "c");
    loops_ = {d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8]};
    const OutputLoops& c = loops_;
    const Expr unit = Expr(c.o) * I(vector);
    const Expr nt = along_n ? unit : Expr(c.t), mt = along_n ? Expr(c.t) : unit;
    const Expr n = (WarpN(c.block, c.warp) * 8 + Expr(c.q) * 2 + c.e) * I(tiles_.nt) + nt;
    const Expr m = ((WarpM(c.block, c.warp) * 8 + c.g) * 2 + c.h) * I(tiles_.mt) + mt;
    // Opaque, because Halide would leave out the lanes that store nothing, but products need whole
    // warps.
    if (product_.rhs.rows % tiles_.columns() != 0)
      d.where(lowering::numerics::Opaque(n) < I(product_.rhs.rows));
    if (product_.lhs.rows % tiles_.rows() != 0)
      d.where(lowering::numerics::Opaque(m) < I(product_.lhs.rows));
    const Indices index_n =
        SplitIndex(n, along_n ? Expr(c.v) : Expr(0), along_n ? vector : 1, product_.rhs.extents);
    const Indices index_m =
        SplitIndex(m, along_n ? Expr(0) : Expr(c.v), along_n ? 1 : vector, product_.lhs.extents);
    const Indices index_batch = SplitIndex(Batch(c.block), 0, 1, product_.batch_extents);
    Indices index(kernel_.axes.size(), Expr(0));
    for (size_t i = 0; i < index_n.size(); ++i) index[product_.rhs.axes[i]] = index_n[i];
    for (size_t i = 0; i < index_m.size(); ++i) index[product_.lhs.axes[i]] = index_m[i];
    for (size_t i = 0; i < index_batch.size(); ++i) index[product_.batch[i]] = index_batch[i];

    hero_.result = acc_;
    hero_.read = [this, &c, nt, mt, along_n](const Indices&) {
      Halide::FuncRef values =
          acc_(along_n ? nt + c.v : nt, along_n ? mt : mt + c.v, c.q, c.g, c.warp, c.block);
      Expr value = Halide::mux(Expr(c.h) * 2 + c.e, {values[0], values[1], values[2], values[3]});
      const Halide::Type type = lowering::StorageType(hero_.types[0]);
      return std::vector<Expr>{value.type() == type ? value : Halide::cast(type, value)};
    };
    DefineOutputAt(kernel_, index);
  }

  void SetLoops() {
    const OutputLoops& c = loops_;
    Halide::Stage out = kernel_.output.update();
    out.allow_race_conditions()
        .reorder(c.v, c.o, c.e, c.h, c.t, c.q, c.g, c.warp, c.block)
        .unroll(c.o)
        .unroll(c.e)
        .unroll(c.h)
        .unroll(c.t)
        .vectorize(c.v);
    if (on_device_) {
      out.gpu_threads(c.q, c.g, c.warp).gpu_blocks(c.block);
    } else {
      out.parallel(c.block);
    }
    const MemoryType where = on_device_ ? MemoryType::Register : MemoryType::Stack;
    acc_.compute_at(kernel_.output, c.q).store_in(where);
    acc_.bound(nt_, 0, static_cast<int32_t>(tiles_.nt))
        .bound(mt_, 0, static_cast<int32_t>(tiles_.mt));
    acc_.unroll(nt_).unroll(mt_);
    acc_.update().reorder(nt_, mt_, inner_, step_);
    if (on_device_) acc_.update().unroll(nt_).unroll(mt_).unroll(inner_);
    for (Func* fragment : {&a_, &b_}) {
      const std::vector<Var> vars = fragment->args();
      fragment->compute_at(acc_, step_).store_in(where).vectorize(vars[0]).unroll(vars[1]);
      fragment->unroll(vars[2]);
    }
  }

  LoweredKernel& kernel_;
  Hero& hero_;
  const bool on_device_;
  MmaProduct product_;
  Tiles tiles_;
  int32_t blocks_n_ = 1, blocks_m_ = 1, raster_ = 1;
  FragmentPlace place_;
  FragmentShape shape_a_, shape_b_;
  Func a_, b_, acc_;
  Var nt_{"nt"}, mt_{"mt"};
  RVar inner_, step_;
  OutputLoops loops_;
};

void Apply(LoweredKernel& kernel, const Schedule& schedule) { Builder(kernel, schedule).Build(); }

}  // namespace

const Template kContractionMmaOnCuda = {.id = kContractionMma,
                                        .forms = SetOfForms<lowering::SingleFold>(),
                                        .device = DeviceClass::kCuda,
                                        .accepts = AcceptsOnDevice,
                                        .defaults = Defaults,
                                        .space = Space,
                                        .apply = Apply,
                                        .prefers = PrefersOnDevice,
                                        .caps_registers = true};
const Template kContractionMmaLanesOnX86 = {.id = kContractionMmaLanes,
                                            .forms = SetOfForms<lowering::SingleFold>(),
                                            .device = DeviceClass::kX86,
                                            .accepts = AcceptsLanes,
                                            .defaults = Defaults,
                                            .space = Space,
                                            .apply = Apply,
                                            .for_tests_only = true};

}  // namespace halyard::schedules
