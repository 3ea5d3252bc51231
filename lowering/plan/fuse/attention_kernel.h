// Makes one kernel of a chain or of the statistics of an attention (lowering/kernels/attention/
// form.h), by copying what it computes.
#ifndef HALYARD_LOWERING_PLAN_FUSE_ATTENTION_KERNEL_H_
#define HALYARD_LOWERING_PLAN_FUSE_ATTENTION_KERNEL_H_

#include <functional>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/plan/fuse/fusion_group.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {

// A value of the kernel's text, with what it reads, in the order of its parameters.
struct AttentionKernel {
  hlo::Computation* computation = nullptr;
  std::vector<hlo::Instruction*> inputs;
  hlo::Instruction* last = nullptr;  // of the sequence: what the kernel's result stands for
  hlo::Provenance provenance;
};

class AttentionKernelMaker {
 public:
  // `reciprocal` returns 1 / row as an f32 array of the sequence, for a row that divides many.
  AttentionKernelMaker(const AttentionForm& form, hlo::Module* module,
                       std::function<hlo::Instruction*(hlo::Instruction* row)> reciprocal);

  // A chain's factor is 0 where `mask`, a PRED array of the factor's dimensions, is false.
  void set_mask(hlo::Instruction* mask) { mask_ = mask; }

  // Copies what computes `root`, a chain's product or the tuple of statistics, and of a chain the
  // converts, transposes and reshapes that follow. Returns false if that is too much for a kernel
  // of `max_buffers` buffers.
  bool Make(hlo::Instruction* root, const UserMap& users, size_t max_buffers);
  const AttentionKernel& kernel() const { return kernel_; }

 private:
  bool IsDependent(const hlo::Instruction* inst) const;
  bool MayRepeat(const hlo::Instruction& inst) const;
  bool IsOfPlaces(const hlo::Instruction& inst, int depth) const;
  hlo::Instruction* Copy(hlo::Instruction* inst);
  hlo::Instruction* CopyDependent(hlo::Instruction* inst);
  hlo::Instruction* CopyFactor(hlo::Instruction* inst);
  hlo::Instruction* CopyDivision(hlo::Instruction* inst);
  hlo::Instruction* CopyProduct(hlo::Instruction* inst);
  hlo::Instruction* Masked(hlo::Instruction* factor);
  hlo::Instruction* Input(hlo::Instruction* inst);
  hlo::Instruction* Added(hlo::Opcode opcode, hlo::Shape shape,
                          std::vector<hlo::Instruction*> operands, hlo::AttrMap attrs = {});

  const AttentionForm& form_;
  std::function<hlo::Instruction*(hlo::Instruction*)> reciprocal_;
  hlo::Instruction* mask_ = nullptr;
  int64_t mask_size_ = 1, keys_ = 1;  // of queries and keys
  std::unordered_map<const hlo::Instruction*, hlo::Instruction*> copies_, factors_;
  AttentionKernel kernel_;
  bool fits_ = true;
  int repeated_ = 0;
};

// Returns whether attention reads its factor where the op's operand lies: converts, transposes,
// reshapes that change no order, and slices of whole, aligned pieces.
bool IsLightFactorOp(const hlo::Instruction& inst);

// Returns the last of the converts of floats, transposes and reshapes that change no order which
// are the only users of `inst` and of each other.
hlo::Instruction* LastMoveAfter(hlo::Instruction* inst, const UserMap& users);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_FUSE_ATTENTION_KERNEL_H_
