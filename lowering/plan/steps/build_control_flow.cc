// The steps of loops and branches.
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/steps/leaves.h"
#include "lowering/plan/steps/step_builder.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using AllocationKind = ProgramSpec::AllocationKind;
using Step = ProgramSpec::Step;

// After the body, its results go to the places of the state. A result that is another element of
// the state is saved first.
void StepBuilder::AddStateMoves(const Instruction& loop, const Leaves& state, const Leaves& next,
                                const std::vector<bool>& invariant, int32_t body) {
  std::vector<std::pair<int32_t, int32_t>> late;
  for (size_t i = 0; i < state.size(); ++i) {
    if (invariant[i] || state[i] == kToken || next[i] == state[i]) continue;
    bool is_state = false;
    for (size_t k = 0; k < state.size(); ++k) is_state |= !invariant[k] && state[k] == next[i];
    if (!is_state) continue;
    int32_t saved =
        NewAllocation(AllocationKind::kTemp, 0, spec_.allocations[state[i]].bytes, &loop);
    AddCopy(body, next[i], saved, loop);
    late.push_back({saved, state[i]});
  }
  for (size_t i = 0; i < state.size(); ++i) {
    if (invariant[i] || state[i] == kToken || next[i] == state[i]) continue;
    bool is_state = false;
    for (size_t k = 0; k < state.size(); ++k) is_state |= !invariant[k] && state[k] == next[i];
    if (!is_state) AddCopy(body, next[i], state[i], loop);
  }
  for (auto [saved, to] : late) AddCopy(body, saved, to, loop);
}

absl::StatusOr<StepBuilder::Leaves> StepBuilder::BuildWhile(const Instruction& loop,
                                                            const Leaves& init, int32_t sequence) {
  const Computation& condition = *loop.called[0];
  const Computation& body = *loop.called[1];
  std::vector<bool> invariant(init.size());
  Leaves state = init;
  size_t first_on_host =
      loop.Has(Attr::kIndex) ? LeafOffset(loop.shape, loop.GetInt(Attr::kIndex)) : init.size();
  for (size_t i = 0; i < init.size(); ++i) {
    auto [origin, leaf] = Origin(body.root(), i);
    invariant[i] = origin == body.parameters()[0] && leaf == i;
    bool on_host = i >= first_on_host;
    if ((invariant[i] && !on_host) || init[i] == kToken) continue;
    state[i] = NewAllocation(AllocationKind::kTemp, 0, spec_.allocations[init[i]].bytes, &loop,
                             on_host ? MemorySpace::kHost : MemorySpace::kDevice);
    AddCopy(sequence, init[i], state[i], loop);
  }
  Step step;
  step.kind = Step::Kind::kWhile;
  step.label = loop.name;
  step.trip_count = TripCountOf(loop);
  step.num_inputs = 1;
  int32_t flag = NewAllocation(AllocationKind::kTemp, 0, 1, &loop, MemorySpace::kHost);
  step.slices = {SliceOf(flag)};
  step.sequences = {NewSequence(), NewSequence()};
  if (step.trip_count < 0) {
    absl::StatusOr<Leaves> test = BuildSequence(condition, &state, step.sequences[0]);
    if (!test.ok()) return test.status();
    AddCopy(step.sequences[0], (*test)[0], flag, loop);
  }
  absl::StatusOr<Leaves> next = BuildSequence(body, &state, step.sequences[1], true);
  if (!next.ok()) return next.status();
  AddStateMoves(loop, state, *next, invariant, step.sequences[1]);
  spec_.sequences[sequence].steps.push_back(std::move(step));
  return state;
}

absl::StatusOr<StepBuilder::Leaves> StepBuilder::BuildCase(const Instruction& conditional,
                                                           const Environment& environment,
                                                           int32_t sequence) {
  Leaves results = NewTemps(conditional, conditional.shape);
  Step step;
  step.kind = Step::Kind::kCase;
  step.label = conditional.name;
  step.num_inputs = 1;
  step.slices = {
      SliceOf(InHostSpace(sequence, environment.at(conditional.operand(0))[0], conditional))};
  for (size_t i = 0; i < conditional.called.size(); ++i) {
    int32_t branch = NewSequence();
    step.sequences.push_back(branch);
    absl::StatusOr<Leaves> values =
        BuildSequence(*conditional.called[i], &environment.at(conditional.operand(i + 1)), branch);
    if (!values.ok()) return values.status();
    for (size_t leaf = 0; leaf < results.size(); ++leaf) {
      if (results[leaf] != kToken) AddCopy(branch, (*values)[leaf], results[leaf], conditional);
    }
  }
  spec_.sequences[sequence].steps.push_back(std::move(step));
  return results;
}

}  // namespace halyard::lowering
