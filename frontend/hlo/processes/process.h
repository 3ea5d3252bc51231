// What the evaluator of one process needs of the other processes and of the host.
#ifndef HALYARD_FRONTEND_HLO_PROCESSES_PROCESS_H_
#define HALYARD_FRONTEND_HLO_PROCESSES_PROCESS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo/values/literal.h"

namespace halyard::hlo {

// One process of a grid. Errors end the process.
class Process {
 public:
  virtual ~Process() = default;

  virtual ProcessId id() const = 0;
  virtual GridShape grid() const = 0;

  // Performs this process's next execution of `inst`: leaves `operands` for `readers` processes
  // (including itself, if it reads its own), then waits until each of `sources` has executed it as
  // often, and returns what they left, in that order.
  virtual absl::StatusOr<std::vector<std::vector<Literal>>> Exchange(
      const Instruction& inst, absl::Span<const Literal> operands, int64_t readers,
      absl::Span<const ProcessId> sources) = 0;

  // Returns the next item of the queue: an array, or a tuple of arrays.
  virtual absl::StatusOr<Literal> Infeed(const Instruction& inst) = 0;
  virtual absl::Status Outfeed(const Instruction& inst, Literal data) = 0;

  // `inst` is the send or the recv. Sending does not wait, but receiving does.
  virtual absl::Status Send(const Instruction& inst, Literal data) = 0;
  virtual absl::StatusOr<Literal> Receive(const Instruction& inst) = 0;
};

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_PROCESSES_PROCESS_H_
