#include "lowering/plan/fuse/fusion_group.h"

#include <algorithm>
#include <functional>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;

// Leaves room for the parameters, which count as instructions too.
constexpr size_t kMaxMembers = kMaxKernelInstructions - kMaxKernelBuffers - 2;
constexpr size_t kMaxContexts = 8;
constexpr size_t kMaxCostlyContexts = 3;
constexpr size_t kMaxOutputs = 4;

bool IsElementwise(const Instruction& inst) {
  return hlo::RowOf(inst.opcode).elementwise || inst.opcode == Opcode::kGetTupleElement;
}

bool IsHeavyHero(const Instruction& inst) {
  return inst.opcode == Opcode::kDot || inst.opcode == Opcode::kConvolution ||
         inst.opcode == Opcode::kReduceWindow;
}

// Returns how much an op counts among a kernel's members, in quarters. The compile time of Halide
// and LLVM grows with the square of the depth of expressions: a chain of 50 sines would take half a
// minute.
size_t MemberWeight(const Instruction& inst) {
  const size_t parts = IsTranscendental(inst.opcode) && HasComplex(inst.shape) ? 3 : 1;
  switch (inst.opcode) {
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kTan:
    case Opcode::kPower:
    case Opcode::kThreefryBlock:
    case Opcode::kPhiloxBlock:
      return 16 * parts;
    default:
      return parts * static_cast<size_t>(QuartersOf(inst));
  }
}

uint64_t Mix(uint64_t a, uint64_t b) {
  uint64_t x = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x632be59bd9b4e019u;
  x ^= x >> 29;
  return x * 0xbf58476d1ce4e5b9u;
}

// Returns whether a broadcast's operand has the leading dimensions of its result; those of size 1
// do not count.
bool IsAlongRows(const Instruction& broadcast) {
  const Ints& to = broadcast.GetInts(Attr::kDimensions);
  const Instruction& from = *broadcast.operand(0);
  int64_t place = 0;  // of the next dimension of the result that is not 1
  for (size_t i = 0; i < to.size(); ++i) {
    if (from.shape.dim(i) == 1) continue;
    while (broadcast.shape.dim(place) == 1) ++place;
    if (to[i] != place++) return false;
  }
  return true;
}

int64_t CountNotOne(const std::vector<int64_t>& dims) {
  return static_cast<int64_t>(dims.size()) - std::count(dims.begin(), dims.end(), 1);
}

// Returns whether `reduce` reduces the last dimensions, apart from those of size 1.
bool ReducesRows(const Instruction& reduce) {
  const Ints& reduced = reduce.GetInts(Attr::kDimensions);
  const std::vector<int64_t>& dims = reduce.operand(0)->shape.dims();
  bool in_row = false;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    bool is_reduced = std::find(reduced.begin(), reduced.end(), d) != reduced.end();
    if (in_row && !is_reduced) return false;
    in_row = in_row || is_reduced;
  }
  return true;
}

const Instruction* BehindReshapes(const Instruction* inst) {
  while (inst->opcode == Opcode::kReshape) inst = inst->operand(0);
  return inst;
}

bool ReadsAsIndex(const Instruction& user, const Instruction* value) {
  for (size_t i = 0; i < user.operands.size(); ++i) {
    if (user.operands[i] == value && IsIndexOperand(user, i)) return true;
  }
  return false;
}

// Each operand of a concatenation is read at a different place, even if two are one value.
void SeparateOperands(const Instruction& concatenate, const Instruction* inst,
                      std::vector<uint64_t>* contexts) {
  const std::vector<uint64_t> whole = std::move(*contexts);
  contexts->clear();
  for (size_t i = 0; i < concatenate.operands.size(); ++i) {
    if (concatenate.operands[i] != inst) continue;
    for (uint64_t context : whole) contexts->push_back(Mix(i + 1, context));
  }
}

}  // namespace

