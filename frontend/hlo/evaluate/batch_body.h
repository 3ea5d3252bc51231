// Applies a computation on scalars to many sets of scalars.
#ifndef HALYARD_FRONTEND_HLO_EVALUATE_BATCH_BODY_H_
#define HALYARD_FRONTEND_HLO_EVALUATE_BATCH_BODY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/evaluate/evaluator.h"

namespace halyard::hlo {

// If the body consists of elementwise ops, runs it on all sets at once, with each scalar as an
// array. Runs any other body set by set.
class BatchBody {
 public:
  // `body` takes and returns scalars (or a flat tuple of them). Both arguments must outlive this.
  BatchBody(Evaluator* evaluator, const Computation& body);

  // arguments[i] is an array [count] with parameter i of each set. Results have the same form,
  // flattened.
  absl::StatusOr<std::vector<Literal>> Run(absl::Span<const Literal> arguments, int64_t count);

 private:
  struct Step {
    Instruction inst;  // a copy whose shape has `count_` elements
    std::vector<int> operands;
  };
  void Widen(int64_t count);
  absl::StatusOr<std::vector<Literal>> RunOneByOne(absl::Span<const Literal> arguments,
                                                   int64_t count);

  Evaluator* evaluator_;
  const Computation& body_;
  bool elementwise_ = true;
  int64_t count_ = -1;
  std::vector<Step> steps_;
  int root_ = 0;
};

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_EVALUATE_BATCH_BODY_H_
