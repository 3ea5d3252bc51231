// contraction on x86: products of words. A word holds neighbouring terms of k: four 8-bit integers
// (vpdpbusd: unsigned times signed), two of 16 bits (vpdpwssd) or two bf16 (vdpbf16ps). An
// instruction multiplies each word of a vector by a word that is broadcast, and adds all terms to
// the accumulator of that lane. Sums of integers wrap, so they need no promise that they fit.
//
// vpdpbusd takes no two signed factors. Then 128 is added to each element of the broadcast factor
// (which flips its sign bit), and each sum starts from -128 times the sum of the vector factor. The
// few rows of a product that memory bounds subtract 128 times each of its words instead, so that
// the factor is read once.
//
// The calls become instructions because Halide looks for a function of the vector's width
// (dpbusdx16) when it compiles a call of dpbusd for each lane. This needs no float operation of
// Halide's own, which would carry fast-math flags (codegen/passes/strict_code.h).

#include "schedules/contraction/x86_words.h"

#include <algorithm>
#include <string>

#include "lowering/kernels/contraction/operand_precision.h"
#include "lowering/kernels/contraction/packed_factor.h"
#include "lowering/kernels/contraction/tile_dot.h"
#include "lowering/kernels/fragments.h"
#include "runtime/device_class.h"
#include "schedules/loops.h"
#include "schedules/mma_product.h"

namespace halyard::schedules {

using Halide::Expr;
using Halide::Func;
using Halide::Var;
using hlo::ElementType;
using lowering::Axis;
using lowering::Hero;
using lowering::Indices;
using lowering::LoweredKernel;
using lowering::Value;

namespace {

// So many results of one element of the vector factor take no longer than it takes from memory.
constexpr int64_t kFewRows = 8;

// Returns whether bf16 holds every value of the type as a normal number, an infinity or NaN.
bool FitsBf16(ElementType type) {
  return type == ElementType::kBF16 ||
         (hlo::IsFloat(type) && hlo::BitWidth(type) <= 8 && type != ElementType::kF8E8M0FNU);
}

// The AMX instruction for these elements. The broadcast factor is the left one.
std::optional<DotInstruction> TilesOf(int terms, ElementType vector, ElementType broadcast) {
  const bool bf16 = vector == ElementType::kBF16;
  for (const lowering::TileDot& dot : lowering::kTileDots) {
    const bool signs =
        dot.left_signed == hlo::IsSigned(broadcast) && dot.right_signed == hlo::IsSigned(vector);
    if (dot.bf16 != bf16 || (!bf16 && !signs)) continue;
    DotInstruction result{dot.name, terms, vector, broadcast};
    result.tiles = true;
    return result;
  }
  return std::nullopt;
}

std::optional<DotInstruction> OfTypes(const hlo::Instruction& product, ElementType sum,
                                      ElementType vector, ElementType broadcast, bool tiles) {
  using enum ElementType;
  if (sum == kF32) {
    const bool rounds = AlgorithmType(product) == kBF16;
    auto fits = [rounds](ElementType type) { return FitsBf16(type) || (rounds && type == kF32); };
    // vdpbf16ps and tdpbf16ps take denormals for zeros.
    if (!fits(vector) || !fits(broadcast) || lowering::AsksForPrecision(product))
      return std::nullopt;
    return tiles ? TilesOf(2, kBF16, kBF16) : DotInstruction{"dpbf16ps", 2, kBF16, kBF16};
  }
  if (sum != kS32) return std::nullopt;
  if (tiles) {
    auto is_byte = [](ElementType type) { return type == kS8 || type == kU8; };
    return is_byte(vector) && is_byte(broadcast) ? TilesOf(4, vector, broadcast) : std::nullopt;
  }
  if (vector == kS8 && (broadcast == kS8 || broadcast == kU8))
    return DotInstruction{"dpbusd", 4, vector, broadcast, false, broadcast == kS8};
  if (vector == kU8 && broadcast == kS8)
    return DotInstruction{"dpbusd", 4, vector, broadcast, true};
  auto fits = [](ElementType type) { return type == kS8 || type == kU8 || type == kS16; };
  if (!fits(vector) || !fits(broadcast)) return std::nullopt;
  return DotInstruction{"dpwssd", 2, kS16, kS16};
}

// The place of an image's features among its dimensions, in Halide's order.
int FeatureOf(const Hero& hero) {
  return static_cast<int>(hero.instruction->shape.rank() - 1 -
                          hero.instruction->GetConvDims().input_feature);
}

}  // namespace

std::optional<DotInstruction> DotInstructionOf(const LoweredKernel& kernel, bool tiles) {
  const Hero& hero = *kernel.heroes[0];
  Roles roles;
  const bool there =
      tiles ? lowering::MultipliesTiles(kernel.device) : lowering::MultipliesWords(kernel.device);
  if (!there || !FindRoles(hero, &roles) || (tiles && roles.m < 0) || hero.reduce_extents.empty() ||
      hero.axes[0].extent < kLeastWordLanes) {
    return std::nullopt;
  }
  const std::vector<Value> factors = FactorsOf(hero);
  const int side = roles.vector_is_rhs ? 1 : 0;
  const auto dot = OfTypes(*hero.instruction, hero.types[0], lowering::NarrowestType(factors[side]),
                           lowering::NarrowestType(factors[1 - side]), tiles);
  // All elements of a word of an image belong to one group.
  if (dot && BroadcastsImage(hero, roles) && hero.reduce_extents[0] % dot->terms != 0 &&
      hero.instruction->operand(0)->shape.dim(hero.instruction->GetConvDims().input_feature) !=
          hero.reduce_extents[0]) {
    return std::nullopt;
  }
  return dot;
}

int64_t WordsOf(const Hero& hero, const DotInstruction& dot) {
  const int64_t words = (hero.reduce_extents[0] + dot.terms - 1) / dot.terms;
  return (words + dot.step - 1) / dot.step * dot.step;
}

bool HasWholeWords(const Hero& hero, const DotInstruction& dot) {
  return WordsOf(hero, dot) * dot.terms == hero.reduce_extents[0];
}

bool HasWordPanels(const Hero& hero, const DotInstruction& dot) {
  Roles roles;
  if (!FindRoles(hero, &roles)) return false;
  const hlo::Instruction& factor = *hero.instruction->operand(roles.vector_is_rhs ? 1 : 0);
  return lowering::PanelTerms(factor) == dot.terms && HasWholeWords(hero, dot);
}

namespace {

class Words {
 public:
  Words(LoweredKernel& kernel, Hero& hero, const Roles& roles, const DotInstruction& dot,
        bool in_place)
      : kernel_(kernel), hero_(hero), roles_(roles), dot_(dot), in_place_(in_place) {}

