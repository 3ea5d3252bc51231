// attention_mma: softmax(logits(Q·K)) · V by tensor cores in one kernel, in one pass over the keys
// (Dao, "FlashAttention-2: faster attention with better parallelism and work partitioning", 2023).
//
// A warp has 16 · tiles_q queries of one head; their words of Q, their sums of weighted values,
// maxima and sums of weights stay in its registers. For each block of keys the workgroup copies K
// and V to shared memory, as words of the products; each warp multiplies its queries by the keys,
// finds the rows' new maxima (over the four lanes that share a row by shuffles), scales its sums by
// exp(old shift - new shift), makes weights of the scores and multiplies these by the values. The
// accumulators of the first product are in the order that words of A have in the second, so that
// weights go from one to the other in a lane's own registers.
//
// All that is kept from block to block is one Func, `state`, whose elements are the lane's
// registers and whose update definition, unrolled, is the list of steps that a block takes: which
// element a step sets, and to what, depends on its number.
//
// attention_mma_lanes is the same on x86, with lanes as loops and the intrinsics' CPU equivalents:
// slow, for tests of the above. It is never a default.

#include <algorithm>
#include <array>

#include "lowering/attention_warps.h"
#include "lowering/codegen/pipelined_loops.h"
#include "lowering/emitter.h"
#include "lowering/fragments.h"
#include "lowering/numerics/arithmetic.h"
#include "lowering/numerics/integer_ops.h"
#include "lowering/numerics/transcendental.h"
#include "schedules/attention.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::MemoryType;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using hlo::ElementType;
using lowering::AttentionForm;
using lowering::AttentionWarps;
using lowering::AttentionWords;
using lowering::Hero;
using lowering::Indices;
using lowering::LogicalIndex;
using lowering::LoweredKernel;
using lowering::MmaIntrinsic;
using lowering::Value;
using lowering::numerics::Fp;

namespace {

using IndexOf = std::function<Expr(int64_t place)>;

constexpr int64_t kVector = 4;  // words of 16 bytes

Expr Int(int64_t value) { return Expr(static_cast<int32_t>(value)); }

bool OnDevice(const LoweredKernel& kernel) {
  return kernel.device.kind == runtime::DeviceKind::kCuda;
}

// Where a lane is: on the device all of it are Vars, on the CPU the steps of `state` have loops of
// their own over lanes.
struct Lane {
  Expr q, g, warp, block;
  Indices After(Indices first) const {
    first.insert(first.end(), {q, g, warp, block});
    return first;
  }
  Lane At(const Expr& other_q, const Expr& other_g) const {
    return {other_q, other_g, warp, block};
  }
};

class AttentionMma {
 public:
  AttentionMma(LoweredKernel& kernel, const AttentionParts& parts, const AttentionWords& words,
               const AttentionWarps& warps)
      : kernel_(kernel),
        parts_(parts),
        form_(*parts.form),
        words_(words),
        warps_(warps),
        on_device_(OnDevice(kernel)),
        capability_(on_device_ ? kernel.device.cuda_capability : 0) {
    key_tiles_ = warps.keys / 8;
    value_groups_ = words.values / 32;
    chunks_ = warps.keys / words.product->k();
    blocks_q_ = (parts.queries + warps.block_q() - 1) / warps.block_q();
    groups_ = blocks_q_;
    // Queries that share their keys come one after the other.
    for (bool query : {true, false}) {
      for (size_t d = 0; d < form_.is_query.size(); ++d) {
        const int64_t place = form_.places.at(form_.scores)[d];
        if (place == AttentionForm::kNone || place == form_.key_dim || place == parts.rows_dim ||
            form_.is_query[d] != query) {
          continue;
        }
        others_.push_back({place, form_.scores->shape.dim(place)});
        groups_ *= others_.back().second;
      }
    }
  }

  void Build() {
    DefineTiles();
    DefineScores();
    DefineMaxima();
    DefineState();
    DefineOutput();
    Arrange();
  }

