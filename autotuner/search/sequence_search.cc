#include "autotuner/search/sequence_search.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "absl/strings/str_cat.h"
#include "lowering/plan/fuse/decisions.h"
#include "lowering/plan/passes.h"

namespace halyard::autotuner {

using hlo::Instruction;
using lowering::FusionGroup;
using lowering::Placement;
using lowering::SequenceFuser;

// One way to have visited the instructions so far. The lists of decisions and of closed kernels are
// shared between states.
struct SequenceSearch::State {
  struct Choice {
    std::shared_ptr<const Choice> before;
    const Instruction* inst;
    Placement placement;
  };
  struct Closed {
    std::shared_ptr<const Closed> before;
    int kernel;
  };
  SequenceFuser fuser;
  double seconds = 0;  // of closed kernels
  int64_t changed = 0;
  std::shared_ptr<const Choice> choices;
  std::shared_ptr<const Closed> closed;
};

SequenceSearch::SequenceSearch(const hlo::Computation* sequence, double uses,
                               const lowering::FusionLimits& limits,
                               const lowering::PlanChoices& base, KernelBook* book)
    : sequence_(sequence),
      uses_(uses),
      facts_(lowering::CollectFacts(*sequence, limits)),
      base_(base),
      book_(*book) {
  for (const auto& inst : sequence->instructions()) {
    if (inst->opcode != hlo::Opcode::kFusion) continue;
    outlined_.push_back(book->FindOutlined(*inst->called[0], lowering::IsOnHost(*inst)));
  }
}

int SequenceSearch::KernelOf(const FusionGroup& group) {
  std::string members;
  for (const Instruction* output : group.outputs()) {
    absl::StrAppend(&members, facts_.position.at(output), ",");
  }
  for (const Instruction* member : group.OrderedMembers()) {
    absl::StrAppend(&members, " ", facts_.position.at(member));
  }
  auto [found, added] = known_groups_.try_emplace(std::move(members), 0);
  if (added) found->second = book_.Find(group, facts_);
  return found->second;
}

Placement SequenceSearch::BaseOf(const Instruction& inst) const {
  auto found = base_.values.find(inst.name);
  return found == base_.values.end() ? Placement::kRule : found->second;
}

void SequenceSearch::Close(State* state, bool measured_only) {
  for (size_t k : state->fuser.TakeClosed()) {
    const int kernel = KernelOf(state->fuser.group(k));
    state->seconds += book_.CostOf(kernel, measured_only);
    state->closed =
        std::make_shared<const State::Closed>(State::Closed{std::move(state->closed), kernel});
  }
}

double SequenceSearch::OpenCost(const State& state, bool measured_only) {
  double seconds = 0;
  for (size_t k = 0; k < state.fuser.size(); ++k) {
    if (state.fuser.IsClosed(k)) continue;
    const double cost = book_.CostOf(KernelOf(state.fuser.group(k)), measured_only);
    // A kernel that is not known or not possible may still grow into one that is.
    if (std::isfinite(cost)) seconds += cost;
  }
  return seconds;
}

SequenceSearch::Cut SequenceSearch::Finish(const State& state) const {
  Cut cut;
  cut.seconds = state.seconds;
  for (const State::Closed* at = state.closed.get(); at != nullptr; at = at->before.get()) {
    cut.kernels.push_back(at->kernel);
  }
  cut.kernels.insert(cut.kernels.end(), outlined_.begin(), outlined_.end());
  for (int kernel : outlined_) cut.seconds += book_.CostOf(kernel, /*measured_only=*/false);
  for (const State::Choice* at = state.choices.get(); at != nullptr; at = at->before.get()) {
    cut.choices[at->inst->name] = at->placement;
  }
  return cut;
}

SequenceSearch::Cut SequenceSearch::Default(bool measured_only) {
  State state{SequenceFuser(sequence_, &facts_, /*fuse=*/true)};
  for (Instruction* inst : SequenceFuser::Order(*sequence_)) {
    const Placement placement = BaseOf(*inst);
    state.fuser.Visit(inst, placement);
    if (placement == Placement::kRule) continue;
    state.choices = std::make_shared<const State::Choice>(
        State::Choice{std::move(state.choices), inst, placement});
  }
  Close(&state, measured_only);
  return Finish(state);
}

std::vector<SequenceSearch::State> SequenceSearch::Step(Instruction* inst,
                                                        std::vector<State> states,
                                                        bool measured_only) {
  std::vector<State> next;
  for (State& state : states) {
    const Placement base = BaseOf(*inst);
    std::vector<Placement> ways = {base};
    if (lowering::IsWorthDeciding(*inst)) {
      for (Placement way : state.fuser.Alternatives(inst)) {
        if (way != base) ways.push_back(way);
      }
    }
    for (Placement way : ways) {
      next.push_back(way == ways.back() ? std::move(state) : state);
      State& made = next.back();
      made.fuser.Visit(inst, way);
      Close(&made, measured_only);
      if (way != base) ++made.changed;
      if (way != Placement::kRule) {
        made.choices = std::make_shared<const State::Choice>(
            State::Choice{std::move(made.choices), inst, way});
      }
      if (!std::isfinite(made.seconds)) next.pop_back();
    }
  }
  return next;
}

// Keeps the cheapest of the states with the same future, and among equally cheap ones, that with
// the fewest changes.
void SequenceSearch::Merge(std::vector<State>* states) const {
  std::unordered_map<std::string, size_t> best;
  std::vector<State> kept;
  for (State& state : *states) {
    auto [found, added] = best.try_emplace(state.fuser.Frontier(), kept.size());
    if (added) {
      kept.push_back(std::move(state));
      continue;
    }
    State& other = kept[found->second];
    const bool better = state.seconds < other.seconds ||
                        (state.seconds == other.seconds && state.changed < other.changed);
    if (better) other = std::move(state);
  }
  *states = std::move(kept);
}

SequenceSearch::Cut SequenceSearch::Best(int64_t beam, bool measured_only) {
  std::vector<State> states;
  states.push_back(State{SequenceFuser(sequence_, &facts_, /*fuse=*/true)});
  bool complete = true;
  int64_t looked_at = 0;
  for (Instruction* inst : SequenceFuser::Order(*sequence_)) {
    states = Step(inst, std::move(states), measured_only);
    looked_at += static_cast<int64_t>(states.size());
    if (states.size() > 1) Merge(&states);
    if (static_cast<int64_t>(states.size()) <= beam) continue;
    complete = false;
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < states.size(); ++i) {
      // The state without changes stays, so the answer is never worse than the default.
      const double cost =
          states[i].changed == 0 ? -1 : states[i].seconds + OpenCost(states[i], measured_only);
      order.push_back({cost, i});
    }
    std::sort(order.begin(), order.end());
    std::vector<State> kept;
    for (int64_t i = 0; i < beam; ++i) kept.push_back(std::move(states[order[i].second]));
    states = std::move(kept);
  }
  Cut cut;
  if (states.empty()) {
    cut.seconds = std::numeric_limits<double>::infinity();
  } else {
    const auto best =
        std::min_element(states.begin(), states.end(),
                         [](const State& a, const State& b) { return a.seconds < b.seconds; });
    cut = Finish(*best);
  }
  cut.complete = complete;
  cut.states = looked_at;
  return cut;
}

}  // namespace halyard::autotuner
