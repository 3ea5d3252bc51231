// A FusionGroup holds the instructions of one kernel while the fusion pass grows it, from its
// results towards its inputs.
#ifndef HALYARD_LOWERING_PLAN_FUSE_FUSION_GROUP_H_
#define HALYARD_LOWERING_PLAN_FUSE_FUSION_GROUP_H_

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/hlo/ir/module.h"
#include "lowering/plan/fuse/library_kernels.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

using UserMap = std::unordered_map<const hlo::Instruction*, std::vector<hlo::Instruction*>>;

// What kernels of a device may hold.
struct FusionLimits {
  int max_buffers = 0;
  // Several reduces over one row are one kernel if the row has up to `max_row_elements` elements.
  // Longer rows, of up to `max_row_bytes`, are so, too, if there are at least `min_long_rows`.
  int64_t max_row_elements = 0;
  int64_t max_row_bytes = 0, min_long_rows = 1;
  // Large products read factors that are narrow already: their loops copy whole pieces of memory.
  bool narrows_before_products = false;
  // Products of one row compute the elements of their matrix: weights times scales.
  bool scales_matrices = false;
  runtime::DeviceInfo device;
};
// Whether `inst` makes weights of narrower ones and what each block of them shares: converted
// values times scales, less zero points.
bool MakesWeights(const hlo::Instruction& inst);
FusionLimits FusionLimitsOf(const runtime::DeviceInfo& device);

// What the fusion pass knows of each instruction of a sequence before it starts.
struct FusionFacts {
  UserMap users;
  std::unordered_map<const hlo::Instruction*, int64_t> position;
  // Elementwise results that a dot, convolution or reduce-window can write itself, as epilogues.
  std::unordered_set<const hlo::Instruction*> epilogues;
  // Elementwise results that are computed, however indirectly, from a hero's result, unless it or
  // its epilogue is in memory for another hero.
  std::unordered_set<const hlo::Instruction*> from_hero;
  // Values that an op reads as its indices, and that take more ops than Halide can simplify in an
  // index: it visits what is used twice twice.
  std::unordered_set<const hlo::Instruction*> long_indices;
  LibraryKernels library;
  FusionLimits limits;
};
FusionFacts CollectFacts(const hlo::Computation& sequence, const FusionLimits& limits);

// Returns the computations whose instructions become kernels: the entry, and the computations of
// the loops and branches below it.
std::vector<hlo::Computation*> SequencesOf(hlo::Module& module);

// Returns whether the places that `user` reads or writes depend on this operand.
bool IsIndexOperand(const hlo::Instruction& user, size_t operand);

// Returns whether it may be computed once for each kernel that needs it, because it costs less than
// reading its result from memory.
bool IsCheapToRepeat(const hlo::Instruction& inst, const FusionFacts& facts);

class FusionGroup {
 public:
  FusionGroup(hlo::Instruction* root, const FusionFacts* facts);

  hlo::Instruction* root() const { return outputs_.front(); }
  const std::vector<hlo::Instruction*>& outputs() const { return outputs_; }
  bool Contains(const hlo::Instruction* inst) const { return uses_.contains(inst); }

  // Adds `inst`, some or all of whose users are members, if the kernel still obeys kernel_form.h
  // and this is worth it. `as_output`: others need its value, too. `asked`: it is worth it,
  // whatever the rules say of costly ops that are computed more than once.
  bool TryAdd(hlo::Instruction* inst, bool as_output, bool asked = false);
  // For the results of a hero that has several results.
  void AddOutput(hlo::Instruction* inst);

  // Returns the members, operands first, in an order that depends only on the form of the graph;
  // then the values read from outside, by first use.
  std::vector<hlo::Instruction*> OrderedMembers() const;
  std::vector<hlo::Instruction*> Inputs() const;

 private:
  // The index of a member at which its users read it. kOutput: the output's own index. In kernels
  // with row reductions, kFull is the index of the reduced array, and kRow its leading dimensions
  // only. kOther: any other.
  enum class Domain { kOutput, kFull, kRow, kOther };
  struct Use {
    Domain domain = Domain::kOther;
    int64_t row_rank = 0;       // kRow: number of leading dimensions
    bool heavy = false;         // read many times by a dot, convolution or reduce-window
    bool repeated = false;      // below a broadcast that enlarges, or a gather, so it is computed
                                // many times
    bool row_repeated = false;  // like `repeated`, but only by a broadcast along rows
    bool in_choice = false;     // below a concatenation, so it is computed for every element of it
    bool fixed = false;         // must be read from memory
    std::vector<uint64_t> contexts;  // distinct indices at which it is computed
  };

  bool RowFits(const hlo::Instruction& reduce) const;
  Use UseOf(const hlo::Instruction* inst) const;
  void AddUse(const hlo::Instruction& user, const hlo::Instruction* inst, Use* use) const;
  void AddHeroUse(const hlo::Instruction& user, const hlo::Instruction* inst, Use* use) const;
  void AddBroadcastUse(const hlo::Instruction& user, Use* use) const;
  bool MayAddExpr(const hlo::Instruction& inst, const Use& use, bool asked) const;
  bool NarrowsIntoProduct(const hlo::Instruction& inst, const Use& use) const;
  bool ReadOnce(const hlo::Instruction& inst) const;
  bool MayAddHero(const hlo::Instruction& inst, const Use& use) const;
  bool MayAddReduce(const hlo::Instruction& inst, const Use& use) const;
  bool FitsLimits(const hlo::Instruction& added, bool as_output) const;
  int PrologueOps(const hlo::Instruction* inst) const;
  bool HeavyPrologueFits() const;
  bool FullIsOutput() const { return full_dims_.empty() || full_dims_ == root()->shape.dims(); }
  bool ReadsUpdatedOperand(const hlo::Instruction& inst) const;

  const FusionFacts* facts_;
  std::vector<hlo::Instruction*> outputs_;
  std::vector<const hlo::Instruction*> heroes_;
  std::vector<int64_t> full_dims_;  // of the reduced array, once there is a reduce
  std::unordered_map<const hlo::Instruction*, Use> uses_;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_FUSE_FUSION_GROUP_H_
