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
  BindFastExp(exponential);
}

void AttentionMma::BindFastExp(const hlo::Instruction* exponential) {
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
// one: the four weights. Statistics: the sums of the extra terms instead of words.)
AttentionMma::Four AttentionMma::Weights(const Expr& tile, const Expr& m, const Lane& lane) {
  const Four scale = StateAt(kScale, m, lane);
  const ElementType logit_type = form_.logits->shape.element_type();
  const hlo::Instruction* factor = HasProduct() ? RoundedByWord() : nullptr;
  const hlo::Instruction* summed = form_.sum->operand(0);
  Hero& sum = *parts_.sum;
  Indices at = lane.After({tile, m});
  at.push_back(step_block_);
  Four plain, sums;
  for (int h : {0, 1}) {
    Value total, extra;
    for (int e : {0, 1}) {
      const Expr key = Key(lane, step_block_, tile, e);
      const IndexOf index = Index(lane.block, ClampedKey(key), ClampedRow(Row(lane, m, h)), 0);
      kernel_.emitter->BindReader(form_.shift, [shift = scale[2 + h], this](const LogicalIndex&) {
        return Value{form_.shift->shape.element_type(), shift, {}};
      });
      if (!HasProduct()) BindScores(at, h * 2 + e);
      BindLogit(logits_(at)[h * 2 + e], logit_type);
      BindExponential();  // the weights are bound to the element before this one
      Value weight = kernel_.emitter->At(form_.weights, IndexIn(form_.weights, index));
      if (CutsKeys()) {
        weight = lowering::SelectValue(IsKey(key), weight, lowering::Zero(weight.type));
      }
      for (const hlo::Instruction* bound : {form_.weights, form_.divide}) {
        if (bound == nullptr) continue;
        kernel_.emitter->BindReader(bound, [weight, bound](const LogicalIndex&) {
          return Value{bound->shape.element_type(), weight.re, {}};
        });
      }
      if (HasProduct()) plain[h * 2 + e] = kernel_.emitter->At(factor, IndexIn(factor, index)).re;
      const Value term = kernel_.emitter->At(summed, IndexIn(summed, index));
      total = e == 0 ? term : sum.combine({total}, {term})[0];
      if (form_.extra == nullptr) continue;
      Value next =
          kernel_.emitter->At(form_.extra->operand(0), IndexIn(form_.extra->operand(0), index));
      // Past the last key, 0 times what another key has is no number where that is none.
      if (CutsKeys()) next = lowering::SelectValue(IsKey(key), next, lowering::Zero(next.type));
      extra = e == 0 ? next : parts_.extra->combine({extra}, {next})[0];
    }
    sums[h] = form_.extra == nullptr ? Expr(0.f) : extra.re;
    sums[2 + h] = total.re;
  }
  kernel_.emitter->BindReader(form_.shift, nullptr);
  if (!HasProduct()) return sums;
  if (words_.product->elements == 1) return plain;
  const Four words = Packed(plain);
  return {words[0], words[1], sums[2], sums[3]};
}

// What the last product multiplies, before a conversion that the word's own rounding does.
const hlo::Instruction* AttentionMma::RoundedByWord() const {
  const hlo::Instruction* factor = form_.factor();
  const bool rounds = factor->opcode == hlo::Opcode::kConvert &&
                      factor->shape.element_type() == words_.product->lhs &&
                      factor->operand(0)->shape.element_type() == ElementType::kF32;
  return rounds ? factor->operand(0) : factor;
}

// Two words of two elements each, one for each row, or four elements that are words.
AttentionMma::Four AttentionMma::Packed(const Four& plain) const {
  const MmaIntrinsic& mma = *words_.product;
  if (mma.elements == 1) return plain;
  Four words = {Expr(0.f), Expr(0.f), Expr(0.f), Expr(0.f)};
  for (int h : {0, 1}) {
    const Expr word = lowering::RoundedPair(mma.lhs, plain[h * 2], plain[h * 2 + 1], capability_);
    words[h] = Halide::reinterpret(Halide::Float(32), word);
  }
  return words;
}

// A tile's elements of a chain's factor, as words.
AttentionMma::Four AttentionMma::ChainWeights(const Expr& tile, const Expr& m, const Lane& lane) {
  for (const auto& instruction : kernel_.module->entry()->instructions())
    if (instruction->opcode == hlo::Opcode::kExp) BindFastExp(instruction.get());
  const hlo::Instruction* factor = RoundedByWord();
  Indices at = lane.After({tile, m});
  at.push_back(step_block_);
  Four plain;
  for (int h : {0, 1}) {
    for (int e : {0, 1}) {
      const Expr key = Key(lane, step_block_, tile, e);
      Expr row = ClampedRow(Row(lane, m, h)), column = ClampedKey(key);
      if (masks_places_) {  // as for the logits
        row = lowering::numerics::Opaque(row);
        column = lowering::numerics::Opaque(column);
      }
      BindScores(at, h * 2 + e);
      const IndexOf index = Index(lane.block, column, row, 0);
      Value weight = kernel_.emitter->At(factor, IndexIn(factor, index));
      if (CutsKeys()) {
        weight = lowering::SelectValue(IsKey(key), weight, lowering::Zero(weight.type));
      }
      plain[h * 2 + e] = weight.re;
    }
  }
  return Packed(plain);
}

Value AttentionMma::BlockSum(Hero& hero, int first, const Expr& m, const Lane& lane) const {
  const ElementType type = hero.types[0];
  // Sums of a lane's two keys; else the weights themselves.
  const bool whole = !HasProduct() || words_.product->elements != 1;
  const lowering::LaneValue own = [=, this, &hero](const Expr& q, const Expr& g) {
    Value total;
    for (int64_t tile = 0; tile < key_tiles_; ++tile) {
      const Four weights = StateAt(Int(first_weight() + tile), m, lane.At(q, g));
      const int begin = whole ? first : 2 * (first - 2), end = whole ? first + 1 : begin + 2;
      for (int i = begin; i < end; ++i) {
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
  return {type, added(added(own, 1), 2)(lane.q, lane.g), {}};
}

// (maximum, sum of weights) of the rows, with the block's weights added: a lane's, then those of
// the four that share rows, in one order for all of them. (After the loop, LLVM would move the
// shuffles to where some lanes need them only.)
AttentionMma::Four AttentionMma::Sums(const Expr& m, const Lane& lane) {
  Hero& hero = *parts_.sum;
  const Four scale = StateAt(kScale, m, lane);
  Four rows = StateAt(kRows, m, lane);
  for (int h : {0, 1}) {
    const Value before{hero.types[0], (Fp{rows[2 + h]} * Fp{scale[h]}).e, {}};
    rows[2 + h] = hero.merge({before}, {BlockSum(hero, 2 + h, m, lane)})[0].re;
  }
  return rows;
}

// The same for the extra sums, of which there are two.
AttentionMma::Four AttentionMma::Extras(const Expr& m, const Lane& lane) {
  if (parts_.extra == nullptr) return StateAt(kExtra, m, lane);
  Hero& hero = *parts_.extra;
  const Four scale = StateAt(kScale, m, lane);
  Four extras = StateAt(kExtra, m, lane);
  for (int h : {0, 1}) {
    const Value before{hero.types[0], (Fp{extras[h]} * Fp{scale[h]}).e, {}};
    extras[h] = hero.merge({before}, {BlockSum(hero, h, m, lane)})[0].re;
  }
  return extras;
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
      const Four weights = StateAt(Int(first_weight()) + chunk, m, at);
      return lowering::Tf32Word(weights[h * 2 + word], on_device_);
    }
    const Four weights = StateAt(Int(first_weight()) + chunk * Int(mma.words) + word, m, at);
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
//   then weights of four tiles each; sums of weights and extra sums in the first steps of the next
//   then sums of values scaled, four tiles each; then, for each chunk of keys, the products
//   (of warpgroups: both in one step, by an intrinsic).
// Chains have only the weights and the products, and statistics end before the scaling.
void AttentionMma::DefineState() {
  const int64_t first_weights = HasRows() ? 1 : 0;
  const int64_t sum_group = first_weights + key_tiles_ / kVector;
  const int64_t first = HasRows() ? sum_group + 1 : sum_group;
  const int64_t scaling = HasRows() ? value_groups_ : 0, rounds = value_groups_ * chunks_;
  DefineSteps(first + (warps_.warpgroups ? 1 : scaling + rounds));
  Lane lane{q_, g_, warp_, block_};
  if (!on_device_) lane.q = step_q_, lane.g = step_g_;
  const Expr v = step_v_, u = step_u_, m = step_m_;
  auto clamped = [](const Expr& x, int64_t last) { return Halide::clamp(x, 0, Int(last)); };
  const Expr tile = clamped((u - Int(first_weights)) * Int(kVector) + v, key_tiles_ - 1);
  const Expr round = u - Int(first);  // of scaling, then of the products

  state_ = Func("state");
  const Expr zero(0.f), start = HasRows() ? parts_.max->init()[0].re : zero;
  const Expr of_rows = HasRows() ? element_ == Int(kRows) : Expr(false);
  state_(Lane{q_, g_, warp_, block_}.After({element_, m_})) = Halide::Tuple(
      Halide::select(of_rows, start, zero), Halide::select(of_rows, start, zero), zero, zero);

  // What each step sets, and to what: the last ones first.
  Expr element = Int(first_weight()) + tile;
  Four next = HasRows() ? Weights(tile, m, lane) : ChainWeights(tile, m, lane);
  auto before = [&](const Expr& condition, const Expr& other, const Four& values) {
    element = Halide::select(condition, other, element);
    for (int i = 0; i < 4; ++i) next[i] = Halide::select(condition, values[i], next[i]);
  };
  if (warps_.warpgroups) {
    before(round >= 0, Int(kScale), StateAt(kScale, m, lane));
    before(round >= 0 && v == 0, Int(first_sum()), WarpgroupSums(lane));
  } else if (HasProduct()) {
    const Expr group = clamped(round, scaling + rounds) % Int(value_groups_);
    const Expr sum = clamped(Int(first_sum()) + group * Int(kVector) + v, elements() - 1);
    before(round >= Int(scaling), sum,
           Product(clamped(round - Int(scaling), rounds - 1), v, m, lane));
    if (scaling > 0) {
      const Four sums = StateAt(sum, m, lane), scale = StateAt(kScale, m, lane);
      Four scaled;
      for (int i = 0; i < 4; ++i) scaled[i] = (Fp{sums[i]} * Fp{scale[i / 2]}).e;
      before(round >= 0 && round < Int(scaling), sum, scaled);
    }
  }
  if (HasRows()) {
    const Expr sums = u == Int(sum_group);
    before(sums || u == 0, Int(kScale), StateAt(kScale, m, lane));
    before(sums && v == 0, Int(kRows), Sums(m, lane));
    if (!HasProduct()) before(sums && v == 1, Int(kExtra), Extras(m, lane));
    before(u == 0 && v == 0, Int(kScale), StateAt(kRows, m, lane));
    before(u == 0 && v == 1, Int(kRows), Maxima(m, lane));
    before(u == 0 && v == 2, Int(kScale), Factors(m, lane));
  }
  state_(lane.After({clamped(element, elements() - 1), m})) =
      Halide::Tuple(std::vector<Expr>(next.begin(), next.end()));
}

void AttentionMma::DefineSteps(int64_t groups) {
  std::vector<Halide::Range> loops;
  if (!on_device_) loops = {{0, 4}, {0, 8}};
  for (int64_t extent : {kVector, warps_.tiles_q, groups, blocks_of_split()}) {
    loops.emplace_back(0, Int(extent));
  }
  const Halide::RDom r(loops, "step");
  const int d = on_device_ ? 0 : 2;
  step_v_ = r[d], step_m_ = r[d + 1], step_u_ = r[d + 2], step_block_ = r[d + 3];
  if (!on_device_) step_q_ = r[0], step_g_ = r[1];
}

}  // namespace halyard::schedules
