#include "tests/lowering/plan/random_choices.h"

#include <map>

#include "lowering/plan/fuse/choices.h"
#include "lowering/plan/fuse/decisions.h"

namespace halyard::lowering {

std::string RandomChoices(const hlo::Module& module, const PlanOptions& options,
                          std::mt19937* random) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> prepared = PrepareModule(module, options);
  if (!prepared.ok()) return "";
  PlanChoices choices;
  const uint32_t share = 1 + (*random)() % 4;
  std::map<std::string, const hlo::Instruction*> values;
  for (const auto& [inst, name] : CanonicalNames(**prepared)) values[name] = inst;
  for (const auto& [name, inst] : values) {
    if (!IsWorthDeciding(*inst) || (*random)() % share != 0) continue;
    choices.values[name] = static_cast<Placement>(1 + (*random)() % 3);
  }
  return ChoicesText(choices);
}

}  // namespace halyard::lowering