 private:
  int64_t blocks_k() const { return (parts_.keys + warps_.keys - 1) / warps_.keys; }
  bool CutsKeys() const { return parts_.keys % warps_.keys != 0; }
  Expr Row(const Lane& lane, const Expr& m, const Expr& h) const {
    const Expr warp = lane.block % Int(blocks_q_) * Int(warps_.warps) + lane.warp;
    return (warp * Int(warps_.tiles_q) + m) * 16 + h * 8 + lane.g;
  }
  Expr ClampedRow(const Expr& row) const {
    if (parts_.queries % warps_.block_q() == 0) return row;
    return Halide::min(row, Int(parts_.queries - 1));
  }
  // Of the values that a lane holds in an accumulator of scores.
  Expr Key(const Lane& lane, const Expr& block_k, const Expr& tile, int e) const {
    return block_k * Int(warps_.keys) + tile * 8 + lane.q * 2 + e;
  }
  // Opaque: else Halide leaves out the products of lanes whose keys are past the last, but products
  // need whole warps.
  Expr IsKey(const Expr& key) const { return lowering::numerics::Opaque(key) < Int(parts_.keys); }
  Expr ClampedKey(const Expr& key) const {
    return CutsKeys() ? Halide::min(key, Int(parts_.keys - 1)) : key;
  }
  IndexOf Index(const Expr& block, const Expr& key, const Expr& row, const Expr& value) const;
  LogicalIndex IndexIn(const hlo::Instruction* instruction, const IndexOf& index_of) const;
  Expr Word(const Value& value, ElementType type) const;

  void DefineTiles();
  void DefineKeys();
  void DefineValues();
  void DefineQueries();
  void DefineScores();
  void DefineMaxima();
  void DefineState();
  void DefineOutput();
  void Arrange();
  void ArrangeState();
  void ArrangeTile(Func& tile, const Var& row, int64_t columns, int64_t rows, int64_t stride,
                   bool vectors);

  // Two maxima, of values in compute form: f32.
  Value Larger(const Value& a, const Value& b) const {
    return {a.type, lowering::MaximumOf(a.re, b.re, capability_), {}};
  }
  void BindLogit(const Expr& logit, ElementType type);
  void BindMax(const Expr& max);
  // The weights' exponential, good enough for what is rounded to 11 bits or less.
  void BindExponential();
  // The shift that belongs to a maximum; of -inf (no score yet) as if it were 0, so that weights
  // are 0 and not NaN. DefineOutput puts that right.
  Expr ShiftOf(const Expr& max, const IndexOf& index);
  // Four elements, one for each value that a lane holds in an accumulator.
  using Four = std::array<Expr, 4>;
  Four StateAt(const Expr& element, const Expr& m, const Lane& lane) const;
  Four Maxima(const Expr& m, const Lane& lane);
  Four Factors(const Expr& m, const Lane& lane);
  Four Weights(const Expr& tile, const Expr& m, const Lane& lane);
  Four Sums(const Expr& m, const Lane& lane);
  Four Product(const Expr& round, const Expr& tile, const Expr& m, const Lane& lane);

  // Elements of `state`: (maximum, sum) of rows; (factor, shift) of rows; weights; sums of values.
  static constexpr int kRows = 0, kScale = 1, kWeights = 2;
  int64_t first_sum() const { return kWeights + key_tiles_; }
  int64_t elements() const { return first_sum() + value_groups_ * kVector; }

  LoweredKernel& kernel_;
  const AttentionParts& parts_;
  const AttentionForm& form_;
  const AttentionWords words_;
  const AttentionWarps warps_;
  const bool on_device_;
  const int capability_;      // 0: the CPU equivalents
  int64_t key_tiles_ = 1;     // of 8 keys, in a block
  int64_t value_groups_ = 1;  // of 4 tiles of 8 values
  int64_t chunks_ = 1;        // of keys, each one step of the second product
  int64_t blocks_q_ = 1, groups_ = 1;
  std::vector<std::pair<int64_t, int64_t>> others_;  // places and extents

