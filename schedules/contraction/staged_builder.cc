#include "schedules/contraction/staged_builder.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "lowering/kernels/contraction/staged_product.h"
#include "lowering/kernels/fragments.h"
#include "lowering/numerics/integer_ops.h"
#include "schedules/contraction/template.h"
#include "schedules/loops.h"
#include "schedules/mma_product.h"

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

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

Expr I(int64_t value) { return Expr(static_cast<int32_t>(value)); }

class Builder {
 public:
  Builder(LoweredKernel& kernel, const Staging& staging, const StagedChoice& choice, int64_t raster)
      : kernel_(kernel),
        hero_(*kernel.heroes[0]),
        staging_(staging),
        shape_(choice.shape),
        parts_(choice.parts) {
    if (const char* refusal = RefusalOfStaging(kernel, staging_, choice))
      throw lowering::LimitError(refusal);
    permuted_ = staging_.fast_columns && !shape_.across_k[1];
    if (permuted_) tiles_of_vector_ = TilesOfVector();
    // Then a row's neighbours of a warp are 16 columns, not 8: whole sectors even of 16 bits.
    shape_.exchanged = staging_.fast_columns && shape_.across_k[1] && !shape_.paired(1) &&
                       shape_.nt > 2 && staging_.factors[1]->extents[0] % 4 == 0;
    for (int f : {0, 1}) blocks_[f] = CeilDiv(staging_.factors[f]->rows, shape_.rows(f));
    raster_ = std::gcd(raster, blocks_[0]);
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
    const bool last = staging_.product.batches * parts_ == 1;
    return (last ? rest : rest % I(blocks_[0] / raster_)) * I(raster_) + block % I(raster_);
  }
  Expr Batch(const Expr& block) const {
    const Expr rest = block / I(blocks_[0] * blocks_[1]);
    return parts_ == 1 ? rest : rest % I(staging_.product.batches);
  }
  Expr Part(const Expr& block) const {
    return block / I(blocks_[0] * blocks_[1] * staging_.product.batches);
  }
  int64_t StepsOfPart() const { return CeilDiv(StagedSteps(staging_, shape_), parts_); }

  // The element that copy `i` of this thread begins with.
  Expr CopyElement(int f, int64_t i, const Expr& step) const {
    const MmaFactor& factor = *staging_.factors[f];
    const int64_t count = shape_.pieces(f) / shape_.threads(), piece = shape_.piece(),
                  k = staging_.product.k;
    const bool across = shape_.across_k[f];
    const int64_t rows_of_copy = (across ? shape_.step_k() : shape_.rows(f)) / count;
    const Expr line = PieceLine(f) + I(i * rows_of_copy), along = PieceInLine(f) * I(piece);
    const Expr first_row = Block(f, block_) * I(shape_.rows(f));
    const int64_t row_unit = across ? piece : 1;
    Expr row = first_row + (across ? along : RowOfLine(f, line));
    const Expr of_all = parts_ == 1 ? step : step + Part(block_) * I(StepsOfPart());
    Expr place = of_all * I(shape_.step_k());
    Expr in_step = across ? KOfLine(f, i * rows_of_copy) : along;
    // Steps that lie in one row of a window share its index arithmetic.
    const std::vector<int64_t>& k_extents = staging_.product.k_extents;
    const bool together =
        k % shape_.step_k() == 0 && (k_extents.size() == 1 || k_extents[0] % shape_.step_k() == 0);
    const int64_t k_unit = together ? shape_.step_k() : across ? 1 : piece;
    if (!together) {
      place = place + in_step;
      in_step = 0;
    }
    if (factor.rows % shape_.rows(f) != 0) row = Halide::min(row, I(factor.rows - row_unit));
    const bool ragged = StepsOfPart() * parts_ * shape_.step_k() != k;
    const Expr inside = place < I(k);
    if (ragged) place = Halide::min(place, I(k - k_unit));
    Indices axes(hero_.axes.size(), Expr(0));
    const Indices rows = SplitIndex(row, 0, row_unit, factor.extents);
    for (size_t a = 0; a < factor.axes.size(); ++a) axes[factor.axes[a]] = rows[a];
    const Indices batch = SplitIndex(Batch(block_), 0, 1, staging_.product.batch_extents);
    for (size_t a = 0; a < batch.size(); ++a) axes[staging_.product.batch[a]] = batch[a];
    const Value value =
        hero_.term(axes, SplitIndex(place, in_step, k_unit, k_extents))[factor.operand];
    Expr element = shape_.element_bytes() == 4 ? value.re : value.stored;
    if (ragged)
      element = Halide::select(inside, element, Halide::Internal::make_zero(element.type()));
    return element;
  }

