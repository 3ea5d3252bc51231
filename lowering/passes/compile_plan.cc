#include "lowering/passes/compile_plan.h"

#include "lowering/passes/passes.h"
#include "lowering/passes/plan.h"
#include "lowering/passes/verify_plan.h"

namespace halyard::lowering {

absl::StatusOr<ProgramSpec> PlanProgram(const hlo::Module& original, const PlanOptions& options) {
  std::unique_ptr<hlo::Module> module = original.Clone();
  absl::Status status;
  auto run = [&](const char* name, auto&& pass) {
    if (!status.ok()) return;
    status = pass();
    if (status.ok() && options.on_pass) options.on_pass(name, *module);
  };
  run("expand_quantized", [&] { return ExpandQuantized(*module); });
  run("thread_random_state", [&] { return ThreadRandomState(*module); });
  run("expand_communication", [&] { return ExpandCommunication(*module, options.target); });
  run("inline_calls", [&] { return InlineCalls(*module); });
  run("strip_layouts", [&] { return StripLayouts(*module); });
  run("flatten_tuples", [&] { return FlattenTuples(*module); });
  run("expand_ops", [&] { return ExpandOps(*module); });
  const bool gpu = options.device.kind == runtime::DeviceKind::kCuda ||
                   options.device.kind == runtime::DeviceKind::kVulkan;
  run("expand_top_k", [&] { return ExpandTopK(*module); });
  run("expand_sort", [&] { return ExpandSort(*module, gpu); });
  run("simplify", [&] { return Simplify(*module); });
  run("analyze_loops", [&] { return AnalyzeLoops(*module); });
  run("simplify_loops", [&] { return Simplify(*module); });
  run("remove_dead_state", [&] { return RemoveDeadState(*module); });
  if (gpu) {
    run("place_on_host", [&] { return PlaceOnHost(*module); });
    run("remove_dead_state", [&] { return RemoveDeadState(*module); });
  }
  if (options.fuse && options.attention) {
    run("form_attention", [&] { return FormAttention(*module, options.device); });
  }
  run("fuse_kernels", [&] { return FuseKernels(*module, options.device, options.fuse); });
  if (!status.ok()) return status;

  Plan plan;
  status = BuildSteps(*module, options, &plan);
  if (!status.ok()) return status;
  CoalesceCopies(&plan);
  status = AssignMemory(&plan);
  if (status.ok()) status = FinishKernels(options, &plan);
  if (status.ok()) status = VerifyPlan(plan.spec);
  if (!status.ok()) return status;
  return std::move(plan.spec);
}

}  // namespace halyard::lowering
