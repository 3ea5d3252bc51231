// attention_mma: what is kept from block to block, how a block changes it, and the result.

#include "lowering/numerics/arithmetic.h"
#include "schedules/attention/cuda.h"
#include "schedules/mma_product.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using hlo::ElementType;
using lowering::AttentionForm;
using lowering::Hero;
using lowering::Indices;
using lowering::LogicalIndex;
using lowering::LoweredKernel;
using lowering::MmaIntrinsic;
using lowering::Value;
using lowering::numerics::Fp;

AttentionMma::Four AttentionMma::StateAt(const Expr& element, const Expr& m,
                                         const Lane& lane) const {
  Halide::FuncRef at = state_(lane.After({element, m}));
  return {Expr(at[0]), Expr(at[1]), Expr(at[2]), Expr(at[3])};
}

void AttentionMma::BindExponential() {
  kernel_.emitter->BindReader(form_.weights, nullptr);
  const hlo::Instruction* exponential = form_.weights;
  while (exponential->opcode == hlo::Opcode::kConvert) exponential = exponential->operand(0);
  kernel_.emitter->BindReader(exponential, [exponential, this](const LogicalIndex& index) {
    const Value x = kernel_.emitter->At(exponential->operand(0), index);
    const Value y{ElementType::kF32, lowering::FastExp(x.re, capability_), {}};
    return lowering::ConvertTo(y, exponential->shape.element_type());
  });
}

Expr AttentionMma::IsMinusInfinity(const Expr& value) {
  const Fp x{value};
  return lowering::numerics::Eq(x, lowering::numerics::Negate(Infinity(x)));
}

Expr AttentionMma::ShiftOf(const Expr& max, const IndexOf& index) {
  BindMax(lowering::numerics::Select(IsMinusInfinity(max), 0.0, Fp{max}).e);
  return kernel_.emitter->At(form_.shift, IndexIn(form_.shift, index)).re;
}

// (maximum, sum of weights) of the rows, with the maximum raised.
AttentionMma::Four AttentionMma::Maxima(const Expr& m, const Lane& lane) {
  const ElementType type = parts_.max->types[0];
  Four rows = StateAt(kRows, m, lane);
  Indices index = lane.After({m});
  index.push_back(step_block_);
  for (int h : {0, 1}) {
    rows[h] = Larger({type, rows[h], {}}, {type, max_(index)[h], {}}).re;
  }
  return rows;
}

// Returns (factor, shift) of the rows: the factor scales the sums of earlier blocks, and the shift
// comes from the element that holds the earlier maxima.
AttentionMma::Four AttentionMma::Factors(const Expr& m, const Lane& lane) {
  const Four old = StateAt(kScale, m, lane), rows = StateAt(kRows, m, lane);
  Four result;
  for (int h : {0, 1}) {
    const IndexOf index = Index(lane.block, 0, ClampedRow(Row(lane, m, h)), 0);
    const Fp before{ShiftOf(old[h], index)}, after{ShiftOf(rows[h], index)};
    // Before the first score, sums are 0, and the factor could be infinite.
    result[h] = Halide::select(IsMinusInfinity(old[h]), 0.f,
                               lowering::FastExp((before - after).e, capability_));
    result[2 + h] = after.e;
  }
  return result;
}