  Var v_{"v"}, o_{"o"}, row_{"row"}, i_{"i"}, w_{"w"}, round_{"round"}, tile_{"tile"}, m_{"m"};
  Var element_{"element"}, q_{"q"}, g_{"g"}, warp_{"warp"}, block_{"block"}, block_k_{"block_k"};
  Func keys_, values_;                          // (v, o, row, block, block_k): in shared memory
  Func key_words_, value_words_, query_words_;  // a lane's
  Func scores_, logits_;                        // (tile, m, lane, block_k), four values each
  Func part_max_, max_;                         // (m, lane, block_k), of the rows h = 0, 1
  Func state_;
  RVar head_inner_, head_outer_;
  RVar step_v_, step_m_, step_u_, step_block_, step_q_, step_g_;
  RVar out_v_, out_o_, out_e_, out_h_, out_m_, out_q_, out_g_, out_warp_, out_block_;
  bool vector_output_ = false;
};

IndexOf AttentionMma::Index(const Expr& block, const Expr& key, const Expr& row,
                            const Expr& value) const {
  std::vector<std::pair<int64_t, Expr>> known;
  Expr rest = block / Int(blocks_q_);
  for (size_t i = 0; i < others_.size(); ++i) {
    const Expr extent = Int(others_[i].second);
    known.push_back({others_[i].first, i + 1 == others_.size() ? rest : rest % extent});
    rest = rest / extent;
  }
  return [=, this](int64_t place) {
    if (place == form_.key_dim) return key;
    if (place == parts_.rows_dim) return row;
    if (place == AttentionForm::kValueDim) return value;
    for (const auto& [other, index] : known) {
      if (other == place) return index;
    }
    return Expr(0);
  };
}

LogicalIndex AttentionMma::IndexIn(const hlo::Instruction* instruction,
                                   const IndexOf& index_of) const {
  LogicalIndex index;
  for (int64_t place : form_.places.at(instruction)) {
    index.push_back(place == AttentionForm::kNone ? Expr(0) : index_of(place));
  }
  return index;
}

// An element of a word, or a whole word.
Expr AttentionMma::Word(const Value& value, ElementType type) const {
  return type == ElementType::kF32 ? lowering::Tf32Word(value.re, on_device_)
                                   : lowering::BitsAs(value, type);
}

void AttentionMma::DefineTiles() {
  kernel_.packs_words = true;
  DefineKeys();
  DefineValues();
  DefineQueries();
}

// Words of neighbouring elements of a key or query, zeros past the last; `o` counts vectors.
struct HeadWords {
  Expr zero_past;  // undefined: nothing is past
  Indices elements;
};
HeadWords WordsOfHead(const Expr& o, const Expr& v, int64_t elements, int64_t head_size,
                      int64_t padded) {
  HeadWords result;
  const int64_t unit = kVector * elements;
  for (int64_t p = 0; p < elements; ++p) {
    if (padded * elements == head_size) {
      result.elements.push_back(o * Int(unit) + v * Int(elements) + Int(p));
    } else if (head_size % unit == 0) {
      result.zero_past = o < Int(head_size / unit);
      result.elements.push_back(Halide::min(o, Int(head_size / unit - 1)) * Int(unit) +
                                v * Int(elements) + Int(p));
    } else {
      result.elements.push_back(o * Int(unit) + v * Int(elements) + Int(p));
    }
  }
  return result;
}

void AttentionMma::DefineKeys() {
  const Hero& hero = *parts_.scores;
  const int64_t side = 1 - form_.query_operand;
  const PlacedFunc like = PlacedLike(form_, *form_.scores, "s");
  const MmaIntrinsic& mma = *words_.scores;
  const Expr key = ClampedKey(Expr(block_k_) * Int(warps_.keys) + row_);
  const Indices axes = PlacedArguments(like, Index(block_, key, 0, 0));
  const HeadWords words = WordsOfHead(o_, v_, mma.elements, parts_.head_size, words_.head);
  std::vector<Expr> parts;
  for (const Expr& element : words.elements) {
    const bool one_by_one = parts_.head_size % (kVector * mma.elements) != 0;
    const Expr r = one_by_one ? Halide::min(element, Int(parts_.head_size - 1)) : element;
    Expr bits = Word(hero.term(axes, {r})[side], mma.lhs);
    if (one_by_one) {
      bits = Halide::select(element < Int(parts_.head_size), bits,
                            Halide::Internal::make_zero(bits.type()));
    }
    parts.push_back(bits);
  }
  Expr word = lowering::PackWord(parts);
  if (words.zero_past.defined()) word = Halide::select(words.zero_past, word, Expr(0u));
  keys_ = Func("keys");
  keys_(v_, o_, row_, block_, block_k_) = word;
  key_words_ = Func("key_words");
  key_words_(v_, o_, tile_, q_, g_, warp_, block_, block_k_) =
      keys_(v_, o_ * 4 + q_, tile_ * 8 + g_, block_, block_k_);
}

// A lane's words of rows i = 2 m + h.
void AttentionMma::DefineQueries() {
  const Hero& hero = *parts_.scores;
  const PlacedFunc like = PlacedLike(form_, *form_.scores, "s");
  const MmaIntrinsic& mma = *words_.scores;
  const Lane lane{q_, g_, warp_, block_};
  const Expr row = ClampedRow(Row(lane, i_ / 2, i_ % 2));
  const Indices axes = PlacedArguments(like, Index(block_, 0, row, 0));
  const HeadWords words = WordsOfHead(o_ * 4 + q_, v_, mma.elements, parts_.head_size, words_.head);
  std::vector<Expr> parts;
  for (const Expr& element : words.elements) {
    const bool one_by_one = parts_.head_size % (kVector * mma.elements) != 0;
    const Expr r = one_by_one ? Halide::min(element, Int(parts_.head_size - 1)) : element;
    Expr bits = Word(hero.term(axes, {r})[form_.query_operand], mma.lhs);
    if (one_by_one) {
      bits = Halide::select(element < Int(parts_.head_size), bits,
                            Halide::Internal::make_zero(bits.type()));
    }
    parts.push_back(bits);
  }
  Expr word = lowering::PackWord(parts);
  if (words.zero_past.defined()) word = Halide::select(words.zero_past, word, Expr(0u));
  query_words_ = Func("query_words");
  query_words_(v_, o_, i_, q_, g_, warp_, block_) = word;
}

// Words of as many neighbouring keys as the product takes, zeros past the last: weights there are
// 0, but 0 · inf is not.
void AttentionMma::DefineValues() {
  const Hero& hero = *parts_.product;
  const int64_t side = 1 - form_.weights_operand;
  const PlacedFunc like = PlacedLike(form_, *form_.product, "p");
  const MmaIntrinsic& mma = *words_.product;
  Expr column;
  if (parts_.value_size % kVector == 0) {
    column = Halide::min(o_, Int(parts_.value_size / kVector - 1)) * Int(kVector) + v_;
  } else {
    column = Halide::min(o_ * Int(kVector) + v_, Int(parts_.value_size - 1));
  }
  const Indices axes = PlacedArguments(like, Index(block_, 0, 0, column));
  // `term` gives both factors; the other one is not there yet.
  kernel_.emitter->BindReader(form_.divide, [this](const LogicalIndex&) {
    return lowering::Zero(form_.divide->shape.element_type());
  });
  std::vector<Expr> parts;
  for (int p = 0; p < mma.elements; ++p) {
    const Expr key = Expr(block_k_) * Int(warps_.keys) + row_ * Int(mma.elements) + p;
    Expr bits = Word(hero.term(axes, {ClampedKey(key)})[side], mma.rhs);
    if (CutsKeys()) {
      bits = Halide::select(key < Int(parts_.keys), bits, Halide::Internal::make_zero(bits.type()));
    }
    parts.push_back(bits);
  }
  values_ = Func("values");
  values_(v_, o_, row_, block_, block_k_) = lowering::PackWord(parts);
  // Of the products' round c · groups + o. Word w of chunk c: of keys (4w + q)·elements … of the
  // 4·words·elements of the chunk; f32's words are of keys 2q + w, since that is what a lane has
  // weights of.
  const Expr chunk = round_ / Int(value_groups_), group = round_ % Int(value_groups_);
  const Expr row = mma.elements == 1 ? chunk * Int(mma.k()) + q_ * 2 + w_
                                     : (chunk * Int(mma.words) + w_) * 4 + q_;
  value_words_ = Func("value_words");
  value_words_(v_, w_, round_, q_, g_, warp_, block_, block_k_) =
      values_(v_, group * 8 + g_, row, block_, block_k_);
}

void AttentionMma::DefineScores() {
  const MmaIntrinsic& mma = *words_.scores;
  const Lane lane{q_, g_, warp_, block_};
  Indices at = lane.After({tile_, m_});
  at.push_back(block_k_);
  scores_ = Func("scores");
  scores_(at) = Halide::Tuple(std::vector<Expr>(4, Expr(0.f)));
  const int64_t inner = kVector / mma.words;  // products of a vector of words
  Halide::RDom r(0, static_cast<int32_t>(inner), 0, static_cast<int32_t>(words_.head / 16), "d");
  head_inner_ = r[0];
  head_outer_ = r[1];
  auto a = [&](int w, const Expr& q, const Expr& g) {
    return Expr(query_words_(lane.At(q, g).After(
        {Expr(head_inner_) * mma.words + w / 2, head_outer_, Expr(m_) * 2 + w % 2})));
  };
  auto b = [&](int w, const Expr& q, const Expr& g) {
    Indices index = lane.At(q, g).After({Expr(head_inner_) * mma.words + w, head_outer_, tile_});
    index.push_back(block_k_);
    return Expr(key_words_(index));
  };
  Halide::FuncRef before = scores_(at);
  scores_(at) = Halide::Tuple(
      lowering::Mma(mma, {before[0], before[1], before[2], before[3]}, a, b, q_, g_, on_device_));

  std::vector<Expr> elements;
  for (int i = 0; i < 4; ++i) {
    parts_.scores->read = [&](const Indices&) { return std::vector<Expr>{Expr(scores_(at)[i])}; };
    kernel_.emitter->Forget();
    const IndexOf index = Index(block_, ClampedKey(Key(lane, block_k_, tile_, i % 2)),
                                ClampedRow(Row(lane, m_, i / 2)), 0);
    elements.push_back(kernel_.emitter->At(form_.logits, IndexIn(form_.logits, index)).re);
  }
  logits_ = Func("logits");
  logits_(at) = Halide::Tuple(elements);
}

void AttentionMma::BindLogit(const Expr& logit, ElementType type) {
  kernel_.emitter->BindReader(form_.logits, [=](const LogicalIndex&) {
    return Value{type, logit, {}};
  });
}

void AttentionMma::BindMax(const Expr& max) {
  kernel_.emitter->BindReader(form_.max, [max, type = parts_.max->types[0]](const LogicalIndex&) {
    return Value{type, max, {}};
  });
}

// Of a block's scores: of each lane, then of the four that share rows.
void AttentionMma::DefineMaxima() {
  Hero& hero = *parts_.max;
  const Lane lane{q_, g_, warp_, block_};
  const ElementType type = hero.types[0];
  Indices at = lane.After({m_});
  at.push_back(block_k_);
  std::vector<Expr> rows;
  for (int h : {0, 1}) {
    Value all = (hero.identity.empty() ? hero.init() : hero.identity)[0];
    for (int64_t tile = 0; tile < key_tiles_; ++tile) {
      for (int e : {0, 1}) {
        Indices index = lane.After({Int(tile), m_});
        index.push_back(block_k_);
        const Value logit{form_.logits->shape.element_type(), logits_(index)[h * 2 + e], {}};
        Value next = Larger(all, logit);
        if (CutsKeys()) {
          next = lowering::SelectValue(IsKey(Key(lane, block_k_, Int(tile), e)), next, all);
        }
        all = next;
      }
    }
    rows.push_back(all.re);
  }
  part_max_ = Func("part_max");
  part_max_(at) = Halide::Tuple(rows);
  rows.clear();
  for (int h : {0, 1}) {
    const lowering::LaneValue part = [=, this](const Expr& q, const Expr& g) {
      Indices index = lane.At(q, g).After({m_});
      index.push_back(block_k_);
      return Expr(part_max_(index)[h]);
    };
    auto merged = [&](const lowering::LaneValue& value, int mask) -> lowering::LaneValue {
      return [type, value, mask, this](const Expr& q, const Expr& g) {
        const Expr other = lowering::ShuffleXor(value, q, g, mask, on_device_);
        return Larger({type, value(q, g), {}}, {type, other, {}}).re;
      };
    };
    rows.push_back(merged(merged(part, 1), 2)(q_, g_));
  }
  max_ = Func("max");
  max_(at) = Halide::Tuple(rows);
}

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

Expr AttentionMma::ShiftOf(const Expr& max, const IndexOf& index) {
  const Fp value{max};
  const Expr none = lowering::numerics::Eq(value, lowering::numerics::Negate(Infinity(value)));
  BindMax(lowering::numerics::Select(none, 0.0, value).e);
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

// (factor, shift) of the rows: by what sums of earlier blocks are scaled, from what element holds
// the earlier maxima.
AttentionMma::Four AttentionMma::Factors(const Expr& m, const Lane& lane) {
  const Four old = StateAt(kScale, m, lane), rows = StateAt(kRows, m, lane);
  Four result;
  for (int h : {0, 1}) {
    const IndexOf index = Index(lane.block, 0, ClampedRow(Row(lane, m, h)), 0);
    const Fp before{ShiftOf(old[h], index)}, after{ShiftOf(rows[h], index)};
    result[h] = lowering::FastExp((before - after).e, capability_);
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
  // What a word's rounding does is left to it.
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
  for (int64_t extent : {kVector, warps_.tiles_q, groups, blocks_k()}) {
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

void AttentionMma::DefineOutput() {
  const PlacedFunc& placed = parts_.output;
  Halide::RDom d({{0, Int(kVector)},
                  {0, Int(value_groups_)},
                  {0, 2},
                  {0, 2},
                  {0, Int(warps_.tiles_q)},
                  {0, 4},
                  {0, 8},
                  {0, Int(warps_.warps)},
                  {0, Int(groups_)}},
                 "out");
  out_v_ = d[0], out_o_ = d[1], out_e_ = d[2], out_h_ = d[3], out_m_ = d[4];
  out_q_ = d[5], out_g_ = d[6], out_warp_ = d[7], out_block_ = d[8];
  const Lane lane{out_q_, out_g_, out_warp_, out_block_};
  const Expr row = Row(lane, out_m_, out_h_);
  const Expr first_column = ((Expr(out_o_) * 8 + lane.q * 2 + out_e_)) * Int(kVector);
  const Expr column = first_column + out_v_;
  vector_output_ = parts_.value_size % kVector == 0 && placed.places[0] == AttentionForm::kValueDim;
  // Opaque: else Halide leaves out the lanes that store nothing, but products need whole warps.
  if (parts_.queries % warps_.block_q() != 0) {
    d.where(lowering::numerics::Opaque(row) < Int(parts_.queries));
  }
  if (parts_.value_size % kVector != 0) {
    d.where(lowering::numerics::Opaque(column) < Int(parts_.value_size));
  } else if (parts_.value_size != words_.values) {
    d.where(lowering::numerics::Opaque(first_column) < Int(parts_.value_size));
  }
  const IndexOf index_of = Index(lane.block, 0, row, column);
  Indices index;
  for (int64_t place : placed.places) {
    index.push_back(place == AttentionForm::kNone ? Expr(0) : index_of(place));
  }
  Hero& product = *parts_.product;
  const IndexOf clamped = Index(lane.block, 0, ClampedRow(row), 0);
  // What the program makes of rows whose scores are all -inf.
  const Four rows = StateAt(kRows, out_m_, lane);
  const Expr max = Halide::mux(out_h_, {rows[0], rows[1]});
  const Expr weights_sum = Halide::mux(out_h_, {rows[2], rows[3]});
  const Expr nothing =
      lowering::numerics::Eq(Fp{max}, lowering::numerics::Negate(Infinity(Fp{max})));
  kernel_.emitter->BindReader(form_.shift, nullptr);
  kernel_.emitter->BindReader(form_.weights, nullptr);
  BindMax(max);
  BindLogit(max, form_.logits->shape.element_type());
  const Expr no_weight = kernel_.emitter->At(form_.weights, IndexIn(form_.weights, clamped)).re;
  parts_.sum->read = [=](const Indices&) {
    return std::vector<Expr>{Halide::select(nothing, no_weight, weights_sum)};
  };
  product.read = [=, this, &product](const Indices& axes) {
    const Four four =
        StateAt(Int(first_sum()) + Expr(out_o_) * Int(kVector) + out_v_, out_m_, lane);
    const Expr total = Halide::mux(Expr(out_h_) * 2 + out_e_, {four[0], four[1], four[2], four[3]});
    return std::vector<Expr>{
        Normalized(kernel_, {product.types[0], Halide::select(nothing, no_weight, total), {}}, axes)
            .re};
  };
  kernel_.emitter->Forget();
  std::vector<Expr> elements = kernel_.OutputsAt(index), undefined;
  for (Expr& e : elements) {
    e = Halide::Internal::common_subexpression_elimination(e);
    undefined.push_back(Halide::undef(e.type()));
  }
  kernel_.output = Func("out");
  kernel_.output(lowering::VarsOf(kernel_.axes)) = Halide::Tuple(undefined);
  kernel_.output(index) = Halide::Tuple(elements);
  kernel_.SetOutputBounds();
}

// A block of keys or values in shared memory, copied by all threads.
void AttentionMma::ArrangeTile(Func& tile, const Var& row, int64_t columns, int64_t rows,
                               int64_t stride, bool vectors) {
  tile.bound(v_, 0, static_cast<int>(kVector))
      .bound(o_, 0, static_cast<int>(columns))
      .bound_extent(row, static_cast<int>(rows));
  if (vectors) {
    tile.vectorize(v_);
  } else {
    tile.unroll(v_);
  }
  if (!on_device_) return;
  tile.store_in(MemoryType::GPUShared).align_storage(o_, static_cast<int>(stride));
  Var fused(UniqueName("fused")), rest(UniqueName("rest")), group(UniqueName("group"));
  Var x(UniqueName("x")), y(UniqueName("y")), z(UniqueName("z")), again(UniqueName("again"));
  const bool whole = columns * rows % (32 * warps_.warps) == 0;
  const TailStrategy tail = whole ? TailStrategy::RoundUp : TailStrategy::GuardWithIf;
  tile.fuse(o_, row, fused)
      .split(fused, again, rest, static_cast<int>(32 * warps_.warps), tail)
      .split(rest, group, x, 4)
      .split(group, z, y, 8)
      .reorder(v_, again, x, y, z)
      .unroll(again)
      .gpu_threads(x, y, z);
}

void AttentionMma::ArrangeState() {
  const int elements = static_cast<int>(this->elements());
  const MemoryType where = on_device_ ? MemoryType::Register : MemoryType::Stack;
  state_.compute_at(kernel_.output, out_block_)
      .store_in(where)
      .bound(element_, 0, elements)
      .bound(m_, 0, static_cast<int>(warps_.tiles_q))
      .bound(q_, 0, 4)
      .bound(g_, 0, 8)
      .bound(warp_, 0, static_cast<int>(warps_.warps))
      .unroll(element_)
      .unroll(m_);
  Halide::Stage update = state_.update();
  RVar blocks(warps_.ahead ? lowering::kPipelinedLoop : "block_k");
  update.rename(step_block_, blocks);
  if (on_device_) {
    state_.reorder(element_, m_, q_, g_, warp_).gpu_threads(q_, g_, warp_);
    update
        .reorder(VarOrRVar(step_v_), VarOrRVar(step_m_), VarOrRVar(step_u_), VarOrRVar(q_),
                 VarOrRVar(g_), VarOrRVar(warp_), VarOrRVar(blocks))
        .gpu_threads(q_, g_, warp_);
  } else {
    update.reorder(VarOrRVar(step_q_), VarOrRVar(step_g_), VarOrRVar(step_v_), VarOrRVar(step_m_),
                   VarOrRVar(step_u_), VarOrRVar(warp_), VarOrRVar(blocks));
  }
  update.unroll(step_u_);
  if (on_device_) update.unroll(step_v_).unroll(step_m_);
  const VarOrRVar lane = on_device_ ? VarOrRVar(q_) : VarOrRVar(warp_);
  auto at_lane = [&](Func& func) {
    if (on_device_) {
      func.compute_at(state_, q_);
    } else {
      func.compute_at(state_, warp_);
    }
    func.store_in(where);
  };
  for (Func* func : {&scores_, &logits_, &part_max_, &max_}) at_lane(*func);
  for (Func* func : {&scores_, &logits_}) {
    func->bound(tile_, 0, static_cast<int>(key_tiles_))
        .bound(m_, 0, static_cast<int>(warps_.tiles_q));
    if (on_device_) func->unroll(tile_).unroll(m_);
  }
  for (Func* func : {&part_max_, &max_}) {
    func->bound(m_, 0, static_cast<int>(warps_.tiles_q)).unroll(m_);
  }
  Halide::Stage product = scores_.update();
  if (on_device_) {
    product.reorder(VarOrRVar(m_), VarOrRVar(head_inner_), VarOrRVar(tile_),
                    VarOrRVar(head_outer_));
  } else {
    product.reorder(VarOrRVar(q_), VarOrRVar(g_), VarOrRVar(m_), VarOrRVar(head_inner_),
                    VarOrRVar(tile_), VarOrRVar(head_outer_));
  }
  product.unroll(head_inner_);
  if (on_device_) product.unroll(m_).unroll(tile_).unroll(head_outer_);
  // As scalars: LLVM finds the vectors, and takes those apart that it is given.
  key_words_.compute_at(scores_, tile_).store_in(where).bound(v_, 0, 4).unroll(v_);
  value_words_.compute_at(state_, step_u_).store_in(where).bound(v_, 0, 4).unroll(v_);
  value_words_.bound(w_, 0, words_.product->words).unroll(w_);
  for (Func* func : {&keys_, &values_}) func->compute_at(state_, blocks);
}

void AttentionMma::Arrange() {
  const MemoryType where = on_device_ ? MemoryType::Register : MemoryType::Stack;
  Halide::Stage out = kernel_.output.update();
  out.allow_race_conditions()
      .reorder(out_v_, out_o_, out_e_, out_h_, out_m_, out_q_, out_g_, out_warp_, out_block_)
      .unroll(out_o_)
      .unroll(out_e_)
      .unroll(out_h_)
      .unroll(out_m_);
  if (vector_output_) {
    out.vectorize(out_v_);
  } else {
    out.unroll(out_v_);
  }
  if (on_device_) {
    out.gpu_threads(out_q_, out_g_, out_warp_).gpu_blocks(out_block_);
  } else {
    out.parallel(out_block_);
  }
  ArrangeState();
  query_words_.compute_at(kernel_.output, out_block_)
      .store_in(where)
      .bound(v_, 0, 4)
      .bound(o_, 0, static_cast<int>(words_.head / 16))
      .bound(i_, 0, static_cast<int>(2 * warps_.tiles_q))
      .bound(q_, 0, 4)
      .bound(g_, 0, 8)
      .bound(warp_, 0, static_cast<int>(warps_.warps))
      .unroll(o_)
      .unroll(i_);
  const MmaIntrinsic &scores = *words_.scores, &product = *words_.product;
  const bool vectors = parts_.head_size % (kVector * scores.elements) == 0;
  if (vectors) {
    query_words_.vectorize(v_);
  } else {
    query_words_.unroll(v_);
  }
  if (on_device_) {
    query_words_.reorder(v_, o_, i_, q_, g_, warp_).gpu_threads(q_, g_, warp_);
    // Buffers begin at multiples of 64 bytes (DeviceInfo::buffer_alignment).
    for (Halide::ImageParam& input : kernel_.inputs) input.set_host_alignment(16);
    for (Halide::OutputImageParam& output : kernel_.output.output_buffers()) {
      output.set_host_alignment(16);
    }
  }
  ArrangeTile(keys_, row_, words_.head / kVector, warps_.keys, words_.key_stride() / kVector,
              vectors);
  ArrangeTile(values_, row_, words_.values / kVector, warps_.keys / product.elements,
              words_.value_stride() / kVector, parts_.value_size % kVector == 0);
}

constexpr int kNewest = 80;  // of the intrinsics' CPU equivalents

std::optional<AttentionWords> Words(const LoweredKernel& kernel) {
  const AttentionParts parts = PartsOf(kernel);
  if (!parts.valid || kernel.in_place) return std::nullopt;
  const std::optional<AttentionWords> words =
      lowering::WordsFor(*parts.form, OnDevice(kernel) ? kernel.device.cuda_capability : kNewest);
  const bool sums = parts.scores->types[0] == ElementType::kF32 &&
                    parts.product->types[0] == ElementType::kF32 &&
                    parts.sum->types[0] == ElementType::kF32;
  return sums ? words : std::nullopt;
}

AttentionWarps DefaultWarps(const LoweredKernel& kernel) {
  if (OnDevice(kernel)) return *lowering::WarpsFor(*kernel.attention, kernel.device);
  return {1, 1, 32, false};
}

bool Accepts(const LoweredKernel& kernel) {
  return OnDevice(kernel) && Words(kernel).has_value() &&
         lowering::WarpsFor(*kernel.attention, kernel.device).has_value();
}

bool AcceptsLanes(const LoweredKernel& kernel) {
  return kernel.device.kind == runtime::DeviceKind::kX86 && Words(kernel).has_value();
}

Schedule Defaults(const LoweredKernel& kernel) {
  const AttentionWarps warps = DefaultWarps(kernel);
  return Schedule(OnDevice(kernel) ? "attention_mma" : "attention_mma_lanes")
      .Set("tiles_q", warps.tiles_q)
      .Set("warps", warps.warps)
      .Set("keys", warps.keys)
      .Set("ahead", warps.ahead ? 1 : 0);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  const AttentionWarps warps = DefaultWarps(kernel);
  return {{"tiles_q", Choices({1, 2}, 2, warps.tiles_q)},
          {"warps", Choices({1, 2, 4, 8}, 8, warps.warps)},
          {"keys", Choices({32, 64, 96, 128}, 128, warps.keys)},
          {"ahead", OnDevice(kernel) ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{0}}};
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  AttentionWarps warps;
  warps.tiles_q = schedule.Get("tiles_q");
  warps.warps = schedule.Get("warps");
  warps.keys = schedule.Get("keys");
  warps.ahead = schedule.Get("ahead") == 1;
  const AttentionParts parts = PartsOf(kernel);
  AttentionMma(kernel, parts, *Words(kernel), warps).Build();
}

}  // namespace

const Template kAttentionMmaTemplate = {"attention_mma", Accepts, Defaults, Space, Apply};
const Template kAttentionMmaLanesTemplate = {
    "attention_mma_lanes", AcceptsLanes, Defaults, Space, Apply, [](const LoweredKernel&) {
      return false;
    }};

}  // namespace halyard::schedules
