#include "lowering/plan/compile_plan.h"

#include "frontend/hlo/ir/call_graph.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/steps/exchange_order.h"
#include "lowering/plan/steps/plan.h"
#include "lowering/plan/steps/verify_plan.h"
#include "runtime/device_class.h"

namespace halyard::lowering {

namespace {

// Runs passes until one fails, and reports each.
class PassRunner {
 public:
  PassRunner(hlo::Module* module, const PlanOptions& options)
      : module_(*module), options_(options) {}
  template <typename Pass>
  void Run(const char* name, Pass&& pass) {
    if (!status.ok()) return;
    status = pass();
    if (status.ok() && options_.on_pass) options_.on_pass(name, module_);
  }
  absl::Status status;

 private:
  hlo::Module& module_;
  const PlanOptions& options_;
};

}  // namespace

absl::StatusOr<PlanChoices> ChoicesFor(const hlo::Module& module, const PlanOptions& options) {
  std::string text = options.choices;
  if (!options.fuse) {
    if (text.empty()) return PlanChoices();
    return absl::InvalidArgumentError("choices are for fused programs only");
  }
  if (text.empty() && options.find_choices) {
    absl::StatusOr<std::string> found = options.find_choices(ProgramKey(module, options.device));
    if (!found.ok()) return found.status();
    text = *std::move(found);
  }
  absl::StatusOr<PlanChoices> choices = ParseChoices(text);
  if (!choices.ok()) return choices;
  return ResolveChoices(*choices, module);
}

absl::StatusOr<std::unique_ptr<hlo::Module>> PrepareModule(const hlo::Module& original,
                                                           const PlanOptions& options) {
  // Passes before inline_calls walk the calls as well.
  if (absl::Status s = hlo::CheckInlinedSize(original); !s.ok()) return s;
  std::unique_ptr<hlo::Module> module = original.Clone();
  PassRunner passes(module.get(), options);
  auto run = [&](const char* name, auto&& pass) { passes.Run(name, pass); };
  run("drop_frontend_attributes", [&] { return DropFrontendAttributes(*module); });
  run("expand_quantized", [&] { return ExpandQuantized(*module); });
  run("thread_random_state", [&] { return ThreadRandomState(*module); });
  run("expand_communication", [&] { return ExpandCommunication(*module); });
  run("inline_calls", [&] { return InlineCalls(*module); });
  run("expand_typed_calls", [&] { return ExpandTypedCalls(*module); });
  run("strip_layouts", [&] { return StripLayouts(*module); });
  run("flatten_tuples", [&] { return FlattenTuples(*module); });
  run("check_windows", [&] { return CheckWindows(*module); });
  const uint32_t libraries =
      options.device.kind == runtime::DeviceKind::kCuda ? options.device.libraries : 0;
  run("expand_ops", [&] { return ExpandOps(*module, libraries, options.device); });
  const bool gpu = runtime::IsGpu(options.device);
  run("expand_top_k", [&] { return ExpandTopK(*module); });
  run("expand_sort", [&] { return ExpandSort(*module, options.device); });
  const RewriteSet& without = options.without;
  auto remove_dead_state = [&] {
    if (!without.Has(Rewrite::kDeadState)) {
      run("remove_dead_state", [&] { return RemoveDeadState(*module); });
    }
  };
  run("simplify", [&] { return Simplify(*module, without); });
  if (!without.Has(Rewrite::kArgReductions)) {
    bool split = false;
    run("split_arg_reductions", [&] { return SplitArgReductions(*module, &split); });
    if (split) run("simplify_split", [&] { return Simplify(*module, without); });
  }
  if (!without.Has(Rewrite::kDilatedConvolutions)) {
    bool split = false;
    run("split_dilated",
        [&] { return SplitDilated(*module, DilatedLimitsOn(options.device), &split); });
    if (split) run("simplify_phases", [&] { return Simplify(*module, without); });
  }
  bool moved = false;
  auto move_reshapes = [&] {
    if (!without.Has(Rewrite::kReshapes))
      run("move_reshapes", [&] { return MoveReshapes(*module, &moved); });
    if (moved) run("simplify_moved", [&] { return Simplify(*module, without); });
  };
  if (!without.Has(Rewrite::kSplitReductions))
    run("split_reductions", [&] { return SplitReductions(*module, &moved); });
  move_reshapes();
  if (!without.Has(Rewrite::kLoops)) {
    run("analyze_loops", [&] { return AnalyzeLoops(*module); });
    run("simplify_loops", [&] { return Simplify(*module, without); });
  }
  if (!without.Has(Rewrite::kLoops) && !without.Has(Rewrite::kUnrolledLoops)) {
    bool unrolled = false;
    run("unroll_loops", [&] { return UnrollLoops(*module, &unrolled); });
    if (unrolled) {
      run("simplify_unrolled", [&] { return Simplify(*module, without); });
      moved = false;
      move_reshapes();  // from one iteration to the next
    }
  }
  remove_dead_state();
  if (gpu && !without.Has(Rewrite::kHostPlacement)) {
    run("place_on_host", [&] { return PlaceOnHost(*module); });
    remove_dead_state();
  }
  const bool several = module->num_replicas > 1 || module->num_partitions > 1;
  if (several && !without.Has(Rewrite::kCombineExchanges))
    run("combine_exchanges", [&] { return CombineExchanges(*module); });
  if (options.fuse && options.device.kind == runtime::DeviceKind::kX86 &&
      !without.Has(Rewrite::kSplitTerms)) {
    run("split_terms", [&] { return SplitTerms(*module); });
  }
  if (options.fuse && options.device.kind == runtime::DeviceKind::kX86 &&
      !without.Has(Rewrite::kPackedFactors)) {
    run("pack_factors", [&] { return PackFactors(*module, options.device); });
  }
  // On CPUs, products of panels of their own are as fast.
  if (options.fuse && options.device.kind == runtime::DeviceKind::kCuda &&
      !without.Has(Rewrite::kMergedProducts)) {
    run("merge_products", [&] { return MergeProducts(*module); });
  }
  if (options.fuse && !without.Has(Rewrite::kArrangedConvolutions))
    run("arrange_convolutions", [&] { return ArrangeConvolutions(*module, options.device); });
  if (!passes.status.ok()) return passes.status;
  return module;
}

absl::StatusOr<ProgramSpec> PlanProgram(const hlo::Module& original, const PlanOptions& options) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = PrepareModule(original, options);
  if (!module.ok()) return module.status();
  return PlanPrepared(**module, options);
}

