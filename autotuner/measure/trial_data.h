// The inputs with which a kernel is run, and the outputs that it must give.
#ifndef HALYARD_AUTOTUNER_MEASURE_TRIAL_DATA_H_
#define HALYARD_AUTOTUNER_MEASURE_TRIAL_DATA_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "autotuner/rules/array_sample.h"
#include "autotuner/rules/output_rule.h"

namespace halyard::autotuner {

struct TrialCase {
  std::string name;                   // of its values, for messages, such as "special values"
  std::vector<std::string> inputs;    // bytes, in the order of the kernel's inputs
  std::vector<std::string> expected;  // the oracle's outputs, or samples of them
  std::vector<OutputRule> rules;      // one for each output
};

struct TrialData {
  std::vector<TrialCase> cases;  // of equal sizes; times are taken with the first
  std::vector<std::pair<int32_t, int32_t>> aliases;  // {output, input} that share a buffer
  // One for each output: which of its elements the oracle has computed. Empty if it has computed
  // all of every output. The first candidate whose sample is right then gives the other elements
  // (TrialRunner::SetReference).
  std::vector<ArraySample> samples;

  bool IsSampled(size_t output) const { return !samples.empty() && !samples[output].IsWhole(); }
  bool IsSampled() const {
    for (size_t o = 0; o < samples.size(); ++o) {
      if (IsSampled(o)) return true;
    }
    return false;
  }
  size_t OutputBytes(size_t output) const {
    return IsSampled(output) ? static_cast<size_t>(samples[output].WholeBytes())
                             : cases.front().expected[output].size();
  }
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_TRIAL_DATA_H_
