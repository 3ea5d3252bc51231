// The reference evaluator: HLO semantics written to be read, and not to be fast. It is the oracle
// of every test.
#ifndef HALYARD_FRONTEND_HLO_EVALUATE_EVALUATOR_H_
#define HALYARD_FRONTEND_HLO_EVALUATE_EVALUATOR_H_

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

class Process;

// Evaluates computations. Float ops are computed in f64 (f64 ops natively) and rounded once to the
// result's type, so each op is correctly rounded except for the library's own error. Float sums and
// products of contractions accumulate in f64. Not thread-safe: use one Evaluator for each thread.
class Evaluator {
 public:
  using CustomCallFn =
      std::function<absl::StatusOr<Literal>(const Instruction&, absl::Span<const Literal>)>;

  // Takes one literal for each parameter of the module's entry. Returns a literal of the root's
  // shape.
  absl::StatusOr<Literal> Run(const Module& module, absl::Span<const Literal> arguments);
  absl::StatusOr<Literal> RunComputation(const Computation& computation,
                                         absl::Span<const Literal> arguments);

  Evaluator();
  ~Evaluator();

  // A while loop with more iterations is an error, so that infinite loops end. 0 means no limit.
  int64_t max_loop_iterations = 0;
  // If true, convolutions multiply the kernel by the zeros of padding and dilation, which gives NaN
  // where the kernel is NaN or infinite. If false, they leave out those products, as compiled
  // convolutions may.
  bool multiply_padding = true;
  // The state of `rng`: how many of them this run has evaluated.
  uint64_t NextRandom() { return random_calls_++; }
  // The process of a grid (process_grid.h) that this evaluator runs. Null if it runs alone.
  Process* process = nullptr;
  CustomCallFn custom_call;  // called for kCustomCall; if unset, a custom call is an error that
                             // names the target
  // Called after each instruction of the entry computation, for --compare=reference.
  std::function<void(const Instruction&, const Literal&)> observer;

  // Facts about a computation that are kept for the duration of a Run.
  struct Plan;

 private:
  const Plan& PlanOf(const Computation& computation);
  absl::StatusOr<Literal> RunOutermost(const Computation& computation,
                                       absl::Span<const Literal> arguments);
  absl::StatusOr<Literal> RunPlan(const Computation& computation,
                                  absl::Span<const Literal> arguments);

  int depth_ = 0;
  uint64_t random_calls_ = 0;
  const Computation* observed_ = nullptr;  // the observer sees its instructions
  std::unordered_map<const Computation*, std::unique_ptr<Plan>> plans_;
};

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_EVALUATE_EVALUATOR_H_
