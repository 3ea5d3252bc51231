// Asynchronous ops (frontend/hlo/processes/async_pairs.h).
#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/read_computation.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard::hlo_text {

using hlo::AsyncOp;
using hlo::Shape;

bool ComputationReader::ReadAsyncStart(hlo::Opcode opcode, Pending pending, bool is_root,
                                       hlo::Computation* computation) {
  if (is_root) return cursor_.Fail(pending.offset, "an asynchronous start cannot be the ROOT");
  const Shape shape = pending.shape;
  const absl::StatusOr<Shape> result = hlo::AsyncResult(opcode, shape);
  if (!result.ok()) return cursor_.Fail(pending.offset, result.status().message());
  pending.opcode = opcode;
  pending.shape = *result;
  pending.is_async = true;
  const std::string name = pending.name;
  if (!ReadRest(&pending) || !AddInstruction(std::move(pending), computation)) return false;
  starts_[name] = {opcode, shape, computation->instructions().back().get(), false};
  return true;
}

// `(NAME)` or `(SHAPE NAME)`
bool ComputationReader::ReadStart(hlo::Opcode opcode, hlo::AsyncStart* start) {
  if (!cursor_.Expect('(')) return false;
  const size_t offset = cursor_.Offset();
  const bool typed = AtShape(cursor_);
  Shape shape;
  if (typed && !ReadShape(cursor_, &shape)) return false;
  const size_t name_offset = cursor_.Offset();
  std::string name;
  if (!cursor_.Name(&name, "an operand")) return false;
  const auto found = starts_.find(name);
  if (found == starts_.end()) {
    return cursor_.Fail(name_offset,
                        absl::StrCat("operand '", name, "' is no asynchronous start before it"));
  }
  if (typed && !Shape::SameIgnoringLayout(shape, found->second.shape)) {
    return cursor_.Fail(
        offset, absl::StrCat("operand '", name, "' is ", found->second.shape.ToString(), ", not ",
                             shape.ToString()));
  }
  if (const absl::Status s = hlo::UseStart(opcode, name, &found->second); !s.ok())
    return cursor_.Fail(name_offset, s.message());
  *start = found->second;
  // Attributes are the start's.
  return cursor_.Expect(')') && SkipTrailingAttributes();
}

bool ComputationReader::ReadAsync(const AsyncOp& op, Pending pending, bool is_root,
                                  hlo::Computation* computation) {
  if (op.part == AsyncOp::Part::kStart)
    return ReadAsyncStart(op.opcode, std::move(pending), is_root, computation);
  hlo::AsyncStart start;
  if (!ReadStart(op.opcode, &start)) return false;
  const bool done = op.part == AsyncOp::Part::kDone;
  if (const absl::Status s = hlo::CheckAsyncShape(op.part, start, pending.shape); !s.ok())
    return cursor_.Fail(pending.offset, s.message());
  if (!done) {
    if (is_root) return cursor_.Fail(pending.offset, "an asynchronous update cannot be the ROOT");
    start.is_used = false;
    starts_[pending.name] = start;
    return true;
  }
  instructions_[pending.name] = start.op;
  if (is_root) root_ = start.op;
  return true;
}

bool ComputationReader::CheckStarts(size_t offset) {
  for (const auto& [name, start] : starts_) {
    if (!start.is_used)
      return cursor_.Fail(offset, absl::StrCat("the asynchronous start '", name, "' has no done"));
  }
  return true;
}

}  // namespace halyard::hlo_text
