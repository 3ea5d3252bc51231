// The fusion pass: grows kernels from results towards inputs. Each instruction, visited after all
// of its users, joins the one kernel that needs it, is repeated in each if that is cheaper than its
// memory traffic, becomes a further output of one of them, or starts a kernel of its own. Joining
// the only user's kernel cannot make a cycle between kernels; a further output is checked.
#include <algorithm>

#include "frontend/hlo/op_table.h"
#include "lowering/kernel_form.h"
#include "lowering/passes/fusion_group.h"
#include "lowering/passes/passes.h"
#include "lowering/passes/rewriter.h"
#include "lowering/sums_fit.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;

class SequenceFuser {
 public:
  SequenceFuser(Computation* sequence, int max_buffers, bool fuse)
      : sequence_(sequence), fuse_(fuse), facts_(CollectFacts(*sequence, max_buffers)) {}

  absl::Status Run();

 private:
  void Visit(Instruction* inst);
  void StartGroup(Instruction* root);
  bool AddAsOutput(Instruction* inst, const std::vector<size_t>& groups);
  bool ReachesGroup(const Instruction* from, size_t group) const;
  absl::Status Outline(Rewriter& rewriter, const FusionGroup& group);

  Computation* sequence_;
  bool fuse_;
  FusionFacts facts_;
  std::vector<FusionGroup> groups_;
  std::unordered_map<const Instruction*, std::vector<size_t>> groups_of_;
  // Reshapes that are part of kernels and also needed by what is no kernel, where they change no
  // byte.
  std::unordered_set<const Instruction*> also_outside_;
};

// Ops that a kernel computes. The others are structure (parameters, tuples, loops), or change no
// byte (reshape, barrier).
bool IsComputed(const Instruction& inst) {
  OpForm form = FormOf(inst.opcode);
  return (form == OpForm::kExpr || form == OpForm::kFunc) && inst.opcode != Opcode::kConstant &&
         inst.opcode != Opcode::kReshape;
}

void SequenceFuser::StartGroup(Instruction* root) {
  size_t index = groups_.size();
  groups_.emplace_back(root, &facts_);
  groups_of_[root].push_back(index);
}

// Whether a kernel other than `group` that reads `from` leads to one that `group` reads.
bool SequenceFuser::ReachesGroup(const Instruction* from, size_t group) const {
  std::unordered_set<const Instruction*> seen = {from};
  std::vector<const Instruction*> work = {from};
  auto push = [&](const Instruction* inst) {
    if (seen.insert(inst).second) work.push_back(inst);
  };
  while (!work.empty()) {
    const Instruction* value = work.back();
    work.pop_back();
    for (const Instruction* user : facts_.users.at(value)) {
      auto found = groups_of_.find(user);
      if (found == groups_of_.end() || also_outside_.contains(user)) push(user);
      if (found == groups_of_.end()) continue;
      for (size_t k : found->second) {
        if (k == group) {
          if (value != from) return true;
        } else {
          for (const Instruction* output : groups_[k].outputs()) push(output);
        }
      }
    }
  }
  return false;
}

bool SequenceFuser::AddAsOutput(Instruction* inst, const std::vector<size_t>& groups) {
  for (size_t k : groups) {
    if (ReachesGroup(inst, k) || !groups_[k].TryAdd(inst, /*as_output=*/true)) continue;
    groups_of_[inst].push_back(k);
    return true;
  }
  return false;
}

void SequenceFuser::Visit(Instruction* inst) {
  // Reshapes and constants never start a kernel, but may be part of one.
  bool computed = IsComputed(*inst);
  bool may_join = computed || inst->opcode == Opcode::kConstant || IsDegenerateReshape(*inst);
  if (!may_join) return;
  std::vector<size_t> needed;
  bool outside = inst == sequence_->root();
  for (const Instruction* user : facts_.users.at(inst)) {
    auto found = groups_of_.find(user);
    outside = outside || found == groups_of_.end() || also_outside_.contains(user);
    if (found == groups_of_.end()) continue;
    for (size_t k : found->second) {
      if (std::find(needed.begin(), needed.end(), k) == needed.end()) needed.push_back(k);
    }
  }
  if (inst->shape.IsTuple()) {
    // A hero with several results: they are the kernel's outputs.
    StartGroup(inst);
    return;
  }
  bool repeat = inst->opcode == Opcode::kConstant || (fuse_ && IsCheapToRepeat(*inst, facts_));
  std::sort(needed.begin(), needed.end(), [&](size_t a, size_t b) {
    return facts_.position.at(groups_[a].root()) < facts_.position.at(groups_[b].root());
  });
  if (fuse_ && !outside && needed.size() == 1 && groups_[needed[0]].TryAdd(inst, false)) {
    groups_of_[inst].push_back(needed[0]);
    return;
  }
  if (repeat) {
    std::vector<size_t> joined;
    for (size_t k : needed) {
      if (groups_[k].TryAdd(inst, false)) {
        joined.push_back(k);
      } else {
        outside = true;
      }
    }
    groups_of_[inst] = joined;
    if (joined.empty()) groups_of_.erase(inst);
  } else if (fuse_ && !needed.empty() && (outside || needed.size() > 1) && computed &&
             AddAsOutput(inst, needed)) {
    return;
  } else {
    outside = true;
  }
  if (outside && computed) StartGroup(inst);
  if (outside && !computed) also_outside_.insert(inst);
}

