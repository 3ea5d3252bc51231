// Makes modules that compute only some elements of a kernel's outputs, so that the reference
// evaluator, which is slow, has little to do.
#ifndef HALYARD_AUTOTUNER_RULES_SAMPLED_KERNEL_H_
#define HALYARD_AUTOTUNER_RULES_SAMPLED_KERNEL_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "autotuner/rules/array_sample.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// Returns about how long the evaluator takes for the module, in units of one elementwise operation
// on one element (some 10 ns).
double WorkOf(const hlo::Module& module);

// One parameter of a SampledOutput's module.
struct SampledParameter {
  int64_t number = 0;  // of the kernel's parameter
  ArraySample part;    // what the module takes of it
};

struct SampledOutput {
  ArraySample sample;  // of the kernel's output
  // Computes the sample, by the kernel's ops on parts of their operands. Calls computations of the
  // kernel's module, which must outlive it.
  std::unique_ptr<hlo::Module> module;
  std::vector<SampledParameter> parameters;  // of the module, by number
};

// Returns a sample of each output such that the evaluator's work for all of them is about
// `most_work`, or as little as possible if that is more. Elements can be left out along dimensions
// of an output whose elements are computed independently of each other: rows and columns of a
// product, but not a dimension that is sorted. Returns nothing if the whole kernel is that little
// work, or if no elements of any output can be left out.
std::vector<SampledOutput> SampleOutputs(const hlo::Module& kernel, double most_work);

// Returns the elements of an array.
hlo::Literal PartOf(const hlo::Literal& array, const ArraySample& part);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_SAMPLED_KERNEL_H_