FusionGroup::FusionGroup(Instruction* root, const FusionFacts* facts)
    : facts_(facts), outputs_({root}) {
  Use use;
  use.domain = Domain::kOutput;
  use.contexts = {1};
  uses_[root] = use;
  if (IsHero(*root)) {
    heroes_.push_back(root);
    if (root->opcode == Opcode::kReduce) full_dims_ = root->operand(0)->shape.dims();
  }
}

void FusionGroup::AddOutput(Instruction* inst) {
  Use use;
  use.domain = Domain::kOutput;
  use.contexts = {1};
  uses_[inst] = use;
  outputs_.push_back(inst);
}

void FusionGroup::AddHeroUse(const Instruction& user, const Instruction* inst, Use* use) const {
  size_t n = user.operands.size();
  for (size_t i = 0; i < n; ++i) {
    if (user.operands[i] != inst) continue;
    if (IsSequence(user.opcode)) {
      SequenceOperand form = SequenceOperandOf(user, i);
      bool fixed = form == SequenceOperand::kInPlace || form == SequenceOperand::kMemory;
      use->fixed = use->fixed || fixed;
      use->repeated = use->repeated || form == SequenceOperand::kRepeated;
      continue;
    }
    switch (user.opcode) {
      case Opcode::kReduce:
        if (i >= n / 2) break;
        use->domain = full_dims_ == root()->shape.dims() ? Domain::kOutput : Domain::kFull;
        break;
      case Opcode::kSortPass:
      case Opcode::kUnscaledFft:
        use->fixed = true;
        break;
      case Opcode::kFftPass:
        use->fixed = use->fixed || i > 0;  // an element of operand 0 is read once
        break;
      default:
        use->heavy = true;
    }
  }
  use->contexts = {Mix(reinterpret_cast<uintptr_t>(&user), 7)};
}

void FusionGroup::AddBroadcastUse(const Instruction& user, Use* use) const {
  bool full = use->domain == Domain::kFull || (use->domain == Domain::kOutput && FullIsOutput());
  bool row = full && IsAlongRows(user);
  if (user.shape.NumElements() > user.operand(0)->shape.NumElements()) {
    (row ? use->row_repeated : use->repeated) = true;
  }
  use->domain = row ? Domain::kRow : Domain::kOther;
  use->row_rank = CountNotOne(user.operand(0)->shape.dims());
  // Where the outputs are one value for each row, a row's place is an output's. (One row alone is
  // reduced in parts.)
  if (row && !FullIsOutput() && root()->shape.NumElements() > 1 &&
      user.operand(0)->shape.dims() == root()->shape.dims()) {
    use->domain = Domain::kOutput;
    use->row_rank = 0;
  }
}

// Sets `use` to how `user` reads `inst`.
void FusionGroup::AddUse(const Instruction& user, const Instruction* inst, Use* use) const {
  if (IsHero(user)) return AddHeroUse(user, inst, use);
  *use = uses_.at(&user);
  if (IsElementwise(user)) return;
  if (IsDegenerateReshape(user)) {
    if (use->domain != Domain::kRow) use->domain = Domain::kOther;
    return;
  }
  for (uint64_t& context : use->contexts) {
    context = Mix(reinterpret_cast<uintptr_t>(&user), context);
  }
  if (user.opcode == Opcode::kConcatenate) SeparateOperands(user, inst, &use->contexts);
  if (user.opcode == Opcode::kBroadcast) return AddBroadcastUse(user, use);
  use->domain = Domain::kOther;
  if (user.opcode == Opcode::kConcatenate) use->in_choice = true;
  if (user.opcode == Opcode::kGather) use->repeated = true;
}