// A tile's weights, as words, and their sums over the lane's two keys. (Words of two elements; of
// one: the four weights.)
AttentionMma::Four AttentionMma::Weights(const Expr& tile, const Expr& m, const Lane& lane) {
  const MmaIntrinsic& mma = *words_.product;
  const Four scale = StateAt(kScale, m, lane);
  const ElementType logit_type = form_.logits->shape.element_type();
  // The word's own rounding decides what it does.
  const hlo::Instruction* factor = form_.product->operand(form_.weights_operand);
  if (factor->opcode == hlo::Opcode::kConvert && factor->shape.element_type() == mma.lhs &&
      factor->operand(0)->shape.element_type() == ElementType::kF32) {
    factor = factor->operand(0);
  }
  const hlo::Instruction* summed = form_.sum->operand(0);
  Hero& sum = *parts_.sum;
  Indices at = lane.After({tile, m});
  at.push_back(step_block_);
  Four result, plain;
  for (int h : {0, 1}) {
    Value total;
    for (int e : {0, 1}) {
      const Expr key = Key(lane, step_block_, tile, e);
      const IndexOf index = Index(lane.block, ClampedKey(key), ClampedRow(Row(lane, m, h)), 0);
      kernel_.emitter->BindReader(form_.shift, [shift = scale[2 + h], this](const LogicalIndex&) {
        return Value{form_.shift->shape.element_type(), shift, {}};
      });
      BindLogit(logits_(at)[h * 2 + e], logit_type);
      BindExponential();  // the weights are bound to the element before this one
      Value weight = kernel_.emitter->At(form_.weights, IndexIn(form_.weights, index));
      if (CutsKeys()) {
        weight = lowering::SelectValue(IsKey(key), weight, lowering::Zero(weight.type));
      }
      for (const hlo::Instruction* bound : {form_.weights, form_.divide}) {
        kernel_.emitter->BindReader(bound, [weight, bound](const LogicalIndex&) {
          return Value{bound->shape.element_type(), weight.re, {}};
        });
      }
      plain[h * 2 + e] = kernel_.emitter->At(factor, IndexIn(factor, index)).re;
      const Value term = kernel_.emitter->At(summed, IndexIn(summed, index));
      total = e == 0 ? term : sum.combine({total}, {term})[0];
    }
    if (mma.elements == 1) continue;
    const Expr word = lowering::RoundedPair(mma.lhs, plain[h * 2], plain[h * 2 + 1], capability_);
    result[h] = Halide::reinterpret(Halide::Float(32), word);
    result[2 + h] = total.re;
  }
  return mma.elements == 1 ? plain : result;
}

// (maximum, sum of weights) of the rows, with the block's weights added: a lane's, then those of
// the four that share rows, in one order for all of them. (After the loop, LLVM would move the
// shuffles to where some lanes need them only.)
AttentionMma::Four AttentionMma::Sums(const Expr& m, const Lane& lane) {
  Hero& hero = *parts_.sum;
  const ElementType type = hero.types[0];
  const Four scale = StateAt(kScale, m, lane);
  Four rows = StateAt(kRows, m, lane);
  for (int h : {0, 1}) {
    const lowering::LaneValue own = [=, this, &hero](const Expr& q, const Expr& g) {
      Value total;
      for (int64_t tile = 0; tile < key_tiles_; ++tile) {
        const Four weights = StateAt(Int(kWeights + tile), m, lane.At(q, g));
        const bool whole = words_.product->elements != 1;  // sums of two, else the weights
        for (int i = whole ? 2 + h : 2 * h; i < (whole ? 3 + h : 2 * h + 2); ++i) {
          const Value next{type, weights[i], {}};
          total = total.re.defined() ? hero.merge({total}, {next})[0] : next;
        }
      }
      return total.re;
    };
    auto added = [&](const lowering::LaneValue& value, int mask) -> lowering::LaneValue {
      return [&hero, type, value, mask, this](const Expr& q, const Expr& g) {
        const Expr other = lowering::ShuffleXor(value, q, g, mask, on_device_);
        return hero.merge({{type, value(q, g), {}}}, {{type, other, {}}})[0].re;
      };
    };
    const Value before{type, (Fp{rows[2 + h]} * Fp{scale[h]}).e, {}};
    const Value block{type, added(added(own, 1), 2)(lane.q, lane.g), {}};
    rows[2 + h] = hero.merge({before}, {block})[0].re;
  }
  return rows;
}

// Tile `tile` of group round % groups, of the chunk of keys round / groups.
AttentionMma::Four AttentionMma::Product(const Expr& round, const Expr& tile, const Expr& m,
                                         const Lane& lane) {
  const MmaIntrinsic& mma = *words_.product;
  const Expr chunk = round / Int(value_groups_), group = round % Int(value_groups_);
  const Four before = StateAt(Int(first_sum()) + group * Int(kVector) + tile, m, lane);
  auto a = [&](int w, const Expr& q, const Expr& g) {
    const Lane at = lane.At(q, g);
    const int word = w / 2, h = w % 2;
    if (mma.elements == 1) {
      const Four weights = StateAt(Int(kWeights) + chunk, m, at);
      return lowering::Tf32Word(weights[h * 2 + word], on_device_);
    }
    const Four weights = StateAt(Int(kWeights) + chunk * Int(mma.words) + word, m, at);
    return Halide::reinterpret(Halide::UInt(32), weights[h]);
  };
  auto b = [&](int w, const Expr& q, const Expr& g) {
    Indices index = lane.At(q, g).After({tile, Int(w), round});
    index.push_back(step_block_);
    return Expr(value_words_(index));
  };
  const std::vector<Expr> after =
      lowering::Mma(mma, {before.begin(), before.end()}, a, b, lane.q, lane.g, on_device_);
  return {after[0], after[1], after[2], after[3]};
}

