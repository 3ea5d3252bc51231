#include "autotuner/rules/made_up_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "autotuner/rules/terms.h"

namespace halyard::autotuner {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

// What the elements of a parameter index.
struct IndexUse {
  std::vector<int64_t> bounds;  // by component of an index vector; values are in [0, bound)
  bool vectors = false;         // the last dimension holds the components
  bool distinct = false, sorted = false;
  bool direct = true;  // the elements themselves are the indices
};

// Returns whether the result has the same elements as the operand, one by one.
bool KeepsElements(Opcode opcode) {
  return opcode == Opcode::kReshape || opcode == Opcode::kConvert || opcode == Opcode::kCopy ||
         opcode == Opcode::kBitcastConvert;
}

// Assigns the use to every parameter from which `index` is computed, unless it has one already.
void AddUse(const Instruction* index, IndexUse use, std::vector<std::optional<IndexUse>>* uses) {
  if (index->opcode == Opcode::kParameter) {
    std::optional<IndexUse>& slot = (*uses)[static_cast<size_t>(index->parameter_number)];
    if (!slot.has_value()) slot = std::move(use);
    return;
  }
  if (!KeepsElements(index->opcode)) {
    const int64_t least = *std::min_element(use.bounds.begin(), use.bounds.end());
    use.bounds = {least};
    use.vectors = use.direct = false;
  }
  for (const Instruction* operand : index->operands) AddUse(operand, use, uses);
}

void FindIndexUses(const hlo::Computation& entry, std::vector<std::optional<IndexUse>>* uses) {
  auto bounds_of = [](const Shape& shape, const hlo::Ints& dims) {
    std::vector<int64_t> bounds;
    for (int64_t d : dims) bounds.push_back(std::max<int64_t>(shape.dim(d), 1));
    return bounds;
  };
  for (const auto& inst : entry.instructions()) {
    if (inst->opcode == Opcode::kGather || inst->opcode == Opcode::kScatter) {
      const bool gather = inst->opcode == Opcode::kGather;
      const Instruction* index = inst->operand(gather ? 1 : (inst->operands.size() - 1) / 2);
      IndexUse use;
      use.bounds =
          bounds_of(inst->operand(0)->shape,
                    inst->GetInts(gather ? Attr::kStartIndexMap : Attr::kScatterDimsToOperandDims));
      use.vectors = inst->GetInt(Attr::kIndexVectorDim) == index->shape.rank() - 1;
      use.distinct = !gather && inst->GetBool(Attr::kUniqueIndices);
      use.sorted = inst->GetBool(Attr::kIndicesAreSorted);
      if (use.bounds.empty()) continue;
      AddUse(index, std::move(use), uses);
    }
    const bool slice = inst->opcode == Opcode::kDynamicSlice;
    if (!slice && inst->opcode != Opcode::kDynamicUpdateSlice) continue;
    for (size_t d = slice ? 1 : 2; d < inst->operands.size(); ++d) {
      const int64_t dim = static_cast<int64_t>(d) - (slice ? 1 : 2);
      if (dim >= inst->operand(0)->shape.rank()) break;
      AddUse(inst->operands[d], {{std::max<int64_t>(inst->operand(0)->shape.dim(dim), 1)}}, uses);
    }
  }
}

Literal IndicesOf(const Shape& shape, const IndexUse& use, bool out_of_bounds,
                  std::mt19937_64* random) {
  Literal literal(shape);
  const int64_t elements = shape.NumElements();
  const int64_t components = use.vectors ? static_cast<int64_t>(use.bounds.size()) : 1;
  const int64_t vectors = elements / std::max<int64_t>(components, 1);
  double places = 1;
  for (int64_t c = 0; c < components; ++c)
    places *= static_cast<double>(use.bounds[static_cast<size_t>(c)]);
  // The place that each index vector means, as one number.
  std::vector<int64_t> place(static_cast<size_t>(vectors));
  const int64_t range = static_cast<int64_t>(std::min(places, 9e18));
  if (use.distinct && range >= vectors) {
    std::set<int64_t> taken;
    for (int64_t& p : place) {
      do {
        p = static_cast<int64_t>((*random)() % static_cast<uint64_t>(range));
        if (2 * vectors > range) p = static_cast<int64_t>(taken.size());  // dense: in order
      } while (!taken.insert(p).second);
    }
    if (2 * vectors > range) std::shuffle(place.begin(), place.end(), *random);
  } else {
    for (int64_t& p : place) p = static_cast<int64_t>((*random)() % static_cast<uint64_t>(range));
  }
  if (use.sorted) std::sort(place.begin(), place.end());
  for (int64_t v = 0; v < vectors; ++v) {
    int64_t rest = place[static_cast<size_t>(v)];
    for (int64_t c = components; c-- > 0;) {
      const int64_t bound = use.bounds[static_cast<size_t>(c)];
      literal.SetInt(v * components + c, rest % bound);
      rest /= bound;
    }
  }
  if (out_of_bounds && use.direct && !use.distinct && !use.sorted && elements >= 4) {
    literal.SetInt(0, hlo::IsSigned(shape.element_type()) ? -3 : use.bounds[0] + 1);
    literal.SetInt(elements - 1, use.bounds[0] + 2);
  }
  return literal;
}

// Returns the number that the random bits select. Whole numbers leave out 0, so that no term of a
// sum of products vanishes.
double FloatOf(uint64_t bits, InputKind kind) {
  if (kind == InputKind::kWhole) return std::array{-2.0, -1.0, 1.0, 2.0}[bits % 4];
  return static_cast<double>(bits % 4001) / 1000.0 - 2.0;
}

// Fills the array with FloatOf of random bits. There are few values, so they are encoded once.
template <typename Bits>
void FillFloats(InputKind kind, std::mt19937_64* random, Literal* literal) {
  const uint64_t values = kind == InputKind::kWhole ? 4 : 4001;
  std::vector<Bits> encoded;
  for (uint64_t i = 0; i < values; ++i) {
    encoded.push_back(
        static_cast<Bits>(hlo::EncodeFloat(literal->shape().element_type(), FloatOf(i, kind))));
  }
  std::byte* to = literal->mutable_bytes().data();
  for (int64_t i = 0; i < literal->shape().NumElements(); ++i, to += sizeof(Bits))
    memcpy(to, &encoded[(*random)() % values], sizeof(Bits));
}

Literal FloatsOf(const Shape& shape, InputKind kind, std::mt19937_64* random) {
  Literal literal(shape);
  switch (hlo::StorageBytes(shape.element_type())) {
    case 1:
      FillFloats<uint8_t>(kind, random, &literal);
      break;
    case 2:
      FillFloats<uint16_t>(kind, random, &literal);
      break;
    case 4:
      FillFloats<uint32_t>(kind, random, &literal);
      break;
    default:
      FillFloats<uint64_t>(kind, random, &literal);
  }
  return literal;
}

Literal NumbersOf(const Shape& shape, InputKind kind, std::mt19937_64* random) {
  const ElementType type = shape.element_type();
  if (hlo::IsFloat(type)) return FloatsOf(shape, kind, random);
  Literal literal(shape);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    const uint64_t bits = (*random)();
    if (hlo::IsComplex(type)) {
      literal.SetComplex(i, {FloatOf(bits, kind), FloatOf(bits >> 32, kind) / 2});
    } else {
      literal.SetInt(i, static_cast<int64_t>(bits % 23) - (hlo::IsSigned(type) ? 11 : 0));
    }
  }
  return literal;
}

}  // namespace

std::vector<Literal> MadeUpInputs(const hlo::Module& module, InputKind kind,
                                  const Specials& specials) {
  const auto& parameters = module.entry()->parameters();
  std::vector<std::optional<IndexUse>> uses(parameters.size());
  FindIndexUses(*module.entry(), &uses);
  const bool special = kind == InputKind::kSpecial;
  const bool any_index =
      std::any_of(uses.begin(), uses.end(), [](const auto& use) { return use.has_value(); });
  Specials allowed = specials;
  allowed.integers = allowed.integers && !any_index;
  std::mt19937_64 random(7 + static_cast<uint64_t>(kind));
  std::vector<Literal> inputs;
  bool large = true;  // no array of floats has been met yet
  for (size_t p = 0; p < parameters.size(); ++p) {
    const Shape& shape = parameters[p]->shape;
    if (uses[p].has_value() && hlo::IsInteger(shape.element_type())) {
      inputs.push_back(IndicesOf(shape, *uses[p], special, &random));
      continue;
    }
    inputs.push_back(NumbersOf(shape, kind, &random));
    if (special) AddSpecials(allowed, large, &random, &inputs.back());
    if (IsFloating(shape)) large = false;
  }
  return inputs;
}

}  // namespace halyard::autotuner
