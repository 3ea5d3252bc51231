#include "lowering/plan/passes.h"

namespace halyard::lowering {

absl::Status DropFrontendAttributes(hlo::Module& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      inst->attrs.Erase(hlo::Attr::kFrontendAttributes);
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
