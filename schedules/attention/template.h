// What the templates for attention share: the Funcs of a kernel whose scores stay on the chip, and
// which of their Vars stand for queries, keys and values.
//
// The division by the row's sum is done last: (Σ w·v) / s instead of Σ (w/s)·v, with weights w
// rounded to the type in which the program multiplies them. See docs/numerics.md, Attention.
#ifndef HALYARD_SCHEDULES_ATTENTION_TEMPLATE_H_
#define HALYARD_SCHEDULES_ATTENTION_TEMPLATE_H_

#include <functional>
#include <vector>

#include "lowering/kernels/kernel.h"

namespace halyard::schedules {

// A Func over the dimensions of an instruction, with the Var of each dimension of the scores.
struct PlacedFunc {
  Halide::Func func;
  std::vector<lowering::Axis> axes;
  std::vector<int64_t> places;  // for each axis, as in AttentionForm
  // Returns the axis that stands for `place`, or -1.
  int Find(int64_t place) const;
  Halide::Var At(int64_t place) const { return axes[Find(place)].var; }
};

struct AttentionParts {
  const lowering::AttentionForm* form = nullptr;
  lowering::Hero *scores = nullptr, *max = nullptr, *sum = nullptr, *product = nullptr;
  lowering::Hero *second = nullptr, *extra = nullptr;  // of chains and statistics
  int64_t rows_dim = 0;  // the longest dimension of the scores that belongs to queries
  int64_t queries = 1, keys = 1, head_size = 1, value_size = 1;  // queries: of rows_dim
  PlacedFunc output;  // axes and places only; once the Func is built, it is kernel.output
  bool valid = false;
};

AttentionParts PartsOf(const lowering::LoweredKernel& kernel);

// Returns the Vars and places of `instruction`, without a Func.
PlacedFunc PlacedLike(const lowering::AttentionForm& form, const hlo::Instruction& instruction,
                      const std::string& prefix);
// Returns the value of the instruction as a Func, in storage form.
PlacedFunc ValueFunc(lowering::LoweredKernel& kernel, const hlo::Instruction& instruction,
                     const std::string& name);

// Returns whether the product multiplies the weights as they are stored.
bool WeightsAreFactors(const lowering::LoweredKernel& kernel);
// Reads the weights where the program reads the weights divided by their sum.
void LeaveOutDivision(lowering::LoweredKernel& kernel, const Halide::Func& weights);
// Returns the product's element from its sum of weighted values, at `axes` of the product: the sum
// divided by what the program divides the weights by.
lowering::Value Normalized(lowering::LoweredKernel& kernel, const lowering::Value& total,
                           const lowering::Indices& axes);

// Returns the arguments of `func`: what index_of returns for each place.
lowering::Indices PlacedArguments(const PlacedFunc& func,
                                  const std::function<Halide::Expr(int64_t place)>& index_of);
// Returns a factor of a product with one summed dimension, in the type of its sums.
lowering::Value FactorValue(const lowering::Hero& hero, int64_t operand, const PlacedFunc& like,
                            const std::function<Halide::Expr(int64_t place)>& index_of,
                            const Halide::Expr& r);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_ATTENTION_TEMPLATE_H_
