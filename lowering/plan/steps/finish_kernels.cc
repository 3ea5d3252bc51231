#include <algorithm>
#include <unordered_map>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel_request.h"
#include "lowering/plan/steps/kernel_cost.h"
#include "lowering/plan/steps/plan.h"

namespace halyard::lowering {
namespace {

using Step = ProgramSpec::Step;

std::string ProvenanceText(const hlo::Provenance& provenance) {
  std::string text;
  for (const std::string& name : provenance.op_names) absl::StrAppend(&text, name, "\n");
  for (const hlo::SourceLocation& place : provenance.locations) {
    absl::StrAppend(&text, place.file, ":", place.line, ":", place.column, "\n");
  }
  return text;
}

// Returns the pairs of arguments that have one buffer here, or will have if the caller donates.
std::vector<std::pair<int32_t, int32_t>> SharedPairs(const Plan& plan, const Step& step) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (size_t o = step.num_inputs; o < step.slices.size(); ++o) {
    for (int32_t i = 0; i < step.num_inputs; ++i) {
      int32_t input = step.slices[i].allocation, output = step.slices[o].allocation;
      bool donated = std::find(plan.donations.begin(), plan.donations.end(),
                               std::pair(input, output)) != plan.donations.end();
      if (input == output || donated) {
        pairs.push_back({static_cast<int32_t>(o) - step.num_inputs, i});
      }
    }
  }
  return pairs;
}

}  // namespace

absl::Status FinishKernels(const PlanOptions& options, Plan* plan) {
  std::unordered_map<std::string, int32_t> known;
  for (ProgramSpec::Sequence& sequence : plan->spec.sequences) {
    for (Step& step : sequence.steps) {
      if (step.kind != Step::Kind::kKernel) continue;
      PlannedKernel& planned = plan->kernels[step.kernel];
      KernelRequest request;
      request.hlo = planned.hlo;
      request.device = planned.on_host ? options.host : options.device;
      request.aliases = SharedPairs(*plan, step);
      std::string bytes = request.Serialize();
      auto [found, inserted] =
          known.try_emplace(bytes, static_cast<int32_t>(plan->spec.kernels.size()));
      step.kernel = found->second;
      if (!inserted) continue;
      ProgramSpec::Kernel kernel;
      kernel.name = planned.name;
      kernel.space = planned.on_host ? MemorySpace::kHost : MemorySpace::kDevice;
      kernel.provenance = ProvenanceText(planned.fusion->provenance);
      const KernelCost cost = CostOf(*planned.fusion->called[0]);
      kernel.flops = cost.flops;
      kernel.bytes = cost.bytes();
      kernel.request = std::move(bytes);
      plan->spec.kernels.push_back(std::move(kernel));
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
