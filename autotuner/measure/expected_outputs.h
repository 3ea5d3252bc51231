// Says whether outputs of a candidate are right: beside the oracle's, and, where the oracle has
// computed only samples, beside those of a reference.
#ifndef HALYARD_AUTOTUNER_MEASURE_EXPECTED_OUTPUTS_H_
#define HALYARD_AUTOTUNER_MEASURE_EXPECTED_OUTPUTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "autotuner/measure/trial_data.h"

namespace halyard::autotuner {

class ExpectedOutputs {
 public:
  using Outputs = std::vector<std::vector<std::string>>;  // of each case

  // Returns kInvalidArgument if the parts of the data do not fit each other. Drops the reference.
  absl::Status Set(TrialData data);
  const TrialData& data() const { return data_; }

  // Whether only samples of outputs are known, and no other elements yet.
  bool wants_reference() const { return data_.IsSampled() && reference_.empty(); }
  // From now on, all elements of sampled outputs are compared with these, by RuleBetween.
  void SetReference(Outputs outputs);
  void DropReference() { reference_.clear(); }

  // Returns wrong values for all of an output of case `one`.
  std::string WrongOutput(size_t one, size_t output) const;
  // Returns what is wrong with an output, or "". Raises `*difference` as CompareOutput does.
  std::string Compare(size_t one, size_t output, absl::string_view got, double* difference) const;

 private:
  TrialData data_;
  Outputs reference_;                                     // empty if there is none
  std::vector<std::vector<OutputRule>> reference_rules_;  // as reference_
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_EXPECTED_OUTPUTS_H_
