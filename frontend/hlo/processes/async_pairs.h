// HLO's asynchronous ops, as XLA's schedules have them. `X-start` begins op X, `X-done` gives its
// result, and `X-update`, which may stand between them, changes nothing. `async-start` begins the
// computation that it calls. In a module, the start is op X itself, and the name of the done is
// another one for it. Programs of several processes overlap all exchanges with the work around them
// (lowering/plan/steps/exchange_order.h), so nothing is lost.
#ifndef HALYARD_FRONTEND_HLO_PROCESSES_ASYNC_PAIRS_H_
#define HALYARD_FRONTEND_HLO_PROCESSES_ASYNC_PAIRS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

struct AsyncOp {
  enum class Part { kStart, kUpdate, kDone };
  Part part;
  Opcode opcode;  // X, or kCall for async-start and what belongs to it
};

// Returns nothing if the name is not that of a part of an asynchronous op. Those of send and recv
// are ops of their own.
std::optional<AsyncOp> AsyncOpOf(absl::string_view name);

// Returns the shape of what X computes, of which the shape of its start consists in part: of
// all-reduce-start, it is all of it; of copy-start (result, operand, context); of others (operands,
// result, contexts…). Returns kInvalidArgument for other shapes.
absl::StatusOr<Shape> AsyncResult(Opcode opcode, const Shape& start);

// A start that has been read, or an update of it.
struct AsyncStart {
  Opcode opcode = Opcode::kCall;
  Shape shape;                // as it is written
  Instruction* op = nullptr;  // X
  bool is_used = false;       // whether an update or a done has taken it
};

// Marks the start as used by an op of `opcode`. Returns kInvalidArgument if that op does not belong
// to the start, or if another one has used it.
absl::Status UseStart(Opcode opcode, absl::string_view name, AsyncStart* start);

// Returns kInvalidArgument unless `shape` is that of an update or a done of the start.
absl::Status CheckAsyncShape(AsyncOp::Part part, const AsyncStart& start, const Shape& shape);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_PROCESSES_ASYNC_PAIRS_H_
