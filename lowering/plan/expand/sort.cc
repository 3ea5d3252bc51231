// sort → passes over the lines of matrices. Every way is stable.
//
// Comparators that order by keys (frontend/hlo/ir/sort_order.h):
//   short lines  each element's place is the number of elements that come before it: two reductions
//   else         counting sorts by the keys' digits, the lowest first (radix sort)
// Any other comparator: a network over the operands and their positions, which decide ties.
#include <algorithm>

#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/expand/sort_keys.h"
#include "lowering/plan/expand/sort_network.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/repeated_ops.h"
#include "runtime/device_class.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using hlo::SortKey;

// In lines up to this long, places are found by comparing all pairs.
constexpr int64_t kShortLineX86 = 48;
constexpr int64_t kShortLineGpu = 128;
// The most pairs on GPUs, where launches cost more than comparisons.
constexpr int64_t kMaxPairsGpu = int64_t{1} << 20;
// How much the passes may move: the buffers of a kernel are limited, so more is gathered
// afterwards.
constexpr size_t kMaxMoved = 5;
constexpr size_t kMaxInNetwork = 4;
constexpr int64_t kMaxMovedBytes = 16;
constexpr int64_t kMaxDigitBits = 11;
// On GPUs, a thread keeps a counter for each digit.
constexpr int64_t kDigitBitsGpu = 4;

class SortExpander {
 public:
  SortExpander(hlo::Module& module, Rewriter& rewriter, const Instruction& sort,
               const runtime::DeviceInfo& device)
      : module_(module),
        rewriter_(rewriter),
        sort_(sort),
        device_(device),
        gpu_(runtime::IsGpu(device)) {}

  // Returns the sort's results.
  std::vector<Instruction*> Expand() {
    const Shape& shape = sort_.operands[0]->shape;
    int64_t dim = sort_.GetInts(Attr::kDimensions)[0];
    length_ = shape.dim(dim);
    if (length_ <= 1 || shape.NumElements() == 0) return sort_.operands;
    lines_ = shape.NumElements() / length_;
    std::vector<int64_t> to_last;
    for (int64_t i = 0; i < shape.rank(); ++i) {
      if (i != dim) to_last.push_back(i);
    }
    to_last.push_back(dim);
    std::vector<int64_t> back(to_last.size());
    for (size_t i = 0; i < to_last.size(); ++i) back[to_last[i]] = static_cast<int64_t>(i);
    std::vector<int64_t> moved_dims;
    for (Instruction* operand : sort_.operands) {
      Instruction* moved = rewriter_.AddTranspose(sort_, operand, to_last);
      moved_dims = moved->shape.dims();
      matrices_.push_back(rewriter_.AddReshape(sort_, moved, {lines_, length_}));
    }
    keys_ = hlo::SortKeysOf(*sort_.called[0]);
    std::vector<Instruction*> results;
    for (Instruction* sorted : Sorted()) {
      Instruction* moved = rewriter_.AddReshape(sort_, sorted, moved_dims);
      results.push_back(rewriter_.AddTranspose(sort_, moved, back));
    }
    return results;
  }

 private:
  std::vector<Instruction*> Sorted() {
    if (keys_.empty()) return NetworkOverOperands();
    const bool few = !gpu_ || lines_ * length_ * length_ <= kMaxPairsGpu;
    if (few && length_ <= (gpu_ ? kShortLineGpu : kShortLineX86)) return SortedByCountingPairs();
    return SortedByDigits();
  }

  Instruction* Positions() {
    return rewriter_.Add(sort_, Opcode::kIota, Shape::Array(ElementType::kS32, {lines_, length_}),
                         {}, OneAttr(Attr::kIotaDimension, int64_t{1}));
  }
  std::vector<Instruction*> Gathered(Instruction* positions) {
    std::vector<Instruction*> results;
    for (Instruction* matrix : matrices_) {
      results.push_back(AddTakeAlong(rewriter_, sort_, matrix, positions));
    }
    return results;
  }
  OrderedKey KeyMatrix(const SortKey& key) {
    Instruction* value = AddKeyValue(rewriter_, sort_, key.value, matrices_);
    return AddOrderedKey(rewriter_, sort_, value, key);
  }

  std::vector<Instruction*> SortedByCountingPairs();
  Computation* Sum();
  std::vector<Instruction*> NetworkOverOperands();
  std::vector<Instruction*> SortedByDigits();
  std::vector<Instruction*> SortedIndirectly();
  void AddDigitPasses(const SortKey& key, const std::vector<std::vector<size_t>>& places,
                      std::vector<Instruction*>* arrays);

