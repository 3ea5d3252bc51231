#include "lowering/plan/fuse/sequence_fuser.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/contraction/packed_factor.h"
#include "lowering/kernels/contraction/sums_fit.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;

// Ops that a kernel computes. The others are structure (parameters, tuples, loops), or change no
// byte (reshape, barrier).
bool IsComputed(const Instruction& inst) {
  OpForm form = FormOf(inst.opcode);
  return (form == OpForm::kExpr || form == OpForm::kFunc) && inst.opcode != Opcode::kConstant &&
         inst.opcode != Opcode::kReshape;
}

// Reshapes and constants never start a kernel, but may be part of one.
bool MayJoin(const Instruction& inst) {
  return IsComputed(inst) || inst.opcode == Opcode::kConstant || IsDegenerateReshape(inst) ||
         IsPackedFactor(inst);
}

constexpr int64_t kNoHorizon = std::numeric_limits<int64_t>::max();

// A sequence updates a separate parameter, which nothing else may read meanwhile.
void SeparateInPlace(const Instruction& sequence, Computation* kernel,
                     std::vector<Instruction*>* operands, std::vector<Instruction*>* inputs) {
  const UserMap users = kernel->Users();
  for (size_t i = 0; i < operands->size(); ++i) {
    if (SequenceOperandOf(sequence, i) != SequenceOperand::kInPlace) continue;
    Instruction*& operand = (*operands)[i];
    if (users.at(operand).empty() && std::count(operands->begin(), operands->end(), operand) == 1) {
      continue;
    }
    operand = kernel->AddParameter(static_cast<int64_t>(inputs->size()), operand->shape);
    inputs->push_back(sequence.operands[i]);
  }
}

}  // namespace

absl::StatusOr<KernelComputation> MakeKernel(const FusionGroup& group, const FusionFacts& facts,
                                             hlo::Module* module) {
  const Instruction* root = group.root();
  KernelComputation made;
  Computation* kernel = module->AddComputation("kernel." + root->name);
  made.computation = kernel;
  std::unordered_map<const Instruction*, Instruction*> copies;
  made.inputs = group.Inputs();
  for (size_t i = 0; i < made.inputs.size(); ++i) {
    copies[made.inputs[i]] = kernel->AddParameter(static_cast<int64_t>(i), made.inputs[i]->shape);
  }
  for (Instruction* member : group.OrderedMembers()) {
    std::vector<Instruction*> operands;
    for (Instruction* operand : member->operands) operands.push_back(copies.at(operand));
    if (IsSequence(member->opcode)) SeparateInPlace(*member, kernel, &operands, &made.inputs);
    copies[member] = kernel->AddClone(*member, std::move(operands));
    if (member->GetString(Attr::kFrontendAttributes) != kSumsFit && !IsPackedFactor(*member)) {
      copies[member]->attrs.Erase(Attr::kFrontendAttributes);
    }
    made.provenance.Unite(member->provenance);
  }
  made.outputs = group.outputs();
  if (root->shape.IsTuple() && !IsSequence(root->opcode)) {
    // Returns the results that are used of a hero with several.
    made.outputs = facts.users.at(root);
    for (Instruction* output : made.outputs) {
      copies[output] = kernel->AddClone(*output, {copies.at(root)});
      made.provenance.Unite(output->provenance);
    }
    const size_t buffers = made.inputs.size() + made.outputs.size();
    if (buffers > kMaxSequenceBuffers) {
      return LocatedError(
          absl::StatusCode::kUnimplemented, *root,
          absl::StrCat(made.inputs.size(), " operands and ", made.outputs.size(),
                       " results of one op; at most ", kMaxSequenceBuffers, " together"));
    }
  }
  std::vector<Instruction*> roots;
  std::vector<hlo::Shape> shapes;
  for (const Instruction* output : made.outputs) {
    roots.push_back(copies.at(output));
    shapes.push_back(output->shape);
  }
  kernel->set_root(
      roots.size() == 1 ? roots[0] : kernel->Add(Opcode::kTuple, hlo::Shape::Tuple(shapes), roots));
  if (absl::Status s = VerifyKernelForm(*kernel); !s.ok()) return s;
  return made;
}