  Expr Thread() const { return (Expr(warp_) * 8 + g_) * 4 + q_; }
  // For the first copy of a thread: its row of shared memory, and its piece of that row.
  Expr PieceLine(int f) const { return Thread() / I(shape_.PiecesOfLine(f)); }
  Expr PieceInLine(int f) const { return Thread() % I(shape_.PiecesOfLine(f)); }
  // Which k of the step line PieceLine + `add` holds. Where KOfLine changes places, these are bits
  // of the line, and PieceLine and `add` have none in common.
  Expr KOfLine(int f, int64_t add) const {
    const Expr line = PieceLine(f);
    if (!shape_.paired(f)) return line + I(add);
    return line / 16 * 16 + line % 2 + line / 2 % 4 * 4 + line / 8 % 2 * 2 +
           I(StagedShape::KOfLine(add));
  }
  // Returns which row of the factor, of those of the group, a row of shared memory holds.
  Expr RowOfLine(int f, const Expr& line) const {
    if (f == 0 || !permuted_) return line;
    const int64_t h = tiles_of_vector_;
    const Expr tile = line / 8, lane = line % 8 / 2, second = line % 2;
    return tile / I(h) * I(8 * h) + lane * I(2 * h) + second * I(h) + tile % I(h);
  }
  // Of permuted columns: tiles whose two columns of a lane are a vector of the result, of at most
  // 16 bytes, that does not go past the end of a row. There are two vectors or more: a condition on
  // columns must depend on a loop inside of the lane's, or it would end up around the product.
  int64_t TilesOfVector() const {
    int64_t bytes = hlo::StorageBytes(hero_.types[0]);
    const hlo::Shape& result = kernel_.module->entry()->root()->shape;
    if (parts_ == 1) {
      bytes = 1;
      for (const hlo::Shape& part : result.IsTuple() ? result.elements() : std::vector{result})
        bytes = std::max<int64_t>(bytes, hlo::StorageBytes(part.element_type()));
    }
    const int64_t wanted = std::gcd(shape_.nt, std::max<int64_t>(2, 16 / bytes));
    return std::max<int64_t>(1, std::gcd(wanted, staging_.factors[1]->extents[0]) / 2);
  }

  // Returns where the copies of a thread go in a slot.
  Expr CopyPlace(int f) const {
    return shape_.Place(f, PieceLine(f), PieceInLine(f) * I(StagedShape::kPieceBytes));
  }

  // Where the rows of a warpgroup begin, of B all.
  Expr WarpgroupPlace(int f) const {
    const Expr base = I(shape_.first_byte(f));
    if (f == 1) return base;
    const int64_t lines = shape_.across_k[0] ? shape_.step_k() : 16 * StagedShape::kWarpgroup;
    return base + warp_ / I(StagedShape::kWarpgroup) * I(lines * shape_.pitch(0));
  }

  // Where a lane reads its fragments, in a slot: the row of a matrix that it names to ldmatrix, or
  // its word (codegen/gpu/ptx/ptx_staged.cc adds constants for tiles and halves of the step).
  Expr ReadPlace(int f) const {
    if (shape_.wgmma) return WarpgroupPlace(f);
    const int64_t bytes = shape_.element_bytes();
    const Expr warp = f == 0 ? warp_ / I(shape_.warps_n) : warp_ % I(shape_.warps_n);
    const Expr warp_row = warp * I(f == 0 ? 16 * shape_.mt : 8 * shape_.nt);
    // lane = 4 g + q.
    const Expr of_8 = g_ % 2 * 4 + q_, eights = g_ / 2 % 2, sixteens = g_ / 4;
    // The matrices of A go along rows first, and those of B along k.
    const Expr second_row = f == 0 ? eights : sixteens, second_k = f == 0 ? sixteens : eights;
    const Expr base = I(shape_.first_byte(f));
    if (!shape_.across_k[f]) {
      return base + shape_.Place(f, warp_row + second_row * 8 + of_8,
                                 second_k * I(StagedShape::kPieceBytes));
    }
    if (bytes == 1) return base + shape_.Place(f, g_ * 4 + q_, warp_row);
    if (bytes == 2)
      return base + shape_.Place(f, second_k * 8 + of_8, (warp_row + second_row * 8) * I(bytes));
    return base + shape_.Place(f, Expr(q_), (warp_row + g_) * I(bytes));
  }

