// The inputs with which a kernel is run, and the outputs that it must give.
#ifndef HALYARD_AUTOTUNER_MEASURE_TRIAL_DATA_H_
#define HALYARD_AUTOTUNER_MEASURE_TRIAL_DATA_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "autotuner/rules/output_rule.h"

namespace halyard::autotuner {

struct TrialCase {
  std::string name;                   // of its values, for messages, such as "special values"
  std::vector<std::string> inputs;    // bytes, in the order of the kernel's inputs
  std::vector<std::string> expected;  // the oracle's outputs
  std::vector<OutputRule> rules;      // one for each output
};

struct TrialData {
  std::vector<TrialCase> cases;  // of equal sizes; times are taken with the first
  std::vector<std::pair<int32_t, int32_t>> aliases;  // {output, input} that share a buffer
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_TRIAL_DATA_H_
