#include "frontend/hlo/processes/transfer_pairs.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {

absl::Status DropFrontendAttributes(hlo::Module& module) {
  // One of them means something: which processes a send and a recv are for.
  if (absl::Status s = hlo::ExpandTransferPairs(&module); !s.ok()) return s;
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      inst->attrs.Erase(hlo::Attr::kFrontendAttributes);
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