// The steps of a block, four (step_v) to a group (step_u):
//   0:  earlier maxima put aside; maxima raised; factors and shifts; nothing
//   then weights of four tiles each; sums of weights in the first step of the next
//   then sums of values scaled, four tiles each; then, for each chunk of keys, the products.
void AttentionMma::DefineState() {
  const int64_t weight_groups = key_tiles_ / kVector;
  const int64_t sum_group = 1 + weight_groups, first = sum_group + 1;
  const int64_t groups = first + value_groups_ * (1 + chunks_);
  std::vector<Halide::Range> loops;
  if (!on_device_) loops = {{0, 4}, {0, 8}};
  for (int64_t extent : {kVector, warps_.tiles_q, groups, blocks_of_split()}) {
    loops.emplace_back(0, Int(extent));
  }
  const Halide::RDom r(loops, "step");
  const int d = on_device_ ? 0 : 2;
  step_v_ = r[d], step_m_ = r[d + 1], step_u_ = r[d + 2], step_block_ = r[d + 3];
  Lane lane{q_, g_, warp_, block_};
  if (!on_device_) {
    step_q_ = r[0], step_g_ = r[1];
    lane.q = step_q_, lane.g = step_g_;
  }
  const Expr v = step_v_, u = step_u_, m = step_m_;
  auto clamped = [](const Expr& x, int64_t last) { return Halide::clamp(x, 0, Int(last)); };
  const Expr tile = clamped((u - 1) * Int(kVector) + v, key_tiles_ - 1);
  const Expr round = u - Int(first);  // of scaling, then of the products
  const int64_t scaling = value_groups_, rounds = value_groups_ * chunks_;
  const Expr group = clamped(round, scaling + rounds) % Int(value_groups_);
  const Expr sum = Int(first_sum()) + group * Int(kVector) + v;
  const Expr is_row = (u == 0 && v == 1) || (u == Int(sum_group) && v == 0);

  state_ = Func("state");
  const Expr zero(0.f), start = parts_.max->init()[0].re;
  const Expr of_rows = element_ == Int(kRows);
  state_(Lane{q_, g_, warp_, block_}.After({element_, m_})) = Halide::Tuple(
      Halide::select(of_rows, start, zero), Halide::select(of_rows, start, zero), zero, zero);

  const Four rows = StateAt(kRows, m, lane), scale = StateAt(kScale, m, lane);
  const Four maxima = Maxima(m, lane), factors = Factors(m, lane);
  const Four weights = Weights(tile, m, lane), sums = Sums(m, lane);
  const Four sum_before = StateAt(clamped(sum, elements() - 1), m, lane);
  const Four products = Product(clamped(round - Int(scaling), rounds - 1), v, m, lane);
  std::vector<Expr> next;
  for (int i = 0; i < 4; ++i) {
    const Expr scaled = (Fp{sum_before[i]} * Fp{scale[i / 2]}).e;
    next.push_back(Halide::select(
        u == 0, Halide::select(v == 0, rows[i], v == 1, maxima[i], v == 2, factors[i], scale[i]),
        u < Int(sum_group), weights[i], u == Int(sum_group),
        Halide::select(v == 0, sums[i], scale[i]), round < Int(scaling), scaled, products[i]));
  }
  const Expr element = Halide::select(is_row, Int(kRows), u == 0 || u == Int(sum_group),
                                      Int(kScale), u < Int(sum_group), Int(kWeights) + tile, sum);
  state_(lane.After({clamped(element, elements() - 1), m})) = Halide::Tuple(next);
}

}  // namespace halyard::schedules
