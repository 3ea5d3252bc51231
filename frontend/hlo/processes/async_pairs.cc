#include "frontend/hlo/processes/async_pairs.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/communication.h"

namespace halyard::hlo {

std::optional<AsyncOp> AsyncOpOf(absl::string_view name) {
  AsyncOp found{AsyncOp::Part::kStart, Opcode::kCall};
  if (absl::ConsumeSuffix(&name, "-update")) {
    found.part = AsyncOp::Part::kUpdate;
  } else if (absl::ConsumeSuffix(&name, "-done")) {
    found.part = AsyncOp::Part::kDone;
  } else if (!absl::ConsumeSuffix(&name, "-start")) {
    return std::nullopt;
  }
  if (name == "async") return found;
  const std::optional<Opcode> opcode = OpcodeFromHloName(name);
  if (!opcode || RowOf(*opcode).max_operands == 0) return std::nullopt;
  if (*opcode == Opcode::kExchange || (IsCommunication(*opcode) && !IsCollective(*opcode)))
    return std::nullopt;
  found.opcode = *opcode;
  return found;
}

absl::StatusOr<Shape> AsyncResult(Opcode opcode, const Shape& start) {
  if (opcode == Opcode::kAllReduce) return start;
  const size_t element = opcode == Opcode::kCopy ? 0 : 1;
  if (start.IsTuple() && start.elements().size() >= 2) return start.elements()[element];
  return absl::InvalidArgumentError(
      absl::StrCat("the shape of an asynchronous start must be a tuple of its operands and its "
                   "result, is ",
                   start.ToString()));
}

absl::Status UseStart(Opcode opcode, absl::string_view name, AsyncStart* start) {
  if (start->opcode != opcode) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", name, "' is the start of another op: ", RowOf(start->opcode).hlo_name));
  }
  if (start->is_used)
    return absl::InvalidArgumentError(absl::StrCat("'", name, "' has been used already"));
  start->is_used = true;
  return absl::OkStatus();
}

absl::Status CheckAsyncShape(AsyncOp::Part part, const AsyncStart& start, const Shape& shape) {
  const Shape& wanted = part == AsyncOp::Part::kDone ? start.op->shape : start.shape;
  if (Shape::SameIgnoringLayout(shape, wanted)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the result must be ", wanted.ToString(), ", is ", shape.ToString()));
}

}  // namespace halyard::hlo