  ContractionFuncs Define();

 private:
  // Word `word` of the sum's terms, whose elements are value(k). Those past the end are `none`.
  template <typename ValueAt>
  Expr Word(ElementType type, const Expr& word, uint32_t none, const ValueAt& value) const;
  // The word at `r` of a factor, of words along r[0].
  Expr FactorWord(int side, const Indices& axes, const Indices& r) const;
  Expr Dot(const Expr& sum, const Expr& vector, const Expr& broadcast) const;
  Indices WordVars(const char* prefix) const;
  Expr Unsigned(const Expr& word) const;
  bool LiesInWords(int side) const;
  void StoreImage();
  Expr ReadVector();
  Expr ReadBroadcast();
  Expr ReadImage();
  // Whether each step subtracts what the offset of its word adds.
  bool SubtractsOffset() const {
    return dot_.offset && UsesOf(hero_, roles_.vector_is_rhs ? 1 : 0) <= kFewRows;
  }
  Expr Start(const std::vector<Halide::Range>& ranges);

  LoweredKernel& kernel_;
  Hero& hero_;
  const Roles& roles_;
  const DotInstruction& dot_;
  const bool in_place_;  // the vector factor's panels hold words
  ContractionFuncs product_;
  Indices axes_, r_;
};

template <typename ValueAt>
Expr Words::Word(ElementType type, const Expr& word, uint32_t none, const ValueAt& value) const {
  const int32_t terms = static_cast<int32_t>(hero_.reduce_extents[0]), of_word = dot_.terms;
  std::vector<Expr> elements;
  if (terms % of_word == 0) {
    const int32_t words = terms / of_word;
    const Expr place = HasWholeWords(hero_, dot_) ? word : Halide::min(word, words - 1);
    for (int i = 0; i < of_word; ++i)
      elements.push_back(lowering::BitsAs(value(place * of_word + i), type));
    const Expr packed = lowering::PackWord(elements);
    if (HasWholeWords(hero_, dot_)) return packed;
    for (Expr& element : elements) element = Halide::cast(element.type(), Expr(none));
    return Halide::select(word < words, packed, lowering::PackWord(elements));
  }
  for (int i = 0; i < of_word; ++i) {
    const Expr k = word * of_word + i;
    const Expr bits = lowering::BitsAs(value(Halide::min(k, terms - 1)), type);
    elements.push_back(Halide::select(k < terms, bits, Halide::cast(bits.type(), Expr(none))));
  }
  return lowering::PackWord(elements);
}

Expr Words::FactorWord(int side, const Indices& axes, const Indices& r) const {
  const int vector_side = roles_.vector_is_rhs ? 1 : 0;
  const bool vector = side == vector_side;
  const ElementType type = vector ? dot_.vector : dot_.broadcast;
  // A term past the end is -0, which changes no sum of floats.
  const uint32_t none = vector && type == ElementType::kBF16 ? 0x8000 : 0;
  return Word(type, r[0], none, [&](const Expr& k) {
    Indices at = r;
    at[0] = k;
    if (side != 0 || !product_.padded.defined()) return hero_.term(axes, at)[side];
    return lowering::FromStorage(hero_.instruction->operand(0)->shape.element_type(),
                                 product_.padded(hero_.padded_read(axes, at)));
  });
}

Expr Words::Dot(const Expr& sum, const Expr& vector, const Expr& broadcast) const {
  const Expr& first = dot_.vector_first ? vector : broadcast;
  const Expr& second = dot_.vector_first ? broadcast : vector;
  return Halide::Internal::Call::make(sum.type(), dot_.name, {sum, first, second},
                                      Halide::Internal::Call::PureExtern);
}

Indices Words::WordVars(const char* prefix) const {
  Indices vars;
  for (size_t i = 0; i < r_.size(); ++i) vars.push_back(Var(prefix + std::to_string(i)));
  return vars;
}

Expr Words::Unsigned(const Expr& word) const {
  return dot_.offset ? word ^ Expr(uint32_t{0x80808080}) : word;
}

// The padded image whose windows are the vector factor, element by element.
void Words::StoreImage() {
  const PaddedPosition position = PositionInPadded(hero_);
  const Value value = hero_.padded_value(position.inner);
  product_.padded = Func("padded");
  product_.padded_extents = PaddedExtents(hero_);
  product_.padded(position.vars) = lowering::ToStorage(value);
}

// packed(n, k…, batch…) holds the vector factor's words with n fastest.
Expr Words::ReadVector() {
  const int side = roles_.vector_is_rhs ? 1 : 0;
  if (in_place_) return FactorWord(side, axes_, r_);
  const FactorAxes factor = FactorAxesOf(hero_, side, "pk");
  const Indices words = WordVars("k");
  Indices vars = factor.vars, args = factor.args;
  product_.packed_axes = factor.axes;
  vars.insert(vars.begin() + 1, words.begin(), words.end());
  args.insert(args.begin() + 1, r_.begin(), r_.end());
  product_.packed = Func("packed");
  product_.packed(vars) = FactorWord(side, factor.at, words);
  return product_.packed(args);
}

// Returns whether the words of the broadcast factor of a dot are those of an array in memory.
bool Words::LiesInWords(int side) const {
  const hlo::Instruction& product = *hero_.instruction;
  const hlo::Instruction& factor = *product.operand(side);
  if (dot_.offset || hero_.kind != Hero::Kind::kContraction ||
      factor.opcode != hlo::Opcode::kParameter || factor.shape.element_type() != dot_.broadcast) {
    return false;
  }
  const hlo::Ints& contracted =
      product.GetInts(side == 0 ? hlo::Attr::kLhsContractingDims : hlo::Attr::kRhsContractingDims);
  return contracted.back() == factor.shape.rank() - 1 && HasWholeWords(hero_, dot_);
}

// wide(k…, the axes it depends on) holds the words of the broadcast factor.
Expr Words::ReadBroadcast() {
  const int side = roles_.vector_is_rhs ? 0 : 1;
  if (LiesInWords(side)) return FactorWord(side, axes_, r_);
  const FactorAxes factor = FactorAxesOf(hero_, side, "wk");
  const Indices words = WordVars("w");
  Indices vars = words, args = r_;
  product_.wide_extents = hero_.reduce_extents;
  product_.wide_extents[0] = WordsOf(hero_, dot_);
  for (const Axis& axis : factor.axes) product_.wide_extents.push_back(axis.extent);
  vars.insert(vars.end(), factor.vars.begin(), factor.vars.end());
  args.insert(args.end(), factor.args.begin(), factor.args.end());
  product_.wide = Func("wide");
  product_.wide(vars) = Unsigned(FactorWord(side, factor.at, words));
  return product_.wide(args);
}

// The same for an image: wide(its dimensions, in which the features are words).
Expr Words::ReadImage() {
  const int feature = FeatureOf(hero_);
  const PaddedPosition position = PositionInPadded(hero_);
  product_.wide = Func("wide");
  product_.wide(position.vars) =
      Unsigned(Word(dot_.broadcast, position.vars[feature], 0, [&](const Expr& k) {
        Indices at = position.inner;
        at[feature] = k;
        return hero_.padded_value(at);
      }));
  product_.wide_extents = PaddedExtents(hero_);
  int64_t& words = product_.wide_extents[feature];
  words = words == hero_.reduce_extents[0] ? WordsOf(hero_, dot_)
                                           : (words + dot_.terms - 1) / dot_.terms;
  Indices at = r_;
  at[0] = at[0] * dot_.terms;
  Indices read = hero_.padded_read(axes_, at);
  read[feature] = read[feature] / dot_.terms;
  return product_.wide(read);
}

// Returns what a sum starts from. sums(n, batch…) has the sums of the elements of the vector
// factor.
Expr Words::Start(const std::vector<Halide::Range>& ranges) {
  const Expr zero = kernel_.ToStorageExprs(hero_.init())[0];
  // Tiles start from zero by themselves, and undef makes no code.
  if (dot_.tiles) return Halide::undef(zero.type());
  if (!dot_.offset || SubtractsOffset()) return zero;
  const int side = roles_.vector_is_rhs ? 1 : 0;
  const FactorAxes factor = FactorAxesOf(hero_, side, "sn");
  const Halide::RDom domain(ranges, "s");
  Indices words;
  for (size_t i = 0; i < ranges.size(); ++i) {
    words.push_back(domain[static_cast<int>(i)]);
    product_.sums_r.push_back(domain[static_cast<int>(i)]);
  }
  Indices packed = factor.vars;
  packed.insert(packed.begin() + 1, words.begin(), words.end());
  const Expr word = in_place_ ? FactorWord(side, factor.at, words) : Expr(product_.packed(packed));
  product_.sums = Func("sums");
  product_.sums(factor.vars) = zero;
  product_.sums(factor.vars) = Dot(product_.sums(factor.vars), word, Expr(uint32_t{0x01010101}));
  const Expr sum = Halide::reinterpret(Halide::UInt(32), Expr(product_.sums(factor.args)));
  return Halide::reinterpret(zero.type(), sum * Expr(uint32_t{0} - 128));
}

ContractionFuncs Words::Define() {
  std::vector<Halide::Range> ranges;
  for (size_t i = 0; i < hero_.reduce_extents.size(); ++i) {
    ranges.emplace_back(
        0, static_cast<int32_t>(i == 0 ? WordsOf(hero_, dot_) : hero_.reduce_extents[i]));
  }
  const Halide::RDom domain(ranges, "r");
  axes_ = lowering::VarsOf(hero_.axes);
  for (size_t i = 0; i < ranges.size(); ++i) {
    product_.r.push_back(domain[static_cast<int>(i)]);
    r_.push_back(domain[static_cast<int>(i)]);
  }
  const bool image = BroadcastsImage(hero_, roles_);
  if (!image && !hero_.padded_extents.empty()) StoreImage();
  const Expr vector = ReadVector();
  const Expr broadcast = image ? ReadImage() : ReadBroadcast();
  product_.accumulator = Func("acc");
  product_.accumulator(axes_) = Start(ranges);
  Expr sum = Dot(product_.accumulator(axes_), vector, broadcast);
  if (SubtractsOffset()) {
    const Expr offset =
        Dot(Halide::Internal::make_zero(sum.type()), vector, Expr(uint32_t{0x80808080}));
    const Halide::Type word = Halide::UInt(32);  // which wraps
    sum = Halide::reinterpret(sum.type(),
                              Halide::reinterpret(word, sum) - Halide::reinterpret(word, offset));
  }
  product_.accumulator(axes_) = sum;
  return product_;
}

}  // namespace

ContractionFuncs DefineWords(LoweredKernel& kernel, Hero& hero, const Roles& roles,
                             const DotInstruction& dot, bool pack) {
  kernel.packs_words = true;
  kernel.target.set_feature(Halide::Target::AVX512_Zen4);
  if (dot.tiles || !(kernel.device.x86_features & runtime::kX86Zen4))
    kernel.target.set_feature(Halide::Target::AVX512_SapphireRapids);
  const bool in_place = !pack && HasWordPanels(hero, dot);
  ContractionFuncs product = Words(kernel, hero, roles, dot, in_place).Define();
  hero.result = product.accumulator;
  hero.read = [acc = product.accumulator](const Indices& index) {
    return std::vector<Expr>{Expr(acc(index))};
  };
  return product;
}

}  // namespace halyard::schedules