FusionGroup::Use FusionGroup::UseOf(const Instruction* inst) const {
  Use all;
  bool first = true;
  for (const Instruction* user : facts_->users.at(inst)) {
    if (!Contains(user)) continue;
    Use use;
    AddUse(*user, inst, &use);
    use.fixed |= facts_->long_indices.contains(inst) && ReadsAsIndex(*user, inst);
    if (first) {
      all = use;
      first = false;
      continue;
    }
    if (all.domain != use.domain || all.row_rank != use.row_rank) all.domain = Domain::kOther;
    all.heavy |= use.heavy;
    all.repeated |= use.repeated;
    all.row_repeated |= use.row_repeated;
    all.in_choice |= use.in_choice;
    all.fixed |= use.fixed;
    all.contexts.insert(all.contexts.end(), use.contexts.begin(), use.contexts.end());
  }
  std::sort(all.contexts.begin(), all.contexts.end());
  all.contexts.erase(std::unique(all.contexts.begin(), all.contexts.end()), all.contexts.end());
  return all;
}

bool MakesWeights(const Instruction& inst) {
  const Instruction* made = &inst;
  // A scale and a zero point, each before or after a reshape into blocks.
  for (int steps = 0; steps < 8; ++steps) {
    switch (made->opcode) {
      case Opcode::kReshape:
        made = made->operand(0);
        continue;
      case Opcode::kConvert:
        return hlo::BitWidth(made->operand(0)->shape.element_type()) <
               hlo::BitWidth(made->shape.element_type());
      case Opcode::kMultiply:
      case Opcode::kSubtract:
      case Opcode::kAdd:
        if (made->operand(1)->opcode == Opcode::kBroadcast) {
          made = made->operand(0);
        } else if (made->operand(0)->opcode == Opcode::kBroadcast) {
          made = made->operand(1);
        } else {
          return false;
        }
        continue;
      default:
        return false;
    }
  }
  return false;
}

bool FusionGroup::ReadsUpdatedOperand(const Instruction& inst) const {
  if (heroes_.empty() || !IsSequence(heroes_[0]->opcode)) return false;
  const Instruction& sequence = *heroes_[0];
  for (size_t i = 0; i < sequence.operands.size(); ++i) {
    if (SequenceOperandOf(sequence, i) != SequenceOperand::kInPlace) continue;
    const Instruction* updated = BehindReshapes(sequence.operand(i));
    bool read =
        std::any_of(inst.operands.begin(), inst.operands.end(),
                    [&](const Instruction* operand) { return BehindReshapes(operand) == updated; });
    if (read) return true;
  }
  return false;
}

// Returns whether `inst` would round a factor of a large product, once for each time that it is
// read, instead of once when it is made.
bool FusionGroup::NarrowsIntoProduct(const Instruction& inst, const Use& use) const {
  constexpr double kLarge = 1 << 24;  // multiply-adds; smaller products are launches, mostly
  if (!facts_->limits.narrows_before_products || !use.heavy || inst.opcode != Opcode::kConvert)
    return false;
  const Instruction& hero = *heroes_[0];
  return (hero.opcode == Opcode::kDot || hero.opcode == Opcode::kConvolution) &&
         hlo::BitWidth(inst.shape.element_type()) <
             hlo::BitWidth(inst.operand(0)->shape.element_type()) &&
         MultiplyAdds(hero) >= kLarge;
}

// Returns whether a product of one row reads each element of `inst`, its matrix, once.
bool FusionGroup::ReadOnce(const Instruction& inst) const {
  const Instruction& hero = *heroes_[0];
  return facts_->limits.scales_matrices && hero.opcode == Opcode::kDot && MakesWeights(inst) &&
         MultiplyAdds(hero) == static_cast<double>(inst.shape.NumElements());
}

