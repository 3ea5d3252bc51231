#include "lowering/plan/fuse/decisions.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/fuse/sequence_fuser.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;

namespace {

std::string Describe(const Instruction& inst) {
  return absl::StrCat(hlo::RowOf(inst.opcode).hlo_name, " ", inst.name, " ", inst.shape.ToString());
}

// Decides how a visited instruction is placed.
Placement PlacementOf(const SequenceFuser& fuser, const Instruction* inst) {
  const std::vector<size_t>& groups = fuser.GroupsOf(inst);
  const bool own = std::any_of(groups.begin(), groups.end(),
                               [&](size_t k) { return fuser.group(k).root() == inst; });
  if (own) return groups.size() > 1 ? Placement::kRepeat : Placement::kStore;
  const std::vector<Instruction*>& outputs = fuser.group(groups.front()).outputs();
  return std::find(outputs.begin(), outputs.end(), inst) != outputs.end() ? Placement::kOutput
                                                                          : Placement::kRepeat;
}

class Lister {
 public:
  Lister(hlo::Module* module, const PlanOptions& options, const PlanChoices& choices)
      : module_(*module), options_(options), choices_(choices), names_(CanonicalNames(*module)) {}

  absl::StatusOr<std::vector<Decision>> Run() {
    if (options_.attention) AddAttentions();
    absl::Status formed = FormAttentionKernels(module_, options_, choices_);
    if (!formed.ok()) return formed;
    std::vector<Computation*> seen;
    for (Computation* sequence : SequencesOf(module_)) {
      if (std::find(seen.begin(), seen.end(), sequence) != seen.end()) continue;
      seen.push_back(sequence);
      AddSequence(*sequence);
    }
    return std::move(decisions_);
  }

 private:
  void AddAttentions() {
    for (auto [product, by_rule] : FindAttentions(module_, options_.device)) {
      auto choice = choices_.attention.find(product->name);
      const bool on = choice == choices_.attention.end() ? by_rule : choice->second;
      Decision decision;
      decision.name = names_.at(product);
      decision.instruction = Describe(*product);
      decision.now = absl::StrCat("attention ", decision.name, on ? " on" : " off");
      decision.others = {absl::StrCat("attention ", decision.name, on ? " off" : " on")};
      decision.kernels = {product->name};
      decisions_.push_back(std::move(decision));
    }
  }

  void AddSequence(const Computation& sequence) {
    const FusionFacts facts = CollectFacts(sequence, FusionLimitsOf(options_.device));
    SequenceFuser fuser(&sequence, &facts, /*fuse=*/true);
    std::vector<Decision> found;
    for (Instruction* inst : SequenceFuser::Order(sequence)) {
      auto choice = choices_.values.find(inst->name);
      const Placement wanted = choice == choices_.values.end() ? Placement::kRule : choice->second;
      const bool decides = IsWorthDeciding(*inst) && names_.contains(inst);
      std::vector<Placement> ways;
      if (decides) ways = fuser.Alternatives(inst);
      if (ways.size() > 1 && wanted != Placement::kRule) {
        SequenceFuser by_rule = fuser;
        by_rule.Visit(inst, Placement::kRule);
        ways[0] = PlacementOf(by_rule, inst);
      }
      fuser.Visit(inst, wanted);
      if (ways.size() < 2) continue;
      const Placement now = PlacementOf(fuser, inst);
      Decision decision;
      decision.name = names_.at(inst);
      decision.instruction = Describe(*inst);
      decision.now = absl::StrCat(PlacementName(now), " ", decision.name);
      for (Placement way : ways) {
        if (way == now || way == Placement::kRule) continue;
        decision.others.push_back(absl::StrCat(PlacementName(way), " ", decision.name));
      }
      std::vector<size_t> touched = fuser.GroupsOf(inst);
      for (const Instruction* user : facts.users.at(inst)) {
        const std::vector<size_t>& more = fuser.GroupsOf(user);
        touched.insert(touched.end(), more.begin(), more.end());
      }
      std::sort(touched.begin(), touched.end());
      touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
      for (size_t k : touched) decision.kernels.push_back(fuser.group(k).root()->name);
      found.push_back(std::move(decision));
    }
    decisions_.insert(decisions_.end(), found.rbegin(), found.rend());
  }

  hlo::Module& module_;
  const PlanOptions& options_;
  const PlanChoices& choices_;
  const std::unordered_map<const Instruction*, std::string> names_;
  std::vector<Decision> decisions_;
};

}  // namespace

bool IsWorthDeciding(const Instruction& inst) {
  if (!inst.shape.IsArray() || inst.shape.NumElements() <= 1) return false;
  switch (inst.opcode) {
    case Opcode::kConstant:
    case Opcode::kIota:
    case Opcode::kBroadcast:
    case Opcode::kReshape:
      return false;
    default:
      break;
  }
  const OpForm form = FormOf(inst.opcode);
  return form == OpForm::kExpr || form == OpForm::kFunc;
}

absl::StatusOr<std::vector<Decision>> ListDecisions(const hlo::Module& module,
                                                    const PlanOptions& options) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> prepared = PrepareModule(module, options);
  if (!prepared.ok()) return prepared.status();
  absl::StatusOr<PlanChoices> choices = ChoicesFor(**prepared, options);
  if (!choices.ok()) return choices.status();
  return Lister(prepared->get(), options, *choices).Run();
}

std::string DecisionsText(const std::vector<Decision>& decisions) {
  std::string text;
  for (const Decision& decision : decisions) {
    absl::StrAppend(&text, decision.now, "  # ", decision.instruction, "; or ",
                    absl::StrJoin(decision.others, ", "), "; kernels ",
                    absl::StrJoin(decision.kernels, ", "), "\n");
  }
  return text;
}

}  // namespace halyard::lowering