SequenceFuser::SequenceFuser(const Computation* sequence, const FusionFacts* facts, bool fuse)
    : sequence_(sequence),
      facts_(facts),
      fuse_(fuse),
      next_(static_cast<int64_t>(sequence->instructions().size()) - 1),
      groups_of_(sequence->instructions().size()),
      also_outside_(sequence->instructions().size()) {}

std::vector<Instruction*> SequenceFuser::Order(const Computation& sequence) {
  std::vector<Instruction*> order;
  for (auto it = sequence.instructions().rbegin(); it != sequence.instructions().rend(); ++it) {
    order.push_back(it->get());
  }
  return order;
}

const std::vector<size_t>& SequenceFuser::GroupsOf(const Instruction* inst) const {
  static const auto* const kNone = new Groups;
  const std::shared_ptr<const Groups>& found = groups_of_[facts_->position.at(inst)];
  return found == nullptr ? *kNone : *found;
}

bool SequenceFuser::IsVisited(const Instruction* inst) const {
  return facts_->position.at(inst) > next_;
}

FusionGroup& SequenceFuser::Own(size_t k) {
  if (groups_[k].use_count() > 1) groups_[k] = std::make_shared<FusionGroup>(*groups_[k]);
  return *groups_[k];
}

bool SequenceFuser::TryAdd(Instruction* inst, size_t k, bool as_output, bool repeat) {
  return Own(k).TryAdd(inst, as_output, repeat);
}

void SequenceFuser::StartGroup(Instruction* root) {
  std::shared_ptr<const Groups>& mine = groups_of_[facts_->position.at(root)];
  Groups groups = GroupsOf(root);
  groups.push_back(groups_.size());
  mine = std::make_shared<const Groups>(std::move(groups));
  groups_.push_back(std::make_shared<FusionGroup>(root, facts_));
  closed_.push_back(false);
}

// Returns the kernels that lead from the values `from`, without those that go through kernel
// `leave_out`.
std::vector<bool> SequenceFuser::ReachedGroups(const std::vector<const Instruction*>& from,
                                               size_t leave_out, int64_t horizon) const {
  std::vector<bool> reached(groups_.size());
  std::unordered_set<const Instruction*> seen(from.begin(), from.end());
  std::vector<const Instruction*> work = from;
  auto push = [&](const Instruction* inst) {
    if (facts_->position.at(inst) < horizon && seen.insert(inst).second) work.push_back(inst);
  };
  while (!work.empty()) {
    const Instruction* value = work.back();
    work.pop_back();
    for (const Instruction* user : facts_->users.at(value)) {
      const Groups& groups = GroupsOf(user);
      if (groups.empty() || also_outside_[facts_->position.at(user)]) push(user);
      for (size_t k : groups) {
        if (reached[k]) continue;
        if (k == leave_out && std::find(from.begin(), from.end(), value) != from.end()) continue;
        reached[k] = true;
        if (k == leave_out) continue;
        for (const Instruction* output : groups_[k]->outputs()) push(output);
      }
    }
  }
  return reached;
}

// Returns a position from which on no value leads to `group`. Users come after what they use, so
// the way from a value to an earlier one goes through a kernel with several outputs, whose span
// holds every position in between.
int64_t SequenceFuser::HorizonOf(size_t group) const {
  const int64_t root = facts_->position.at(groups_[group]->root());
  const auto next = spans_.upper_bound(root);
  if (next == spans_.begin()) return root;
  return std::max(root, std::prev(next)->second);
}

// Called when `group` has one more output, which comes before all others.
void SequenceFuser::AddSpan(size_t group) {
  int64_t first = facts_->position.at(groups_[group]->outputs().back());
  int64_t last = facts_->position.at(groups_[group]->root());
  auto it = spans_.upper_bound(last);
  while (it != spans_.begin() && std::prev(it)->second >= first) {
    --it;
    first = std::min(first, it->first);
    last = std::max(last, it->second);
    it = spans_.erase(it);
  }
  spans_.emplace(first, last);
}