  void DefineProduct() {
    Halide::RDom step(0, static_cast<int32_t>(StepsOfPart()), "step");
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

  // A lane has sums of columns 2q and 2q + 1 of a tile, of rows g and g + 8. Those two are
  // neighbours; permuted ones are so together with those of neighbouring tiles. Of paired columns,
  // the four of a lane in two tiles are; paired rows are g's two neighbours.
  int64_t OutputVector() const {
    if (!staging_.fast_columns) return 1;
    // Of paired ones, too, there are two vectors or more.
    const int64_t lanes = permuted_ ? 2 * tiles_of_vector_
                          : shape_.exchanged || (shape_.paired(1) && shape_.nt > 2) ? 4
                                                                                    : 2;
    return std::gcd(lanes, staging_.factors[1]->extents[0]);
  }
  // The sum of a lane's element: which tile along B, which of its two columns, and where in the
  // warp's columns it lies, `v` of a vector apart.
  struct Column {
    Expr tile, second, place;
  };
  Column ColumnOf(const Expr& v, const Expr& o, const Expr& e, const Expr& q,
                  int64_t vector) const {
    if (permuted_ && vector > 1) {
      const int64_t h = tiles_of_vector_;
      return {o * I(h) + v % I(h), v / I(h), o * I(8 * h) + q * I(2 * h)};
    }
    // The lane's four columns: two as the first tile's sums, and two as the second's.
    if (shape_.exchanged) return {o * 2 + v / 2, v % 2, o * 16 + q % 2 * 8 + q / 2 * 4};
    if (!shape_.paired(1)) return {o, e + v, o * 8 + q * 2 + e};
    if (vector == 4) return {o * 2 + v % 2, v / 2, o * 16 + q * 4};
    if (vector == 2) return {o * 2 + v, e, o * 16 + q * 4 + e * 2};
    return {o, e, o / 2 * 16 + q * 4 + e * 2 + o % 2};
  }

  void DefineOutput() {
    const MmaFactor &fa = *staging_.factors[0], &fb = *staging_.factors[1];
    const int64_t nt = shape_.nt;
    const int64_t vector = OutputVector();
    const int64_t pair = vector == 1 || (shape_.paired(1) && vector == 2) ? 2 : 1;
    const int64_t columns = 2 * nt / vector / pair;
    turns_ = TurnsOfColumns(columns);
    Halide::RDom d({{0, I(vector)},
                    {0, I(columns / turns_)},
                    {0, I(pair)},
                    {0, 2},
                    {0, I(turns_)},
                    {0, I(shape_.mt)},
                    {0, 4},
                    {0, 8},
                    {0, I(shape_.warps_m * shape_.warps_n)},
                    {0, I(blocks_[0] * blocks_[1] * staging_.product.batches * parts_)}},
                   "c");
    for (int i = 0; i < 10; ++i) loops_[i] = d[i];
    const Expr v = loops_[0], e = loops_[2], h = loops_[3], t = loops_[5], q = loops_[6],
               g = loops_[7], warp = loops_[8], block = loops_[9];
    Expr o = loops_[1];
    if (turns_ > 1) o = o + loops_[4] * I(columns / turns_);
    const Expr warp_n = Block(1, block) * I(shape_.rows(1)) + warp % I(shape_.warps_n) * I(8 * nt);
    const Expr warp_m =
        Block(0, block) * I(shape_.rows(0)) + warp / I(shape_.warps_n) * I(16 * shape_.mt);
    const Column column = ColumnOf(v, o, e, q, vector);
    const Expr n = warp_n + column.place;
    const Expr m = warp_m + t * 16 + (shape_.paired(0) ? g * 2 + h : h * 8 + g);
    // Opaque, because Halide would leave out the lanes that store nothing, but products need whole
    // warps.
    // Parts have room for all rows.
    if (parts_ == 1 && fb.rows % shape_.rows(1) != 0)
      d.where(lowering::numerics::Opaque(n) < I(fb.rows));
    if (parts_ == 1 && fa.rows % shape_.rows(0) != 0)
      d.where(lowering::numerics::Opaque(m) < I(fa.rows));
    const Indices index_n = SplitIndex(n, v, vector, fb.extents);
    const Indices index_m = SplitIndex(m, 0, 1, fa.extents);
    const Indices index_batch = SplitIndex(Batch(block), 0, 1, staging_.product.batch_extents);
    Indices index(kernel_.axes.size(), Expr(0));
    for (size_t i = 0; i < index_n.size(); ++i) index[fb.axes[i]] = index_n[i];
    for (size_t i = 0; i < index_m.size(); ++i) index[fa.axes[i]] = index_m[i];
    for (size_t i = 0; i < index_batch.size(); ++i)
      index[staging_.product.batch[i]] = index_batch[i];

    const Expr sum = ((t * I(nt) + column.tile) * 2 + h) * 2 + column.second;
    hero_.result = product_;
    const Halide::Type type = lowering::ComputeType(shape_.mma->accumulator);
    const Expr value = Halide::Internal::Call::make(type, lowering::kStagedRead,
                                                    {sum, Expr(product_(q, g, warp, block))},
                                                    Halide::Internal::Call::PureExtern);
    const Halide::Type stored = lowering::StorageType(hero_.types[0]);
    const Expr element = type == stored ? value : Halide::cast(stored, value);
    if (parts_ > 1) return DefineSumOfParts(index, Part(block), element);
    hero_.read = [element](const Indices&) { return std::vector<Expr>{element}; };
    DefineOutputAt(kernel_, index);
    target_ = kernel_.output;
  }

  // Groups store the parts of the sums, and a second kernel adds them in order.
  void DefineSumOfParts(Indices index, const Expr& part, const Expr& element) {
    const Var of_part("part");
    Indices vars = lowering::VarsOf(hero_.axes);
    vars.push_back(of_part);
    index.push_back(part);
    target_ = Func("parts");
    target_(vars) = Halide::undef(element.type());
    target_(index) = element;
    std::vector<int64_t> extents;
    for (const lowering::Axis& axis : hero_.axes) extents.push_back(axis.extent);
    // Rows past the last end up past the last place of a factor's last axis.
    for (int f : {0, 1}) {
      const MmaFactor& factor = *staging_.factors[f];
      int64_t& last = extents[static_cast<size_t>(factor.axes.back())];
      last = CeilDiv(blocks_[f] * shape_.rows(f), factor.rows / last);
    }
    for (size_t a = 0; a < extents.size(); ++a)
      target_.bound(hero_.axes[a].var, 0, static_cast<int32_t>(extents[a]));
    target_.bound(of_part, 0, static_cast<int32_t>(parts_)).compute_root();
    ReadParts(kernel_, hero_, target_, parts_);
    GpuElementPerThread(kernel_, kernel_.output, kernel_.axes, GpuThreads(kernel_, 256));
  }

  // How many of a lane's sums the epilogue is written out for; loops go over the rest
  // (codegen/passes/gpu/staged_reads.h).
  int64_t MostWrittenOut() const {
    return parts_ > 1 ? shape_.accumulators() : MostSumsWrittenOut(kernel_);
  }
  // A lane of wgmma has a row's columns in one long loop, of which a part is written out if the
  // epilogue is long. Returns by how many.
  int64_t TurnsOfColumns(int64_t columns) const {
    int64_t turns = 1;
    if (!shape_.wgmma) return turns;
    while (shape_.accumulators() / turns > MostWrittenOut() && columns / turns % 2 == 0) turns *= 2;
    return turns;
  }

  void SetLoops() {
    const std::array<RVar, 10>& c = loops_;
    target_.update()
        .allow_race_conditions()
        .reorder({c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]})
        .unroll(c[1])
        .unroll(c[2])
        .vectorize(c[0])
        .gpu_threads(c[6], c[7], c[8])
        .gpu_blocks(c[9]);
    int64_t sums = shape_.accumulators() / turns_;
    for (const auto& [loop, extent] : {std::pair(c[5], shape_.mt), std::pair(c[3], int64_t{2})}) {
      if (sums <= MostWrittenOut()) {
        target_.update().unroll(loop);
      } else {
        sums /= extent;
      }
    }
    product_.compute_at(target_, c[6]).store_in(MemoryType::Register);
  }

  LoweredKernel& kernel_;
  Hero& hero_;
  const Staging& staging_;
  StagedShape shape_;
  const int64_t parts_;
  bool permuted_ = false;
  int64_t tiles_of_vector_ = 1;
  int64_t blocks_[2] = {1, 1}, raster_ = 1;
  const Var q_{"q"}, g_{"g"}, warp_{"warp"}, block_{"block"};
  Func product_;
  Func target_;  // what groups compute: the output, or the parts of the sums
  std::array<RVar, 10> loops_;
  int64_t turns_ = 1;  // that write a row's columns
};

}  // namespace

void BuildStaged(LoweredKernel& kernel, const Staging& staging, const StagedChoice& choice,
                 int64_t raster) {
  Builder(kernel, staging, choice, raster).Build();
}

}  // namespace halyard::schedules