  hlo::Module& module_;
  Rewriter& rewriter_;
  const Instruction& sort_;
  const runtime::DeviceInfo& device_;
  bool gpu_;
  int64_t lines_ = 0, length_ = 0;
  std::vector<Instruction*> matrices_;  // the operands as [lines, length]
  std::vector<SortKey> keys_;
};

Computation* SortExpander::Sum() {
  return AddFold(module_, sort_.name + ".sum", Opcode::kAdd, ElementType::kS32);
}

// Returns first or (equal and second).
Instruction* AddThen(Rewriter& body, const Instruction& sort, Instruction* first,
                     Instruction* equal, Instruction* second) {
  return AddBinary(body, sort, Opcode::kOr, first,
                   AddBinary(body, sort, Opcode::kAnd, equal, second));
}

// place[l, i] = |{j : j before i}|, position[l, p] = the i whose place is p.
std::vector<Instruction*> SortExpander::SortedByCountingPairs() {
  std::vector<int64_t> cube = {lines_, length_, length_};
  auto along = [&](Instruction* matrix, int64_t dim) {
    return rewriter_.AddBroadcast(sort_, matrix, cube, {0, dim});
  };
  auto iota = [&](int64_t dim) {
    return rewriter_.Add(sort_, Opcode::kIota, Shape::Array(ElementType::kS32, cube), {},
                         OneAttr(Attr::kIotaDimension, dim));
  };
  auto sum = [&](Instruction* terms) {
    Instruction* zero = AddSplat(rewriter_, sort_, ElementType::kS32, 0, {});
    return rewriter_.Add(sort_, Opcode::kReduce, Shape::Array(ElementType::kS32, {lines_, length_}),
                         {terms, zero}, OneAttr(Attr::kDimensions, hlo::Ints{2}), {Sum()});
  };
  Instruction* before = AddCompare(rewriter_, sort_, "LT", iota(2), iota(1));
  for (size_t k = keys_.size(); k-- > 0;) {
    Instruction* key = KeyMatrix(keys_[k]).value;
    Instruction *other = along(key, 2), *own = along(key, 1);
    before = AddThen(rewriter_, sort_, AddCompare(rewriter_, sort_, "LT", other, own),
                     AddCompare(rewriter_, sort_, "EQ", other, own), before);
  }
  Instruction* places = sum(AddConvert(rewriter_, sort_, before, ElementType::kS32));
  Instruction* here = AddCompare(rewriter_, sort_, "EQ", along(places, 2), iota(1));
  Instruction* zeros = AddSplat(rewriter_, sort_, ElementType::kS32, 0, cube);
  Instruction* terms = rewriter_.Add(sort_, Opcode::kSelect, zeros->shape, {here, iota(2), zeros});
  return Gathered(sum(terms));
}

// Appends the two parameters of the position: first before second.
Instruction* AddPositionOrder(Rewriter& body, const Instruction& sort) {
  Computation* comparator = body.computation();
  Shape s32 = Shape::Scalar(ElementType::kS32);
  Instruction* first = comparator->AddParameter(comparator->num_parameters(), s32);
  Instruction* second = comparator->AddParameter(comparator->num_parameters(), s32);
  return AddCompare(body, sort, "LT", first, second);
}