// Returns whether a kernel other than `group` reads `from` and leads to one that `group` reads.
bool SequenceFuser::ReachesGroup(const Instruction* from, size_t group) const {
  return ReachedGroups({from}, group, HorizonOf(group))[group];
}

bool SequenceFuser::AddAsOutput(Instruction* inst, const Groups& groups) {
  for (size_t k : groups) {
    if (ReachesGroup(inst, k) || !TryAdd(inst, k, /*as_output=*/true, /*repeat=*/false)) continue;
    groups_of_[facts_->position.at(inst)] = std::make_shared<const Groups>(Groups{k});
    AddSpan(k);
    return true;
  }
  return false;
}

// Returns true if all of them compute it now.
bool SequenceFuser::Repeat(Instruction* inst, const Groups& groups, bool asked) {
  Groups joined;
  for (size_t k : groups) {
    if (TryAdd(inst, k, /*as_output=*/false, asked)) joined.push_back(k);
  }
  const bool all = joined.size() == groups.size();
  if (!joined.empty()) {
    groups_of_[facts_->position.at(inst)] = std::make_shared<const Groups>(std::move(joined));
  }
  return all;
}

SequenceFuser::Groups SequenceFuser::NeededBy(const Instruction* inst, bool* outside) const {
  Groups needed;
  *outside = inst == sequence_->root();
  for (const Instruction* user : facts_->users.at(inst)) {
    const Groups& groups = GroupsOf(user);
    *outside = *outside || groups.empty() || also_outside_[facts_->position.at(user)];
    for (size_t k : groups) {
      if (std::find(needed.begin(), needed.end(), k) == needed.end()) needed.push_back(k);
    }
  }
  std::sort(needed.begin(), needed.end(), [&](size_t a, size_t b) {
    return facts_->position.at(groups_[a]->root()) < facts_->position.at(groups_[b]->root());
  });
  return needed;
}

void SequenceFuser::Visit(Instruction* inst, Placement wanted) {
  next_ = facts_->position.at(inst) - 1;
  if (!MayJoin(*inst)) return;
  // If a hero has several results, they are the outputs of the kernel.
  if (inst->shape.IsTuple()) return StartGroup(inst);
  const bool computed = IsComputed(*inst);
  if (!fuse_ || !computed || IsNumber(*inst)) wanted = Placement::kRule;
  bool outside = false;
  const Groups needed = NeededBy(inst, &outside);
  // A result that nothing else reads would not be an output.
  const bool one_reader = needed.size() == 1 && !outside;
  if (wanted == Placement::kOutput && one_reader) wanted = Placement::kRepeat;
  const bool by_rule = wanted == Placement::kRule;
  const bool repeat = wanted == Placement::kRepeat || inst->opcode == Opcode::kConstant ||
                      (by_rule && fuse_ && IsCheapToRepeat(*inst, *facts_));
  if (by_rule && fuse_ && one_reader &&
      TryAdd(inst, needed[0], /*as_output=*/false, /*repeat=*/false)) {
    groups_of_[facts_->position.at(inst)] = std::make_shared<const Groups>(needed);
    return;
  }
  if (repeat) {
    const bool all = Repeat(inst, needed, !by_rule);
    outside = outside || !all;
  } else if (fuse_ && wanted != Placement::kStore && !needed.empty() &&
             (!by_rule || outside || needed.size() > 1) && computed && AddAsOutput(inst, needed)) {
    return;
  } else {
    outside = true;
  }
  if (outside && computed) StartGroup(inst);
  if (outside && !computed) also_outside_[facts_->position.at(inst)] = true;
}

