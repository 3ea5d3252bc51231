// Applies a computation on scalars to many sets of scalars.
#ifndef HALYARD_FRONTEND_HLO_BATCH_BODY_H_
#define HALYARD_FRONTEND_HLO_BATCH_BODY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/evaluator.h"

namespace halyard::hlo {

// A body of elementwise ops runs on all sets at once, each scalar of it as an array; any other body
// runs set by set.
class BatchBody {
 public:
  // `body` takes and gives scalars (or a flat tuple of them). Both outlive this.
  BatchBody(Evaluator* evaluator, const Computation& body);

  // arguments[i] is an array [count]: parameter i of each set. The results likewise, flattened.
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

#endif  // HALYARD_FRONTEND_HLO_BATCH_BODY_H_
