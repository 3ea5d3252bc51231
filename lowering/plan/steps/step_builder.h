// Makes the sequences of steps of a plan. build_steps.cc builds kernels and copies,
// build_control_flow.cc loops and branches, and build_host_steps.cc what the host does: custom
// calls and communication.
#ifndef HALYARD_LOWERING_PLAN_STEPS_STEP_BUILDER_H_
#define HALYARD_LOWERING_PLAN_STEPS_STEP_BUILDER_H_

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/steps/plan.h"

namespace halyard::lowering {

class StepBuilder {
 public:
  StepBuilder(const hlo::Module& module, const PlanOptions& options, Plan* plan)
      : module_(module), options_(options), plan_(*plan), spec_(plan->spec) {}
  absl::Status Run();

 private:
  using AllocationKind = ProgramSpec::AllocationKind;
  using Leaves = std::vector<int32_t>;  // the allocation of each leaf of a value
  using Environment = std::unordered_map<const hlo::Instruction*, Leaves>;
  static constexpr int32_t kToken = -1;  // a leaf without bytes

  int32_t NewAllocation(AllocationKind kind, int64_t number, int64_t bytes,
                        const hlo::Instruction* source, MemorySpace space = MemorySpace::kDevice);
  Leaves NewTemps(const hlo::Instruction& inst, const hlo::Shape& shape);
  ProgramSpec::Slice SliceOf(int32_t allocation) const;
  int32_t ConstantAllocation(const hlo::Instruction& constant);
  int32_t NewSequence();
  void AddCopy(int32_t sequence, int32_t from, int32_t to, const hlo::Instruction& source);
  int32_t CopiedTo(MemorySpace space, int32_t sequence, int32_t allocation,
                   const hlo::Instruction& source);
  int32_t InHostSpace(int32_t sequence, int32_t allocation, const hlo::Instruction& source) {
    return CopiedTo(MemorySpace::kHost, sequence, allocation, source);
  }

  void AddParameters();
  void AddResults(const Leaves& root);
  void AddDonations(const Leaves& results);
  absl::StatusOr<Leaves> BuildSequence(const hlo::Computation& computation,
                                       const Leaves* parameters, int32_t sequence,
                                       bool is_body = false);
  absl::Status BuildInstruction(const hlo::Instruction& inst, int32_t sequence,
                                Environment* environment);
  absl::StatusOr<Leaves> BuildKernel(const hlo::Instruction& fusion, const Environment& environment,
                                     int32_t sequence);
  absl::StatusOr<Leaves> BuildWhile(const hlo::Instruction& loop, const Leaves& init,
                                    int32_t sequence);
  absl::StatusOr<Leaves> BuildCase(const hlo::Instruction& conditional,
                                   const Environment& environment, int32_t sequence);
  absl::StatusOr<Leaves> BuildCustomCall(const hlo::Instruction& call,
                                         const Environment& environment, int32_t sequence);
  absl::StatusOr<Leaves> BuildCommunication(const hlo::Instruction& inst,
                                            const Environment& environment, int32_t sequence);
  // Adds a step that the host does. Its arrays are in `space`, and are copied there and back.
  Leaves AddHostStep(ProgramSpec::Step step, const hlo::Instruction& inst,
                     absl::Span<hlo::Instruction* const> operands, const hlo::Shape& result,
                     const Environment& environment, int32_t sequence,
                     MemorySpace space = MemorySpace::kHost);
  void AddHostOperands(absl::Span<hlo::Instruction* const> operands, const hlo::Instruction& inst,
                       const Environment& environment, int32_t sequence, MemorySpace space,
                       ProgramSpec::Step* step);
  void AddHostResults(ProgramSpec::Step step, const hlo::Instruction& inst, const Leaves& results,
                      int32_t sequence, MemorySpace space);
  // Devices with NCCL exchange arrays where they are, in one step.
  bool ExchangesOnDevice() const;
  bool ExchangesOverlap() const;  // whether exchanges have a begin and an end
  // Adds the step with which an exchange begins. It ends before the first step that reads a result,
  // or at the end of its sequence.
  Leaves BeginExchange(ProgramSpec::Step step, const hlo::Instruction& inst,
                       const Environment& environment, int32_t sequence);
  // Ends the exchanges of the sequence whose results the instruction reads, or all if it is null.
  void EndExchanges(const hlo::Instruction* reader, const Environment& environment,
                    int32_t sequence);
  void AddStateMoves(const hlo::Instruction& loop, const Leaves& state, const Leaves& next,
                     const std::vector<bool>& invariant, int32_t body);

  struct OpenExchange {
    const hlo::Instruction* inst;
    int32_t sequence;
    Leaves results;
    ProgramSpec::Step end;  // without results
  };

  const hlo::Module& module_;
  const PlanOptions& options_;
  Plan& plan_;
  ProgramSpec& spec_;
  std::multimap<int64_t, std::pair<int32_t, const uint8_t*>> constants_;  // by size
  Leaves parameters_;  // flattened over all parameters of the entry
  std::vector<OpenExchange> open_exchanges_;
  std::map<int32_t, int64_t> num_begins_;  // of exchanges, by sequence
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_STEP_BUILDER_H_
