// Decides whether results agree with the expected ones: integers and what is computed exactly bit
// by bit, and the rest within what rounding may do to it.
#ifndef HALYARD_TESTS_PROGRAMS_AGREEMENT_H_
#define HALYARD_TESTS_PROGRAMS_AGREEMENT_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "tests/programs/minimize.h"
#include "tests/programs/noisy_evaluator.h"

namespace halyard::testing {

// Results without an inexact op must have the expected bits. Others may be off by some times what
// rounding noise in the evaluator does to them. Where a result is NaN or infinite, or where
// comparisons decide it, any value is right that the evaluator gives with noise.
class Agreement {
 public:
  // Expects what the evaluator computes.
  static absl::StatusOr<Agreement> WithEvaluator(const Program& program);
  // Expects what another compiler has computed, on a machine that may have taken f32 and f64
  // denormals for zeros.
  static absl::StatusOr<Agreement> WithResults(const Program& program,
                                               std::vector<hlo::Literal> wanted);

  // Returns what is wrong, or "". `flushes` says that the device takes f32 denormals for zeros.
  std::string Check(const std::vector<hlo::Literal>& got, bool flushes);

 private:
  Agreement(const Program& program, Values exact);

  struct Result;
  std::string CheckResult(const Result& result, const hlo::Literal& got);
  std::string CheckNear(const Result& result, const hlo::Literal& got);
  std::string Unexplained(const Result& result, const hlo::Literal& got,
                          const std::vector<const hlo::Literal*>& runs, bool near) const;
  std::string FirstDifference(const hlo::Literal& got, const hlo::Literal& want) const;
  // A device that takes f32 denormals for zeros may turn them into a zero with either sign.
  bool Same(hlo::ElementType type, double a, double b) const;
  const Values* Noisy(const Noise& noise);

  Program program_;
  Values exact_;                      // the evaluator's
  std::vector<hlo::Literal> wanted_;  // by result
  bool other_flushes_ = false;
  bool flushes_ = false;
  std::map<Noise, Values> noisy_;
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_AGREEMENT_H_
