// The fusion pass cuts sequences into kernels (sequence_fuser.h), each by its rule or as it was
// chosen, and makes instructions of them.
#include <algorithm>

#include "lowering/plan/fuse/fusion_group.h"
#include "lowering/plan/fuse/sequence_fuser.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;

absl::Status Outline(Rewriter& rewriter, const FusionGroup& group, const FusionFacts& facts) {
  const Instruction* root = group.root();
  absl::StatusOr<KernelComputation> made =
      MakeKernel(group, facts, rewriter.computation()->module());
  if (!made.ok()) return made.status();
  Instruction* fusion = rewriter.Add(
      *root, Opcode::kFusion, made->computation->root()->shape, std::move(made->inputs),
      OneAttr(Attr::kKind, std::string("kLoop")), {made->computation});
  fusion->provenance = made->provenance;
  if (IsOnHost(*root)) {
    fusion->attrs.Set(Attr::kFrontendAttributes, std::string(kHostPlacement));
  }
  const std::vector<Instruction*>& outputs = made->outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    rewriter.Replace(outputs[i], outputs.size() == 1
                                     ? fusion
                                     : rewriter.AddGetTupleElement(*outputs[i], fusion,
                                                                   static_cast<int64_t>(i)));
  }
  return absl::OkStatus();
}

absl::Status FuseSequence(Computation* sequence, const FusionLimits& limits, bool fuse,
                          const PlanChoices& choices) {
  const FusionFacts facts = CollectFacts(*sequence, limits);
  Rewriter rewriter(sequence);
  SequenceFuser fuser(sequence, &facts, fuse);
  for (Instruction* inst : SequenceFuser::Order(*sequence)) {
    auto choice = choices.values.find(inst->name);
    fuser.Visit(inst, choice == choices.values.end() ? Placement::kRule : choice->second);
  }
  std::vector<const FusionGroup*> groups;
  for (size_t k = 0; k < fuser.size(); ++k) groups.push_back(&fuser.group(k));
  std::stable_sort(groups.begin(), groups.end(), [&](const FusionGroup* a, const FusionGroup* b) {
    return facts.position.at(a->root()) < facts.position.at(b->root());
  });
  for (const FusionGroup* group : groups) {
    if (absl::Status s = Outline(rewriter, *group, facts); !s.ok()) return s;
  }
  return rewriter.Finish();
}

}  // namespace

absl::Status FuseKernels(hlo::Module& module, const runtime::DeviceInfo& device, bool fuse,
                         const PlanChoices& choices) {
  const FusionLimits limits = FusionLimitsOf(device);
  for (Computation* sequence : SequencesOf(module)) {
    if (absl::Status s = FuseSequence(sequence, limits, fuse, choices); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
