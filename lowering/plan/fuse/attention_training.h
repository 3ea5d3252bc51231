// One attention of a training step, with all that reads its scores: what attention_gradients.cc
// makes kernels of.
#ifndef HALYARD_LOWERING_PLAN_FUSE_ATTENTION_TRAINING_H_
#define HALYARD_LOWERING_PLAN_FUSE_ATTENTION_TRAINING_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/plan/fuse/choices.h"
#include "lowering/plan/fuse/fusion_group.h"

namespace halyard::lowering {

// E = exp(logits - shift(max)), and everything else of the scores' size, is computed element by
// element from E, from a second product of that size or none, and from arrays. Only the members
// below read any of it.
struct AttentionTraining {
  hlo::Instruction *max = nullptr, *sum = nullptr;  // of the logits; of E
  // Null, or the sum over the keys of exponential · cotangent · factors, where the cotangent is
  // computed from the second product.
  hlo::Instruction* extra = nullptr;
  hlo::Instruction *exponential = nullptr, *cotangent = nullptr;
  struct Factor {
    hlo::Instruction* broadcast = nullptr;  // of a value that is the same for all keys
    bool divides = false;
  };
  std::vector<Factor> factors;
  std::vector<hlo::Instruction*> products;  // dots with a factor of the scores' size
};

// Returns the group whose maximum is `max`, if it is one and none of the scores is needed anywhere
// else. The group is more than one attention (which form_attention.cc takes).
std::optional<AttentionTraining> FindAttentionTraining(hlo::Instruction* max, const UserMap& users);

// Returns whether the device's tensor cores take a chain or statistics, and its scores are worth
// it.
bool TensorCoresTake(const AttentionForm& form, const runtime::DeviceInfo& device);

// Returns whether the choices leave one of the products out.
bool IsUnwanted(const AttentionTraining& group, const PlanChoices& choices);

// Gives the groups of the sequence whose products tensor cores take the form that the kernels have:
// maxima of the sums' dimensions, and products that sum over one dimension each.
absl::Status PrepareAttentionTraining(hlo::Computation* sequence, const runtime::DeviceInfo& device,
                                      const PlanChoices& choices);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_FUSE_ATTENTION_TRAINING_H_
