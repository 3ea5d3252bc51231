#include "autotuner/measure/expected_outputs.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace halyard::autotuner {

namespace {

bool SameSizes(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const std::string& x, const std::string& y) { return x.size() == y.size(); });
}

absl::Status CheckData(const TrialData& data) {
  if (data.cases.empty()) return absl::InvalidArgumentError("there are no values to run with");
  if (!data.samples.empty() && data.samples.size() != data.cases[0].expected.size())
    return absl::InvalidArgumentError("as many samples as outputs are wanted");
  for (const TrialCase& one : data.cases) {
    if (one.rules.size() != one.expected.size())
      return absl::InvalidArgumentError("as many rules as outputs are wanted");
    if (!SameSizes(one.inputs, data.cases[0].inputs) ||
        !SameSizes(one.expected, data.cases[0].expected)) {
      return absl::InvalidArgumentError("the cases are of different sizes");
    }
  }
  for (size_t o = 0; o < data.samples.size(); ++o) {
    const ArraySample& sample = data.samples[o];
    if (sample.Elements() * sample.element_bytes !=
        static_cast<int64_t>(data.cases[0].expected[o].size()))
      return absl::InvalidArgumentError("an output is not as large as its sample");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ExpectedOutputs::Set(TrialData data) {
  reference_.clear();
  if (absl::Status s = CheckData(data); !s.ok()) return s;
  data_ = std::move(data);
  return absl::OkStatus();
}

void ExpectedOutputs::SetReference(Outputs outputs) {
  reference_ = std::move(outputs);
  reference_rules_.clear();
  for (size_t c = 0; c < reference_.size(); ++c) {
    reference_rules_.emplace_back();
    for (size_t o = 0; o < reference_[c].size(); ++o) {
      const OutputRule& rule = data_.cases[c].rules[o];
      // As for samples, large special values must not excuse wrong ordinary ones.
      const bool special = rule.scale == data_.cases[0].rules[o].scale;
      const double scale = LargestOf(reference_[special ? 0 : c][o], rule.type);
      reference_rules_.back().push_back(RuleBetween(rule, scale));
    }
  }
}

std::string ExpectedOutputs::WrongOutput(size_t one, size_t output) const {
  // Where only a sample is known, these bytes are a large number in most types. An element that the
  // reference itself leaves as it is shows when the reference is run again.
  if (data_.IsSampled(output) && reference_.empty())
    return std::string(data_.OutputBytes(output), '\x55');
  std::string wrong =
      data_.IsSampled(output) ? reference_[one][output] : data_.cases[one].expected[output];
  for (char& byte : wrong) byte = static_cast<char>(~byte);
  return wrong;
}

std::string ExpectedOutputs::Compare(size_t one, size_t output, absl::string_view got,
                                     double* difference) const {
  const TrialCase& values = data_.cases[one];
  if (!data_.IsSampled(output))
    return CompareOutput(got, values.expected[output], values.rules[output], difference);
  const ArraySample& sample = data_.samples[output];
  const std::string part = SampleOf(got, sample);
  OutputRule rule = values.rules[output];
  if (rule.may_differ > 0) {
    const double share = static_cast<double>(part.size()) / static_cast<double>(got.size());
    rule.may_differ =
        std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(rule.may_differ) * share));
  }
  const std::string wrong = CompareOutput(part, values.expected[output], rule, difference);
  if (!wrong.empty()) return absl::StrCat("in the sample, ", wrong);
  if (reference_.empty()) return "";
  const std::string other =
      CompareOutput(got, reference_[one][output], reference_rules_[one][output], difference);
  return other.empty() ? "" : absl::StrCat("beside the reference schedule's output, ", other);
}

}  // namespace halyard::autotuner
