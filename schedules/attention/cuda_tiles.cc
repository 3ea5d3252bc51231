// attention_mma: the words of Q, K and V, the scores of a block, and their maxima.

#include "lowering/numerics/arithmetic.h"
#include "schedules/attention/cuda.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using hlo::ElementType;
using lowering::AttentionForm;
using lowering::Hero;
using lowering::Indices;
using lowering::LogicalIndex;
using lowering::MmaIntrinsic;
using lowering::Value;

AttentionMma::IndexOf AttentionMma::Index(const Expr& block, const Expr& key, const Expr& row,
                                          const Expr& value) const {
  std::vector<std::pair<int64_t, Expr>> known;
  Expr rest = WithoutSplit(block) / Int(blocks_q_);
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
  for (ScoreProduct& product : products_) {
    DefineKeys(product);
    DefineQueries(product);
  }
  if (HasProduct()) DefineValues();
}

// Word `v` of vector `o` of a factor of the scores, at `axes`: neighbouring elements, zeros past
// the last.
Expr AttentionMma::HeadWord(const ScoreProduct& product, int64_t operand, const Indices& axes,
                            const Expr& o, const Expr& v) {
  const Hero& hero = *product.hero;
  const MmaIntrinsic& mma = *product.mma;
  const int64_t unit = kVector * mma.elements, size = product.head_size;
  const bool padded = size != product.head * mma.elements, vectors = size % unit == 0;
  std::vector<Expr> parts;
  for (int p = 0; p < mma.elements; ++p) {
    const Expr vector = padded && vectors ? Halide::min(o, Int(size / unit - 1)) : o;
    const Expr element = vector * Int(unit) + v * Int(mma.elements) + p;
    if (vectors) {
      parts.push_back(Word(hero.term(axes, {element})[operand], mma.lhs));
      continue;
    }
    const Expr bits =
        Word(hero.term(axes, {Halide::min(element, Int(size - 1))})[operand], mma.lhs);
    parts.push_back(
        Halide::select(element < Int(size), bits, Halide::Internal::make_zero(bits.type())));
  }
  const Expr word = lowering::PackWord(parts);
  return padded && vectors ? Halide::select(o < Int(size / unit), word, Expr(0u)) : word;
}

void AttentionMma::DefineKeys(ScoreProduct& product) {
  const PlacedFunc like = PlacedLike(form_, *product.hero->instruction, "s");
  const Expr key = ClampedKey(KeyBlock(block_, block_k_) * Int(warps_.keys) + row_);
  const Indices axes = PlacedArguments(like, Index(block_, key, 0, 0));
  product.keys = Func(product.name + "keys");
  product.keys(v_, o_, row_, block_, block_k_) =
      HeadWord(product, 1 - product.query_operand, axes, o_, v_);
  product.key_words = Func(product.name + "key_words");
  product.key_words(v_, o_, tile_, q_, g_, warp_, block_, block_k_) =
      product.keys(v_, o_ * 4 + q_, tile_ * 8 + g_, block_, block_k_);
}

// A lane's words of rows i = 2 m + h.
void AttentionMma::DefineQueries(ScoreProduct& product) {
  const PlacedFunc like = PlacedLike(form_, *product.hero->instruction, "s");
  const Expr row = ClampedRow(Row({q_, g_, warp_, block_}, i_ / 2, i_ % 2));
  const Indices axes = PlacedArguments(like, Index(block_, 0, row, 0));
  product.query_words = Func(product.name + "query_words");
  product.query_words(v_, o_, i_, q_, g_, warp_, block_) =
      HeadWord(product, product.query_operand, axes, o_ * 4 + q_, v_);
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
  // `term` needs both factors, and the other one does not exist yet.
  const hlo::Instruction* other = form_.kind == Kind::kChain ? form_.factor() : form_.divide;
  kernel_.emitter->BindReader(
      other, [other](const LogicalIndex&) { return lowering::Zero(other->shape.element_type()); });
  std::vector<Expr> parts;
  for (int p = 0; p < mma.elements; ++p) {
    const Expr key = KeyBlock(block_, block_k_) * Int(warps_.keys) + row_ * Int(mma.elements) + p;
    Expr bits = Word(hero.term(axes, {ClampedKey(key)})[side], mma.rhs);
    if (CutsKeys()) {
      bits = Halide::select(key < Int(parts_.keys), bits, Halide::Internal::make_zero(bits.type()));
    }
    parts.push_back(bits);
  }
  kernel_.emitter->BindReader(other, nullptr);
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

void AttentionMma::DefineScores(ScoreProduct& product) {
  const MmaIntrinsic& mma = *product.mma;
  const Lane lane{q_, g_, warp_, block_};
  Indices at = lane.After({tile_, m_});
  at.push_back(block_k_);
  Func& scores = product.scores;
  scores = Func(product.name + "scores");
  scores(at) = Halide::Tuple(std::vector<Expr>(4, Expr(0.f)));
  const int64_t inner = kVector / mma.words;  // products of a vector of words
  Halide::RDom r(0, static_cast<int32_t>(inner), 0, static_cast<int32_t>(product.head / 16), "d");
  product.head_inner = r[0];
  product.head_outer = r[1];
  const Expr head_inner = r[0], head_outer = r[1];
  auto a = [&](int w, const Expr& q, const Expr& g) {
    return Expr(product.query_words(
        lane.At(q, g).After({head_inner * mma.words + w / 2, head_outer, Expr(m_) * 2 + w % 2})));
  };
  auto b = [&](int w, const Expr& q, const Expr& g) {
    Indices index = lane.At(q, g).After({head_inner * mma.words + w, head_outer, tile_});
    index.push_back(block_k_);
    return Expr(product.key_words(index));
  };
  Halide::FuncRef before = scores(at);
  scores(at) = Halide::Tuple(
      lowering::Mma(mma, {before[0], before[1], before[2], before[3]}, a, b, q_, g_, on_device_));
  if (HasRows() && product.hero == parts_.scores) DefineLogits();
}

void AttentionMma::BindScores(const Indices& at, int i) {
  for (ScoreProduct& product : products_) {
    product.hero->read = [at, i, scores = product.scores](const Indices&) {
      return std::vector<Expr>{Expr(scores(at)[i])};
    };
  }
  kernel_.emitter->Forget();
}

void AttentionMma::DefineLogits() {
  const Lane lane{q_, g_, warp_, block_};
  Indices at = lane.After({tile_, m_});
  at.push_back(block_k_);
  std::vector<Expr> elements;
  for (int i = 0; i < 4; ++i) {
    BindScores(at, i);
    Expr key = ClampedKey(Key(lane, block_k_, tile_, i % 2));
    Expr row = ClampedRow(Row(lane, m_, i / 2));
    // Opaque, because Halide would compute only a part of scores that a mask of places replaces.
    if (masks_places_) {
      key = lowering::numerics::Opaque(key);
      row = lowering::numerics::Opaque(row);
    }
    const IndexOf index = Index(block_, key, row, 0);
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

// Finds the maxima of the scores of a block: first those of each lane, then those of the four lanes
// that share rows.
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

}  // namespace halyard::schedules