bool FusionGroup::MayAddExpr(const Instruction& inst, const Use& use, bool asked) const {
  if (use.fixed || ReadsUpdatedOperand(inst)) return false;
  // See lowering/plan/expand/random.cc.
  bool blocks = inst.opcode == Opcode::kThreefryBlock || inst.opcode == Opcode::kPhiloxBlock;
  if (blocks && heroes_.empty() && root()->shape.IsArray() && root()->shape.NumElements() == 1) {
    return false;
  }
  if (inst.opcode == Opcode::kBroadcast && IsNumber(inst)) return true;
  bool elementwise = hlo::RowOf(inst.opcode).elementwise;
  bool index_only = !elementwise && inst.opcode != Opcode::kConcatenate &&
                    inst.opcode != Opcode::kGather && inst.opcode != Opcode::kDynamicSlice;
  if (inst.opcode == Opcode::kConstant) {
    if (inst.shape.ByteSize() > kMaxInlineConstantBytes) return false;
    return inst.shape.IsScalar() || !use.heavy;
  }
  const bool costly = CostOf(inst.opcode) != OpCost::kCheap;
  const bool weighed = costly && !asked;
  if (use.contexts.size() > (weighed ? kMaxCostlyContexts : kMaxContexts)) return false;
  // What a contraction or window can write itself is better written by it.
  if (!asked && !heroes_.empty() && facts_->epilogues.contains(&inst)) return false;
  if (!asked && NarrowsIntoProduct(inst, use)) return false;
  if (use.heavy) {
    if (costly || (!elementwise && !index_only)) return false;
    // Contractions and convolutions read an element too often for more than conversions.
    bool window = heroes_[0]->opcode == Opcode::kReduceWindow;
    bool light = window ? !facts_->from_hero.contains(&inst) : inst.opcode == Opcode::kConvert;
    if (elementwise && !inst.shape.IsScalar() && !light && !ReadOnce(inst)) return false;
  }
  if (use.in_choice && weighed) return false;
  if (use.repeated && (weighed || (!elementwise && !index_only))) return false;
  if (use.row_repeated && use.domain != Domain::kRow && weighed) return false;
  // Costly values of a row are repeated for its elements, unless a reduce of the row comes before
  // them.
  if (use.row_repeated && weighed && !facts_->from_hero.contains(&inst)) return false;
  return true;
}

bool FusionGroup::RowFits(const Instruction& reduce) const {
  const FusionLimits& limits = facts_->limits;
  const hlo::Shape& array = reduce.operand(0)->shape;
  const int64_t rows = std::max<int64_t>(1, reduce.shape.NumElements());
  if (array.NumElements() <= rows * limits.max_row_elements) return true;
  const int64_t row_bytes = array.NumElements() / rows * hlo::BitWidth(array.element_type()) / 8;
  return rows >= limits.min_long_rows && row_bytes <= limits.max_row_bytes;
}

bool FusionGroup::MayAddReduce(const Instruction& reduce, const Use& use) const {
  if (!reduce.shape.IsArray()) return false;
  const std::vector<int64_t>& dims = reduce.operand(0)->shape.dims();
  const Ints& reduced = reduce.GetInts(Attr::kDimensions);
  for (const Instruction* hero : heroes_) {
    if (hero->opcode != Opcode::kReduce || !hero->shape.IsArray() ||
        hero->operand(0)->shape.dims() != dims || hero->GetInts(Attr::kDimensions) != reduced) {
      return false;
    }
  }
  const bool of_output =
      use.domain == Domain::kOutput && reduce.shape.dims() == root()->shape.dims();
  if (of_output && !use.row_repeated) return true;
  if (!of_output && use.domain != Domain::kRow) return false;
  if (full_dims_.empty() ? dims != root()->shape.dims() : dims != full_dims_) return false;
  // In rows, the reduced dimensions are the last ones.
  return (of_output || use.row_rank == CountNotOne(reduce.shape.dims())) && ReducesRows(reduce) &&
         RowFits(reduce);
}

bool FusionGroup::MayAddHero(const Instruction& inst, const Use& use) const {
  if (use.fixed || use.heavy || use.in_choice || use.repeated) return false;
  if (inst.opcode == Opcode::kReduce) return MayAddReduce(inst, use);
  return IsHeavyHero(inst) && inst.shape.IsArray() && heroes_.empty() &&
         use.domain == Domain::kOutput && inst.shape.dims() == root()->shape.dims();
}

