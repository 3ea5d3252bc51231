// The SequenceFuser is the state of the fusion pass over one sequence, an instruction at a time. It
// can be copied cheaply, so that a search can go on from one state in several ways.
//
// Kernels grow from results towards inputs. Each instruction is visited after all of its users. It
// joins the one kernel that needs it, is repeated in each kernel if that is cheaper than its memory
// traffic, becomes a further output of one of them, or starts a kernel of its own. Joining the
// kernel of the only user cannot make a cycle between kernels. A further output is checked for
// this.
#ifndef HALYARD_LOWERING_PLAN_FUSE_SEQUENCE_FUSER_H_
#define HALYARD_LOWERING_PLAN_FUSE_SEQUENCE_FUSER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/plan/fuse/choices.h"
#include "lowering/plan/fuse/fusion_group.h"

namespace halyard::lowering {

// A group as a computation in kernel form.
struct KernelComputation {
  hlo::Computation* computation = nullptr;
  std::vector<hlo::Instruction*> inputs, outputs;  // of the sequence
  hlo::Provenance provenance;
};
// Adds the kernel to `module`. Returns kInternal if the rules of kernel_form.h do not hold.
absl::StatusOr<KernelComputation> MakeKernel(const FusionGroup& group, const FusionFacts& facts,
                                             hlo::Module* module);

class SequenceFuser {
 public:
  // `sequence` and `facts` must outlive it. If `fuse` is false, each instruction becomes a kernel.
  SequenceFuser(const hlo::Computation* sequence, const FusionFacts* facts, bool fuse);

  // Returns all of the sequence's instructions, users first.
  static std::vector<hlo::Instruction*> Order(const hlo::Computation& sequence);

  // Visits an instruction. Instructions are visited in that order, each once.
  void Visit(hlo::Instruction* inst, Placement wanted);
  // Returns the ways to visit `inst`, which is the next, that lead to different kernels. The rule
  // comes first.
  std::vector<Placement> Alternatives(hlo::Instruction* inst) const;

  size_t size() const { return groups_.size(); }
  const FusionGroup& group(size_t k) const { return *groups_[k]; }
  // Returns the kernels that compute `inst`, which has been visited.
  const std::vector<size_t>& GroupsOf(const hlo::Instruction* inst) const;
  // Returns the kernels that no later visit can change, without those that were taken before.
  std::vector<size_t> TakeClosed();
  bool IsClosed(size_t k) const { return closed_[k]; }  // as of the last TakeClosed
  // After TakeClosed: returns what later visits depend on, as text. Two states with the same text
  // have the same future.
  std::string Frontier() const;

 private:
  using Groups = std::vector<size_t>;

  FusionGroup& Own(size_t k);
  bool TryAdd(hlo::Instruction* inst, size_t k, bool as_output, bool repeat);
  void StartGroup(hlo::Instruction* root);
  bool AddAsOutput(hlo::Instruction* inst, const Groups& groups);
  bool Repeat(hlo::Instruction* inst, const Groups& groups, bool asked);
  bool ReachesGroup(const hlo::Instruction* from, size_t group) const;
  // Looks no further than values from position `horizon` on.
  std::vector<bool> ReachedGroups(const std::vector<const hlo::Instruction*>& from,
                                  size_t leave_out, int64_t horizon) const;
  int64_t HorizonOf(size_t group) const;
  void AddSpan(size_t group);
  // Returns how kernels need `inst`. Sets `outside` if something that is not a kernel needs it.
  Groups NeededBy(const hlo::Instruction* inst, bool* outside) const;
  bool IsVisited(const hlo::Instruction* inst) const;
  bool MayGrow(size_t k) const;
  std::string Outcome(const hlo::Instruction* inst) const;

  const hlo::Computation* sequence_;
  const FusionFacts* facts_;
  bool fuse_;
  int64_t next_;  // position of the last instruction that has not been visited
  std::vector<std::shared_ptr<FusionGroup>> groups_;
  std::vector<bool> closed_;
  // By position; null if there is none.
  std::vector<std::shared_ptr<const Groups>> groups_of_;
  // Reshapes that change no byte, are part of kernels, and are also needed by something that is not
  // a kernel.
  std::vector<bool> also_outside_;
  // The stretches of positions between the outputs of kernels with several; those that overlap are
  // joined. By the first position, the last one.
  std::map<int64_t, int64_t> spans_;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_FUSE_SEQUENCE_FUSER_H_