// (a, b, …, ia, ib) → a comes before b, or b does not come before a and ia < ib. Where the operands
// are too many, those that the comparator does not look at are gathered. A complex operand is two
// arrays, because one kernel's results are all complex or all real.
std::vector<Instruction*> SortExpander::NetworkOverOperands() {
  const Computation& original = *sort_.called[0];
  auto users = original.Users();
  Computation* comparator = module_.AddComputation(sort_.name + ".comparator");
  Rewriter body(comparator);
  size_t parts = 0;
  for (const Instruction* matrix : matrices_) {
    parts += hlo::IsComplex(matrix->shape.element_type()) ? 2 : 1;
  }
  const bool all = parts <= kMaxInNetwork;
  std::vector<Instruction*> forward(original.num_parameters(), nullptr), backward = forward, arrays;
  auto add_parameter = [&](const Shape& scalar) {
    return comparator->AddParameter(comparator->num_parameters(), scalar);
  };
  for (size_t i = 0; i < matrices_.size(); ++i) {
    Instruction *a = original.parameters()[2 * i], *b = original.parameters()[2 * i + 1];
    if (!all && users[a].empty() && users[b].empty()) continue;
    Instruction *first, *second;
    if (hlo::IsComplex(a->shape.element_type())) {
      const Shape& whole = matrices_[i]->shape;
      const ElementType part = hlo::PartType(whole.element_type());
      const Shape scalar = Shape::Scalar(part);
      std::vector<Instruction*> sides[2];
      for (Opcode opcode : {Opcode::kReal, Opcode::kImag}) {
        arrays.push_back(rewriter_.Add(sort_, opcode, whole.WithElementType(part), {matrices_[i]}));
        for (auto& side : sides) side.push_back(add_parameter(scalar));
      }
      first = body.Add(sort_, Opcode::kComplex, a->shape, sides[0]);
      second = body.Add(sort_, Opcode::kComplex, b->shape, sides[1]);
    } else {
      arrays.push_back(matrices_[i]);
      first = add_parameter(a->shape);
      second = add_parameter(b->shape);
    }
    forward[2 * i] = backward[2 * i + 1] = first;
    forward[2 * i + 1] = backward[2 * i] = second;
  }
  Instruction* earlier = AddPositionOrder(body, sort_);
  Instruction* before = InlineInto(original, forward, comparator);
  Instruction* after = InlineInto(original, backward, comparator);
  Instruction* not_after = body.Add(sort_, Opcode::kNot, after->shape, {after});
  comparator->set_root(AddThen(body, sort_, before, not_after, earlier));
  comparator->RemoveDead();
  arrays.push_back(Positions());
  arrays = AddSortingNetwork(rewriter_, sort_, std::move(arrays), comparator, device_);
  if (!all) return Gathered(arrays.back());
  std::vector<Instruction*> results;
  size_t next = 0;
  for (const Instruction* matrix : matrices_) {
    Instruction* result = arrays[next++];
    if (hlo::IsComplex(matrix->shape.element_type())) {
      result = rewriter_.Add(sort_, Opcode::kComplex, matrix->shape, {result, arrays[next++]});
    }
    results.push_back(result);
  }
  return results;
}

// Returns by how many bits of a key one pass sorts: each pass costs the elements and the digits'
// counters.
int64_t DigitBits(int64_t bits, int64_t length) {
  int64_t best = 1, least = INT64_MAX;
  for (int64_t digit = 1; digit <= std::min(bits, kMaxDigitBits); ++digit) {
    int64_t passes = (bits + digit - 1) / digit;
    int64_t cost = passes * (4 * length + (int64_t{1} << digit));
    if (cost < least) {
      least = cost;
      best = (bits + passes - 1) / passes;
    }
  }
  return best;
}

// Sorts the arrays by one key. places[k] says which of the arrays hold operand k: two for the parts
// of a complex one, and none if the operand is not among them.
void SortExpander::AddDigitPasses(const SortKey& key,
                                  const std::vector<std::vector<size_t>>& places,
                                  std::vector<Instruction*>* arrays) {
  int64_t bits = 1, digit_bits = 1;
  for (int64_t shift = 0; shift < bits; shift += digit_bits) {
    Computation* body = module_.AddComputation(sort_.name + ".digit");
    Rewriter inside(body);
    std::vector<Instruction*> parameters, operands;
    std::vector<Shape> shapes;
    for (const Instruction* array : *arrays) {
      shapes.push_back(array->shape);
      parameters.push_back(
          body->AddParameter(static_cast<int64_t>(parameters.size()), array->shape.WithDims({})));
    }
    for (size_t k = 0; k < places.size(); ++k) {
      Instruction* operand = places[k].empty() ? nullptr : parameters[places[k][0]];
      if (places[k].size() == 2) {
        Shape complex = Shape::Scalar(matrices_[k]->shape.element_type());
        operand = inside.Add(sort_, Opcode::kComplex, complex,
                             {parameters[places[k][0]], parameters[places[k][1]]});
      }
      operands.push_back(operand);
    }
    OrderedKey ordered =
        AddOrderedKey(inside, sort_, AddKeyValue(inside, sort_, key.value, operands), key);
    if (shift == 0) {
      bits = ordered.bits;
      digit_bits = gpu_ ? std::min(bits, kDigitBitsGpu) : DigitBits(bits, length_);
    }
    int64_t width = std::min(digit_bits, bits - shift);
    ElementType type = ordered.value->shape.element_type();
    Instruction* digit = ordered.value;
    if (shift > 0) {
      digit = AddBinary(inside, sort_, Opcode::kShiftRightLogical, digit,
                        AddSplatBits(inside, sort_, type, shift, {}));
    }
    if (shift + width < hlo::BitWidth(type)) {
      uint64_t mask = (uint64_t{1} << width) - 1;
      digit = AddBinary(inside, sort_, Opcode::kAnd, digit,
                        AddSplatBits(inside, sort_, type, mask, {}));
    }
    body->set_root(AddConvert(inside, sort_, digit, ElementType::kS32));
    body->RemoveDead();

    bool several = arrays->size() > 1;
    Instruction* pass =
        rewriter_.Add(sort_, Opcode::kCountingPass, several ? Shape::Tuple(shapes) : shapes[0],
                      *arrays, OneAttr(Attr::kK, int64_t{1} << width), {body});
    for (size_t i = 0; i < arrays->size(); ++i) {
      (*arrays)[i] =
          several ? rewriter_.AddGetTupleElement(sort_, pass, static_cast<int64_t>(i)) : pass;
    }
  }
}