// What a sequence updates is a parameter of its own: nothing else may read it meanwhile.
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

absl::Status SequenceFuser::Outline(Rewriter& rewriter, const FusionGroup& group) {
  Instruction* root = group.root();
  hlo::Module* module = sequence_->module();
  Computation* kernel = module->AddComputation("kernel." + root->name);
  std::unordered_map<const Instruction*, Instruction*> copies;
  std::vector<Instruction*> inputs = group.Inputs();
  for (size_t i = 0; i < inputs.size(); ++i) {
    copies[inputs[i]] = kernel->AddParameter(static_cast<int64_t>(i), inputs[i]->shape);
  }
  hlo::Provenance provenance;
  for (Instruction* member : group.OrderedMembers()) {
    std::vector<Instruction*> operands;
    for (Instruction* operand : member->operands) operands.push_back(copies.at(operand));
    if (IsSequence(member->opcode)) SeparateInPlace(*member, kernel, &operands, &inputs);
    copies[member] = kernel->AddClone(*member, std::move(operands));
    if (member->GetString(Attr::kFrontendAttributes) != kSumsFit) {
      copies[member]->attrs.Erase(Attr::kFrontendAttributes);
    }
    provenance.Unite(member->provenance);
  }
  std::vector<Instruction*> outputs = group.outputs();
  if (root->shape.IsTuple() && !IsSequence(root->opcode)) {
    // Results of a hero with several: those that are used.
    outputs = facts_.users.at(root);
    for (Instruction*& output : outputs) {
      copies[output] = kernel->AddClone(*output, {copies.at(root)});
      provenance.Unite(output->provenance);
    }
  }
  std::vector<Instruction*> roots;
  std::vector<hlo::Shape> shapes;
  for (const Instruction* output : outputs) {
    roots.push_back(copies.at(output));
    shapes.push_back(output->shape);
  }
  bool single = outputs.size() == 1;
  kernel->set_root(single ? roots[0]
                          : kernel->Add(Opcode::kTuple, hlo::Shape::Tuple(shapes), roots));
  if (absl::Status s = VerifyKernelForm(*kernel); !s.ok()) return s;
  Instruction* fusion =
      rewriter.Add(*root, Opcode::kFusion, kernel->root()->shape, std::move(inputs),
                   OneAttr(Attr::kKind, std::string("kLoop")), {kernel});
  fusion->provenance = provenance;
  if (IsOnHost(*root)) {
    fusion->attrs.Set(Attr::kFrontendAttributes, std::string(kHostPlacement));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    rewriter.Replace(outputs[i], single ? fusion
                                        : rewriter.AddGetTupleElement(*outputs[i], fusion,
                                                                      static_cast<int64_t>(i)));
  }
  return absl::OkStatus();
}

absl::Status SequenceFuser::Run() {
  Rewriter rewriter(sequence_);
  std::vector<Instruction*> list = rewriter.Snapshot();
  for (auto it = list.rbegin(); it != list.rend(); ++it) Visit(*it);
  std::stable_sort(groups_.begin(), groups_.end(), [&](const FusionGroup& a, const FusionGroup& b) {
    return facts_.position.at(a.root()) < facts_.position.at(b.root());
  });
  for (const FusionGroup& group : groups_) {
    if (absl::Status s = Outline(rewriter, group); !s.ok()) return s;
  }
  return rewriter.Finish();
}

}  // namespace

absl::Status FuseKernels(hlo::Module& module, const runtime::DeviceInfo& device, bool fuse) {
  const int max_buffers = MaxBuffersOf(device);
  for (Computation* sequence : SequencesOf(module)) {
    SequenceFuser fuser(sequence, max_buffers, fuse);
    if (absl::Status s = fuser.Run(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