// Counts the elementwise ops that compute `inst` inside the kernel, once per use.
int FusionGroup::PrologueOps(const Instruction* inst) const {
  if (!Contains(inst)) return 0;
  int count = hlo::RowOf(inst->opcode).elementwise ? 1 : 0;
  for (const Instruction* operand : inst->operands) count += PrologueOps(operand);
  return count;
}

bool FusionGroup::HeavyPrologueFits() const {
  for (const Instruction* hero : heroes_) {
    if (!IsHeavyHero(*hero)) continue;
    for (const Instruction* operand : hero->operands) {
      if (PrologueOps(operand) > kMaxPrologueOps) return false;
    }
  }
  return true;
}

bool FusionGroup::FitsLimits(const Instruction& added, bool as_output) const {
  size_t weight = 0;
  for (const auto& [member, use] : uses_) weight += MemberWeight(*member);
  if (weight > 4 * kMaxMembers) return false;
  if (as_output && outputs_.size() > kMaxOutputs) return false;
  // If a hero has several results, each is an output.
  const bool several = root()->shape.IsTuple() && !IsSequence(root()->opcode);
  const size_t outputs = several ? root()->shape.elements().size() : outputs_.size();
  // A constant needs one buffer less as a member than as an input. Numbers become members once they
  // are visited, after all that uses them, but for what a sequence wants in memory.
  if (added.opcode != Opcode::kConstant) {
    std::unordered_set<const Instruction*> buffers;
    for (const Instruction* input : Inputs()) {
      const bool joins = IsNumber(*input) && !UseOf(input).fixed;
      if (joins && input->opcode == Opcode::kBroadcast) input = input->operand(0);
      if (!joins || !IsNumber(*input)) buffers.insert(input);
    }
    if (static_cast<int>(buffers.size() + outputs) > facts_->limits.max_buffers) return false;
  }
  return HeavyPrologueFits();
}

bool FusionGroup::TryAdd(Instruction* inst, bool as_output, bool asked) {
  if (inst->opcode != Opcode::kConstant && IsOnHost(*inst) != IsOnHost(*root())) return false;
  if (!asked && facts_->library.results.contains(inst)) return false;
  // A call takes its factors as they are in memory.
  if (!asked && facts_->library.results.contains(root()) && !facts_->library.members.contains(inst))
    return false;
  Use use = UseOf(inst);
  bool hero = IsHero(*inst);
  if (hero ? !MayAddHero(*inst, use) : !MayAddExpr(*inst, use, asked)) return false;
  if (as_output && (use.domain != Domain::kOutput || !inst->shape.IsArray() ||
                    inst->shape.dims() != root()->shape.dims() ||
                    HasComplex(inst->shape) != HasComplex(root()->shape))) {
    return false;
  }
  uses_[inst] = use;
  if (as_output) outputs_.push_back(inst);
  if (hero) heroes_.push_back(inst);
  if (!FitsLimits(*inst, as_output)) {
    uses_.erase(inst);
    if (as_output) outputs_.pop_back();
    if (hero) heroes_.pop_back();
    return false;
  }
  if (inst->opcode == Opcode::kReduce) full_dims_ = inst->operand(0)->shape.dims();
  return true;
}

std::vector<Instruction*> FusionGroup::OrderedMembers() const {
  std::vector<Instruction*> order;
  std::unordered_set<const Instruction*> seen;
  std::function<void(Instruction*)> visit = [&](Instruction* inst) {
    if (!Contains(inst) || !seen.insert(inst).second) return;
    for (Instruction* operand : inst->operands) visit(operand);
    order.push_back(inst);
  };
  for (Instruction* output : outputs_) visit(output);
  return order;
}

std::vector<Instruction*> FusionGroup::Inputs() const {
  std::vector<Instruction*> inputs;
  std::unordered_set<const Instruction*> seen;
  for (const Instruction* member : OrderedMembers()) {
    for (Instruction* operand : member->operands) {
      if (!Contains(operand) && seen.insert(operand).second) inputs.push_back(operand);
    }
  }
  return inputs;
}

}  // namespace halyard::lowering