std::vector<Instruction*> SortExpander::SortedByDigits() {
  std::vector<bool> is_key(matrices_.size());
  for (const SortKey& key : keys_) {
    for (int64_t operand : OperandsOf(key.value)) is_key[operand] = true;
  }
  size_t all = 0, needed = 0;  // arrays
  int64_t bytes = 0;
  for (size_t k = 0; k < matrices_.size(); ++k) {
    ElementType type = matrices_[k]->shape.element_type();
    size_t parts = hlo::IsComplex(type) ? 2 : 1;
    all += parts;
    bytes += hlo::StorageBytes(type);
    if (is_key[k]) needed += parts;
  }
  // Halide would compute a digit, which is an index, from such a key as often as it uses each part.
  constexpr int64_t kMostKeyOps = 200;
  RepeatedOps ops(kMostKeyOps);
  for (const SortKey& key : keys_) {
    if (ops.IsMany(*key.value)) return SortedIndirectly();
  }
  bool whole = all == needed || (all <= kMaxMoved && bytes <= kMaxMovedBytes);
  if ((whole ? all : needed + 1) > kMaxMoved) return SortedIndirectly();

  std::vector<Instruction*> arrays;
  std::vector<std::vector<size_t>> places(matrices_.size());
  for (size_t k = 0; k < matrices_.size(); ++k) {
    if (!whole && !is_key[k]) continue;
    const Shape& shape = matrices_[k]->shape;
    if (!hlo::IsComplex(shape.element_type())) {
      places[k] = {arrays.size()};
      arrays.push_back(matrices_[k]);
      continue;
    }
    places[k] = {arrays.size(), arrays.size() + 1};
    Shape part = shape.WithElementType(hlo::PartType(shape.element_type()));
    arrays.push_back(rewriter_.Add(sort_, Opcode::kReal, part, {matrices_[k]}));
    arrays.push_back(rewriter_.Add(sort_, Opcode::kImag, part, {matrices_[k]}));
  }
  if (!whole) arrays.push_back(Positions());
  for (size_t k = keys_.size(); k-- > 0;) AddDigitPasses(keys_[k], places, &arrays);
  std::vector<Instruction*> results;
  for (size_t k = 0; k < matrices_.size(); ++k) {
    if (places[k].empty()) {
      results.push_back(AddTakeAlong(rewriter_, sort_, matrices_[k], arrays.back()));
    } else if (places[k].size() == 1) {
      results.push_back(arrays[places[k][0]]);
    } else {
      results.push_back(rewriter_.Add(sort_, Opcode::kComplex, matrices_[k]->shape,
                                      {arrays[places[k][0]], arrays[places[k][1]]}));
    }
  }
  return results;
}

// With many operands, positions are sorted by one key after the other, from the last to the first.
std::vector<Instruction*> SortExpander::SortedIndirectly() {
  Instruction* positions = Positions();
  for (size_t k = keys_.size(); k-- > 0;) {
    Instruction* key = KeyMatrix(keys_[k]).value;
    if (k + 1 < keys_.size()) key = AddTakeAlong(rewriter_, sort_, key, positions);
    // Makes the key a parameter of a separate comparator.
    Computation* order = module_.AddComputation(sort_.name + ".key");
    SortKey plain;
    order->set_root(order->AddParameter(0, key->shape.WithDims({})));
    plain.value = order->root();
    std::vector<Instruction*> arrays = {key, positions};
    AddDigitPasses(plain, {{0}}, &arrays);
    positions = arrays[1];
  }
  return Gathered(positions);
}

}  // namespace

absl::Status ExpandSort(hlo::Module& module, const runtime::DeviceInfo& device) {
  absl::Status expanded = RewriteEach(module, [&](Rewriter& rewriter, Instruction* inst) {
    if (inst->opcode != Opcode::kSort) return absl::OkStatus();
    std::vector<Instruction*> results = SortExpander(module, rewriter, *inst, device).Expand();
    rewriter.Replace(inst, results.size() == 1
                               ? results[0]
                               : rewriter.Add(*inst, Opcode::kTuple, inst->shape, results));
    return absl::OkStatus();
  });
  if (!expanded.ok()) return expanded;
  module.RemoveUnreachableComputations();
  return FlattenTuples(module);
}

}  // namespace halyard::lowering