// Returns, as text, in which kernels `inst` ended.
std::string SequenceFuser::Outcome(const Instruction* inst) const {
  std::string text;
  for (size_t k : GroupsOf(inst)) {
    const std::vector<Instruction*>& outputs = groups_[k]->outputs();
    const bool is_output = std::find(outputs.begin(), outputs.end(), inst) != outputs.end();
    absl::StrAppend(&text, facts_->position.at(groups_[k]->root()), is_output ? "! " : " ");
  }
  return text;
}

std::vector<Placement> SequenceFuser::Alternatives(Instruction* inst) const {
  std::vector<Placement> alternatives = {Placement::kRule};
  bool outside = false;
  if (!fuse_ || !IsComputed(*inst) || inst->shape.IsTuple() || NeededBy(inst, &outside).empty()) {
    return alternatives;
  }
  std::vector<std::string> outcomes;
  for (Placement placement :
       {Placement::kRule, Placement::kStore, Placement::kOutput, Placement::kRepeat}) {
    SequenceFuser next = *this;
    next.Visit(inst, placement);
    std::string outcome = next.Outcome(inst);
    if (std::find(outcomes.begin(), outcomes.end(), outcome) != outcomes.end()) continue;
    outcomes.push_back(std::move(outcome));
    if (placement != Placement::kRule) alternatives.push_back(placement);
  }
  return alternatives;
}

bool SequenceFuser::MayGrow(size_t k) const {
  const std::vector<Instruction*> inputs = groups_[k]->Inputs();
  return std::any_of(inputs.begin(), inputs.end(), [&](const Instruction* input) {
    return !IsVisited(input) && MayJoin(*input);
  });
}

std::vector<size_t> SequenceFuser::TakeClosed() {
  std::vector<size_t> taken;
  for (size_t k = 0; k < groups_.size(); ++k) {
    if (closed_[k] || MayGrow(k)) continue;
    closed_[k] = true;
    taken.push_back(k);
  }
  return taken;
}

std::string SequenceFuser::Frontier() const {
  // Open kernels by their roots' positions and members, and which of them each leads to; then, of
  // visited values that are no kernel's and whose operands are still to come, where they lead.
  auto roots = [&](const std::vector<bool>& reached) {
    std::vector<int64_t> places;
    for (size_t k = 0; k < groups_.size(); ++k) {
      if (!closed_[k] && reached[k]) places.push_back(facts_->position.at(groups_[k]->root()));
    }
    std::sort(places.begin(), places.end());
    std::string text;
    for (int64_t place : places) absl::StrAppend(&text, place, ",");
    return text;
  };
  std::vector<std::string> parts;
  for (size_t k = 0; k < groups_.size(); ++k) {
    if (closed_[k]) continue;
    std::vector<int64_t> members, outputs;
    for (const Instruction* member : groups_[k]->OrderedMembers()) {
      members.push_back(facts_->position.at(member));
    }
    std::sort(members.begin(), members.end());
    std::string part = "k";
    for (const Instruction* output : groups_[k]->outputs()) {
      absl::StrAppend(&part, facts_->position.at(output), ",");
    }
    part += ":";
    for (int64_t member : members) absl::StrAppend(&part, member, ",");
    const std::vector<const Instruction*> from(groups_[k]->outputs().begin(),
                                               groups_[k]->outputs().end());
    absl::StrAppend(&part, ">", roots(ReachedGroups(from, groups_.size(), kNoHorizon)));
    parts.push_back(std::move(part));
  }
  for (const auto& owned : sequence_->instructions()) {
    const Instruction* inst = owned.get();
    const int64_t position = facts_->position.at(inst);
    if (position <= next_) continue;
    if (!GroupsOf(inst).empty() && !also_outside_[position]) continue;
    const bool pending = std::any_of(inst->operands.begin(), inst->operands.end(),
                                     [&](const Instruction* o) { return !IsVisited(o); });
    if (!pending) continue;
    parts.push_back(absl::StrCat("o", position, also_outside_[position] ? "+" : "", ">",
                                 roots(ReachedGroups({inst}, groups_.size(), kNoHorizon))));
  }
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string& part : parts) absl::StrAppend(&text, part, ";");
  return text;
}

}  // namespace halyard::lowering
