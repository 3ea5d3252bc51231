// Finds the cheapest way to cut one sequence into kernels, by the costs in a KernelBook.
#ifndef HALYARD_AUTOTUNER_SEARCH_SEQUENCE_SEARCH_H_
#define HALYARD_AUTOTUNER_SEARCH_SEQUENCE_SEARCH_H_

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autotuner/search/kernel_book.h"
#include "lowering/plan/fuse/choices.h"
#include "lowering/plan/fuse/fusion_group.h"

namespace halyard::autotuner {

class SequenceSearch {
 public:
  // `sequence`, after FormAttention, `base` and `book` must outlive it. `base` names instructions
  // by their names in `sequence`.
  SequenceSearch(const hlo::Computation* sequence, double uses,
                 const lowering::FusionLimits& limits, const lowering::PlanChoices& base,
                 KernelBook* book);

  struct Cut {
    double seconds = 0;        // of one run of the sequence
    std::vector<int> kernels;  // in no order, and as often as they are launched
    std::map<std::string, lowering::Placement> choices;  // by the instructions' names
    bool complete = true;                                // whether the beam left nothing out
    int64_t states = 0;
  };
  // Returns the cut by the base choices alone.
  Cut Default(bool measured_only);
  Cut Best(int64_t beam, bool measured_only);
  double uses() const { return uses_; }

 private:
  struct State;
  int KernelOf(const lowering::FusionGroup& group);
  void Close(State* state, bool measured_only);
  double OpenCost(const State& state, bool measured_only);
  lowering::Placement BaseOf(const hlo::Instruction& inst) const;
  Cut Finish(const State& state) const;
  std::vector<State> Step(hlo::Instruction* inst, std::vector<State> states, bool measured_only);
  void Merge(std::vector<State>* states) const;

  const hlo::Computation* sequence_;
  const double uses_;
  const lowering::FusionFacts facts_;
  const lowering::PlanChoices& base_;
  KernelBook& book_;
  std::vector<int> outlined_;  // kernels that exist already: attentions
  std::unordered_map<std::string, int> known_groups_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_SEQUENCE_SEARCH_H_