static void FormAttentionKernels(PassRunner& passes, hlo::Module& module,
                                 const PlanOptions& options, const PlanChoices& choices) {
  if (!options.fuse || !options.attention) return;
  if (!options.without.Has(Rewrite::kAttentionGradients)) {
    passes.Run("form_attention_gradients",
               [&] { return FormAttentionGradients(module, options.device, choices); });
  }
  passes.Run("form_attention", [&] { return FormAttention(module, options.device, choices); });
}

absl::Status FormAttentionKernels(hlo::Module& module, const PlanOptions& options,
                                  const PlanChoices& choices) {
  PassRunner passes(&module, options);
  FormAttentionKernels(passes, module, options, choices);
  return passes.status;
}

absl::StatusOr<ProgramSpec> PlanPrepared(hlo::Module& module, const PlanOptions& options) {
  absl::StatusOr<PlanChoices> choices = ChoicesFor(module, options);
  if (!choices.ok()) return choices.status();
  PassRunner passes(&module, options);
  FormAttentionKernels(passes, module, options, *choices);
  if (!options.without.Has(Rewrite::kCutProducts))
    passes.Run("cut_products", [&] { return CutProducts(module, options.device); });
  passes.Run("fuse_kernels",
             [&] { return FuseKernels(module, options.device, options.fuse, *choices); });
  if (!passes.status.ok()) return passes.status;

  Plan plan;
  absl::Status status = BuildSteps(module, options, &plan);
  if (!status.ok()) return status;
  if (!options.without.Has(Rewrite::kCoalesce)) CoalesceCopies(&plan);
  JoinExchanges(&plan.spec);
  status = AssignMemory(&plan, !options.without.Has(Rewrite::kReuse));
  if (status.ok()) status = FinishKernels(options, &plan);
  if (status.ok()) status = VerifyPlan(plan.spec);
  if (!status.ok()) return status;
  return std::move(plan.spec);
}

}  // namespace halyard::lowering
