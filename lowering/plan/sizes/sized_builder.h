// Adds to a padded program (pad_program.h) the values that follow from the sizes of a run, and the
// masks that keep what lies behind them out of results.
#ifndef HALYARD_LOWERING_PLAN_SIZES_SIZED_BUILDER_H_
#define HALYARD_LOWERING_PLAN_SIZES_SIZED_BUILDER_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/rewriter.h"
#include "lowering/plan/sizes/size_facts.h"

namespace halyard::lowering {

class SizedBuilder {
 public:
  // `variables`: s32 scalars of the computation, the sizes of a run. All must outlive this object.
  SizedBuilder(hlo::Module* module, const SizeFacts* facts, Rewriter* rewriter,
               std::vector<hlo::Instruction*> variables)
      : module_(*module), facts_(*facts), rewriter_(*rewriter), variables_(std::move(variables)) {}

  hlo::Module& module() const { return module_; }
  const SizeFacts& facts() const { return facts_; }
  Rewriter& rewriter() const { return rewriter_; }
  const std::vector<hlo::Instruction*>& variables() const { return variables_; }
  GraphBuilder For(const hlo::Instruction& source) { return GraphBuilder(&rewriter_, &source); }

  // Returns an s32 scalar, the value of the function for the sizes of the run.
  hlo::Instruction* Value(const hlo::Instruction& source, const SizeFunction& function);
  // Returns what has the value values[i] for combination i. All have the same type and dimensions.
  hlo::Instruction* Choose(const hlo::Instruction& source, const std::vector<hlo::Literal>& values);
  // Returns PRED[dims]: whether the index of each dimension of `limits` is below its function.
  struct Limit {
    int64_t dim;
    const SizeFunction* size;
  };
  hlo::Instruction* Mask(const hlo::Instruction& source, const std::vector<int64_t>& dims,
                         const std::vector<Limit>& limits);
  // Those of `dims` in which the array varies.
  std::vector<Limit> Varying(const hlo::Instruction* array, const std::vector<int64_t>& dims) const;
  std::vector<Limit> Varying(const hlo::Instruction* array) const;
  // Returns the array with `fill`, a scalar, in the place of all elements behind the limits.
  hlo::Instruction* Masked(const hlo::Instruction& source, hlo::Instruction* array,
                           const std::vector<Limit>& limits, hlo::Instruction* fill);

  // Returns elements [start, start + size) of a dimension, where start is a function of the sizes.
  // What lies behind the array has any value.
  hlo::Instruction* SliceFrom(const hlo::Instruction& source, hlo::Instruction* array, int64_t dim,
                              const SizeFunction& start, int64_t size);
  // Adds zeros behind a dimension.
  hlo::Instruction* PadHigh(const hlo::Instruction& source, hlo::Instruction* array, int64_t dim,
                            int64_t amount);
  // Returns indices as a type that holds every limit: s32, or s64 for wide types. Those that s64
  // does not hold become 2^62, which is outside of every array.
  hlo::Instruction* WideIndex(const hlo::Instruction& source, hlo::Instruction* index);
  // Returns an array of equal integers.
  hlo::Instruction* Splat(const hlo::Instruction& source, const hlo::Shape& shape, int64_t value);
  // Returns an error that says that there is no rule for the op, and why.
  static absl::Status NoRule(const hlo::Instruction& inst, const std::string& why);

 private:
  // Returns the value as a sum of multiples of the sizes, or null if it is none.
  hlo::Instruction* Linear(const hlo::Instruction& source, const SizeFunction& function);
  hlo::Instruction* Index(const hlo::Instruction& source);
  hlo::Instruction* Int(const hlo::Instruction& source, int64_t value);

  hlo::Module& module_;
  const SizeFacts& facts_;
  Rewriter& rewriter_;
  std::vector<hlo::Instruction*> variables_;
  std::map<SizeFunction, hlo::Instruction*> values_;
  hlo::Instruction* index_ = nullptr;
};

// The rules, by family (see pad_program.h). Each makes an instruction's operands such that the
// valid part of its result follows from their valid parts, or replaces it by other ops. An op that
// none of them knows is an error.
absl::Status PadInstruction(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadReduce(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadReduceWindow(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadDot(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadConvolution(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadSort(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadReshape(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadReverse(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadSlice(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadConcatenate(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadPad(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadConstant(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadDynamicSlice(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadDynamicUpdateSlice(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadGather(SizedBuilder& b, hlo::Instruction* inst);
absl::Status PadScatter(SizedBuilder& b, hlo::Instruction* inst);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_SIZES_SIZED_BUILDER_H_
