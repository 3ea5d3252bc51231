// The Rewriter applies changes to one computation together, so that a pass is linear in the number
// of instructions.
#ifndef HALYARD_LOWERING_PLAN_REWRITER_H_
#define HALYARD_LOWERING_PLAN_REWRITER_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/located_error.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

class Rewriter {
 public:
  explicit Rewriter(hlo::Computation* computation) : computation_(computation) {}

  hlo::Computation* computation() const { return computation_; }
  // Returns the present instructions, operands first. Instructions that are added later are not in
  // it.
  std::vector<hlo::Instruction*> Snapshot() const;

  // Appends an instruction that takes its provenance from `source`.
  hlo::Instruction* Add(const hlo::Instruction& source, hlo::Opcode opcode, hlo::Shape shape,
                        std::vector<hlo::Instruction*> operands, hlo::AttrMap attrs = {},
                        std::vector<hlo::Computation*> called = {});
  hlo::Instruction* AddConstant(const hlo::Instruction& source, hlo::Literal value);
  // Adds zeros of the shape of `source`, which is an array.
  hlo::Instruction* AddZeros(const hlo::Instruction& source);
  hlo::Instruction* AddReshape(const hlo::Instruction& source, hlo::Instruction* operand,
                               std::vector<int64_t> dims);
  hlo::Instruction* AddTranspose(const hlo::Instruction& source, hlo::Instruction* operand,
                                 const std::vector<int64_t>& permutation);
  hlo::Instruction* AddBroadcast(const hlo::Instruction& source, hlo::Instruction* operand,
                                 std::vector<int64_t> dims, std::vector<int64_t> dimensions);
  hlo::Instruction* AddGetTupleElement(const hlo::Instruction& source, hlo::Instruction* operand,
                                       int64_t index);

  // Turns uses of `from` into uses of `to`, at Finish.
  void Replace(hlo::Instruction* from, hlo::Instruction* to);
  hlo::Instruction* Resolve(hlo::Instruction* inst) const;
  // Resolves the operands of `inst` now.
  void ResolveOperands(hlo::Instruction* inst) const;
  bool changed() const { return changed_; }
  // Makes `inst` removable although it has a side effect, because its effects are elsewhere now.
  static void Discard(hlo::Instruction* inst);

  // Applies replacements, removes dead code, and restores the order.
  absl::Status Finish();

 private:
  hlo::Computation* computation_;
  std::unordered_map<hlo::Instruction*, hlo::Instruction*> replaced_;
  bool changed_ = false;
};

// Returns the sizes that are not 1.
std::vector<int64_t> WithoutOnes(const std::vector<int64_t>& dims);

// Returns whether it is a reshape that only adds or drops dimensions of size 1.
bool IsDegenerateReshape(const hlo::Instruction& inst);

// Calls `rewrite` for each instruction of each computation that the module has now, with resolved
// operands, and finishes the computations that it changes.
absl::Status RewriteEach(
    hlo::Module& module,
    absl::FunctionRef<absl::Status(Rewriter& rewriter, hlo::Instruction* inst)> rewrite);

// Appends `callee`'s instructions to `into` with these arguments and returns the root's copy. If
// `source` is given, its provenance is added to that of every copy.
hlo::Instruction* InlineInto(const hlo::Computation& callee,
                             absl::Span<hlo::Instruction* const> arguments, hlo::Computation* into,
                             const hlo::Instruction* source = nullptr);

// Applies a computation of scalars to each element of arrays of `dims` (scalars among the arguments
// are broadcast), as the same ops on whole arrays. Returns the results of a root tuple, or the one
// root. Empty if the computation has ops that cannot be done so: loops, branches and reductions.
std::vector<hlo::Instruction*> ApplyToArrays(Rewriter& rewriter, const hlo::Instruction& source,
                                             const hlo::Computation& callee,
                                             absl::Span<hlo::Instruction* const> arguments,
                                             const std::vector<int64_t>& dims);

// Adds the computation of a binary op on two scalars, as a reduction's body.
hlo::Computation* AddFold(hlo::Module& module, const std::string& name, hlo::Opcode opcode,
                          hlo::ElementType type);

// Makes an attribute map of one entry.
hlo::AttrMap OneAttr(hlo::Attr attr, hlo::AttrValue value);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_REWRITER_H_
